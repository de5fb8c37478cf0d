/* Events: the moments at which functions of time and state pass through zero.
 *
 * Each step is looked at by its own dense output: the polynomial of the error-controlled methods,
 * piece by piece, and for the others the cubic that fits both ends of the step (q and u with their
 * rates). A zero is located there to rounding, so the time is as right as the motion is. Two
 * passages within one piece cancel and stay unseen. Stepping is never changed by events.
 *
 * Handlers are events that may change the state. The step ends at their moment, they are called, and the motion goes on from what
 * they leave to where the step would have ended (Sherman, Seth & Delp 2011). */
#ifndef CARDO_EVENTS_H
#define CARDO_EVENTS_H

#include <cardo/state.h>

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum cardo_event_direction {
    CARDO_EVENT_EITHER,
    CARDO_EVENT_RISING, /* from below zero to zero or above */
    CARDO_EVENT_FALLING /* from above zero to zero or below */
} cardo_event_direction;

typedef struct cardo_event {
    const char *name; /* borrowed */
    void *user;
    /* The function whose zero is the event, of the time (ps), q (nq) and u (nu); continuous. */
    cardo_status (*witness)(void *user, double time, const double *q, const double *u,
                            double *value, cardo_error *error);
    cardo_event_direction direction;
    bool stop; /* the run ends after the step in which it happens */
} cardo_event;

/* What happened; borrowed, valid during the call. */
typedef struct cardo_event_report {
    const cardo_event *event;
    int number;     /* of the event, in the order in which they were added, from 0 */
    long long step; /* the step in which it happened                             */
    double time;    /* ps                                                         */
    bool rising;
    const double *q, *u; /* at that time (nq, nu) */
} cardo_event_report;

typedef cardo_status (*cardo_event_listener)(void *user, const cardo_event_report *report,
                                             cardo_error *error);

/* A witness: coordinate number `coordinate` less `value`. user is one of these. */
typedef struct cardo_coordinate_target {
    int coordinate;
    double value;
} cardo_coordinate_target;
CARDO_API cardo_status cardo_coordinate_witness(void *user, double time, const double *q,
                                                const double *u, double *value, cardo_error *error);

/* ---- handlers ---- */

/* A handler's moment. */
typedef struct cardo_event_occasion {
    const char *name; /* of the handler                                                       */
    int number;       /* of the handler, in the order in which they were added, from 0        */
    long long step;   /* the step under way                                                   */
    double time;      /* ps                                                                   */
    bool rising;      /* of the witness; false where there is none                            */
} cardo_event_occasion;

/* What a handler says of what it did. */
typedef struct cardo_event_response {
    /* The lowest stage of the state whose results no longer hold. Comes as ACCELERATION: all of them hold. What the handler sets by
     * the state's own functions (q, u, constraints on or off) is seen without being said; changes that the state does not know of
     * have to be: DYNAMICS where forces are others now. */
    cardo_stage changed;
    bool stop;   /* the run ends here, at this moment                                         */
    bool retire; /* this handler is off from now on (cardo_simulation_switch_handler)         */
} cardo_event_response;

/* Functions that are called at moments, and what says when: exactly one of `witness`, `period` and `next`. All are of the caller, as
 * is what user points to; the simulation's checkpoints hold neither. */
typedef struct cardo_event_handler {
    const char *name; /* borrowed */
    void *user;

    /* Triggered: where this passes through zero. The state is realized to `stage`, or to VELOCITY if that is TIME. It is a scratch:
     * not to be changed. */
    cardo_status (*witness)(void *user, const cardo_system *system, const cardo_state *state,
                            double *value, cardo_error *error);
    cardo_stage stage;
    cardo_event_direction direction;
    double tolerance; /* ps: the moment is at most so long after the passage; 0: to rounding   */

    /* Periodic: at `first` and every `period` ps after it. */
    double period, first;

    /* Scheduled: the first time after `time`, or at it where `or_at`, ps; HUGE_VAL: never again. */
    cardo_status (*next)(void *user, double time, bool or_at, double *next, cardo_error *error);

    /* The state is realized to ACCELERATION, and is to be left with the time that it has. What is left off the constraints that
     * are on is brought back: q by the least change, then u by an impulse of the constraints (the M-orthogonal projection), so
     * that a constraint switched on here acts like a plastic impact. */
    cardo_status (*handle)(void *user, const cardo_system *system, cardo_state *state,
                           const cardo_event_occasion *occasion, cardo_event_response *response,
                           cardo_error *error);
} cardo_event_handler;

#ifdef __cplusplus
}
#endif

#endif
