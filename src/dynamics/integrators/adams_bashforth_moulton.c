#include "dynamics/integrators/explicit.h"

#include <string.h>

/* keep: the number of rates at hand, then the rates of the last three steps, youngest first. */
enum { DEPTH = 3 };

static int adams_keep_count(int nq, int nu)
{
    return 1 + DEPTH * (nq + nu);
}

/* The present rate becomes the youngest of the past. */
static void remember(cardo_integration *run, const double *rate)
{
    const size_t n = (size_t)(run->nq + run->nu);
    double *past = run->keep + 1;
    if (n > 0) {
        memmove(past + n, past, (DEPTH - 1) * n * sizeof *past);
        memcpy(past, rate, n * sizeof *past);
    }
    if (run->keep[0] < DEPTH)
        run->keep[0] += 1;
}

/* Until the past is deep enough, Runge-Kutta steps of the same order. */
static cardo_status first_step(cardo_integration *run, cardo_error *error)
{
    double *y = run->work, *rate = y + run->nq + run->nu;
    cardo_explicit_read(run, y, rate);
    remember(run, rate);
    return cardo_runge_kutta_step(run, &cardo_runge_kutta_4, error);
}

static cardo_status adams_forget(cardo_integration *run, cardo_error *error)
{
    (void)error;
    run->keep[0] = 0;
    return CARDO_OK;
}

/* Predict, evaluate, correct, evaluate. */
static cardo_status adams_step(cardo_integration *run, cardo_error *error)
{
    if (run->keep[0] < DEPTH)
        return first_step(run, error);
    const int n = run->nq + run->nu;
    const double h = run->timestep, end = cardo_state_time(run->state) + h;
    const double *one = run->keep + 1, *two = one + n, *three = two + n;
    double *start = run->work, *rate = start + n, *y = rate + n, *ahead = y + n;
    cardo_explicit_read(run, start, rate);
    for (int k = 0; k < n; ++k)
        y[k] = start[k] + h / 24 * (55 * rate[k] - 59 * one[k] + 37 * two[k] - 9 * three[k]);
    cardo_status status = cardo_explicit_evaluate(run, end, y, error);
    if (status != CARDO_OK)
        return status;
    cardo_explicit_read(run, y, ahead);
    for (int k = 0; k < n; ++k)
        y[k] = start[k] + h / 24 * (9 * ahead[k] + 19 * rate[k] - 5 * one[k] + two[k]);
    remember(run, rate);
    return cardo_explicit_arrive(run, end, y, error);
}

const cardo_integrator cardo_integrator_adams_bashforth_moulton = {
    .name = "adams-bashforth-moulton",
    .doc = "fourth-order predictor and corrector with a memory of three steps: for comparison",
    .citation = "Bashforth, Adams 1883; Moulton 1926",
    .traits = CARDO_INTEGRATOR_STABILIZED,
    .evaluations = 2,
    .starting_evaluations = 6,
    .keep_count = adams_keep_count,
    .work_count = cardo_runge_kutta_work_count,
    .forget = adams_forget,
    .step = adams_step,
};
