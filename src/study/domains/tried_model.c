#include "study/domains/tried_model.h"

#include "base/memory.h"
#include "base/units.h"
#include "study/domains/motion_trial.h"
#include "study/domains/places.h"

#include <stdio.h>

/* Side chains that turn less than this along the way are tried without, rad; and what that may cost, kJ/mol. */
static const double still = 10 * CARDO_DEGREE, worth = 10;

typedef struct trials {
    const cardo_domain_model *model;
    const char *path;
    const cardo_listener *listener;
    double *motion; /* of side chains (nresidue) */
    bool *turning;  /* (nresidue)                */
    int nresidue;
} trials;

static cardo_status keep_verdict(const cardo_domain_model *model, const cardo_motion_trial *trial,
                                 cardo_error *error)
{
    cardo_domain_model tried = *model;
    char text[CARDO_TRIAL_TEXT], note[CARDO_TRIAL_TEXT + 32];
    snprintf(note, sizeof note, "the motion to it was tried: %s",
             cardo_motion_trial_verdict(trial, text));
    tried.tried = note;
    return cardo_domain_model_write(&tried, error);
}

static cardo_status run(const trials *t, cardo_motion_trial *trial, cardo_error *error)
{
    const cardo_domains_choices *how = &t->model->options->how;
    const cardo_trial_options options = {.minimize = t->model->giving != NULL,
                                         .iterations = how->iterations,
                                         .heat = how->heat,
                                         .motion = t->motion};
    return cardo_motion_trial_run(t->path, &options, t->listener, trial, error);
}

static bool is_worse(const cardo_motion_trial *trial, const cardo_motion_trial *than)
{
    return trial->ended[0] || trial->interrupted ||
           trial->last - trial->first < than->last - than->first ||
           trial->rise > than->rise + worth;
}

/* Freezes the side chains that hardly turn, all at once, and thaws them where that costs something. */
static cardo_status freeze_still(const trials *t, cardo_motion_trial *trial, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    cardo_domain_model fewer = *t->model;
    cardo_motion_trial *again = NULL;
    int frozen = 0;
    fewer.turning = t->turning;
    for (int r = 0; r < t->nresidue; ++r) {
        t->turning[r] = t->motion[r] >= still && !t->model->giving[r];
        frozen += t->motion[r] >= 0 && t->motion[r] < still && !t->model->giving[r];
    }
    if (!frozen || trial->interrupted || trial->ended[0])
        return keep_verdict(t->model, trial, error);
    CARDO_TRY(CARDO_ALLOCATE(&again, 1, error));
    CARDO_TRY(cardo_domain_model_write(&fewer, error));
    CARDO_TRY(run(t, again, error));
    if (is_worse(again, trial)) {
        status = keep_verdict(t->model, trial, error);
    } else {
        cardo_motion_trial_clear(trial);
        *trial = *again;
        *again = (cardo_motion_trial){0};
        status = keep_verdict(&fewer, trial, error);
    }
done:
    if (again)
        cardo_motion_trial_clear(again);
    cardo_free(again);
    return status;
}

static cardo_status try_all(trials *t, cardo_motion_trial *trial, cardo_error *error)
{
    cardo_status status;
    t->nresidue = t->model->inputs->two->structure[0].structure->nresidue;
    CARDO_TRY(CARDO_ALLOCATE(&t->motion, t->nresidue, error));
    CARDO_TRY(CARDO_ALLOCATE(&t->turning, t->nresidue, error));
    CARDO_TRY(run(t, trial, error));
    if (!t->model->giving)
        CARDO_TRY(keep_verdict(t->model, trial, error));
    else {
        CARDO_TRY(freeze_still(t, trial, error));
        CARDO_TRY(cardo_trial_places_write(trial, t->model->options->name,
                                           t->model->options->writer, error));
    }
done:
    cardo_free(t->motion);
    cardo_free(t->turning);
    return status;
}

cardo_status cardo_domain_model_try(const cardo_domain_model *model, const char *path,
                                    const cardo_listener *listener, cardo_result *into,
                                    cardo_error *error)
{
    trials t = {.model = model, .path = path, .listener = listener};
    cardo_motion_trial *trial;
    cardo_error found = {0};
    cardo_status status = CARDO_ALLOCATE(&trial, 1, error);
    if (status != CARDO_OK)
        return status;
    status = try_all(&t, trial, &found);
    if (status == CARDO_OK) {
        cardo_motion_trial_fill(trial, into);
    } else if (status != CARDO_ERROR_MEMORY) {
        cardo_result_remark(into, "not_tried", CARDO_RESULT_NOTE, found.message, NULL);
        status = CARDO_OK;
    } else if (error) {
        *error = found;
    }
    cardo_motion_trial_clear(trial);
    cardo_free(trial);
    return status;
}
