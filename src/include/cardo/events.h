/* Events: the moments at which functions of time and state pass through zero.
 *
 * Each step is looked at by its own dense output: the polynomial of the error-controlled methods,
 * piece by piece, and for the others the cubic that fits both ends of the step (q and u with their
 * rates). A zero is located there to rounding, so the time is as right as the motion is. Two
 * passages within one piece cancel and stay unseen. Stepping is never changed by events. */
#ifndef CARDO_EVENTS_H
#define CARDO_EVENTS_H

#include <cardo/status.h>

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

#ifdef __cplusplus
}
#endif

#endif
