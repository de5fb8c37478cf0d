#include "dynamics/integrators/flight.h"

#include "dynamics/coordinates/constrained.h"
#include "multibody/tree/motion.h"

#include <math.h>
#include <string.h>

enum { MOST_SUBSTEPS = 256, MOST_COLUMNS = 8, EASY_COLUMNS = 5, MOST_HALVINGS = 12 };

/* y holds q, then u. */
typedef struct flight {
    const cardo_system *system;
    cardo_state *state;
    cardo_evaluator *evaluator; /* of the ensemble's potential; NULL: none */
    int nq, nu, n;
    double time; /* at the start, ps */
    double *start, *coarse, *fine, *stage, *slope, *sum;
    double *table;  /* (MOST_COLUMNS x n), where there are constraints */
    double *forces; /* of the ensemble's potential (nu)               */
} flight;

int cardo_flight_work_count(int nq, int nu)
{
    return (6 + MOST_COLUMNS) * (nq + nu) + nu;
}

static cardo_status set_ensemble_forces(const flight *f, cardo_error *error)
{
    cardo_status status = cardo_realize(f->system, f->state, CARDO_STAGE_DYNAMICS, error);
    if (status == CARDO_OK)
        status = cardo_evaluator_find_ensemble_forces(f->evaluator, f->state, f->forces, error);
    if (status == CARDO_OK)
        cardo_state_set_forces(f->state, NULL, f->forces);
    return status;
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
    cardo_status status = f->evaluator ? set_ensemble_forces(f, error) : CARDO_OK;
    if (status == CARDO_OK)
        status = cardo_realize(f->system, f->state, CARDO_STAGE_ACCELERATION, error);
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

/* ------------ along the manifold ------------ */

/* Modified midpoint rule over h from start, in m steps, m even: its error has even powers of 1/m alone. slope: rate at the start. */
static cardo_status midpoint(const flight *f, double elapsed, double h, int m, double *end,
                             cardo_error *error)
{
    const double step = h / m;
    double *last = f->stage, *now = end, *rates = f->sum;
    for (int k = 0; k < f->n; ++k) {
        last[k] = f->start[k];
        now[k] = f->start[k] + step * f->slope[k];
    }
    for (int s = 1; s < m; ++s) {
        cardo_status status = rate(f, elapsed + s * step, now, rates, error);
        if (status != CARDO_OK)
            return status;
        for (int k = 0; k < f->n; ++k) {
            const double next = last[k] + 2 * step * rates[k];
            last[k] = now[k];
            now[k] = next;
        }
    }
    return CARDO_OK;
}

/* Columns of the extrapolation up to number c (Aitken and Neville, in 1/m^2, m = 2, 4, 6 ...): fine is the last of them, coarse the one
 * before. */
static void extrapolate(const flight *f, int c)
{
    double *rows = f->table;
    memcpy(f->coarse, rows, (size_t)f->n * sizeof *rows);
    for (int level = c - 1; level >= 0; --level) {
        const double ratio = (double)(c + 1) / (level + 1), weight = 1 / (ratio * ratio - 1);
        double *to = rows + (size_t)level * (size_t)f->n, *from = to + f->n;
        for (int k = 0; k < f->n; ++k)
            to[k] = from[k] + weight * (from[k] - to[k]);
    }
    memcpy(f->fine, rows, (size_t)f->n * sizeof *rows);
}

/* Whether the columns that are left will hardly do, each gaining twice the digits of the last one. */
static bool is_hopeless(double miss, double before, int left, double tolerance)
{
    const double gain = miss / before;
    return gain >= 1 || miss * pow(gain, 2 * left) > tolerance;
}

/* From start over h; fine is the end, slope the rate at start. *columns: how many agree to the tolerance; 0: none do. */
static cardo_status leap(const flight *f, double elapsed, double h, double tolerance, int *columns,
                         cardo_error *error)
{
    double before = HUGE_VAL;
    cardo_status status = CARDO_OK;
    *columns = 0;
    for (int c = 0; c < MOST_COLUMNS && status == CARDO_OK && *columns == 0; ++c) {
        status = midpoint(f, elapsed, h, 2 * (c + 1), f->table + (size_t)c * (size_t)f->n, error);
        if (status != CARDO_OK || c == 0)
            continue;
        extrapolate(f, c);
        const double miss = disagreement(f, h);
        if (miss <= tolerance || (miss < settled && miss > 0.25 * before && c > 3))
            *columns = c + 1;
        else if (c > 1 && miss > settled &&
                 is_hopeless(miss, before, MOST_COLUMNS - 1 - c, tolerance))
            break;
        before = miss;
    }
    /* what cannot be evaluated farther on may be so nearer by */
    return status == CARDO_RECOVERABLE || status == CARDO_ERROR_NUMERICAL ? CARDO_OK : status;
}

/* The state's q and u at the end of a leap, on the constraints, where the next one starts. */
static cardo_status land(const flight *f, double elapsed, cardo_error *error)
{
    cardo_state_set_time(f->state, f->time + elapsed);
    cardo_state_set_q(f->state, f->fine);
    cardo_state_set_u(f->state, f->fine + f->nq);
    cardo_state_prescribe(f->system, f->state);
    cardo_status status =
        cardo_return_to_constraints(f->system, f->state, CARDO_POSITION_TOLERANCE, error);
    memcpy(f->start, cardo_state_q(f->state), (size_t)f->nq * sizeof *f->start);
    memcpy(f->start + f->nq, cardo_state_u(f->state), (size_t)f->nu * sizeof *f->start);
    return status;
}

/* Extrapolated midpoint rules (Gragg 1965; Bulirsch & Stoer 1966), over h at once or, where the manifold bends too much for that, over
 * parts of it. */
static cardo_status fly_along_manifold(const flight *f, double h, double tolerance,
                                       cardo_error *error)
{
    const int whole = 1 << MOST_HALVINGS;
    int gone = 0, part = whole, columns;
    cardo_status status = rate(f, 0, f->start, f->slope, error);
    while (gone < whole && status == CARDO_OK) {
        status = leap(f, h * gone / whole, h * part / whole, tolerance, &columns, error);
        if (status != CARDO_OK)
            return status;
        if (columns == 0 && part == 1)
            return CARDO_FAIL(error, CARDO_RECOVERABLE,
                              "the speeds are too high for this time step: parts of 1/%d of it of "
                              "free motion along the constraints still disagree",
                              whole);
        if (columns == 0) {
            part /= 2;
            continue;
        }
        gone += part;
        status = land(f, h * gone / whole, error);
        if (status == CARDO_OK && gone < whole)
            status = rate(f, h * gone / whole, f->start, f->slope, error);
        /* twice as far needs some columns more */
        while (columns <= EASY_COLUMNS && part < whole && gone % (2 * part) == 0 &&
               gone + 2 * part <= whole) {
            part *= 2;
            columns += 2;
        }
    }
    return status;
}

cardo_status cardo_fly(cardo_integration *run, double h, double tolerance, cardo_error *error)
{
    const cardo_system *system = run->system;
    cardo_state *state = run->state;
    double *work = run->work;
    const int nq = run->nq, nu = run->nu, n = nq + nu;
    const bool corrected = cardo_evaluator_ensemble_forces(run->evaluator) != NULL;
    const flight f = {system,
                      state,
                      corrected ? run->evaluator : NULL,
                      nq,
                      nu,
                      n,
                      cardo_state_time(state),
                      work,
                      work + n,
                      work + 2 * n,
                      work + 3 * n,
                      work + 4 * n,
                      work + 5 * n,
                      work + 6 * n,
                      work + (6 + MOST_COLUMNS) * n};
    memcpy(f.start, cardo_state_q(state), (size_t)nq * sizeof *work);
    memcpy(f.start + nq, cardo_state_u(state), (size_t)nu * sizeof *work);
    cardo_state_set_forces(state, NULL, NULL);
    if (cardo_constraint_row_count(system) > 0)
        return fly_along_manifold(&f, h, tolerance, error);
    cardo_status status = fly_in(&f, h, 1, f.coarse, error);
    double miss = 0, before = HUGE_VAL;
    for (int substeps = 2; status == CARDO_OK && substeps <= MOST_SUBSTEPS; substeps *= 2) {
        status = fly_in(&f, h, substeps, f.fine, error);
        if (status != CARDO_OK)
            break;
        miss = disagreement(&f, h);
        /* The error of the finer one is a fifteenth of the disagreement, and the extrapolation
         * takes that away too. */
        if (miss <= tolerance * 15.0 || (miss < settled && miss > 0.25 * before)) {
            for (int k = 0; k < n; ++k)
                f.fine[k] += (f.fine[k] - f.coarse[k]) / 15.0;
            cardo_state_set_time(state, f.time + h);
            cardo_state_set_q(state, f.fine);
            cardo_state_set_u(state, f.fine + nq);
            cardo_state_prescribe(system, state);
            return CARDO_OK;
        }
        before = miss;
        memcpy(f.coarse, f.fine, (size_t)n * sizeof *work);
    }
    if (status != CARDO_OK)
        return status;
    return CARDO_FAIL(error, CARDO_RECOVERABLE,
                      "the speeds are too high for this time step: %d substeps of free motion "
                      "still disagree by %g",
                      MOST_SUBSTEPS, miss);
}
