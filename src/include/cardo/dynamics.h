/* Time steps for a multibody system: forces from a provider, an integrator, observers and events.
 *
 *   cardo_callback_provider_create          forces of a function of yours; or none: the system has springs of its own
 *   cardo_simulation_open                   a system, its state, the provider, an integrator by name, options "name=value"
 *   cardo_simulation_add_observer, _add_event, _listen
 *   cardo_simulation_start, _run            until the number of steps that is asked for; may be called again
 *   cardo_simulation_destroy, then the provider, the state, the system
 *
 * cardo/evaluator.h evaluates forces and energies without taking a step. */
#ifndef CARDO_DYNAMICS_H
#define CARDO_DYNAMICS_H

#include <cardo/evaluator.h>
#include <cardo/events.h>
#include <cardo/field.h>
#include <cardo/multibody.h>
#include <cardo/simulation.h>
#include <cardo/units.h>

#endif
