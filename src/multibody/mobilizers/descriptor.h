/* What a mobilizer is made of: a const descriptor of pure functions of its own coordinates.
 *
 * A new mobilizer is one file with one descriptor and one line in the list of mobilizer.h. All
 * functions describe the mobilizer as defined, in frames F (inboard) and M (outboard); reversal
 * (Seth et al. 2010, eq. 15-17) is done by the tree code, once for all (multibody/tree/joint.c), and so
 * are frames on parent and body. */
#ifndef CARDO_MULTIBODY_MOBILIZERS_DESCRIPTOR_H
#define CARDO_MULTIBODY_MOBILIZERS_DESCRIPTOR_H

#include "base/status.h"
#include "base/vec.h"
#include "multibody/force.h"
#include "multibody/mobilizers/mobilizer.h"

#include <stdbool.h>

enum {
    CARDO_MOBILIZER_MAX_Q = 7,
    CARDO_MOBILIZER_MAX_U = 6,
    CARDO_MOBILIZER_MAX_CACHE = 320 /* most doubles a joint may keep */
};

/* Mobilizers that the tree code treats in a pass of their own; all others are generic. */
typedef enum cardo_mobilizer_kind {
    CARDO_MOBILIZER_GENERIC,
    CARDO_MOBILIZER_WELD,
    CARDO_MOBILIZER_PIN,
    CARDO_MOBILIZER_SLIDER,
    CARDO_MOBILIZER_BALL,
    CARDO_MOBILIZER_ELLIPSOID,
    CARDO_MOBILIZER_FREE,
    CARDO_MOBILIZER_PLANAR,
    CARDO_MOBILIZER_FUNCTION /* function-based with one coordinate: data is a function_single */
} cardo_mobilizer_kind;

/* A mobilizer with its parameters compiled: what the functions below get. */
typedef struct cardo_joint {
    const cardo_mobilizer *mobilizer;
    bool euler; /* orientation as body-fixed 1-2-3 angles instead of a quaternion              */
    int nq, nu; /* coordinates and speeds                                                    */
    cardo_mobilizer_kind kind; /* preset from the descriptor                                 */
    int ncache; /* doubles that position() leaves for the other functions                    */
    void *data; /* the mobilizer's own, made by compile() and freed by release(); or NULL      */
} cardo_joint;

struct cardo_mobilizer {
    const char *name; /* as in model files: "function-based"                                    */
    const char *doc;  /* one line                                                               */
    cardo_mobilizer_kind kind;
    int nq, nq_euler, nu; /* sizes; 0, 0, 0 with has_parameters: they depend on the parameters */
    bool has_orientation; /* first coordinates are a unit quaternion (three angles in Euler mode) */
    bool lacks_spin; /* its two turns do not commute by a spin that is none of its mobilities */
    int ncache;
    const char *const *q_names;       /* coordinate names for tables (nq), quaternion mode       */
    const char *const *q_names_euler; /* (nq_euler); NULL: as q_names */
    const char *const *u_names; /* (nu)                                                          */
    const char *sizes; /* nq and nu in words where they vary: "1 to 6"; else NULL          */

    /* Copies and checks the parameters; sets nq, nu, ncache and data of the joint, which come
     * preset from the numbers above. NULL for mobilizers without parameters. */
    cardo_status (*compile)(const void *parameters, cardo_joint *joint, cardo_error *error);
    void (*release)(cardo_joint *joint); /* frees joint->data; NULL: nothing to free */

    /* X_FM(q) and the columns of H (nu): V_FM = sum H_k u_k, angular velocity of M in F and
     * velocity of M's origin in F, both expressed in F. q (nq) with unit quaternions. Fills cache
     * (ncache). */
    void (*position)(const cardo_joint *joint, const double *q, double *cache,
                     cardo_transform *X_FM, cardo_spatial *H);
    /* Columns of dH/dt at speeds u (nu), expressed in F: A_FM = H udot + Hdot u. NULL: H is
     * constant. */
    void (*rate)(const cardo_joint *joint, const double *q, const double *u, const double *cache,
                 cardo_spatial *Hdot);

    /* Hdot u at once. NULL: summed from rate(). */
    cardo_spatial (*bias)(const cardo_joint *joint, const double *q, const double *u,
                          const double *cache);

    /* qdot = N(q) u; and u = N^+ qdot, the inverse where qdot is possible (for quaternions: any
     * rate, its part along q has no effect); and qdotdot - N udot = Ndot u. All NULL: qdot = u. */
    void (*multiply_n)(const cardo_joint *joint, const double *q, const double *u, double *qdot);
    void (*multiply_n_inverse)(const cardo_joint *joint, const double *q, const double *qdot,
                               double *u);
    void (*multiply_n_dot)(const cardo_joint *joint, const double *q, const double *u,
                           double *ndot_u);

    /* q that brings M nearest to the transform X_FM; q comes in as a start and to choose among
     * equivalent answers. Rotation first, then position as far as it is still free. NULL: found by
     * least squares from position(). */
    void (*fit_q)(const cardo_joint *joint, const cardo_transform *X_FM, double *q);

    /* Distance from a singular configuration, where H or N loses rank: 1 far from it, 0 at it.
     * NULL: always 1. */
    double (*regularity)(const cardo_joint *joint, const double *q);

    /* Default coordinates; NULL: zero, quaternions identity. */
    void (*default_q)(const cardo_joint *joint, double *q);
    /* Name of a coordinate or speed where the parameters decide; NULL: the lists above. */
    const char *(*q_name)(const cardo_joint *joint, int k);
};

/* Compiles a mobilizer's parameters; the caller releases the joint with cardo_joint_release. */
cardo_status cardo_joint_compile(const cardo_mobilizer *mobilizer, const void *parameters,
                                 bool euler, cardo_joint *joint, cardo_error *error);
void cardo_joint_release(cardo_joint *joint);

/* Name of coordinate k (0..nq-1) or speed k (0..nu-1) of a joint: "angle", "x", "w" ...; borrowed.
 */
const char *cardo_joint_q_name(const cardo_joint *joint, int k);
const char *cardo_joint_u_name(const cardo_joint *joint, int k);

#endif
