/* One run of study "sample", as the files of this folder share it. */
#ifndef CARDO_STUDY_SAMPLE_RUN_H
#define CARDO_STUDY_SAMPLE_RUN_H

#include "sampling/study/replicas.h"
#include "study/sample/options.h"
#include "study/sample/series.h"
#include "study/session/session.h"

#define CARDO_SAMPLE_CHECKPOINT "checkpoint.cardo"

typedef struct sample_run {
    cardo_session *session; /* the caller's                                                       */
    cardo_sample_options *options;
    cardo_communicator *communicator;
    const cardo_writer *writer;
    bool first;   /* this member writes files and fills the result                                */
    bool goes_on; /* from a checkpoint                                                            */
    cardo_variable *variable;
    cardo_state *other_start; /* of replicas, or NULL                                             */
    cardo_estimate_request request;
    cardo_replicas *replicas;
    cardo_sampling *sampling;         /* the first of them, borrowed                              */
    cardo_sampling_listener listener; /* to preparation                                           */
    cardo_sample_series series[CARDO_MOST_REPLICAS]; /* of each replica; the first member's       */
    char *forces, *identity; /* lines that a table of forces and a checkpoint must agree with     */
    cardo_end end;
    double elapsed; /* s: preparation and rounds */
    double written; /* s: when the checkpoint was, by the monotonic clock                         */
} sample_run;

#endif
