#include "study/domains/tried_model.h"

#include "base/memory.h"
#include "study/domains/motion_trial.h"

#include <stdio.h>

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

cardo_status cardo_domain_model_try(const cardo_domain_model *model, const char *path,
                                    const cardo_listener *listener, cardo_result *into,
                                    cardo_error *error)
{
    cardo_motion_trial *trial;
    cardo_error found = {0};
    cardo_status status = CARDO_ALLOCATE(&trial, 1, error);
    if (status != CARDO_OK)
        return status;
    status = cardo_motion_trial_run(path, model->giving != NULL, model->options->how.iterations,
                                    listener, trial, &found);
    if (status == CARDO_OK) {
        cardo_motion_trial_fill(trial, into);
        status = keep_verdict(model, trial, error);
    } else if (status == CARDO_ERROR_MEMORY) {
        *error = found;
    } else {
        cardo_result_remark(into, "not_tried", CARDO_RESULT_NOTE, found.message, NULL);
        status = CARDO_OK;
    }
    cardo_free(trial);
    return status;
}
