#include "study/domains/held_steps.h"

#include "base/memory.h"

#include <assert.h>
#include <math.h>

enum { BEFORE_TOGETHER = 2 };

/* The cheapest of those that were not tried; -1: none. */
static int take_cheapest(int nresidue, const double *share, bool *tried)
{
    int residue = -1;
    double least = HUGE_VAL;
    for (int r = 0; r < nresidue; ++r)
        if (!tried[r] && share[r] < least) {
            least = share[r];
            residue = r;
        }
    if (residue >= 0)
        tried[residue] = true;
    return residue;
}

/* One that is not tried of those of which the stiffness says nothing; -1: none. */
static int take_unweighed(int nresidue, const double *share, const bool *unweighed, bool *tried)
{
    for (int r = 0; r < nresidue; ++r)
        if (!tried[r] && unweighed[r] && !isfinite(share[r])) {
            tried[r] = true;
            return r;
        }
    return -1;
}

void cardo_held_group_take(int nresidue, const double *share, const bool *unweighed, double now,
                           int most, bool *tried, cardo_held_group *group)
{
    double sum = now;
    group->n = 0;
    while (group->n < most) {
        int residue = take_cheapest(nresidue, share, tried);
        if (residue < 0 && group->n == 0 && unweighed)
            residue = take_unweighed(nresidue, share, unweighed, tried);
        if (residue < 0)
            return;
        sum += share[residue] - now;
        if (group->n > 0 && sum > 1) {
            tried[residue] = false;
            return;
        }
        group->residue[group->n++] = residue;
    }
}

int cardo_held_group_next(const cardo_held_group *group, bool held, int *in_turn)
{
    *in_turn = held ? *in_turn + 1 : 0;
    if (!held || *in_turn < BEFORE_TOGETHER)
        return 1;
    return 2 * group->n < CARDO_HELD_TOGETHER ? 2 * group->n : CARDO_HELD_TOGETHER;
}

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
