#include "base/number.h"
#include "dynamics/coordinates/constrained.h"
#include "dynamics/drive.h"
#include "dynamics/minimization.h"
#include "dynamics/motion_way.h"
#include "multibody/tree/motion.h"

/* keep: steps, evaluations, and steps whose minimum was not reached. */
enum { STEPS, EVALUATIONS, UNREACHED, KEEP };

static int quasi_static_keep_count(int nq, int nu)
{
    (void)nq;
    (void)nu;
    return KEEP;
}

static cardo_status settle(cardo_integration *run, cardo_error *error)
{
    cardo_minimization_result result;
    cardo_status status = cardo_minimization_run(run->system, run->state, run->evaluator,
                                                 run->options, NULL, &result, error);
    if (status != CARDO_OK)
        return status;
    run->keep[STEPS] += 1;
    run->keep[EVALUATIONS] += (double)result.last.evaluations;
    run->keep[UNREACHED] += !result.converged;
    return cardo_realize(run->system, run->state, CARDO_STAGE_ACCELERATION, error);
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
    .start = settle,
    .step = quasi_static_step,
    .report = quasi_static_report,
};
