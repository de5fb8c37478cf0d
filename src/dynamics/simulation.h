/* The study `simulate`: a system, a state, a force provider and an integrator, step by step.
 *
 * The loop opens no file and never bends its steps to output: observers are called after the steps
 * that are multiples of their interval. When a step fails the last good state is put back. */
#ifndef CARDO_DYNAMICS_SIMULATION_H
#define CARDO_DYNAMICS_SIMULATION_H

#include "dynamics/evaluation/evaluate.h"
#include "dynamics/evaluation/events.h"
#include "dynamics/integrators/integrator.h"

#include <signal.h>
#include <stdint.h>

typedef enum cardo_start_velocities {
    CARDO_VELOCITIES_DRAW, /* Maxwell-Boltzmann at the temperature                              */
    CARDO_VELOCITIES_ZERO,
    CARDO_VELOCITIES_KEEP /* what the state holds                                              */
} cardo_start_velocities;

/* Density of the coordinates that a thermostat samples. */
typedef enum cardo_ensemble {
    CARDO_ENSEMBLE_RIGID, /* sqrt(det M) exp(-U/kT): that of hinges that are rigid by nature     */
    CARDO_ENSEMBLE_FIXMAN /* exp(-U/kT): Fixman's potential is added to U                        */
} cardo_ensemble;

typedef struct cardo_simulation_options {
    long long steps;    /* of the whole run                                                 */
    double timestep;    /* ps; between reports where the integrator chooses its own steps   */
    double temperature; /* K: of the first draw and of the bath                             */
    long long seed;
    int replica;            /* another stream of the same seed                                  */
    int velocities;         /* cardo_start_velocities                                           */
    int ensemble;           /* cardo_ensemble                                                   */
    double max_energy_jump; /* kJ/mol: the most that the conserved energy may change in a step  */
} cardo_simulation_options;

extern const cardo_field cardo_simulation_fields[];

typedef struct cardo_simulation cardo_simulation;

/* What an observer sees; borrowed, valid during the call. */
typedef struct cardo_frame {
    const cardo_system *system;
    const cardo_state *state; /* realized to ACCELERATION                                      */
    const cardo_evaluator *evaluator;
    long long step;
    double time;      /* ps                                                                  */
    double potential; /* kJ/mol                                                              */
    double kinetic;   /* kJ/mol                                                              */
    double total;     /* kinetic + potential, kJ/mol                                         */
    double work;      /* what prescribed motions have brought in since the start, kJ/mol     */
    double conserved; /* total less what the bath gave and less the work, kJ/mol             */
    double
        temperature; /* 2 K / (degrees of freedom k), K; K without what prescribed motions need */
} cardo_frame;

typedef struct cardo_observer {
    void *user;
    long long interval; /* steps; called at step 0 too (when a run starts afresh)                 */
    bool wants_terms;   /* energies by term are to be there                                    */
    cardo_status (*observe)(void *user, const cardo_frame *frame, cardo_error *error);
} cardo_observer;

typedef enum cardo_end {
    CARDO_END_DONE,
    CARDO_END_EVENT,       /* an event that stops the run happened in the last step */
    CARDO_END_INTERRUPTED, /* the flag was raised; the state is that of the last whole step       */
    CARDO_END_FAILED       /* a step failed; the state is the last good one                       */
} cardo_end;

/* Everything is borrowed but the option structs, which are copied. integrator_options NULL:
 * defaults. provider NULL: no forces. The caller owns *out. */
cardo_status cardo_simulation_create(const cardo_system *system, cardo_state *state,
                                     cardo_force_provider *provider,
                                     const cardo_integrator *integrator,
                                     const cardo_simulation_options *options,
                                     const void *integrator_options, cardo_simulation **out,
                                     cardo_error *error);
void cardo_simulation_destroy(cardo_simulation *simulation);

/* Observers are called in the order in which they came; at most 16. The struct is copied. */
cardo_status cardo_simulation_add_observer(cardo_simulation *simulation,
                                           const cardo_observer *observer, cardo_error *error);

/* Takes away the observers that have this user pointer. */
void cardo_simulation_remove_observers(cardo_simulation *simulation, const void *user);

/* Watches for an event from now on (dynamics/evaluation/events.h). The struct is copied, what it points to is
 * borrowed. */
cardo_status cardo_simulation_add_event(cardo_simulation *simulation, const cardo_event *event,
                                        cardo_error *error);
/* The one who is told of every event, in order of time, before the observers of its step. */
void cardo_simulation_listen(cardo_simulation *simulation, cardo_event_listener listener,
                             void *user);
/* The events watched for, or NULL. */
const cardo_events *cardo_simulation_events(const cardo_simulation *simulation);

/* Begins afresh at the state's q: first evaluation, velocities, observers at step 0. A first energy
 * or force that is not finite, or a provider that cannot evaluate the start, is an error that says
 * so. */
cardo_status cardo_simulation_start(cardo_simulation *simulation, cardo_error *error);

/* Runs until `steps` steps in all are done (options.steps when negative). interrupt (may be NULL)
 * is looked at after every step. *end says why it ended. A failed step is an error that names step,
 * time and coordinates, and leaves the simulation at its last good step; so is an observer's
 * failure. */
cardo_status cardo_simulation_run(cardo_simulation *simulation, long long steps,
                                  const volatile sig_atomic_t *interrupt, cardo_end *end,
                                  cardo_error *error);

/* The frame of the last good step. */
void cardo_simulation_frame(const cardo_simulation *simulation, cardo_frame *frame);
long long cardo_simulation_step(const cardo_simulation *simulation);
/* Degrees of freedom that the temperature counts and that every bath acts on: all speeds but
 * prescribed ones. */
int cardo_simulation_degrees(const cardo_simulation *simulation);
/* What the integrator has to say about the run so far, one line; false when nothing. */
bool cardo_simulation_report(const cardo_simulation *simulation, char *text, size_t size);
const cardo_system *cardo_simulation_system(const cardo_simulation *simulation);
/* The state that the simulation moves. */
cardo_state *cardo_simulation_state(const cardo_simulation *simulation);
const cardo_evaluator *cardo_simulation_evaluator(const cardo_simulation *simulation);
const cardo_integrator *cardo_simulation_integrator(const cardo_simulation *simulation);
const cardo_simulation_options *cardo_simulation_get_options(const cardo_simulation *simulation);
const void *cardo_simulation_integrator_options(const cardo_simulation *simulation);

/* All that a run needs to go on bitwise alike. values: time, q, u, last evaluation, the
 * integrator's keep, reference energies. */
typedef struct cardo_snapshot {
    long long step;
    uint64_t random_position;
    int nvalue;
    double *values; /* kJ/mol, nm, ps, radian: as each comes (nvalue) */
} cardo_snapshot;

/* Numbers in a snapshot of this simulation. */
int cardo_simulation_snapshot_size(const cardo_simulation *simulation);
/* Writes the last good step into a snapshot whose values array the caller provides. */
void cardo_simulation_save(const cardo_simulation *simulation, cardo_snapshot *snapshot);
/* Takes the place of cardo_simulation_start: goes on from a snapshot. A wrong number of values is
 * CARDO_ERROR_INPUT. */
cardo_status cardo_simulation_restore(cardo_simulation *simulation, const cardo_snapshot *snapshot,
                                      cardo_error *error);

/* Goes on from other coordinates q (nq) and speeds u (nu), either NULL: as they are, with forces
 * evaluated anew, since what adds to them from outside may have changed: an exchange of
 * configurations, a bias that has grown. Step, time, the bath's books and its random stream go on.
 * Not for integrators that remember earlier steps. */
cardo_status cardo_simulation_renew(cardo_simulation *simulation, const double *q, const double *u,
                                    cardo_error *error);

#endif
