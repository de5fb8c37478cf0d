/* Studies: what can be done with a session, each a const descriptor in a file of its own, listed below. A program
 * or a host finds one by name, hands in a session and options, and gets a result in memory. */
#ifndef CARDO_STUDY_SESSION_STUDY_H
#define CARDO_STUDY_SESSION_STUDY_H

#include "cardo/study.h"

#include "base/field.h"
#include "base/result.h"
#include "base/writer.h"
#include "structure/atoms/frame_reader.h"
#include "study/session/option_choices.h"
#include "study/session/session.h"

/* What a study needs: forces; or no model, as it works on structure files that its options name, and the session is for
 * its listener alone (cardo_session_create); or no more than a model (cardo_session_options.model_alone). */
enum { CARDO_STUDY_NEEDS_FORCES = 1, CARDO_STUDY_TAKES_FILES = 2, CARDO_STUDY_TAKES_MODEL = 4 };

/* Files that a study is about, in its options: borrowed. */
typedef struct cardo_study_inputs {
    int count;
    const char *const *path;
} cardo_study_inputs;

/* A table of options, and where in the study's options the struct is that it fills. */
typedef struct cardo_study_fields {
    const cardo_field *fields;
    size_t offset;
} cardo_study_fields;

struct cardo_study_said;

/* The other studies, for one that runs them: cardo_session_run and cardo_study_find. */
typedef struct cardo_study_runner {
    cardo_status (*run)(cardo_session *session, const char *study, const cardo_run_options *options,
                        cardo_result **out, cardo_error *error);
    const cardo_study *(*find)(const char *name);
} cardo_study_runner;

struct cardo_study {
    const char *name, *doc; /* "energy", and one line                                             */
    unsigned needs;         /* CARDO_STUDY_NEEDS_...                                              */
    size_t options_size;    /* of its options struct; 0: it has none                              */
    cardo_study_fields options[CARDO_STUDY_MOST_TABLES]; /* ends with fields NULL, or is full     */
    const cardo_option_group
        *groups; /* all tables with their titles, for help; ends with a title of NULL */
    /* Where in the options what the host hands in is: cardo_study_inputs, const cardo_writer *; none comes first. 0:
     * it takes none */
    size_t inputs, writer, frames; /* frames: const cardo_frame_reader *, of trajectories */
    size_t
        runner; /* const cardo_study_runner *, of a study that runs others: they are not known to it by the table, which has it too */
    int most_inputs;        /* files that it takes, at least one; 0: as many as there are */
    const char *checkpoint; /* the file that its runs go on from; NULL: they cannot */

    /* Of a study in whose options words choose kinds (a method, an integrator), in place of options: the choices,
     * NULL-terminated, and what takes chosen[c] of choice c and lists the tables with what they fill; returns how many.
     * Tables without an object may stand in a model file unread. */
    const cardo_option_choice *const *choices;
    int (*choose)(void *options, const int *chosen,
                  cardo_option_target target[CARDO_STUDY_MOST_TABLES]);

    /* Notes which options were not said, by the model file or by texts, where that is not what their defaults are. NULL:
     * nothing to note. */
    void (*take_unsaid)(const struct cardo_study_said *said, void *options);

    /* Changes the session as the options want it: other joints, of which a place may then be chosen. Does nothing the second
     * time. NULL: nothing is to be changed. */
    cardo_status (*prepare)(cardo_session *session, const void *options, cardo_error *error);

    /* Where the session's state stands; what is told goes to the session's listener. Fills a group. Files, where there are
     * any, are written through what the options hand in. */
    cardo_status (*run)(cardo_session *session, const void *options, cardo_result *into,
                        cardo_error *error);
};

/* The studies, in the order of the table: a new one is a file of src/study or one of its rooms, and a line here. */
// clang-format off
#define CARDO_STUDIES(X) \
    X(check) \
    X(conformations) \
    X(distances) \
    X(domains) \
    X(drive) \
    X(energy) \
    X(fit) \
    X(handoff) \
    X(info) \
    X(minimize) \
    X(modes) \
    X(prepare) \
    X(sample) \
    X(saxs) \
    X(scan) \
    X(simulate) \
    X(transition)
// clang-format on
#define CARDO_STUDIES_DECLARE(name) extern const cardo_study cardo_study_##name;
CARDO_STUDIES(CARDO_STUDIES_DECLARE)
#undef CARDO_STUDIES_DECLARE

/* All studies, NULL-terminated. */
extern const cardo_study *const cardo_studies[];

/* Fills a study's options (options_size bytes, zero before): defaults, then what the model's element of that name says, then
 * noption texts "name=value". A study that takes files may be read without a session. An unknown name is
 * CARDO_ERROR_USAGE with the nearest one. */
cardo_status cardo_study_read_options(const cardo_study *study, const cardo_session *session,
                                      int noption, const char *const *option, void *options,
                                      cardo_error *error);

/* What was said of a study's options while they are read, and whether it said this one. */
typedef struct cardo_study_said cardo_study_said;
bool cardo_study_is_said(const cardo_study_said *said, const char *name);

/* Runs a study with these options (options_size bytes; NULL: defaults and what the model file says). A session without the
 * forces that it needs is refused with why there are none. */
cardo_status cardo_study_run(const cardo_study *study, cardo_session *session, const void *options,
                             cardo_result *into, cardo_error *error);

#endif
