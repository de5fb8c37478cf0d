#include "study/domains/attempt.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/units.h"
#include "base/vec.h"
#include "structure/pdb/pdb.h"
#include "study/reference/reference.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Side chains that turn less than this along the way are tried without, rad; and what that may cost, kJ/mol: a third of the strain that a model may
 * have. */
static const double still = 10 * CARDO_DEGREE, worth = CARDO_REFERENCE_MOST / 3;

/* A flexible model's first trials only look for its ends, in this part of the iterations; both ends together take this many times as
 * many of all atoms. */
enum { SHORTER_AT_FIRST = 3, LONGER_FOR_ENDS = 2, MOST_CYCLES = 5 };

/* before: a trial of the same bodies, to go on from its last place without heat, which would bring torsions to other wells; NULL: none. */
static cardo_status run(const cardo_domain_attempt *t, bool shorter, bool cold,
                        const cardo_motion_trial *before, cardo_motion_trial *trial,
                        cardo_error *error)
{
    const cardo_domains_choices *how = &t->model.options->how;
    const cardo_trial_options options = {
        .minimize = t->model.giving != NULL,
        .iterations = shorter ? 1 + how->iterations / SHORTER_AT_FIRST : how->iterations,
        .heat = before || cold ? 0 : how->heat,
        .rounds = t->rounds,
        .end = before ? cardo_motion_trial_coordinates(before, CARDO_TRIAL_PLACES - 1) : NULL,
        .cycles = shorter ? 1 : MOST_CYCLES,
        .geometry = t->settled ? &t->geometry : NULL,
        .led = &t->led,
        .motion = t->motion};
    return cardo_motion_trial_run(t->path, &options, t->listener, trial, error);
}

/* As run; *begun: the model stands somewhere to begin from. One made of a geometry may not, where the motion is no possible one. */
static cardo_status run_if_it_stands(const cardo_domain_attempt *t, bool shorter, bool cold,
                                     const cardo_motion_trial *before, cardo_motion_trial *trial,
                                     bool *begun, cardo_error *error)
{
    cardo_error found = {0};
    const cardo_status status = run(t, shorter, cold, before, trial, &found);
    *begun = status == CARDO_OK;
    if (status == CARDO_OK || cardo_is_of_the_place(status)) {
        if (status != CARDO_OK)
            cardo_motion_trial_clear(trial);
        return CARDO_OK;
    }
    if (error)
        *error = found;
    return status;
}

/* Which side chains turn, of those that a trial found to: with at least this much motion, rad. */
static void choose_turning(cardo_domain_attempt *t, double least)
{
    for (int r = 0; r < t->nresidue; ++r) {
        t->turning[r] = t->motion[r] >= least && t->motion[r] >= 0 && !t->model.giving[r];
    }
}

/* Of a trial's places: both ends, or all of which all atoms are known. */
static cardo_status find_geometry(cardo_domain_attempt *t, const cardo_motion_trial *trial,
                                  bool judged, cardo_error *error)
{
    cardo_status status;
    cardo_session *session = NULL;
    bool *turning = NULL;
    double *coordinates = NULL, least[CARDO_TRIAL_JUDGED];
    const size_t nq = (size_t)(trial->ncolumn - CARDO_TRIAL_BEFORE_TERMS - trial->nterm);
    const int every = judged ? CARDO_TRIAL_REFERENCE_EVERY : CARDO_TRIAL_PLACES - 1;
    cardo_shared_places places = {.least = judged ? least : NULL};
    cardo_shared_geometry_clear(&t->geometry);
    CARDO_TRY(CARDO_ALLOCATE(&turning, t->nresidue, error));
    CARDO_TRY(CARDO_ALLOCATE(&coordinates, CARDO_TRIAL_JUDGED * nq + 1, error));
    for (int r = 0; r < t->nresidue; ++r)
        turning[r] = t->turning[r] || t->model.giving[r];
    for (int k = 0; k < CARDO_TRIAL_PLACES; k += every) {
        memcpy(coordinates + (size_t)places.nplace * nq, cardo_motion_trial_coordinates(trial, k),
               nq * sizeof *coordinates);
        least[places.nplace++] = trial->place[k].all_atoms;
    }
    places.coordinates = coordinates;
    CARDO_TRY(cardo_motion_trial_open(t->path, true, t->listener, &session, error));
    status = cardo_shared_geometry_find(session, &places, turning,
                                        LONGER_FOR_ENDS * t->model.options->how.iterations,
                                        &t->geometry, error);
done:
    cardo_free(turning);
    cardo_free(coordinates);
    cardo_session_close(session);
    return status;
}

static cardo_status write_model(const cardo_domain_attempt *t, const char *start, const char *tried,
                                cardo_error *error)
{
    cardo_domain_model model = t->model;
    if (t->settled) {
        model.turning = t->turning;
        model.settled = t->settled;
        model.settled_note = t->note;
    }
    model.led = &t->led;
    model.start = start;
    model.tried = tried;
    return cardo_domain_model_write(&model, error);
}

/* How far the geometry's heavy atoms are from where the first structure has them, rms, nm. */
static double moved_from(const cardo_structure *s, const double *positions)
{
    double sum = 0;
    int n = 0;
    for (size_t i = 0; i < (size_t)s->natom; ++i)
        if (s->element[i] != 1) {
            const cardo_vec3 d = v3_sub(v3_load(positions + 3 * i), v3_load(s->position + 3 * i));
            sum += v3_dot(d, d);
            ++n;
        }
    return n > 0 ? sqrt(sum / n) : 0;
}

static cardo_status write_geometry(cardo_domain_attempt *t, cardo_error *error)
{
    char name[300];
    cardo_status status;
    const cardo_structure *s = t->model.inputs->two->structure[0].structure;
    snprintf(name, sizeof name, "%.250s_settled.%s", t->model.options->name,
             cardo_pdb_holds(s, NULL) ? "pdb" : "cif");
    CARDO_TRY(
        cardo_writer_structure(t->model.options->writer, name, s, t->geometry.positions, error));
    cardo_free(t->settled);
    t->settled = NULL;
    CARDO_TRY(cardo_domain_place(t->model.options->writer, name, &t->settled, error));
    t->moved = moved_from(s, t->geometry.positions);
    cardo_format(t->note, sizeof t->note,
                 "atoms moved by %.2f A (rms, heavy ones; domains against each other, too) to "
                 "where they are at rest at both ends of the motion",
                 10 * t->moved);
done:
    return status;
}

/* The model as it is made of the geometry. */
static cardo_status write_settled(cardo_domain_attempt *t, cardo_error *error)
{
    const cardo_status status = write_geometry(t, error);
    return status == CARDO_OK ? write_model(t, NULL, NULL, error) : status;
}

/* The model as it is made of the first structure. */
static cardo_status write_unsettled(cardo_domain_attempt *t, cardo_error *error)
{
    cardo_free(t->settled);
    t->settled = NULL;
    return write_model(t, NULL, NULL, error);
}

/* Makes the model's domains of a geometry for both ends of a trial, or for all places of a judged one, if all atoms can be computed there. */
static cardo_status settle_with(cardo_domain_attempt *t, const cardo_motion_trial *trial,
                                bool judged, bool *done, cardo_error *error)
{
    cardo_error found = {0};
    const cardo_status status = find_geometry(t, trial, judged, &found);
    *done = status == CARDO_OK &&
            t->geometry.natom == t->model.inputs->two->structure[0].structure->natom;
    if (*done)
        return write_settled(t, error);
    if (status == CARDO_OK || cardo_is_of_the_place(status) || status == CARDO_ERROR_UNSUPPORTED)
        return CARDO_OK;
    if (error)
        *error = found;
    return status;
}

/* Side chains that turned by less than `least` in the trial are parts of its domains. */
static cardo_status settle(cardo_domain_attempt *t, const cardo_motion_trial *trial, double least,
                           bool *done, cardo_error *error)
{
    choose_turning(t, least);
    return settle_with(t, trial, false, done, error);
}

static int count_broken(const cardo_motion_trial *trial)
{
    int n = 0;
    for (int k = 0; k < CARDO_TRIAL_PLACES; ++k)
        n += trial->place[k].nbroken[0] > 0 || trial->place[k].nbroken[1] > 0;
    return n;
}

/* By more than standing still may cost? The energy alone would not say where a place is good, as strain is not known yet. */
static bool is_worse(const cardo_motion_trial *trial, const cardo_motion_trial *than)
{
    return trial->ended[0] || count_broken(trial) > count_broken(than) ||
           trial->rise > than->rise + worth;
}

/* Freezes the side chains that hardly turn, all at once, and thaws them where that costs something. Torsions begin in the wells for which the geometry was
 * made, and heat that does not keep the lowest would only take them out of these. */
static cardo_status freeze_still(cardo_domain_attempt *t, cardo_motion_trial *first,
                                 cardo_motion_trial *trial, cardo_error *error)
{
    cardo_status status;
    const bool cold = t->rounds == 0;
    cardo_shared_geometry all = t->geometry;
    double *motion = NULL;
    bool settled, begun;
    t->geometry = (cardo_shared_geometry){0};
    CARDO_TRY(CARDO_ALLOCATE(&motion, t->nresidue, error));
    memcpy(motion, t->motion, (size_t)t->nresidue * sizeof *motion);
    CARDO_TRY(settle(t, first, still, &settled, error));
    if (settled) {
        CARDO_TRY(run_if_it_stands(t, false, cold, NULL, trial, &begun, error));
        if (begun && (trial->interrupted || !is_worse(trial, first)))
            goto done;
        cardo_motion_trial_clear(trial);
    }
    cardo_shared_geometry_clear(&t->geometry);
    t->geometry = all;
    all = (cardo_shared_geometry){0};
    memcpy(t->motion, motion, (size_t)t->nresidue * sizeof *motion);
    choose_turning(t, 0);
    CARDO_TRY(write_settled(t, error));
    status = run(t, false, cold, NULL, trial, error);
done:
    cardo_shared_geometry_clear(&all);
    cardo_free(motion);
    return status;
}

/* Has a trial come to both ends? */
static bool is_through(const cardo_domain_attempt *t, const cardo_motion_trial *trial)
{
    return !trial->interrupted && trial->nrow == CARDO_TRIAL_PLACES &&
           !(t->model.kept && t->model.kept->n > 0);
}

/* Does leading make a cycle lose less, by more than it makes the way rise? What it does to strain is seen once it is done. */
static bool is_led_well(const cardo_motion_trial *led, const cardo_motion_trial *than)
{
    return !led->interrupted && !led->ended[0] && count_broken(led) <= count_broken(than) &&
           fabs(led->work) + fmax(led->rise - than->rise, 0) < fabs(than->work);
}

/* Takes the torsions of a trial, or goes back to those of before. */
static cardo_status write_led(cardo_domain_attempt *t, const cardo_led_torsions *led,
                              cardo_error *error)
{
    cardo_status status;
    cardo_led_torsions now = {0};
    CARDO_TRY(cardo_led_torsions_copy(led, &now, error));
    cardo_led_torsions_clear(&t->led);
    t->led = now;
    status = write_model(t, NULL, NULL, error);
done:
    return status;
}

/* Leads the torsions that leapt in a trial. *better: that helps; else the model is as it was, and next, zero at first, is zero again. */
static cardo_status lead_once(cardo_domain_attempt *t, const cardo_motion_trial *trial,
                              cardo_motion_trial *next, bool *better, cardo_error *error)
{
    cardo_status status;
    cardo_led_torsions before = {0};
    CARDO_TRY(cardo_led_torsions_copy(&t->led, &before, error));
    CARDO_TRY(write_led(t, &trial->led, error));
    CARDO_TRY(run_if_it_stands(t, false, false, trial, next, better, error));
    *better = *better && is_led_well(next, trial);
    if (!*better) {
        cardo_motion_trial_clear(next);
        status = write_led(t, &before, error);
    }
done:
    cardo_led_torsions_clear(&before);
    return status;
}

/* Until none leaps, or that helps no more. last: that of these trials which stands, or zero where leading did not help. */
static cardo_status lead_leaping(cardo_domain_attempt *t, const cardo_motion_trial *trial,
                                 cardo_motion_trial *last, cardo_error *error)
{
    enum { MOST_ROUNDS = 4 };
    cardo_status status;
    cardo_motion_trial *next = NULL;
    const cardo_motion_trial *now = trial;
    bool better = true;
    CARDO_TRY(CARDO_ALLOCATE(&next, 1, error));
    for (int round = 0; round < MOST_ROUNDS && better && is_through(t, now) &&
                        now->led.n > t->led.n && !cardo_motion_trial_is_closed(now);
         ++round) {
        CARDO_TRY(lead_once(t, now, next, &better, error));
        if (better) {
            const cardo_motion_trial old = *last;
            *last = *next;
            *next = old;
            now = last;
            cardo_motion_trial_clear(next);
        } else {
            last->interrupted = next->interrupted;
        }
    }
done:
    if (next)
        cardo_motion_trial_clear(next);
    cardo_free(next);
    return status;
}

/* Leads what leaps, and goes back to where nothing is led if that makes the better model. */
static cardo_status lead(cardo_domain_attempt *t, cardo_motion_trial *trial, cardo_error *error)
{
    cardo_status status;
    cardo_motion_trial *led = NULL;
    const cardo_led_torsions none = {0};
    CARDO_TRY(CARDO_ALLOCATE(&led, 1, error));
    CARDO_TRY(lead_leaping(t, trial, led, error));
    trial->interrupted = led->interrupted;
    if (t->led.n == 0)
        goto done;
    CARDO_TRY(cardo_motion_trial_judge(t->path, t->model.options->how.reference, t->listener, led,
                                       error));
    if (led->interrupted || cardo_motion_trial_is_better(led, trial)) {
        const cardo_motion_trial old = *trial;
        *trial = *led;
        *led = old;
    } else {
        status = write_led(t, &none, error);
    }
done:
    if (led)
        cardo_motion_trial_clear(led);
    cardo_free(led);
    return status;
}

/* Does it cost no range, and leave less strain? */
static bool is_less_strained(const cardo_motion_trial *trial, const cardo_motion_trial *than)
{
    return !trial->interrupted && !trial->ended[0] && cardo_motion_trial_has_strain(trial) &&
           trial->last - trial->first >= than->last - than->first && trial->strain < than->strain;
}

/* From a judged trial a geometry that weighs its places so that none is strained much more than others. Torsions stay in their wells: nothing is
 * heated. Where that does not help, the model is as it was. next: zero, and zero again. */
static cardo_status balance_places(cardo_domain_attempt *t, cardo_motion_trial *trial,
                                   cardo_motion_trial *next, cardo_error *error)
{
    cardo_status status;
    cardo_shared_geometry before = t->geometry;
    bool settled, begun = false;
    t->geometry = (cardo_shared_geometry){0};
    CARDO_TRY(settle_with(t, trial, true, &settled, error));
    if (settled)
        CARDO_TRY(run_if_it_stands(t, false, true, NULL, next, &begun, error));
    if (begun) {
        CARDO_TRY(cardo_motion_trial_judge(t->path, t->model.options->how.reference, t->listener,
                                           next, error));
    }
    trial->interrupted = next->interrupted;
    if (begun && is_less_strained(next, trial)) {
        const cardo_motion_trial old = *trial;
        *trial = *next;
        *next = old;
    } else {
        cardo_shared_geometry_clear(&t->geometry);
        t->geometry = before;
        before = (cardo_shared_geometry){0};
        status = write_settled(t, error);
    }
done:
    cardo_motion_trial_clear(next);
    cardo_shared_geometry_clear(&before);
    return status;
}

/* Where strain is above two thirds of what a model may have, since leading what leaps costs some; and again where it is above all of that, as long as
 * something is taken off it: all atoms come lower where a geometry suits them better, and show then which places are still strained. */
static cardo_status balance(cardo_domain_attempt *t, cardo_motion_trial *trial, cardo_error *error)
{
    enum { MOST_ROUNDS = 3 };
    cardo_status status;
    cardo_motion_trial *next = NULL;
    double before = HUGE_VAL;
    CARDO_TRY(CARDO_ALLOCATE(&next, 1, error));
    CARDO_TRY(cardo_motion_trial_judge(t->path, t->model.options->how.reference, t->listener, trial,
                                       error));
    for (int round = 0;
         round < MOST_ROUNDS && is_through(t, trial) && t->settled &&
         cardo_motion_trial_has_strain(trial) && trial->strain < before &&
         trial->strain > (round == 0 ? 2 * CARDO_REFERENCE_MOST / 3 : CARDO_REFERENCE_MOST);
         ++round) {
        before = trial->strain;
        CARDO_TRY(balance_places(t, trial, next, error));
    }
done:
    cardo_free(next);
    return status;
}

static cardo_status try_flexible(cardo_domain_attempt *t, cardo_motion_trial *trial,
                                 cardo_error *error)
{
    cardo_status status;
    cardo_motion_trial *first = NULL;
    bool settled = false;
    CARDO_TRY(CARDO_ALLOCATE(&first, 1, error));
    CARDO_TRY(run(t, true, false, NULL, first, error));
    if (is_through(t, first))
        CARDO_TRY(settle(t, first, 0, &settled, error));
    if (settled) {
        cardo_motion_trial_clear(first);
        CARDO_TRY(run_if_it_stands(t, true, false, NULL, first, &settled, error));
        if (!settled)
            CARDO_TRY(write_unsettled(t, error));
    }
    if (settled && is_through(t, first))
        CARDO_TRY(freeze_still(t, first, trial, error));
    else
        CARDO_TRY(run(t, false, false, NULL, trial, error));
    CARDO_TRY(balance(t, trial, error));
    status = lead(t, trial, error);
done:
    if (first)
        cardo_motion_trial_clear(first);
    cardo_free(first);
    return status;
}

cardo_status cardo_domain_attempt_begin(const cardo_domain_model *model, const char *path,
                                        int rounds, const cardo_listener *listener,
                                        cardo_domain_attempt *out, cardo_error *error)
{
    cardo_status status;
    *out = (cardo_domain_attempt){.model = *model,
                                  .path = path,
                                  .listener = listener,
                                  .rounds = rounds,
                                  .nresidue = model->inputs->two->structure[0].structure->nresidue};
    CARDO_TRY(CARDO_ALLOCATE(&out->motion, out->nresidue, error));
    status = CARDO_ALLOCATE(&out->turning, out->nresidue, error);
done:
    return status;
}

void cardo_domain_attempt_clear(cardo_domain_attempt *attempt)
{
    cardo_free(attempt->motion);
    cardo_free(attempt->turning);
    cardo_free(attempt->settled);
    cardo_led_torsions_clear(&attempt->led);
    cardo_shared_geometry_clear(&attempt->geometry);
    *attempt = (cardo_domain_attempt){0};
}

cardo_status cardo_domain_attempt_run(cardo_domain_attempt *attempt, cardo_motion_trial *trial,
                                      cardo_error *error)
{
    return attempt->model.giving ? try_flexible(attempt, trial, error)
                                 : run(attempt, false, false, NULL, trial, error);
}

cardo_status cardo_domain_attempt_write(cardo_domain_attempt *attempt, const char *start,
                                        const char *tried, cardo_error *error)
{
    const bool known = attempt->settled && attempt->geometry.natom > 0;
    const cardo_status status = known ? write_geometry(attempt, error) : CARDO_OK;
    return status == CARDO_OK ? write_model(attempt, start, tried, error) : status;
}
