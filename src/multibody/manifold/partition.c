#include "multibody/manifold/partition.h"

#include "cardo/manifold.h"
#include "multibody/manifold/set.h"

#include <math.h>
#include <string.h>

enum { MOST_STEPS = 20 };
/* Of the largest entry: what is left of a row that depends on others. */
static const double negligible = 1e-10;
/* Of the tolerance: errors that are not worth a step. */
static const double ignored = 0.02;

/* Exchanges rows a and b. */
static void exchange(double *A, int width, int a, int b)
{
    for (int k = 0; k < width && a != b; ++k) {
        const double x = A[a * width + k];
        A[a * width + k] = A[b * width + k];
        A[b * width + k] = x;
    }
}

/* The place of the largest entry of rows from `row` on, in columns that may be dependent; 0: all is zero. */
static double find_pivot(const double *A, const int *dependent, bool chosen, int n, int nu, int row,
                         int *at, int *column)
{
    double most = 0;
    for (int i = row; i < n; ++i)
        for (int j = 0; j < nu; ++j)
            if ((dependent[j] == (chosen ? 1 : 0)) && fabs(A[i * (nu + 1) + j]) > most) {
                most = fabs(A[i * (nu + 1) + j]);
                *at = i;
                *column = j;
            }
    return most;
}

/* Speeds (nu) with G speeds = errors, zero but for the dependent ones, by elimination with the largest pivots: n rows of G and an error each in c->jacobian. Which are dependent is
 * found unless it was chosen. */
static void solve_dependent(const cardo_system *system, constraint_cache *c, int n, bool chosen,
                            double *speeds)
{
    const int nu = system->nu, width = nu + 1;
    double *A = c->jacobian, first = 0;
    int *dependent = c->dependent, *columns = dependent + nu, rank = 0;
    for (int row = 0; row < n; ++row, ++rank) {
        int at = 0, column = 0;
        const double pivot = find_pivot(A, dependent, chosen, n, nu, row, &at, &column);
        first = row == 0 ? pivot : first;
        if (pivot <= negligible * first)
            break;
        exchange(A, width, row, at);
        columns[row] = column;
        dependent[column] = 2; /* taken */
        for (int i = 0; i < n; ++i) {
            const double factor = A[i * width + column] / A[row * width + column];
            for (int k = 0; k < width && i != row; ++k)
                A[i * width + k] -= factor * A[row * width + k];
        }
    }
    memset(speeds, 0, (size_t)nu * sizeof *speeds);
    for (int row = 0; row < rank; ++row)
        speeds[columns[row]] = A[row * width + nu] / A[row * width + columns[row]];
    for (int j = 0; j < nu; ++j)
        dependent[j] = dependent[j] == 2;
}

/* G and the errors side by side. */
static cardo_status set_up(const cardo_system *system, const cardo_state *state, int n,
                           cardo_error *error)
{
    constraint_cache *c = state->cache->constraints;
    const int nu = system->nu;
    cardo_status status = cardo_constraint_matrix(system, state, c->jacobian, error);
    for (int i = n - 1; i >= 0; --i) { /* nu wide so far */
        memmove(c->jacobian + i * (nu + 1), c->jacobian + i * nu, (size_t)nu * sizeof(double));
        c->jacobian[i * (nu + 1) + nu] = c->errors[i];
        for (int k = 1; k < system->nbody; ++k)
            for (int j = 0; j < system->bodies[k].nu; ++j)
                if (system->bodies[k].prescribed >> j & 1)
                    c->jacobian[i * (nu + 1) + system->bodies[k].u_first + j] = 0;
    }
    return status;
}

static double largest(const double *errors, int n)
{
    double most = 0;
    for (int i = 0; i < n; ++i)
        most = fmax(most, isfinite(errors[i]) ? fabs(errors[i]) : HUGE_VAL);
    return most;
}

static cardo_status fail(const char *what, double most, cardo_error *error)
{
    return CARDO_FAIL(error, CARDO_ERROR_NUMERICAL,
                      "dependent %s do not follow from the others: an error of %.3g is left; the "
                      "step was too long, or the constraints contradict each other",
                      what, most);
}

cardo_status cardo_partition_q(const cardo_system *system, cardo_state *state, double tolerance,
                               cardo_error *error)
{
    const int n = list_of(system)->nposition;
    constraint_cache *c = state->cache->constraints;
    double *q = state->cache->qdot, before = HUGE_VAL;
    cardo_status status = CARDO_OK;
    memset(c->dependent, 0, (size_t)system->nu * sizeof *c->dependent);
    for (int step = 0;; ++step) {
        CARDO_TRY(cardo_realize(system, state, CARDO_STAGE_POSITION, error));
        CARDO_TRY(cardo_constraint_position_errors(system, state, c->errors, error));
        const double most = largest(c->errors, n);
        if (most <= (step == 0 ? ignored * tolerance : tolerance))
            return CARDO_OK;
        if (step == MOST_STEPS || !(most < 2 * before))
            return fail("coordinates", most, error);
        before = most;
        CARDO_TRY(set_up(system, state, n, error));
        solve_dependent(system, c, n, step > 0, c->speeds);
        cardo_n_product(state, c->speeds, q);
        for (int i = 0; i < system->nq; ++i)
            q[i] = state->q[i] - q[i];
        cardo_state_set_q(state, q);
    }
done:
    return status;
}

cardo_status cardo_partition_u(const cardo_system *system, cardo_state *state, double tolerance,
                               cardo_error *error)
{
    const int n = list_of(system)->nposition + list_of(system)->nvelocity;
    constraint_cache *c = state->cache->constraints;
    cardo_status status = CARDO_OK;
    double before = HUGE_VAL;
    memset(c->dependent, 0, (size_t)system->nu * sizeof *c->dependent);
    for (int step = 0;; ++step) {
        CARDO_TRY(cardo_realize(system, state, CARDO_STAGE_VELOCITY, error));
        CARDO_TRY(cardo_constraint_velocity_errors(system, state, c->errors, error));
        const double most = largest(c->errors, n);
        if (most <= (step == 0 ? ignored * tolerance : tolerance))
            return CARDO_OK;
        if (step == MOST_STEPS || !(most < before))
            return fail("speeds", most, error);
        before = most;
        CARDO_TRY(set_up(system, state, n, error));
        solve_dependent(system, c, n, step > 0, c->speeds);
        for (int j = 0; j < system->nu; ++j)
            c->speeds[j] = state->u[j] - c->speeds[j];
        cardo_state_set_u(state, c->speeds);
    }
done:
    return status;
}
