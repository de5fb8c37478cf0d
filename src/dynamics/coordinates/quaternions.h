/* Where the unit quaternions are among a system's coordinates, for whoever integrates or
 * interpolates them as four numbers. */
#ifndef CARDO_DYNAMICS_COORDINATES_QUATERNIONS_H
#define CARDO_DYNAMICS_COORDINATES_QUATERNIONS_H

#include "multibody/tree/system.h"

/* first: of each quaternion the number of its first coordinate (count). */
typedef struct cardo_quaternions {
    int count;
    int *first;
} cardo_quaternions;

/* Finds them; the caller frees with cardo_quaternions_clear. */
cardo_status cardo_quaternions_find(const cardo_system *system, cardo_quaternions *out,
                                    cardo_error *error);
void cardo_quaternions_clear(cardo_quaternions *quaternions);

/* Length of the quaternion at q. */
double cardo_quaternion_length(const double q[4]);
/* Brings each quaternion of q (nq) back to length one; leaves out those whose length is zero. */
void cardo_quaternions_normalise(const cardo_quaternions *quaternions, double *q);

#endif
