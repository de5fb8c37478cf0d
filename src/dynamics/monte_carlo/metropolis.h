/* One Monte Carlo move: a flight of several steps, taken or not by its error of energy. */
#ifndef CARDO_DYNAMICS_MONTE_CARLO_METROPOLIS_H
#define CARDO_DYNAMICS_MONTE_CARLO_METROPOLIS_H

#include "dynamics/integrators/verlet_step.h"

/* The rows of option tables for the members of a cardo_monte_carlo_options; path: where it is in
 * type, nothing or `move.`. The last two: defaults, as text. (clang-format would
 * put each value on a line of its own.) */
/* clang-format off */
#define CARDO_MONTE_CARLO_FIELDS(type, path, flights_standard, jitter_standard)                    \
    {"flights", CARDO_FIELD_INT, offsetof(type, path flights), "", flights_standard, 1, 1e6, NULL, \
     "steps in a move; a move counts as one step of the run"},                                     \
    {"jitter", CARDO_FIELD_DOUBLE, offsetof(type, path jitter), "", jitter_standard, 0, 0.9, NULL, \
     "fraction by which the time step varies at random from move to move"},                        \
    {"propagator", CARDO_FIELD_CHOICE, offsetof(type, path propagator), "", "verlet", 0, 0,        \
     cardo_propagator_choices,                                                                     \
     "how a move flies: verlet, or leapfrog with the check that each step leads back"},            \
    {"burn-in", CARDO_FIELD_INT, offsetof(type, path burn_in), "", "0", 0, 1e9, NULL,              \
     "first moves, in which the time step is adapted; they are not to be analysed"},               \
    {"acceptance", CARDO_FIELD_DOUBLE, offsetof(type, path acceptance), "", "0.8", 0.05, 0.99,     \
     NULL, "fraction of moves to be accepted, to which burn-in adapts the time step"},             \
    CARDO_FLIGHT_TOLERANCE_FIELD(type, path verlet.flight_tolerance, "1e-9")
/* clang-format on */

int cardo_metropolis_keep_count(int nq, int nu);
int cardo_metropolis_work_count(int nq, int nu);

/* CARDO_ERROR_UNSUPPORTED where the propagator cannot move the system, or constraints move with time or are not of positions. */
cardo_status cardo_metropolis_start(cardo_integration *integration,
                                    const cardo_monte_carlo_options *options, cardo_error *error);

/* In the first options->burn_in moves the time step is adapted, by a factor in keep, to the wanted
 * acceptance (Robbins & Monro 1951); then it stands, since a step that answers to what has happened
 * does not sample exactly. The counts that the report gives begin after them.
 *
 * Moves the state by options->flights steps of the propagator and accepts with probability min(1, exp(-dH/kT)),
 * dH the change of kinetic and potential energy. A move that is not accepted, and one whose
 * energies cannot be evaluated, leaves q, forces and energies as they were to the bit, and the
 * speeds turned round: that is what keeps the joint distribution of q and u exact (Horowitz 1991).
 * Time goes on by one time step either way. The state comes realized to DYNAMICS, with the q of the
 * last good step, and goes realized to ACCELERATION. */
cardo_status cardo_metropolis_move(cardo_integration *integration,
                                   const cardo_monte_carlo_options *options, cardo_error *error);

/* The time step as burn-in has left it so far, ps: the run's times a factor in keep. */
double cardo_metropolis_timestep(const cardo_integration *integration);

/* The descriptor's report. */
void cardo_metropolis_report(const cardo_integration *integration, char *text, size_t size);

#endif
