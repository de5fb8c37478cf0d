#include "sampling/walkers/steer.h"

#include "base/memory.h"
#include "multibody/tree/operators.h"
#include "sampling/walkers/bias.h"

#include <math.h>

/* Long ways are cut, since the direction turns along them. */
enum { STEPS = 64, CORRECTIONS = 200 };

typedef struct mover {
    const cardo_variable *variable;
    const cardo_system *system;
    cardo_state *state;
    double *gradient, *direction; /* (nu) */
    double *q, *rate;             /* (nq) */
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
        status =
            CARDO_FAIL(error, CARDO_ERROR_INPUT,
                       "%s cannot be brought to %g: the model came as near as %g; take a range "
                       "within its reach",
                       cardo_variable_name(m->variable), value, value - nearest);
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
    status = approach(&m, value, error);
done:
    cardo_free(m.gradient);
    cardo_free(m.direction);
    cardo_free(m.q);
    cardo_free(m.rate);
    return status;
}
