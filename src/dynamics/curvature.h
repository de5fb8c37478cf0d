/* The curvature of the energy as minimizations near each other learn it, so that their first steps are nearly Newton's.
 *
 * Each iteration of a minimization shows how the gradient changes along one step. BFGS's update (Nocedal & Wright, Numerical Optimization,
 * equation 6.19, with Powell's damping, procedure 18.2) puts that into a positive matrix of second derivatives, which L-BFGS forgets
 * when it ends; the next minimization, from a place near by, begins with it. It is kept by the coordinates of the chart without constraints
 * (dynamics/coordinates/chart.h), which are nearly the same from centre to centre. In coordinates w with x = L^-T w, where L L^T is the
 * curvature, a quadratic energy has all its curvatures equal. */
#ifndef CARDO_DYNAMICS_CURVATURE_H
#define CARDO_DYNAMICS_CURVATURE_H

#include "dynamics/coordinates/manifold_chart.h"
#include "multibody/algebra/mass_matrix.h"

/* Speeds of a system, at most, of which it is worth its memory. */
enum { CARDO_CURVATURE_MOST = 800 };

typedef struct cardo_curvature {
    bool known; /* false: nothing was learned yet */
    int nu;
    double *by_y;        /* kJ/mol/(Da nm^2)                        (nu x nu) */
    double *room;        /*                                (nu x nu + 3 nu) */
    mass_matrix *metric; /* what it is in the coordinates of one chart, factored; NULL: of none */
} cardo_curvature;

/* Zero-initialise; clear also after a failure. */
cardo_status cardo_curvature_open(cardo_curvature *self, int nu, cardo_error *error);
void cardo_curvature_clear(cardo_curvature *self);

/* Makes what is known ready for a chart, at its centre: self->metric, NULL where nothing is. */
cardo_status cardo_curvature_take_chart(cardo_curvature *self, const cardo_manifold_chart *chart,
                                        cardo_error *error);
/* x of the chart by w, and the gradient by w of that by x, in place; as they are where there is no metric. */
void cardo_curvature_to_x(const cardo_curvature *self, double *w);
void cardo_curvature_to_w(const cardo_curvature *self, double *gradient);

/* Learns that along a step of the chart's x the gradient by x changed so. The metric stays as it is. Allocates nothing. */
void cardo_curvature_learn(cardo_curvature *self, const cardo_manifold_chart *chart,
                           const double *step, const double *change);

#endif
