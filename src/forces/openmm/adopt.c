#include "base/memory.h"
#include "base/text.h"
#include "base/xml.h"
#include "forces/openmm/force_classes.h"
#include "forces/openmm/guard.h"
#include "forces/openmm/internal.h"
#include "forces/openmm/system_xml.h"

#include <limits.h>
#include <string.h>

typedef struct system_job {
    cardo_openmm_provider *provider;
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
static cardo_status adopt_force(cardo_openmm_provider *p, OpenMM_Force *force, bool has_gb,
                                cardo_error *error)
{
    char class[CARDO_OPENMM_NAME_SIZE];
    cardo_openmm_force_class(force, class, sizeof class);
    if (cardo_force_is_energyless(class))
        return CARDO_OK;
    if (!cardo_force_is_invariant(class))
        p->base.traits &= ~(unsigned)CARDO_FORCE_INVARIANT;
    int t = cardo_openmm_term_named(p, OpenMM_Force_getName(force), cardo_force_cost(class));
    OpenMM_Force_setForceGroup(force, t);
    p->terms[t].evaluated = true;
    bool free_of_cutoff = is_without_cutoff(force, class);
    if (!free_of_cutoff && !cardo_force_is_listless(class))
        p->has_pair_list = true;
    if (!free_of_cutoff)
        return CARDO_OK;
    if (strcmp(class, "NonbondedForce") == 0) {
        cardo_openmm_apply_method(p, (OpenMM_NonbondedForce *)force, t, has_gb);
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
    cardo_openmm_provider *p = job->provider;
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
        char class[CARDO_OPENMM_NAME_SIZE];
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
    status = cardo_system_xml_check(*text, error);
    if (status != CARDO_OK)
        return cardo_error_prefix(error, "%s: ", path);
    return cardo_xml_check(*text, (int)length, path, error);
}

cardo_status cardo_openmm_provider_adopt(cardo_openmm_provider *p, const char *path, double *masses,
                                         cardo_error *error)
{
    char *text = NULL;
    system_job job = {.provider = p, .masses = masses};
    cardo_status status = read_text(path, &text, error);
    if (status == CARDO_OK) {
        job.text = text;
        status = cardo_openmm_guard_alone(deserialize, &job, error);
        cardo_free(text);
        text = NULL;
        if (status == CARDO_OK)
            status = cardo_openmm_guard_alone(adopt_system, &job, error);
        if (status != CARDO_OK)
            cardo_error_prefix(error, "%s: ", path);
    }
    cardo_free(text);
    return status;
}
