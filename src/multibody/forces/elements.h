/* The kinds of force elements and their parameters: springs, dampers, bushings, callbacks. Each is a
 * const descriptor in a file of its own, listed in table.c. */
#ifndef CARDO_MULTIBODY_FORCES_ELEMENTS_H
#define CARDO_MULTIBODY_FORCES_ELEMENTS_H

#include "multibody/tree/force_element.h"

extern const cardo_force_element cardo_force_mobility_spring, cardo_force_mobility_damper,
    cardo_force_mobility_constant, cardo_force_two_point_spring, cardo_force_two_point_damper,
    cardo_force_body_constant, cardo_force_linear_bushing, cardo_force_callback;

/* All kinds, NULL-terminated; and by name, or NULL. */
extern const cardo_force_element *const cardo_force_elements[];
const cardo_force_element *cardo_force_element_find(const char *name);

/* mobility-spring: -stiffness (q - neutral) on a coordinate whose rate is a speed (not on those of
 * a quaternion). coordinate: among the body's own q, from 0. */
typedef struct cardo_mobility_spring {
    int body, coordinate;
    double stiffness, neutral; /* kJ/mol/unit^2, unit of q */
} cardo_mobility_spring;

/* mobility-damper: -damping u on a body's speed number mobility. */
typedef struct cardo_mobility_damper {
    int body, mobility;
    double damping;
} cardo_mobility_damper;

/* mobility-constant: a generalized force on a body's speed number mobility. */
typedef struct cardo_mobility_constant {
    int body, mobility;
    double force;
} cardo_mobility_constant;

/* two-point-spring: -stiffness (distance - length) along the line between two points; bodies may be
 * ground. */
typedef struct cardo_two_point_spring {
    int body1, body2;
    cardo_vec3 point1, point2; /* in body frames, nm */
    double stiffness, length;  /* kJ/mol/nm^2, nm    */
} cardo_two_point_spring;

/* two-point-damper: -damping times the rate of their distance. */
typedef struct cardo_two_point_damper {
    int body1, body2;
    cardo_vec3 point1, point2;
    double damping; /* kJ ps/mol/nm^2 */
} cardo_two_point_damper;

/* body-constant: a force in ground axes at a point of a body, and a torque; neither turns with the
 * body. */
typedef struct cardo_body_constant {
    int body;
    cardo_vec3 point;         /* in the body frame, nm       */
    cardo_vec3 force, torque; /* kJ/mol/nm, kJ/mol           */
} cardo_body_constant;

/* linear-bushing: frame 2 (on body 2) is held near frame 1 (on body 1). Its six coordinates are the
 * body-fixed 1-2-3 angles and the position of frame 2 in frame 1; each gets -stiffness q - damping
 * qdot. Singular at a second angle of 90 degrees. */
typedef struct cardo_linear_bushing {
    int body1, body2;
    cardo_transform frame1, frame2; /* in body frames */
    double stiffness[6], damping[6];
} cardo_linear_bushing;

/* callback: the user's own; returns the energy and adds forces as compute() does. Must not allocate
 * if the caller counts on that; may run in several threads at once, on different states. */
typedef struct cardo_force_callback_parameters {
    double (*compute)(void *user, const cardo_force_work *work);
    void *user;
} cardo_force_callback_parameters;

#endif
