/* A point of one body in one or two planes of another: what a point on a plane and on a line share. */
#ifndef CARDO_MULTIBODY_CONSTRAINTS_PARTS_PLANES_H
#define CARDO_MULTIBODY_CONSTRAINTS_PARTS_PLANES_H

#include "multibody/constraints/parts/descriptor.h"

typedef struct planes {
    int count;
    cardo_vec3 normals[2]; /* unit vectors in body 1 */
    double heights[2];
    cardo_vec3 point; /* in body 2 */
} planes;

cardo_status cardo_constraint_planes_shape(const cardo_system *system, int body1, int body2,
                                           const planes *own, constraint_shape *shape,
                                           cardo_error *error);
void cardo_constraint_planes_position(const void *data, const cardo_constraint_work *work,
                                      double *error);
void cardo_constraint_planes_rows(const void *data, const cardo_constraint_work *work,
                                  cardo_constraint_rows *out);
void cardo_constraint_planes_rates(const void *data, const cardo_constraint_work *work,
                                   cardo_constraint_rows *out);

#endif
