#include "base/letters.h"
#include "base/number.h"
#include "forces/openmm/guard.h"
#include "forces/openmm/internal.h"
#include "forces/openmm/platform_properties.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

typedef struct open_job {
    cardo_openmm_provider *provider;
    const char *platform;
    const cardo_platform_properties *given;
    bool automatic;
} open_job;

/* In capitals or small letters. */
static bool mentions(const char *text, const char *word)
{
    for (; *text; ++text)
        if (cardo_same_start(text, word, strlen(word)))
            return true;
    return false;
}

/* OpenCL that runs on the processor (pocl and its like) claims a higher speed than the CPU
 * platform, is slower, and noisier by two orders of magnitude. */
static bool is_opencl_on_cpu(const cardo_openmm_engine *e)
{
    const char *device = cardo_openmm_platform_value(e, "DeviceName");
    return mentions(device, "cpu") || mentions(device, "pthread") || mentions(device, "xeon");
}

static cardo_status platform_missing(const open_job *job, cardo_error *error)
{
    char installed[256];
    if (job->automatic)
        return CARDO_FAIL(error, CARDO_ERROR_PROVIDER, "not installed");
    cardo_openmm_list_platforms(installed, sizeof installed);
    return CARDO_FAIL(error, CARDO_ERROR_PROVIDER,
                      "OpenMM has no such platform here; it has %s (or take auto)", installed);
}

static cardo_status open_on(void *arg, cardo_error *error)
{
    open_job *job = arg;
    cardo_openmm_provider *p = job->provider;
    cardo_openmm_engine *e = &p->engine;
    OpenMM_Platform *platform = cardo_openmm_find_platform(job->platform);
    if (!platform)
        return platform_missing(job, error);
    bool is_cpu = strcmp(OpenMM_Platform_getName(platform), "CPU") == 0;
    char threads[16];
    cardo_platform_properties given = *job->given;
    if (p->options.threads > 0 && cardo_openmm_platform_has(platform, "Threads") &&
        !cardo_platform_properties_have(&given, "Threads")) {
        snprintf(threads, sizeof threads, "%d", p->options.threads);
        cardo_platform_properties_add(&given, "Threads", threads);
    }
    if (cardo_openmm_platform_has(platform, "DeterministicForces") &&
        !cardo_platform_properties_have(&given, "DeterministicForces"))
        cardo_platform_properties_add(&given, "DeterministicForces", "true");
    cardo_openmm_set_all_pairs(p, is_cpu);
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
        if (cardo_openmm_guard_alone(open_on, job, &attempt) == CARDO_OK)
            return CARDO_OK;
        cardo_openmm_engine_close(&job->provider->engine);
        size_t used = strlen(said);
        snprintf(said + used, sizeof said - used, "\n  %s: %.200s", fastest_first[i],
                 attempt.message);
    }
    return CARDO_FAIL(error, CARDO_ERROR_PROVIDER, "no OpenMM platform works here:%s", said);
}

static cardo_status open_named(open_job *job, cardo_error *error)
{
    job->platform = job->provider->options.platform;
    if (cardo_openmm_guard_alone(open_on, job, error) != CARDO_OK) {
        cardo_openmm_engine_close(&job->provider->engine);
        return cardo_error_prefix(error, "OpenMM platform \"%s\": ", job->platform);
    }
    return CARDO_OK;
}

/* Which promises of the contract this platform keeps. On the CPU platform threads share out blocks
 * of pairs as they get free, so sums of more than one thread differ from call to call whatever
 * DeterministicForces says; and a pair list with a real cutoff orders its sums by where atoms were
 * when it was made. */
static void set_traits(cardo_openmm_provider *p)
{
    const cardo_openmm_engine *e = &p->engine;
    bool is_reference = strcmp(p->platform, "Reference") == 0;
    bool is_cpu = strcmp(p->platform, "CPU") == 0;
    const char *threads = cardo_openmm_platform_value(e, "Threads");
    if (is_reference || (is_cpu && strcmp(threads, "1") == 0 && !p->has_pair_list))
        p->base.traits |= CARDO_FORCE_DETERMINISTIC;
    bool is_double =
        is_reference || strcmp(cardo_openmm_platform_value(e, "Precision"), "double") == 0;
    if (!is_double)
        p->base.traits |= CARDO_FORCE_SINGLE;
    const char *device = cardo_openmm_platform_value(e, "DeviceName");
    char detail[96] = "", pairs[64] = "";
    if (is_cpu)
        snprintf(detail, sizeof detail, ", %s thread%s", threads, strcmp(threads, "1") ? "s" : "");
    else if (device[0])
        snprintf(detail, sizeof detail, " (%.80s)", device);
    if (p->all_pairs_cutoff > 0.0)
        cardo_format(pairs, sizeof pairs, ", all pairs by a cutoff of %g nm", p->all_pairs_cutoff);
    snprintf(p->doc, sizeof p->doc, "OpenMM %s on %s%s, %s precision%s",
             OpenMM_Platform_getOpenMMVersion(), p->platform, detail,
             is_double ? "double" : "single", pairs);
}

unsigned cardo_openmm_groups(const cardo_openmm_provider *p, unsigned groups)
{
    unsigned mask = 0;
    for (int t = 0; t < p->base.nterm; t++)
        if (p->terms[t].evaluated &&
            (groups & (p->terms[t].cost > 1 ? CARDO_OPENMM_SLOW : CARDO_OPENMM_FAST)))
            mask |= 1u << t;
    return mask;
}

static cardo_status finish_opening(void *arg, cardo_error *error)
{
    (void)error;
    cardo_openmm_provider *p = arg;
    p->base.ngroup =
        cardo_openmm_groups(p, CARDO_OPENMM_SLOW) && cardo_openmm_groups(p, CARDO_OPENMM_FAST) ? 2
                                                                                               : 1;
    p->base.position_buffer = cardo_openmm_vec3_data(p->engine.positions);
    set_traits(p);
    return CARDO_OK;
}

cardo_status cardo_openmm_provider_open(cardo_openmm_provider *p, cardo_error *error)
{
    cardo_platform_properties given;
    open_job job = {.provider = p, .given = &given};
    cardo_status status = cardo_platform_properties_parse(&given, p->options.properties, error);
    if (status != CARDO_OK)
        return status;
    if (cardo_same_letters(p->options.platform, "auto") || p->options.platform[0] == '\0')
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
    return cardo_openmm_guard_alone(finish_opening, p, error);
}

cardo_status cardo_openmm_make_pair_list(void *arg, cardo_error *error)
{
    (void)error;
    cardo_openmm_provider *p = arg;
    OpenMM_Context_setPositions(p->engine.context, p->engine.positions);
    cardo_openmm_engine_energy(&p->engine, 0);
    return CARDO_OK;
}

cardo_status cardo_openmm_provider_open_at(cardo_openmm_provider *p, const double *positions,
                                           cardo_error *error)
{
    cardo_status status = cardo_openmm_provider_open(p, error);
    if (status != CARDO_OK)
        return status;
    memcpy(p->base.position_buffer, positions, 3 * sizeof(double) * (size_t)p->natom);
    return cardo_openmm_guard(cardo_openmm_make_pair_list, p, error);
}
