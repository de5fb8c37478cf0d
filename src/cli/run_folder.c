#include "cli/run_folder.h"

#include "base/memory.h"
#include "cli/manifest.h"
#include "cli/start.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

cardo_status cardo_run_folder_name(const cardo_command *command, const char *suffix, char **path,
                                   cardo_error *error)
{
    const char *given = cardo_command_value(command, "out");
    *path = NULL;
    if (given && !*given)
        return CARDO_FAIL(error, CARDO_ERROR_USAGE, "--out needs the name of a folder");
    if (given)
        return cardo_copy_string(path, given, error);
    if (command->nargument != 1)
        return CARDO_FAIL(error, CARDO_ERROR_USAGE, "cardo %s needs one model file: cardo %s %s",
                          command->verb->name, command->verb->name, command->verb->synopsis);
    const char *slash = strrchr(command->argument[0], '/');
    const char *name = slash ? slash + 1 : command->argument[0];
    size_t n = strlen(name), size = n + strlen(suffix) + 1;
    if (n > 4 && strcmp(name + n - 4, ".xml") == 0)
        n -= 4;
    cardo_status status = cardo_allocate((void **)path, size, 1, error);
    if (status == CARDO_OK)
        snprintf(*path, size, "%.*s%s", (int)n, name, suffix);
    return status;
}

cardo_status cardo_run_folder_path(const char *folder, const char *name, char **out,
                                   cardo_error *error)
{
    size_t n = strlen(folder) + strlen(name) + 2;
    cardo_status status = cardo_allocate((void **)out, n, 1, error);
    if (status == CARDO_OK)
        snprintf(*out, n, "%s/%s", folder, name);
    return status;
}

const char *cardo_run_folder_structure(const char *folder, const char *stem)
{
    char path[4200];
    snprintf(path, sizeof path, "%s/%s.cif", folder, stem);
    return cardo_file_exists(path) ? "cif" : "pdb";
}

cardo_status cardo_run_folder_output(const char *folder, const char *name, cardo_output *output,
                                     cardo_error *error)
{
    char *path = NULL;
    cardo_status status = cardo_run_folder_path(folder, name, &path, error);
    if (status == CARDO_OK)
        status = cardo_output_open(output, path, error);
    cardo_free(path);
    return status;
}

static cardo_status lock(cardo_run_folder *self, cardo_error *error)
{
    char holder[64];
    snprintf(holder, sizeof holder, "cardo %s", self->command->verb->name);
    return cardo_lock_folder(self->path, holder, &self->lock, error);
}

/* Whether what is there lets the command go on. */
static cardo_status check_state(cardo_run_folder *self, bool continues, bool wanted,
                                cardo_error *error)
{
    const bool ran = cardo_run_files_found(self->path);
    if (wanted || !ran || cardo_command_has(self->command, "force"))
        return CARDO_OK;
    return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                      "%s: holds a run already; %s--force starts over, --out FOLDER goes elsewhere",
                      self->path, continues ? "--continue goes on with it, " : "");
}

/* --continue: what the run was begun with becomes part of the command. */
static cardo_status take_up(cardo_run_folder *self, const char *checkpoint, cardo_error *error)
{
    char *path = NULL;
    cardo_status status;
    CARDO_TRY(cardo_run_folder_path(self->path, checkpoint, &path, error));
    self->go_on = cardo_file_exists(path);
    CARDO_TRY(cardo_continuation_read(&self->continuation, self->path, self->command, error));
    if (!self->go_on && !self->continuation.stored) {
        status = CARDO_FAIL(error, CARDO_ERROR_INPUT,
                            "%s: holds no checkpoint to continue from; run without --continue",
                            self->path);
        goto done;
    }
    self->forced = !self->go_on;
    if (self->continuation.stored)
        self->command = &self->continuation.command;
done:
    cardo_free(path);
    return status;
}

cardo_status cardo_run_folder_claim(cardo_run_folder *self, const cardo_command *command,
                                    char *path, const char *checkpoint, bool first,
                                    cardo_error *error)
{
    struct stat info;
    cardo_status status = CARDO_OK;
    const bool wanted = checkpoint && cardo_command_has(command, "continue");
    self->path = path;
    self->command = command;
    self->first = first;
    self->forced = cardo_command_has(command, "force");
    if (wanted && self->forced)
        return CARDO_FAIL(error, CARDO_ERROR_USAGE,
                          "--continue goes on with a run and --force starts over: choose one");
    const bool there = stat(path, &info) == 0;
    if (there && !S_ISDIR(info.st_mode))
        return CARDO_FAIL(error, CARDO_ERROR_FILE,
                          "%s: is no folder: choose another one with --out", path);
    if (there && first)
        CARDO_TRY(lock(self, error));
    if (there && first)
        CARDO_TRY(check_state(self, checkpoint != NULL, wanted, error));
    if (wanted)
        CARDO_TRY(take_up(self, checkpoint, error));
done:
    return status;
}

cardo_status cardo_run_folder_open(cardo_run_folder *self, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    if (!self->first || self->opened)
        return CARDO_OK;
    if (!self->lock) {
        CARDO_TRY(cardo_make_folders(self->path, &self->nmade, error));
        CARDO_TRY(lock(self, error));
        /* Another run may have come and gone since the folder was looked for. */
        CARDO_TRY(check_state(self, false, self->forced || self->go_on, error));
    }
    self->opened = true;
    cardo_run_files_note(self->path, &self->noted);
done:
    return status;
}

cardo_status cardo_run_folder_begin(cardo_run_folder *self, bool keeps_table, cardo_error *error)
{
    cardo_status status = cardo_run_folder_open(self, error);
    char verb[32];
    if (status != CARDO_OK || !self->first)
        return status;
    cardo_run_files_tidy(self->path);
    if (!self->forced)
        return CARDO_OK;
    CARDO_TRY(cardo_manifest_verb(self->path, verb, error));
    cardo_run_files_remove(self->path, self->command->verb->name, verb, keeps_table, NULL);
    cardo_run_files_note(self->path, &self->noted);
done:
    return status;
}

void cardo_run_folder_close(cardo_run_folder *self)
{
    if (self->opened && !self->go_on && !self->begun)
        cardo_run_files_remove(self->path, self->command->verb->name, NULL, false, &self->noted);
    cardo_lock_release(self->lock);
    if (!self->begun)
        cardo_unmake_folders(self->path ? self->path : "", self->nmade);
    cardo_continuation_clear(&self->continuation);
    cardo_free(self->path);
    *self = (cardo_run_folder){0};
}

cardo_status cardo_run_folder_place(const cardo_run_folder *self, cardo_session *session,
                                    cardo_error *error)
{
    bool placed = false;
    if (self->go_on) {
        cardo_status status =
            cardo_continuation_place(&self->continuation, session, &placed, error);
        if (status != CARDO_OK || placed)
            return status;
    }
    return cardo_start_place(self->command, session, error);
}
