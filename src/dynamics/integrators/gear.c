#include "dynamics/integrators/explicit.h"

#include <string.h>

/* keep: the number of steps done, up to READY; then of y = (q, u) the scaled derivatives h^2 y''/2
 * and h^3 y'''/6, or, before that, the rates of the last two steps, youngest first. */
enum { READY = 2 };

static int gear_keep_count(int nq, int nu)
{
    return 1 + 2 * (nq + nu);
}

/* Runge-Kutta steps of the same order until there are rates enough for the derivatives. */
static cardo_status first_step(cardo_integration *run, cardo_error *error)
{
    const size_t n = (size_t)(run->nq + run->nu);
    double *y = run->work, *rate = y + n, *past = run->keep + 1;
    cardo_explicit_read(run, y, rate);
    if (n > 0) {
        memcpy(past + n, past, n * sizeof *past);
        memcpy(past, rate, n * sizeof *past);
    }
    run->keep[0] += 1;
    return cardo_runge_kutta_step(run, &cardo_runge_kutta_4, error);
}

/* From the rates now, one and two steps ago. */
static void make_derivatives(cardo_integration *run, const double *rate)
{
    const int n = run->nq + run->nu;
    double *second = run->keep + 1, *third = second + n;
    for (int k = 0; k < n; ++k) {
        double one = second[k], two = third[k];
        second[k] = run->timestep / 4 * (3 * rate[k] - 4 * one + two);
        third[k] = run->timestep / 6 * (rate[k] - 2 * one + two);
    }
    run->keep[0] += 1;
}

static cardo_status gear_forget(cardo_integration *run, cardo_error *error)
{
    (void)error;
    run->keep[0] = 0;
    return CARDO_OK;
}

/* Predict by Taylor's series, evaluate, correct all derivatives alike, evaluate. */
static cardo_status gear_step(cardo_integration *run, cardo_error *error)
{
    if (run->keep[0] < READY)
        return first_step(run, error);
    const int n = run->nq + run->nu;
    const double h = run->timestep, end = cardo_state_time(run->state) + h;
    double *start = run->work, *rate = start + n, *y = rate + n, *ahead = y + n;
    double *second = run->keep + 1, *third = second + n;
    cardo_explicit_read(run, start, rate);
    if (run->keep[0] == READY)
        make_derivatives(run, rate);
    for (int k = 0; k < n; ++k)
        y[k] = start[k] + h * rate[k] + second[k] + third[k];
    cardo_status status = cardo_explicit_evaluate(run, end, y, error);
    if (status != CARDO_OK)
        return status;
    /* y keeps the prediction as it was: the state has made its quaternions of length one. */
    cardo_explicit_read(run, start, ahead);
    for (int k = 0; k < n; ++k) {
        double miss = h * (ahead[k] - rate[k]) - 2 * second[k] - 3 * third[k];
        y[k] += 3.0 / 8 * miss;
        second[k] += 3 * third[k] + 3.0 / 4 * miss;
        third[k] += miss / 6;
    }
    return cardo_explicit_evaluate(run, end, y, error);
}

const cardo_integrator cardo_integrator_gear = {
    .name = "gear",
    .doc = "Gear's predictor and corrector of four values, fourth order: to teach and to compare",
    .citation = "Gear 1971",
    .traits = CARDO_INTEGRATOR_UNCONSTRAINED,
    .evaluations = 2,
    .starting_evaluations = 4,
    .keep_count = gear_keep_count,
    .work_count = cardo_runge_kutta_work_count,
    .forget = gear_forget,
    .step = gear_step,
};
