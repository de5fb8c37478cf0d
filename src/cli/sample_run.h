/* cardo sample, what every member does: options, model, study, rounds and checkpoints. */
#ifndef CARDO_CLI_SAMPLE_RUN_H
#define CARDO_CLI_SAMPLE_RUN_H

#include "cli/opening.h"
#include "cli/run_folder.h"
#include "cli/sample_series.h"
#include "cli/start.h"
#include "cli/variable_options.h"
#include "sampling/study/replicas.h"
#include "study/dynamics/dynamics.h"

#define CARDO_SAMPLE_CHECKPOINT "checkpoint.cardo"

/* Options that are no one else's. */
typedef struct cardo_sample_options {
    char states[CARDO_FIELD_STRING_SIZE];
    int bins, bootstrap, parts;
    double checkpoint; /* s */
    double target;     /* kT */
    int u_kn;
} cardo_sample_options;

extern const cardo_field cardo_sample_fields[];

/* All that a run needs, with one owner. Zero-initialise. */
typedef struct cardo_sample_run {
    const cardo_command *command; /* to be obeyed: the run's own and what is said anew */
    cardo_communicator *communicator;
    cardo_session *session;
    cardo_sample_options own;
    cardo_variable_options chosen; /* the variable */
    cardo_variable *variable;
    cardo_state *other_start; /* of replicas, or NULL */
    cardo_simulation_options simulation;
    const cardo_integrator *integrator;
    union {
        max_align_t align;
        char bytes[CARDO_MOST_INTEGRATOR_OPTIONS];
    } integrator_options;
    cardo_sampling_options options;
    const cardo_sampling_method *method;
    union {
        max_align_t align;
        char bytes[2048];
    } method_options;
    cardo_estimate_request request;
    cardo_replicas *replicas;
    cardo_sampling *sampling;                        /* the first of them, borrowed */
    cardo_sampling_listener listener;                /* to preparation */
    cardo_sample_series series[CARDO_MOST_REPLICAS]; /* of each replica; the first member's */
    cardo_run_folder home;
    const char *folder; /* its path */
    char *checkpoint, *extra, *identity;
    bool quiet; /* says nothing: asked to, or not the first member */
    cardo_end end;
    double written; /* s: when the checkpoint was, by the monotonic clock */
    double seconds;
} cardo_sample_run;

/* The tables of options and what they fill; the last one, of the integrator, may have no fields. */
enum { CARDO_SAMPLE_TARGETS = 6 };
void cardo_sample_targets(cardo_sample_run *run, cardo_option_target targets[CARDO_SAMPLE_TARGETS]);
/* Chooses and, in the first member, locks the run folder, and with --continue takes the options that the run there was
 * begun with: run->command is obeyed from then on. Every member learns of a refusal. */
cardo_status cardo_sample_claim(cardo_sample_run *run, cardo_error *error);
/* Reads the options of <sample>; the session is built. */
cardo_status cardo_sample_read_options(cardo_sample_run *run, cardo_error *error);
/* The study, made; also the run folder. */
cardo_status cardo_sample_create(cardo_sample_run *run, cardo_error *error);
/* Runs to the end or a signal, from the beginning or the folder's checkpoint. */
cardo_status cardo_sample_perform(cardo_sample_run *run, cardo_error *error);
void cardo_sample_clear(cardo_sample_run *run);

/* Whether this is the member that writes files. */
bool cardo_sample_is_first(const cardo_sample_run *run);

#endif
