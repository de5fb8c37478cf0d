#include "study/domains/tried_model.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/units.h"
#include "base/vec.h"
#include "structure/pdb/pdb.h"
#include "study/domains/balance.h"
#include "study/domains/motion_trial.h"
#include "study/domains/places.h"
#include "study/domains/shared_geometry.h"
#include "study/reference/reference.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Side chains that turn less than this along the way are tried without, rad; and what that may cost, kJ/mol. */
static const double still = 10 * CARDO_DEGREE, worth = 10;

/* A flexible model's first trials only look for its ends, in this part of the iterations; both ends together take this many times as
 * many of all atoms. */
enum { SHORTER_AT_FIRST = 3, LONGER_FOR_ENDS = 2, MOST_CYCLES = 5 };

typedef struct trials {
    cardo_domain_model model; /* as it is tried now; a copy */
    const char *path;
    const cardo_listener *listener;
    double *motion; /* of side chains (nresidue) */
    bool *turning;  /* (nresidue)                */
    int nresidue;
    cardo_shared_geometry geometry; /* from which the model is made, or nothing */
    double moved;                   /* its heavy atoms, from the first structure's, rms, nm */
    char *settled;                  /* path of its file, or NULL                */
    cardo_led_torsions led;         /* that the model has                       */
    char note[160];
} trials;

static cardo_status keep_verdict(const cardo_domain_model *model, const cardo_motion_trial *trial,
                                 cardo_error *error)
{
    cardo_domain_model tried = *model;
    char text[CARDO_TRIAL_TEXT], note[CARDO_TRIAL_TEXT + 32], start[300];
    snprintf(start, sizeof start, "%.280s.places.csv", model->options->name);
    tried.start = trial->nrow > 0 ? start : NULL;
    snprintf(note, sizeof note, "the motion to it was tried: %s",
             cardo_motion_trial_verdict(trial, text));
    tried.tried = note;
    return cardo_domain_model_write(&tried, error);
}

/* before: a trial of the same bodies, to go on from its last place without heat, which would bring torsions to other wells; NULL: none. */
static cardo_status run(const trials *t, bool shorter, bool cold, const cardo_motion_trial *before,
                        cardo_motion_trial *trial, cardo_error *error)
{
    const cardo_domains_choices *how = &t->model.options->how;
    const cardo_trial_options options = {
        .minimize = t->model.giving != NULL,
        .iterations = shorter ? 1 + how->iterations / SHORTER_AT_FIRST : how->iterations,
        .heat = before || cold ? 0 : how->heat,
        .rounds = how->rounds,
        .end = before ? before->row + CARDO_TRIAL_BEFORE_TERMS + before->nterm : NULL,
        .cycles = shorter ? 1 : MOST_CYCLES,
        .geometry = t->model.settled ? &t->geometry : NULL,
        .led = &t->led,
        .motion = t->motion};
    return cardo_motion_trial_run(t->path, &options, t->listener, trial, error);
}

/* As run; *begun: the model stands somewhere to begin from. One made of a geometry may not, where the motion is no possible one. */
static cardo_status run_if_it_stands(const trials *t, bool shorter, bool cold,
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
static void choose_turning(trials *t, double least)
{
    for (int r = 0; r < t->nresidue; ++r) {
        t->turning[r] = t->motion[r] >= least && t->motion[r] >= 0 && !t->model.giving[r];
    }
}

static cardo_status find_geometry(trials *t, const cardo_motion_trial *trial,
                                  const cardo_shared_balance *balance, cardo_error *error)
{
    cardo_status status;
    cardo_session *session = NULL;
    bool *turning = NULL;
    const int first = CARDO_TRIAL_BEFORE_TERMS + trial->nterm;
    cardo_shared_geometry_clear(&t->geometry);
    CARDO_TRY(CARDO_ALLOCATE(&turning, t->nresidue, error));
    for (int r = 0; r < t->nresidue; ++r)
        turning[r] = t->turning[r] || t->model.giving[r];
    CARDO_TRY(cardo_motion_trial_open(t->path, true, t->listener, &session, error));
    status = cardo_shared_geometry_find(
        session, trial->row + (size_t)(trial->nrow - 1) * (size_t)trial->ncolumn + first,
        trial->row + first, turning, LONGER_FOR_ENDS * t->model.options->how.iterations, balance,
        &t->geometry, error);
done:
    cardo_free(turning);
    cardo_session_close(session);
    return status;
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

static cardo_status write_geometry(trials *t, cardo_error *error)
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
    cardo_format(
        t->note, sizeof t->note,
        "atoms moved by %.2f A (rms, heavy ones) to where they are at rest at both ends of "
        "the motion",
        10 * t->moved);
done:
    return status;
}

/* The model as it is made of the geometry. */
static cardo_status write_settled(trials *t, cardo_error *error)
{
    cardo_status status;
    CARDO_TRY(write_geometry(t, error));
    t->model.turning = t->turning;
    t->model.settled = t->settled;
    t->model.settled_note = t->note;
    status = cardo_domain_model_write(&t->model, error);
done:
    return status;
}

/* The model as it is made of the first structure. */
static cardo_status write_unsettled(trials *t, cardo_error *error)
{
    t->model.turning = NULL;
    t->model.settled = t->model.settled_note = NULL;
    return cardo_domain_model_write(&t->model, error);
}

/* Makes the model's domains of a geometry for both ends of a trial, if all atoms can be computed there. */
static cardo_status settle_with(trials *t, const cardo_motion_trial *trial,
                                const cardo_shared_balance *balance, bool *done, cardo_error *error)
{
    cardo_error found = {0};
    const cardo_status status = find_geometry(t, trial, balance, &found);
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
static cardo_status settle(trials *t, const cardo_motion_trial *trial, double least, bool *done,
                           cardo_error *error)
{
    choose_turning(t, least);
    return settle_with(t, trial, NULL, done, error);
}

static bool is_worse(const cardo_motion_trial *trial, const cardo_motion_trial *than)
{
    return trial->ended[0] || trial->last - trial->first < than->last - than->first ||
           trial->rise > than->rise + worth;
}

/* Freezes the side chains that hardly turn, all at once, and thaws them where that costs something. */
static cardo_status freeze_still(trials *t, cardo_motion_trial *first, cardo_motion_trial *trial,
                                 cardo_error *error)
{
    cardo_status status;
    cardo_shared_geometry all = t->geometry;
    double *motion = NULL;
    bool settled, begun;
    t->geometry = (cardo_shared_geometry){0};
    CARDO_TRY(CARDO_ALLOCATE(&motion, t->nresidue, error));
    memcpy(motion, t->motion, (size_t)t->nresidue * sizeof *motion);
    CARDO_TRY(settle(t, first, still, &settled, error));
    if (settled) {
        CARDO_TRY(run_if_it_stands(t, false, false, NULL, trial, &begun, error));
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
    status = run(t, false, false, NULL, trial, error);
done:
    cardo_shared_geometry_clear(&all);
    cardo_free(motion);
    return status;
}

/* Has a trial come to both ends? */
static bool is_through(const trials *t, const cardo_motion_trial *trial)
{
    return !trial->interrupted && trial->nrow == CARDO_TRIAL_PLACES &&
           !(t->model.kept && t->model.kept->n > 0);
}

static int count_broken(const cardo_motion_trial *trial)
{
    int n = 0;
    for (int k = 0; k < CARDO_TRIAL_PLACES; ++k)
        n += trial->place[k].nbroken[0] > 0 || trial->place[k].nbroken[1] > 0;
    return n;
}

/* Does leading make a cycle lose less, and cost no range? Strain is not compared: of the one that is led it is not known yet. */
static bool is_led_well(const cardo_motion_trial *led, const cardo_motion_trial *than)
{
    return !led->interrupted && !led->ended[0] && count_broken(led) <= count_broken(than) &&
           led->rise <= than->rise + worth && fabs(led->work) < fabs(than->work);
}

/* Takes the torsions of a trial, or goes back to those of before. */
static cardo_status write_led(trials *t, const cardo_led_torsions *led, cardo_error *error)
{
    cardo_status status;
    cardo_led_torsions now = {0};
    CARDO_TRY(cardo_led_torsions_copy(led, &now, error));
    cardo_led_torsions_clear(&t->led);
    t->led = now;
    t->model.led = &t->led;
    status = cardo_domain_model_write(&t->model, error);
done:
    return status;
}

/* Leads the torsions that leapt in a trial. *better: that helps, and the trial is the new one; else the model is as it was. next: zero, and
 * zero again. */
static cardo_status lead_once(trials *t, cardo_motion_trial *trial, cardo_motion_trial *next,
                              bool *better, cardo_error *error)
{
    cardo_status status;
    cardo_led_torsions before = {0};
    CARDO_TRY(cardo_led_torsions_copy(&t->led, &before, error));
    CARDO_TRY(write_led(t, &trial->led, error));
    CARDO_TRY(run_if_it_stands(t, false, false, trial, next, better, error));
    *better = *better && is_led_well(next, trial);
    if (*better) {
        const cardo_motion_trial old = *trial;
        *trial = *next;
        *next = old;
    } else {
        trial->interrupted = next->interrupted;
        status = write_led(t, &before, error);
    }
done:
    cardo_motion_trial_clear(next);
    cardo_led_torsions_clear(&before);
    return status;
}

/* Until none leaps, or that helps no more. */
static cardo_status lead_leaping(trials *t, cardo_motion_trial *trial, cardo_error *error)
{
    enum { MOST_ROUNDS = 4 };
    cardo_status status;
    cardo_motion_trial *next = NULL;
    bool better = true;
    CARDO_TRY(CARDO_ALLOCATE(&next, 1, error));
    for (int round = 0; round < MOST_ROUNDS && better && is_through(t, trial) &&
                        trial->led.n > t->led.n && !cardo_motion_trial_is_closed(trial);
         ++round)
        CARDO_TRY(lead_once(t, trial, next, &better, error));
done:
    cardo_free(next);
    return status;
}

/* By how much more the last end is to be strained than the first by the geometry, were the rest to go with q. */
static double strain_to_last(const cardo_motion_trial *trial)
{
    double q[CARDO_TRIAL_PLACES], strain[CARDO_TRIAL_PLACES];
    int n = 0;
    for (int k = 0; k < CARDO_TRIAL_PLACES; k += CARDO_TRIAL_REFERENCE_EVERY, ++n) {
        q[n] = trial->place[k].q;
        strain[n] = trial->place[k].strain;
    }
    return strain[n - 1] - strain[0] - cardo_balance_slope(n, q, strain);
}

/* Does it cost no range, and leave less strain? */
static bool is_less_strained(const cardo_motion_trial *trial, const cardo_motion_trial *than)
{
    return !trial->interrupted && !trial->ended[0] && cardo_motion_trial_has_strain(trial) &&
           trial->last - trial->first >= than->last - than->first && trial->strain < than->strain;
}

/* From the ends of a judged trial a geometry that weighs them so that strain does not rise to one of them. Torsions stay in their wells: nothing is
 * heated. Where that does not help, the model is as it was. next: zero, and zero again. */
static cardo_status balance_ends(trials *t, cardo_motion_trial *trial, cardo_motion_trial *next,
                                 cardo_error *error)
{
    cardo_status status;
    const cardo_shared_balance balance = {.iterations = t->model.options->how.reference,
                                          .to_last = strain_to_last(trial)};
    cardo_shared_geometry before = t->geometry;
    bool settled, begun = false;
    t->geometry = (cardo_shared_geometry){0};
    CARDO_TRY(settle_with(t, trial, &balance, &settled, error));
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

/* Where strain is above half of what a model may have. */
static cardo_status balance(trials *t, cardo_motion_trial *trial, cardo_error *error)
{
    cardo_status status;
    cardo_motion_trial *next = NULL;
    CARDO_TRY(CARDO_ALLOCATE(&next, 1, error));
    CARDO_TRY(cardo_motion_trial_judge(t->path, t->model.options->how.reference, t->listener, trial,
                                       error));
    if (is_through(t, trial) && t->model.settled && cardo_motion_trial_has_strain(trial) &&
        trial->strain > CARDO_REFERENCE_MOST / 2)
        status = balance_ends(t, trial, next, error);
done:
    cardo_free(next);
    return status;
}

static cardo_status try_flexible(trials *t, cardo_motion_trial *trial, cardo_error *error)
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
    CARDO_TRY(lead_leaping(t, trial, error));
    if (!isfinite(trial->strain))
        CARDO_TRY(cardo_motion_trial_judge(t->path, t->model.options->how.reference, t->listener,
                                           trial, error));
    CARDO_TRY(
        cardo_trial_places_write(trial, t->model.options->name, t->model.options->writer, error));
    status = keep_verdict(&t->model, trial, error);
done:
    if (first)
        cardo_motion_trial_clear(first);
    cardo_free(first);
    return status;
}

static cardo_status try_all(trials *t, cardo_motion_trial *trial, cardo_error *error)
{
    cardo_status status;
    t->nresidue = t->model.inputs->two->structure[0].structure->nresidue;
    CARDO_TRY(CARDO_ALLOCATE(&t->motion, t->nresidue, error));
    CARDO_TRY(CARDO_ALLOCATE(&t->turning, t->nresidue, error));
    if (t->model.giving) {
        status = try_flexible(t, trial, error);
    } else {
        CARDO_TRY(run(t, false, false, NULL, trial, error));
        status = keep_verdict(&t->model, trial, error);
    }
done:
    cardo_free(t->motion);
    cardo_free(t->turning);
    return status;
}

/* Where the motion that was tried can be gone again from. */
static cardo_status fill_places(const trials *t, const cardo_motion_trial *trial,
                                cardo_result *into, cardo_error *error)
{
    static const cardo_quantity places = {"places_file", .style = "s"};
    char name[300], *path = NULL;
    if (trial->nrow == 0)
        return CARDO_OK;
    snprintf(name, sizeof name, "%.280s.places.csv", t->model.options->name);
    const cardo_status status = cardo_domain_place(t->model.options->writer, name, &path, error);
    if (status == CARDO_OK)
        cardo_result_text(into, &places, path);
    cardo_free(path);
    return status;
}

static void fill_settled(const trials *t, cardo_result *into)
{
    static const cardo_quantity
        file = {"settled_file", "domains at rest at both ends"},
        moved = {"settled_moved_A", "its heavy atoms were moved by", "A", ".2f"},
        fall = {"settled_fall_kJ_per_mol",
                "energies of all atoms at both ends fell by, the last time,", "kJ/mol", ".0f"},
        apart = {"settled_rise_kJ_per_mol", "then the last end is above the first by", "kJ/mol",
                 "+.0f"};
    const cardo_shared_geometry *g = &t->geometry;
    if (!t->model.settled)
        return;
    cardo_result_text(into, &file, t->settled);
    cardo_result_number(into, &moved, 10 * t->moved);
    cardo_result_number(into, &fall, g->before[0] + g->before[1] - g->after[0] - g->after[1]);
    cardo_result_number(into, &apart, g->after[1] - g->after[0]);
}

/* Why not, in the result and in the model. */
static cardo_status tell_untried(trials *t, const char *why, cardo_result *into, cardo_error *error)
{
    static const cardo_quantity flexible = {"untried_flexible"};
    char note[CARDO_TRIAL_TEXT + 40];
    cardo_result_remark(into, "not_tried", CARDO_RESULT_NOTE, why, NULL);
    cardo_result_truth(into, &flexible, t->model.giving != NULL);
    cardo_format(note, sizeof note, "the motion to it was not tried: %.*s", CARDO_TRIAL_TEXT, why);
    t->model.tried = note;
    return cardo_domain_model_write(&t->model, error);
}

cardo_status cardo_domain_model_try(const cardo_domain_model *model, const char *path,
                                    const cardo_listener *listener, cardo_result *into,
                                    cardo_error *error)
{
    trials t = {.model = *model, .path = path, .listener = listener};
    cardo_motion_trial *trial;
    cardo_error found = {0};
    cardo_status status = CARDO_ALLOCATE(&trial, 1, error);
    if (status != CARDO_OK)
        return status;
    status = try_all(&t, trial, &found);
    if (status == CARDO_OK)
        status = fill_places(&t, trial, into, &found);
    if (status == CARDO_OK) {
        fill_settled(&t, into);
        cardo_motion_trial_fill(trial, into);
    } else if (status != CARDO_ERROR_MEMORY) {
        status = tell_untried(&t, found.message, into, error);
    } else if (error) {
        *error = found;
    }
    cardo_motion_trial_clear(trial);
    cardo_free(trial);
    cardo_free(t.settled);
    cardo_led_torsions_clear(&t.led);
    cardo_shared_geometry_clear(&t.geometry);
    return status;
}
