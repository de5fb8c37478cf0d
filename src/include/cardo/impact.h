/* Hard contact and impact: constraints that push and never pull, and that come and go with events.
 *
 *   cardo_unilateral             makes a constraint with one position row one-sided: point-on-plane of a corner or of a ball's centre at the height of
 *                                its radius, rod between the centres of two balls (or as a rope, with the other sign), prescribed-motion at a
 *                                constant for a stop of a coordinate. They are added to the system as any other (cardo/constraints.h)
 *   cardo_impacts_create         all of a system's, with a law of impact
 *   cardo_impacts_begin          which of them hold at a state: switched on, and the others off
 *   cardo_simulation_add_impacts impacts found where gaps close, contacts let go where they would pull (cardo/simulation.h)
 *   cardo_impacts_strike         the impact of a state by itself
 *
 * A contact that holds is a constraint that is switched on, which is part of the state. It has a gap g = sign p, its rate v, and a force that is not below 0. Where
 * gaps close, impulses P change the speeds, M (u+ - u-) = G^T P, while all constraints that are on go on holding:
 *
 *   Newton       all at once: v+ + e v- >= 0, P >= 0, and one of them 0
 *   Poisson      all at once, in two parts: v >= 0, Pc >= 0, one of them 0; then e Pc, and what more it takes that none closes
 *   sequential   one pair of bodies after the other, the fastest first, by Newton's law, until none closes: what people see. Contacts of the same two
 *                bodies are struck at once
 *
 * Five balls of a cradle end with 0, 0, 0, 0, v by the last, and with -3/5 and 2/5 four times by the others. Between impacts, contacts at rest hold where that takes a push
 * (Glocker 2001, Set-Valued Force Laws; Pfeiffer & Glocker 1996, Multibody Dynamics with Unilateral Contacts). Where several sets of forces do, the shortest one is taken if
 * none of it pulls.
 *
 * Friction: a contact may have a constraint of stiction. It holds as long as its force stays within the cone of static friction; what slips then slips without
 * friction (sliding friction is in cardo/contact.h). */
#ifndef CARDO_IMPACT_H
#define CARDO_IMPACT_H

#include <cardo/manifold.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cardo_unilateral {
    int constraint;     /* number of a constraint with one row, of positions             */
    double sign;        /* 1: p >= 0 is where nothing touches; -1: p <= 0 is              */
    double restitution; /* 0 to 1                                                      */
    double capture; /* approaching no faster than this it does not bounce; 0: it always does, and
                           a ball that is to come to rest never does: name some speed  */
    int stiction; /* number of a constraint with rows of speeds only, that holds with it; -1: none */
    double static_friction;
} cardo_unilateral;

typedef enum cardo_impact_law {
    CARDO_IMPACT_SEQUENTIAL,
    CARDO_IMPACT_NEWTON,
    CARDO_IMPACT_POISSON
} cardo_impact_law;

typedef struct cardo_impacts cardo_impacts;

/* Contacts (n, copied) of a finalized system, which outlives them. touching: gaps up to this are contacts; 0: 1e-9. Used by one thread at a time. The caller owns
 * *out. */
CARDO_API cardo_status cardo_impacts_create(const cardo_system *system, int n,
                                            const cardo_unilateral *contacts, cardo_impact_law law,
                                            double touching, cardo_impacts **out,
                                            cardo_error *error);
/* NULL is fine. */
CARDO_API void cardo_impacts_destroy(cardo_impacts *impacts);

/* Switches contacts on that touch, do not part and press, and all others off. Strikes first where any closes. CARDO_ERROR_INPUT
 * names a contact whose surfaces overlap. */
CARDO_API cardo_status cardo_impacts_begin(cardo_impacts *impacts, cardo_state *state,
                                           cardo_error *error);
/* The impact of all that touches and closes: u becomes what it is after it. impulses (n; may be NULL): what each contact gave; those of constraints are not
 * told. Nothing is switched. */
CARDO_API cardo_status cardo_impacts_strike(cardo_impacts *impacts, cardo_state *state,
                                            double *impulses, cardo_error *error);
/* g (n) and its rate (n; may be NULL), whether or not the contacts are on. Realizes what it takes. */
CARDO_API cardo_status cardo_impacts_gaps(cardo_impacts *impacts, const cardo_state *state,
                                          double *gaps, double *rates, cardo_error *error);
/* Forces (n) of the contacts, 0 of those that are off. ACCELERATION. */
CARDO_API cardo_status cardo_impacts_forces(const cardo_impacts *impacts, const cardo_state *state,
                                            double *forces, cardo_error *error);

/* ---- impulses by themselves ---- */

/* The change of u (nu) that impulses bring about, on bodies (nbody: angular about body origins and linear, in ground; may be NULL) and on mobilities (nu; may be NULL), with
 * the constraints that are on. DYNAMICS. */
CARDO_API cardo_status cardo_impulse_response(const cardo_system *system, const cardo_state *state,
                                              const cardo_spatial *body_impulses,
                                              const double *mobility_impulses, double *change,
                                              cardo_error *error);
/* The impulses (ntask) along ntask rows of speeds (their Jacobian: ntask x nu, row-major) that change these speeds by `wanted` (ntask), the shortest where
 * there are several, and the change of u (nu; may be NULL) that goes with them. CARDO_ERROR_SINGULAR where the constraints do not let them be so changed. DYNAMICS.
 * Allocates. */
CARDO_API cardo_status cardo_impulse_for_change(const cardo_system *system,
                                                const cardo_state *state, int ntask,
                                                const double *jacobian, const double *wanted,
                                                double *impulses, double *change,
                                                cardo_error *error);

#ifdef __cplusplus
}
#endif

#endif
