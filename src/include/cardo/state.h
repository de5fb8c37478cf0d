/* A state: everything that varies (t, q, u) and, behind it, what was computed from it, by stage.
 *
 * Setting a variable lowers the stage; asking for a quantity above the realized stage is
 * CARDO_ERROR_STAGE (or NULL from an accessor). A state belongs to one system and one thread at a
 * time. Nothing here allocates after cardo_state_create. */
#ifndef CARDO_STATE_H
#define CARDO_STATE_H

#include <cardo/system.h>

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum cardo_stage {
    CARDO_STAGE_TIME,
    CARDO_STAGE_POSITION,    /* X_FM, X_GB, H                                             */
    CARDO_STAGE_VELOCITY,    /* V_GB, Coriolis and gyroscopic terms, qdot                 */
    CARDO_STAGE_DYNAMICS,    /* articulated-body inertias, D^-1: the factorization of M      */
    CARDO_STAGE_ACCELERATION /* udot, qdotdot, A_GB for the applied forces                 */
} cardo_stage;

typedef struct cardo_state cardo_state;

/* A state at t = 0, u = 0 and each mobilizer's default q (zero; identity quaternion). Owned by the
 * caller. */
CARDO_API cardo_status cardo_state_create(const cardo_system *system, cardo_state **out,
                                          cardo_error *error);
CARDO_API void cardo_state_destroy(cardo_state *state);
/* Copies everything, cache included; both of one system. */
CARDO_API void cardo_state_copy(cardo_state *to, const cardo_state *from);

/* CARDO_OK when time, q, u and applied forces are the same bits, else CARDO_ERROR_NUMERICAL with
 * the first variable that differs and both values. */
CARDO_API cardo_status cardo_state_compare(const cardo_state *a, const cardo_state *b,
                                           cardo_error *error);
/* Everything that varies as bytes, on the same kind of machine: a restored state continues bitwise
 * alike. Size of the record; writing it; restoring from length bytes: CARDO_ERROR_INPUT when they
 * are cut, damaged (a checksum is there) or of a system of another size. */
CARDO_API size_t cardo_state_record_size(const cardo_state *state);
CARDO_API void cardo_state_write(const cardo_state *state, void *record);
CARDO_API cardo_status cardo_state_read(cardo_state *state, const void *record, size_t length,
                                        cardo_error *error);

/* The system that it is a state of, borrowed. */
CARDO_API const cardo_system *cardo_state_system(const cardo_state *state);
CARDO_API double cardo_state_time(const cardo_state *state);
CARDO_API const double *cardo_state_q(const cardo_state *state); /* (nq) */
CARDO_API const double *cardo_state_u(const cardo_state *state); /* (nu) */
CARDO_API void cardo_state_set_time(cardo_state *state, double time);
CARDO_API void cardo_state_set_q(cardo_state *state,
                                 const double *q); /* quaternions are normalised */
CARDO_API void cardo_state_set_u(cardo_state *state, const double *u);

/* Computes up to a stage. ACCELERATION uses the applied forces last set (see below). */
CARDO_API cardo_status cardo_realize(const cardo_system *system, cardo_state *state,
                                     cardo_stage stage, cardo_error *error);
CARDO_API cardo_stage cardo_state_stage(const cardo_state *state);

/* Applied forces: on bodies (nbody: torque about the body origin and force, in ground) and on
 * mobilities (nu). Kept by the state; setting them lowers the stage below ACCELERATION. Gravity is
 * added by itself. NULL: zero. */
CARDO_API void cardo_state_set_forces(cardo_state *state, const cardo_spatial *body_forces,
                                      const double *mobility_forces);

/* Views; NULL when not realized. Borrowed, valid until the state changes. */
CARDO_API const cardo_transform *cardo_state_X_GB(const cardo_state *state); /* (nbody) POSITION */
CARDO_API const cardo_transform *cardo_state_X_FM(const cardo_state *state); /* (nbody) POSITION */
CARDO_API const cardo_spatial *cardo_state_V_GB(const cardo_state *state);   /* (nbody) VELOCITY */
CARDO_API const double *cardo_state_qdot(const cardo_state *state);          /* (nq) VELOCITY */
CARDO_API const double *cardo_state_udot(const cardo_state *state);          /* (nu) ACCELERATION */
CARDO_API const double *cardo_state_qdotdot(const cardo_state *state);       /* (nq) ACCELERATION */
CARDO_API const cardo_spatial *
cardo_state_A_GB(const cardo_state *state); /* (nbody) ACCELERATION */

#ifdef __cplusplus
}
#endif

#endif
