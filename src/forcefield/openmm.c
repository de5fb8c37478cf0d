#include "forcefield/openmm.h"
#include "forcefield/openmm_door.h"

#include "base/memory.h"
#include "base/text.h"
#include "base/units.h"
#include "base/xml.h"
#include "forcefield/extent.h"
#include "forcefield/force_classes.h"
#include "forcefield/gb_expressions.h"
#include "forcefield/openmm_bonded.h"
#include "forcefield/openmm_guard.h"
#include "forcefield/openmm_terms.h"
#include "forcefield/platform_properties.h"
#include "forcefield/system_xml.h"
#include "forcefield/terms_check.h"

#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { MAX_TERMS = 32, NAME_SIZE = 64 };

/* A cutoff that stands for all pairs is never smaller, and always larger than the molecule. nm */
static const double smallest_all_pairs_cutoff = 50.0;
/* Atoms farther apart than this are an explosion: single precision resolves 1e-4 nm there, and pair
 * lists made of cells would fill the memory. nm */
static const double largest_extent = 1000.0;

/* What one OpenMM computation needs, in the order in which it is made. */
typedef struct engine {
    OpenMM_System *system;
    OpenMM_Vec3Array *positions;
    OpenMM_Integrator *integrator;
    OpenMM_Context *context;
    OpenMM_State *state; /* of the last evaluation: owns the forces that were lent out */
} engine;

/* A NonbondedForce over all pairs, which the CPU platform does faster by a large cutoff. */
typedef struct pair_force {
    OpenMM_NonbondedForce *force; /* belongs to the System                               */
    int term;
    double charge_pairs; /* sum of q_i q_j over the pairs that are no exceptions, e^2    */
} pair_force;

typedef struct term {
    char name[NAME_SIZE];
    bool evaluated;  /* has a Force in the System, in the force group of the term's index */
    int cost;        /* rank: the dearest term is found by subtraction                   */
    double constant; /* bonded terms inside bodies, kJ/mol                               */
} term;

typedef struct openmm_provider {
    cardo_force_provider base; /* first: the two are cast into each other */
    cardo_openmm_options options;
    engine engine;
    int natom, npair;
    pair_force *pairs;
    double all_pairs_cutoff; /* nm; 0: NoCutoff                                          */
    bool has_pair_list;      /* results depend on where a pair list was last made        */
    term terms[MAX_TERMS];
    const char *term_names[MAX_TERMS];
    int remainder; /* the dearest term                                                   */
    char platform[NAME_SIZE];
    char doc[256];
} openmm_provider;

cardo_openmm_options cardo_openmm_options_default(void)
{
    cardo_openmm_options options = {.platform = "auto", .method = CARDO_ALL_PAIRS};
    return options;
}

/* The array is a vector of structs of three doubles: contiguous, ours to write. */
static double *vec3_data(OpenMM_Vec3Array *array)
{
    return (double *)(uintptr_t)OpenMM_Vec3Array_get(array, 0);
}

static void engine_destroy(engine *e)
{
    if (e->state)
        OpenMM_State_destroy(e->state);
    if (e->context)
        OpenMM_Context_destroy(e->context);
    if (e->integrator)
        OpenMM_Integrator_destroy(e->integrator);
    if (e->positions)
        OpenMM_Vec3Array_destroy(e->positions);
    if (e->system)
        OpenMM_System_destroy(e->system);
    memset(e, 0, sizeof *e);
}

static void engine_close(engine *e)
{
    if (e->context)
        OpenMM_Context_destroy(e->context);
    if (e->integrator)
        OpenMM_Integrator_destroy(e->integrator);
    e->context = NULL;
    e->integrator = NULL;
}

/* Potential energy of the force groups in the mask; the result of an evaluation of its own. */
static double engine_energy(engine *e, unsigned groups)
{
    OpenMM_State *state =
        OpenMM_Context_getState_2(e->context, OpenMM_State_Energy, 0, (int)groups);
    double energy = OpenMM_State_getPotentialEnergy(state);
    OpenMM_State_destroy(state);
    return energy;
}

/* ------------ platforms ------------ */

static cardo_status load_plugins(void *arg, cardo_error *error)
{
    (void)arg;
    (void)error;
    OpenMM_StringArray *loaded =
        OpenMM_Platform_loadPluginsFromDirectory(OpenMM_Platform_getDefaultPluginsDirectory());
    OpenMM_StringArray_destroy(loaded);
    return CARDO_OK;
}

/* A plugin folder that cannot be read leaves the Reference platform, and then a platform that is
 * asked for and missing is the error that matters. */
static void load_plugins_once(void)
{
    cardo_openmm_guard(load_plugins, NULL, NULL);
}

static void need_plugins(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load_plugins_once);
}

/* "Reference, CPU, OpenCL"; cut to size. */
static void list_platforms(char *text, size_t size)
{
    text[0] = '\0';
    for (int i = 0; i < OpenMM_Platform_getNumPlatforms(); i++) {
        size_t used = strlen(text);
        snprintf(text + used, size - used, "%s%s", i ? ", " : "",
                 OpenMM_Platform_getName(OpenMM_Platform_getPlatform(i)));
    }
}

static OpenMM_Platform *find_platform(const char *name)
{
    for (int i = 0; i < OpenMM_Platform_getNumPlatforms(); i++) {
        OpenMM_Platform *platform = OpenMM_Platform_getPlatform(i);
        if (strcasecmp(OpenMM_Platform_getName(platform), name) == 0)
            return platform;
    }
    return NULL;
}

static bool platform_has(const OpenMM_Platform *platform, const char *property)
{
    const OpenMM_StringArray *names = OpenMM_Platform_getPropertyNames(platform);
    for (int i = 0; i < OpenMM_StringArray_getSize(names); i++)
        if (strcmp(OpenMM_StringArray_get(names, i), property) == 0)
            return true;
    return false;
}

/* The value in an open Context; "" where the platform has no such property. */
static const char *platform_value(const engine *e, const char *property)
{
    OpenMM_Platform *platform = OpenMM_Context_getPlatform(e->context);
    if (!platform_has(platform, property))
        return "";
    return OpenMM_Platform_getPropertyValue(platform, e->context, property);
}

/* ------------ terms ------------ */

/* Index of the term of that name, added when it is new. Names are words for table headers, so what
 * would break a table is replaced; when the force groups are used up the last term takes all that
 * follow. */
static int term_named(openmm_provider *p, const char *name, int cost)
{
    char word[NAME_SIZE];
    snprintf(word, sizeof word, "%s", name[0] ? name : "unnamed");
    for (char *c = word; *c; c++)
        if ((unsigned char)*c <= ' ' || strchr(",;\"'\\", *c))
            *c = '_';
    int n = p->base.nterm;
    for (int t = 0; t < n; t++)
        if (strcmp(p->terms[t].name, word) == 0)
            return t;
    if (n == MAX_TERMS) {
        snprintf(p->terms[n - 1].name, NAME_SIZE, "other");
        return n - 1;
    }
    memcpy(p->terms[n].name, word, sizeof word);
    p->terms[n].cost = cost;
    p->term_names[n] = p->terms[n].name;
    p->base.nterm++;
    return n;
}

static void add_particles(engine *e, const cardo_terms *terms)
{
    e->system = OpenMM_System_create();
    for (int i = 0; i < terms->natom; i++)
        OpenMM_System_addParticle(e->system, terms->mass[i]);
    e->positions = OpenMM_Vec3Array_create(terms->natom);
}

/* Sum of q_i q_j over the pairs that are no exceptions: the energy by which a reaction field of
 * dielectric 1 at cutoff rc lies too low is the Coulomb constant times this, over rc, because every
 * such pair is shifted by q_i q_j/rc and, with every atom inside the cutoff, none is left out. */
static double charge_pairs(const OpenMM_NonbondedForce *force)
{
    double sum = 0.0, squares = 0.0, excepted = 0.0, q, other, sigma, epsilon;
    for (int i = 0; i < OpenMM_NonbondedForce_getNumParticles(force); i++) {
        OpenMM_NonbondedForce_getParticleParameters(force, i, &q, &sigma, &epsilon);
        sum += q;
        squares += q * q;
    }
    for (int i = 0; i < OpenMM_NonbondedForce_getNumExceptions(force); i++) {
        int a, b;
        double product;
        OpenMM_NonbondedForce_getExceptionParameters(force, i, &a, &b, &product, &sigma, &epsilon);
        OpenMM_NonbondedForce_getParticleParameters(force, a, &q, &sigma, &epsilon);
        OpenMM_NonbondedForce_getParticleParameters(force, b, &other, &sigma, &epsilon);
        excepted += q * other;
    }
    return 0.5 * (sum * sum - squares) - excepted;
}

static void use_cutoff(OpenMM_NonbondedForce *force, double cutoff, double dielectric)
{
    OpenMM_NonbondedForce_setNonbondedMethod(force, OpenMM_NonbondedForce_CutoffNonPeriodic);
    OpenMM_NonbondedForce_setCutoffDistance(force, cutoff);
    OpenMM_NonbondedForce_setReactionFieldDielectric(force, dielectric);
    OpenMM_NonbondedForce_setUseSwitchingFunction(force, OpenMM_False);
}

/* Applies the method asked for to a NonbondedForce that is NoCutoff. Charges that a global
 * parameter can change have no constant sum, so such a Force stays as it is. */
static void apply_method(openmm_provider *p, OpenMM_NonbondedForce *force, int t, bool has_gb)
{
    if (p->options.method == CARDO_CUTOFF) {
        double dielectric = p->options.reaction_field;
        if (dielectric == 0.0)
            dielectric = has_gb ? 1.0 : 78.3;
        use_cutoff(force, p->options.cutoff, dielectric);
        p->has_pair_list = true;
    } else if (p->options.method == CARDO_ALL_PAIRS &&
               OpenMM_NonbondedForce_getNumParticleParameterOffsets(force) == 0 &&
               OpenMM_NonbondedForce_getNumExceptionParameterOffsets(force) == 0) {
        p->pairs[p->npair++] = (pair_force){force, t, charge_pairs(force)};
    }
}

static void add_nonbonded(openmm_provider *p, const cardo_terms *terms)
{
    int t = term_named(p, "nonbonded", 2);
    OpenMM_NonbondedForce *force = OpenMM_NonbondedForce_create();
    cardo_openmm_add_force(p->engine.system, (OpenMM_Force *)force, t);
    p->terms[t].evaluated = true;
    for (int i = 0; i < terms->natom; i++)
        OpenMM_NonbondedForce_addParticle(force, terms->charge[i], terms->sigma[i],
                                          terms->epsilon[i]);
    for (int i = 0; i < terms->nexception; i++) {
        const cardo_exception_term *x = &terms->exception[i];
        OpenMM_NonbondedForce_addException(force, x->a, x->b, x->charge_product, x->sigma,
                                           x->epsilon, OpenMM_False);
    }
    apply_method(p, force, t, terms->has_gb);
}

static void add_native_gb(openmm_provider *p, const cardo_terms *terms, int t)
{
    OpenMM_GBSAOBCForce *force = OpenMM_GBSAOBCForce_create();
    cardo_openmm_add_force(p->engine.system, (OpenMM_Force *)force, t);
    OpenMM_GBSAOBCForce_setSoluteDielectric(force, terms->solute_dielectric);
    OpenMM_GBSAOBCForce_setSolventDielectric(force, terms->solvent_dielectric);
    OpenMM_GBSAOBCForce_setSurfaceAreaEnergy(force, terms->surface_area_energy);
    for (int i = 0; i < terms->natom; i++)
        OpenMM_GBSAOBCForce_addParticle(force, terms->charge[i], terms->gb_radius[i],
                                        terms->gb_scale[i]);
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
        double own = terms->gb_radius[i] - terms->gb_model->offset;
        OpenMM_DoubleArray_resize(values, 0);
        OpenMM_DoubleArray_append(values, terms->charge[i]);
        OpenMM_DoubleArray_append(values, own);
        OpenMM_DoubleArray_append(values, own * terms->gb_scale[i]);
        for (int k = 0; terms->gb_curve && k < 3; k++)
            OpenMM_DoubleArray_append(values, terms->gb_curve[3 * i + k]);
        if (terms->neck_kind)
            OpenMM_DoubleArray_append(values, terms->neck_kind[i]);
        OpenMM_CustomGBForce_addParticle(force, values);
    }
    OpenMM_DoubleArray_destroy(values);
}

/* Models that OpenMM has no compiled force for. */
static void add_custom_gb(openmm_provider *p, const cardo_terms *terms, int t)
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

static void add_gb(openmm_provider *p, const cardo_terms *terms)
{
    int t = term_named(p, "gb", 4);
    p->terms[t].evaluated = true;
    if (!terms->gb_model || terms->gb_model->is_native)
        add_native_gb(p, terms, t);
    else
        add_custom_gb(p, terms, t);
}

typedef struct terms_job {
    openmm_provider *provider;
    engine inside; /* a System of the bonded terms inside bodies alone */
    const cardo_terms *terms;
    const int *body;
    const double *positions;
    bool whole; /* only what terms cannot give back is left out inside bodies */
} terms_job;

/* Harmonic impropers are a custom Force, which is not read back. */
static const int *body_for(const terms_job *job, int kind)
{
    return job->whole && strcmp(cardo_openmm_bonded_kinds[kind].name, "improper") != 0 ? NULL
                                                                                       : job->body;
}

static cardo_status build_system(void *arg, cardo_error *error)
{
    terms_job *job = arg;
    openmm_provider *p = job->provider;
    const cardo_terms *terms = job->terms;
    if (terms->nspecial_pair > 0 && p->options.method == CARDO_CUTOFF)
        return CARDO_FAIL(error, CARDO_ERROR_UNSUPPORTED,
                          "%d pairs of atoms have Lennard-Jones rules of their own (NBFIX), which "
                          "a cutoff would not apply to: use method all-pairs",
                          terms->nspecial_pair);
    add_particles(&p->engine, terms);
    for (int k = 0; k < CARDO_OPENMM_BONDED_KINDS; k++) {
        if (cardo_openmm_bonded_count(terms, k) == 0)
            continue;
        int t = term_named(p, cardo_openmm_bonded_kinds[k].name, 1);
        p->terms[t].evaluated =
            cardo_openmm_bonded_kinds[k].add(p->engine.system, t, terms, body_for(job, k), false);
    }
    if (terms->has_nonbonded)
        add_nonbonded(p, terms);
    if (terms->has_gb)
        add_gb(p, terms);
    return CARDO_OK;
}

/* Energies of the terms inside bodies, from OpenMM's Reference platform rather than formulas of our
 * own: then they follow OpenMM's conventions by construction and what is left out and added back
 * cannot differ. */
static cardo_status evaluate_inside(void *arg, cardo_error *error)
{
    (void)error;
    terms_job *job = arg;
    openmm_provider *p = job->provider;
    engine *e = &job->inside;
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
    memcpy(vec3_data(e->positions), job->positions, 3 * sizeof(double) * (size_t)p->natom);
    OpenMM_Context_setPositions(e->context, e->positions);
    for (int k = 0; k < CARDO_OPENMM_BONDED_KINDS; k++)
        if (cardo_openmm_bonded_count(job->terms, k) > 0)
            p->terms[term_named(p, cardo_openmm_bonded_kinds[k].name, 1)].constant =
                engine_energy(e, 1u << k);
    return CARDO_OK;
}

/* ------------ opening a Context ------------ */

typedef struct open_job {
    openmm_provider *provider;
    const char *platform;
    const cardo_platform_properties *given;
    bool automatic;
} open_job;

/* The CPU platform's NoCutoff walks over pairs one by one; its cutoff path is vectorized and, with
 * a cutoff beyond the molecule and dielectric 1, gives the same forces. Other platforms take
 * NoCutoff as it is. */
static void set_all_pairs(openmm_provider *p, bool by_cutoff)
{
    if (p->npair == 0)
        by_cutoff = false;
    if (!by_cutoff)
        p->all_pairs_cutoff = 0.0;
    else if (p->all_pairs_cutoff < smallest_all_pairs_cutoff)
        p->all_pairs_cutoff = smallest_all_pairs_cutoff;
    for (int i = 0; i < p->npair; i++) {
        OpenMM_NonbondedForce *force = p->pairs[i].force;
        if (by_cutoff)
            use_cutoff(force, p->all_pairs_cutoff, 1.0);
        else
            OpenMM_NonbondedForce_setNonbondedMethod(force, OpenMM_NonbondedForce_NoCutoff);
    }
}

/* OpenCL that runs on the processor (pocl and its like) claims a higher speed than the CPU
 * platform, is slower, and noisier by two orders of magnitude. */
static bool is_opencl_on_cpu(const engine *e)
{
    const char *device = platform_value(e, "DeviceName");
    return strcasestr(device, "cpu") || strstr(device, "pthread") || strcasestr(device, "xeon");
}

static cardo_status platform_missing(const open_job *job, cardo_error *error)
{
    char installed[256];
    if (job->automatic)
        return CARDO_FAIL(error, CARDO_ERROR_PROVIDER, "not installed");
    list_platforms(installed, sizeof installed);
    return CARDO_FAIL(error, CARDO_ERROR_PROVIDER,
                      "OpenMM has no such platform here; it has %s (or say auto)", installed);
}

static cardo_status open_on(void *arg, cardo_error *error)
{
    open_job *job = arg;
    openmm_provider *p = job->provider;
    engine *e = &p->engine;
    OpenMM_Platform *platform = find_platform(job->platform);
    if (!platform)
        return platform_missing(job, error);
    bool is_cpu = strcmp(OpenMM_Platform_getName(platform), "CPU") == 0;
    char threads[16];
    cardo_platform_properties given = *job->given;
    if (p->options.threads > 0 && platform_has(platform, "Threads") &&
        !cardo_platform_properties_have(&given, "Threads")) {
        snprintf(threads, sizeof threads, "%d", p->options.threads);
        cardo_platform_properties_add(&given, "Threads", threads);
    }
    if (platform_has(platform, "DeterministicForces") &&
        !cardo_platform_properties_have(&given, "DeterministicForces"))
        cardo_platform_properties_add(&given, "DeterministicForces", "true");
    set_all_pairs(p, is_cpu);
    e->integrator = (OpenMM_Integrator *)OpenMM_VerletIntegrator_create(0.001);
    e->context = cardo_openmm_context_create(e->system, e->integrator, platform, given.n,
                                             given.names, given.values);
    if (job->automatic && is_opencl_on_cpu(e))
        return CARDO_FAIL(error, CARDO_ERROR_PROVIDER, "its device is the processor");
    snprintf(p->platform, sizeof p->platform, "%s", OpenMM_Platform_getName(platform));
    return CARDO_OK;
}

/* Tries platforms from the fastest down; the error holds what each of them said. */
static cardo_status open_fastest(open_job *job, cardo_error *error)
{
    static const char *const fastest_first[] = {"CUDA", "HIP", "OpenCL", "CPU", "Reference"};
    char said[CARDO_ERROR_MESSAGE_SIZE / 2] = "";
    job->automatic = true;
    for (size_t i = 0; i < sizeof fastest_first / sizeof fastest_first[0]; i++) {
        cardo_error attempt;
        job->platform = fastest_first[i];
        if (cardo_openmm_guard(open_on, job, &attempt) == CARDO_OK)
            return CARDO_OK;
        engine_close(&job->provider->engine);
        size_t used = strlen(said);
        snprintf(said + used, sizeof said - used, "\n  %s: %.200s", fastest_first[i],
                 attempt.message);
    }
    return CARDO_FAIL(error, CARDO_ERROR_PROVIDER, "no OpenMM platform works here:%s", said);
}

static cardo_status open_named(open_job *job, cardo_error *error)
{
    job->platform = job->provider->options.platform;
    if (cardo_openmm_guard(open_on, job, error) != CARDO_OK) {
        engine_close(&job->provider->engine);
        return cardo_error_prefix(error, "OpenMM platform \"%s\": ", job->platform);
    }
    return CARDO_OK;
}

/* Which promises of the contract this platform keeps. On the CPU platform threads share out blocks
 * of pairs as they get free, so sums of more than one thread differ from call to call whatever
 * DeterministicForces says; and a pair list with a real cutoff orders its sums by where atoms were
 * when it was made. */
static void set_traits(openmm_provider *p)
{
    const engine *e = &p->engine;
    bool is_reference = strcmp(p->platform, "Reference") == 0;
    bool is_cpu = strcmp(p->platform, "CPU") == 0;
    const char *threads = platform_value(e, "Threads");
    if (is_reference || (is_cpu && strcmp(threads, "1") == 0 && !p->has_pair_list))
        p->base.traits |= CARDO_FORCE_DETERMINISTIC;
    bool is_double = is_reference || strcmp(platform_value(e, "Precision"), "double") == 0;
    if (!is_double)
        p->base.traits |= CARDO_FORCE_SINGLE;
    const char *device = platform_value(e, "DeviceName");
    char detail[96] = "", pairs[64] = "";
    if (is_cpu)
        snprintf(detail, sizeof detail, ", %s thread%s", threads, strcmp(threads, "1") ? "s" : "");
    else if (device[0])
        snprintf(detail, sizeof detail, " (%.80s)", device);
    if (p->all_pairs_cutoff > 0.0)
        snprintf(pairs, sizeof pairs, ", all pairs by a cutoff of %g nm", p->all_pairs_cutoff);
    snprintf(p->doc, sizeof p->doc, "OpenMM %s on %s%s, %s precision%s",
             OpenMM_Platform_getOpenMMVersion(), p->platform, detail,
             is_double ? "double" : "single", pairs);
}

/* Force groups of the contract: what costs little changes fast. */
enum { SLOW = 1 << 0, FAST = 1 << 1 };

/* OpenMM's force groups, a term each, of groups of the contract. */
static unsigned openmm_groups(const openmm_provider *p, unsigned groups)
{
    unsigned mask = 0;
    for (int t = 0; t < p->base.nterm; t++)
        if (p->terms[t].evaluated && (groups & (p->terms[t].cost > 1 ? SLOW : FAST)))
            mask |= 1u << t;
    return mask;
}

static cardo_status finish_opening(void *arg, cardo_error *error)
{
    (void)error;
    openmm_provider *p = arg;
    p->base.ngroup = openmm_groups(p, SLOW) && openmm_groups(p, FAST) ? 2 : 1;
    p->base.position_buffer = vec3_data(p->engine.positions);
    set_traits(p);
    return CARDO_OK;
}

static cardo_status open_context(openmm_provider *p, cardo_error *error)
{
    cardo_platform_properties given;
    open_job job = {.provider = p, .given = &given};
    cardo_status status = cardo_platform_properties_parse(&given, p->options.properties, error);
    if (status != CARDO_OK)
        return status;
    if (strcasecmp(p->options.platform, "auto") == 0 || p->options.platform[0] == '\0')
        status = open_fastest(&job, error);
    else
        status = open_named(&job, error);
    if (status != CARDO_OK)
        return status;
    p->remainder = 0;
    for (int t = 1; t < p->base.nterm; t++)
        if (p->terms[t].evaluated &&
            (!p->terms[p->remainder].evaluated || p->terms[t].cost >= p->terms[p->remainder].cost))
            p->remainder = t;
    return cardo_openmm_guard(finish_opening, p, error);
}

/* ------------ evaluating ------------ */

static cardo_status grow_all_pairs_cutoff(void *arg, cardo_error *error)
{
    (void)error;
    openmm_provider *p = arg;
    for (int i = 0; i < p->npair; i++)
        OpenMM_NonbondedForce_setCutoffDistance(p->pairs[i].force, p->all_pairs_cutoff);
    OpenMM_Context_reinitialize(p->engine.context, OpenMM_False);
    return CARDO_OK;
}

/* Checks positions and keeps the cutoff that stands for all pairs beyond them. */
static cardo_status check_positions(openmm_provider *p, const double *x, cardo_error *error)
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
    if (p->all_pairs_cutoff > 0.0 && extent > p->all_pairs_cutoff) {
        p->all_pairs_cutoff = 4.0 * extent;
        return cardo_openmm_guard(grow_all_pairs_cutoff, p, error);
    }
    return CARDO_OK;
}

typedef struct compute_job {
    openmm_provider *provider;
    cardo_force_evaluation *evaluation;
} compute_job;

/* Energies by term. OpenMM evaluates what a group needs in full even for an energy alone, so the
 * dearest term (the solvent, or else the nonbonded one) is what the others leave of the total. */
static void evaluate_terms(openmm_provider *p, unsigned mask, double total, double *energies)
{
    double rest = total;
    for (int t = 0; t < p->base.nterm; t++) {
        energies[t] = 0.0;
        if (t == p->remainder || !(mask & (1u << t)))
            continue;
        energies[t] = engine_energy(&p->engine, 1u << t);
        rest -= energies[t];
    }
    if (p->base.nterm > 0 && (mask & (1u << p->remainder)))
        energies[p->remainder] = rest;
}

/* What the System leaves out: bonded terms inside bodies, and the shift of the all-pairs cutoff. */
static void add_constants(const openmm_provider *p, cardo_force_evaluation *evaluation)
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
    engine *e = &job->provider->engine;
    if (e->state)
        OpenMM_State_destroy(e->state);
    e->state = NULL;
    OpenMM_Context_setPositions(e->context, e->positions);
    const int wanted = OpenMM_State_Forces | OpenMM_State_Energy;
    const unsigned groups = job->provider->base.ngroup > 1 ? job->evaluation->groups : 0;
    const unsigned mask = openmm_groups(job->provider, groups ? groups : SLOW | FAST);
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

static cardo_status check_result(const openmm_provider *p, const cardo_force_evaluation *evaluation,
                                 cardo_error *error)
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
    openmm_provider *p = (openmm_provider *)self;
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
    if (p->base.ngroup < 2 || evaluation->groups == 0 || (evaluation->groups & SLOW))
        add_constants(p, evaluation);
    return check_result(p, evaluation, error);
}

/* A fresh Context has no pair list; it makes one at its first evaluation, even of no force group at
 * all. */
static cardo_status make_pair_list(void *arg, cardo_error *error)
{
    (void)error;
    openmm_provider *p = arg;
    OpenMM_Context_setPositions(p->engine.context, p->engine.positions);
    engine_energy(&p->engine, 0);
    return CARDO_OK;
}

static cardo_status remake_pair_list(void *arg, cardo_error *error)
{
    openmm_provider *p = arg;
    if (strcmp(p->platform, "CPU") == 0)
        OpenMM_Context_reinitialize(p->engine.context, OpenMM_False);
    return make_pair_list(p, error);
}

cardo_status cardo_openmm_provider_prime(cardo_force_provider *provider, const double *positions,
                                         cardo_error *error)
{
    openmm_provider *p = (openmm_provider *)provider;
    cardo_status status = check_positions(p, positions, error);
    if (status != CARDO_OK)
        return status;
    memmove(p->base.position_buffer, positions, 3 * sizeof(double) * (size_t)p->natom);
    return cardo_openmm_guard(remake_pair_list, p, error);
}

/* ------------ making providers ------------ */

static void destroy(cardo_force_provider *self)
{
    openmm_provider *p = (openmm_provider *)self;
    engine_destroy(&p->engine);
    cardo_free(p->pairs);
    cardo_free(p);
}

static cardo_status provider_new(int natom, const cardo_openmm_options *options,
                                 openmm_provider **out, cardo_error *error)
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
    openmm_provider *p = *out;
    p->natom = natom;
    p->options = *options;
    p->base.name = "openmm";
    p->base.doc = p->doc;
    p->base.term_names = p->term_names;
    /* Forces that are not are found when a System is adopted. */
    p->base.traits = CARDO_FORCE_INVARIANT;
    p->base.compute = compute;
    p->base.destroy = destroy;
    need_plugins();
    return CARDO_OK;
}

/* A provider with its System, but no Context yet. */
static cardo_status begin_from_terms(terms_job *job, const cardo_openmm_options *options,
                                     openmm_provider **out, cardo_error *error)
{
    cardo_status status;
    openmm_provider *p = NULL;
    double extent = 0.0;
    CARDO_TRY(provider_new(job->terms->natom, options, &p, error));
    CARDO_TRY(cardo_terms_check(job->terms, error));
    CARDO_TRY(cardo_measure_extent(job->positions, job->terms->natom, &extent, error));
    CARDO_TRY(CARDO_ALLOCATE(&p->pairs, 1, error));
    job->provider = p;
    CARDO_TRY(cardo_openmm_guard(build_system, job, error));
    if (job->body)
        CARDO_TRY(cardo_openmm_guard(evaluate_inside, job, error));
    p->all_pairs_cutoff = 4.0 * extent;
    *out = p;
    p = NULL;
done:
    if (p)
        destroy(&p->base);
    return status;
}

cardo_status cardo_openmm_provider_create(const cardo_terms *terms, const int *body_of_atom,
                                          const double *positions,
                                          const cardo_openmm_options *options,
                                          cardo_force_provider **out, cardo_error *error)
{
    cardo_status status;
    openmm_provider *p = NULL;
    terms_job job = {.terms = terms, .body = body_of_atom, .positions = positions};
    *out = NULL;
    CARDO_TRY(begin_from_terms(&job, options, &p, error));
    CARDO_TRY(open_context(p, error));
    memcpy(p->base.position_buffer, positions, 3 * sizeof(double) * (size_t)p->natom);
    CARDO_TRY(cardo_openmm_guard(make_pair_list, p, error));
    *out = &p->base;
    p = NULL;
done:
    engine_destroy(&job.inside);
    if (p)
        destroy(&p->base);
    return status;
}

/* ------------ serialized Systems ------------ */

typedef struct system_job {
    openmm_provider *provider;
    const char *text;
    double *masses;
} system_job;

static cardo_status deserialize(void *arg, cardo_error *error)
{
    (void)error;
    system_job *job = arg;
    job->provider->engine.system = OpenMM_XmlSerializer_deserializeSystem(job->text);
    return CARDO_OK;
}

/* Whether a Force of these two classes is NoCutoff, and the same for the two that cannot be
 * changed. */
static bool is_without_cutoff(const OpenMM_Force *force, const char *class)
{
    if (strcmp(class, "NonbondedForce") == 0)
        return OpenMM_NonbondedForce_getNonbondedMethod((const OpenMM_NonbondedForce *)force) ==
               OpenMM_NonbondedForce_NoCutoff;
    if (strcmp(class, "GBSAOBCForce") == 0)
        return OpenMM_GBSAOBCForce_getNonbondedMethod((const OpenMM_GBSAOBCForce *)force) ==
               OpenMM_GBSAOBCForce_NoCutoff;
    if (strcmp(class, "CustomGBForce") == 0)
        return OpenMM_CustomGBForce_getNonbondedMethod((const OpenMM_CustomGBForce *)force) ==
               OpenMM_CustomGBForce_NoCutoff;
    if (strcmp(class, "CustomNonbondedForce") == 0)
        return OpenMM_CustomNonbondedForce_getNonbondedMethod(
                   (const OpenMM_CustomNonbondedForce *)force) ==
               OpenMM_CustomNonbondedForce_NoCutoff;
    return false;
}

/* Gives one Force of the System its term and the method asked for. */
static cardo_status adopt_force(openmm_provider *p, OpenMM_Force *force, bool has_gb,
                                cardo_error *error)
{
    char class[NAME_SIZE];
    cardo_openmm_force_class(force, class, sizeof class);
    if (cardo_force_is_energyless(class))
        return CARDO_OK;
    if (!cardo_force_is_invariant(class))
        p->base.traits &= ~(unsigned)CARDO_FORCE_INVARIANT;
    int t = term_named(p, OpenMM_Force_getName(force), cardo_force_cost(class));
    OpenMM_Force_setForceGroup(force, t);
    p->terms[t].evaluated = true;
    bool free_of_cutoff = is_without_cutoff(force, class);
    if (!free_of_cutoff && !cardo_force_is_listless(class))
        p->has_pair_list = true;
    if (!free_of_cutoff)
        return CARDO_OK;
    if (strcmp(class, "NonbondedForce") == 0) {
        apply_method(p, (OpenMM_NonbondedForce *)force, t, has_gb);
    } else if (p->options.method == CARDO_CUTOFF && strcmp(class, "GBSAOBCForce") == 0) {
        OpenMM_GBSAOBCForce *gb = (OpenMM_GBSAOBCForce *)force;
        OpenMM_GBSAOBCForce_setNonbondedMethod(gb, OpenMM_GBSAOBCForce_CutoffNonPeriodic);
        OpenMM_GBSAOBCForce_setCutoffDistance(gb, p->options.cutoff);
    } else if (p->options.method == CARDO_CUTOFF) {
        return CARDO_FAIL(error, CARDO_ERROR_UNSUPPORTED,
                          "its %s was made for no cutoff, and a cutoff would change its formula: "
                          "make the System with the cutoff, or leave the cutoff out",
                          class);
    }
    return CARDO_OK;
}

static cardo_status adopt_system(void *arg, cardo_error *error)
{
    system_job *job = arg;
    openmm_provider *p = job->provider;
    OpenMM_System *system = p->engine.system;
    int nforce = OpenMM_System_getNumForces(system);
    bool has_gb = false;
    if (OpenMM_System_getNumParticles(system) != p->natom)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "the System has %d particles and the structure %d atoms: they must be "
                          "the same, in the same order",
                          OpenMM_System_getNumParticles(system), p->natom);
    cardo_status status = CARDO_ALLOCATE(&p->pairs, nforce, error);
    if (status != CARDO_OK)
        return status;
    if (OpenMM_System_usesPeriodicBoundaryConditions(system))
        p->base.traits &= ~(unsigned)CARDO_FORCE_INVARIANT;
    for (int i = 0; i < nforce; i++) {
        char class[NAME_SIZE];
        cardo_openmm_force_class(OpenMM_System_getForce(system, i), class, sizeof class);
        has_gb |= strstr(class, "GB") != NULL;
    }
    for (int i = 0; i < nforce; i++) {
        status = adopt_force(p, OpenMM_System_getForce(system, i), has_gb, error);
        if (status != CARDO_OK)
            return status;
    }
    for (int i = 0; job->masses && i < p->natom; i++)
        job->masses[i] = OpenMM_System_getParticleMass(system, i);
    p->engine.positions = OpenMM_Vec3Array_create(p->natom);
    return CARDO_OK;
}

/* Reads a file whose text may be given to OpenMM's parser. */
static cardo_status read_text(const char *path, char **text, cardo_error *error)
{
    size_t length;
    long long outer = cardo_file_limit_begin(path);
    cardo_status status = cardo_read_file(path, INT_MAX, text, &length, error);
    status = cardo_file_limit_end(outer, path, status, error);
    if (status != CARDO_OK)
        return status;
    long long size = (long long)length;
    status = cardo_system_xml_check(*text, cardo_xml_tree_limit(size, cardo_file_size(path, size)),
                                    error);
    if (status != CARDO_OK)
        return cardo_error_prefix(error, "%s: ", path);
    return cardo_xml_check(*text, (int)length, path, error);
}

static cardo_status read_system(openmm_provider *p, const char *path, double *masses,
                                cardo_error *error)
{
    char *text = NULL;
    system_job job = {.provider = p, .masses = masses};
    cardo_status status = read_text(path, &text, error);
    if (status == CARDO_OK) {
        job.text = text;
        status = cardo_openmm_guard(deserialize, &job, error);
        cardo_free(text);
        text = NULL;
        if (status == CARDO_OK)
            status = cardo_openmm_guard(adopt_system, &job, error);
        if (status != CARDO_OK)
            cardo_error_prefix(error, "%s: ", path);
    }
    cardo_free(text);
    return status;
}

cardo_status cardo_openmm_provider_from_system(const char *path, int natom,
                                               const cardo_openmm_options *options, double *masses,
                                               cardo_force_provider **out, cardo_error *error)
{
    cardo_status status;
    openmm_provider *p = NULL;
    *out = NULL;
    CARDO_TRY(provider_new(natom, options, &p, error));
    CARDO_TRY(read_system(p, path, masses, error));
    CARDO_TRY(open_context(p, error));
    *out = &p->base;
    p = NULL;
done:
    if (p)
        destroy(&p->base);
    return status;
}

/* ------------ taking a System apart ------------ */

static cardo_status start_parts(const openmm_provider *p, const double *masses,
                                cardo_openmm_parts *parts, cardo_error *error)
{
    cardo_status status = CARDO_ALLOCATE(&parts->terms, 1, error);
    if (status != CARDO_OK)
        return status;
    parts->terms->natom = p->natom;
    status = CARDO_ALLOCATE(&parts->terms->mass, p->natom, error);
    if (status == CARDO_OK)
        memcpy(parts->terms->mass, masses, sizeof *masses * (size_t)p->natom);
    return status;
}

/* The System no longer has this Force; nor has the list of pair forces. */
static void drop_force(openmm_provider *p, int index)
{
    const OpenMM_Force *force = OpenMM_System_getForce(p->engine.system, index);
    for (int k = p->npair - 1; k >= 0; k--)
        if ((const void *)p->pairs[k].force == (const void *)force)
            p->pairs[k] = p->pairs[--p->npair];
    OpenMM_System_removeForce(p->engine.system, index);
}

typedef struct parts_job {
    openmm_provider *provider;
    cardo_openmm_parts *parts;
    bool solvent; /* GBSAOBCForce or all others, whose charges it needs */
} parts_job;

static cardo_status take_forces(void *arg, cardo_error *error)
{
    parts_job *job = arg;
    openmm_provider *p = job->provider;
    for (int i = OpenMM_System_getNumForces(p->engine.system) - 1; i >= 0; i--) {
        const OpenMM_Force *force = OpenMM_System_getForce(p->engine.system, i);
        char class[NAME_SIZE];
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
    openmm_provider *p = arg;
    OpenMM_System *system = p->engine.system;
    int group[MAX_TERMS] = {0}, n = 0, nforce = OpenMM_System_getNumForces(system);
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
static cardo_status take_apart(openmm_provider **p, const double *masses, const double *positions,
                               cardo_openmm_parts *parts, cardo_error *error)
{
    cardo_status status;
    parts_job job = {.provider = *p, .parts = parts};
    CARDO_TRY(start_parts(*p, masses, parts, error));
    CARDO_TRY(cardo_openmm_guard(take_forces, &job, error));
    job.solvent = true;
    CARDO_TRY(cardo_openmm_guard(take_forces, &job, error));
    CARDO_TRY(cardo_openmm_guard(renumber_terms, *p, error));
    if ((*p)->base.nterm == 0)
        goto done;
    CARDO_TRY(open_context(*p, error));
    memcpy((*p)->base.position_buffer, positions, 3 * sizeof(double) * (size_t)(*p)->natom);
    CARDO_TRY(cardo_openmm_guard(make_pair_list, *p, error));
    parts->rest = &(*p)->base;
    *p = NULL;
done:
    return status;
}

cardo_status cardo_openmm_parts_from_terms(const cardo_terms *terms, const int *body_of_atom,
                                           const double *positions,
                                           const cardo_openmm_options *options,
                                           cardo_openmm_parts *parts, cardo_error *error)
{
    cardo_status status;
    openmm_provider *p = NULL;
    terms_job job = {.terms = terms, .body = body_of_atom, .positions = positions, .whole = true};
    *parts = (cardo_openmm_parts){.reaction_field = 1.0};
    CARDO_TRY(begin_from_terms(&job, options, &p, error));
    CARDO_TRY(take_apart(&p, terms->mass, positions, parts, error));
done:
    engine_destroy(&job.inside);
    if (p)
        destroy(&p->base);
    if (status != CARDO_OK)
        cardo_openmm_parts_clear(parts);
    return status;
}

cardo_status cardo_openmm_parts_from_system(const char *path, int natom, const double *positions,
                                            const cardo_openmm_options *options,
                                            cardo_openmm_parts *parts, cardo_error *error)
{
    cardo_status status;
    openmm_provider *p = NULL;
    double *masses = NULL;
    *parts = (cardo_openmm_parts){.reaction_field = 1.0};
    CARDO_TRY(CARDO_ALLOCATE(&masses, natom, error));
    CARDO_TRY(provider_new(natom, options, &p, error));
    CARDO_TRY(read_system(p, path, masses, error));
    CARDO_TRY(take_apart(&p, masses, positions, parts, error));
done:
    cardo_free(masses);
    if (p)
        destroy(&p->base);
    if (status != CARDO_OK)
        cardo_openmm_parts_clear(parts);
    return status;
}

void cardo_openmm_parts_clear(cardo_openmm_parts *parts)
{
    cardo_terms_destroy(parts->terms);
    cardo_force_provider_destroy(parts->rest);
    *parts = (cardo_openmm_parts){0};
}

/* ------------ telling about it ------------ */

const char *cardo_openmm_provider_platform(const cardo_force_provider *provider)
{
    return ((const openmm_provider *)provider)->platform;
}

static cardo_status describe(void *arg, cardo_error *error)
{
    char text[1024], platforms[256];
    list_platforms(platforms, sizeof platforms);
    snprintf(text, sizeof text, "OpenMM %s, platforms %s, plugins from %s",
             OpenMM_Platform_getOpenMMVersion(), platforms,
             OpenMM_Platform_getDefaultPluginsDirectory());
    return cardo_copy_string(arg, text, error);
}

cardo_status cardo_openmm_describe(char **out, cardo_error *error)
{
    *out = NULL;
    need_plugins();
    return cardo_openmm_guard(describe, out, error);
}
