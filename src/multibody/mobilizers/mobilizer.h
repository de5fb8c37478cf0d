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

extern const cardo_mobilizer cardo_mobilizer_weld, cardo_mobilizer_pin, cardo_mobilizer_slider,
    cardo_mobilizer_screw, cardo_mobilizer_universal, cardo_mobilizer_cylinder,
    cardo_mobilizer_bend_stretch, cardo_mobilizer_planar, cardo_mobilizer_gimbal,
    cardo_mobilizer_ball, cardo_mobilizer_ellipsoid, cardo_mobilizer_translation,
    cardo_mobilizer_spherical_coordinates, cardo_mobilizer_line_orientation,
    cardo_mobilizer_free_line, cardo_mobilizer_free, cardo_mobilizer_bushing,
    cardo_mobilizer_function_based, cardo_mobilizer_path;

/* All mobilizers, NULL-terminated. */
extern const cardo_mobilizer *const cardo_mobilizers[];
/* By name, or NULL. */
const cardo_mobilizer *cardo_mobilizer_find(const char *name);

#endif
