#include "study/domains/held_steps.h"

#include "base/memory.h"

#include <assert.h>

static void clear_step(cardo_held_step *step)
{
    cardo_motion_trial_destroy(step->trial);
    cardo_attempt_choice_clear(&step->choice);
}

static void shorten(cardo_held_steps *steps, int n)
{
    while (steps->n > n)
        clear_step(&steps->step[--steps->n]);
}

void cardo_held_steps_clear(cardo_held_steps *steps)
{
    shorten(steps, 0);
    cardo_free(steps->step);
    *steps = (cardo_held_steps){0};
}

cardo_status cardo_held_steps_add(cardo_held_steps *steps, const cardo_domain_attempt *attempt,
                                  int residue, cardo_motion_trial *trial,
                                  cardo_attempt_choice *choice, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    cardo_motion_trial *kept = NULL;
    if (!steps->step)
        CARDO_TRY(CARDO_ALLOCATE(&steps->step, attempt->nresidue, error));
    assert(steps->n < attempt->nresidue);
    CARDO_TRY(CARDO_ALLOCATE(&kept, 1, error));
    cardo_motion_trials_swap(kept, trial);
    steps->step[steps->n++] = (cardo_held_step){residue, kept, *choice};
    *choice = (cardo_attempt_choice){0};
done:
    return status;
}

int cardo_held_steps_standing(cardo_held_steps *steps, const cardo_motion_trial *judged,
                              const cardo_attempt_change *by)
{
    for (int k = 1; k < steps->n; ++k) {
        cardo_motion_trial *trial = steps->step[k].trial;
        cardo_motion_trial_assume(trial, judged);
        if (!cardo_change_helps(by, trial, steps->step[0].trial))
            return k - 1;
    }
    return steps->n - 1;
}

cardo_status cardo_held_steps_go_back(cardo_held_steps *steps, int held,
                                      cardo_domain_attempt *attempt, cardo_motion_trial *trial,
                                      cardo_error *error)
{
    cardo_held_step *step = &steps->step[held];
    assert(held < steps->n);
    cardo_motion_trials_swap(trial, step->trial);
    cardo_attempt_choice_restore(attempt, &step->choice);
    shorten(steps, held);
    return cardo_attempt_write_model(attempt, NULL, NULL, error);
}
