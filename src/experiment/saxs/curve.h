/* Measured curves: files of q, I and sigma as they come. */
#ifndef CARDO_EXPERIMENT_SAXS_CURVE_H
#define CARDO_EXPERIMENT_SAXS_CURVE_H

#include "base/status.h"

#include <stdbool.h>

typedef struct cardo_curve {
    int n;
    double *q;                 /* 1/nm, rising                 (n) */
    double *intensity, *sigma; /* in the file's unit           (n) */
    bool nanometres;           /* the file's q are in 1/nm, else in 1/A              */
    bool unit_said;            /* the file says so; else it was guessed from its range  */
    bool errors_made;          /* the file has no errors: sigma was made of the scatter   */
    int headers;               /* lines in front that are no rows                     */
    int negative;              /* rows whose intensity is not above zero, which count  */
    int without_error;         /* rows left out since their error is not above zero    */
    int sorted;                /* rows that were out of order                          */
} cardo_curve;

enum { CARDO_CURVE_UNIT_FOUND_OUT, CARDO_CURVE_PER_ANGSTROM, CARDO_CURVE_PER_NM };

/* Reads a file of three columns and more (q, I, sigma; what follows is left alone), or of two; lines that do not begin with two numbers are headers,
 * comments or the end. sasCIF's loop _sas_scan_intensity is read too. unit: one of CARDO_CURVE_...; found out from a
 * header, or from the largest q: above 1.2 it can only be 1/nm. Fewer than 10 rows, numbers that are none, the same q twice or
 * negative q are CARDO_ERROR_INPUT with line and remedy. Zero-initialise *out; the caller clears it. */
cardo_status cardo_curve_read(const char *path, int unit, cardo_curve *out, cardo_error *error);
void cardo_curve_clear(cardo_curve *curve);

/* Leaves out rows with q (1/nm) below low or above high. */
cardo_status cardo_curve_cut(cardo_curve *curve, double low, double high, cardo_error *error);

#endif
