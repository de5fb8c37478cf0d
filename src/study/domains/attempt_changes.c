#include "study/domains/attempt_changes.h"

#include "base/memory.h"
#include "study/domains/freezing.h"
#include "study/reference/reference.h"

#include <math.h>
#include <string.h>

/* kJ/mol that a way may rise by where residues are held, beyond what it rises by with all of them free: as much as a model may be strained by. All atoms rise
 * with a model whose domains are led to other poses, so that strain alone would not show it. */
static const double rise_held = CARDO_REFERENCE_MOST;
/* Of the strain up to which residues are held: from there on what could be held besides is not looked for. Geometries make up for a part of what was
 * expected. */
static const double enough_held = 0.75;

/* What a geometry is looked for with, and what it takes the place of. */
typedef struct standing {
    cardo_shared_geometry geometry;
    bool *giving, *turning;
    cardo_led_torsions led;
} standing;

static cardo_status keep_standing(cardo_domain_attempt *t, standing *kept, cardo_error *error)
{
    cardo_status status;
    *kept = (standing){0};
    CARDO_TRY(CARDO_ALLOCATE(&kept->giving, t->nresidue, error));
    CARDO_TRY(CARDO_ALLOCATE(&kept->turning, t->nresidue, error));
    CARDO_TRY(cardo_led_torsions_copy(&t->led, &kept->led, error));
    memcpy(kept->giving, t->giving, (size_t)t->nresidue * sizeof *t->giving);
    memcpy(kept->turning, t->turning, (size_t)t->nresidue * sizeof *t->turning);
    kept->geometry = t->geometry;
    t->geometry = (cardo_shared_geometry){0};
done:
    return status;
}

/* A new geometry is that of the first place, from which torsions are measured then. */
static void measure_led_from_first(cardo_led_torsions *led)
{
    for (int j = 0; j < led->n; ++j) {
        const double first = led->led[j].value[0];
        for (int k = 0; k < CARDO_LED_PLACES; ++k)
            led->led[j].value[k] -= first;
    }
}

static cardo_status take_back(cardo_domain_attempt *t, standing *kept, cardo_error *error)
{
    cardo_shared_geometry_clear(&t->geometry);
    t->geometry = kept->geometry;
    kept->geometry = (cardo_shared_geometry){0};
    cardo_led_torsions_clear(&t->led);
    t->led = kept->led;
    kept->led = (cardo_led_torsions){0};
    memcpy(t->giving, kept->giving, (size_t)t->nresidue * sizeof *t->giving);
    memcpy(t->turning, kept->turning, (size_t)t->nresidue * sizeof *t->turning);
    return cardo_attempt_write_settled(t, error);
}

static void clear_standing(standing *kept)
{
    cardo_shared_geometry_clear(&kept->geometry);
    cardo_led_torsions_clear(&kept->led);
    cardo_free(kept->giving);
    cardo_free(kept->turning);
}

/* Another model of a judged trial, and what comes of it. */
typedef struct change {
    double most_strain, most_rise; /* that it may have, kJ/mol */
    const bool *giving, *turning;  /* NULL: as they are        */
    const double *at;              /* as cardo_attempt_settle_with has it */
    bool done;                     /* it helps, and stays      */
} change;

/* Is it worth the time that all atoms take? */
static bool is_worth_judging(const change *by, const cardo_motion_trial *next,
                             const cardo_motion_trial *trial)
{
    return !next->interrupted && !next->ended[0] && next->rise <= by->most_rise &&
           cardo_attempt_count_broken(next) <= cardo_attempt_count_broken(trial) &&
           (cardo_motion_trial_is_closed(next) || !cardo_motion_trial_is_closed(trial));
}

/* Once both are judged: does it cost no range, and is it strained no more than it may be? */
static bool helps(const change *by, const cardo_motion_trial *next, const cardo_motion_trial *trial)
{
    return cardo_motion_trial_has_strain(next) && next->strain < by->most_strain &&
           next->last - next->first >= trial->last - trial->first;
}

/* From a judged trial a geometry that weighs its places so that none is strained much more than others. Torsions stay in their wells: nothing is
 * heated. Where that does not help, the model is as it was. next: zero, and zero again. */
static cardo_status try_change(cardo_domain_attempt *t, cardo_motion_trial *trial, change *by,
                               cardo_motion_trial *next, cardo_error *error)
{
    cardo_status status;
    standing kept;
    bool settled, begun = false;
    by->done = false;
    CARDO_TRY(keep_standing(t, &kept, error));
    if (by->giving) {
        memcpy(t->giving, by->giving, (size_t)t->nresidue * sizeof *t->giving);
        memcpy(t->turning, by->turning, (size_t)t->nresidue * sizeof *t->turning);
    }
    measure_led_from_first(&t->led);
    CARDO_TRY(cardo_attempt_settle_with(t, trial, true, by->at, &settled, error));
    if (settled)
        CARDO_TRY(cardo_attempt_run_if_it_stands(t, false, true, NULL, next, &begun, error));
    const bool judged = begun && is_worth_judging(by, next, trial);
    if (judged)
        CARDO_TRY(cardo_motion_trial_judge(t->path, t->model.options->how.reference, t->listener,
                                           next, error));
    trial->interrupted = next->interrupted;
    by->done = judged && !next->interrupted && helps(by, next, trial);
    if (by->done) {
        const cardo_motion_trial old = *trial;
        *trial = *next;
        *next = old;
    } else {
        status = take_back(t, &kept, error);
    }
done:
    cardo_motion_trial_clear(next);
    clear_standing(&kept);
    return status;
}

cardo_status cardo_attempt_balance(cardo_domain_attempt *t, cardo_motion_trial *trial,
                                   cardo_error *error)
{
    enum { MOST_ROUNDS = 3 };
    cardo_status status;
    cardo_motion_trial *next = NULL;
    double before = HUGE_VAL;
    CARDO_TRY(CARDO_ALLOCATE(&next, 1, error));
    CARDO_TRY(cardo_motion_trial_judge(t->path, t->model.options->how.reference, t->listener, trial,
                                       error));
    for (int round = 0;
         round < MOST_ROUNDS && cardo_attempt_is_through(t, trial) && t->settled &&
         cardo_motion_trial_has_strain(trial) && trial->strain < before &&
         trial->strain > (round == 0 ? 2 * CARDO_REFERENCE_MOST / 3 : CARDO_REFERENCE_MOST);
         ++round) {
        change by = {.most_strain = trial->strain, .most_rise = HUGE_VAL};
        before = trial->strain;
        CARDO_TRY(try_change(t, trial, &by, next, error));
    }
done:
    cardo_free(next);
    return status;
}

/* What may be held of a judged trial's residues; *freezing stays NULL where forces cannot be had about its places. */
static cardo_status open_freezing(const cardo_domain_attempt *t, cardo_motion_trial *trial,
                                  cardo_session **session, cardo_freezing **freezing,
                                  cardo_error *error)
{
    cardo_status status;
    cardo_error found = {0};
    double *coordinates = NULL;
    CARDO_TRY(cardo_attempt_gather(trial, CARDO_TRIAL_REFERENCE_EVERY, &coordinates, error));
    CARDO_TRY(cardo_motion_trial_open(t->path, true, t->listener, session, error));
    status = cardo_freezing_create(*session, CARDO_TRIAL_JUDGED, coordinates, freezing, &found);
    trial->interrupted = status == CARDO_ERROR_INTERRUPTED;
    if (trial->interrupted || cardo_is_of_the_place(status))
        status = CARDO_OK;
    else if (status != CARDO_OK && error)
        *error = found;
done:
    cardo_free(coordinates);
    return status;
}

/* Holds what need not turn, all at once; where that is too much half of it, which costs less than half. */
static cardo_status hold_what_need_not_turn(cardo_domain_attempt *t, cardo_motion_trial *trial,
                                            const cardo_freezing *freezing, double most_rise,
                                            cardo_motion_trial *next, bool *held,
                                            cardo_error *error)
{
    enum { MOST_TRIES = 2 };
    cardo_status status;
    bool *giving = NULL, *turning = NULL;
    double strain[CARDO_TRIAL_JUDGED], energy[CARDO_TRIAL_JUDGED];
    const cardo_frozen_level levels[CARDO_FROZEN_LEVELS] = {{strain, t->model.options->how.hold},
                                                            {energy, most_rise}};
    int most = t->nresidue;
    change by = {.most_strain = CARDO_REFERENCE_MOST, .most_rise = most_rise};
    for (int j = 0; j < CARDO_TRIAL_JUDGED; ++j) {
        strain[j] = trial->place[j * CARDO_TRIAL_REFERENCE_EVERY].strain;
        energy[j] = trial->place[j * CARDO_TRIAL_REFERENCE_EVERY].lower;
    }
    CARDO_TRY(CARDO_ALLOCATE(&giving, t->nresidue, error));
    CARDO_TRY(CARDO_ALLOCATE(&turning, t->nresidue, error));
    for (int k = 0; k < MOST_TRIES && most > 0 && !by.done && !trial->interrupted; ++k) {
        cardo_frozen frozen;
        memcpy(giving, t->giving, (size_t)t->nresidue * sizeof *giving);
        memcpy(turning, t->turning, (size_t)t->nresidue * sizeof *turning);
        CARDO_TRY(cardo_freezing_choose(freezing, CARDO_FROZEN_LEVELS, levels, most, giving,
                                        turning, &frozen, error));
        by.giving = giving;
        by.turning = turning;
        by.at = frozen.coordinates;
        if (frozen.n > 0)
            status = try_change(t, trial, &by, next, error);
        cardo_free(frozen.coordinates);
        CARDO_TRY(status);
        most = frozen.n / 2;
    }
    *held = by.done;
done:
    cardo_free(giving);
    cardo_free(turning);
    return status;
}

/* *held: something is, and the model is good still. */
static cardo_status freeze_once(cardo_domain_attempt *t, cardo_motion_trial *trial,
                                double most_rise, bool *held, cardo_error *error)
{
    cardo_status status;
    cardo_session *session = NULL;
    cardo_freezing *freezing = NULL;
    cardo_motion_trial *next = NULL;
    *held = false;
    CARDO_TRY(CARDO_ALLOCATE(&next, 1, error));
    CARDO_TRY(open_freezing(t, trial, &session, &freezing, error));
    if (freezing)
        status = hold_what_need_not_turn(t, trial, freezing, most_rise, next, held, error);
done:
    cardo_freezing_destroy(freezing);
    cardo_session_close(session);
    cardo_free(next);
    return status;
}

cardo_status cardo_attempt_freeze(cardo_domain_attempt *t, cardo_motion_trial *trial,
                                  cardo_error *error)
{
    enum { MOST_ROUNDS = 3 };
    const double hold = t->model.options->how.hold, most_rise = trial->rise + rise_held;
    cardo_status status = CARDO_OK;
    bool held = true;
    for (int round = 0; round < MOST_ROUNDS && held && cardo_attempt_is_through(t, trial) &&
                        t->settled && cardo_motion_trial_has_strain(trial) &&
                        cardo_motion_trial_is_whole(trial) && cardo_motion_trial_is_closed(trial) &&
                        trial->strain < (round == 0 ? 1 : enough_held) * hold && status == CARDO_OK;
         ++round)
        status = freeze_once(t, trial, most_rise, &held, error);
    return status;
}
