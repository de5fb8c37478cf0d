#include "dynamics/integrators/flight.h"

#include "dynamics/coordinates/constrained.h"
#include "multibody/tree/motion.h"

#include <math.h>
#include <string.h>

/* A loop that passes where it is all but stretched whips its light links round in a small part of a step. */
enum { MOST_SUBSTEPS = 256, MOST_CONSTRAINED = 16384 };

/* y holds q, then u. */
typedef struct flight {
    const cardo_system *system;
    cardo_state *state;
    int nq, nu, n;
    double time; /* at the start, ps */
    double *start, *coarse, *fine, *stage, *slope, *sum;
} flight;

int cardo_flight_work_count(int nq, int nu)
{
    return 6 * (nq + nu);
}

/* elapsed: time since the start. */
static cardo_status rate(const flight *f, double elapsed, const double *y, double *dy,
                         cardo_error *error)
{
    for (int k = 0; k < f->n; ++k)
        if (!isfinite(y[k]))
            return CARDO_FAIL(error, CARDO_ERROR_NUMERICAL,
                              "the motion is not finite: use a shorter time step");
    cardo_state_set_time(f->state, f->time + elapsed);
    cardo_state_set_q(f->state, y);
    cardo_state_set_u(f->state, y + f->nq);
    cardo_state_prescribe(f->system, f->state);
    cardo_status status = cardo_realize(f->system, f->state, CARDO_STAGE_ACCELERATION, error);
    if (status != CARDO_OK)
        return status;
    memcpy(dy, cardo_state_qdot(f->state), (size_t)f->nq * sizeof *dy);
    memcpy(dy + f->nq, cardo_state_udot(f->state), (size_t)f->nu * sizeof *dy);
    return CARDO_OK;
}

/* One classical Runge-Kutta step of y, in place. */
static cardo_status runge_kutta(const flight *f, double elapsed, double h, double *y,
                                cardo_error *error)
{
    static const double reach[3] = {0.5, 0.5, 1.0}, when[4] = {0, 0.5, 0.5, 1.0},
                        weight[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
    memset(f->sum, 0, (size_t)f->n * sizeof *f->sum);
    for (int s = 0; s < 4; ++s) {
        cardo_status status =
            rate(f, elapsed + h * when[s], s == 0 ? y : f->stage, f->slope, error);
        if (status != CARDO_OK)
            return status;
        for (int k = 0; k < f->n; ++k) {
            f->sum[k] += weight[s] * f->slope[k];
            if (s < 3)
                f->stage[k] = y[k] + h * reach[s] * f->slope[k];
        }
    }
    for (int k = 0; k < f->n; ++k)
        y[k] += h * f->sum[k];
    return CARDO_OK;
}

static cardo_status fly_in(const flight *f, double h, int substeps, double *y, cardo_error *error)
{
    memcpy(y, f->start, (size_t)f->n * sizeof *y);
    for (int k = 0; k < substeps; ++k) {
        cardo_status status = runge_kutta(f, h * k / substeps, h / substeps, y, error);
        if (status != CARDO_OK)
            return status;
    }
    return CARDO_OK;
}

/* Rounding of one step, relative to the largest number in it. */
static const double rounding = 4e-15;
/* Disagreements below this that more substeps do not make smaller are rounding too. */
static const double settled = 1e-8;

static double largest(const double *values, int from, int to, const double *less)
{
    double size = 0;
    for (int k = from; k < to; ++k)
        size = fmax(size, fabs(values[k] - (less ? less[k] : 0)));
    return size;
}

/* Largest disagreement of the two resolutions, speeds against the largest speed and positions
 * against what they change by or would at that speed; 0 where it is nothing but rounding. */
static double disagreement(const flight *f, double h)
{
    double speed = fmax(largest(f->start, f->nq, f->n, NULL), largest(f->fine, f->nq, f->n, NULL));
    double way = fmax(largest(f->fine, 0, f->nq, f->start), fabs(h) * speed);
    double miss_q = largest(f->fine, 0, f->nq, f->coarse);
    double miss_u = largest(f->fine, f->nq, f->n, f->coarse);
    double worst = 0;
    if (miss_q > rounding * fmax(1, largest(f->fine, 0, f->nq, NULL)))
        worst = miss_q / way;
    if (miss_u > rounding * speed)
        worst = fmax(worst, miss_u / speed);
    return worst;
}

/* What the flight's error leaves of violation: constraints hold to rounding where it ends. */
static cardo_status land(const cardo_system *system, cardo_state *state, cardo_error *error)
{
    if (!cardo_is_constrained(system))
        return CARDO_OK;
    cardo_status status = cardo_project_q(system, state, 0, error);
    return status == CARDO_OK ? cardo_project_u(system, state, 0, error) : status;
}

cardo_status cardo_fly(const cardo_system *system, cardo_state *state, double h, double tolerance,
                       double *work, cardo_error *error)
{
    int nq = cardo_system_nq(system), nu = cardo_system_nu(system), n = nq + nu;
    const flight f = {system,
                      state,
                      nq,
                      nu,
                      n,
                      cardo_state_time(state),
                      work,
                      work + n,
                      work + 2 * n,
                      work + 3 * n,
                      work + 4 * n,
                      work + 5 * n};
    memcpy(f.start, cardo_state_q(state), (size_t)nq * sizeof *work);
    memcpy(f.start + nq, cardo_state_u(state), (size_t)nu * sizeof *work);
    cardo_state_set_forces(state, NULL, NULL);
    const bool constrained = cardo_is_constrained(system);
    const int most = constrained ? MOST_CONSTRAINED : MOST_SUBSTEPS;
    cardo_status status = fly_in(&f, h, 1, f.coarse, error);
    bool compared = status == CARDO_OK;
    double miss = 0, before = HUGE_VAL;
    for (int substeps = 2; (status == CARDO_OK || constrained) && substeps <= most; substeps *= 2) {
        status = fly_in(&f, h, substeps, f.fine, error);
        if (status != CARDO_OK) {
            /* a long substep may leave the constraints for good where a short one does not */
            if (!constrained)
                break;
            compared = false;
            continue;
        }
        miss = compared ? disagreement(&f, h) : HUGE_VAL;
        /* The error of the finer one is a fifteenth of the disagreement, and the extrapolation
         * takes that away too. */
        if (miss <= tolerance * 15.0 || (miss < settled && miss > 0.25 * before)) {
            for (int k = 0; k < n; ++k)
                f.fine[k] += (f.fine[k] - f.coarse[k]) / 15.0;
            cardo_state_set_time(state, f.time + h);
            cardo_state_set_q(state, f.fine);
            cardo_state_set_u(state, f.fine + nq);
            cardo_state_prescribe(system, state);
            return land(system, state, error);
        }
        before = miss;
        compared = true;
        memcpy(f.coarse, f.fine, (size_t)n * sizeof *work);
    }
    if (status != CARDO_OK)
        return status;
    return CARDO_FAIL(error, CARDO_RECOVERABLE,
                      "the speeds are too high for this time step: %d substeps of free motion "
                      "still disagree by %g",
                      most, miss);
}
