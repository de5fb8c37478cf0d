/* The orientational average as a sum over directions: what grows with the number of atoms, not with its square. */
#ifndef CARDO_EXPERIMENT_SAXS_DIRECTIONS_H
#define CARDO_EXPERIMENT_SAXS_DIRECTIONS_H

#include "base/pool.h"
#include "experiment/saxs/partials.h"
#include "experiment/saxs/scatterers.h"

/* The degree up to which directions must average exactly, so that what a pair at distance D scatters at q errs by less than a tolerance:
 * the plane wave's part of degree l vanishes beyond l = x + 1.8 d^(2/3) x^(1/3), x = q D, d digits (the excess bandwidth of
 * multipole methods: Chew et al. 2001, Fast and Efficient Algorithms in Computational Electromagnetics, eq. 3.64). */
int cardo_direction_degree(double x, double tolerance);

/* How many directions that are; half of a sphere, as I(-q) = I(q). */
long cardo_direction_count(double x, double tolerance);

/* The six partial profiles at nq values of q (1/nm), out[nq x CARDO_PARTIALS], as of Debye's sum (debye.h) to about
 * tolerance (1e-1 to 1e-12) of I(q). Amplitudes of all directions are summed over the atoms and squared: Gauss and Legendre's points in the
 * cosine of the polar angle, equal steps around. pool as there. */
cardo_status cardo_average_directions(const cardo_scatterers *scatterers, int nq, const double *q,
                                      double tolerance, cardo_pool *pool, double *out,
                                      cardo_error *error);

#endif
