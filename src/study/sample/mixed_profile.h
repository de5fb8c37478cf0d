/* The free energy along a variable that was sampled without a bias. */
#ifndef CARDO_STUDY_SAMPLE_MIXED_PROFILE_H
#define CARDO_STUDY_SAMPLE_MIXED_PROFILE_H

#include "study/sample/mixed_run.h"

/* Adds what the samples make, with standard errors that know of correlation, and what is to be thought of it. */
cardo_status cardo_mixed_profile_fill(const mixed_run *run, cardo_result *into, cardo_error *error);

#endif
