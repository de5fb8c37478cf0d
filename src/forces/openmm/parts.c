#include "base/memory.h"
#include "forces/openmm/force_classes.h"
#include "forces/openmm/guard.h"
#include "forces/openmm/internal.h"
#include "forces/openmm/take_terms.h"
#include "forces/terms/check.h"
#include "forces/terms/extent.h"

#include <string.h>

typedef struct parts_job {
    cardo_openmm_provider *provider;
    cardo_openmm_parts *parts;
    bool solvent; /* GBSAOBCForce or all others, whose charges it needs */
} parts_job;

static cardo_status start_parts(const cardo_openmm_provider *p, const double *masses,
                                cardo_openmm_parts *parts, cardo_error *error)
{
    cardo_status status = CARDO_ALLOCATE(&parts->own, 1, error);
    if (status != CARDO_OK)
        return status;
    parts->terms = parts->own;
    parts->own->natom = p->natom;
    status = CARDO_ALLOCATE(&parts->own->number.mass, p->natom, error);
    if (status == CARDO_OK)
        memcpy(parts->own->number.mass, masses, sizeof *masses * (size_t)p->natom);
    return status;
}

/* The System no longer has this Force; nor has the list of pair forces. */
static void drop_force(cardo_openmm_provider *p, int index)
{
    const OpenMM_Force *force = OpenMM_System_getForce(p->engine.system, index);
    for (int k = p->npair - 1; k >= 0; k--)
        if ((const void *)p->pairs[k].force == (const void *)force)
            p->pairs[k] = p->pairs[--p->npair];
    OpenMM_System_removeForce(p->engine.system, index);
}

static cardo_status take_forces(void *arg, cardo_error *error)
{
    parts_job *job = arg;
    cardo_openmm_provider *p = job->provider;
    for (int i = OpenMM_System_getNumForces(p->engine.system) - 1; i >= 0; i--) {
        const OpenMM_Force *force = OpenMM_System_getForce(p->engine.system, i);
        char class[CARDO_OPENMM_NAME_SIZE];
        bool taken;
        cardo_openmm_force_class(force, class, sizeof class);
        if ((strcmp(class, "GBSAOBCForce") == 0) != job->solvent)
            continue;
        cardo_status status = cardo_openmm_take_force(force, class, job->parts, &taken, error);
        if (status != CARDO_OK)
            return status;
        if (taken || cardo_force_is_energyless(class))
            drop_force(p, i);
    }
    return CARDO_OK;
}

/* Numbers anew the terms that are left: those of the Forces that are, and constants. */
static cardo_status renumber_terms(void *arg, cardo_error *error)
{
    (void)error;
    cardo_openmm_provider *p = arg;
    OpenMM_System *system = p->engine.system;
    int group[CARDO_OPENMM_TERMS] = {0}, n = 0, nforce = OpenMM_System_getNumForces(system);
    for (int t = 0; t < p->base.nterm; t++)
        p->terms[t].evaluated = false;
    for (int i = 0; i < nforce; i++)
        p->terms[OpenMM_Force_getForceGroup(OpenMM_System_getForce(system, i))].evaluated = true;
    for (int t = 0; t < p->base.nterm; t++)
        if (p->terms[t].evaluated || p->terms[t].constant != 0.0) {
            group[t] = n;
            p->terms[n++] = p->terms[t];
        }
    p->base.nterm = n;
    for (int i = 0; i < nforce; i++) {
        OpenMM_Force *force = OpenMM_System_getForce(system, i);
        OpenMM_Force_setForceGroup(force, group[OpenMM_Force_getForceGroup(force)]);
    }
    for (int k = 0; k < p->npair; k++)
        p->pairs[k].term = group[p->pairs[k].term];
    return CARDO_OK;
}

/* Moves what terms can hold out of the System; *p becomes parts->rest when anything is left. */
static cardo_status take_apart(cardo_openmm_provider **p, const double *masses,
                               const double *positions, cardo_openmm_parts *parts,
                               cardo_error *error)
{
    cardo_status status;
    parts_job job = {.provider = *p, .parts = parts};
    CARDO_TRY(start_parts(*p, masses, parts, error));
    CARDO_TRY(cardo_openmm_guard_alone(take_forces, &job, error));
    job.solvent = true;
    CARDO_TRY(cardo_openmm_guard_alone(take_forces, &job, error));
    CARDO_TRY(cardo_openmm_guard_alone(renumber_terms, *p, error));
    if ((*p)->base.nterm == 0)
        goto done;
    CARDO_TRY(cardo_openmm_provider_open_at(*p, positions, error));
    parts->rest = &(*p)->base;
    *p = NULL;
done:
    return status;
}

/* Is there a Force for all of them that is read back as it was? Impropers are a custom one, as are solvents that OpenMM has not compiled. */
static bool come_back(const cardo_terms *terms)
{
    return terms->nharmonic_torsion == 0 &&
           (!terms->has_gb || (terms->has_nonbonded && cardo_gb_model_of(terms)->is_native));
}

/* The System would take as much memory as all else of a large model. */
static cardo_status borrow(const cardo_terms *terms, const double *positions,
                           const cardo_openmm_options *options, cardo_openmm_parts *parts,
                           cardo_error *error)
{
    cardo_status status;
    double extent;
    const bool cut = options->method == CARDO_CUTOFF;
    CARDO_TRY(cardo_openmm_can_hold(terms, options, error));
    CARDO_TRY(cardo_terms_check(terms, error));
    CARDO_TRY(cardo_measure_extent(positions, terms->natom, &extent, error));
    parts->terms = terms;
    if (cut && terms->has_nonbonded) {
        parts->cutoff = options->cutoff;
        parts->reaction_field = cardo_openmm_reaction_field(options, terms->has_gb);
    }
    if (cut && terms->has_gb)
        parts->gb_cutoff = options->cutoff;
done:
    return status;
}

cardo_status cardo_openmm_parts_from_terms(const cardo_terms *terms, const int *body_of_atom,
                                           const double *positions,
                                           const cardo_openmm_options *options,
                                           cardo_openmm_parts *parts, cardo_error *error)
{
    cardo_status status;
    cardo_openmm_provider *p = NULL;
    double *masses = NULL;
    *parts = (cardo_openmm_parts){.reaction_field = 1.0};
    if (come_back(terms))
        return borrow(terms, positions, options, parts, error);
    CARDO_TRY(
        cardo_openmm_provider_begin(terms, body_of_atom, positions, true, options, &p, error));
    CARDO_TRY(CARDO_ALLOCATE(&masses, terms->natom, error));
    cardo_terms_masses(terms, masses);
    CARDO_TRY(take_apart(&p, masses, positions, parts, error));
    if (parts->own->has_gb)
        parts->own->kappa = terms->kappa;
done:
    cardo_free(masses);
    if (p)
        p->base.destroy(&p->base);
    if (status != CARDO_OK)
        cardo_openmm_parts_clear(parts);
    return status;
}

cardo_status cardo_openmm_parts_from_system(const char *path, int natom, const double *positions,
                                            const cardo_openmm_options *options,
                                            cardo_openmm_parts *parts, cardo_error *error)
{
    cardo_status status;
    cardo_openmm_provider *p = NULL;
    double *masses = NULL;
    *parts = (cardo_openmm_parts){.reaction_field = 1.0};
    CARDO_TRY(CARDO_ALLOCATE(&masses, natom, error));
    CARDO_TRY(cardo_openmm_provider_new(natom, options, &p, error));
    CARDO_TRY(cardo_openmm_provider_adopt(p, path, masses, error));
    CARDO_TRY(take_apart(&p, masses, positions, parts, error));
done:
    cardo_free(masses);
    if (p)
        p->base.destroy(&p->base);
    if (status != CARDO_OK)
        cardo_openmm_parts_clear(parts);
    return status;
}

void cardo_openmm_parts_clear(cardo_openmm_parts *parts)
{
    cardo_terms_destroy(parts->own);
    cardo_force_provider_destroy(parts->rest);
    *parts = (cardo_openmm_parts){0};
}
