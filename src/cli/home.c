#include "cli/home.h"

#include "base/memory.h"
#include "cli/start.h"
#include "cli/version.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static cardo_status choose_name(const cardo_command *command, const char *suffix, char **path,
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

/* --continue: what the run was begun with becomes part of the command. */
static cardo_status take_up(cardo_home *self, cardo_error *error)
{
    bool known;
    cardo_status status =
        cardo_continuation_read(&self->continuation, &self->run, self->command, &known, error);
    if (status == CARDO_OK && known)
        self->command = &self->continuation.command;
    return status;
}

cardo_status cardo_home_claim(cardo_home *self, const cardo_command *command, const char *suffix,
                              const char *checkpoint, bool writes, cardo_error *error)
{
    cardo_status status;
    char *path = NULL;
    self->command = command;
    CARDO_TRY(choose_name(command, suffix, &path, error));
    const cardo_run_request request = {.path = path,
                                       .study = command->verb->name,
                                       .checkpoint = checkpoint,
                                       .go_on = cardo_command_has(command, "continue"),
                                       .start_over = cardo_command_has(command, "force"),
                                       .writes = writes,
                                       .words = {"--continue", "--force", "--out FOLDER"}};
    CARDO_TRY(cardo_run_claim(&self->run, &request, error));
    CARDO_TRY(take_up(self, error));
    CARDO_TRY(cardo_command_text(self->command, &self->text, error));
    self->here = getcwd(NULL, 0);
    cardo_run_repeat(&self->run,
                     &(cardo_repetition){"cardo", cardo_version_text(), self->text, self->here});
done:
    cardo_free(path);
    return status;
}

cardo_status cardo_home_place(const cardo_home *self, cardo_session *session, cardo_error *error)
{
    double *q;
    const int nq = cardo_system_nq(session->system);
    cardo_status status = CARDO_ALLOCATE(&q, nq, error);
    if (status != CARDO_OK)
        return status;
    status = cardo_run_start(&self->run, nq, q) ? cardo_session_set_coordinates(session, q, error)
                                                : cardo_start_place(self->command, session, error);
    cardo_free(q);
    return status;
}

void cardo_home_close(cardo_home *self)
{
    cardo_run_close(&self->run);
    cardo_continuation_clear(&self->continuation);
    cardo_free(self->text);
    free(self->here);
    *self = (cardo_home){0};
}
