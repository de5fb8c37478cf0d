/* The state's inside: variables, and the realization cache behind them. */
#ifndef CARDO_MULTIBODY_TREE_STATE_INTERNAL_H
#define CARDO_MULTIBODY_TREE_STATE_INTERNAL_H

#include "multibody/algebra/spatial.h"
#include "multibody/tree/constraint_set.h"
#include "multibody/tree/state.h"
#include "multibody/tree/system_internal.h"

/* What the passes keep of a body. Ground axes; vectors about the reference point O of the body's
 * cluster. */
typedef struct body_node {
    frame_rows X;    /* R_GM, and M's origin from O                                POSITION     */
    cardo_vec3 O;    /* reference point in ground                                  POSITION     */
    rigid_inertia I; /*                                                            POSITION     */
    cardo_spatial V; /* velocity                                                   VELOCITY     */
    cardo_spatial bias_acceleration; /* at udot = 0, without gravity              VELOCITY     */
    double mass; /* the body's, next to what it is multiplied with                             */
    articulated_inertia P; /* before elimination of its own hinge                 DYNAMICS     */
    cardo_spatial
        a; /* acceleration beyond that, gravity as an upward one of ground   ACCELERATION */
} body_node;

/* Inertia of a body and all that it carries, about its reference point. */
typedef struct composite {
    double mass;
    rigid_inertia I;
} composite;

/* Views for the outside, computed when first asked for. */
typedef struct state_views {
    bool X_GB, X_FM, V_GB, A_GB, qdot, qdotdot;
} state_views;

/* A body's share of scratch memory. */
typedef union body_scratch {
    cardo_spatial vectors[2];
    composite inertia;
} body_scratch;

/* Everything that changes when a state is realized: behind a pointer, because operators that take a
 * const state may fill views and scratch memory. One thread at a time works on a state. */
typedef struct state_cache {
    cardo_stage stage;
    bool factored; /* the articulated inertias belong to the current q               */
    unsigned long
        placed; /* how often positions were realized: what was made of them has their number */
    state_views views;
    body_node *nodes; /* (nbody)                                                            */
    double *maps;     /* hinge maps about reference points                   (nmap)   POSITION */
    double *factors;  /* what was taken out of the inertias                  (nfactor) DYNAMICS */
    const cardo_spatial
        *applied_bodies; /* all that is applied: the caller's and the elements'; or NULL */
    const double *applied_mobilities;
    cardo_spatial *total_body_forces; /* where elements add theirs                 (nbody)   */
    double *total_mobility_forces;    /*                                           (nu)      */
    double *prescribed;               /* udot of prescribed mobilities             (nu)      */
    char *force_memory;  /* where elements work                       (force_memory)   */
    double *joint_cache; /* what mobilizers keep                              (ncache)  */
    double *udot, *qdot, *qdotdot;
    cardo_transform *X_GB, *X_FM;
    cardo_spatial *V_GB, *A_GB;
    body_scratch *scratch; /* for operators                                 (nbody)   */
    cardo_spatial *scratch_z, *scratch_a; /* parts of it                           (nbody)   */
    constraint_cache *constraints;        /* NULL: there are none                            */
} state_cache;

struct cardo_state {
    const cardo_system *system;
    double time;
    double *q, *u;
    bool has_body_forces, has_mobility_forces;
    cardo_spatial *body_forces;
    double *mobility_forces;
    double *switched_off; /* 1 for constraints that are, else 0 (one each)                  */
    state_cache *cache;
    size_t block_size; /* bytes of the block that holds all arrays */
    char *block;
};

/* CARDO_ERROR_STAGE, naming quantity and stages, unless the state is realized to the stage. */
cardo_status cardo_require_stage(const cardo_state *state, cardo_stage stage, const char *what,
                                 cardo_error *error);
const char *cardo_stage_name(cardo_stage stage);
/* What was realized beyond the stage is forgotten. */
void cardo_state_lower_stage(cardo_state *state, cardo_stage stage);

/* The passes; each needs the stages before it. */
void cardo_pass_position(const cardo_system *system, cardo_state *state);
void cardo_pass_velocity(const cardo_system *system, cardo_state *state);
cardo_status cardo_pass_dynamics(const cardo_system *system, const cardo_state *state,
                                 cardo_error *error);
void cardo_pass_acceleration(const cardo_system *system, cardo_state *state);
/* As the pass of the dynamics, but a singular hinge is taken as fixed and listed: the bodies, from
 * the tips, in bodies (room for nbody). Returns how many. */
int cardo_pass_singular(const cardo_system *system, const cardo_state *state, int *bodies);

/* The first two and the last two fused: the same bits, sooner. */
void cardo_pass_position_velocity(const cardo_system *system, cardo_state *state);
cardo_status cardo_pass_dynamics_acceleration(const cardo_system *system, cardo_state *state,
                                              cardo_error *error);

/* Sums up the caller's and the elements' forces into cache->applied_bodies and applied_mobilities.
 */
void cardo_gather_forces(const cardo_system *system, const cardo_state *state);
/* Fills cache->prescribed from the motions at the state's time. */
void cardo_gather_motions(const cardo_system *system, const cardo_state *state);

/* X_FM of a body, its H in F (nu; may be NULL) with reversal applied. cache: the joint's, filled.
 */
void cardo_joint_position(const body_plan *body, const double *q, double *cache,
                          cardo_transform *X_FM, cardo_spatial *H_FM);
/* Columns of Hdot in F (nu) with reversal applied, after cardo_joint_position. */
void cardo_joint_rate(const body_plan *body, const double *q, const double *u, const double *cache,
                      const cardo_transform *X_FM, const cardo_spatial *H_FM, cardo_spatial *Hdot);

/* Acceleration A_GB of a body's frame from its spatial acceleration about the reference point,
 * gravity included. */
cardo_spatial cardo_acceleration_at_origin(const cardo_system *system, int body,
                                           const body_node *node, cardo_spatial a);
/* Spatial motion of each body about its reference point for speeds v (nu) and a motion of ground:
 * an outward sweep of H v. */
void cardo_sweep_outward(const cardo_system *system, const cardo_state *state, const double *v,
                         cardo_spatial ground, cardo_spatial *out);
/* Mass and inertia of each body and all that it carries, about its reference point, into
 * cache->scratch (nbody; [0]: everything that moves). */
void cardo_sum_inertias(const cardo_system *system, const cardo_state *state);
/* qdot = N v (nq). */
void cardo_n_product(const cardo_state *state, const double *v, double *qdot);
/* Station velocities of bodies that move with V_GB (nbody). */
void cardo_station_velocity_pass(const cardo_system *system, const cardo_state *state,
                                 const cardo_spatial *V_GB, double *velocities);

/* Hdot u in F with reversal applied, after cardo_joint_position filled the joint's cache. */
cardo_spatial cardo_joint_bias(const body_plan *body, const double *q, const double *u,
                               double *joint_cache);

/* From the reference point of a body's parent to its own. Zero within a cluster. */
static inline cardo_vec3 reference_shift(const body_node *nodes, const body_plan *body, int k)
{
    return v3_sub(nodes[k].O, nodes[body->parent].O);
}

/* The body origin from its reference point. */
static inline cardo_vec3 body_origin(const body_node *node, const body_plan *body)
{
    return v3_add(frame_position(&node->X), frame_turn(&node->X, body->X_MB.p));
}

#endif
