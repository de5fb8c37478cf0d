/* A chart (chart.h) of what constraints leave: as many numbers as there are degrees of freedom.
 *
 * The chart's y splits at its centre into x along the manifold and z across it, orthogonally as M measures it: y = Q (z, x), the
 * first directions of Q spanning the rows of W^T G^T. x is given, and z is what closes the loops, p(q(y)) = 0, by Newton's method: the
 * orthographic retraction of Absil & Malick (2012, SIAM J. Optim. 22, 135), which is one of second order. With [J_z J_x] the
 * independent rows of p by (z, x) at the place of the move, dz = -J_z^-1 J_x dx, so a gradient (g_z, g_x) becomes g_x - J_x^T J_z^-T g_z:
 * exact wherever the chart below it is. Without constraints it is that chart, bit for bit. */
#ifndef CARDO_DYNAMICS_COORDINATES_MANIFOLD_CHART_H
#define CARDO_DYNAMICS_COORDINATES_MANIFOLD_CHART_H

#include "multibody/tree/state.h"

typedef struct cardo_manifold_chart cardo_manifold_chart;

/* Rows of positions only count. The caller owns *out. */
cardo_status cardo_manifold_chart_create(const cardo_system *system, cardo_manifold_chart **out,
                                         cardo_error *error);
void cardo_manifold_chart_destroy(cardo_manifold_chart *chart);

/* Puts the origin where the state is, which must be on the manifold; realizes the state to DYNAMICS. */
cardo_status cardo_manifold_chart_centre(cardo_manifold_chart *chart, cardo_state *state,
                                         cardo_error *error);
/* Coordinates of the chart about its centre: nu less the independent rows there. */
int cardo_manifold_chart_size(const cardo_manifold_chart *chart);

/* Sets the state's q to that of x (size). CARDO_RECOVERABLE where the chart does not reach: no z closes the loops there. Allocates
 * nothing. */
cardo_status cardo_manifold_chart_move(cardo_manifold_chart *chart, const double *x,
                                       cardo_state *state, cardo_error *error);
/* From the gradient by directions of the speeds (nu) at the place of the last move, where the state stands, to the gradient by x
 * (size). POSITION. CARDO_RECOVERABLE where rows that were independent at the centre are no more. Allocates nothing. */
cardo_status cardo_manifold_chart_pull(cardo_manifold_chart *chart, const cardo_state *state,
                                       const double *gradient, double *by_x, cardo_error *error);

/* y (nu) of the chart below that x (size) means at the centre, and the x of a y: its part along the manifold. */
void cardo_manifold_chart_spread(const cardo_manifold_chart *chart, const double *x, double *y);
void cardo_manifold_chart_gather(const cardo_manifold_chart *chart, const double *y, double *x);

/* How far the last move went: cardo_chart_reach, or how far across the manifold for each unit along it, whichever is more. */
double cardo_manifold_chart_reach(const cardo_manifold_chart *chart);

#endif
