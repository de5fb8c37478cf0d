#include "cli/frame/home.h"

#include "cli/frame/start.h"
#include "cli/frame/version.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Of the files that folders are named after. */
static const char *const endings[] = {".xml", ".pdb", ".cif", ".ent", NULL};

static cardo_status choose_name(const cardo_command *command, const cardo_study *study,
                                const char *suffix, char **path, cardo_error *error)
{
    const char *given = cardo_command_value(command, "out");
    *path = NULL;
    if (given && !*given)
        return CARDO_FAIL(error, CARDO_ERROR_USAGE, "--out needs the name of a folder");
    if (!given && command->nargument != 1 && !cardo_study_takes_files(study))
        return CARDO_FAIL(error, CARDO_ERROR_USAGE, "cardo %s needs one model file: cardo %s %s",
                          command->verb->name, command->verb->name, command->verb->synopsis);
    const char *slash = given ? NULL : strrchr(command->argument[0], '/');
    const char *name = given ? given : slash ? slash + 1 : command->argument[0];
    size_t n = strlen(name), size = n + strlen(suffix) + 1;
    if (!given && cardo_study_takes_files(study)) /* FILE#MODEL:CHAIN */
        n = strcspn(name, "#");
    for (int k = 0; !given && endings[k]; ++k)
        if (n > 4 && strncmp(name + n - 4, endings[k], 4) == 0) {
            n -= 4;
            break;
        }
    *path = malloc(size);
    if (!*path)
        return CARDO_FAIL(error, CARDO_ERROR_MEMORY, "no memory for the name of a folder");
    snprintf(*path, size, "%.*s%s", (int)n, name, given ? "" : suffix);
    return CARDO_OK;
}

/* --continue: what the run was begun with becomes part of the command. */
static cardo_status take_up(cardo_home *self, cardo_error *error)
{
    bool known;
    cardo_status status =
        cardo_continuation_read(&self->continuation, self->files, self->command, &known, error);
    if (status == CARDO_OK && known)
        self->command = &self->continuation.command;
    return status;
}

cardo_status cardo_home_claim(cardo_home *self, const cardo_command *command,
                              const cardo_study *study, const char *suffix, bool writes,
                              cardo_error *error)
{
    cardo_status status;
    char *path = NULL;
    const cardo_files_options options = {.size = sizeof options,
                                         .checkpoint = cardo_study_checkpoint(study),
                                         .go_on = cardo_command_has(command, "continue"),
                                         .start_over = cardo_command_has(command, "force"),
                                         .reads = !writes,
                                         .go_on_words = "--continue",
                                         .start_over_words = "--force",
                                         .elsewhere_words = "--out FOLDER"};
    self->command = command;
    CARDO_TRY(choose_name(command, study, suffix, &path, error));
    CARDO_TRY(cardo_files_open_as(path, cardo_study_name(study), &options, &self->files, error));
    CARDO_TRY(take_up(self, error));
    CARDO_TRY(cardo_command_text(self->command, &self->text, error));
    self->here = getcwd(NULL, 0);
    cardo_files_repeat(self->files, "cardo", cardo_version_text(), self->text, self->here);
done:
    free(path);
    return status;
}

cardo_status cardo_home_place(const cardo_home *self, cardo_session *session, cardo_error *error)
{
    const int nq = cardo_system_nq(cardo_session_system(session));
    double *q = calloc((size_t)nq + 1, sizeof *q);
    if (!q)
        return CARDO_FAIL(error, CARDO_ERROR_MEMORY, "no memory for %d coordinates", nq);
    cardo_status status = cardo_files_start(self->files, nq, q)
                              ? cardo_session_set_coordinates(session, q, error)
                              : cardo_start_place(self->command, session, error);
    free(q);
    return status;
}

void cardo_home_close(cardo_home *home)
{
    cardo_files_close(home->files);
    cardo_continuation_clear(&home->continuation);
    free(home->text);
    free(home->here);
    *home = (cardo_home){0};
}
