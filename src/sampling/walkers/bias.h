/* Bias potentials V(xi) of one collective variable: each kind a const descriptor.
 *
 * What a bias is and what has been added to it are plain numbers, so that a checkpoint holds them
 * and every member of a communicator makes the same ones. */
#ifndef CARDO_SAMPLING_WALKERS_BIAS_H
#define CARDO_SAMPLING_WALKERS_BIAS_H

#include "base/status.h"

typedef struct cardo_bias_potential cardo_bias_potential;

typedef struct cardo_bias_kind {
    const char *name; /* one word                                                            */
    const char *doc;  /* one line                                                            */
    /* V at xi, kJ/mol, and its slope dV/dxi, kJ/mol per unit of xi. Reads the bias's numbers alone
     * and allocates nothing: it is called at every step. */
    double (*evaluate)(const cardo_bias_potential *bias, double xi, double *slope);
} cardo_bias_kind;

struct cardo_bias_potential {
    const cardo_bias_kind *kind;
    double period;  /* of xi, 0: none                                                        */
    int nvalue;     /* set once                                                              */
    double *values; /* the kind's own: its header or file says what they are (nvalue), owned */
};

extern const cardo_bias_kind cardo_bias_none, cardo_bias_harmonic;

/* All kinds, NULL-terminated: a checkpoint names a kind by its place, so new ones go to the end. */
extern const cardo_bias_kind *const cardo_bias_kinds[];

/* The numbers of `harmonic`, V = stiffness/2 (xi - centre)^2, over the nearest image where xi has a
 * period. */
enum { CARDO_HARMONIC_CENTRE, CARDO_HARMONIC_STIFFNESS, CARDO_HARMONIC_VALUES };

/* A bias with nvalue numbers, zero. The caller clears it. */
cardo_status cardo_bias_create(cardo_bias_potential *bias, const cardo_bias_kind *kind,
                               double period, int nvalue, cardo_error *error);
/* Frees the numbers; a zeroed bias is fine. */
void cardo_bias_clear(cardo_bias_potential *bias);

static inline double cardo_bias_evaluate(const cardo_bias_potential *bias, double xi, double *slope)
{
    return bias->kind->evaluate(bias, xi, slope);
}

/* a - b, over the nearest image where period > 0. */
double cardo_periodic_difference(double a, double b, double period);

#endif
