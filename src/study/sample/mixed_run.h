/* A run by method "mixed", as its files share it. */
#ifndef CARDO_STUDY_SAMPLE_MIXED_RUN_H
#define CARDO_STUDY_SAMPLE_MIXED_RUN_H

#include "study/sample/mixed_hinges.h"
#include "study/sample/run.h"

typedef struct mixed_run {
    sample_run *run; /* the caller's */
    cardo_mixed_hinges hinges;
    cardo_force_provider *provider;
    cardo_mixed *mixed;
    cardo_series *colvar, *trajectory; /* or NULL */
    int nsample, room;
    double *xi; /* values of the variable since burn-in                     (nsample) */
    bool interrupted;
} mixed_run;

#endif
