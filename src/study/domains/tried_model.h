/* A model that was written, tried: how far along its paths it is good is told, and stands in its file. */
#ifndef CARDO_STUDY_DOMAINS_TRIED_MODEL_H
#define CARDO_STUDY_DOMAINS_TRIED_MODEL_H

#include "base/result.h"
#include "study/domains/model.h"
#include "study/session/listener.h"

/* Adds "trial" (study/domains/motion_trial.h) and writes the model anew with its verdict as a note. A model without
 * paths, or whose energy has no terms to look at, is not tried, and "not_tried" says why. */
cardo_status cardo_domain_model_try(const cardo_domain_model *model, const char *path,
                                    const cardo_listener *listener, cardo_result *into,
                                    cardo_error *error);

#endif
