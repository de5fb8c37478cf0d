/* Events: the moments at which functions of time and state pass through zero.
 *
 * Each step is looked at by its own dense output: the polynomial of the error-controlled methods,
 * piece by piece, and for the others the cubic that fits both ends of the step (q and u with their
 * rates). A zero is located there to rounding, so the time is as right as the motion is. Two
 * passages within one piece cancel and stay unseen. Stepping is never changed by events. */
#ifndef CARDO_DYNAMICS_EVALUATION_EVENTS_H
#define CARDO_DYNAMICS_EVALUATION_EVENTS_H

#include "multibody/tree/state.h"

#include <stdbool.h>

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
cardo_status cardo_coordinate_witness(void *user, double time, const double *q, const double *u,
                                      double *value, cardo_error *error);

/* q and u at a time between the ends of a piece of the motion. */
typedef cardo_status (*cardo_interpolant)(void *user, double time, double *q, double *u,
                                          cardo_error *error);

typedef struct cardo_events cardo_events;

cardo_status cardo_events_create(const cardo_system *system, cardo_events **out,
                                 cardo_error *error);
void cardo_events_destroy(cardo_events *events);
/* The struct is copied; at most 32. */
cardo_status cardo_events_add(cardo_events *events, const cardo_event *event, cardo_error *error);
int cardo_events_count(const cardo_events *events);
const cardo_event *cardo_events_get(const cardo_events *events, int number);

/* Forgets what happened and notes where a step begins (state realized to ACCELERATION). */
void cardo_events_begin_step(cardo_events *events, const cardo_state *state);
/* Looks between two times, in any number of pieces a step, in order. More than 64 events in a step
 * are an error. */
cardo_status cardo_events_look(cardo_events *events, cardo_interpolant interpolant, void *user,
                               double from, double to, cardo_error *error);
/* Looks at the whole step by the cubic between its ends; state as for begin. */
cardo_status cardo_events_end_step(cardo_events *events, const cardo_state *state,
                                   cardo_error *error);
/* Tells the listener what happened in the step, in order of time. *stop: whether one of them ends
 * the run. */
cardo_status cardo_events_tell(const cardo_events *events, long long step,
                               cardo_event_listener listener, void *user, bool *stop,
                               cardo_error *error);

#endif
