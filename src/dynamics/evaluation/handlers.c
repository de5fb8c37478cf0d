#include "dynamics/evaluation/handlers.h"

#include "base/memory.h"
#include "cardo/constraints.h"
#include "cardo/motion.h"
#include "cardo/operators.h"
#include "dynamics/coordinates/constrained.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MOST_HANDLERS = 32, MOST_AT_ONCE = 100, MOST_TRIALS = 200 };
/* Of a step: no time. */
static const double instant = 1e-9;

/* What is recorded of a handler. */
typedef struct record {
    double
        off; /* 1: switched off                                                                  */
    double
        side; /* of zero that its witness is on: -1, 1; 0: it rests there since it was handled      */
    double
        value; /* of the witness when it was last looked at                                        */
    double
        scale; /* largest that it has had                                                          */
    double
        next; /* time that is scheduled                                                           */
    double
        last; /* time when it was last called                                                     */
    double
        times; /* that it was called with no time between                                          */
} record;

enum { RECORD = sizeof(record) / sizeof(double) };

/* The passage looked for. */
typedef struct passage {
    bool crossed, rising;
    double low, high;               /* values at both ends of the bracket                   */
    double low_weight, high_weight; /* the same, halved where an end stays           */
} passage;

struct cardo_handlers {
    const cardo_system *system;
    int count, nconstraint;
    double step; /* ps */
    cardo_event_handler handlers[MOST_HANDLERS];
    record records[MOST_HANDLERS];
    passage passages[MOST_HANDLERS];
    bool fresh[MOST_HANDLERS];    /* switched on, and not yet looked at */
    double values[MOST_HANDLERS]; /* of the witnesses where the search is */
    cardo_state *ahead;           /* a little later                         */
    double *q, *u, *speeds;       /* there */
};

/* ------------ making ------------ */

cardo_status cardo_handlers_create(const cardo_system *system, cardo_handlers **out,
                                   cardo_error *error)
{
    cardo_status status;
    cardo_handlers *self = NULL;
    cardo_constraint_counts counts;
    *out = NULL;
    CARDO_TRY(CARDO_ALLOCATE(&self, 1, error));
    self->system = system;
    cardo_system_constraint_counts(system, &counts);
    self->nconstraint = counts.nconstraint;
    CARDO_TRY(cardo_state_create(system, &self->ahead, error));
    CARDO_TRY(CARDO_ALLOCATE(&self->q, cardo_system_nq(system), error));
    CARDO_TRY(CARDO_ALLOCATE(&self->u, cardo_system_nu(system), error));
    CARDO_TRY(CARDO_ALLOCATE(&self->speeds, cardo_system_nu(system), error));
    *out = self;
    self = NULL;
done:
    cardo_handlers_destroy(self);
    return status;
}

void cardo_handlers_destroy(cardo_handlers *self)
{
    if (!self)
        return;
    cardo_state_destroy(self->ahead);
    cardo_free(self->q);
    cardo_free(self->u);
    cardo_free(self->speeds);
    cardo_free(self);
}

static const char *name_of(const cardo_handlers *self, int k)
{
    return self->handlers[k].name ? self->handlers[k].name : "unnamed";
}

cardo_status cardo_handlers_add(cardo_handlers *self, const cardo_event_handler *handler,
                                cardo_error *error)
{
    if (self->count == MOST_HANDLERS)
        return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT, "a simulation takes %d handlers at most",
                          MOST_HANDLERS);
    self->handlers[self->count] = *handler;
    const char *name = name_of(self, self->count);
    if (!handler->handle || !!handler->witness + !!handler->next + (handler->period > 0) != 1)
        return CARDO_FAIL(
            error, CARDO_ERROR_ARGUMENT,
            "handler '%s' needs a function handle, and one of witness, period and next", name);
    if (!(handler->tolerance >= 0) || !isfinite(handler->period) || !isfinite(handler->first))
        return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT,
                          "handler '%s': tolerance, period and first are times, ps", name);
    self->records[self->count++] = (record){.next = HUGE_VAL, .last = -HUGE_VAL};
    return CARDO_OK;
}

/* ------------ records ------------ */

int cardo_handlers_value_count(const cardo_handlers *self)
{
    return self->count * RECORD + self->nconstraint;
}

void cardo_handlers_save(const cardo_handlers *self, const cardo_state *state, double *values)
{
    memcpy(values, self->records, (size_t)self->count * sizeof *self->records);
    values += self->count * RECORD;
    for (int i = 0; i < self->nconstraint; ++i)
        values[i] = cardo_state_has_constraint(state, i);
}

cardo_status cardo_handlers_load(cardo_handlers *self, cardo_state *state, double step,
                                 const double *values, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    self->step = step;
    memcpy(self->records, values, (size_t)self->count * sizeof *self->records);
    values += self->count * RECORD;
    for (int i = 0; i < self->nconstraint && status == CARDO_OK; ++i)
        status = cardo_state_set_constraint(state, i, values[i] != 0, error);
    return status;
}

/* ------------ schedules ------------ */

static double no_time(const cardo_handlers *self)
{
    return instant * self->step;
}

/* The first beat after a time, or at it. */
static double next_beat(const cardo_event_handler *handler, double time, bool or_at, double slack)
{
    double beat = fmax(0, floor((time - handler->first) / handler->period));
    while (handler->first + beat * handler->period < time + (or_at ? -slack : slack))
        beat += 1;
    return handler->first + beat * handler->period;
}

static cardo_status schedule(cardo_handlers *self, int k, double time, bool or_at,
                             cardo_error *error)
{
    const cardo_event_handler *handler = &self->handlers[k];
    double *next = &self->records[k].next;
    const double slack = no_time(self);
    cardo_status status = CARDO_OK;
    if (handler->witness)
        return CARDO_OK;
    if (handler->period > 0) {
        if (!(handler->period > 2 * slack))
            return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                              "handler '%s' has a period of %g ps, which is no time in steps of %g",
                              name_of(self, k), handler->period, self->step);
        *next = next_beat(handler, time, or_at, slack);
        return CARDO_OK;
    }
    status = handler->next(handler->user, time, or_at, next, error);
    if (status == CARDO_OK && !(*next >= time + (or_at ? -slack : slack)))
        status =
            CARDO_FAIL(error, CARDO_ERROR_INPUT,
                       "handler '%s' asks to be called at t = %.17g ps, which is not after %.17g",
                       name_of(self, k), *next, time);
    return status;
}

double cardo_handlers_next(const cardo_handlers *self)
{
    double next = HUGE_VAL;
    for (int k = 0; k < self->count; ++k)
        if (self->records[k].off == 0 && !self->handlers[k].witness)
            next = fmin(next, self->records[k].next);
    return next;
}

/* ------------ witnesses ------------ */

static bool is_watched(const cardo_handlers *self, int k)
{
    return self->handlers[k].witness && self->records[k].off == 0;
}

static cardo_stage stage_of(const cardo_event_handler *handler)
{
    return handler->stage == CARDO_STAGE_TIME ? CARDO_STAGE_VELOCITY : handler->stage;
}

/* evaluator NULL: forces stay as they are. */
static cardo_status value_of(const cardo_handlers *self, int k, cardo_state *state,
                             cardo_evaluator *evaluator, double *value, cardo_error *error)
{
    const cardo_event_handler *handler = &self->handlers[k];
    const cardo_stage stage = stage_of(handler);
    cardo_status status = CARDO_OK;
    if (cardo_state_stage(state) < stage) {
        if (evaluator && stage == CARDO_STAGE_ACCELERATION)
            CARDO_TRY(cardo_evaluate(evaluator, state, error));
        CARDO_TRY(cardo_realize(self->system, state, stage, error));
    }
    CARDO_TRY(handler->witness(handler->user, self->system, state, value, error));
    if (!isfinite(*value))
        status = CARDO_FAIL(error, CARDO_ERROR_NUMERICAL,
                            "the witness of handler '%s' is not finite at t = %g ps",
                            name_of(self, k), cardo_state_time(state));
done:
    return status;
}

static cardo_status read_values(cardo_handlers *self, cardo_state *state,
                                cardo_evaluator *evaluator, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    for (int k = 0; k < self->count && status == CARDO_OK; ++k)
        if (is_watched(self, k))
            status = value_of(self, k, state, evaluator, &self->values[k], error);
    return status;
}

static double sign_of(double x)
{
    return x > 0 ? 1 : x < 0 ? -1 : 0;
}

/* How a witness differs a little later, by the state's rates as they are; with `bent`, positions by accelerations too. */
static cardo_status difference(cardo_handlers *self, int k, const cardo_state *state, double later,
                               bool bent, double *out, cardo_error *error)
{
    const int nq = cardo_system_nq(self->system), nu = cardo_system_nu(self->system);
    const double *q = cardo_state_q(state), *u = cardo_state_u(state),
                 *udot = cardo_state_udot(state);
    cardo_status status;
    for (int i = 0; i < nu; ++i)
        self->speeds[i] = u[i] + (bent ? 0.5 * later * udot[i] : 0);
    CARDO_TRY(cardo_multiply_n(self->system, state, self->speeds, self->q, error));
    for (int i = 0; i < nq; ++i)
        self->q[i] = q[i] + later * self->q[i];
    for (int i = 0; i < nu; ++i)
        self->u[i] = u[i] + later * udot[i];
    cardo_state_set_time(self->ahead, cardo_state_time(state) + later);
    cardo_state_set_q(self->ahead, self->q);
    cardo_state_set_u(self->ahead, self->u);
    cardo_state_prescribe(self->system, self->ahead);
    CARDO_TRY(value_of(self, k, self->ahead, NULL, out, error));
    *out -= self->values[k];
done:
    return status;
}

/* Rounding of a witness. */
static double noise_of(const cardo_handlers *self, int k)
{
    return 64 * DBL_EPSILON * self->records[k].scale;
}

/* The side to which the motion takes a witness that is at zero, from its rate or else its acceleration, over the shortest times over which the
 * difference grows with time, as rounding does not; 0 where a whole step would not take it away. state at ACCELERATION. */
static cardo_status departure(cardo_handlers *self, int k, const cardo_state *state, double *side,
                              cardo_error *error)
{
    enum { FACTOR = 16 };
    cardo_status status = CARDO_OK;
    cardo_state_copy(self->ahead, state);
    *side = 0;
    for (int order = 1; order <= 2 && *side == 0; ++order) {
        const double growth = pow(FACTOR, order);
        double before = 0;
        for (double later = self->step * 0x1p-64; later < self->step && *side == 0;
             later *= FACTOR) {
            double now;
            CARDO_TRY(difference(self, k, state, later, order == 2, &now, error));
            const double in_step = now * pow(self->step / later, order);
            if (before != 0 && now / before > 0.5 * growth && fabs(in_step) > noise_of(self, k))
                *side = sign_of(now);
            before = now;
        }
    }
done:
    return status;
}

static cardo_status fail_at_once(const cardo_handlers *self, int k, double time, cardo_error *error)
{
    return CARDO_FAIL(
        error, CARDO_ERROR_NUMERICAL,
        "handler '%s', t = %.12g ps: what it does brings its event about again and again with no "
        "time between; let it bring the motion to rest there (switch on a constraint), or retire",
        name_of(self, k), time);
}

/* A side to which the motion takes it, but not by more than rounding before it is back. */
static cardo_status check_return(cardo_handlers *self, int k, const cardo_state *state,
                                 cardo_error *error)
{
    const record *r = &self->records[k];
    const double time = cardo_state_time(state), noise = noise_of(self, k);
    double later = fmax(1024 * DBL_EPSILON * fabs(time), 0x1p-40 * self->step);
    cardo_status status = CARDO_OK;
    for (; r->side != 0 && later < self->step; later *= 4) {
        double change;
        CARDO_TRY(difference(self, k, state, later, true, &change, error));
        if (r->side * change > noise)
            break;
        if (r->side * change < -noise)
            return fail_at_once(self, k, time, error);
    }
done:
    return status;
}

static void note_value(cardo_handlers *self, int k)
{
    record *r = &self->records[k];
    r->value = self->values[k];
    r->scale = fmax(r->scale, fabs(r->value));
}

/* A witness that rests at zero has left it when it is more than rounding away. */
static void pass(cardo_handlers *self, int k)
{
    record *r = &self->records[k];
    note_value(self, k);
    if (r->value != 0 && (r->side != 0 || fabs(r->value) > 1e-9 * r->scale))
        r->side = sign_of(r->value);
}

/* After something has happened: sides are read anew, and those of what was handled at zero by where the motion leads. */
static cardo_status settle(cardo_handlers *self, const cardo_state *state, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    for (int k = 0; k < self->count; ++k) {
        const passage *p = &self->passages[k];
        if (!is_watched(self, k))
            continue;
        const double zero = p->crossed ? 4 * fmax(fabs(p->low), fabs(p->high)) : 0;
        const bool rested = self->records[k].side == 0 && !p->crossed;
        if (fabs(self->values[k]) <= zero) {
            note_value(self, k);
            CARDO_TRY(departure(self, k, state, &self->records[k].side, error));
            CARDO_TRY(check_return(self, k, state, error));
        } else if (rested) {
            pass(self, k);
        } else {
            note_value(self, k);
            self->records[k].side = sign_of(self->values[k]);
        }
    }
done:
    return status;
}

cardo_status cardo_handlers_switch(cardo_handlers *self, int number, bool on, cardo_error *error)
{
    if (number < 0 || number >= self->count)
        return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT,
                          "there is no handler %d: the simulation has %d", number, self->count);
    self->fresh[number] = on && self->records[number].off != 0;
    self->records[number].off = on ? 0 : 1;
    return CARDO_OK;
}

cardo_status cardo_handlers_wake(cardo_handlers *self, cardo_state *state, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    for (int k = 0; k < self->count; ++k) {
        if (!self->fresh[k])
            continue;
        self->fresh[k] = false;
        if (!self->handlers[k].witness) {
            CARDO_TRY(schedule(self, k, cardo_state_time(state), false, error));
            continue;
        }
        CARDO_TRY(value_of(self, k, state, NULL, &self->values[k], error));
        note_value(self, k);
        self->records[k].side = sign_of(self->values[k]);
        if (self->values[k] == 0)
            CARDO_TRY(departure(self, k, state, &self->records[k].side, error));
    }
done:
    return status;
}

cardo_status cardo_handlers_begin(cardo_handlers *self, cardo_state *state, double step,
                                  bool schedules, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    self->step = step;
    for (int k = 0; k < self->count; ++k) {
        record *r = &self->records[k];
        self->passages[k].crossed = false;
        self->fresh[k] = self->handlers[k].witness && r->off == 0;
        if (!schedules)
            continue;
        *r = (record){.off = r->off, .next = HUGE_VAL, .last = -HUGE_VAL};
        if (r->off == 0)
            CARDO_TRY(schedule(self, k, cardo_state_time(state), true, error));
    }
    status = cardo_handlers_wake(self, state, error);
done:
    return status;
}

/* ------------ searching ------------ */

/* Whether a witness passes in a direction that is wanted, from the side that it is on to a value. */
static bool passes(const cardo_handlers *self, int k, double value)
{
    const double side = self->records[k].side;
    const cardo_event_direction direction = self->handlers[k].direction;
    return (side < 0 && value >= 0 && direction != CARDO_EVENT_FALLING) ||
           (side > 0 && value <= 0 && direction != CARDO_EVENT_RISING);
}

/* A bracket of the first passage: no witness has passed at low, those that are `crossed` have at high. */
typedef struct bracket {
    double low, high, placed; /* times; placed: where the state is */
    int stays;                /* which end stayed in the last trial: -1 low, 1 high */
} bracket;

static void open_bracket(cardo_handlers *self, bool *any)
{
    *any = false;
    for (int k = 0; k < self->count; ++k) {
        passage *p = &self->passages[k];
        const record *r = &self->records[k];
        p->crossed = is_watched(self, k) && passes(self, k, self->values[k]);
        if (!p->crossed)
            continue;
        *any = true;
        p->rising = r->side < 0;
        p->high = p->high_weight = self->values[k];
        p->low = p->low_weight = r->value;
        /* One that its handler has left a little on the other side. */
        if (sign_of(r->value) != r->side)
            p->low_weight = -p->high;
    }
}

static double tolerance_of(const cardo_handlers *self, const bracket *b)
{
    double tolerance = HUGE_VAL;
    for (int k = 0; k < self->count; ++k)
        if (self->passages[k].crossed)
            tolerance = fmin(tolerance, self->handlers[k].tolerance);
    return fmax(tolerance, 4e-16 * fmax(fabs(b->low), fabs(b->high)));
}

/* Regula falsi in the Illinois form for the witness that passes first, the middle every third time. */
static double next_trial(const cardo_handlers *self, const bracket *b, int trial)
{
    const double middle = 0.5 * (b->low + b->high);
    double time = b->high;
    for (int k = 0; k < self->count; ++k) {
        const passage *p = &self->passages[k];
        if (p->crossed && p->high_weight != p->low_weight)
            time = fmin(time, b->high - p->high_weight * (b->high - b->low) /
                                            (p->high_weight - p->low_weight));
    }
    return trial % 3 == 2 || !(time > b->low && time < b->high) ? middle : time;
}

/* Takes the trial at `time`, whose values have been read, for an end of the bracket. */
static void narrow(cardo_handlers *self, bracket *b, double time)
{
    bool any = false;
    for (int k = 0; k < self->count; ++k)
        any = any || (self->passages[k].crossed && passes(self, k, self->values[k]));
    for (int k = 0; k < self->count; ++k) {
        passage *p = &self->passages[k];
        if (!p->crossed)
            continue;
        if (!any) {
            p->low = p->low_weight = self->values[k];
            p->high_weight *= b->stays > 0 ? 0.5 : 1;
        } else if (passes(self, k, self->values[k])) {
            p->high = p->high_weight = self->values[k];
            p->low_weight *= b->stays < 0 ? 0.5 : 1;
        } else {
            p->crossed = false;
        }
    }
    *(any ? &b->high : &b->low) = time;
    b->stays = any ? -1 : 1;
}

static cardo_status look_at(cardo_handlers *self, cardo_state *state, cardo_evaluator *evaluator,
                            cardo_placer place, void *user, double time, cardo_error *error)
{
    cardo_status status = place(user, time, error);
    return status == CARDO_OK ? read_values(self, state, evaluator, error) : status;
}

cardo_status cardo_handlers_search(cardo_handlers *self, cardo_state *state,
                                   cardo_evaluator *evaluator, cardo_placer place, void *user,
                                   double from, double *to, bool *found, cardo_error *error)
{
    bracket b = {from, *to, *to, 0};
    cardo_status status;
    CARDO_TRY(look_at(self, state, evaluator, place, user, *to, error));
    open_bracket(self, found);
    for (int trial = 0; *found && trial < MOST_TRIALS; ++trial) {
        if (b.high - b.low <= tolerance_of(self, &b))
            break;
        const double time = next_trial(self, &b, trial);
        if (!(time > b.low && time < b.high))
            break;
        CARDO_TRY(look_at(self, state, evaluator, place, user, time, error));
        b.placed = time;
        narrow(self, &b, time);
    }
    if (*found && b.placed != b.high)
        CARDO_TRY(look_at(self, state, evaluator, place, user, b.high, error));
    for (int k = 0; !*found && k < self->count; ++k)
        if (is_watched(self, k))
            pass(self, k);
    *to = b.high;
done:
    return status;
}

/* ------------ handling ------------ */

static bool is_due(const cardo_handlers *self, int k, double time)
{
    if (self->records[k].off != 0)
        return false;
    return self->handlers[k].witness ? self->passages[k].crossed
                                     : self->records[k].next <= time + no_time(self);
}

bool cardo_handlers_are_due(const cardo_handlers *self, double time)
{
    for (int k = 0; k < self->count; ++k)
        if (is_due(self, k, time))
            return true;
    return false;
}

static cardo_status count_call(cardo_handlers *self, int k, double time, cardo_error *error)
{
    record *r = &self->records[k];
    r->times = time - r->last <= no_time(self) ? r->times + 1 : 1;
    r->last = time;
    return r->times <= MOST_AT_ONCE ? CARDO_OK : fail_at_once(self, k, time, error);
}

/* Back onto the constraints, and all that follows from the state anew. */
static cardo_status renew(cardo_handlers *self, cardo_state *state, cardo_evaluator *evaluator,
                          cardo_stage lowest, cardo_error *error)
{
    const size_t nq = (size_t)cardo_system_nq(self->system);
    cardo_status status;
    if (lowest < CARDO_STAGE_DYNAMICS && nq > 0) {
        memcpy(self->q, cardo_state_q(state), nq * sizeof *self->q);
        cardo_state_set_q(state, self->q);
    }
    cardo_state_prescribe(self->system, state);
    CARDO_TRY(cardo_begin_on_constraints(self->system, state, error));
    CARDO_TRY(cardo_evaluate(evaluator, state, error));
    CARDO_TRY(cardo_realize(self->system, state, CARDO_STAGE_ACCELERATION, error));
done:
    return status;
}

/* The call itself, and back onto the constraints what it has changed. */
static cardo_status act(cardo_handlers *self, int k, cardo_state *state, cardo_evaluator *evaluator,
                        long long step, bool *changed, cardo_event_response *response,
                        cardo_error *error)
{
    const cardo_event_handler *handler = &self->handlers[k];
    const double time = cardo_state_time(state);
    const cardo_event_occasion occasion = {
        .name = handler->name,
        .number = k,
        .step = step,
        .time = time,
        .rising = handler->witness && self->passages[k].rising,
    };
    *response = (cardo_event_response){.changed = CARDO_STAGE_ACCELERATION};
    cardo_status status =
        handler->handle(handler->user, self->system, state, &occasion, response, error);
    if (status == CARDO_OK && cardo_state_time(state) != time)
        status = CARDO_FAIL(error, CARDO_ERROR_ARGUMENT,
                            "it has set the state's time, which is not its to change");
    const cardo_stage stage = cardo_state_stage(state);
    const cardo_stage lowest = response->changed < stage ? response->changed : stage;
    if (status == CARDO_OK && lowest < CARDO_STAGE_ACCELERATION) {
        *changed = true;
        status = renew(self, state, evaluator, lowest, error);
    }
    if (status != CARDO_OK)
        cardo_error_prefix(error, "handler '%s': ", name_of(self, k));
    return status;
}

static cardo_status call(cardo_handlers *self, int k, cardo_state *state,
                         cardo_evaluator *evaluator, long long step, bool *changed, bool *stop,
                         cardo_error *error)
{
    const double time = cardo_state_time(state);
    cardo_event_response response;
    cardo_status status;
    CARDO_TRY(count_call(self, k, time, error));
    CARDO_TRY(act(self, k, state, evaluator, step, changed, &response, error));
    *stop = *stop || response.stop;
    if (response.retire)
        self->records[k].off = 1;
    if (!self->handlers[k].witness && self->records[k].off == 0)
        status = schedule(self, k, fmax(time, self->records[k].next), false, error);
done:
    return status;
}

cardo_status cardo_handlers_handle(cardo_handlers *self, cardo_state *state,
                                   cardo_evaluator *evaluator, long long step, bool *changed,
                                   bool *stop, cardo_error *error)
{
    const double time = cardo_state_time(state);
    cardo_status status = CARDO_OK;
    *changed = false;
    /* What the state brings with it when it has been brought here is nothing that passed. */
    CARDO_TRY(read_values(self, state, NULL, error));
    for (int k = 0; k < self->count; ++k)
        if (is_watched(self, k) && self->passages[k].crossed)
            self->passages[k].high = fmax(fabs(self->passages[k].high), fabs(self->values[k]));
    for (int k = 0; k < self->count; ++k)
        if (is_due(self, k, time))
            CARDO_TRY(call(self, k, state, evaluator, step, changed, stop, error));
    CARDO_TRY(cardo_handlers_wake(self, state, error));
    CARDO_TRY(read_values(self, state, NULL, error));
    CARDO_TRY(settle(self, state, error));
done:
    for (int k = 0; k < self->count; ++k)
        self->passages[k].crossed = false;
    return status;
}
