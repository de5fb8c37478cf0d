#include "dynamics/evaluation/events.h"

#include "base/memory.h"
#include "dynamics/coordinates/quaternions.h"

#include <math.h>
#include <string.h>

enum { MOST_EVENTS = 32, MOST_HAPPENINGS = 64 };

/* An event that happened; its q and u are in values. */
typedef struct happening {
    int number;
    bool rising;
    double time;
    double *values;
} happening;

struct cardo_events {
    int nq, nu, count, nhappening;
    cardo_quaternions quaternions;
    cardo_event events[MOST_EVENTS];
    happening happenings[MOST_HAPPENINGS];
    double *memory; /* of the happenings' values */
    /* The ends of the step: q, u, qdot, udot. */
    double time[2], *ends[2];
    double *now; /* q, u of the moment looked at */
};

cardo_status cardo_coordinate_witness(void *user, double time, const double *q, const double *u,
                                      double *value, cardo_error *error)
{
    (void)time;
    (void)u;
    (void)error;
    const cardo_coordinate_target *target = user;
    *value = q[target->coordinate] - target->value;
    return CARDO_OK;
}

cardo_status cardo_events_create(const cardo_system *system, cardo_events **out, cardo_error *error)
{
    cardo_status status;
    cardo_events *self = NULL;
    *out = NULL;
    CARDO_TRY(CARDO_ALLOCATE(&self, 1, error));
    self->nq = cardo_system_nq(system);
    self->nu = cardo_system_nu(system);
    const size_t n = (size_t)(self->nq + self->nu);
    CARDO_TRY(cardo_quaternions_find(system, &self->quaternions, error));
    CARDO_TRY(CARDO_ALLOCATE(&self->memory, MOST_HAPPENINGS * n, error));
    CARDO_TRY(CARDO_ALLOCATE(&self->ends[0], 2 * n, error));
    CARDO_TRY(CARDO_ALLOCATE(&self->ends[1], 2 * n, error));
    CARDO_TRY(CARDO_ALLOCATE(&self->now, n, error));
    for (size_t k = 0; n > 0 && k < MOST_HAPPENINGS; ++k)
        self->happenings[k].values = self->memory + k * n;
    *out = self;
    self = NULL;
done:
    cardo_events_destroy(self);
    return status;
}

void cardo_events_destroy(cardo_events *self)
{
    if (!self)
        return;
    cardo_quaternions_clear(&self->quaternions);
    cardo_free(self->memory);
    cardo_free(self->ends[0]);
    cardo_free(self->ends[1]);
    cardo_free(self->now);
    cardo_free(self);
}

cardo_status cardo_events_add(cardo_events *self, const cardo_event *event, cardo_error *error)
{
    if (self->count == MOST_EVENTS)
        return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT, "a simulation watches for %d events at most",
                          MOST_EVENTS);
    self->events[self->count++] = *event;
    return CARDO_OK;
}

int cardo_events_count(const cardo_events *self)
{
    return self->count;
}

const cardo_event *cardo_events_get(const cardo_events *self, int number)
{
    return &self->events[number];
}

/* ------------ locating ------------ */

/* One witness along one piece of the motion. */
typedef struct search {
    cardo_events *events;
    const cardo_event *event;
    cardo_interpolant interpolant;
    void *user;
} search;

static cardo_status value_at(const search *s, double time, double *value, cardo_error *error)
{
    double *q = s->events->now, *u = q + s->events->nq;
    cardo_status status = s->interpolant(s->user, time, q, u, error);
    if (status != CARDO_OK)
        return status;
    cardo_quaternions_normalise(&s->events->quaternions, q);
    status = s->event->witness(s->event->user, time, q, u, value, error);
    if (status == CARDO_OK && !isfinite(*value))
        status = CARDO_FAIL(error, CARDO_ERROR_NUMERICAL,
                            "the witness of event '%s' is not finite at t = %g ps",
                            s->event->name ? s->event->name : "unnamed", time);
    return status;
}

/* Regula falsi in the Illinois form: the end that stays twice loses half its weight. Leaves q and u
 * at the zero in events->now. */
static cardo_status locate(const search *s, double a, double fa, double b, double fb, double *zero,
                           cardo_error *error)
{
    const double resolution = 4e-16 * fmax(fabs(a), fabs(b)) + 1e-15 * fabs(b - a);
    double f = fb;
    int last = 0;
    *zero = b;
    for (int k = 0; k < 200 && f != 0 && fabs(b - a) > resolution; ++k) {
        double t = b - fb * (b - a) / (fb - fa);
        /* The secant may round on to an end, and cannot come nearer than that. */
        if (!(t > fmin(a, b) && t < fmax(a, b)))
            t = 0.5 * (a + b);
        cardo_status status = value_at(s, t, &f, error);
        if (status != CARDO_OK)
            return status;
        *zero = t;
        bool left = (f > 0) == (fa > 0);
        if (left) {
            a = t;
            fa = f;
            fb *= last == 1 ? 0.5 : 1;
        } else {
            b = t;
            fb = f;
            fa *= last == 2 ? 0.5 : 1;
        }
        last = left ? 1 : 2;
    }
    return value_at(s, *zero, &f, error);
}

static cardo_status note(cardo_events *self, int number, double time, bool rising,
                         cardo_error *error)
{
    if (self->nhappening == MOST_HAPPENINGS)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "more than %d events happen in one step: take shorter ones",
                          MOST_HAPPENINGS);
    int at = self->nhappening++;
    happening spare = self->happenings[at];
    for (; at > 0 && self->happenings[at - 1].time > time; --at)
        self->happenings[at] = self->happenings[at - 1];
    self->happenings[at] = (happening){number, rising, time, spare.values};
    if (self->nq + self->nu > 0)
        memcpy(spare.values, self->now, (size_t)(self->nq + self->nu) * sizeof *self->now);
    return CARDO_OK;
}

cardo_status cardo_events_look(cardo_events *self, cardo_interpolant interpolant, void *user,
                               double from, double to, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    for (int k = 0; k < self->count && status == CARDO_OK; ++k) {
        const search s = {self, &self->events[k], interpolant, user};
        double before, after, time;
        CARDO_TRY(value_at(&s, from, &before, error));
        CARDO_TRY(value_at(&s, to, &after, error));
        bool rises = before < 0 && after >= 0, falls = before > 0 && after <= 0;
        bool wanted = s.event->direction == CARDO_EVENT_EITHER   ? rises || falls
                      : s.event->direction == CARDO_EVENT_RISING ? rises
                                                                 : falls;
        if (!wanted)
            continue;
        CARDO_TRY(locate(&s, from, before, to, after, &time, error));
        status = note(self, k, time, rises, error);
    }
done:
    return status;
}

/* ------------ steps without a polynomial of their own ------------ */

static void read_end(cardo_events *self, int end, const cardo_state *state)
{
    const size_t nq = (size_t)self->nq, nu = (size_t)self->nu;
    double *to = self->ends[end];
    self->time[end] = cardo_state_time(state);
    if (nu == 0)
        return;
    memcpy(to, cardo_state_q(state), nq * sizeof *to);
    memcpy(to + nq, cardo_state_u(state), nu * sizeof *to);
    memcpy(to + nq + nu, cardo_state_qdot(state), nq * sizeof *to);
    memcpy(to + 2 * nq + nu, cardo_state_udot(state), nu * sizeof *to);
}

/* Hermite's cubic. */
static cardo_status cubic(void *user, double time, double *q, double *u, cardo_error *error)
{
    (void)error;
    const cardo_events *self = user;
    const int n = self->nq + self->nu;
    const double *a = self->ends[0], *b = self->ends[1];
    const double h = self->time[1] - self->time[0], x = (time - self->time[0]) / h, y = 1.0 - x;
    for (int k = 0; k < n; ++k) {
        double *to = k < self->nq ? &q[k] : &u[k - self->nq];
        *to = y * y * ((1 + 2 * x) * a[k] + x * h * a[n + k]) +
              x * x * ((1 + 2 * y) * b[k] - y * h * b[n + k]);
    }
    return CARDO_OK;
}

void cardo_events_begin_piece(cardo_events *self, const cardo_state *state)
{
    read_end(self, 0, state);
}

void cardo_events_begin_step(cardo_events *self, const cardo_state *state)
{
    self->nhappening = 0;
    read_end(self, 0, state);
}

cardo_status cardo_events_end_step(cardo_events *self, const cardo_state *state, cardo_error *error)
{
    read_end(self, 1, state);
    return cardo_events_look(self, cubic, self, self->time[0], self->time[1], error);
}

cardo_status cardo_events_tell(const cardo_events *self, long long step,
                               cardo_event_listener listener, void *user, bool *stop,
                               cardo_error *error)
{
    cardo_status status = CARDO_OK;
    *stop = false;
    for (int k = 0; k < self->nhappening && status == CARDO_OK; ++k) {
        const happening *h = &self->happenings[k];
        const cardo_event_report report = {
            .event = &self->events[h->number],
            .number = h->number,
            .step = step,
            .time = h->time,
            .rising = h->rising,
            .q = h->values,
            .u = h->values + self->nq,
        };
        *stop |= report.event->stop;
        if (listener)
            status = listener(user, &report, error);
    }
    return status;
}
