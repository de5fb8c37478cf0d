/* The kinds of constraints. */
#ifndef CARDO_MULTIBODY_CONSTRAINTS_CONSTRAINT_H
#define CARDO_MULTIBODY_CONSTRAINTS_CONSTRAINT_H

#include "cardo/constraints.h"

/* In the order of the table: a new one is a file beside this one and a line here. */
// clang-format off
#define CARDO_CONSTRAINTS(X) \
    X(rod) \
    X(ball) \
    X(weld) \
    X(point_on_plane) \
    X(point_on_line) \
    X(constant_angle) \
    X(constant_orientation) \
    X(joint) \
    X(internal_coordinates) \
    X(coordinate_coupler) \
    X(speed_coupler) \
    X(prescribed_motion) \
    X(constant_speed) \
    X(constant_acceleration) \
    X(no_slip) \
    X(stiction) \
    X(planar_revolute) \
    X(planar_translational) \
    X(planar_place) \
    X(planar_angle) \
    X(callback)
// clang-format on
#define CARDO_CONSTRAINTS_DECLARE(name) extern const cardo_constraint cardo_constraint_##name;
CARDO_CONSTRAINTS(CARDO_CONSTRAINTS_DECLARE)
#undef CARDO_CONSTRAINTS_DECLARE

#endif
