/* A verb of a study: from the command line to the study's options, and from its result to words, JSON and an exit
 * status. Such a verb is data: its row of options says which option of the study each stands for (cardo_option.sets), and
 * a cardo_study_verb how its result reads.
 *
 *     static const cardo_study_verb of_study = {.study = "energy", .say = say};
 *     const cardo_verb cardo_verb_energy = {..., .study = &of_study, .run = cardo_study_verb_run};
 *
 * In order: the run folder is claimed (--out, --force, --continue), where the study writes files; the session opened with
 * --set and all options that are short for a setting; the study run (cardo_session_run) with its options, from where the
 * state was placed (--at, --from), with writer and communicator; its pictures drawn; the result said, or printed as JSON (--json), or
 * neither (--quiet). */
#ifndef CARDO_CLI_FRAME_STUDY_VERB_H
#define CARDO_CLI_FRAME_STUDY_VERB_H

#include "cli/frame/settings.h"
#include <cardo/result.h>
#include <cardo/study.h>

enum { CARDO_ONE_A_CORE = -1 };

/* A file of a run folder: its name, with * where its ending has several forms, and what it is, a sentence of
 * the result. It is named where it is there; plot.gp only where it could not be run. */
typedef struct cardo_study_file {
    const char *name, *what;
} cardo_study_file;

/* Options of the command whose values are names of files (cardo/named_files.h); NULL: there is none. */
typedef struct cardo_study_names {
    const char *table, *structures, *model;
    bool needed;   /* one of them must be there                       */
    bool replaces; /* what is there, without --force                 */
} cardo_study_names;

/* Sentences are those of cardo/result_text.h. All but the study may be NULL. */
typedef struct cardo_study_verb {
    const char *study;  /* its name */
    const char *wants;  /* of a study of files: "one structure file is needed" */
    const char *suffix; /* of its run folders, ".minimized", where it writes files             */
    cardo_study_names named; /* where it writes files that their user names, and no run folder   */
    bool
        ends_well; /* signals end it in good order, though it writes no run folder: what was found until then is written */
    int processes; /* that share the work where --processes says nothing: 1, or CARDO_ONE_A_CORE; 0: it
                               is never shared                                                   */

    /* Adds what the command says to the study in other words, "from=0" of "--scan mobile=0:1:41". */
    cardo_status (*adopt)(const cardo_command *command, cardo_setting_list *texts,
                          cardo_error *error);

    /* What the forces are, of the head of what begins (cardo_listener.begin); NULL: who computes them, and how. */
    const char *opening;

    /* Of a study that wrote a folder, when its pictures are drawn: adds to the files, and to the result what it added. NULL: nothing. */
    cardo_status (*add_files)(const cardo_command *command, const char *folder,
                              cardo_result *result, cardo_error *error);

    /* Parts of the result as they come, on standard output (cardo_listener.part). */
    void (*say_part)(const cardo_result *part);

    /* The summary on standard output: a sentence, then what no sentence says, or without both the study's own report
     * (cardo_result_report); then what may be done next, a sentence; then the files. */
    const char *sentence;
    void (*say)(const cardo_command *command, const cardo_result *result);
    const char *next;
    const cardo_study_file *files; /* ends with a name of NULL */

    /* Whether a result that was printed is a failure all the same; NULL: where it was "interrupted". */
    cardo_status (*judge)(const cardo_result *result, cardo_error *error);
} cardo_study_verb;

/* "minimized.*" as it is in a folder: with the first of the endings that are there; false: with none. */
bool cardo_study_file_find(const char *folder, const char *name, char found[64]);

/* Runs command->verb->study. */
cardo_status cardo_study_verb_run(const cardo_command *command, cardo_error *error);

#endif
