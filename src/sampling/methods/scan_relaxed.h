/* The course of a relaxed scan, a place a round. */
#ifndef CARDO_SAMPLING_METHODS_SCAN_RELAXED_H
#define CARDO_SAMPLING_METHODS_SCAN_RELAXED_H

#include "sampling/methods/method.h"
#include "sampling/methods/scan.h"

/* Finds the rounds that it takes. */
cardo_status cardo_scan_relaxed_open(cardo_sampling *sampling, cardo_error *error);
/* Numbers that it keeps. */
int cardo_scan_relaxed_count(const cardo_sampling *sampling);
/* Made by the first walker of the study, which stands at the start. */
cardo_status cardo_scan_relaxed_begin(cardo_sampling *sampling, cardo_error *error);
/* The next place: the first member goes there, and tells the others. */
cardo_status cardo_scan_relaxed_advance(cardo_sampling *sampling,
                                        const volatile sig_atomic_t *interrupt, cardo_end *end,
                                        cardo_error *error);
void cardo_scan_relaxed_close(cardo_sampling *sampling);

cardo_scan_place cardo_scan_relaxed_place(const cardo_sampling *sampling, cardo_scan_pass pass,
                                          int k);
/* Where place k of the range is. */
double cardo_scan_xi(const cardo_sampling *sampling, int k);

#endif
