#include "cli/soft_start.h"

#include "base/memory.h"
#include "multibody/operators.h"

#include <stdio.h>

/* Apart first, while a chain that is torn between two bodies hardly pulls; then together again, with
 * what by now is too hard to pass through. */
static const struct {
    double softness, bonded;
} stages[] = {{0.5, 0.001}, {0.1, 0.001}, {0.02, 0.001}, {0.02, 0.03}, {0.02, 1}};
enum { STAGES = sizeof stages / sizeof *stages, MOST_ITERATIONS = 500 };
/* Soft stages lead to where the next one begins; no one wants their minima. */
static const double soft_tolerance = 20;

cardo_status cardo_setup_clash(const cardo_setup *setup, cardo_clash *worst, cardo_error *error)
{
    double *positions;
    cardo_status status =
        CARDO_ALLOCATE(&positions, 3 * (size_t)cardo_system_nstation(setup->system), error);
    if (status != CARDO_OK)
        return status;
    CARDO_TRY(cardo_realize(setup->system, setup->state, CARDO_STAGE_POSITION, error));
    CARDO_TRY(cardo_station_positions(setup->system, setup->state, positions, error));
    CARDO_TRY(cardo_find_clash(setup->terms, setup->model->atom_body, positions, worst, error));
done:
    cardo_free(positions);
    return status;
}

char *cardo_clash_text(const cardo_setup *setup, const cardo_clash *clash, char text[160])
{
    const cardo_structure *s = setup->model->structure[0].structure;
    char one[40], two[40];
    if (clash->a < 0)
        snprintf(text, 160, "no two bodies are near each other");
    else
        snprintf(text, 160, "%s %s and %s %s at %.2f A (%.3g kJ/mol)",
                 cardo_residue_label(s, s->atom_residue[clash->a], one),
                 s->atom_name[clash->a].text,
                 cardo_residue_label(s, s->atom_residue[clash->b], two),
                 s->atom_name[clash->b].text, 10 * clash->distance, clash->energy);
    return text;
}

cardo_status cardo_soft_start(cardo_setup *setup, const cardo_minimization_options *options,
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
    CARDO_TRY(cardo_setup_bonded_provider(setup, &bonded, error));
    CARDO_TRY(cardo_soft_core_create(setup->terms, setup->model->atom_body, bonded,
                                     stages[0].softness, &soft, error));
    CARDO_TRY(cardo_evaluator_create(setup->system, soft, &evaluator, error));
    for (int k = 0; k < STAGES && !*interrupted; ++k) {
        cardo_minimization_result result;
        cardo_soft_core_set(soft, stages[k].softness, stages[k].bonded);
        if (stage)
            stage(observer->user, k + 1, stages[k].softness, stages[k].bonded, NULL);
        CARDO_TRY(cardo_minimization_run(setup->system, setup->state, evaluator, &soft_options,
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
