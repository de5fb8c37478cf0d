/* Studies: what can be done with a session. A host runs one by its name, with options "name=value", and gets a result in
 * memory. */
#ifndef CARDO_STUDY_H
#define CARDO_STUDY_H

#include <cardo/field.h>
#include <cardo/result.h>
#include <cardo/session.h>
#include <cardo/writer.h>

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cardo_study cardo_study;

/* All studies, NULL-terminated; by name ("minimize"), or NULL. */
CARDO_API const cardo_study *const *cardo_study_list(void);
CARDO_API const cardo_study *cardo_study_find(const char *name);
/* Its name, one line of help, whether it needs forces, and whether it is about files rather than a model: then it is given them
 * and a session of cardo_session_create. */
CARDO_API const char *cardo_study_name(const cardo_study *study);
CARDO_API const char *cardo_study_doc(const cardo_study *study);
CARDO_API bool cardo_study_needs_forces(const cardo_study *study);
CARDO_API bool cardo_study_takes_files(const cardo_study *study);
/* Whether it needs no more than a session that was opened with model_alone. */
CARDO_API bool cardo_study_takes_model(const cardo_study *study);
/* Whether it may be given so many files (cardo_run_options.input); studies that are of none take no notice of them. */
CARDO_API bool cardo_study_takes(const cardo_study *study, int nfile);
/* The file that a run of it goes on from ("checkpoint.cardo"), for cardo_files_options; NULL: such runs cannot go on. */
CARDO_API const char *cardo_study_checkpoint(const cardo_study *study);
enum { CARDO_STUDY_MOST_TABLES = 12 };

/* Its options, for help: tables, each of which ends with a row whose name is NULL. Words that choose among kinds, such as
 * "method=umbrella", have their kind's options there; option: those that are not the default. */
CARDO_API cardo_status cardo_study_option_tables(const cardo_study *study, int noption,
                                                 const char *const *option, int *ntable,
                                                 const cardo_field *table[CARDO_STUDY_MOST_TABLES],
                                                 cardo_error *error);

/* The same for help, without a choice: tables of all kinds, each with a title ("<sample> options of method=\"umbrella\"").
 * Ends with a title of NULL; NULL: there are none. */
typedef struct cardo_option_group {
    const char *title;
    const cardo_field *fields;
} cardo_option_group;
CARDO_API const cardo_option_group *cardo_study_option_groups(const cardo_study *study);

/* The options whose word chooses a kind with options of its own: the c-th one's name ("method"); NULL after the last. */
CARDO_API const char *cardo_study_choice_name(const cardo_study *study, int c);

/* The k-th word that it may have, the one that it has where nothing is said at k = -1; NULL after the last. c must be one. */
CARDO_API const char *cardo_study_choice_word(const cardo_study *study, int c, int k);

/* How a study is run. Zero-initialise and set size. */
typedef struct cardo_run_options {
    size_t size; /* sizeof(cardo_run_options): it may grow */
    int noption;
    const char *const *option; /* "iterations=100", in place of the defaults and of what a model
                                  file says; the last one of a name wins            (noption)   */
    int ninput;
    const char *const
        *input; /* files, of a study that takes files (cardo_study_takes_files)      (ninput)   */
    const cardo_writer *writer; /* through which it writes files; NULL: it writes none */
    /* Called when the session is as the options want it (they may free its joints) and before the study begins: puts
     * the state where it starts. NULL: it starts where the state stands. user is handed to it */
    cardo_status (*place)(void *user, cardo_session *session, cardo_error *error);
    void *user;
    /* What reads trajectories among the files (cardo_trajectory_reader); NULL: there are none */
    const cardo_frame_reader *frames;
} cardo_run_options;

/* Runs a study by its name where the session's state stands; options may be NULL. What is told on the way goes to the session's
 * listener. An unknown study or option is CARDO_ERROR_USAGE with the nearest name; a session without the forces that it needs is
 * refused with why there are none. The caller owns *out (cardo_result_destroy), NULL after a failure; but of a study that failed when it was under way and still
 * tells what it came to there is a result then too, which has "interrupted". */
CARDO_API cardo_status cardo_session_run(cardo_session *session, const char *study,
                                         const cardo_run_options *options, cardo_result **out,
                                         cardo_error *error);

#ifdef __cplusplus
}
#endif

#endif
