/* From a signal of dipolar spectroscopy back to the distances. */
#ifndef CARDO_EXPERIMENT_LABELS_DIPOLAR_INVERSE_H
#define CARDO_EXPERIMENT_LABELS_DIPOLAR_INVERSE_H

#include "base/status.h"

/* A measured signal; times in us, rising or not, of either sign. */
typedef struct cardo_dipolar_trace {
    int n;
    double *time, *value; /* (n) */
} cardo_dipolar_trace;

/* Two columns of a text, t (us) and V (any scale); lines that begin with #, % or letters are passed over. Fewer than 20 points, or what is no number, is
 * CARDO_ERROR_INPUT. Zero-initialise; clear also after a failure. */
cardo_status cardo_dipolar_trace_read(const char *path, cardo_dipolar_trace *out,
                                      cardo_error *error);
void cardo_dipolar_trace_clear(cardo_dipolar_trace *trace);

/* What was found; zero-initialise, release with cardo_dipolar_inverse_clear. */
typedef struct cardo_dipolar_inverse {
    int n;
    double *distance; /* nm (n)                                                                */
    double *density;  /* P, 1/nm; adds up to 1 with the step (n)                               */
    double *sigma;    /* its standard error (n)                                                */
    double *fitted;   /* the signal's (trace->n)                                               */
    double step;      /* nm                                                                    */
    double scale, depth,
        rate;     /* V(0), modulation depth, background's k (1/us)                     */
    double alpha; /* confidence in smoothness                                              */
    double noise; /* standard deviation of the signal's residuals over scale               */
    double mean, mean_sigma, width,
        width_sigma; /* of P, nm                                        */
    double
        reach; /* mean distances up to it can be told from a signal of this length, nm           */
} cardo_dipolar_inverse;

/* The P that minimizes |V - (a + K x) B|^2 + alpha^2 |L x|^2, x not negative, L second differences (Chiang, Borbat & Freed 2005, J. Magn. Reson.
 * 172, 279), with background B = exp(-(k |t|)^(dimension/3)) and constant a fitted in the same least squares, alpha by generalized cross-validation
 * (Golub, Heath & Wahba 1979, Technometrics 21, 215; Edwards & Stoll 2018). Errors by `replicates` signals made of the fit with noise of its
 * residuals, each inverted with its own k: their scatter, and as a second part how far their mean lies from the fit, which is what smoothing takes
 * off once more. reach: 5 nm (t_max / 2 us)^(1/3) (Jeschke 2012, Annu. Rev. Phys. Chem. 63, 419); distances go from 1.5 nm to 1.2 times that. Distances beyond it and a background are
 * alike in the signal: of backgrounds that explain it as well, to the noise's variance in the sum of squares, the fastest is taken. */
cardo_status cardo_dipolar_invert(const cardo_dipolar_trace *trace, double dimension,
                                  int replicates, cardo_dipolar_inverse *out, cardo_error *error);
void cardo_dipolar_inverse_clear(cardo_dipolar_inverse *inverse);

#endif
