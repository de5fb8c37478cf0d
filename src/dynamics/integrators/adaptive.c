#include "dynamics/integrators/adaptive.h"

#include "base/memory.h"
#include "cardo/manifold.h"
#include "dynamics/coordinates/constrained.h"
#include "dynamics/coordinates/error_scales.h"
#include "dynamics/coordinates/quaternions.h"
#include "dynamics/integrators/explicit.h"
#include "multibody/tree/motion.h"
#include "multibody/tree/operators.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Of the looks for branch points within a step: radian or nm between them at most, and how many. */
static const double SHORT_TURN = 0.3;
enum { MOST_LOOKS = 1000 };

/* y holds q, then u. */
typedef struct adaptive {
    cardo_integration *run;
    cardo_ode_solver *solver;
    cardo_quaternions quaternions;
    cardo_mass_properties *composites;
    double *scales; /* (n)                                                           */
    double *last;   /* the last report: time and y (1 + n)                         */
    int nposition;  /* rows of positions                                            */
    bool constrained;
    bool followed;                /* the solver stands where the last report was made            */
    int taken;                    /* steps since the beginning that keep holds                   */
    double time;                  /* to which the solver has come                                */
    long long steps, evaluations; /* for people */
} adaptive;

static int size_of(const cardo_integration *run)
{
    return run->nq + run->nu;
}

/* keep: time and y of the method's beginning. */
int cardo_adaptive_keep_count(int nq, int nu)
{
    return 1 + nq + nu;
}

int cardo_adaptive_work_count(int nq, int nu)
{
    return 1 + 3 * (nq + nu);
}

/* ------------ the equations ------------ */

static cardo_status evaluate(adaptive *self, double time, const double *y, cardo_error *error)
{
    self->evaluations++;
    return cardo_explicit_evaluate(self->run, time, y, error);
}

/* The state makes quaternions of length one; the rate of one that is longer is as much longer. So
 * its direction moves rightly whatever its length, which no rate changes. */
static cardo_status rate_of(void *user, double time, const double *y, double *rate,
                            cardo_error *error)
{
    adaptive *self = user;
    const cardo_integration *run = self->run;
    cardo_status status = evaluate(self, time, y, error);
    if (status != CARDO_OK)
        return status;
    memcpy(rate, cardo_state_qdot(run->state), (size_t)run->nq * sizeof *rate);
    memcpy(rate + run->nq, cardo_state_udot(run->state), (size_t)run->nu * sizeof *rate);
    for (int k = 0; k < self->quaternions.count; ++k) {
        int first = self->quaternions.first[k];
        double length = cardo_quaternion_length(y + first);
        for (int i = first; i < first + 4; ++i)
            rate[i] *= length;
    }
    return CARDO_OK;
}

static void weigh(void *user, const double *y, double *weights)
{
    const adaptive *self = user;
    const cardo_adaptive_options *options = self->run->options;
    for (int k = 0; k < size_of(self->run); ++k) {
        double unit = self->scales[k];
        if (k >= self->run->nq)
            unit = fmax(unit, fabs(y[k]));
        weights[k] = 1.0 / (options->accuracy * unit);
    }
}

static void normalise(const adaptive *self, double *y, double *error)
{
    cardo_quaternions_normalise(&self->quaternions, y);
    for (int k = 0; error && k < self->quaternions.count; ++k) {
        const double *q = y + self->quaternions.first[k];
        double *e = error + self->quaternions.first[k];
        double along = q[0] * e[0] + q[1] * e[1] + q[2] * e[2] + q[3] * e[3];
        for (int i = 0; i < 4; ++i)
            e[i] -= along * q[i];
    }
}

/* Position errors that a step may leave: a tenth of what its own error may be. */
static double tolerance_of(const adaptive *self)
{
    const cardo_adaptive_options *options = self->run->options;
    return fmax(0.1 * options->accuracy, CARDO_POSITION_TOLERANCE);
}

/* Sets the state to y, brought onto the constraints, and y to the state. */
static cardo_status constrain(adaptive *self, double time, double *y, double tolerance,
                              cardo_error *error)
{
    cardo_integration *run = self->run;
    cardo_state_set_time(run->state, time);
    cardo_state_set_q(run->state, y);
    cardo_state_set_u(run->state, y + run->nq);
    cardo_state_prescribe(run->system, run->state);
    cardo_status status = cardo_return_to_constraints(run->system, run->state, tolerance, error);
    memcpy(y, cardo_state_q(run->state), (size_t)run->nq * sizeof *y);
    memcpy(y + run->nq, cardo_state_u(run->state), (size_t)run->nu * sizeof *y);
    return status;
}

/* What of a local error lies along the manifold at the state, in place. */
static cardo_status keep_tangent(adaptive *self, double *local_error, cardo_error *error)
{
    cardo_integration *run = self->run;
    double *along = run->work, *rest = local_error + run->nq;
    cardo_status status;
    CARDO_TRY(cardo_multiply_n_inverse(run->system, run->state, local_error, along, error));
    CARDO_TRY(cardo_project_free_speeds(run->system, run->state, along, error));
    CARDO_TRY(cardo_multiply_n(run->system, run->state, along, local_error, error));
    CARDO_TRY(cardo_project_free_speeds(run->system, run->state, rest, error));
done:
    return status;
}

static cardo_status project(void *user, double time, double *y, double *local_error,
                            cardo_error *error)
{
    adaptive *self = user;
    cardo_status status = CARDO_OK;
    normalise(self, y, local_error);
    if (!self->constrained)
        return CARDO_OK;
    status = constrain(self, time, y, tolerance_of(self), error);
    return status == CARDO_OK && local_error ? keep_tangent(self, local_error, error) : status;
}

/* ------------ making ------------ */

cardo_status cardo_adaptive_open(cardo_integration *run, cardo_ode_method method,
                                 cardo_error *error)
{
    cardo_status status;
    adaptive *self;
    CARDO_TRY(CARDO_ALLOCATE(&self, 1, error));
    run->engine = self;
    self->run = run;
    const int n = size_of(run);
    CARDO_TRY(cardo_quaternions_find(run->system, &self->quaternions, error));
    CARDO_TRY(CARDO_ALLOCATE(&self->composites, cardo_system_nbody(run->system), error));
    CARDO_TRY(CARDO_ALLOCATE(&self->scales, n, error));
    CARDO_TRY(CARDO_ALLOCATE(&self->last, 1 + n, error));
    cardo_constraint_counts counts;
    cardo_system_constraint_counts(run->system, &counts);
    self->nposition = counts.nposition;
    self->constrained = counts.nrow > 0;
    const bool bound = self->quaternions.count > 0 || self->constrained;
    const cardo_ode ode = {self, n, rate_of, weigh, bound ? project : NULL};
    if (n > 0)
        CARDO_TRY(cardo_ode_solver_create(method, &ode, &self->solver, error));
done:
    return status;
}

void cardo_adaptive_close(cardo_integration *run)
{
    adaptive *self = run->engine;
    if (!self)
        return;
    cardo_ode_solver_destroy(self->solver);
    cardo_quaternions_clear(&self->quaternions);
    cardo_free(self->composites);
    cardo_free(self->scales);
    cardo_free(self->last);
    cardo_free(self);
    run->engine = NULL;
}

/* ------------ beginnings ------------ */

static void read_state(const cardo_integration *run, double *time_and_y)
{
    time_and_y[0] = cardo_state_time(run->state);
    if (run->nu == 0)
        return;
    memcpy(time_and_y + 1, cardo_state_q(run->state), (size_t)run->nq * sizeof *time_and_y);
    memcpy(time_and_y + 1 + run->nq, cardo_state_u(run->state),
           (size_t)run->nu * sizeof *time_and_y);
}

/* The method begins at what keep holds. */
static cardo_status begin(adaptive *self, cardo_error *error)
{
    cardo_integration *run = self->run;
    self->taken = 0;
    self->time = run->keep[0];
    cardo_status status = evaluate(self, self->time, run->keep + 1, error);
    if (status == CARDO_OK)
        status = cardo_error_scales(run->system, run->state, self->scales, self->composites,
                                    run->work, error);
    return status == CARDO_OK
               ? cardo_ode_solver_begin(self->solver, self->time, run->keep + 1, error)
               : status;
}

cardo_status cardo_adaptive_start(cardo_integration *run, cardo_error *error)
{
    (void)error;
    adaptive *self = run->engine;
    read_state(run, run->keep);
    self->followed = false;
    self->steps = self->evaluations = 0;
    return CARDO_OK;
}

cardo_status cardo_adaptive_forget(cardo_integration *run, cardo_error *error)
{
    (void)error;
    adaptive *self = run->engine;
    read_state(run, run->keep);
    self->followed = false;
    return CARDO_OK;
}

/* ------------ the way to a report ------------ */

static cardo_status read_y(const adaptive *self, double time, double *y, cardo_error *error)
{
    if (self->taken == 0)
        memcpy(y, self->run->keep + 1, (size_t)size_of(self->run) * sizeof *y);
    else
        return cardo_ode_solver_interpolate(self->solver, time, y, error);
    return CARDO_OK;
}

static cardo_status interpolant(void *user, double time, double *q, double *u, cardo_error *error)
{
    const adaptive *self = user;
    const cardo_integration *run = self->run;
    double *y = run->work;
    cardo_status status = read_y(self, time, y, error);
    if (status != CARDO_OK)
        return status;
    memcpy(q, y, (size_t)run->nq * sizeof *q);
    memcpy(u, y + run->nq, (size_t)run->nu * sizeof *u);
    return CARDO_OK;
}

/* The state at a time between the method's steps, for a witness to look at. */
static cardo_status place(void *user, double time, cardo_error *error)
{
    adaptive *self = user;
    cardo_integration *run = self->run;
    cardo_status status = read_y(self, time, run->work, error);
    if (status != CARDO_OK)
        return status;
    normalise(self, run->work, NULL);
    cardo_state_set_time(run->state, time);
    cardo_state_set_q(run->state, run->work);
    cardo_state_set_u(run->state, run->work + run->nq);
    cardo_state_prescribe(run->system, run->state);
    return CARDO_OK;
}

/* Whether the method has left the constraints by more than ten times its accuracy, which happens where it is not brought back after each
 * step: it has to begin anew. */
static cardo_status has_strayed(adaptive *self, bool *strayed, cardo_error *error)
{
    cardo_integration *run = self->run;
    const cardo_adaptive_options *options = run->options;
    cardo_status status;
    if (!self->constrained || self->taken == 0)
        return CARDO_OK;
    CARDO_TRY(read_y(self, self->time, run->work, error));
    cardo_state_set_time(run->state, self->time);
    cardo_state_set_q(run->state, run->work);
    cardo_state_set_u(run->state, run->work + run->nq);
    CARDO_TRY(cardo_realize(run->system, run->state, CARDO_STAGE_POSITION, error));
    CARDO_TRY(cardo_constraint_position_errors(run->system, run->state, run->rows, error));
    for (int i = 0; i < self->nposition; ++i)
        *strayed = *strayed || !(fabs(run->rows[i]) <= 10 * options->accuracy);
done:
    return status;
}

/* One step of the method, or of a new beginning where it stands. */
static cardo_status take_step(adaptive *self, cardo_error *error)
{
    cardo_integration *run = self->run;
    const cardo_adaptive_options *options = run->options;
    cardo_status status = CARDO_OK;
    bool anew = self->taken >= options->memory;
    if (!anew)
        status = has_strayed(self, &anew, error);
    if (anew) {
        status = read_y(self, self->time, run->keep + 1, error);
        run->keep[0] = self->time;
        normalise(self, run->keep + 1, NULL);
        if (status == CARDO_OK && self->constrained)
            status = constrain(self, self->time, run->keep + 1, CARDO_POSITION_TOLERANCE, error);
        if (status == CARDO_OK)
            status = begin(self, error);
    }
    if (status == CARDO_OK)
        status = cardo_ode_solver_step(self->solver, &self->time, error);
    self->taken++;
    self->steps++;
    return status;
}

/* Looks at the motion between two times; the second becomes that of the first event that is handled, if there is one. */
static cardo_status look(adaptive *self, double from, double *to, bool *found, cardo_error *error)
{
    const cardo_integration *run = self->run;
    cardo_status status = CARDO_OK;
    if (run->handlers)
        CARDO_TRY(cardo_handlers_search(run->handlers, run->state, run->evaluator, place, self,
                                        from, to, found, error));
    if (run->events)
        status = cardo_events_look(run->events, interpolant, self, from, *to, error);
done:
    return status;
}

/* Looks for branch points between two times, in parts that are short turns: where forces ask for little a step may go round and
 * round. At the report the run looks for itself. */
static cardo_status check_way(adaptive *self, double from, double to, double report,
                              cardo_error *error)
{
    cardo_integration *run = self->run;
    const double times[2] = {from, to};
    double fastest = 0;
    cardo_status status = CARDO_OK;
    for (int end = 0; run->branches && end < 2; ++end) {
        CARDO_TRY(read_y(self, times[end], run->work, error));
        for (int j = 0; j < run->nu; ++j)
            fastest = fmax(fastest, fabs(run->work[run->nq + j]));
    }
    const int parts = (int)fmin(MOST_LOOKS, ceil((to - from) * fastest / SHORT_TURN));
    for (int k = 1; run->branches && k <= parts; ++k) {
        const double time = k < parts ? from + k * (to - from) / parts : to;
        if (!(time < report))
            break;
        CARDO_TRY(place(self, time, error));
        CARDO_TRY(cardo_project_q(run->system, run->state, CARDO_POSITION_TOLERANCE, error));
        CARDO_TRY(cardo_check_way(run->branches, run->state, run->branch_points, error));
    }
done:
    return status;
}

/* Steps until the solver has come to *target or past it; looking, *target becomes the time of the first event that is handled. */
static cardo_status advance(adaptive *self, double from, double *target, bool looking,
                            cardo_error *error)
{
    cardo_status status = CARDO_OK;
    double seen = from;
    bool found = false;
    for (;;) {
        double to = fmin(self->time, *target);
        if (looking && to > seen) {
            CARDO_TRY(look(self, seen, &to, &found, error));
            CARDO_TRY(check_way(self, seen, to, found ? to : *target, error));
            seen = to;
        }
        if (found)
            *target = seen;
        if (found || self->time >= *target)
            break;
        CARDO_TRY(take_step(self, error));
    }
done:
    return status;
}

/* Sets the state as reported at a time. */
static cardo_status set_state(adaptive *self, double time, cardo_error *error)
{
    cardo_integration *run = self->run;
    double *y = run->work;
    cardo_status status = read_y(self, time, y, error);
    if (status != CARDO_OK)
        return status;
    normalise(self, y, NULL);
    cardo_state_set_time(run->state, time);
    cardo_state_set_q(run->state, y);
    cardo_state_set_u(run->state, y + run->nq);
    cardo_state_prescribe(run->system, run->state);
    return cardo_return_to_constraints(run->system, run->state, CARDO_POSITION_TOLERANCE, error);
}

/* Brings the solver to where the state is, by the way that it came; or begins there, where that way
 * does not lead. */
static cardo_status follow(adaptive *self, cardo_error *error)
{
    cardo_integration *run = self->run;
    const size_t bytes = (size_t)(1 + size_of(run)) * sizeof(double);
    double *now = self->last;
    cardo_status status;
    read_state(run, now);
    if (run->keep[0] <= now[0]) {
        double *there = run->work + size_of(run);
        CARDO_TRY(begin(self, error));
        double then = now[0];
        CARDO_TRY(advance(self, then, &then, false, error));
        CARDO_TRY(set_state(self, now[0], error));
        read_state(run, there);
        if (memcmp(there, now, bytes) == 0)
            return CARDO_OK;
    }
    memcpy(run->keep, now, bytes);
    status = begin(self, error);
done:
    return status;
}

static bool stands_at_last_report(const adaptive *self)
{
    const cardo_integration *run = self->run;
    double *now = run->work;
    read_state(run, now);
    return self->followed && memcmp(now, self->last, (size_t)(1 + size_of(run)) * sizeof *now) == 0;
}

/* Energies by term are asked for at the report alone, where they may be wanted. */
cardo_status cardo_adaptive_step(cardo_integration *run, cardo_error *error)
{
    adaptive *self = run->engine;
    const double from = cardo_state_time(run->state);
    double target = from + run->timestep;
    bool terms = cardo_evaluator_wants_terms(run->evaluator), stands = stands_at_last_report(self);
    cardo_status status = CARDO_OK;
    self->followed = false;
    if (size_of(run) == 0) {
        cardo_state_set_time(run->state, target);
        return evaluate(self, target, run->work, error);
    }
    cardo_evaluator_want_terms(run->evaluator, false);
    if (!stands)
        status = follow(self, error);
    if (status == CARDO_OK)
        status = advance(self, from, &target, run->events || run->handlers || run->branches, error);
    cardo_evaluator_want_terms(run->evaluator, terms);
    CARDO_TRY(status);
    CARDO_TRY(set_state(self, target, error));
    CARDO_TRY(cardo_evaluate(run->evaluator, run->state, error));
    CARDO_TRY(cardo_realize(run->system, run->state, CARDO_STAGE_ACCELERATION, error));
    self->evaluations++;
    read_state(run, self->last);
    self->followed = true;
done:
    return status;
}

void cardo_adaptive_report(const cardo_integration *run, char *text, size_t size)
{
    const adaptive *self = run->engine;
    snprintf(text, size, "%lld steps of its own, %lld evaluations of the forces", self->steps,
             self->evaluations);
}

const cardo_field cardo_adaptive_fields[] = {
    {"accuracy", CARDO_FIELD_DOUBLE, offsetof(cardo_adaptive_options, accuracy), "", "1e-3", 1e-14,
     0.5, NULL, "local error over the unit scales of the motion: 1e-3 asks for three digits"},
    {"memory", CARDO_FIELD_INT, offsetof(cardo_adaptive_options, memory), "", "1000", 1, 1e9, NULL,
     "steps of its own after which the method begins anew: a continued run repeats as many at "
     "most"},
    {0},
};
