/* Handlers of events (cardo/events.h): which side of zero each witness is on, where it passes, and what then follows. */
#ifndef CARDO_DYNAMICS_EVALUATION_HANDLERS_H
#define CARDO_DYNAMICS_EVALUATION_HANDLERS_H

#include "cardo/evaluator.h"
#include "cardo/events.h"
#include "multibody/tree/state.h"

#include <stdbool.h>

typedef struct cardo_handlers cardo_handlers;

cardo_status cardo_handlers_create(const cardo_system *system, cardo_handlers **out,
                                   cardo_error *error);
void cardo_handlers_destroy(cardo_handlers *handlers);
/* The struct is copied; at most 32. */
cardo_status cardo_handlers_add(cardo_handlers *handlers, const cardo_event_handler *handler,
                                cardo_error *error);
cardo_status cardo_handlers_switch(cardo_handlers *handlers, int number, bool on,
                                   cardo_error *error);

/* What a snapshot holds of them, constraints that are on or off included. */
int cardo_handlers_value_count(const cardo_handlers *handlers);
void cardo_handlers_save(const cardo_handlers *handlers, const cardo_state *state, double *values);
cardo_status cardo_handlers_load(cardo_handlers *handlers, cardo_state *state, double step,
                                 const double *values, cardo_error *error);

/* Reads the sides that all are on and, with schedules, when each comes next, and forgets what was. State realized to ACCELERATION. step: ps, of
 * the run: what is shorter than 1e-9 of it is no time. */
cardo_status cardo_handlers_begin(cardo_handlers *handlers, cardo_state *state, double step,
                                  bool schedules, cardo_error *error);
/* The same for those that have been switched on since. */
cardo_status cardo_handlers_wake(cardo_handlers *handlers, cardo_state *state, cardo_error *error);
/* The next time that is scheduled, ps; HUGE_VAL: none. */
double cardo_handlers_next(const cardo_handlers *handlers);

/* Brings the state to a time of the piece of the motion that is looked at. */
typedef cardo_status (*cardo_placer)(void *user, double time, cardo_error *error);

/* Looks for the first passage between two times, the first of them where it has looked before. With one, *to becomes its moment, the
 * state is brought there, and cardo_handlers_handle is to follow; otherwise it is brought to *to. */
cardo_status cardo_handlers_search(cardo_handlers *handlers, cardo_state *state,
                                   cardo_evaluator *evaluator, cardo_placer place, void *user,
                                   double from, double *to, bool *found, cardo_error *error);

/* Whether there is a handler whose moment this is: a passage that the search has led to, or a time that is scheduled. */
bool cardo_handlers_are_due(const cardo_handlers *handlers, double time);
/* Calls the handlers whose moment this is. *changed: whether forces, q, u or constraints are others now; the state is then on its
 * constraints, evaluated and realized to ACCELERATION, as it came. *stop is set where one ends the run. */
cardo_status cardo_handlers_handle(cardo_handlers *handlers, cardo_state *state,
                                   cardo_evaluator *evaluator, long long step, bool *changed,
                                   bool *stop, cardo_error *error);

#endif
