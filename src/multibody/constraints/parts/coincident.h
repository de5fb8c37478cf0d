/* Coincident points and perpendicular axes: rows that a ball, a weld and constraints of orientation share. */
#ifndef CARDO_MULTIBODY_CONSTRAINTS_PARTS_COINCIDENT_H
#define CARDO_MULTIBODY_CONSTRAINTS_PARTS_COINCIDENT_H

#include "multibody/constraints/parts/descriptor.h"

/* The nearest body that carries both, which may be one of them. */
int cardo_constraint_ancestor(const cardo_system *system, int body1, int body2);

/* Two points; the rows are along the axes of the ancestor: body number `ancestor` of the constraint's (0, 1 or 2), or ground,
 * -1. nbody: as many as the constraint has. */
typedef struct coincident {
    cardo_vec3 point1, point2;
    int ancestor, nbody;
} coincident;

/* Lists the bodies, the ancestor as the third where it is none of the two nor ground. */
void cardo_constraint_coincident_bodies(const cardo_system *system, int body1, int body2,
                                        coincident *own, constraint_shape *shape);
void cardo_constraint_coincident_position(const coincident *own, const cardo_constraint_work *work,
                                          double *error);
/* Three rows from out->bodies on. */
void cardo_constraint_coincident_rows(const coincident *own, const cardo_constraint_work *work,
                                      cardo_spatial *out);
void cardo_constraint_coincident_rates(const coincident *own, const cardo_constraint_work *work,
                                       cardo_spatial *out);

/* Row entries of bodies 0 and 1 for the scalar product of a direction of body 0 with one of body 1, both in ground. */
void cardo_constraint_axes_row(cardo_vec3 on1, cardo_vec3 on2, cardo_spatial *out);
void cardo_constraint_axes_rate(cardo_vec3 on1, cardo_vec3 on2, const cardo_constraint_work *work,
                                cardo_spatial *out);

/* Frames whose axes coincide: x2 . y1, y2 . z1, z2 . x1. */
typedef struct aligned {
    cardo_mat33 R1, R2;
    int nbody;
} aligned;
void cardo_constraint_aligned_position(const aligned *own, const cardo_constraint_work *work,
                                       double *error);
void cardo_constraint_aligned_rows(const aligned *own, const cardo_constraint_work *work,
                                   cardo_spatial *out);
void cardo_constraint_aligned_rates(const aligned *own, const cardo_constraint_work *work,
                                    cardo_spatial *out);
/* Whether frame 2 is turned nearer to 180 degrees than to 0. */
bool cardo_constraint_aligned_is_turned(const aligned *own, const cardo_constraint_work *work);

#endif
