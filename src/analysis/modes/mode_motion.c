#include "analysis/modes/mode_motion.h"

#include "base/linalg.h"
#include "base/memory.h"
#include "cardo/manifold.h"
#include "dynamics/coordinates/constrained.h"
#include "multibody/tree/operators.h"

#include <math.h>
#include <string.h>

/* One step of the classical Runge-Kutta method; q, k and moved: nq numbers each. */
static cardo_status step_along(const cardo_system *system, cardo_state *state, const double *speeds,
                               double h, double *q, double *k, double *sum, cardo_error *error)
{
    static const double part[4] = {0, 0.5, 0.5, 1},
                        weight[4] = {1 / 6.0, 1 / 3.0, 1 / 3.0, 1 / 6.0};
    cardo_status status = CARDO_OK;
    const int nq = cardo_system_nq(system);
    double *moved = sum + nq;
    memcpy(q, cardo_state_q(state), (size_t)nq * sizeof *q);
    memset(sum, 0, (size_t)nq * sizeof *sum);
    memset(k, 0, (size_t)nq * sizeof *k);
    for (int stage = 0; stage < 4; ++stage) {
        for (int i = 0; i < nq; ++i)
            moved[i] = q[i] + part[stage] * h * k[i];
        cardo_state_set_q(state, moved);
        CARDO_TRY(cardo_realize(system, state, CARDO_STAGE_POSITION, error));
        CARDO_TRY(cardo_multiply_n(system, state, speeds, k, error));
        for (int i = 0; i < nq; ++i)
            sum[i] += weight[stage] * k[i];
    }
    for (int i = 0; i < nq; ++i)
        moved[i] = q[i] + h * sum[i];
    cardo_state_set_q(state, moved);
    status = cardo_realize(system, state, CARDO_STAGE_POSITION, error);
done:
    return status;
}

cardo_status cardo_move_along(const cardo_system *system, cardo_state *state, const double *speeds,
                              double distance, cardo_error *error)
{
    enum { STEPS = 8 };
    double *work;
    const int nq = cardo_system_nq(system);
    cardo_status status = CARDO_ALLOCATE(&work, 4 * (size_t)nq, error);
    for (int n = 0; n < STEPS && status == CARDO_OK; ++n)
        status = step_along(system, state, speeds, distance / STEPS, work, work + nq, work + 2 * nq,
                            error);
    cardo_free(work);
    return status;
}

/* One part of the way; CARDO_ERROR_NUMERICAL where nothing closed lies there. */
static cardo_status part_on_constraints(const cardo_system *system, cardo_state *state,
                                        const double *speeds, double distance, double *work,
                                        cardo_error *error)
{
    cardo_status status;
    const int nq = cardo_system_nq(system), nu = cardo_system_nu(system);
    double *free = work + 4 * (size_t)nq;
    memcpy(free, speeds, (size_t)nu * sizeof *free);
    CARDO_TRY(cardo_realize(system, state, CARDO_STAGE_DYNAMICS, error));
    CARDO_TRY(cardo_project_free_speeds(system, state, free, error));
    CARDO_TRY(
        step_along(system, state, free, distance, work, work + nq, work + 2 * (size_t)nq, error));
    status = cardo_project_q(system, state, CARDO_POSITION_TOLERANCE, error);
done:
    return status;
}

cardo_status cardo_move_on_constraints(const cardo_system *system, cardo_state *state,
                                       const double *speeds, double distance, double *reached,
                                       cardo_error *error)
{
    enum { PARTS = 64 };
    double *work = NULL, *q;
    const size_t nq = (size_t)cardo_system_nq(system), nu = (size_t)cardo_system_nu(system);
    int done_parts = 0;
    if (reached)
        *reached = distance;
    if (cardo_constraint_row_count(system) == 0)
        return cardo_move_along(system, state, speeds, distance, error);
    cardo_status status = CARDO_ALLOCATE(&work, 5 * nq + nu, error);
    for (; done_parts < PARTS && status == CARDO_OK; ++done_parts) {
        q = work + 4 * nq + nu;
        memcpy(q, cardo_state_q(state), nq * sizeof *q);
        status = part_on_constraints(system, state, speeds, distance / PARTS, work, error);
        if (status != CARDO_ERROR_NUMERICAL)
            continue;
        cardo_state_set_q(state, q);
        status = CARDO_OK;
        break;
    }
    if (status == CARDO_OK)
        status = cardo_realize(system, state, CARDO_STAGE_POSITION, error);
    if (reached)
        *reached = distance * done_parts / PARTS;
    cardo_free(work);
    return status;
}

cardo_status cardo_remove_rigid_motion(int n, const double *positions, double *displacement,
                                       cardo_error *error)
{
    cardo_vec3 centre = v3(0, 0, 0), drift = v3(0, 0, 0), turn = v3(0, 0, 0);
    double inertia[9] = {0}, omega[3];
    for (int i = 0; i < n; ++i) {
        centre = v3_add_scaled(centre, 1.0 / n, v3_load(positions + 3 * (size_t)i));
        drift = v3_add_scaled(drift, 1.0 / n, v3_load(displacement + 3 * (size_t)i));
    }
    for (int i = 0; i < n; ++i) {
        cardo_vec3 x = v3_sub(v3_load(positions + 3 * (size_t)i), centre);
        const double r[3] = {x.x, x.y, x.z};
        turn = v3_add(turn, v3_cross(x, v3_load(displacement + 3 * (size_t)i)));
        for (int a = 0; a < 3; ++a)
            for (int b = 0; b < 3; ++b)
                inertia[3 * a + b] += (a == b ? v3_dot(x, x) : 0) - r[a] * r[b];
    }
    v3_store(omega, turn);
    cardo_status status = cardo_cholesky_solve(3, inertia, 1, omega, error);
    if (status != CARDO_OK)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "the rotation of %d points on a line means nothing", n);
    for (int i = 0; i < n; ++i) {
        cardo_vec3 x = v3_sub(v3_load(positions + 3 * (size_t)i), centre);
        cardo_vec3 rigid = v3_add(drift, v3_cross(v3_load(omega), x));
        v3_store(displacement + 3 * (size_t)i,
                 v3_sub(v3_load(displacement + 3 * (size_t)i), rigid));
    }
    return CARDO_OK;
}

double cardo_correlation(int n, const double *a, const double *b)
{
    double mean_a = 0, mean_b = 0, aa = 0, bb = 0, ab = 0;
    for (int i = 0; i < n; ++i) {
        mean_a += a[i] / n;
        mean_b += b[i] / n;
    }
    for (int i = 0; i < n; ++i) {
        aa += (a[i] - mean_a) * (a[i] - mean_a);
        bb += (b[i] - mean_b) * (b[i] - mean_b);
        ab += (a[i] - mean_a) * (b[i] - mean_b);
    }
    return aa > 0 && bb > 0 ? ab / sqrt(aa * bb) : 0;
}
