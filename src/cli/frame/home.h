/* Where a command's study writes and starts: --out, --continue, --force, --from and --at. */
#ifndef CARDO_CLI_FRAME_HOME_H
#define CARDO_CLI_FRAME_HOME_H

#include "cli/frame/continuation.h"
#include <cardo/files.h>
#include <cardo/session.h>

/* The options; suffix: what the names of such folders end in ("lao.run"). The first for every study that writes a folder,
 * the second for those that can go on. */
#define CARDO_HOME_OPTIONS(suffix)                                                                 \
    {"out", 'o', "FOLDER", "results folder (default: the model file's name with " suffix ")"},     \
    {                                                                                              \
        "force", 'f', NULL, "overwrite earlier results there"                                      \
    }

/* The same of those that can go on. */
#define CARDO_RUN_OPTIONS(suffix)                                                                  \
    {"out", 'o', "FOLDER", "run folder (default: the model file's name with " suffix ")"},         \
        {"continue", 'c', NULL,                                                                    \
         "go on from the folder's checkpoint, bitwise as if never stopped, with the options that " \
         "the run was begun with: give only what is new, such as --steps N"},                      \
    {                                                                                              \
        "force", 'f', NULL, "start over although the folder holds a run"                           \
    }

/* Zero-initialise. */
typedef struct cardo_home {
    cardo_files *files; /* NULL: none was claimed */
    const cardo_command
        *command; /* to be obeyed: with --continue how the run was begun, and what is said anew */
    cardo_continuation continuation;
    char *text, *here; /* the command as run.json has it, and where it was given */
} cardo_home;

/* Chooses the folder: --out, or the model file's name with the suffix in place of .xml, where the command runs; and claims
 * it (cardo/files.h) for a study. writes: this is the process that does (other members learn name and command). */
cardo_status cardo_home_claim(cardo_home *home, const cardo_command *command,
                              const cardo_study *study, const char *suffix, bool writes,
                              cardo_error *error);

/* Puts the session where the study starts: where a run that goes on started, else by --from and --at. */
cardo_status cardo_home_place(const cardo_home *home, cardo_session *session, cardo_error *error);

void cardo_home_close(cardo_home *home);

#endif
