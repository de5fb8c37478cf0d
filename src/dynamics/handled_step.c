#include "dynamics/handled_step.h"

#include "base/memory.h"
#include "cardo/motion.h"
#include "cardo/operators.h"

#include <math.h>
#include <string.h>

/* Of a step: too little for a piece. */
static const double instant = 1e-9;

struct cardo_handled {
    const cardo_integrator *integrator;
    cardo_integration *run;
    cardo_handled_run hooks;
    int nkeep;
    double *piece; /* where the piece under way began: time, q, u, evaluation, keep */
    uint64_t random_position;
    double placed; /* the end of the piece as it was taken last */
    double length; /* of the last piece, ps; 0: none            */
    double energy; /* brought in by handlers, kJ/mol            */
};

/* ------------ making ------------ */

cardo_status cardo_handled_create(const cardo_integrator *integrator, cardo_integration *run,
                                  int keep, const cardo_handled_run *hooks, cardo_handled **out,
                                  cardo_error *error)
{
    cardo_status status;
    cardo_handled *self = NULL;
    *out = NULL;
    if (integrator->traits & (CARDO_INTEGRATOR_REJECTS | CARDO_INTEGRATOR_STATIC))
        return CARDO_FAIL(
            error, CARDO_ERROR_UNSUPPORTED,
            "%s has no moments within its steps at which events could be handled: use "
            "verlet, langevin or rk-merson",
            integrator->name);
    CARDO_TRY(CARDO_ALLOCATE(&self, 1, error));
    self->integrator = integrator;
    self->run = run;
    self->hooks = *hooks;
    self->nkeep = keep;
    CARDO_TRY(CARDO_ALLOCATE(
        &self->piece, 1 + run->nq + run->nu + cardo_evaluator_value_count(run->evaluator) + keep,
        error));
    CARDO_TRY(cardo_handlers_create(run->system, &run->handlers, error));
    *out = self;
    self = NULL;
done:
    cardo_handled_destroy(self);
    return status;
}

void cardo_handled_destroy(cardo_handled *self)
{
    if (!self)
        return;
    cardo_handlers_destroy(self->run->handlers);
    self->run->handlers = NULL;
    cardo_free(self->piece);
    cardo_free(self);
}

int cardo_handled_value_count(const cardo_handled *self)
{
    return 2 + cardo_handlers_value_count(self->run->handlers);
}

void cardo_handled_save(const cardo_handled *self, double *values)
{
    values[0] = self->length;
    values[1] = self->energy;
    cardo_handlers_save(self->run->handlers, self->run->state, values + 2);
}

cardo_status cardo_handled_load(cardo_handled *self, const double *values, cardo_error *error)
{
    self->length = values[0];
    self->energy = values[1];
    return cardo_handlers_load(self->run->handlers, self->run->state, self->run->timestep,
                               values + 2, error);
}

static cardo_status forget(cardo_handled *self, cardo_error *error)
{
    return self->integrator->forget ? self->integrator->forget(self->run, error) : CARDO_OK;
}

cardo_status cardo_handled_begin(cardo_handled *self, bool goes_on, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    self->length = 0;
    if (!goes_on)
        self->energy = 0;
    else
        status = forget(self, error);
    return status == CARDO_OK ? cardo_handlers_begin(self->run->handlers, self->run->state,
                                                     self->run->timestep, !goes_on, error)
                              : status;
}

double cardo_handled_energy(const cardo_handled *self)
{
    return self->energy;
}

/* ------------ pieces ------------ */

static void copy(double *to, const double *from, int n)
{
    if (n > 0)
        memcpy(to, from, (size_t)n * sizeof *to);
}

static void note_beginning(cardo_handled *self)
{
    const cardo_integration *run = self->run;
    double *values = self->piece;
    self->random_position = run->random.position;
    *values++ = cardo_state_time(run->state);
    copy(values, cardo_state_q(run->state), run->nq);
    values += run->nq;
    copy(values, cardo_state_u(run->state), run->nu);
    values += run->nu;
    cardo_evaluator_save(run->evaluator, values);
    values += cardo_evaluator_value_count(run->evaluator);
    copy(values, run->keep, self->nkeep);
}

static cardo_status go_back(cardo_handled *self, cardo_error *error)
{
    cardo_integration *run = self->run;
    const double *values = self->piece;
    run->random.position = self->random_position;
    cardo_state_set_time(run->state, *values++);
    cardo_state_set_q(run->state, values);
    values += run->nq;
    cardo_state_set_u(run->state, values);
    values += run->nu;
    cardo_evaluator_load(run->evaluator, run->state, values);
    values += cardo_evaluator_value_count(run->evaluator);
    copy(run->keep, values, self->nkeep);
    return cardo_realize(run->system, run->state, CARDO_STAGE_ACCELERATION, error);
}

static bool is_adaptive(const cardo_handled *self)
{
    return self->integrator->traits & CARDO_INTEGRATOR_ADAPTIVE;
}

/* Steps of a fixed method with a past have one length; of another length, they are without it. */
static cardo_status take(cardo_handled *self, double length, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    if (!is_adaptive(self) && length != self->length)
        status = forget(self, error);
    self->run->timestep = length;
    return status == CARDO_OK ? self->integrator->step(self->run, error) : status;
}

/* The piece again with another end. */
static cardo_status place(void *user, double time, cardo_error *error)
{
    cardo_handled *self = user;
    if (time == self->placed)
        return CARDO_OK;
    cardo_status status = go_back(self, error);
    self->placed = time;
    return status == CARDO_OK ? take(self, time - self->piece[0], error) : status;
}

/* From where the state is over `length`, or to the first event that is triggered before. */
static cardo_status take_piece(cardo_handled *self, double length, cardo_error *error)
{
    cardo_integration *run = self->run;
    cardo_status status;
    note_beginning(self);
    run->good_q = self->piece + 1;
    run->good_evaluation = run->good_q + run->nq + run->nu;
    if (run->events)
        cardo_events_begin_piece(run->events, run->state);
    CARDO_TRY(take(self, length, error));
    double end = cardo_state_time(run->state);
    self->placed = end;
    if (!is_adaptive(self)) {
        bool found;
        CARDO_TRY(cardo_handlers_search(run->handlers, run->state, run->evaluator, place, self,
                                        self->piece[0], &end, &found, error));
        if (run->events)
            CARDO_TRY(cardo_events_end_step(run->events, run->state, error));
    }
    self->length = run->timestep;
    status =
        self->hooks.book(self->hooks.user, cardo_state_time(run->state) - self->piece[0], error);
done:
    return status;
}

static cardo_status measure(const cardo_integration *run, double *energy, cardo_error *error)
{
    double kinetic, potential;
    cardo_status status = cardo_kinetic_energy(run->system, run->state, &kinetic, error);
    if (status == CARDO_OK)
        status = cardo_evaluator_potential(run->evaluator, run->state, &potential, error);
    *energy = status == CARDO_OK ? kinetic + potential : 0;
    return status;
}

/* Calls the handlers that are due at the state's time; a change is a new beginning. */
static cardo_status handle(cardo_handled *self, long long step, bool *stopped, cardo_error *error)
{
    cardo_integration *run = self->run;
    double before, after;
    bool changed;
    cardo_status status;
    if (!cardo_handlers_are_due(run->handlers, cardo_state_time(run->state)))
        return CARDO_OK;
    CARDO_TRY(measure(run, &before, error));
    CARDO_TRY(cardo_handlers_handle(run->handlers, run->state, run->evaluator, step, &changed,
                                    stopped, error));
    if (!changed)
        return CARDO_OK;
    CARDO_TRY(measure(run, &after, error));
    self->energy += after - before;
    self->length = 0;
    CARDO_TRY(self->hooks.recount(self->hooks.user, error));
    CARDO_TRY(forget(self, error));
    status = self->hooks.book(self->hooks.user, 0, error);
done:
    return status;
}

static cardo_status take_pieces(cardo_handled *self, long long step, bool *stopped,
                                cardo_error *error)
{
    cardo_integration *run = self->run;
    const double whole = run->timestep, start = cardo_state_time(run->state), end = start + whole;
    cardo_status status;
    CARDO_TRY(cardo_handlers_wake(run->handlers, run->state, error));
    CARDO_TRY(handle(self, step, stopped, error));
    while (!*stopped) {
        const double now = cardo_state_time(run->state), next = cardo_handlers_next(run->handlers);
        if (end - now <= instant * whole)
            break;
        const bool cut = next < end - instant * whole;
        /* A step that nothing cuts is the one that it would have been. */
        const double length = cut ? next - now : now == start ? whole : end - now;
        CARDO_TRY(take_piece(self, length, error));
        CARDO_TRY(handle(self, step, stopped, error));
    }
done:
    return status;
}

cardo_status cardo_handled_step(cardo_handled *self, long long step, bool *stopped,
                                cardo_error *error)
{
    cardo_integration *run = self->run;
    const double whole = run->timestep, *good_q = run->good_q,
                 *good_evaluation = run->good_evaluation;
    *stopped = false;
    cardo_status status = take_pieces(self, step, stopped, error);
    run->timestep = whole;
    run->good_q = good_q;
    run->good_evaluation = good_evaluation;
    return status;
}
