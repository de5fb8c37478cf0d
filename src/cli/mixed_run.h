/* cardo sample with method="mixed": moves of hinges and of all atoms by turns, without a bias. */
#ifndef CARDO_CLI_MIXED_RUN_H
#define CARDO_CLI_MIXED_RUN_H

#include "cli/run_folder.h"
#include "cli/variable_options.h"
#include "sampling/mixed/mixed.h"

typedef struct cardo_mixed_study {
    cardo_mixed_options mixed;
    cardo_variable_options variable;
    long long cycles;   /* behind burn-in                            */
    long long interval; /* cycles between rows of COLVAR             */
    long long trajectory_interval, checkpoint_interval;
    int bins;
    double target; /* kT */
} cardo_mixed_study;

#define CARDO_MIXED_METHOD "mixed"

/* The study's own options, beside cardo_mixed_fields and cardo_variable_fields. */
extern const cardo_field cardo_mixed_study_fields[];

/* Does the model's study called verb ask for this method? */
bool cardo_mixed_is_wanted(const cardo_model *model, const char *verb);

/* The whole study with its files and words; the session's model is read and the folder claimed, with the command that is
 * obeyed. verb: whose element and options these are. */
cardo_status cardo_mixed_run(cardo_run_folder *home, cardo_session *session, const char *verb,
                             cardo_error *error);

#endif
