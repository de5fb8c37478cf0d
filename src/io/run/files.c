#include "cardo/files.h"

#include "base/memory.h"
#include "io/run/run.h"

struct cardo_files {
    char *study;
    cardo_run run;
};

cardo_status cardo_files_open(const char *path, const char *study, bool start_over,
                              cardo_files **out, cardo_error *error)
{
    cardo_status status;
    cardo_files *self;
    *out = NULL;
    CARDO_TRY(CARDO_ALLOCATE(&self, 1, error));
    status = cardo_copy_string(&self->study, study, error);
    if (status == CARDO_OK)
        status = cardo_run_claim(&self->run,
                                 &(cardo_run_request){.path = path,
                                                      .study = self->study,
                                                      .start_over = start_over,
                                                      .writes = true,
                                                      .words = {.go_on = "nothing",
                                                                .start_over = "start_over",
                                                                .elsewhere = "another path"}},
                                 error);
    if (status == CARDO_OK)
        *out = self;
    else
        cardo_files_close(self);
done:
    return status;
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
