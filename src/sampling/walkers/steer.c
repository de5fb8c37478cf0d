#include "sampling/walkers/steer.h"

#include "base/memory.h"
#include "multibody/tree/operators.h"
#include "sampling/variables/response.h"
#include "sampling/walkers/bias.h"
#include "sampling/walkers/creep.h"

#include <math.h>

/* Long ways are cut, since the direction turns along them. */
enum { STEPS = 64, CORRECTIONS = 200, MOST_CREEPS = 20000 };

/* Along a manifold: of the whole way, steps that have become that short lead nowhere; of a step, by how much it may miss. */
static const double least_step = 1e-7, most_missed = 0.2;

typedef struct mover {
    const cardo_variable *variable;
    const cardo_system *system;
    cardo_state *state;
    double *gradient, *direction; /* (nu) */
    double *q, *rate;             /* (nq) */
    cardo_creeper creeper;        /* of systems with constraints */
} mover;

/* Whether one speed alone moves the variable. */
static bool is_one_speed(const double *gradient, int nu)
{
    int moving = 0;
    for (int k = 0; k < nu; ++k)
        moving += gradient[k] != 0;
    return moving == 1;
}

/* Goes the way that should change the variable by so much. */
static cardo_status go(mover *m, double change, cardo_error *error)
{
    cardo_status status;
    const int nu = cardo_system_nu(m->system), nq = cardo_system_nq(m->system);
    double length = 0;
    if (is_one_speed(m->gradient, nu)) {
        for (int k = 0; k < nu; ++k)
            m->direction[k] = m->gradient[k];
    } else {
        CARDO_TRY(cardo_realize(m->system, m->state, CARDO_STAGE_DYNAMICS, error));
        CARDO_TRY(cardo_multiply_minv(m->system, m->state, m->gradient, m->direction, error));
    }
    for (int k = 0; k < nu; ++k)
        length += m->gradient[k] * m->direction[k];
    if (!(length > 0)) {
        status =
            CARDO_FAIL(error, CARDO_ERROR_INPUT, "no coordinate of the model moves the variable %s",
                       cardo_variable_name(m->variable));
        goto done;
    }
    CARDO_TRY(cardo_multiply_n(m->system, m->state, m->direction, m->rate, error));
    for (int k = 0; k < nq; ++k)
        m->q[k] = cardo_state_q(m->state)[k] + m->rate[k] * change / length;
    cardo_state_set_q(m->state, m->q);
    status = cardo_realize(m->system, m->state, CARDO_STAGE_POSITION, error);
done:
    return status;
}

static cardo_status refuse(const mover *m, double value, double nearest, cardo_error *error)
{
    return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                      "%s cannot be brought to %g: the model came as near as %g; take a range "
                      "within its reach",
                      cardo_variable_name(m->variable), value, nearest);
}

/* One step of at most *most; where the variable does not follow, *most is halved and nothing moved. */
static cardo_status creep(mover *m, double now, double left, double *most, cardo_error *error)
{
    cardo_status status;
    double rate, length, then, change = left > 0 ? fmin(left, *most) : fmax(left, -*most);
    bool moved;
    CARDO_TRY(cardo_realize(m->system, m->state, CARDO_STAGE_DYNAMICS, error));
    CARDO_TRY(
        cardo_variable_response(m->system, m->state, m->gradient, m->direction, &rate, error));
    if (!(rate > 0)) {
        *most = 0;
        return CARDO_OK;
    }
    CARDO_TRY(cardo_creep(&m->creeper, m->direction, change / rate, &length, &moved, error));
    if (moved) {
        CARDO_TRY(cardo_variable_value(m->variable, m->state, &then, error));
        const double done =
            cardo_periodic_difference(then, now, cardo_variable_period(m->variable));
        if (fabs(done - change) <= most_missed * fabs(change) + 1e-9 * (1 + fabs(now)))
            return CARDO_OK;
        CARDO_TRY(cardo_creep_back(&m->creeper, error));
    }
    *most /= 2;
done:
    return status;
}

/* The same along a manifold, in steps that stay on the part of it that the state is on. */
static cardo_status approach_on_manifold(mover *m, double value, cardo_error *error)
{
    const double period = cardo_variable_period(m->variable);
    double now, left = 0, whole = 0, most = 0, tolerance = 1e-12 * (1 + fabs(value));
    cardo_status status;
    for (int k = 0; k < MOST_CREEPS; ++k) {
        CARDO_TRY(cardo_variable_gradient(m->variable, m->state, &now, m->gradient, error));
        left = cardo_periodic_difference(value, now, period);
        if (k == 0) {
            whole = fabs(left);
            most = whole / STEPS;
        }
        if (fabs(left) <= tolerance)
            return CARDO_OK;
        const double before = most;
        CARDO_TRY(creep(m, now, left, &most, error));
        if (!(most > least_step * whole))
            break;
        if (most == before)
            most = fmin(1.5 * most, whole / STEPS);
    }
    if (!(fabs(left) <= 1e-9 * (1 + fabs(value))))
        status = refuse(m, value, value - left, error);
done:
    return status;
}

static cardo_status approach(mover *m, double value, cardo_error *error)
{
    const double period = cardo_variable_period(m->variable);
    double now, left = 0, nearest = (double)INFINITY, tolerance = 1e-12 * (1 + fabs(value));
    cardo_status status;
    for (int k = 0; k < STEPS + CORRECTIONS; ++k) {
        CARDO_TRY(cardo_variable_gradient(m->variable, m->state, &now, m->gradient, error));
        left = cardo_periodic_difference(value, now, period);
        if (fabs(left) <= tolerance)
            return CARDO_OK;
        nearest = fabs(left) < fabs(nearest) ? left : nearest;
        bool whole = k >= STEPS || is_one_speed(m->gradient, cardo_system_nu(m->system));
        CARDO_TRY(go(m, whole ? left : left / (STEPS - k), error));
    }
    if (!(fabs(left) <= 1e-9 * (1 + fabs(value))))
        status = refuse(m, value, value - nearest, error);
done:
    return status;
}

cardo_status cardo_steer(const cardo_variable *variable, const cardo_system *system,
                         cardo_state *state, double value, cardo_error *error)
{
    cardo_status status;
    mover m = {.variable = variable, .system = system, .state = state};
    const int nu = cardo_system_nu(system), nq = cardo_system_nq(system);
    CARDO_TRY(CARDO_ALLOCATE(&m.gradient, nu, error));
    CARDO_TRY(CARDO_ALLOCATE(&m.direction, nu, error));
    CARDO_TRY(CARDO_ALLOCATE(&m.q, nq, error));
    CARDO_TRY(CARDO_ALLOCATE(&m.rate, nq, error));
    CARDO_TRY(cardo_realize(system, state, CARDO_STAGE_POSITION, error));
    if (cardo_is_constrained(system)) {
        CARDO_TRY(cardo_creeper_open(system, state, &m.creeper, error));
        status = approach_on_manifold(&m, value, error);
    } else {
        status = approach(&m, value, error);
    }
done:
    cardo_creeper_clear(&m.creeper);
    cardo_free(m.gradient);
    cardo_free(m.direction);
    cardo_free(m.q);
    cardo_free(m.rate);
    return status;
}
