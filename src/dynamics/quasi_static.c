#include "base/memory.h"
#include "base/number.h"
#include "dynamics/coordinates/constrained.h"
#include "dynamics/drive.h"
#include "dynamics/minimization.h"
#include "dynamics/motion_way.h"
#include "multibody/tree/motion.h"

#include <string.h>

/* keep: steps, evaluations, steps whose minimum was not reached; whether the curvature is known, and it (nu x nu). */
enum { STEPS, EVALUATIONS, UNREACHED, KNOWN, CURVATURE };

static int quasi_static_keep_count(int nq, int nu)
{
    (void)nq;
    return CURVATURE + (nu <= CARDO_CURVATURE_MOST ? nu * nu : 0);
}

static cardo_status quasi_static_open(cardo_integration *run, cardo_error *error)
{
    if (run->nu > CARDO_CURVATURE_MOST)
        return CARDO_OK;
    cardo_curvature *curvature;
    const cardo_status status = CARDO_ALLOCATE(&curvature, 1, error);
    if (status != CARDO_OK)
        return status;
    run->engine = curvature;
    return cardo_curvature_open(curvature, run->nu, error);
}

static void quasi_static_close(cardo_integration *run)
{
    if (run->engine)
        cardo_curvature_clear(run->engine);
    cardo_free(run->engine);
    run->engine = NULL;
}

static cardo_status quasi_static_forget(cardo_integration *run, cardo_error *error)
{
    (void)error;
    run->keep[KNOWN] = 0;
    return CARDO_OK;
}

static cardo_status settle_by(cardo_integration *run, cardo_curvature *curvature,
                              cardo_error *error)
{
    cardo_minimization_options options = *(const cardo_minimization_options *)run->options;
    cardo_minimization_result result;
    options.curvature = curvature;
    const cardo_status status = cardo_minimization_run(run->system, run->state, run->evaluator,
                                                       &options, NULL, &result, error);
    if (status != CARDO_OK)
        return status;
    run->keep[STEPS] += 1;
    run->keep[EVALUATIONS] += (double)result.last.evaluations;
    run->keep[UNREACHED] += !result.converged;
    return cardo_realize(run->system, run->state, CARDO_STAGE_ACCELERATION, error);
}

/* The first minimum is far from where the run begins, so that nothing learned there holds on the way. */
static cardo_status quasi_static_start(cardo_integration *run, cardo_error *error)
{
    return settle_by(run, NULL, error);
}

static cardo_status settle(cardo_integration *run, cardo_error *error)
{
    cardo_curvature *curvature = run->engine;
    if (!curvature)
        return settle_by(run, NULL, error);
    const size_t size = (size_t)run->nu * (size_t)run->nu * sizeof *curvature->by_y;
    curvature->known = run->keep[KNOWN] > 0;
    memcpy(curvature->by_y, run->keep + CURVATURE, size);
    const cardo_status status = settle_by(run, curvature, error);
    run->keep[KNOWN] = curvature->known;
    memcpy(run->keep + CURVATURE, curvature->by_y, size);
    return status;
}

static cardo_status quasi_static_step(cardo_integration *run, cardo_error *error)
{
    const double next = cardo_state_time(run->state) + run->timestep;
    cardo_status status = CARDO_OK;
    /* Where the manifold ends another part of it may go on: assembly would leap to it. */
    if (cardo_constraint_row_count(run->system) > 0)
        status = cardo_follow_motions(run->system, run->state, next, error);
    else
        cardo_state_set_time(run->state, next);
    return status == CARDO_OK ? settle(run, error) : status;
}

static void quasi_static_report(const cardo_integration *run, char *text, size_t size)
{
    const double *keep = run->keep;
    int used = cardo_format(text, size, "%.3g evaluations per minimum",
                            keep[STEPS] > 0 ? keep[EVALUATIONS] / keep[STEPS] : 0);
    if (keep[UNREACHED] > 0 && used >= 0 && (size_t)used < size)
        cardo_format(text + used, size - (size_t)used, "; %.0f of %.0f were not reached",
                     keep[UNREACHED], keep[STEPS]);
}

const cardo_integrator cardo_integrator_quasi_static = {
    .name = "quasi-static",
    .doc = "no dynamics: at every step the energy is at a minimum in all coordinates that are not "
           "driven",
    .citation = "Nocedal 1980",
    .traits = CARDO_INTEGRATOR_STATIC,
    .evaluations = 1,
    .fields = cardo_minimization_fields,
    .options_size = sizeof(cardo_minimization_options),
    .keep_count = quasi_static_keep_count,
    .open = quasi_static_open,
    .close = quasi_static_close,
    .start = quasi_static_start,
    .forget = quasi_static_forget,
    .step = quasi_static_step,
    .report = quasi_static_report,
};
