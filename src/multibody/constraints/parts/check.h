/* Checks that several kinds of constraints share. */
#ifndef CARDO_MULTIBODY_CONSTRAINTS_PARTS_CHECK_H
#define CARDO_MULTIBODY_CONSTRAINTS_PARTS_CHECK_H

#include "multibody/constraints/parts/descriptor.h"

/* Two different bodies of the system (0: ground). */
cardo_status cardo_constraint_check_pair(const cardo_system *system, int body1, int body2,
                                         cardo_error *error);
/* The body has this coordinate; this mobility. */
cardo_status cardo_constraint_check_coordinate(const cardo_system *system, cardo_coordinate_of c,
                                               cardo_error *error);
cardo_status cardo_constraint_check_mobility(const cardo_system *system, cardo_mobility_of m,
                                             cardo_error *error);
cardo_status cardo_constraint_check_numbers(const double *numbers, int n, cardo_error *error);
cardo_status cardo_constraint_check_rotation(const cardo_mat33 *R, cardo_error *error);
/* Makes a direction a unit vector; it must have a length. */
cardo_status cardo_constraint_make_unit(cardo_vec3 *direction, cardo_error *error);

/* Copies size bytes of parameters to new memory of the shape, which the caller's release frees. */
cardo_status cardo_constraint_keep(constraint_shape *shape, const void *parameters, size_t size,
                                   cardo_error *error);
/* The same of a shape on two bodies with so many rows of positions. */
cardo_status cardo_constraint_keep_pair(constraint_shape *shape, int body1, int body2,
                                        int nposition, const void *parameters, size_t size,
                                        cardo_error *error);

#endif
