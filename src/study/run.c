#include "study/session/study.h"

#include "base/memory.h"
#include "base/text.h"
#include "study/motion/motion.h"

#include <string.h>

static cardo_status find(const char *name, const cardo_study **out, cardo_error *error)
{
    *out = cardo_study_find(name);
    if (*out)
        return CARDO_OK;
    char hint[CARDO_NEAR_TEXT];
    cardo_near near = {.name = name};
    for (const cardo_study *const *study = cardo_studies; *study; ++study)
        cardo_near_try(&near, (*study)->name);
    return CARDO_FAIL(error, CARDO_ERROR_USAGE, "there is no study '%s'%s", name,
                      cardo_near_hint(&near, hint));
}

cardo_status cardo_session_run(cardo_session *session, const char *study,
                               const cardo_run_options *options, cardo_result **out,
                               cardo_error *error)
{
    cardo_status status;
    cardo_run_options how = {0};
    const cardo_study *kind;
    void *own = NULL;
    *out = NULL;
    if (options)
        CARDO_TRY(
            cardo_take_sized(options, options->size, &how, sizeof how, "cardo_run_options", error));
    CARDO_TRY(find(study, &kind, error));
    CARDO_TRY(cardo_allocate(&own, kind->options_size + 1, 1, error));
    CARDO_TRY(cardo_study_read_options(kind, session, how.noption, how.option, own, error));
    if (kind->inputs) {
        const cardo_study_inputs inputs = {how.ninput, how.input};
        memcpy((char *)own + kind->inputs, &inputs, sizeof inputs);
    }
    if (kind->writer)
        memcpy((char *)own + kind->writer, &how.writer, sizeof how.writer);
    if (kind->frames)
        memcpy((char *)own + kind->frames, &how.frames, sizeof how.frames);
    if (kind->runner) {
        static const cardo_study_runner runner = {cardo_session_run, cardo_study_find};
        const cardo_study_runner *others = &runner;
        memcpy((char *)own + kind->runner, &others, sizeof others);
    }
    if (kind->prepare)
        CARDO_TRY(kind->prepare(session, own, error));
    if (how.place)
        CARDO_TRY(how.place(how.user, session, error));
    CARDO_TRY(cardo_result_create(out, error));
    status = cardo_study_run(kind, session, own, *out, error);
    if (status == CARDO_OK && kind->writer)
        status = cardo_motion_write(session, *out, how.writer, error);
done:
    if (status != CARDO_OK && !(*out && cardo_result_find(*out, "interrupted"))) {
        cardo_result_destroy(*out);
        *out = NULL;
    }
    cardo_free(own);
    return status;
}
