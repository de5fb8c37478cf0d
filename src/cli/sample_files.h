/* The files of a study's results, and what they say in words. */
#ifndef CARDO_CLI_SAMPLE_FILES_H
#define CARDO_CLI_SAMPLE_FILES_H

#include "analysis/free_energy/verdict.h"
#include "cli/sample_run.h"
#include "cli/scan_table.h"

typedef struct cardo_sample_results {
    cardo_estimate estimate;                  /* of all replicas together */
    cardo_estimate part[CARDO_MOST_REPLICAS]; /* of each */
    int nreplica;
    cardo_verdict verdict;
    char words[8192]; /* the verdict's lines */
    bool drawn, wrote_u_kn;
    cardo_scan_words scan; /* of a scan */
} cardo_sample_results;

/* Estimates, judges, and writes pmf.csv, states.csv, windows.csv, overlap.csv, convergence.csv, u_kn.npy
 * with N_k.npy, scan.csv, plot.gp and the pictures, as far as the method has them. By the first
 * member alone. Zero-initialise *results. */
cardo_status cardo_sample_write(cardo_sample_run *run, cardo_sample_results *results,
                                cardo_error *error);

void cardo_sample_results_clear(cardo_sample_results *results);

/* The largest error bar of the profile where F is below `highest` kT, and where it is; kT. */
double cardo_sample_worst(const cardo_estimate *estimate, double highest, double *xi);

#endif
