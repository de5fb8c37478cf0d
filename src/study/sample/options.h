/* Free energies along a variable: the options of study "sample", by any method.
 *
 * Who takes part hands in the session's communicator: every member calls the study alike, and the result is filled in
 * the first one (rank 0) alone. A stop leaves a checkpoint and a result in which "interrupted" is true. */
#ifndef CARDO_STUDY_SAMPLE_OPTIONS_H
#define CARDO_STUDY_SAMPLE_OPTIONS_H

#include "base/writer.h"
#include "dynamics/simulation.h"
#include "sampling/methods/estimate.h"
#include "sampling/methods/method.h"
#include "sampling/mixed/mixed.h"
#include "study/dynamics/masses.h"
#include "study/sample/variable_options.h"

enum { CARDO_SAMPLE_MOST_INTEGRATOR_OPTIONS = 1024 };

/* What is made of the samples. */
typedef struct cardo_profile_options {
    char states[CARDO_FIELD_STRING_SIZE]; /* "from:to from:to ..."                                */
    int bins, bootstrap, parts;
    double checkpoint; /* s                                                                      */
    double target;     /* kT                                                                     */
    int u_kn;
} cardo_profile_options;

extern const cardo_field cardo_profile_fields[];

/* Of method "mixed": moves of hinges and of all atoms by turns, without a bias. */
typedef struct cardo_mixed_study {
    cardo_mixed_options moves;
    long long cycles;   /* after burn-in                             */
    long long interval; /* cycles between rows of COLVAR             */
    long long trajectory_interval, checkpoint_interval;
    int bins;
    double target; /* kT */
} cardo_mixed_study;

/* The study's own options, beside cardo_mixed_fields and cardo_variable_fields. */
extern const cardo_field cardo_mixed_study_fields[];

typedef struct cardo_sample_options {
    const cardo_sampling_method *method; /* NULL: mixed, which has options of its own alone       */
    const cardo_integrator *integrator;  /* of the walkers                                        */
    cardo_profile_options profile;
    cardo_variable_options variable;
    cardo_sampling_options sampling;
    cardo_simulation_options simulation;
    cardo_masses_options masses; /* by which walkers move                                         */
    union {
        max_align_t align;
        char bytes[CARDO_MOST_METHOD_OPTIONS];
    } method_options;
    union {
        max_align_t align;
        char bytes[CARDO_SAMPLE_MOST_INTEGRATOR_OPTIONS];
    } integrator_options;
    cardo_mixed_study mixed;
    const cardo_writer *writer; /* every member has one that reads the same place, or none has    */
} cardo_sample_options;

/* Tables of the options that count, with what they fill; returns how many, at most CARDO_SAMPLE_TABLES. */
enum { CARDO_SAMPLE_TABLES = 7 };
int cardo_sample_tables(cardo_sample_options *options,
                        cardo_option_target target[CARDO_SAMPLE_TABLES]);

/* What is to be estimated; model: for messages; goes_on: from a checkpoint. */
cardo_status cardo_sample_request(const cardo_sample_options *options, const cardo_model *model,
                                  bool goes_on, cardo_estimate_request *request,
                                  cardo_error *error);

#endif
