/* Fits of a mobilizer's coordinates and speeds: cardo/fit.h. */
#ifndef CARDO_MULTIBODY_QUANTITIES_FIT_H
#define CARDO_MULTIBODY_QUANTITIES_FIT_H

#include "cardo/fit.h"
#include "multibody/tree/system.h"

/* The fit of cardo_fit_q to finite numbers for a mobilizer that need not be a body's; returns the sum of squares that is left. */
struct body_plan;
double cardo_fit_joint(const struct body_plan *plan, const cardo_transform *X_FM, double *q);

#endif
