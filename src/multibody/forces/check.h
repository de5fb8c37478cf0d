/* Checks and small steps that several force elements share. */
#ifndef CARDO_MULTIBODY_FORCES_CHECK_H
#define CARDO_MULTIBODY_FORCES_CHECK_H

#include "multibody/algebra/spatial.h"
#include "multibody/forces/elements.h"

/* A body of the system (0: ground); a body with this speed; all numbers finite. */
cardo_status cardo_force_check_body(const cardo_system *system, int body, cardo_error *error);
cardo_status cardo_force_check_mobility(const cardo_system *system, int body, int mobility,
                                        cardo_error *error);
cardo_status cardo_force_check_numbers(const double *numbers, int n, cardo_error *error);

/* Two points, the unit vector from the first to the second, their distance and its rate (0 without
 * velocities). */
typedef struct two_points {
    cardo_vec3 arm1, arm2; /* from body origins, in ground */
    cardo_vec3 along;
    double distance, rate;
} two_points;
two_points cardo_force_two_points(const cardo_force_work *work, int body1, cardo_vec3 point1,
                                  int body2, cardo_vec3 point2);
/* Adds a pull (positive: together) along the line of two points. */
void cardo_force_pull(const cardo_force_work *work, int body1, int body2, const two_points *pair,
                      double pull);

#endif
