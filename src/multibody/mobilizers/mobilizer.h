/* The table of mobilizers (cardo/mobilizers.h): each is a const descriptor of pure functions in a file of its own
 * (multibody/mobilizers/descriptor.h). Reversal is done by the tree code, once for all. */
#ifndef CARDO_MULTIBODY_MOBILIZERS_MOBILIZER_H
#define CARDO_MULTIBODY_MOBILIZERS_MOBILIZER_H

#include "cardo/mobilizers.h"

/* The kinds, in the order of the table: a new one is a file beside this one and a line here. */
// clang-format off
#define CARDO_MOBILIZERS(X) \
    X(weld) \
    X(pin) \
    X(slider) \
    X(screw) \
    X(universal) \
    X(cylinder) \
    X(bend_stretch) \
    X(planar) \
    X(gimbal) \
    X(ball) \
    X(ellipsoid) \
    X(translation) \
    X(spherical_coordinates) \
    X(line_orientation) \
    X(free_line) \
    X(free) \
    X(bushing) \
    X(function_based) \
    X(path)
// clang-format on
#define CARDO_MOBILIZERS_DECLARE(name) extern const cardo_mobilizer cardo_mobilizer_##name;
CARDO_MOBILIZERS(CARDO_MOBILIZERS_DECLARE)
#undef CARDO_MOBILIZERS_DECLARE

/* All of them, NULL-terminated. */
extern const cardo_mobilizer *const cardo_mobilizers[];

#endif
