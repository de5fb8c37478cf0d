/* Scaling of a minimization by a Hessian that is known in part: a sum of squares, each of few neighbours, plus a stiffness of all else.
 *
 * H = diag(d) + sum of k g g^T = L L^T, and x - x0 = L^-T y: in y the known part is the identity (a preconditioner of L-BFGS: Mones, Ortner & Csanyi,
 * Sci Rep 8, 13991 (2018)). Slots are points in space, three rows each; those of one square that are far apart in the order of slots
 * leave it out, so that H is a band matrix. */
#ifndef CARDO_STUDY_REFERENCE_BAND_SCALING_H
#define CARDO_STUDY_REFERENCE_BAND_SCALING_H

#include "base/status.h"
#include "base/vec.h"

#include <stdbool.h>

typedef struct cardo_band_scaling cardo_band_scaling;

/* Adds the squares by cardo_band_scaling_add, the same slots each time that it is called. */
typedef void (*cardo_band_squares)(void *context, cardo_band_scaling *scaling);

/* Of nslot points; squares of slots that are more than `farthest` apart are left out. The caller owns *out; it scales once it is made. */
cardo_status cardo_band_scaling_create(int nslot, int farthest, cardo_band_scaling **out,
                                       cardo_error *error);
void cardo_band_scaling_destroy(cardo_band_scaling *scaling);

/* k/2 (sum of slope . displacement of slots)^2, of n slots, k > 0. */
void cardo_band_scaling_add(cardo_band_scaling *scaling, int n, const int *slot,
                            const cardo_vec3 *slope, double k);

/* Makes L anew. rest: stiffness of all else, of each slot (nslot), > 0. */
cardo_status cardo_band_scaling_make(cardo_band_scaling *scaling, const double *rest,
                                     cardo_band_squares squares, void *context, cardo_error *error);

/* v (nslot x 3) becomes L^-T v, a displacement; L^-1 v, of a gradient. */
void cardo_band_scaling_forth(const cardo_band_scaling *scaling, double *v);
void cardo_band_scaling_back(const cardo_band_scaling *scaling, double *v);

#endif
