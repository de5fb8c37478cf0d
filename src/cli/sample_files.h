/* The files of a study's results, and what they say in words. */
#ifndef CARDO_CLI_SAMPLE_FILES_H
#define CARDO_CLI_SAMPLE_FILES_H

#include "analysis/free_energy_verdict.h"
#include "cli/sample_run.h"
#include "cli/scan_table.h"

typedef struct cardo_sample_results {
    cardo_estimate estimate;
    cardo_verdict verdict;
    char words[4096]; /* the verdict's lines */
    bool drawn, wrote_u_kn;
    cardo_scan_words scan; /* of a scan */
} cardo_sample_results;

/* Estimates, judges, and writes pmf.csv, states.csv, windows.csv, overlap.csv, convergence.csv, u_kn.npy
 * with N_k.npy, scan.csv, plot.gp and the pictures, as far as the method has them. By the first of
 * the team alone. Zero-initialise *results; the caller clears results->estimate. */
cardo_status cardo_sample_write(cardo_sample_run *run, cardo_sample_results *results,
                                cardo_error *error);

/* The largest error bar of the profile where F is below `highest` kT, and where it is; kT. */
double cardo_sample_worst(const cardo_estimate *estimate, double highest, double *xi);

#endif
