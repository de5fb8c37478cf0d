/* What study "sample" says of its samples: profile, states, windows, convergence and verdict. */
#ifndef CARDO_STUDY_SAMPLE_RESULTS_H
#define CARDO_STUDY_SAMPLE_RESULTS_H

#include "study/sample/run.h"

/* Estimates, judges, and fills what there is to say, with the files that it belongs into; by the first member. */
cardo_status cardo_sample_fill(const sample_run *run, cardo_result *into, cardo_error *error);

#endif
