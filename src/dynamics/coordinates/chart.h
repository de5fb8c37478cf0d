/* Coordinates that are free to vary around a configuration, for minimizers: a chart of the
 * configuration space by speeds.
 *
 * y (nu numbers) stands for q = q0 + N(q0) W y, quaternions then normalised, with W W^T = M^-1 at
 * q0: a unit of any y moves the atoms by the same mass-weighted distance (sqrt(Da) nm), whatever
 * the kinds of the coordinates are. Steps along a quaternion are taken in its tangent space. What is
 * prescribed stands still. Gradients that come with it are exact; only for the two mobilizers whose
 * speeds leave out a turn that their coordinates make (line-orientation, free-line) they are so at
 * the centre alone. */
#ifndef CARDO_DYNAMICS_COORDINATES_CHART_H
#define CARDO_DYNAMICS_COORDINATES_CHART_H

#include "multibody/tree/state.h"

typedef struct cardo_chart cardo_chart;

/* The caller owns *out. */
cardo_status cardo_chart_create(const cardo_system *system, cardo_chart **out, cardo_error *error);
void cardo_chart_destroy(cardo_chart *chart);

/* Puts the origin y = 0 where the state is; realizes the state to DYNAMICS. */
cardo_status cardo_chart_centre(cardo_chart *chart, cardo_state *state, cardo_error *error);

/* Sets the state's q to that of y (nu). */
cardo_status cardo_chart_move(cardo_chart *chart, const double *y, cardo_state *state,
                              cardo_error *error);

/* From the gradient by directions of the speeds, dU = gradient . u dt (nu), at the place of the last
 * move, to the gradient by y (nu). */
cardo_status cardo_chart_pull(cardo_chart *chart, const double *gradient, double *by_y,
                              cardo_error *error);

/* How far the last move went where the chart is curved: the largest |N(q0) W y| of a mobilizer whose
 * coordinates are not its speeds' integrals (for a quaternion half the tangent of half its angle of
 * turn, roughly). Beyond 1 a new centre serves better. 0 where nothing is curved. */
double cardo_chart_reach(const cardo_chart *chart);

#endif
