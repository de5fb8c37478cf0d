#include "io/run/run.h"

#include "base/memory.h"
#include "base/output.h"
#include "io/tables/force_table_file.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static cardo_status lock(cardo_run *self, cardo_error *error)
{
    char holder[64], reason[CARDO_ERROR_MESSAGE_SIZE];
    snprintf(holder, sizeof holder, "cardo %s", self->request.study);
    const cardo_status status = cardo_lock_folder(self->folder.path, holder, &self->lock, error);
    if (status != CARDO_ERROR_FILE || !error)
        return status;
    snprintf(reason, sizeof reason, "%s", error->message);
    return CARDO_FAIL(error, status, "%.1500s; %s goes elsewhere", reason,
                      self->request.words.elsewhere);
}

/* Whether what is there lets the study begin. */
static cardo_status check_state(const cardo_run *self, bool continues, bool wanted,
                                cardo_error *error)
{
    const cardo_run_words *words = &self->request.words;
    if (wanted || self->request.start_over || !cardo_run_files_found(self->folder.path))
        return CARDO_OK;
    return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                      "%s: holds a run already; %s%s%s starts over, %s goes elsewhere",
                      self->folder.path, continues ? words->go_on : "",
                      continues ? " goes on with it, " : "", words->start_over, words->elsewhere);
}

static cardo_status take_up(cardo_run *self, cardo_error *error)
{
    char *path = NULL;
    cardo_status status =
        cardo_folder_path(self->folder.path, self->request.checkpoint, NULL, &path, error);
    if (status != CARDO_OK)
        return status;
    self->goes_on = cardo_file_exists(path);
    cardo_free(path);
    self->before = cardo_record_read(self->folder.path);
    self->forced = !self->goes_on;
    if (self->goes_on || self->before)
        return CARDO_OK;
    return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                      "%s: holds no checkpoint to continue from; run without %s", self->folder.path,
                      self->request.words.go_on);
}

/* Makes the folder where it is not there, and locks it. */
static cardo_status open_folder(cardo_run *self, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    if (self->opened)
        return CARDO_OK;
    if (!self->lock) {
        CARDO_TRY(cardo_make_folders(self->folder.path, &self->nmade, error));
        CARDO_TRY(lock(self, error));
        /* Another run may have come and gone since the folder was looked for. */
        CARDO_TRY(check_state(self, false, self->forced || self->goes_on, error));
    }
    self->opened = true;
    cardo_run_files_note(self->folder.path, &self->noted);
done:
    return status;
}

static cardo_status claim(void *user, cardo_error *error)
{
    return open_folder(user, error);
}

static cardo_status check(void *user, const cardo_record *record, cardo_error *error)
{
    const cardo_run *self = user;
    return self->goes_on && self->before
               ? cardo_record_check(self->before, record, self->request.words.elsewhere, error)
               : CARDO_OK;
}

/* The study whose run stood there goes by its own record. */
static void remove_former(cardo_run *self)
{
    cardo_json *former = cardo_record_read(self->folder.path);
    cardo_run_files_remove(self->folder.path, self->request.study,
                           former ? cardo_json_text(former, "study") : NULL, self->tabulated, NULL);
    cardo_json_free(former);
    cardo_run_files_note(self->folder.path, &self->noted);
}

static cardo_status begin(void *user, const cardo_record *record, cardo_error *error)
{
    cardo_run *self = user;
    cardo_status status = open_folder(self, error);
    if (status != CARDO_OK)
        return status;
    cardo_run_files_tidy(self->folder.path);
    if (self->forced)
        remove_former(self);
    return record ? cardo_record_write(self->folder.path, record, &self->repetition,
                                       self->goes_on ? self->before : NULL, error)
                  : CARDO_OK;
}

static void keep(void *user, bool worth)
{
    cardo_run *self = user;
    self->worth = worth;
}

static cardo_status read_forces(void *user, const char *identity, bool *same,
                                cardo_force_table **out, cardo_error *error)
{
    cardo_run *self = user;
    self->tabulated = true;
    return self->forces.read(self->forces.user, identity, same, out, error);
}

static cardo_status write_forces(void *user, const char *identity, const cardo_force_table *table,
                                 const char *const *names, cardo_error *error)
{
    cardo_run *self = user;
    self->tabulated = true;
    return self->forces.write(self->forces.user, identity, table, names, error);
}

static cardo_status set_store(cardo_run *self, cardo_error *error)
{
    cardo_status status =
        cardo_folder_path(self->folder.path, "forces.table", NULL, &self->forces_path, error);
    if (status != CARDO_OK)
        return status;
    self->forces = cardo_force_table_store(self->forces_path);
    self->shown = self->forces;
    self->shown.user = self;
    self->shown.read = read_forces;
    self->shown.write = write_forces;
    return CARDO_OK;
}

static cardo_status open_part(void *user, const cardo_part *part, const cardo_writer **out,
                              cardo_error *error)
{
    const cardo_run *self = user;
    cardo_run *run = NULL;
    char *path = NULL, *checkpoint = NULL;
    cardo_status status;
    CARDO_TRY(cardo_folder_path(self->folder.path, part->name, NULL, &path, error));
    CARDO_TRY(cardo_folder_path(path, part->checkpoint ? part->checkpoint : "", NULL, &checkpoint,
                                error));
    CARDO_TRY(CARDO_ALLOCATE(&run, 1, error));
    const bool go_on = part->go_on && part->checkpoint && cardo_file_exists(checkpoint);
    const cardo_run_request request = {.path = path,
                                       .study = part->study,
                                       .checkpoint = part->checkpoint,
                                       .go_on = go_on,
                                       .start_over = !go_on,
                                       .writes = true,
                                       .words = self->request.words};
    CARDO_TRY(cardo_run_claim(run, &request, error));
    cardo_run_repeat(run, &(cardo_repetition){self->repetition.program, self->repetition.version,
                                              part->command, self->repetition.folder});
    *out = &run->writer;
    run = NULL;
done:
    if (run)
        cardo_run_close(run);
    cardo_free(run);
    cardo_free(path);
    cardo_free(checkpoint);
    return status;
}

static void close_part(const cardo_writer *writer)
{
    cardo_run *run = writer->user;
    cardo_run_close(run);
    cardo_free(run);
}

static void set_writer(cardo_run *self)
{
    self->writer = cardo_folder_writer(&self->folder);
    self->writer.user = self; /* of which the folder is the first member */
    if (!self->request.writes)
        self->writer = (cardo_writer){.size = sizeof(cardo_writer),
                                      .user = self,
                                      .place = self->folder.path,
                                      .recall = self->writer.recall};
    self->writer.goes_on = self->goes_on;
    self->writer.force_tables = &self->shown;
    self->writer.check = check;
    if (!self->request.writes)
        return;
    self->writer.claim = claim;
    self->writer.begin = begin;
    self->writer.keep = keep;
    self->writer.open_part = open_part;
    self->writer.close_part = close_part;
}

cardo_status cardo_run_claim(cardo_run *self, const cardo_run_request *request, cardo_error *error)
{
    struct stat info;
    cardo_status status = CARDO_OK;
    const bool wanted = request->checkpoint && request->go_on;
    self->request = *request;
    self->forced = request->start_over;
    CARDO_TRY(cardo_copy_string(&self->folder.path, request->path, error));
    self->request.path = self->folder.path;
    if (wanted && self->forced)
        return CARDO_FAIL(error, CARDO_ERROR_USAGE,
                          "%s goes on with a run and %s starts over: choose one",
                          request->words.go_on, request->words.start_over);
    const bool there = stat(self->folder.path, &info) == 0;
    if (there && !S_ISDIR(info.st_mode))
        return CARDO_FAIL(error, CARDO_ERROR_FILE, "%s: is no folder: choose another one with %s",
                          self->folder.path, request->words.elsewhere);
    if (there && request->writes)
        CARDO_TRY(lock(self, error));
    if (there && request->writes)
        CARDO_TRY(check_state(self, request->checkpoint != NULL, wanted, error));
    if (wanted)
        CARDO_TRY(take_up(self, error));
    CARDO_TRY(set_store(self, error));
    set_writer(self);
done:
    return status;
}

const char *cardo_run_said(const cardo_run *self, const char *name)
{
    return self->before ? cardo_json_text(self->before, name) : NULL;
}

bool cardo_run_start(const cardo_run *self, int nq, double *q)
{
    const cardo_json *start = self->before ? cardo_json_member(self->before, "start") : NULL;
    if (!self->goes_on || !start || nq == 0 || cardo_json_length(start) != nq)
        return false;
    for (int k = 0; k < nq; ++k)
        q[k] = cardo_json_element(start, k);
    return true;
}

void cardo_run_repeat(cardo_run *self, const cardo_repetition *repetition)
{
    self->repetition = *repetition;
}

void cardo_run_close(cardo_run *self)
{
    if (self->opened && !self->goes_on && !self->worth)
        cardo_run_files_remove(self->folder.path, self->request.study, NULL, false, &self->noted);
    cardo_lock_release(self->lock);
    if (!self->worth)
        cardo_unmake_folders(self->folder.path ? self->folder.path : "", self->nmade);
    cardo_json_free(self->before);
    cardo_free(self->forces_path);
    cardo_free(self->folder.path);
    *self = (cardo_run){0};
}
