/* What the verbs that make dynamics share: a run folder, progress, what is said before and after. */
#ifndef CARDO_CLI_DYNAMICS_VERB_H
#define CARDO_CLI_DYNAMICS_VERB_H

#include "cli/verb.h"
#include "study/dynamics/dynamics.h"
#include "study/session/study.h"

/* The command-line options of these verbs; suffix: what their run folders' names end in. */
#define CARDO_DYNAMICS_OPTIONS(suffix)                                                             \
    {"out", 'o', "FOLDER", "run folder (default: the model file's name with " suffix ")"},         \
        {"continue", 'c', NULL,                                                                    \
         "go on from the folder's checkpoint, bitwise as if never stopped, with the options that " \
         "the run was begun with: only what is new is said, such as --set VERB.steps=N"},          \
        {"force", 'f', NULL, "start over although the folder holds a run"}, CARDO_START_OPTIONS,   \
        CARDO_MODEL_OPTIONS, {"json", 'j', NULL, "print JSON"},                                    \
    {                                                                                              \
        "quiet", 'q', NULL, "no progress and no summary"                                           \
    }

/* A verb of that kind; sentences as in io/results/result_text.h. */
typedef struct cardo_dynamics_verb {
    const cardo_study *study;
    size_t dynamics;    /* where the study's options have the cardo_dynamics_options */
    const char *suffix; /* of run folders: ".run" */
    const char
        *before; /* said when it is known what will run, after what all of them say; or NULL */
    void (*after)(const cardo_result *result); /* prints more of a result, at its end; or NULL */
    const char *picture;                       /* "trajectory.png" */
} cardo_dynamics_verb;

cardo_status cardo_dynamics_verb_run(const cardo_command *command, const cardo_dynamics_verb *verb,
                                     cardo_error *error);

#endif
