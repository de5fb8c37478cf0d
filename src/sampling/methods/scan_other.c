#include "sampling/methods/scan_other.h"

#include "base/memory.h"
#include "base/units.h"
#include "dynamics/evaluation/evaluate.h"
#include "multibody/tree/operators.h"
#include "sampling/variables/response.h"
#include "sampling/walkers/steer.h"

#include <math.h>

enum { MOST_HALVINGS = 6, TURN_LOOKS = 3 };

/* In the coordinate's own unit, or kT. */
static const double first_step = 0.02, farthest = 20, depth = 40, same = 1e-6;
const double cardo_scan_integral_error = 1e-3;

/* What evaluates the integrand. */
typedef struct line {
    const cardo_sampling *sampling;
    cardo_state *state;
    cardo_evaluator *evaluator;
    double *q; /* (nq) */
    int coordinate;
} line;

/* The coordinate whose rate is the speed; -1: none is. */
static int coordinate_of(const cardo_system *system, int speed)
{
    cardo_body_info info;
    for (int body = 1; body < cardo_system_nbody(system); ++body) {
        cardo_system_body(system, body, &info);
        if (speed >= info.u_first && speed < info.u_first + info.nu)
            return info.nq == info.nu && info.nu == 1 ? info.q_first : -1;
    }
    return -1;
}

bool cardo_scan_other(const cardo_sampling *sampling, int *speed)
{
    const cardo_system *system = sampling->plan.system;
    const int inner = cardo_sampling_inner_freedoms(sampling),
              first = cardo_system_nu(system) - inner;
    int own;
    if (inner != 2 || cardo_is_constrained(system) ||
        !cardo_variable_speed(sampling->plan.variable, &own))
        return false;
    *speed = own == first ? first + 1 : first;
    return own >= first && coordinate_of(system, *speed) >= 0;
}

/* -ln of the integrand where the coordinate is x, the variable's place being in q. */
static cardo_status exponent(line *l, double x, double *value, cardo_error *error)
{
    cardo_status status;
    const cardo_system *system = l->sampling->plan.system;
    const double kT = CARDO_BOLTZMANN * l->sampling->walk.simulation.temperature;
    double potential, log_det = 0;
    l->q[l->coordinate] = x;
    cardo_state_set_q(l->state, l->q);
    CARDO_TRY(cardo_evaluate(l->evaluator, l->state, error));
    CARDO_TRY(cardo_evaluator_potential(l->evaluator, l->state, &potential, error));
    if (l->sampling->walk.simulation.ensemble == CARDO_ENSEMBLE_RIGID) {
        CARDO_TRY(cardo_realize(system, l->state, CARDO_STAGE_DYNAMICS, error));
        CARDO_TRY(cardo_log_det_m(system, l->state, &log_det, error));
    }
    *value = potential / kT - 0.5 * log_det;
done:
    return status;
}

/* Adds exp(-value) to a sum that is in units of exp(-lowest), lowest being the lowest value so far. */
static void take(double value, double *lowest, double *sum)
{
    if (value < *lowest) {
        *sum *= exp(value - *lowest);
        *lowest = value;
    }
    *sum += exp(*lowest - value);
}

/* Sum of exp(lowest - exponent) at x + step, x + 2 step ... until it has died away. *lowest may
 * fall, and *sum is always over the present one. */
static cardo_status march(line *l, double x, double step, double *lowest, double *sum,
                          cardo_error *error)
{
    cardo_status status = CARDO_OK;
    double value;
    for (int k = 1; fabs(k * step) <= farthest; ++k) {
        status = exponent(l, x + k * step, &value, error);
        /* A clash that the provider refuses is one that has died away. */
        if (status == CARDO_RECOVERABLE)
            return CARDO_OK;
        if (status != CARDO_OK || value > *lowest + depth)
            return status;
        take(value, lowest, sum);
    }
    return status;
}

/* Whether everything is the same after a turn: then one turn is all there is of an angle. */
static cardo_status look_round(line *l, double x, bool *round, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    *round = true;
    for (int k = 0; k < TURN_LOOKS && status == CARDO_OK && *round; ++k) {
        double here, turned, place = x + 2 * CARDO_PI * k / TURN_LOOKS;
        status = exponent(l, place, &here, error);
        if (status == CARDO_OK)
            status = exponent(l, place + 2 * CARDO_PI, &turned, error);
        if (status == CARDO_OK)
            *round = fabs(turned - here) < same;
    }
    if (status != CARDO_RECOVERABLE)
        return status;
    *round = false;
    return CARDO_OK;
}

static cardo_status integrate_turn(line *l, double x, double step, double *lowest, double *sum,
                                   cardo_error *error)
{
    cardo_status status = CARDO_OK;
    double value;
    for (double way = step; way < 2 * CARDO_PI - 0.5 * step; way += step) {
        status = exponent(l, x + way, &value, error);
        if (status == CARDO_RECOVERABLE)
            continue;
        if (status != CARDO_OK)
            return status;
        take(value, lowest, sum);
    }
    return CARDO_OK;
}

static cardo_status integrate(line *l, bool round, double step, double *u, cardo_error *error)
{
    cardo_status status;
    double lowest, sum = 1, x = l->q[l->coordinate];
    CARDO_TRY(exponent(l, x, &lowest, error));
    if (round) {
        step = 2 * CARDO_PI / ceil(2 * CARDO_PI / step);
        CARDO_TRY(integrate_turn(l, x, step, &lowest, &sum, error));
    } else {
        CARDO_TRY(march(l, x, step, &lowest, &sum, error));
        CARDO_TRY(march(l, x, -step, &lowest, &sum, error));
    }
    l->q[l->coordinate] = x;
    *u = lowest - log(sum * step);
done:
    return status;
}

static cardo_status line_create(const cardo_sampling *sampling, int speed, line *l,
                                cardo_error *error)
{
    cardo_status status;
    const cardo_system *system = sampling->plan.system;
    *l = (line){.sampling = sampling, .coordinate = coordinate_of(system, speed)};
    CARDO_TRY(CARDO_ALLOCATE(&l->q, cardo_system_nq(system), error));
    CARDO_TRY(cardo_state_create(system, &l->state, error));
    CARDO_TRY(cardo_evaluator_create(system, sampling->plan.provider, &l->evaluator, error));
done:
    return status;
}

static cardo_status integrate_at(line *l, double place, double *u, cardo_error *error)
{
    cardo_status status;
    const cardo_system *system = l->sampling->plan.system;
    double before = HUGE_VAL, step = first_step;
    bool round;
    cardo_state_copy(l->state, l->sampling->plan.start);
    CARDO_TRY(cardo_steer(l->sampling->plan.variable, system, l->state, place, error));
    for (int i = 0; i < cardo_system_nq(system); ++i)
        l->q[i] = cardo_state_q(l->state)[i];
    double x = l->q[l->coordinate];
    CARDO_TRY(look_round(l, x, &round, error));
    l->q[l->coordinate] = x;
    for (int k = 0; k <= MOST_HALVINGS; ++k, step /= 2) {
        CARDO_TRY(integrate(l, round, step, u, error));
        if (fabs(*u - before) < cardo_scan_integral_error)
            break;
        before = *u;
    }
done:
    return status;
}

static void tell_integral(const cardo_sampling *sampling, int done, int of)
{
    const cardo_sampling_listener *listener = sampling->plan.listener;
    if (listener && listener->progress)
        listener->progress(listener->user, "integral", done, of);
}

cardo_status cardo_scan_integrate(const cardo_sampling *sampling, int speed, int n,
                                  const double *place, double *u, cardo_error *error)
{
    cardo_status status;
    line l;
    CARDO_TRY(line_create(sampling, speed, &l, error));
    tell_integral(sampling, 0, n);
    for (int k = 0; k < n; ++k) {
        CARDO_TRY(integrate_at(&l, place[k], &u[k], error));
        tell_integral(sampling, k + 1, n);
    }
done:
    cardo_free(l.q);
    cardo_state_destroy(l.state);
    cardo_evaluator_destroy(l.evaluator);
    return status;
}
