#include "cardo/files.h"

#include "base/memory.h"
#include "io/run/run.h"

struct cardo_files {
    char *study;
    cardo_run run;
};

static const char *words(const char *given, const char *otherwise)
{
    return given ? given : otherwise;
}

cardo_status cardo_files_open_as(const char *path, const char *study,
                                 const cardo_files_options *options, cardo_files **out,
                                 cardo_error *error)
{
    cardo_status status;
    cardo_files *self = NULL;
    cardo_files_options how = {0};
    *out = NULL;
    CARDO_TRY(
        cardo_take_sized(options, options->size, &how, sizeof how, "cardo_files_options", error));
    CARDO_TRY(CARDO_ALLOCATE(&self, 1, error));
    CARDO_TRY(cardo_copy_string(&self->study, study, error));
    const cardo_run_request request = {
        .path = path,
        .study = self->study,
        .checkpoint = how.checkpoint,
        .go_on = how.go_on,
        .start_over = how.start_over,
        .writes = !how.reads,
        .words = {.go_on = words(how.go_on_words, "go_on"),
                  .start_over = words(how.start_over_words, "start_over"),
                  .elsewhere = words(how.elsewhere_words, "another path")}};
    CARDO_TRY(cardo_run_claim(&self->run, &request, error));
    *out = self;
    self = NULL;
done:
    cardo_files_close(self);
    return status;
}

cardo_status cardo_files_open(const char *path, const char *study, bool start_over,
                              cardo_files **out, cardo_error *error)
{
    const cardo_files_options options = {.size = sizeof options, .start_over = start_over};
    return cardo_files_open_as(path, study, &options, out, error);
}

const char *cardo_files_path(const cardo_files *folder)
{
    return folder->run.folder.path;
}

const char *cardo_files_said(const cardo_files *folder, const char *name)
{
    return cardo_run_said(&folder->run, name);
}

bool cardo_files_start(const cardo_files *folder, int nq, double *q)
{
    return cardo_run_start(&folder->run, nq, q);
}

void cardo_files_repeat(cardo_files *folder, const char *program, const char *version,
                        const char *command, const char *command_folder)
{
    cardo_run_repeat(&folder->run, &(cardo_repetition){program, version, command, command_folder});
}

bool cardo_files_kept(const cardo_files *folder)
{
    return folder->run.worth;
}

const cardo_writer *cardo_files_writer(const cardo_files *folder)
{
    return &folder->run.writer;
}

void cardo_files_close(cardo_files *folder)
{
    if (!folder)
        return;
    cardo_run_close(&folder->run);
    cardo_free(folder->study);
    cardo_free(folder);
}
