#include "forces/openmm/openmm.h"

#include "base/memory.h"
#include "base/units.h"
#include "forces/openmm/guard.h"
#include "forces/openmm/internal.h"
#include "forces/terms/extent.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Atoms farther apart than this are an explosion: single precision resolves 1e-4 nm there, and pair
 * lists made of cells would fill the memory. nm */
static const double largest_extent = 1000.0;

static cardo_status check_positions(cardo_openmm_provider *p, const double *x, cardo_error *error)
{
    double extent = 0.0;
    cardo_status status = cardo_measure_extent(x, p->natom, &extent, error);
    if (status != CARDO_OK)
        return status;
    if (extent > largest_extent)
        return CARDO_FAIL(error, CARDO_RECOVERABLE,
                          "the atoms are spread over %.4g nm: the step was too long, or the "
                          "coordinates are not in nm",
                          extent);
    return cardo_openmm_keep_all_pairs(p, extent, error);
}

typedef struct compute_job {
    cardo_openmm_provider *provider;
    cardo_force_evaluation *evaluation;
} compute_job;

/* Energies by term. OpenMM evaluates what a group needs in full even for an energy alone, so the
 * dearest term (the solvent, or else the nonbonded one) is what the others leave of the total. */
static void evaluate_terms(cardo_openmm_provider *p, unsigned mask, double total, double *energies)
{
    double rest = total;
    for (int t = 0; t < p->base.nterm; t++) {
        energies[t] = 0.0;
        if (t == p->remainder || !(mask & (1u << t)))
            continue;
        energies[t] = cardo_openmm_engine_energy(&p->engine, 1u << t);
        rest -= energies[t];
    }
    if (p->base.nterm > 0 && (mask & (1u << p->remainder)))
        energies[p->remainder] = rest;
}

/* What the System leaves out: bonded terms inside bodies, and the shift of the all-pairs cutoff. */
static void add_constants(const cardo_openmm_provider *p, cardo_force_evaluation *evaluation)
{
    for (int t = 0; t < p->base.nterm; t++) {
        evaluation->energy += p->terms[t].constant;
        if (evaluation->term_energies)
            evaluation->term_energies[t] += p->terms[t].constant;
    }
    for (int i = 0; p->all_pairs_cutoff > 0.0 && i < p->npair; i++) {
        double shift = CARDO_COULOMB / p->all_pairs_cutoff * p->pairs[i].charge_pairs;
        evaluation->energy += shift;
        if (evaluation->term_energies)
            evaluation->term_energies[p->pairs[i].term] += shift;
    }
}

static cardo_status evaluate(void *arg, cardo_error *error)
{
    (void)error;
    compute_job *job = arg;
    cardo_openmm_engine *e = &job->provider->engine;
    if (e->state)
        OpenMM_State_destroy(e->state);
    e->state = NULL;
    OpenMM_Context_setPositions(e->context, e->positions);
    const int wanted = OpenMM_State_Forces | OpenMM_State_Energy;
    const unsigned groups = job->provider->base.ngroup > 1 ? job->evaluation->groups : 0;
    const unsigned mask =
        cardo_openmm_groups(job->provider, groups ? groups : CARDO_OPENMM_SLOW | CARDO_OPENMM_FAST);
    e->state = groups ? OpenMM_Context_getState_2(e->context, wanted, 0, (int)mask)
                      : OpenMM_Context_getState(e->context, wanted, 0);
    job->evaluation->energy = OpenMM_State_getPotentialEnergy(e->state);
    job->evaluation->station_forces =
        (const double *)OpenMM_Vec3Array_get(OpenMM_State_getForces(e->state), 0);
    if (job->evaluation->term_energies)
        evaluate_terms(job->provider, mask, job->evaluation->energy,
                       job->evaluation->term_energies);
    return CARDO_OK;
}

static cardo_status check_result(const cardo_openmm_provider *p,
                                 const cardo_force_evaluation *evaluation, cardo_error *error)
{
    if (!cardo_all_finite(evaluation->station_forces, 3 * p->natom)) {
        int i = 0;
        while (isfinite(evaluation->station_forces[i]))
            i++;
        return CARDO_FAIL(error, CARDO_RECOVERABLE,
                          "the force on atom %d (counted from 1) is %g: atoms overlap", i / 3 + 1,
                          evaluation->station_forces[i]);
    }
    if (!isfinite(evaluation->energy))
        return CARDO_FAIL(error, CARDO_RECOVERABLE, "the energy is %g: atoms overlap",
                          evaluation->energy);
    return CARDO_OK;
}

static cardo_status compute(cardo_force_provider *self, cardo_force_evaluation *evaluation,
                            cardo_error *error)
{
    cardo_openmm_provider *p = (cardo_openmm_provider *)self;
    double *buffer = p->base.position_buffer;
    evaluation->station_forces = NULL;
    if (evaluation->nstation != p->natom || !evaluation->station_positions)
        return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT,
                          "the force provider was made for %d atoms and was given %d", p->natom,
                          evaluation->station_positions ? evaluation->nstation : 0);
    if (evaluation->station_positions != buffer)
        memcpy(buffer, evaluation->station_positions, 3 * sizeof(double) * (size_t)p->natom);
    cardo_status status = check_positions(p, buffer, error);
    if (status != CARDO_OK)
        return status;
    compute_job job = {p, evaluation};
    status = cardo_openmm_guard(evaluate, &job, error);
    if (status != CARDO_OK)
        return status;
    if (p->base.ngroup < 2 || evaluation->groups == 0 || (evaluation->groups & CARDO_OPENMM_SLOW))
        add_constants(p, evaluation);
    return check_result(p, evaluation, error);
}

static cardo_status remake_pair_list(void *arg, cardo_error *error)
{
    cardo_openmm_provider *p = arg;
    if (strcmp(p->platform, "CPU") == 0)
        OpenMM_Context_reinitialize(p->engine.context, OpenMM_False);
    return cardo_openmm_make_pair_list(p, error);
}

cardo_status cardo_openmm_provider_prime(cardo_force_provider *provider, const double *positions,
                                         cardo_error *error)
{
    cardo_openmm_provider *p = (cardo_openmm_provider *)provider;
    cardo_status status = check_positions(p, positions, error);
    if (status != CARDO_OK)
        return status;
    memmove(p->base.position_buffer, positions, 3 * sizeof(double) * (size_t)p->natom);
    return cardo_openmm_guard(remake_pair_list, p, error);
}

static void destroy(cardo_force_provider *self)
{
    cardo_openmm_provider *p = (cardo_openmm_provider *)self;
    cardo_openmm_engine_destroy(&p->engine);
    cardo_free(p->pairs);
    cardo_free(p);
}

cardo_status cardo_openmm_provider_new(int natom, const cardo_openmm_options *options,
                                       cardo_openmm_provider **out, cardo_error *error)
{
    *out = NULL;
    if (natom < 1)
        return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT, "a force provider for %d atoms", natom);
    if (options->method == CARDO_CUTOFF && !(options->cutoff > 0.0 && isfinite(options->cutoff)))
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "a nonbonded cutoff of %g nm: give a positive length in nm",
                          options->cutoff);
    cardo_status status = CARDO_ALLOCATE(out, 1, error);
    if (status != CARDO_OK)
        return status;
    cardo_openmm_provider *p = *out;
    p->natom = natom;
    p->options = *options;
    p->base.name = "openmm";
    p->base.doc = p->doc;
    p->base.term_names = p->term_names;
    /* Forces that are not are found when a System is adopted. */
    p->base.traits = CARDO_FORCE_INVARIANT;
    p->base.compute = compute;
    p->base.destroy = destroy;
    cardo_openmm_need_plugins();
    return CARDO_OK;
}
