#include "study/domains/attempt.h"

#include "base/memory.h"
#include "base/units.h"
#include "study/domains/attempt_changes.h"
#include "study/domains/attempt_freezing.h"
#include "study/domains/attempt_leading.h"
#include "study/domains/attempt_model.h"
#include "study/reference/reference.h"

#include <string.h>

/* Side chains that turn less than this along the way are tried without, rad; and what that may cost, kJ/mol: a third of the strain that a model may
 * have. */
static const double still = 10 * CARDO_DEGREE, worth = CARDO_REFERENCE_MOST / 3;

/* Side chains that turned by less than `least` in the trial are parts of its domains. */
static cardo_status settle(cardo_domain_attempt *t, const cardo_motion_trial *trial, double least,
                           bool *done, cardo_error *error)
{
    cardo_attempt_choose_turning(t, least);
    return cardo_attempt_settle_with(t, trial, false, NULL, done, error);
}

/* By more than standing still may cost? The energy alone would not say where a place is good, as strain is not known yet. */
static bool is_worse(const cardo_motion_trial *trial, const cardo_motion_trial *than)
{
    return trial->ended[0] ||
           cardo_attempt_count_broken(trial) > cardo_attempt_count_broken(than) ||
           trial->rise > than->rise + worth;
}

/* The same of two trials that both went all cycles. */
static bool costs(const cardo_motion_trial *frozen, const cardo_motion_trial *turning)
{
    return is_worse(frozen, turning) ||
           (cardo_motion_trial_is_closed(turning) && !cardo_motion_trial_is_closed(frozen));
}

/* All side chains turn again, by the geometry that was found for that; *trial is that of such a model. */
static cardo_status thaw(cardo_domain_attempt *t, cardo_shared_geometry *geometry,
                         const double *motion, cardo_motion_trial *trial, cardo_error *error)
{
    cardo_status status;
    cardo_shared_geometry_clear(&t->geometry);
    t->geometry = *geometry;
    *geometry = (cardo_shared_geometry){0};
    memcpy(t->motion, motion, (size_t)t->nresidue * sizeof *motion);
    cardo_attempt_choose_turning(t, 0);
    CARDO_TRY(cardo_attempt_write_settled(t, error));
    status = cardo_attempt_run(t, false, true, NULL, trial, error);
done:
    return status;
}

/* Freezes the side chains that hardly turn, all at once. Where that looks worse than the trial that only looked for the ends, it is tried with all that
 * turn, too: cycles may find a worse way for that as well, and then they stay frozen. Torsions begin in the wells for which the geometry was made, and
 * heat would only take them out of these. */
static cardo_status freeze_still(cardo_domain_attempt *t, cardo_motion_trial *first,
                                 cardo_motion_trial *trial, cardo_error *error)
{
    cardo_status status;
    cardo_shared_geometry all = t->geometry;
    cardo_attempt_standing standing = {0};
    cardo_motion_trial *frozen = NULL;
    double *motion = NULL;
    bool settled, begun = false;
    t->geometry = (cardo_shared_geometry){0};
    CARDO_TRY(CARDO_ALLOCATE(&frozen, 1, error));
    CARDO_TRY(CARDO_ALLOCATE(&motion, t->nresidue, error));
    memcpy(motion, t->motion, (size_t)t->nresidue * sizeof *motion);
    CARDO_TRY(settle(t, first, still, &settled, error));
    if (settled)
        CARDO_TRY(cardo_attempt_run_if_it_stands(t, false, true, NULL, trial, &begun, error));
    if (begun && (trial->interrupted || !is_worse(trial, first)))
        goto done;
    if (begun)
        CARDO_TRY(cardo_attempt_standing_keep(t, &standing, error));
    cardo_motion_trials_swap(frozen, trial);
    CARDO_TRY(thaw(t, &all, motion, trial, error));
    if (begun && !trial->interrupted && !costs(frozen, trial)) {
        cardo_motion_trials_swap(frozen, trial);
        status = cardo_attempt_take_back(t, &standing, error);
    }
done:
    cardo_shared_geometry_clear(&all);
    cardo_attempt_standing_clear(&standing);
    cardo_motion_trial_destroy(frozen);
    cardo_free(motion);
    return status;
}

/* Does leading close the cycle, at the cost of strain that one geometry for all places may make up for? */
static bool is_closed_at_a_cost(const cardo_motion_trial *led, const cardo_motion_trial *than)
{
    return cardo_motion_trial_is_through(led) && cardo_motion_trial_is_closed(led) &&
           !cardo_motion_trial_is_closed(than) && !cardo_motion_trial_is_better(led, than);
}

/* Leads what leapt or was lost in a judged trial, and judges what comes of it; where that is not the better one the model is as it was. */
static cardo_status lead(cardo_domain_attempt *t, cardo_motion_trial *trial, cardo_error *error)
{
    cardo_status status;
    cardo_motion_trial *led = NULL;
    cardo_attempt_standing before = {0};
    const bool balanced_in_vain = t->balanced_in_vain;
    CARDO_TRY(CARDO_ALLOCATE(&led, 1, error));
    CARDO_TRY(cardo_attempt_standing_keep(t, &before, error));
    CARDO_TRY(cardo_attempt_lead_leaping(t, trial, led, error));
    trial->interrupted = trial->interrupted || led->interrupted;
    if (t->led.n == before.choice.led.n)
        goto done;
    CARDO_TRY(cardo_attempt_judge(t, led, error));
    t->balanced_in_vain = false;
    if (is_closed_at_a_cost(led, trial))
        CARDO_TRY(cardo_attempt_balance(t, led, error));
    if (led->interrupted || cardo_motion_trial_is_better(led, trial)) {
        cardo_motion_trials_swap(trial, led);
    } else {
        t->balanced_in_vain = balanced_in_vain;
        status = cardo_attempt_take_back(t, &before, error);
    }
done:
    cardo_attempt_standing_clear(&before);
    cardo_motion_trial_destroy(led);
    return status;
}

static cardo_status try_flexible(cardo_domain_attempt *t, cardo_motion_trial *trial,
                                 cardo_error *error)
{
    cardo_status status;
    cardo_motion_trial *first = NULL;
    bool settled = false;
    CARDO_TRY(CARDO_ALLOCATE(&first, 1, error));
    CARDO_TRY(cardo_attempt_run(t, true, false, NULL, first, error));
    if (cardo_motion_trial_is_through(first))
        CARDO_TRY(settle(t, first, 0, &settled, error));
    if (settled) {
        cardo_motion_trial_clear(first);
        CARDO_TRY(cardo_attempt_run_if_it_stands(t, true, false, NULL, first, &settled, error));
        if (!settled)
            CARDO_TRY(cardo_attempt_write_unsettled(t, error));
    }
    if (settled && cardo_motion_trial_is_through(first))
        CARDO_TRY(freeze_still(t, first, trial, error));
    else
        CARDO_TRY(cardo_attempt_run(t, false, false, NULL, trial, error));
    CARDO_TRY(cardo_attempt_judge(t, trial, error));
    CARDO_TRY(cardo_attempt_balance(t, trial, error));
    CARDO_TRY(lead(t, trial, error));
    /* What is led climbs where it would have leapt, and all atoms have seen other places by then. */
    if (t->led.n > 0)
        CARDO_TRY(cardo_attempt_balance(t, trial, error));
    status = cardo_attempt_freeze(t, trial, error);
done:
    cardo_motion_trial_destroy(first);
    return status;
}

cardo_status cardo_domain_attempt_run(cardo_domain_attempt *attempt, cardo_motion_trial *trial,
                                      cardo_error *error)
{
    return attempt->model.giving ? try_flexible(attempt, trial, error)
                                 : cardo_attempt_run(attempt, false, false, NULL, trial, error);
}
