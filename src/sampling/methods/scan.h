/* What the method `scan` leaves beside its profile: configurations along the variable.
 *
 * As the start stands, or relaxed: the energy minimized in all other coordinates, each place beginning
 * where its neighbour came to. A relaxed scan goes from the start to the end of the range, down to its
 * beginning, and up again: where the two ways differ the profile depends on where one comes from. */
#ifndef CARDO_SAMPLING_METHODS_SCAN_H
#define CARDO_SAMPLING_METHODS_SCAN_H

#include "dynamics/minimization.h"
#include "sampling/sampling.h"

typedef enum cardo_scan_pass { CARDO_SCAN_UP, CARDO_SCAN_DOWN } cardo_scan_pass;

typedef struct cardo_scan_options {
    int places;
    int relaxed;                      /* 0 or 1                                                  */
    cardo_minimization_options reach; /* of the minimizations                                    */
} cardo_scan_options;

/* One place; q is borrowed from the study. */
typedef struct cardo_scan_place {
    double xi;
    const double *q;  /* (nq)                                                                    */
    double potential; /* U, kJ/mol                                                               */
    bool reached;     /* relaxed: the minimum was found there                                    */
} cardo_scan_place;

/* The options of a study by scan. */
const cardo_scan_options *cardo_scan_options_of(const cardo_sampling *sampling);
/* Place k of a finished study, from 0. UP is all that a scan has which is not relaxed. */
cardo_scan_place cardo_scan_place_at(const cardo_sampling *sampling, cardo_scan_pass pass, int k);

#endif
