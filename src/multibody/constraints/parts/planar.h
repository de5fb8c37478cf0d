/* What constraints in ground's plane x, y share: angles about z, and functions of time. */
#ifndef CARDO_MULTIBODY_CONSTRAINTS_PARTS_PLANAR_H
#define CARDO_MULTIBODY_CONSTRAINTS_PARTS_PLANAR_H

#include "multibody/constraints/parts/descriptor.h"
#include "multibody/functions/function.h"

#include <math.h>

/* The angle of frame 1 less that of frame 2 less `less`, in -pi ... pi. */
static inline double planar_angle_between(const cardo_mat33 *R1, const cardo_mat33 *R2, double less)
{
    const double c = R1->m[0][0] * R2->m[0][0] + R1->m[1][0] * R2->m[1][0];
    const double s = R1->m[1][0] * R2->m[0][0] - R1->m[0][0] * R2->m[1][0];
    return remainder(atan2(s, c) - less, 2 * acos(-1.0));
}

/* A function of time, compiled; data of a constraint begin with it. */
typedef struct planar_drive {
    cardo_compiled_function *function;
} planar_drive;

/* The function is one of time alone, or constant. */
cardo_status cardo_constraint_planar_drive(const cardo_function *function, planar_drive *drive,
                                           cardo_error *error);
/* Frees data that begin with a planar_drive. */
void cardo_constraint_planar_release(void *data);

#endif
