/* A system, a state, a force provider and an integrator, step by step.
 *
 * The loop opens no file and never bends its steps to output: observers are called after the steps
 * that are multiples of their interval. When a step fails the last good state is put back. */
#ifndef CARDO_SIMULATION_H
#define CARDO_SIMULATION_H

#include <cardo/evaluator.h>
#include <cardo/events.h>
#include <cardo/field.h>
#include <cardo/impact.h>

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cardo_simulation cardo_simulation;
typedef struct cardo_integrator cardo_integrator;

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
    double
        work; /* what prescribed motions and constraints have brought in since the start, kJ/mol */
    double handled; /* what handlers of events have brought in since the start, kJ/mol     */
    double
        conserved; /* total less what the bath gave, less the work and what was handled, kJ/mol */
    double
        temperature; /* 2 K / (degrees of freedom k), K; K without what prescribed motions need */
    long long
        branch_points; /* of constraints, passed since the start; -1: they are not looked for */
} cardo_frame;

typedef struct cardo_observer {
    void *user;         /* handed to the function */
    long long interval; /* steps; called at step 0 too (when a run starts afresh)                 */
    bool wants_terms;   /* energies by term are to be there                                    */
    cardo_status (*observe)(void *user, const cardo_frame *frame, cardo_error *error);
} cardo_observer;

typedef enum cardo_end {
    CARDO_END_DONE,
    CARDO_END_EVENT, /* an event that stops the run happened in the last step, or a handler ended it */
    CARDO_END_INTERRUPTED, /* the flag was raised; the state is that of the last whole step       */
    CARDO_END_FAILED       /* a step failed; the state is the last good one                       */
} cardo_end;

/* Integrators and thermostats, NULL-terminated; by name ("langevin"), or NULL. */
CARDO_API const cardo_integrator *const *cardo_integrator_list(void);
CARDO_API const cardo_integrator *cardo_integrator_find(const char *name);
/* Its name, one line of help, and where the method comes from. */
CARDO_API const char *cardo_integrator_name(const cardo_integrator *integrator);
CARDO_API const char *cardo_integrator_doc(const cardo_integrator *integrator);
CARDO_API const char *cardo_integrator_citation(const cardo_integrator *integrator);
/* Its options; ends with a row whose name is NULL. */
CARDO_API const cardo_field *cardo_integrator_options(const cardo_integrator *integrator);
/* The options of every simulation: steps, timestep, temperature, seed ... */
CARDO_API const cardo_field *cardo_simulation_option_list(void);

/* A simulation by options "name=value", of every simulation or of its integrator ("timestep=10 fs", "friction=5"); the last one of
 * a name wins, what is not named has its default. integrator: a name, or NULL: verlet. An unknown name is
 * CARDO_ERROR_INPUT with the nearest one. provider NULL: no forces but the system's own. System, state and provider are borrowed and
 * outlive it. The caller owns *out.
 *
 * A run on constraints ends before a step that goes through one of their branch points (cardo/manifold.h), where it is chance which branch it takes. branch-points=pass
 * goes on by the speeds before it, which is the branch that it came on as long as no step ends within some 1e-7 radian of it; frames count them. For explicit
 * and error-controlled methods: verlet and what is made of it may find no free motion that its parts agree on there, and then say so.
 */
CARDO_API cardo_status cardo_simulation_open(const cardo_system *system, cardo_state *state,
                                             cardo_force_provider *provider, const char *integrator,
                                             int noption, const char *const *option,
                                             cardo_simulation **out, cardo_error *error);
/* NULL is fine. */
CARDO_API void cardo_simulation_destroy(cardo_simulation *simulation);

/* Observers are called in the order in which they came; at most 16. The struct is copied. */
CARDO_API cardo_status cardo_simulation_add_observer(cardo_simulation *simulation,
                                                     const cardo_observer *observer,
                                                     cardo_error *error);

/* Watches for an event from now on (cardo/events.h). The struct is copied, what it points to is
 * borrowed. */
CARDO_API cardo_status cardo_simulation_add_event(cardo_simulation *simulation,
                                                  const cardo_event *event, cardo_error *error);
/* The one who is told of every event, in order of time, before the observers of its step. */
CARDO_API void cardo_simulation_listen(cardo_simulation *simulation, cardo_event_listener listener,
                                       void *user);

/* Adds a handler of events (cardo/events.h), before _start or _restore; at most 32. The struct is copied, what it points to is borrowed.
 *
 * Triggered events are found where the witness has another sign at the end of a step than at its beginning: by the error-controlled
 * methods on their own polynomials, step by step of theirs; by the others by taking the step again with other lengths, with the same
 * random numbers, so that the state at the event is one of the method's own. Events of one step come in order of time, those of
 * one time in order of number. A step in which nothing was changed goes on where it was; otherwise the method begins anew without a
 * past. Scheduled times that are within 1e-9 of a step of its end happen there.
 *
 * A witness that its own handler leaves at zero counts as being on the side to which the motion then takes it, and does not happen
 * again for leaving zero. A handler whose event comes about again and again with no time between is an error that names it. Snapshots hold which side each witness is on, the next time of each schedule, and which constraints are on.
 * CARDO_ERROR_UNSUPPORTED for methods whose steps have no moments in them (hmc, ghmc, quasi-static). */
CARDO_API cardo_status cardo_simulation_add_handler(cardo_simulation *simulation,
                                                    const cardo_event_handler *handler,
                                                    cardo_error *error);
/* Adds the events of hard contacts (cardo/impact.h): impacts where gaps close, and contacts let go where they would pull or slip. Two handlers. They are
 * to have been begun at the state, and outlive the simulation. */
CARDO_API cardo_status cardo_simulation_add_impacts(cardo_simulation *simulation,
                                                    cardo_impacts *impacts, cardo_error *error);
/* Switches a handler on or off by its number, from the next step on or, called by a handler, from its moment on. One that is switched on
 * looks from then on: periods keep their beat. */
CARDO_API cardo_status cardo_simulation_switch_handler(cardo_simulation *simulation, int number,
                                                       bool on, cardo_error *error);
/* Begins afresh at the state's q: first evaluation, velocities, observers at step 0. A first energy
 * or force that is not finite, or a provider that cannot evaluate the start, is an error that says
 * so. */
CARDO_API cardo_status cardo_simulation_start(cardo_simulation *simulation, cardo_error *error);

/* Runs until `steps` steps in all are done (options.steps when negative). interrupt (may be NULL)
 * is looked at after every step. *end says why it ended. A failed step is an error that names step,
 * time and coordinates, and leaves the simulation at its last good step; so is an observer's
 * failure. */
CARDO_API cardo_status cardo_simulation_run(cardo_simulation *simulation, long long steps,
                                            const volatile sig_atomic_t *interrupt, cardo_end *end,
                                            cardo_error *error);

/* The frame of the last good step. */
CARDO_API void cardo_simulation_frame(const cardo_simulation *simulation, cardo_frame *frame);
CARDO_API long long cardo_simulation_step(const cardo_simulation *simulation);
/* Degrees of freedom that the temperature counts and that every bath acts on: all speeds but
 * prescribed ones. */
CARDO_API int cardo_simulation_degrees(const cardo_simulation *simulation);
/* What the integrator has to say about the run so far, one line; false when nothing. */
CARDO_API bool cardo_simulation_report(const cardo_simulation *simulation, char *text, size_t size);
CARDO_API const cardo_system *cardo_simulation_system(const cardo_simulation *simulation);

#ifdef __cplusplus
}
#endif

#endif
