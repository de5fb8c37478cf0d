#include "dynamics/simulation.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/units.h"
#include "cardo/manifold.h"
#include "dynamics/coordinates/constrained.h"
#include "dynamics/coordinates/velocities.h"
#include "dynamics/handled_step.h"
#include "multibody/mobilizers/descriptor.h"
#include "multibody/tree/motion.h"
#include "multibody/tree/operators.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_OBSERVERS = 16, STREAMS_PER_REPLICA = 16 };

/* Purposes of random streams of one seed and replica. */
enum { STREAM_VELOCITIES = 1, STREAM_BATH = 2 };

struct cardo_simulation {
    const cardo_system *system;
    cardo_state *state;
    const cardo_integrator *integrator;
    cardo_simulation_options options;
    void *integrator_options;
    cardo_evaluator *evaluator;
    cardo_integration integration;
    int nkeep, degrees;
    int nprescribed;         /* mobilities whose motion is prescribed           */
    double *scratch;         /* of the thermal energy (2 nu)                    */
    bool driven;             /* constraints may do work                                     */
    double work;             /* of the motions and of constraints up to now                 */
    double *motive;          /* forces of the motions at the last step (nu)                 */
    double *powers;          /* scratch, of each constraint                                 */
    double power;            /* of all constraints at the last step, kJ/mol/ps              */
    long long branch_points; /* passed up to now */
    bool started;
    cardo_observer observers[MOST_OBSERVERS];
    int nobserver;
    cardo_events *events;   /* NULL: none */
    cardo_handled *handled; /* with handlers of events; NULL: none */
    bool ended;             /* by one of them, at the last step     */
    cardo_event_listener listener;
    void *listener_user;
    cardo_snapshot good; /* the last good step */
    cardo_frame frame;   /* its energies       */
};

static const char *const velocity_choices[] = {"draw", "zero", "keep", NULL};

static const char *const branch_choices[] = {"stop", "pass", NULL};

static const char *const ensemble_choices[] = {"rigid", "fixman", "closure", "full", NULL};

const cardo_field cardo_simulation_fields[] = {
    {"steps", CARDO_FIELD_LONG, offsetof(cardo_simulation_options, steps), "", "10000", 0, 9e15,
     NULL, "steps of the whole run", CARDO_MAY_CHANGE},
    {"timestep", CARDO_FIELD_DOUBLE, offsetof(cardo_simulation_options, timestep), "ps", "0.01",
     1e-9, 1e3, NULL, "time step; with rk-merson, adams and bdf the time between reports"},
    {"temperature", CARDO_FIELD_DOUBLE, offsetof(cardo_simulation_options, temperature), "K", "300",
     0, 1e6, NULL, "temperature of the first velocities and of the bath"},
    {"seed", CARDO_FIELD_LONG, offsetof(cardo_simulation_options, seed), "", "1", 0, 9e15, NULL,
     "seed of all random numbers"},
    {"replica", CARDO_FIELD_INT, offsetof(cardo_simulation_options, replica), "", "0", 0, 1e8, NULL,
     "another stream of random numbers of the same seed"},
    {"velocities", CARDO_FIELD_CHOICE, offsetof(cardo_simulation_options, velocities), "", "draw",
     0, 0, velocity_choices, "first velocities: drawn at the temperature, zero, or kept"},
    {"ensemble", CARDO_FIELD_CHOICE, offsetof(cardo_simulation_options, ensemble), "", "rigid", 0,
     0, ensemble_choices,
     "density of the coordinates: sqrt(det M) exp(-U/kT), or exp(-U/kT) by Fixman's potential; "
     "with "
     "constraints those times sqrt(det Y), or closure and full without it"},
    {"max-energy-jump", CARDO_FIELD_DOUBLE, offsetof(cardo_simulation_options, max_energy_jump),
     "kJ/mol", "100", 0, 1e300, NULL,
     "most that the conserved energy may change in one step before the run stops",
     CARDO_MAY_CHANGE},
    {"branch-points", CARDO_FIELD_CHOICE, offsetof(cardo_simulation_options, branch_points), "",
     "stop", 0, 0, branch_choices,
     "where constraints leave several ways to go: the run stops before, or passes and counts it"},
    {0},
};

const char *cardo_ensemble_name(int ensemble)
{
    return ensemble_choices[ensemble];
}

static int count(int (*function)(int, int), int nq, int nu)
{
    return function ? function(nq, nu) : 0;
}

/* What no integrator of the kind can do is said by its name. A constant mass matrix has one density. */
static cardo_status check_constraints(const cardo_system *system,
                                      const cardo_integrator *integrator,
                                      const cardo_simulation_options *options, cardo_error *error)
{
    const bool constrained = cardo_constraint_row_count(system) > 0;
    if (!constrained && options->ensemble > CARDO_ENSEMBLE_FIXMAN)
        return CARDO_FAIL(
            error, CARDO_ERROR_INPUT,
            "ensemble=%s is one of systems with constraints, and there are none: take "
            "rigid or fixman",
            ensemble_choices[options->ensemble]);
    if (cardo_system_mass_matrix(system) && options->ensemble != CARDO_ENSEMBLE_FIXMAN)
        return CARDO_FAIL(
            error, CARDO_ERROR_INPUT,
            "a system with a constant mass matrix has the density exp(-U/kT), which is "
            "ensemble=fixman, not ensemble=%s",
            ensemble_choices[options->ensemble]);
    if (constrained && !(integrator->traits & CARDO_INTEGRATOR_STABILIZED) &&
        cardo_system_stabilization(system).method != CARDO_STABILIZATION_PROJECTION)
        return CARDO_FAIL(
            error, CARDO_ERROR_UNSUPPORTED,
            "%s goes along the constraints, and the system's are stabilized by %s: use euler, "
            "heun, rk4 or adams-bashforth-moulton",
            integrator->name, cardo_stabilization_name(cardo_system_stabilization(system).method));
    if (!constrained || !(integrator->traits & CARDO_INTEGRATOR_UNCONSTRAINED))
        return CARDO_OK;
    return CARDO_FAIL(error, CARDO_ERROR_UNSUPPORTED,
                      "%s keeps no constraints, and the system has some: use verlet for constant "
                      "energy, langevin or hmc at a temperature, rk-merson for digits",
                      integrator->name);
}

static cardo_status check_arguments(const cardo_integrator *integrator,
                                    const cardo_simulation_options *options, cardo_error *error)
{
    if (!(options->timestep > 0.0) || !isfinite(options->timestep))
        return CARDO_FAIL(error, CARDO_ERROR_INPUT, "timestep=%g ps is not a positive number",
                          options->timestep);
    if (!(options->temperature >= 0.0) || !isfinite(options->temperature))
        return CARDO_FAIL(error, CARDO_ERROR_INPUT, "temperature=%g K is negative or no number",
                          options->temperature);
    if (!(options->max_energy_jump > 0.0))
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "max-energy-jump=%g kJ/mol is not a positive number",
                          options->max_energy_jump);
    if (!integrator)
        return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT, "a simulation needs an integrator");
    if ((integrator->traits & CARDO_INTEGRATOR_WARM) && !(options->temperature > 0.0))
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "%s samples a temperature, and temperature=%g K is none: give one above "
                          "zero",
                          integrator->name, options->temperature);
    if (options->ensemble != CARDO_ENSEMBLE_RIGID && !(options->temperature > 0.0))
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "ensemble=%s adds kT/2 ln det %s, and temperature=%g K is none: give "
                          "one above zero",
                          ensemble_choices[options->ensemble],
                          options->ensemble == CARDO_ENSEMBLE_CLOSURE ? "Y" : "M",
                          options->temperature);
    return CARDO_OK;
}

static cardo_status set_options(cardo_simulation *self, const void *integrator_options,
                                cardo_error *error)
{
    cardo_status status =
        cardo_allocate(&self->integrator_options, 1, self->integrator->options_size, error);
    if (status != CARDO_OK || self->integrator->options_size == 0)
        return status;
    if (integrator_options)
        memcpy(self->integrator_options, integrator_options, self->integrator->options_size);
    else
        cardo_fields_default(self->integrator->fields, self->integrator_options);
    return CARDO_OK;
}

/* Constraints take as many freedoms as they have independent rows at the state's q. */
static cardo_status count_degrees(cardo_simulation *self, cardo_error *error)
{
    cardo_integration *run = &self->integration;
    cardo_status status = CARDO_OK;
    self->degrees = cardo_system_nu(self->system) - self->nprescribed;
    if (cardo_constraint_row_count(self->system) > 0) {
        status = cardo_realize(self->system, self->state, CARDO_STAGE_DYNAMICS, error);
        if (status == CARDO_OK)
            status = cardo_degrees_of_freedom(self->system, self->state, &self->degrees, error);
    }
    run->degrees = self->degrees;
    run->tied = cardo_constraints_reach_ground(self->system, self->state) ||
                cardo_system_mass_matrix(self->system);
    run->internal = self->degrees - (run->tied ? 0 : cardo_system_noverall(self->system));
    return status;
}

static cardo_status make_snapshot(cardo_simulation *self, cardo_error *error)
{
    cardo_integration *run = &self->integration;
    double *values;
    cardo_status status;
    CARDO_TRY(CARDO_ALLOCATE(&values, cardo_simulation_snapshot_size(self), error));
    cardo_free(self->good.values);
    self->good.values = values;
    self->good.nvalue = cardo_simulation_snapshot_size(self);
    run->good_q = values + 1;
    run->good_evaluation = run->good_q + run->nq + run->nu;
done:
    return status;
}

static cardo_status set_integration(cardo_simulation *self, cardo_error *error)
{
    cardo_status status;
    cardo_integration *run = &self->integration;
    int nq = cardo_system_nq(self->system), nu = cardo_system_nu(self->system);
    uint32_t stream = (uint32_t)self->options.replica * STREAMS_PER_REPLICA + STREAM_BATH;
    *run = (cardo_integration){
        .system = self->system,
        .state = self->state,
        .evaluator = self->evaluator,
        .timestep = self->options.timestep,
        .kT = CARDO_BOLTZMANN * self->options.temperature,
        .random = cardo_random_start((uint64_t)self->options.seed, stream),
        .options = self->integrator_options,
        .nq = nq,
        .nu = nu,
    };
    self->nkeep = count(self->integrator->keep_count, nq, nu);
    CARDO_TRY(count_degrees(self, error));
    CARDO_TRY(CARDO_ALLOCATE(&run->keep, self->nkeep, error));
    CARDO_TRY(CARDO_ALLOCATE(&run->work, count(self->integrator->work_count, nq, nu), error));
    CARDO_TRY(CARDO_ALLOCATE(&run->rows, 3 * cardo_constraint_row_count(self->system), error));
    CARDO_TRY(make_snapshot(self, error));
    if (self->integrator->open)
        CARDO_TRY(self->integrator->open(run, error));
done:
    return status;
}

/* Steps that may be gone back on are no way. */
static cardo_status watch_branches(cardo_simulation *self, cardo_error *error)
{
    cardo_constraint_counts counts;
    cardo_system_constraint_counts(self->system, &counts);
    if (counts.nposition == 0 || !cardo_stays_on_constraints(self->system) ||
        (self->integrator->traits & (CARDO_INTEGRATOR_REJECTS | CARDO_INTEGRATOR_STATIC)))
        return CARDO_OK;
    if (self->options.branch_points == CARDO_BRANCHES_PASS)
        self->integration.branch_points = &self->branch_points;
    cardo_status status =
        cardo_branch_watch_create(self->system, &self->integration.branches, error);
    return status == CARDO_OK ? make_snapshot(self, error) : status;
}

/* A way begins where the state is. */
static cardo_status begin_way(cardo_simulation *self, cardo_error *error)
{
    cardo_branch_watch *branches = self->integration.branches;
    return branches ? cardo_branch_watch_begin(branches, self->state, error) : CARDO_OK;
}

cardo_status cardo_simulation_create(const cardo_system *system, cardo_state *state,
                                     cardo_force_provider *provider,
                                     const cardo_integrator *integrator,
                                     const cardo_simulation_options *options,
                                     const void *integrator_options, cardo_simulation **out,
                                     cardo_error *error)
{
    cardo_simulation *self = NULL;
    *out = NULL;
    cardo_status status = check_arguments(integrator, options, error);
    if (status == CARDO_OK)
        status = check_constraints(system, integrator, options, error);
    if (status != CARDO_OK)
        return status;
    CARDO_TRY(CARDO_ALLOCATE(&self, 1, error));
    self->system = system;
    self->state = state;
    self->integrator = integrator;
    self->options = *options;
    self->nprescribed = cardo_system_nprescribed(system);
    self->driven = cardo_constraints_may_work(system);
    CARDO_TRY(CARDO_ALLOCATE(&self->scratch, 2 * cardo_system_nu(system), error));
    CARDO_TRY(CARDO_ALLOCATE(&self->motive, cardo_system_nu(system), error));
    CARDO_TRY(CARDO_ALLOCATE(&self->powers, cardo_constraint_row_count(system),
                             error)); /* one at least each */
    CARDO_TRY(cardo_evaluator_create(system, provider, &self->evaluator, error));
    CARDO_TRY(cardo_evaluator_add_ensemble(self->evaluator, options->ensemble,
                                           CARDO_BOLTZMANN * options->temperature, error));
    CARDO_TRY(set_options(self, integrator_options, error));
    CARDO_TRY(cardo_integrator_check_bath(integrator, self->integrator_options, options->timestep,
                                          error));
    CARDO_TRY(set_integration(self, error));
    CARDO_TRY(watch_branches(self, error));
    *out = self;
    self = NULL;
done:
    cardo_simulation_destroy(self);
    return status;
}

void cardo_simulation_destroy(cardo_simulation *self)
{
    if (!self)
        return;
    if (self->integrator && self->integrator->close)
        self->integrator->close(&self->integration);
    cardo_handled_destroy(self->handled);
    cardo_branch_watch_destroy(self->integration.branches);
    cardo_events_destroy(self->events);
    cardo_evaluator_destroy(self->evaluator);
    cardo_free(self->integrator_options);
    cardo_free(self->integration.keep);
    cardo_free(self->integration.work);
    cardo_free(self->integration.rows);
    cardo_free(self->good.values);
    cardo_free(self->scratch);
    cardo_free(self->motive);
    cardo_free(self->powers);
    cardo_free(self);
}

cardo_status cardo_simulation_add_observer(cardo_simulation *self, const cardo_observer *observer,
                                           cardo_error *error)
{
    if (self->nobserver == MOST_OBSERVERS)
        return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT, "a simulation takes %d observers at most",
                          MOST_OBSERVERS);
    if (observer->interval < 1)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "an interval of %lld steps between outputs is not positive",
                          observer->interval);
    self->observers[self->nobserver++] = *observer;
    return CARDO_OK;
}

void cardo_simulation_remove_observers(cardo_simulation *self, const void *user)
{
    int kept = 0;
    for (int k = 0; k < self->nobserver; ++k)
        if (self->observers[k].user != user)
            self->observers[kept++] = self->observers[k];
    self->nobserver = kept;
}

cardo_status cardo_simulation_add_event(cardo_simulation *self, const cardo_event *event,
                                        cardo_error *error)
{
    cardo_status status = CARDO_OK;
    if (!self->events)
        status = cardo_events_create(self->system, &self->events, error);
    self->integration.events = self->events;
    return status == CARDO_OK ? cardo_events_add(self->events, event, error) : status;
}

void cardo_simulation_listen(cardo_simulation *self, cardo_event_listener listener, void *user)
{
    self->listener = listener;
    self->listener_user = user;
}

cardo_status cardo_simulation_switch_handler(cardo_simulation *self, int number, bool on,
                                             cardo_error *error)
{
    if (!self->handled)
        return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT, "the simulation has no handlers");
    return cardo_handlers_switch(self->integration.handlers, number, on, error);
}

const cardo_events *cardo_simulation_events(const cardo_simulation *self)
{
    return self->events;
}

/* Snapshots: time, q, u, last evaluation, keep, the work where motions are prescribed or constraints do any, branch points where they are counted, and what
 * handlers have. */

static bool has_work(const cardo_simulation *self)
{
    return self->nprescribed > 0 || self->driven;
}

int cardo_simulation_snapshot_size(const cardo_simulation *self)
{
    return 1 + cardo_system_nq(self->system) + cardo_system_nu(self->system) +
           cardo_evaluator_value_count(self->evaluator) + self->nkeep + has_work(self) +
           (self->integration.branch_points != NULL) +
           (self->handled ? cardo_handled_value_count(self->handled) : 0);
}

static void copy_values(double *to, const double *from, int n)
{
    if (n > 0)
        memcpy(to, from, (size_t)n * sizeof *to);
}

static void take_snapshot(cardo_simulation *self)
{
    const cardo_integration *run = &self->integration;
    double *values = self->good.values;
    self->good.step = self->frame.step;
    self->good.random_position = run->random.position;
    *values++ = cardo_state_time(self->state);
    copy_values(values, cardo_state_q(self->state), run->nq);
    values += run->nq;
    copy_values(values, cardo_state_u(self->state), run->nu);
    values += run->nu;
    cardo_evaluator_save(self->evaluator, values);
    values += cardo_evaluator_value_count(self->evaluator);
    copy_values(values, run->keep, self->nkeep);
    values += self->nkeep;
    if (has_work(self))
        *values++ = self->work;
    if (run->branch_points)
        *values++ = (double)self->branch_points;
    if (self->handled)
        cardo_handled_save(self->handled, values);
}

static cardo_status apply_snapshot(cardo_simulation *self, const cardo_snapshot *snapshot,
                                   cardo_error *error)
{
    cardo_integration *run = &self->integration;
    const double *values = snapshot->values;
    run->random.position = snapshot->random_position;
    cardo_state_set_time(self->state, *values++);
    cardo_state_set_q(self->state, values);
    values += run->nq;
    cardo_state_set_u(self->state, values);
    values += run->nu;
    cardo_evaluator_load(self->evaluator, self->state, values);
    values += cardo_evaluator_value_count(self->evaluator);
    copy_values(run->keep, values, self->nkeep);
    values += self->nkeep;
    if (has_work(self))
        self->work = *values++;
    if (run->branch_points)
        self->branch_points = (long long)*values++;
    if (self->handled) {
        cardo_status status = cardo_handled_load(self->handled, values, error);
        if (status != CARDO_OK)
            return status;
    }
    return cardo_realize(self->system, self->state, CARDO_STAGE_ACCELERATION, error);
}

void cardo_simulation_save(const cardo_simulation *self, cardo_snapshot *snapshot)
{
    snapshot->step = self->good.step;
    snapshot->random_position = self->good.random_position;
    snapshot->nvalue = self->good.nvalue;
    copy_values(snapshot->values, self->good.values, self->good.nvalue);
}

/* Work of the motive forces before and now on one prescribed body over a step of h, by the
 * trapezoidal rule: along the coordinates where those are the integrals of the speeds, so that what
 * is put from place to place counts too. */
static double work_on(const cardo_simulation *self, int body, double h, const double *now)
{
    double work = 0;
    cardo_body_info info;
    cardo_system_body(self->system, body, &info);
    const double *before = self->motive, *q0 = self->integration.good_q,
                 *u0 = q0 + self->integration.nq, *q = cardo_state_q(self->state),
                 *u = cardo_state_u(self->state);
    bool along = !cardo_system_joint(self->system, body)->mobilizer->multiply_n;
    for (int j = 0; j < info.nu; ++j) {
        int k = info.u_first + j, i = info.q_first + j;
        work += along ? 0.5 * (before[k] + now[k]) * (q[i] - q0[i])
                      : 0.5 * h * (before[k] * u0[k] + now[k] * u[k]);
    }
    return work;
}

/* Motive forces at the present state; with h > 0 their work since the last good step. */
static cardo_status book_motions(cardo_simulation *self, double h, cardo_error *error)
{
    double *now = self->scratch;
    cardo_status status = cardo_motive_forces(self->system, self->state, now, error);
    if (status != CARDO_OK)
        return status;
    for (int body = 1; h > 0 && body < cardo_system_nbody(self->system); ++body)
        if (cardo_system_is_prescribed(self->system, body))
            self->work += work_on(self, body, h, now);
    memcpy(self->motive, now, (size_t)self->integration.nu * sizeof *now);
    return CARDO_OK;
}

/* The same of the constraints' power. */
static cardo_status book_constraints(cardo_simulation *self, double h, cardo_error *error)
{
    cardo_constraint_counts counts;
    double power = 0;
    cardo_system_constraint_counts(self->system, &counts);
    cardo_status status = cardo_constraint_power(self->system, self->state, self->powers, error);
    if (status != CARDO_OK)
        return status;
    for (int i = 0; i < counts.nconstraint; ++i)
        power += self->powers[i];
    self->work += 0.5 * h * (self->power + power);
    self->power = power;
    return CARDO_OK;
}

static cardo_status book_work(cardo_simulation *self, double h, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    if (self->nprescribed > 0)
        status = book_motions(self, h, error);
    if (status == CARDO_OK && self->driven)
        status = book_constraints(self, h, error);
    return status;
}

/* A handler may change the state at the end of a piece: the way up to there is looked at before. */
static cardo_status end_piece(void *user, double time, cardo_error *error)
{
    cardo_simulation *self = user;
    cardo_status status = CARDO_OK;
    if (time > 0)
        status = cardo_check_way(self->integration.branches, self->state,
                                 self->integration.branch_points, error);
    return status == CARDO_OK ? book_work(self, time, error) : status;
}

static cardo_status recount(void *user, cardo_error *error)
{
    cardo_status status = count_degrees(user, error);
    return status == CARDO_OK ? begin_way(user, error) : status;
}

cardo_status cardo_simulation_add_handler(cardo_simulation *self,
                                          const cardo_event_handler *handler, cardo_error *error)
{
    const cardo_handled_run hooks = {self, end_piece, recount};
    cardo_status status = CARDO_OK;
    if (self->started)
        return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT,
                          "handlers are added before cardo_simulation_start or _restore");
    if (!self->handled)
        CARDO_TRY(cardo_handled_create(self->integrator, &self->integration, self->nkeep, &hooks,
                                       &self->handled, error));
    CARDO_TRY(cardo_handlers_add(self->integration.handlers, handler, error));
    status = make_snapshot(self, error);
done:
    return status;
}

/* Energies of the state as it stands. */
static cardo_status measure(cardo_simulation *self, long long step, cardo_frame *frame,
                            cardo_error *error)
{
    double kinetic, thermal, potential;
    cardo_status status = cardo_kinetic_energy(self->system, self->state, &kinetic, error);
    if (status == CARDO_OK)
        status = cardo_thermal_energy(self->system, self->state, self->scratch, &thermal, error);
    if (status == CARDO_OK)
        status = cardo_evaluator_potential(self->evaluator, self->state, &potential, error);
    if (status != CARDO_OK)
        return status;
    const cardo_integrator *integrator = self->integrator;
    double bath = integrator->bath_energy ? integrator->bath_energy(&self->integration) : 0.0;
    double handled = self->handled ? cardo_handled_energy(self->handled) : 0.0;
    *frame = (cardo_frame){
        .system = self->system,
        .state = self->state,
        .evaluator = self->evaluator,
        .step = step,
        .time = cardo_state_time(self->state),
        .potential = potential,
        .kinetic = kinetic,
        .total = kinetic + potential,
        .work = self->work,
        .handled = handled,
        .branch_points = self->integration.branches ? self->branch_points : -1,
        .conserved = kinetic + potential - bath - self->work - handled,
        .temperature = self->degrees > 0 ? 2.0 * thermal / (self->degrees * CARDO_BOLTZMANN) : 0.0,
    };
    return CARDO_OK;
}

cardo_status cardo_simulation_restore(cardo_simulation *self, const cardo_snapshot *snapshot,
                                      cardo_error *error)
{
    if (snapshot->nvalue != self->good.nvalue)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "a stored step holds %d numbers where this simulation has %d: it is of "
                          "another model, or was stored by a version of the program that kept "
                          "other numbers for %s; start the run anew",
                          snapshot->nvalue, self->good.nvalue, self->integrator->name);
    cardo_status status = apply_snapshot(self, snapshot, error);
    if (status == CARDO_OK)
        status = count_degrees(self, error);
    if (status == CARDO_OK)
        status = begin_way(self, error);
    if (status == CARDO_OK)
        status = book_work(self, 0.0, error);
    if (status == CARDO_OK)
        status = measure(self, snapshot->step, &self->frame, error);
    if (status == CARDO_OK) {
        take_snapshot(self);
        self->started = true;
    }
    return status;
}

cardo_status cardo_simulation_renew(cardo_simulation *self, const double *q, const double *u,
                                    cardo_error *error)
{
    cardo_status status;
    if (!self->started)
        return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT,
                          "a simulation is renewed after cardo_simulation_start or _restore");
    if (q)
        cardo_state_set_q(self->state, q);
    if (u)
        cardo_state_set_u(self->state, u);
    CARDO_TRY(
        cardo_return_to_constraints(self->system, self->state, CARDO_POSITION_TOLERANCE, error));
    CARDO_TRY(cardo_evaluate(self->evaluator, self->state, error));
    CARDO_TRY(cardo_realize(self->system, self->state, CARDO_STAGE_ACCELERATION, error));
    CARDO_TRY(begin_way(self, error));
    CARDO_TRY(book_work(self, 0.0, error));
    if (self->handled)
        CARDO_TRY(cardo_handled_begin(self->handled, true, error));
    CARDO_TRY(measure(self, self->frame.step, &self->frame, error));
    take_snapshot(self);
done:
    return status;
}

static cardo_status call_observers(cardo_simulation *self, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    for (int k = 0; k < self->nobserver && status == CARDO_OK; ++k)
        if (self->frame.step % self->observers[k].interval == 0)
            status = self->observers[k].observe(self->observers[k].user, &self->frame, error);
    return status;
}

/* A step that may be gone back to later needs its terms at hand as soon as anyone wants them. */
static bool terms_wanted(const cardo_simulation *self, long long step)
{
    bool rejects = self->integrator->traits & CARDO_INTEGRATOR_REJECTS;
    for (int k = 0; k < self->nobserver; ++k)
        if (self->observers[k].wants_terms && (rejects || step % self->observers[k].interval == 0))
            return true;
    return false;
}

static cardo_status set_velocities(cardo_simulation *self, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    uint32_t stream = (uint32_t)self->options.replica * STREAMS_PER_REPLICA + STREAM_VELOCITIES;
    cardo_random random = cardo_random_start((uint64_t)self->options.seed, stream);
    /* Zero speeds are a draw at zero kelvin. */
    double kT = self->options.velocities == CARDO_VELOCITIES_ZERO ? 0.0 : self->integration.kT;
    if (self->options.velocities != CARDO_VELOCITIES_KEEP)
        status = cardo_draw_velocities(self->system, self->state, kT, &random, error);
    return status;
}

cardo_status cardo_simulation_start(cardo_simulation *self, cardo_error *error)
{
    cardo_status status;
    cardo_evaluator_want_terms(self->evaluator, terms_wanted(self, 0));
    cardo_state_prescribe(self->system, self->state);
    CARDO_TRY(cardo_begin_on_constraints(self->system, self->state, error));
    CARDO_TRY(count_degrees(self, error));
    CARDO_TRY(cardo_evaluate(self->evaluator, self->state, error));
    CARDO_TRY(set_velocities(self, error));
    CARDO_TRY(cardo_realize(self->system, self->state, CARDO_STAGE_ACCELERATION, error));
    self->integration.random.position = 0;
    if (self->nkeep > 0)
        memset(self->integration.keep, 0, (size_t)self->nkeep * sizeof *self->integration.keep);
    if (self->integrator->start)
        CARDO_TRY(self->integrator->start(&self->integration, error));
    if (self->handled)
        CARDO_TRY(cardo_handled_begin(self->handled, false, error));
    CARDO_TRY(begin_way(self, error));
    CARDO_TRY(book_work(self, 0.0, error));
    self->work = 0;
    self->branch_points = 0;
    CARDO_TRY(measure(self, 0, &self->frame, error));
    take_snapshot(self);
    self->started = true;
    return call_observers(self, error);
done:
    if (error && status == CARDO_RECOVERABLE)
        error->code = CARDO_ERROR_NUMERICAL;
    cardo_error_prefix(error, "the simulation cannot start: ");
    return status == CARDO_RECOVERABLE ? CARDO_ERROR_NUMERICAL : status;
}

static cardo_status check_step(const cardo_simulation *self, const cardo_frame *now,
                               cardo_error *error)
{
    const double *q = cardo_state_q(self->state), *u = cardo_state_u(self->state);
    for (int k = 0; k < self->integration.nq; ++k)
        if (!isfinite(q[k]))
            return CARDO_FAIL(error, CARDO_ERROR_NUMERICAL, "coordinate q[%d] is not finite", k);
    for (int k = 0; k < self->integration.nu; ++k)
        if (!isfinite(u[k]))
            return CARDO_FAIL(error, CARDO_ERROR_NUMERICAL, "speed u[%d] is not finite", k);
    double jump = fabs(now->conserved - self->frame.conserved);
    const bool conserves =
        !(self->integrator->traits & (CARDO_INTEGRATOR_REJECTS | CARDO_INTEGRATOR_STATIC));
    if (conserves && !(jump <= self->options.max_energy_jump))
        return CARDO_FAIL(error, CARDO_ERROR_NUMERICAL,
                          "the conserved energy changed by %g kJ/mol in one step "
                          "(max-energy-jump is %g): atoms clash, or the time step of %g ps is too "
                          "long",
                          now->conserved - self->frame.conserved, self->options.max_energy_jump,
                          self->options.timestep);
    return CARDO_OK;
}

/* One step, and the work of motions in it. */
static cardo_status take_step(cardo_simulation *self, long long step, cardo_error *error)
{
    if (self->events)
        cardo_events_begin_step(self->events, self->state);
    if (self->handled)
        return cardo_handled_step(self->handled, step, &self->ended, error);
    cardo_status status = self->integrator->step(&self->integration, error);
    if (status == CARDO_OK && self->events &&
        !(self->integrator->traits & CARDO_INTEGRATOR_ADAPTIVE))
        status = cardo_events_end_step(self->events, self->state, error);
    if (status == CARDO_OK)
        status = book_work(self, cardo_state_time(self->state) - self->frame.time, error);
    return status;
}

static cardo_status advance(cardo_simulation *self, cardo_error *error)
{
    cardo_frame now;
    long long step = self->frame.step + 1;
    cardo_evaluator_want_terms(self->evaluator, terms_wanted(self, step));
    cardo_status status = take_step(self, step, error);
    if (status == CARDO_OK)
        status = measure(self, step, &now, error);
    if (status == CARDO_OK)
        status = check_step(self, &now, error);
    if (status == CARDO_OK)
        status = cardo_check_way(self->integration.branches, self->state,
                                 self->integration.branch_points, error);
    if (status != CARDO_OK)
        return status;
    if (self->integration.branches)
        now.branch_points = self->branch_points;
    self->frame = now;
    take_snapshot(self);
    return CARDO_OK;
}

/* "q = (0.1, 0.2, ...)" of the state as the failed step left it. */
static void print_coordinates(const cardo_simulation *self, char *text, size_t size)
{
    enum { MOST = 8 };
    const double *q = cardo_state_q(self->state);
    size_t used = (size_t)snprintf(text, size, "q = (");
    for (int k = 0; k < self->integration.nq && k < MOST && used < size; ++k)
        used += (size_t)cardo_format(text + used, size - used, "%s%.6g", k ? ", " : "", q[k]);
    if (used < size)
        snprintf(text + used, size - used, self->integration.nq > MOST ? ", ...)" : ")");
}

/* Puts the last good step back and says where the run broke. A configuration that a provider cannot
 * evaluate ends a run at a fixed time step: there is no shorter step to take. */
static cardo_status give_up(cardo_simulation *self, cardo_status status, const cardo_error *cause,
                            cardo_error *error)
{
    char coordinates[256];
    print_coordinates(self, coordinates, sizeof coordinates);
    long long step = self->frame.step;
    double time = self->frame.time + self->options.timestep;
    cardo_status code = status == CARDO_RECOVERABLE ? CARDO_ERROR_NUMERICAL : status;
    cardo_status restored = apply_snapshot(self, &self->good, NULL);
    return CARDO_FAIL(error, code, "step %lld (t = %.6g ps, %s): %s; %s", step + 1, time,
                      coordinates, cause->message,
                      restored == CARDO_OK ? "the last good step is kept"
                                           : "the last good step could not be put back");
}

cardo_status cardo_simulation_run(cardo_simulation *self, long long steps,
                                  const volatile sig_atomic_t *interrupt, cardo_end *end,
                                  cardo_error *error)
{
    cardo_error cause = {0};
    long long target = steps < 0 ? self->options.steps : steps;
    *end = CARDO_END_FAILED;
    if (!self->started)
        return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT,
                          "a simulation runs after cardo_simulation_start or _restore");
    while (self->frame.step < target) {
        if (interrupt && *interrupt) {
            *end = CARDO_END_INTERRUPTED;
            return CARDO_OK;
        }
        cardo_status status = advance(self, &cause);
        if (status != CARDO_OK)
            return give_up(self, status, &cause, error);
        bool stop = false;
        if (self->events)
            status = cardo_events_tell(self->events, self->frame.step, self->listener,
                                       self->listener_user, &stop, error);
        if (status == CARDO_OK)
            status = call_observers(self, error);
        if (status != CARDO_OK)
            return status;
        if (stop || self->ended) {
            *end = CARDO_END_EVENT;
            return CARDO_OK;
        }
    }
    *end = CARDO_END_DONE;
    return CARDO_OK;
}

void cardo_simulation_frame(const cardo_simulation *self, cardo_frame *frame)
{
    *frame = self->frame;
}

long long cardo_simulation_step(const cardo_simulation *self)
{
    return self->frame.step;
}

int cardo_simulation_degrees(const cardo_simulation *self)
{
    return self->degrees;
}

bool cardo_simulation_report(const cardo_simulation *self, char *text, size_t size)
{
    if (!self->integrator->report)
        return false;
    self->integrator->report(&self->integration, text, size);
    return true;
}

const cardo_system *cardo_simulation_system(const cardo_simulation *self)
{
    return self->system;
}

cardo_state *cardo_simulation_state(const cardo_simulation *self)
{
    return self->state;
}

const cardo_evaluator *cardo_simulation_evaluator(const cardo_simulation *self)
{
    return self->evaluator;
}

const cardo_integrator *cardo_simulation_integrator(const cardo_simulation *self)
{
    return self->integrator;
}

const cardo_simulation_options *cardo_simulation_get_options(const cardo_simulation *self)
{
    return &self->options;
}

const void *cardo_simulation_integrator_options(const cardo_simulation *self)
{
    return self->integrator_options;
}
