/* Hard contacts of a system (cardo/impact.h), as the handlers of their events see them. */
#ifndef CARDO_MULTIBODY_IMPACT_IMPACTS_H
#define CARDO_MULTIBODY_IMPACT_IMPACTS_H

#include "cardo/impact.h"

#include <stdbool.h>

/* The least gap of contacts that are off, 1 where none is; those that rest against each other without a force count when they overlap by more than `touching`. */
cardo_status cardo_impacts_least_gap(cardo_impacts *impacts, const cardo_state *state,
                                     double *value, cardo_error *error);
/* The least of what is left before a contact that is on pulls, and before stiction gives way; 1 where there is none. ACCELERATION. */
cardo_status cardo_impacts_least_hold(const cardo_impacts *impacts, const cardo_state *state,
                                      double *value, cardo_error *error);
/* What follows where gaps have closed (strike) or forces have come to their ends: the impact, and which contacts hold from here on. */
cardo_status cardo_impacts_happen(cardo_impacts *impacts, cardo_state *state, bool strike,
                                  cardo_error *error);

#endif
