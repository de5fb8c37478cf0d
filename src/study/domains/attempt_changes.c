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

/* Which residues are held of those that turned before; returns how many. */
static int list_held(const cardo_domain_attempt *t, const cardo_attempt_choice *before, bool *held)
{
    int n = 0;
    for (int r = 0; r < t->nresidue; ++r) {
        held[r] = (before->giving[r] || before->turning[r]) && !t->giving[r] && !t->turning[r];
        n += held[r];
    }
    return n;
}

/* Fits the model as it is written to the last end of the geometry that it has, but for these residues: CARDO_ERROR_NUMERICAL where its strands do not let it come
 * there. */
static cardo_status fit_end(const cardo_domain_attempt *t, const bool *left_out, cardo_error *error)
{
    cardo_status status;
    cardo_session *session = NULL;
    double *q = NULL;
    bool fits;
    CARDO_TRY(cardo_motion_trial_open(t->path, false, t->listener, &session, error));
    CARDO_TRY(CARDO_ALLOCATE(&q, cardo_system_nq(session->system) + 1, error));
    status =
        cardo_shared_geometry_end(session, &t->geometry, left_out, t->farthest, q, &fits, error);
done:
    cardo_session_close(session);
    cardo_free(q);
    return status;
}

/* Do the strands that are left let the model come to where its geometry is at rest at the last end, but for what is held now? Where they do not, a geometry
 * without that takes a minute, and they do not follow to its last end either: adenylate kinase's stayed 0.34 and 0.35 A away, and 0.8 A afterwards; one that followed,
 * 0.04. The model's file is written for that. */
static cardo_status strands_follow(const cardo_domain_attempt *t,
                                   const cardo_attempt_choice *before, bool *follow,
                                   cardo_error *error)
{
    cardo_status status;
    cardo_error found = {0};
    bool *held = NULL;
    CARDO_TRY(CARDO_ALLOCATE(&held, t->nresidue, error));
    const int n = list_held(t, before, held);
    CARDO_TRY(cardo_attempt_write_model(t, NULL, NULL, error));
    status = fit_end(t, held, &found);
    *follow = status == CARDO_OK;
    if (cardo_is_of_the_place(status)) {
        status = CARDO_OK;
        cardo_tell(t->listener, CARDO_SAID_NOTE, "domains", "%d residues cannot be held: %s", n,
                   found.message);
    } else if (status != CARDO_OK && error) {
        *error = found;
    }
done:
    cardo_free(held);
    return status;
}

/* Makes the choice that was before the model's again, for its file alone: a trial's coordinates are of that. */
static cardo_status write_as_before(const cardo_domain_attempt *t,
                                    const cardo_attempt_choice *before, cardo_error *error)
{
    cardo_domain_attempt as_before = *t;
    as_before.giving = before->giving;
    as_before.turning = before->turning;
    return cardo_attempt_write_model(&as_before, NULL, NULL, error);
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
    bool judged = false, follow = true;
    by->done = false;
    CARDO_TRY(cardo_attempt_standing_keep(t, &kept, error));
    CARDO_TRY(CARDO_ALLOCATE(&strained, 1, error));
    if (by->giving) {
        memcpy(t->giving, by->giving, (size_t)t->nresidue * sizeof *t->giving);
        memcpy(t->turning, by->turning, (size_t)t->nresidue * sizeof *t->turning);
        CARDO_TRY(strands_follow(t, &kept.choice, &follow, error));
        CARDO_TRY(write_as_before(t, &kept.choice, error));
    }
    if (follow)
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
