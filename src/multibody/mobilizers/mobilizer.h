/* Mobilizers: the joints of a tree, each a const descriptor in a file of its own.
 *
 * A mobilizer in four equations (Seth et al. 2010, eq. 1-4): X_FM(q); V_FM = H(q) u; A_FM = H udot
 * + Hdot u; qdot = N(q) u. The descriptor holds pure functions; reversal (eq. 15-17) is done by the
 * tree code, once for all. */
#ifndef CARDO_MULTIBODY_MOBILIZERS_MOBILIZER_H
#define CARDO_MULTIBODY_MOBILIZERS_MOBILIZER_H

typedef struct cardo_mobilizer cardo_mobilizer;

/* Name ("pin"), one line of help, number of coordinates and speeds (given the mobilizer's
 * parameters and mode). The rest of the descriptor is in multibody/mobilizers/descriptor.h. */
const char *cardo_mobilizer_name(const cardo_mobilizer *mobilizer);
const char *cardo_mobilizer_doc(const cardo_mobilizer *mobilizer);

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

/* All mobilizers, NULL-terminated. */
extern const cardo_mobilizer *const cardo_mobilizers[];
/* By name, or NULL. */
const cardo_mobilizer *cardo_mobilizer_find(const char *name);

#endif
