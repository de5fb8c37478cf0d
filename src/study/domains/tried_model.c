#include "study/domains/tried_model.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/number.h"
#include "study/domains/attempt.h"
#include "study/domains/places.h"

#include <stdio.h>
#include <string.h>

typedef struct tried {
    cardo_domain_attempt attempt; /* the better one */
    cardo_motion_trial trial;     /* of it          */
    char other[CARDO_TRIAL_TEXT]; /* verdict of the other one, or "" */
    bool second;                  /* it is the second one */
} tried;

static cardo_status keep_verdict(tried *t, cardo_error *error)
{
    const cardo_domains_options *options = t->attempt.model.options;
    char text[CARDO_TRIAL_TEXT], note[CARDO_TRIAL_TEXT + 32], start[300];
    snprintf(start, sizeof start, "%.280s.places.csv", options->name);
    if (t->trial.interrupted && t->trial.nrow < CARDO_TRIAL_PLACES)
        snprintf(note, sizeof note, "the motion to it was not tried to its end");
    else
        snprintf(note, sizeof note, "the motion to it was tried: %s",
                 cardo_motion_trial_verdict(&t->trial, text));
    return cardo_domain_attempt_write(&t->attempt, t->trial.nrow > 0 ? start : NULL, note, error);
}

/* *done: it came to an end, and was not told to stop. */
static cardo_status try_heated_once(tried *second, const tried *first, bool *done,
                                    cardo_error *error)
{
    cardo_status status;
    cardo_error found = {0};
    const cardo_domain_attempt *a = &first->attempt;
    *done = false;
    CARDO_TRY(
        cardo_domain_attempt_begin(&a->model, a->path, 0, a->listener, &second->attempt, error));
    CARDO_TRY(cardo_domain_attempt_write(&second->attempt, NULL, NULL, error));
    status = cardo_domain_attempt_run(&second->attempt, &second->trial, &found);
    *done = status == CARDO_OK && !second->trial.interrupted;
    if (status != CARDO_ERROR_MEMORY)
        status = CARDO_OK;
    else if (error)
        *error = found;
done:
    return status;
}

static void clear(tried *t)
{
    cardo_motion_trial_clear(&t->trial);
    cardo_domain_attempt_clear(&t->attempt);
}

/* Wells that heat finds are found by chance. Where those it came to make no whole motion, others are looked for, and the better model is kept. */
static cardo_status try_again(tried *t, cardo_error *error)
{
    cardo_status status;
    tried *other = NULL;
    bool done;
    CARDO_TRY(CARDO_ALLOCATE(&other, 1, error));
    CARDO_TRY(try_heated_once(other, t, &done, error));
    t->trial.interrupted = t->trial.interrupted || other->trial.interrupted;
    const double reference = t->attempt.reference + other->attempt.reference;
    if (done && cardo_motion_trial_is_better(&other->trial, &t->trial)) {
        const tried first = *t;
        *t = *other;
        *other = first;
        t->second = true;
    }
    t->attempt.reference = reference; /* of both */
    if (done)
        cardo_motion_trial_verdict(&other->trial, t->other);
done:
    if (other)
        clear(other);
    cardo_free(other);
    return status;
}

static cardo_status try_model(tried *t, cardo_error *error)
{
    cardo_status status;
    const cardo_domain_model *model = &t->attempt.model;
    CARDO_TRY(cardo_domain_attempt_run(&t->attempt, &t->trial, error));
    if (model->giving && model->options->how.rounds > 0 && model->options->how.heat > 0 &&
        !t->trial.interrupted && (t->trial.nrow == CARDO_TRIAL_PLACES || t->trial.knotted) &&
        !(cardo_motion_trial_is_whole(&t->trial) && cardo_motion_trial_is_closed(&t->trial)))
        CARDO_TRY(try_again(t, error));
    if (model->giving)
        CARDO_TRY(cardo_trial_places_write(&t->trial, model->options->name, model->options->writer,
                                           error));
    status = keep_verdict(t, error);
done:
    return status;
}

/* Where the motion that was tried can be gone again from. */
static cardo_status fill_places(const tried *t, cardo_result *into, cardo_error *error)
{
    static const cardo_quantity places = {"places_file", .style = "s"},
                                sampled = {"sampled_model", .style = "s"};
    char name[300], *path = NULL;
    if (t->trial.nrow == 0)
        return CARDO_OK;
    snprintf(name, sizeof name, "%.280s.places.csv", t->attempt.model.options->name);
    const cardo_status status =
        cardo_domain_place(t->attempt.model.options->writer, name, &path, error);
    if (status == CARDO_OK)
        cardo_result_text(into, &places, path);
    /* Hinges that go by one coordinate do so by a constraint, which equalized masses cannot have. */
    if (status == CARDO_OK && !t->attempt.model.lead)
        cardo_result_text(into, &sampled, t->attempt.path);
    cardo_free(path);
    return status;
}

static void fill_settled(const tried *t, cardo_result *into)
{
    static const cardo_quantity
        file = {"settled_file", "domains at rest at both ends"},
        moved = {"settled_moved_A", "its heavy atoms were moved by", "A", ".2f"},
        fall = {"settled_fall_kJ_per_mol",
                "energies of all atoms at both ends fell by, the last time,", "kJ/mol", ".0f"},
        apart = {"settled_rise_kJ_per_mol", "then the last end is above the first by", "kJ/mol",
                 "+.0f"};
    const cardo_domain_attempt *a = &t->attempt;
    const cardo_shared_geometry *g = &a->geometry;
    if (!a->settled)
        return;
    cardo_result_text(into, &file, a->settled);
    cardo_result_number(into, &moved, 10 * a->moved);
    cardo_result_number(into, &fall, g->before[0] + g->before[1] - g->after[0] - g->after[1]);
    cardo_result_number(into, &apart, g->after[1] - g->after[0]);
}

/* What became of the other attempt. */
static void fill_other(const tried *t, cardo_result *into)
{
    char text[CARDO_TRIAL_TEXT + 80];
    if (!t->other[0])
        return;
    cardo_format(text, sizeof text, "its ends were %s; %s, the model would be %s",
                 t->second ? "heated once" : "annealed", t->second ? "annealed" : "heated once",
                 t->other);
    cardo_result_remark(into, "attempts", CARDO_RESULT_NOTE, text, NULL);
}

/* By the clock, of all trials and geometries. */
static void fill_time(const tried *t, double seconds, cardo_result *into)
{
    static const cardo_quantity all = {"attempts_min", "found in", "min", ".1f"},
                                reference = {"all_atoms_min", "of which all atoms took", "min",
                                             ".1f"};
    if (!t->trial.minimized)
        return;
    cardo_result_number(into, &all, seconds / 60);
    cardo_result_number(into, &reference, t->attempt.reference / 60);
}

/* Why not, in the result and in the model. */
static cardo_status tell_untried(tried *t, const char *why, cardo_result *into, cardo_error *error)
{
    static const cardo_quantity flexible = {"untried_flexible"};
    char note[CARDO_TRIAL_TEXT + 40];
    cardo_result_remark(into, "not_tried", CARDO_RESULT_NOTE, why, NULL);
    cardo_result_truth(into, &flexible, t->attempt.model.giving != NULL);
    cardo_format(note, sizeof note, "the motion to it was not tried: %.*s", CARDO_TRIAL_TEXT, why);
    return cardo_domain_attempt_write(&t->attempt, NULL, note, error);
}

cardo_status cardo_domain_model_try(const cardo_domain_model *model, const char *path,
                                    const cardo_listener *listener, cardo_result *into,
                                    cardo_error *error)
{
    tried *t;
    const double begun = cardo_clock();
    cardo_error found = {0};
    cardo_status status = CARDO_ALLOCATE(&t, 1, error);
    if (status != CARDO_OK)
        return status;
    status = cardo_domain_attempt_begin(model, path, model->options->how.rounds, listener,
                                        &t->attempt, &found);
    if (status == CARDO_OK)
        status = try_model(t, &found);
    if (status == CARDO_OK)
        status = fill_places(t, into, &found);
    if (status == CARDO_OK) {
        cardo_result_truth(into, &(cardo_quantity){"interrupted"}, t->trial.interrupted);
        fill_settled(t, into);
        cardo_motion_trial_fill(&t->trial, into);
        fill_time(t, cardo_clock() - begun, into);
        fill_other(t, into);
    } else if (status != CARDO_ERROR_MEMORY) {
        status = tell_untried(t, found.message, into, error);
    } else if (error) {
        *error = found;
    }
    clear(t);
    cardo_free(t);
    return status;
}
