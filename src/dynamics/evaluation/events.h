/* Looking for events (cardo/events.h) step by step. */
#ifndef CARDO_DYNAMICS_EVALUATION_EVENTS_H
#define CARDO_DYNAMICS_EVALUATION_EVENTS_H

#include "cardo/events.h"
#include "multibody/tree/state.h"

#include <stdbool.h>

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
/* Notes where a piece of a step begins, which goes as far as cardo_events_end_step is called. */
void cardo_events_begin_piece(cardo_events *events, const cardo_state *state);
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
