#include "dynamics/integrators/explicit.h"

#include "dynamics/coordinates/constrained.h"
#include "multibody/tree/motion.h"

#include <math.h>
#include <string.h>

const cardo_runge_kutta cardo_runge_kutta_4 = {
    4, {0, 0.5, 0.5, 1}, {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6}};

void cardo_explicit_read(const cardo_integration *run, double *y, double *rate)
{
    const size_t nq = (size_t)run->nq, nu = (size_t)run->nu;
    if (nu == 0)
        return;
    memcpy(y, cardo_state_q(run->state), nq * sizeof *y);
    memcpy(y + nq, cardo_state_u(run->state), nu * sizeof *y);
    memcpy(rate, cardo_state_qdot(run->state), nq * sizeof *rate);
    memcpy(rate + nq, cardo_state_udot(run->state), nu * sizeof *rate);
}

static cardo_status place(cardo_integration *run, double time, const double *y, cardo_error *error)
{
    for (int k = 0; k < run->nq + run->nu; ++k)
        if (!isfinite(y[k]))
            return CARDO_FAIL(error, CARDO_ERROR_NUMERICAL,
                              "the motion is not finite: use a shorter time step");
    cardo_state_set_time(run->state, time);
    cardo_state_set_q(run->state, y);
    cardo_state_set_u(run->state, y + run->nq);
    cardo_state_prescribe(run->system, run->state);
    return CARDO_OK;
}

static cardo_status evaluate_there(cardo_integration *run, cardo_error *error)
{
    cardo_status status = cardo_evaluate(run->evaluator, run->state, error);
    return status == CARDO_OK
               ? cardo_realize(run->system, run->state, CARDO_STAGE_ACCELERATION, error)
               : status;
}

cardo_status cardo_explicit_evaluate(cardo_integration *run, double time, const double *y,
                                     cardo_error *error)
{
    cardo_status status = place(run, time, y, error);
    if (status == CARDO_OK)
        status = cardo_stabilize_stage(run->system, run->state, CARDO_POSITION_TOLERANCE, error);
    return status == CARDO_OK ? evaluate_there(run, error) : status;
}

cardo_status cardo_explicit_arrive(cardo_integration *run, double time, const double *y,
                                   cardo_error *error)
{
    cardo_status status = place(run, time, y, error);
    if (status == CARDO_OK)
        status =
            cardo_return_to_constraints(run->system, run->state, CARDO_POSITION_TOLERANCE, error);
    return status == CARDO_OK ? evaluate_there(run, error) : status;
}

int cardo_runge_kutta_work_count(int nq, int nu)
{
    return 4 * (nq + nu);
}

cardo_status cardo_runge_kutta_step(cardo_integration *run, const cardo_runge_kutta *method,
                                    cardo_error *error)
{
    const int n = run->nq + run->nu;
    const double h = run->timestep, time = cardo_state_time(run->state);
    double *start = run->work, *rate = start + n, *stage = rate + n, *end = stage + n;
    cardo_status status = CARDO_OK;
    cardo_explicit_read(run, start, rate);
    if (n > 0)
        memcpy(end, start, (size_t)n * sizeof *end);
    for (int s = 0; s < method->stages && status == CARDO_OK; ++s) {
        if (s > 0) {
            for (int k = 0; k < n; ++k)
                stage[k] = start[k] + h * method->reach[s] * rate[k];
            status = cardo_explicit_evaluate(run, time + h * method->reach[s], stage, error);
            if (status != CARDO_OK)
                return status;
            cardo_explicit_read(run, stage, rate);
        }
        for (int k = 0; k < n; ++k)
            end[k] += h * method->weight[s] * rate[k];
    }
    return cardo_explicit_arrive(run, time + h, end, error);
}
