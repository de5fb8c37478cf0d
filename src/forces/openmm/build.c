#include "base/memory.h"
#include "forces/openmm/bonded.h"
#include "forces/openmm/gb_expressions.h"
#include "forces/openmm/guard.h"
#include "forces/openmm/internal.h"
#include "forces/terms/check.h"
#include "forces/terms/extent.h"

#include <stdio.h>
#include <string.h>

typedef struct terms_job {
    cardo_openmm_provider *provider;
    cardo_openmm_engine inside; /* a System of the bonded terms inside bodies alone */
    const cardo_terms *terms;
    const int *body;
    const double *positions;
    bool whole; /* only what terms cannot give back is left out inside bodies */
} terms_job;

int cardo_openmm_term_named(cardo_openmm_provider *p, const char *name, int cost)
{
    char word[CARDO_OPENMM_NAME_SIZE];
    snprintf(word, sizeof word, "%s", name[0] ? name : "unnamed");
    for (char *c = word; *c; c++)
        if ((unsigned char)*c <= ' ' || strchr(",;\"'\\", *c))
            *c = '_';
    int n = p->base.nterm;
    for (int t = 0; t < n; t++)
        if (strcmp(p->terms[t].name, word) == 0)
            return t;
    if (n == CARDO_OPENMM_TERMS) {
        snprintf(p->terms[n - 1].name, CARDO_OPENMM_NAME_SIZE, "other");
        return n - 1;
    }
    memcpy(p->terms[n].name, word, sizeof word);
    p->terms[n].cost = cost;
    p->term_names[n] = p->terms[n].name;
    p->base.nterm++;
    return n;
}

static void add_particles(cardo_openmm_engine *e, const cardo_terms *terms)
{
    e->system = OpenMM_System_create();
    for (int i = 0; i < terms->natom; i++)
        OpenMM_System_addParticle(e->system, cardo_terms_mass(terms, i));
    e->positions = OpenMM_Vec3Array_create(terms->natom);
}

static void add_nonbonded(cardo_openmm_provider *p, const cardo_terms *terms)
{
    int t = cardo_openmm_term_named(p, "nonbonded", 2);
    OpenMM_NonbondedForce *force = OpenMM_NonbondedForce_create();
    cardo_openmm_add_force(p->engine.system, (OpenMM_Force *)force, t);
    p->terms[t].evaluated = true;
    for (int i = 0; i < terms->natom; i++)
        OpenMM_NonbondedForce_addParticle(force, cardo_terms_charge(terms, i),
                                          cardo_terms_sigma(terms, i),
                                          cardo_terms_epsilon(terms, i));
    for (int i = 0; i < terms->nexception; i++) {
        const cardo_exception_term x = cardo_terms_exception(terms, i);
        OpenMM_NonbondedForce_addException(force, x.a, x.b, x.charge_product, x.sigma, x.epsilon,
                                           OpenMM_False);
    }
    cardo_openmm_apply_method(p, force, t, terms->has_gb);
}

static void add_native_gb(cardo_openmm_provider *p, const cardo_terms *terms, int t)
{
    OpenMM_GBSAOBCForce *force = OpenMM_GBSAOBCForce_create();
    cardo_openmm_add_force(p->engine.system, (OpenMM_Force *)force, t);
    OpenMM_GBSAOBCForce_setSoluteDielectric(force, terms->solute_dielectric);
    OpenMM_GBSAOBCForce_setSolventDielectric(force, terms->solvent_dielectric);
    OpenMM_GBSAOBCForce_setSurfaceAreaEnergy(force, terms->surface_area_energy);
    for (int i = 0; i < terms->natom; i++)
        OpenMM_GBSAOBCForce_addParticle(force, cardo_terms_charge(terms, i),
                                        cardo_terms_gb_radius(terms, i),
                                        cardo_terms_gb_scale(terms, i));
    if (p->options.method == CARDO_CUTOFF) {
        OpenMM_GBSAOBCForce_setNonbondedMethod(force, OpenMM_GBSAOBCForce_CutoffNonPeriodic);
        OpenMM_GBSAOBCForce_setCutoffDistance(force, p->options.cutoff);
    }
}

/* A table over pairs of kinds of atoms. The first argument of OpenMM's function runs fastest, so
 * rows are the second atom's: that way round OpenMM's own layer has them. */
static OpenMM_TabulatedFunction *pair_table(int n, const double *rows)
{
    OpenMM_DoubleArray *values = OpenMM_DoubleArray_create(n * n);
    for (int k = 0; k < n * n; k++)
        OpenMM_DoubleArray_set(values, k, rows[k]);
    OpenMM_Discrete2DFunction *table = OpenMM_Discrete2DFunction_create(n, n, values);
    OpenMM_DoubleArray_destroy(values);
    return (OpenMM_TabulatedFunction *)table;
}

static void name_gb_parameters(OpenMM_CustomGBForce *force, const cardo_terms *terms)
{
    static const char *const curve[] = {"alpha", "beta", "gamma"};
    OpenMM_CustomGBForce_addPerParticleParameter(force, "q");
    OpenMM_CustomGBForce_addPerParticleParameter(force, "o");
    OpenMM_CustomGBForce_addPerParticleParameter(force, "s");
    for (int k = 0; terms->gb_curve && k < 3; k++)
        OpenMM_CustomGBForce_addPerParticleParameter(force, curve[k]);
    if (!terms->neck_kind)
        return;
    OpenMM_CustomGBForce_addPerParticleParameter(force, "n");
    OpenMM_CustomGBForce_addTabulatedFunction(force, "neckdistance",
                                              pair_table(terms->nneck, terms->neck_distance));
    OpenMM_CustomGBForce_addTabulatedFunction(force, "neckstrength",
                                              pair_table(terms->nneck, terms->neck_strength));
}

static void add_gb_particles(OpenMM_CustomGBForce *force, const cardo_terms *terms)
{
    OpenMM_DoubleArray *values = OpenMM_DoubleArray_create(0);
    for (int i = 0; i < terms->natom; i++) {
        double own = cardo_terms_gb_radius(terms, i) - cardo_gb_model_of(terms)->offset;
        OpenMM_DoubleArray_resize(values, 0);
        OpenMM_DoubleArray_append(values, cardo_terms_charge(terms, i));
        OpenMM_DoubleArray_append(values, own);
        OpenMM_DoubleArray_append(values, own * cardo_terms_gb_scale(terms, i));
        for (int k = 0; terms->gb_curve && k < 3; k++)
            OpenMM_DoubleArray_append(values, terms->gb_curve[3 * i + k]);
        if (terms->neck_kind)
            OpenMM_DoubleArray_append(values, terms->neck_kind[i]);
        OpenMM_CustomGBForce_addParticle(force, values);
    }
    OpenMM_DoubleArray_destroy(values);
}

/* Models that OpenMM has no compiled force for, or none with salt. */
static void add_custom_gb(cardo_openmm_provider *p, const cardo_terms *terms, int t)
{
    OpenMM_CustomGBForce *force = OpenMM_CustomGBForce_create();
    cardo_gb_expressions e;
    bool cut = p->options.method == CARDO_CUTOFF;
    cardo_openmm_add_force(p->engine.system, (OpenMM_Force *)force, t);
    cardo_gb_expressions_write(terms, cut ? p->options.cutoff : 0.0, &e);
    name_gb_parameters(force, terms);
    OpenMM_CustomGBForce_addComputedValue(force, "I", e.integral,
                                          OpenMM_CustomGBForce_ParticlePairNoExclusions);
    OpenMM_CustomGBForce_addComputedValue(force, "B", e.born, OpenMM_CustomGBForce_SingleParticle);
    OpenMM_CustomGBForce_addEnergyTerm(force, e.self, OpenMM_CustomGBForce_SingleParticle);
    OpenMM_CustomGBForce_addEnergyTerm(force, e.surface, OpenMM_CustomGBForce_SingleParticle);
    OpenMM_CustomGBForce_addEnergyTerm(force, e.pairs,
                                       OpenMM_CustomGBForce_ParticlePairNoExclusions);
    add_gb_particles(force, terms);
    if (cut) {
        OpenMM_CustomGBForce_setNonbondedMethod(force, OpenMM_CustomGBForce_CutoffNonPeriodic);
        OpenMM_CustomGBForce_setCutoffDistance(force, p->options.cutoff);
    }
}

/* A System that is taken apart has the compiled force, which is read back; salt is added to what was read. */
static void add_gb(cardo_openmm_provider *p, const cardo_terms *terms, bool whole)
{
    int t = cardo_openmm_term_named(p, "gb", 4);
    p->terms[t].evaluated = true;
    if (cardo_gb_model_of(terms)->is_native && (terms->kappa == 0 || whole))
        add_native_gb(p, terms, t);
    else
        add_custom_gb(p, terms, t);
}

/* Harmonic impropers are a custom Force, which is not read back. */
static const int *body_for(const terms_job *job, int kind)
{
    return job->whole && strcmp(cardo_openmm_bonded_kinds[kind].name, "improper") != 0 ? NULL
                                                                                       : job->body;
}

cardo_status cardo_openmm_can_hold(const cardo_terms *terms, const cardo_openmm_options *options,
                                   cardo_error *error)
{
    if (terms->nspecial_pair > 0 && options->method == CARDO_CUTOFF)
        return CARDO_FAIL(error, CARDO_ERROR_UNSUPPORTED,
                          "%d pairs of atoms have Lennard-Jones rules of their own (NBFIX), which "
                          "a cutoff would not apply to: use method all-pairs",
                          terms->nspecial_pair);
    return CARDO_OK;
}

static cardo_status build_system(void *arg, cardo_error *error)
{
    terms_job *job = arg;
    cardo_openmm_provider *p = job->provider;
    const cardo_terms *terms = job->terms;
    const cardo_status status = cardo_openmm_can_hold(terms, &p->options, error);
    if (status != CARDO_OK)
        return status;
    add_particles(&p->engine, terms);
    for (int k = 0; k < CARDO_OPENMM_BONDED_KINDS; k++) {
        if (cardo_openmm_bonded_count(terms, k) == 0)
            continue;
        int t = cardo_openmm_term_named(p, cardo_openmm_bonded_kinds[k].name, 1);
        p->terms[t].evaluated =
            cardo_openmm_bonded_kinds[k].add(p->engine.system, t, terms, body_for(job, k), false);
    }
    if (terms->has_nonbonded)
        add_nonbonded(p, terms);
    if (terms->has_gb)
        add_gb(p, terms, job->whole);
    return CARDO_OK;
}

/* Energies of the terms inside bodies, from OpenMM's Reference platform rather than formulas of our
 * own: then they follow OpenMM's conventions by construction and what is left out and added back
 * cannot differ. */
static cardo_status evaluate_inside(void *arg, cardo_error *error)
{
    (void)error;
    terms_job *job = arg;
    cardo_openmm_provider *p = job->provider;
    cardo_openmm_engine *e = &job->inside;
    add_particles(e, job->terms);
    bool any = false;
    for (int k = 0; k < CARDO_OPENMM_BONDED_KINDS; k++)
        any |= body_for(job, k) &&
               cardo_openmm_bonded_kinds[k].add(e->system, k, job->terms, job->body, true);
    if (!any)
        return CARDO_OK;
    e->integrator = (OpenMM_Integrator *)OpenMM_VerletIntegrator_create(0.001);
    e->context = cardo_openmm_context_create(
        e->system, e->integrator, OpenMM_Platform_getPlatformByName("Reference"), 0, NULL, NULL);
    memcpy(cardo_openmm_vec3_data(e->positions), job->positions,
           3 * sizeof(double) * (size_t)p->natom);
    OpenMM_Context_setPositions(e->context, e->positions);
    for (int k = 0; k < CARDO_OPENMM_BONDED_KINDS; k++)
        if (cardo_openmm_bonded_count(job->terms, k) > 0)
            p->terms[cardo_openmm_term_named(p, cardo_openmm_bonded_kinds[k].name, 1)].constant =
                cardo_openmm_engine_energy(e, 1u << k);
    return CARDO_OK;
}

cardo_status cardo_openmm_provider_begin(const cardo_terms *terms, const int *body_of_atom,
                                         const double *positions, bool whole,
                                         const cardo_openmm_options *options,
                                         cardo_openmm_provider **out, cardo_error *error)
{
    cardo_status status;
    cardo_openmm_provider *p = NULL;
    double extent = 0.0;
    terms_job job = {.terms = terms, .body = body_of_atom, .positions = positions, .whole = whole};
    *out = NULL;
    CARDO_TRY(cardo_openmm_provider_new(terms->natom, options, &p, error));
    CARDO_TRY(cardo_terms_check(terms, error));
    CARDO_TRY(cardo_measure_extent(positions, terms->natom, &extent, error));
    CARDO_TRY(CARDO_ALLOCATE(&p->pairs, 1, error));
    job.provider = p;
    CARDO_TRY(cardo_openmm_guard_alone(build_system, &job, error));
    if (body_of_atom)
        CARDO_TRY(cardo_openmm_guard_alone(evaluate_inside, &job, error));
    p->all_pairs_cutoff = 4.0 * extent;
    *out = p;
    p = NULL;
done:
    cardo_openmm_engine_destroy(&job.inside);
    if (p)
        p->base.destroy(&p->base);
    return status;
}
