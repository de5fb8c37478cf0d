/* A verb of a study: from the command line to the study's options, and from its result to words, JSON and an exit
 * status. Such a verb is data: its row of options says which option of the study each stands for (cardo_option.sets), and
 * a cardo_study_verb how its result reads.
 *
 *     static const cardo_study_verb of_study = {.study = &cardo_study_energy, .say = say};
 *     const cardo_verb cardo_verb_energy = {..., .study = &of_study, .run = cardo_study_verb_run};
 *
 * In order: the run folder is claimed (--out, --force, --continue), where the study writes files; the session opened with
 * --set and all options that are short for a setting; the study's options read; the state placed (--at, --from); the
 * study run, with writer and communicator; its pictures drawn; the result said, or printed as JSON (--json), or
 * neither (--quiet). */
#ifndef CARDO_CLI_STUDY_VERB_H
#define CARDO_CLI_STUDY_VERB_H

#include "base/result.h"
#include "cli/verb.h"
#include "study/session/study.h"

typedef struct cardo_study_verb {
    const cardo_study *study;

    /* Options that are no texts of the study's tables, after these were read; what is put there must outlive the command,
     * as its words do. NULL: there are none. */
    cardo_status (*adopt)(const cardo_command *command, void *options, cardo_error *error);

    /* The summary on standard output: a sentence (io/results/result_text.h), and a function for what no sentence says;
     * either may be NULL. */
    const char *sentence;
    void (*say)(const cardo_command *command, const cardo_result *result);

    /* Whether a result that was printed is a failure all the same; NULL: it is none. */
    cardo_status (*judge)(const cardo_result *result, cardo_error *error);
} cardo_study_verb;

/* Runs command->verb->study. */
cardo_status cardo_study_verb_run(const cardo_command *command, cardo_error *error);

#endif
