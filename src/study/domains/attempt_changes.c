#include "study/domains/attempt_changes.h"

#include "base/memory.h"
#include "study/domains/attempt_leading.h"
#include "study/reference/reference.h"

#include <math.h>
#include <string.h>

bool cardo_change_is_worth_judging(const cardo_attempt_change *by, const cardo_motion_trial *next,
                                   const cardo_motion_trial *trial)
{
    return !next->interrupted && !next->ended[0] && next->rise <= by->most_rise &&
           cardo_attempt_count_broken(next) <= cardo_attempt_count_broken(trial) &&
           (cardo_motion_trial_is_closed(next) || !cardo_motion_trial_is_closed(trial));
}

bool cardo_change_helps(const cardo_attempt_change *by, const cardo_motion_trial *next,
                        const cardo_motion_trial *trial)
{
    const bool closes = cardo_motion_trial_is_closed(next) && !cardo_motion_trial_is_closed(trial);
    if (!cardo_motion_trial_has_strain(trial))
        return cardo_motion_trial_is_better(next, trial);
    return cardo_motion_trial_has_strain(next) &&
           next->strain < fmax(by->most_strain, closes ? CARDO_REFERENCE_MOST : 0) &&
           next->last - next->first >= trial->last - trial->first;
}

/* Does it lose something around the cycle, or come to other wells than it began in? All atoms would see a way that is not that of the geometry. */
static bool needs_leading(const cardo_motion_trial *next)
{
    return cardo_motion_trial_has_lost(next) || !cardo_motion_trial_is_closed(next);
}

bool cardo_change_is_strained_alone(const cardo_attempt_change *by, const cardo_motion_trial *next,
                                    const cardo_motion_trial *trial)
{
    return by->again && !cardo_change_helps(by, next, trial) &&
           cardo_motion_trial_has_strain(next) &&
           next->strain < by->most_strain + CARDO_REFERENCE_MOST;
}

/* From a judged trial, `from`, of the model as it is written. *judged: what comes of it was worth that. */
static cardo_status try_once(cardo_domain_attempt *t, const cardo_motion_trial *from,
                             const double *at, const cardo_motion_trial *trial,
                             const cardo_attempt_change *by, cardo_motion_trial *next, bool *judged,
                             cardo_error *error)
{
    cardo_status status;
    bool settled, begun = false;
    *judged = false;
    CARDO_TRY(cardo_attempt_settle_with(t, from, true, at, &settled, error));
    if (settled)
        CARDO_TRY(cardo_attempt_run_if_it_stands(t, false, true, NULL, next, &begun, error));
    if (begun && by->leading && needs_leading(next))
        CARDO_TRY(cardo_attempt_lead(t, next, error));
    *judged = begun && cardo_change_is_worth_judging(by, next, trial);
    if (*judged)
        status = cardo_attempt_judge(t, next, error);
done:
    return status;
}

cardo_status cardo_attempt_try_change(cardo_domain_attempt *t, cardo_motion_trial *trial,
                                      cardo_attempt_change *by, cardo_motion_trial *next,
                                      cardo_error *error)
{
    cardo_status status;
    cardo_attempt_standing kept;
    cardo_motion_trial *strained = NULL;
    bool judged;
    by->done = false;
    CARDO_TRY(cardo_attempt_standing_keep(t, &kept, error));
    CARDO_TRY(CARDO_ALLOCATE(&strained, 1, error));
    if (by->giving) {
        memcpy(t->giving, by->giving, (size_t)t->nresidue * sizeof *t->giving);
        memcpy(t->turning, by->turning, (size_t)t->nresidue * sizeof *t->turning);
    }
    CARDO_TRY(try_once(t, trial, by->at, trial, by, next, &judged, error));
    if (judged && !next->interrupted && cardo_change_is_strained_alone(by, next, trial)) {
        cardo_motion_trials_swap(strained, next);
        CARDO_TRY(try_once(t, strained, NULL, trial, by, next, &judged, error));
    }
    trial->interrupted = next->interrupted;
    by->done = judged && !next->interrupted && cardo_change_helps(by, next, trial);
    if (by->done)
        cardo_motion_trials_swap(trial, next);
    else
        status = cardo_attempt_take_back(t, &kept, error);
done:
    cardo_motion_trial_clear(next);
    cardo_motion_trial_destroy(strained);
    cardo_attempt_standing_clear(&kept);
    return status;
}

cardo_status cardo_attempt_balance(cardo_domain_attempt *t, cardo_motion_trial *trial,
                                   cardo_error *error)
{
    enum { MOST_ROUNDS = 3 };
    cardo_status status;
    cardo_motion_trial *next = NULL;
    /* Where all atoms do not agree there and back, the lower way is the best guess of where places are strained. */
    double before = HUGE_VAL, enough = (t->led.n > 0 ? 1 : 2.0 / 3) * CARDO_REFERENCE_MOST;
    CARDO_TRY(CARDO_ALLOCATE(&next, 1, error));
    for (int round = 0;
         round < MOST_ROUNDS && !t->balanced_in_vain && cardo_motion_trial_is_through(trial) &&
         t->settled && trial->strain < before && trial->strain > enough;
         ++round) {
        cardo_attempt_change by = {
            .most_strain = trial->strain, .most_rise = HUGE_VAL, .leading = true};
        const bool open = !cardo_motion_trial_is_closed(trial);
        before = trial->strain;
        CARDO_TRY(cardo_attempt_try_change(t, trial, &by, next, error));
        t->balanced_in_vain = !by.done;
        /* A cycle that closed is another way, with all of its rounds before it. */
        if (open && cardo_motion_trial_is_closed(trial))
            before = HUGE_VAL;
        else
            enough = CARDO_REFERENCE_MOST;
    }
done:
    cardo_free(next);
    return status;
}
