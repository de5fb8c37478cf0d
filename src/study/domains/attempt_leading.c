#include "study/domains/attempt_leading.h"

#include "base/memory.h"

#include <math.h>

/* Where no place is good, what leaps is not what is wrong. */
static bool has_leapt(const cardo_motion_trial *trial)
{
    return trial->first <= trial->last &&
           (fabs(trial->work) > CARDO_COURSE_CLOSED || cardo_motion_trial_has_lost(trial));
}

/* Does leading make a trial lose less, by more than it makes the way rise? What it does to strain is seen once it is done. */
static bool is_led_well(const cardo_motion_trial *led, const cardo_motion_trial *than)
{
    return !led->interrupted && !led->ended[0] &&
           cardo_attempt_count_broken(led) <= cardo_attempt_count_broken(than) &&
           cardo_motion_trial_loss(led) + fmax(led->rise - than->rise, 0) <
               cardo_motion_trial_loss(than);
}

/* Leads these in the place of what is led, and writes the model so. */
static cardo_status write_led(cardo_domain_attempt *t, const cardo_led_torsions *led,
                              cardo_error *error)
{
    cardo_status status;
    cardo_led_torsions now = {0};
    CARDO_TRY(cardo_led_torsions_copy(led, &now, error));
    cardo_led_torsions_clear(&t->led);
    t->led = now;
    status = cardo_attempt_write_model(t, NULL, NULL, error);
done:
    return status;
}

/* Is the model made of one geometry for all judged places? What is led anew goes as that has it then: a trial that leapt has lost that way. */
static bool has_way_of_its_own(const cardo_domain_attempt *t)
{
    return t->settled && t->geometry.nplace > 2;
}

static cardo_status take_from_geometry(const cardo_domain_attempt *t, int first,
                                       cardo_led_torsions *led, cardo_error *error)
{
    cardo_session *session = NULL;
    cardo_status status;
    CARDO_TRY(cardo_motion_trial_open(t->path, false, t->listener, &session, error));
    cardo_led_torsions_take(session, t->geometry.nplace,
                            (CARDO_LED_PLACES - 1) / (t->geometry.nplace - 1),
                            t->geometry.positions, first, led);
done:
    cardo_session_close(session);
    return status;
}

/* Leads the torsions that leapt in a trial, by its own lower way or by the geometry's, each from its own last end: at the other's, what is led would be turned
 * into what is not. *better: that helps; else the model is as it was, and next, zero at first, has nothing. */
static cardo_status lead_by(cardo_domain_attempt *t, const cardo_motion_trial *trial,
                            bool by_geometry, cardo_motion_trial *next, bool *better,
                            cardo_error *error)
{
    cardo_status status;
    cardo_led_torsions before = {0}, led = {0};
    CARDO_TRY(cardo_led_torsions_copy(&t->led, &before, error));
    CARDO_TRY(cardo_led_torsions_copy(&trial->led, &led, error));
    if (by_geometry)
        CARDO_TRY(take_from_geometry(t, before.n, &led, error));
    CARDO_TRY(write_led(t, &led, error));
    CARDO_TRY(cardo_attempt_run_if_it_stands(t, false, true, by_geometry ? NULL : trial, next,
                                             better, error));
    *better = *better && is_led_well(next, trial);
    if (!*better) {
        cardo_motion_trial_clear(next);
        status = write_led(t, &before, error);
    }
done:
    cardo_led_torsions_clear(&before);
    cardo_led_torsions_clear(&led);
    return status;
}

static cardo_status lead_once(cardo_domain_attempt *t, const cardo_motion_trial *trial,
                              cardo_motion_trial *next, bool *better, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    *better = false;
    if (has_way_of_its_own(t))
        CARDO_TRY(lead_by(t, trial, true, next, better, error));
    if (!*better && !next->interrupted)
        status = lead_by(t, trial, false, next, better, error);
done:
    return status;
}

cardo_status cardo_attempt_lead_leaping(cardo_domain_attempt *t, const cardo_motion_trial *trial,
                                        cardo_motion_trial *last, cardo_error *error)
{
    enum { MOST_ROUNDS = 4 };
    cardo_status status;
    cardo_motion_trial *next = NULL;
    const cardo_motion_trial *now = trial;
    bool better = !t->led_in_vain;
    CARDO_TRY(CARDO_ALLOCATE(&next, 1, error));
    for (int round = 0; round < MOST_ROUNDS && better && cardo_motion_trial_is_through(now) &&
                        now->led.n > t->led.n && has_leapt(now);
         ++round) {
        CARDO_TRY(lead_once(t, now, next, &better, error));
        if (better) {
            cardo_motion_trials_swap(last, next);
            now = last;
            cardo_motion_trial_clear(next);
        } else {
            last->interrupted = next->interrupted;
            t->led_in_vain = true;
        }
    }
done:
    cardo_motion_trial_destroy(next);
    return status;
}

cardo_status cardo_attempt_lead(cardo_domain_attempt *t, cardo_motion_trial *trial,
                                cardo_error *error)
{
    cardo_status status;
    cardo_motion_trial *led = NULL;
    const int before = t->led.n;
    CARDO_TRY(CARDO_ALLOCATE(&led, 1, error));
    CARDO_TRY(cardo_attempt_lead_leaping(t, trial, led, error));
    trial->interrupted = trial->interrupted || led->interrupted;
    if (t->led.n > before)
        cardo_motion_trials_swap(trial, led);
done:
    cardo_motion_trial_destroy(led);
    return status;
}
