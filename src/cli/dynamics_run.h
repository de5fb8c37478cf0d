/* What the studies that make dynamics share: options, run folder, loop, summary.
 *
 * Use: claim; set session (built), verb and columns; then options, create, perform, conclude, clear.
 */
#ifndef CARDO_CLI_DYNAMICS_RUN_H
#define CARDO_CLI_DYNAMICS_RUN_H

#include "cli/opening.h"
#include "cli/run_folder.h"
#include "cli/start.h"
#include "dynamics/simulation.h"
#include "io/recorder.h"
#include "study/session/session.h"
#include "study/session/strain.h"
#include "study/session/study_options.h"

enum { CARDO_MOST_INTEGRATOR_OPTIONS = 1024, CARDO_MOST_TALLIED = 16 };

/* The command-line options of these studies; suffix: what their run folders' names end in. */
#define CARDO_DYNAMICS_OPTIONS(suffix)                                                             \
    {"out", 'o', "FOLDER", "run folder (default: the model file's name with " suffix ")"},         \
        {"continue", 'c', NULL,                                                                    \
         "go on from the folder's checkpoint, bitwise as if never stopped, with the options that " \
         "the run was begun with: only what is new is said, such as --set VERB.steps=N"},          \
        {"force", 'f', NULL, "start over although the folder holds a run"}, CARDO_START_OPTIONS,   \
        CARDO_MODEL_OPTIONS,                                                                       \
    {                                                                                              \
        "quiet", 'q', NULL, "no progress and no summary"                                           \
    }

/* What a run showed, gathered step by step, also over the parts of a run that was continued: numbers that checkpoints
 * keep. */
typedef struct cardo_tally {
    double count, temperature, first_conserved, last_conserved, lowest_potential, highest_potential;
    double low[CARDO_MOST_TALLIED], high[CARDO_MOST_TALLIED], sum[CARDO_MOST_TALLIED];
} cardo_tally;

/* More numbers that checkpoints keep, of the verb's own. */
typedef struct cardo_remembered {
    const char *name;
    double *values;
    int count;
} cardo_remembered;

/* All that one run needs, with one owner. Zero-initialise. */
typedef struct cardo_dynamics_run {
    cardo_session *session;
    const char *verb; /* whose element and options these are                              */
    const cardo_integrator *integrator;
    cardo_simulation_options options;
    cardo_recorder_options files;
    cardo_strain_options strain;
    const cardo_recorder_columns *columns; /* more of the table's; NULL: none               */
    const cardo_observer *last; /* called after all others, the recorder among them; NULL: nobody */
    union {
        max_align_t align;
        char bytes[CARDO_MOST_INTEGRATOR_OPTIONS];
    } integrator_options;
    cardo_simulation *simulation;
    cardo_recorder *recorder;
    cardo_run_folder home;
    const char *folder;           /* its path */
    const cardo_command *command; /* to be obeyed: the run's own and what is said anew */
    char *extra; /* lines that a checkpoint must agree with                               */
    cardo_tally tally;
    int ntallied;
    int tallied[CARDO_MOST_TALLIED]; /* coordinates */
    int nremembered;
    cardo_remembered remembered[2];
    cardo_end end;
    const char *outcome; /* what the summary calls the end in place of "done"; NULL: that  */
    long long first;     /* step from which this part went on */
    long long steps;     /* of this part                                                      */
    double seconds;
} cardo_dynamics_run;

/* Chooses and locks the run folder (--out or the model's name with the suffix), and with --continue takes the options
 * that the run there was begun with: run->command is obeyed from then on. */
cardo_status cardo_dynamics_claim(const cardo_command *command, cardo_dynamics_run *run,
                                  const char *suffix, cardo_error *error);

/* Reads the study's options: the simulation's, the recorder's, the integrator's and nown of the
 * study's own. integrator already set: it is that one; else the option "integrator", or langevin. */
cardo_status cardo_dynamics_options(cardo_dynamics_run *run, int nown,
                                    const cardo_option_target *own, cardo_error *error);

/* Start place, of which a strain is told and what is impossible refused (study/session/strain.h), what is going to run said on standard output (unless --quiet), force table where one is wanted, and
 * simulation; of a run that goes on, that its options are those of before. */
cardo_status cardo_dynamics_create(cardo_dynamics_run *run, int nown,
                                   const cardo_option_target *own, cardo_error *error);

/* Makes the folder and its manifest, runs from the start or the checkpoint to the end, or to a signal (run->end says),
 * and closes the files, also on failure. */
cardo_status cardo_dynamics_perform(cardo_dynamics_run *run, int nown,
                                    const cardo_option_target *own, cardo_error *error);

/* The summary; drawn: whether there are pictures. */
void cardo_dynamics_conclude(const cardo_dynamics_run *run, bool drawn);

/* CARDO_ERROR_INTERRUPTED, with how to go on, where a signal ended the run. */
cardo_status cardo_dynamics_interruption(const cardo_dynamics_run *run, cardo_error *error);

void cardo_dynamics_clear(cardo_dynamics_run *run);

#endif
