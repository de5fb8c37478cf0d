/* A molecule whose atoms are anywhere, and the hinges about which groups of them turn: the moves of
 * internal coordinates that keep Cartesian volume.
 *
 * A move at hinge k takes the atoms outboard of it rigidly along, by g(s), an element of a group of
 * rigid motions (turns about a line, a screw's, turns about a point, ...), in a frame that is a
 * function of atoms that the move leaves in place: the two atoms of a bond, or the parent's atoms
 * (their superposition on the reference). Then T_s T_t = T_(s+t) where the group's parameters add up,
 * T_s^-1 = T_-s, and the Cartesian Jacobian of T_s is block triangular with an identity and a
 * rotation on its diagonal: its determinant is 1. Hence along an orbit the density of e^(-U/kT)dx is
 * e^(-U/kT) in the group's invariant measure: dq for parameters that add up, Haar's measure for
 * orientations. A tree of hinges is one group after another, from the root outward. (For bonds: the
 * Jacobian of bond lengths, angles and torsions does not depend on the torsions.) */
#ifndef CARDO_SAMPLING_MIXED_HINGES_H
#define CARDO_SAMPLING_MIXED_HINGES_H

#include "base/status.h"
#include "base/vec.h"
#include "multibody/mobilizers/mobilizer.h"
#include "multibody/tree/system.h"

/* Atoms that a move carries along together, and how it moves them on their parent. */
typedef struct cardo_hinge {
    const char *name; /* for messages; may be NULL */
    int parent;       /* hinge that comes before, -1: ground */
    const cardo_mobilizer *mobilizer;
    double pitch; /* of a screw, nm per radian                                                 */
    int bond
        [2]; /* pin: stations whose line is the axis, the first of the parent, the second of this
                     body; both -1: the frame is below                                         */
    cardo_transform
        frame; /* of the joint where stations are at the reference's positions; it follows
                              the parent's stations. Of a free body and of the root not used   */
} cardo_hinge;

/* All is borrowed. */
typedef struct cardo_hinges {
    int nbody;
    const cardo_hinge *body; /* parents first                              (nbody)          */
    int nstation;
    const int *station_body; /*                                            (nstation)       */
    const double *mass;      /* Da, above zero                             (nstation)       */
    const double *reference; /* nm                                         (nstation x 3)   */
} cardo_hinges;

/* CARDO_ERROR_UNSUPPORTED, with the body's name and what to take instead, where a joint's motions are
 * no group in a frame that stands still (paths that are no screws, universal joints, ...); for
 * stations without mass; for a bond that is not between the bodies. */
cardo_status cardo_hinges_check(const cardo_hinges *hinges, cardo_error *error);

/* The system that stands at its default coordinates as the stations do at positions (nstation x 3):
 * body k is body k + 1, with the joint's frames where they are now. Finalized; the caller owns it.
 * CARDO_ERROR_INPUT where a frame follows atoms on a line. */
cardo_status cardo_hinges_compile(const cardo_hinges *hinges, const double *positions,
                                  cardo_system **out, cardo_error *error);

#endif
