#include "study/session/soft_start.h"

#include "base/memory.h"
#include "forces/relax/soft_core.h"
#include "study/session/forces.h"

/* Apart first, while a chain that is torn between two bodies hardly pulls; then together again, with
 * what by now is too hard to pass through. */
static const struct {
    double softness, bonded;
} stages[] = {{0.5, 0.001}, {0.1, 0.001}, {0.02, 0.001}, {0.02, 0.03}, {0.02, 1}};
enum { STAGES = sizeof stages / sizeof *stages, MOST_ITERATIONS = 500 };
/* Soft stages lead to where the next one begins; no one wants their minima. */
static const double soft_tolerance = 20;

cardo_status cardo_soft_start(cardo_session *session, const cardo_minimization_options *options,
                              const cardo_minimization_observer *observer, cardo_soft_stage stage,
                              bool *interrupted, cardo_error *error)
{
    cardo_status status;
    cardo_force_provider *bonded = NULL, *soft = NULL;
    cardo_evaluator *evaluator = NULL;
    cardo_minimization_options soft_options = *options;
    if (soft_options.iterations > MOST_ITERATIONS)
        soft_options.iterations = MOST_ITERATIONS;
    if (soft_options.tolerance < soft_tolerance)
        soft_options.tolerance = soft_tolerance;
    *interrupted = false;
    CARDO_TRY(cardo_session_bonded_provider(session, &bonded, error));
    CARDO_TRY(cardo_soft_core_create(session->terms, session->model->atom_body, bonded,
                                     stages[0].softness, &soft, error));
    CARDO_TRY(cardo_evaluator_create(session->system, soft, &evaluator, error));
    for (int k = 0; k < STAGES && !*interrupted; ++k) {
        cardo_minimization_result result;
        cardo_soft_core_set(soft, stages[k].softness, stages[k].bonded);
        if (stage)
            stage(observer->user, k + 1, stages[k].softness, stages[k].bonded, NULL);
        CARDO_TRY(cardo_minimization_run(session->system, session->state, evaluator, &soft_options,
                                         observer, &result, error));
        if (stage)
            stage(observer->user, k + 1, stages[k].softness, stages[k].bonded, &result);
        *interrupted = result.interrupted;
    }
done:
    cardo_evaluator_destroy(evaluator);
    cardo_force_provider_destroy(soft);
    cardo_force_provider_destroy(bonded);
    return status;
}
