/* Prescribed motion: a mobilizer whose coordinates, speeds or accelerations are functions of time.
 *
 * The forces that this takes, the motive forces, come out of the dynamics without multipliers: that
 * is how a conformational change is driven and its cost read off. A prescribed mobility is no
 * longer free: M^-1, its factors and ln det M are those of the others (with zeros for it), while M
 * v, J and inverse dynamics see the whole tree as before. */
#ifndef CARDO_MOTION_H
#define CARDO_MOTION_H

#include <cardo/functions.h>
#include <cardo/state.h>

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum cardo_motion_level {
    CARDO_MOTION_POSITION,    /* q = f(t); only mobilizers with qdot = u            */
    CARDO_MOTION_VELOCITY,    /* u = f(t); q is integrated                          */
    CARDO_MOTION_ACCELERATION /* udot = f(t); u and q are integrated                */
} cardo_motion_level;

/* Prescribes all mobilities of a body's mobilizer, before the system is finalized. functions (nu of
 * the body): each of one argument, the time in ps, or constant; copied. A callback's third
 * derivative is never needed. */
CARDO_API cardo_status cardo_system_prescribe(cardo_system *system, int body,
                                              cardo_motion_level level,
                                              const cardo_function *functions, cardo_error *error);
/* The same for some mobilities of a body, the others staying free: which has a bit for each, 1 << j;
 * functions of the others are not looked at. Ball, ellipsoid and free mobilizers are prescribed
 * whole or not at all. */
CARDO_API cardo_status cardo_system_prescribe_some(cardo_system *system, int body,
                                                   cardo_motion_level level, unsigned which,
                                                   const cardo_function *functions,
                                                   cardo_error *error);

/* Mobilities whose motion is prescribed: they are no degrees of freedom. */
CARDO_API int cardo_system_nprescribed(const cardo_system *system);
/* Those of a body, a bit for each. */
CARDO_API unsigned cardo_system_prescribed(const cardo_system *system, int body);
/* Is any of them? */
CARDO_API bool cardo_system_is_prescribed(const cardo_system *system, int body);

/* Sets q and u of prescribed mobilizers to what their motions say at the state's time. To be called
 * whenever the time has been set and before realizing POSITION; q and u at lower levels are
 * integrated by whoever advances the state. */
CARDO_API void cardo_state_prescribe(const cardo_system *system, cardo_state *state);

/* Generalized forces (nu) that the motions exert, 0 for free mobilities: what would have to be
 * applied for the free system to move the same way. ACCELERATION. */
CARDO_API cardo_status cardo_motive_forces(const cardo_system *system, const cardo_state *state,
                                           double *forces, cardo_error *error);
/* Power that the motions bring in, kJ/mol/ps: motive forces times speeds. ACCELERATION. */
CARDO_API cardo_status cardo_motive_power(const cardo_system *system, const cardo_state *state,
                                          double *power, cardo_error *error);

#ifdef __cplusplus
}
#endif

#endif
