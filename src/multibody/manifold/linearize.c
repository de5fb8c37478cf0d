/* Linear equations of motion, by differences of accelerations. */
#include "cardo/manifold.h"

#include "base/memory.h"
#include "multibody/tree/operators.h"
#include "multibody/tree/state_internal.h"

#include <math.h>
#include <string.h>

/* Places and weights of the central difference of the sixth order. */
enum { PLACES = 6 };
static const double places[PLACES] = {-3, -2, -1, 1, 2, 3};
static const double weights[PLACES] = {-1.0 / 60, 3.0 / 20, -3.0 / 4, 3.0 / 4, -3.0 / 20, 1.0 / 60};
/* Truncation is h^6 of what changes over a unit of coordinates, rounding 1e-16 / h: the former may be a million times as steep. */
static const double step_of_q = 1e-3;

typedef struct differences {
    const cardo_system *system;
    cardo_state *state;
    double *q, *u;          /* where it is                     (nq), (nu) */
    double *to, *direction; /* q on the way, N e_j             (nq), (nu) */
    double *unit;           /*                                       (nu) */
} differences;

static cardo_status realize_at(const differences *d, const double *q, const double *u,
                               cardo_error *error)
{
    cardo_state_set_q(d->state, q);
    cardo_state_set_u(d->state, u);
    return cardo_realize(d->system, d->state, CARDO_STAGE_ACCELERATION, error);
}

static void add_column(double *A, int width, int j, double weight, const double *x, int n)
{
    for (int i = 0; A && i < n; ++i)
        A[i * width + j] += weight * x[i];
}

static void clear(double *A, int rows, int columns)
{
    if (A)
        memset(A, 0, (size_t)rows * (size_t)columns * sizeof *A);
}

/* Column j of the derivatives by q. */
static cardo_status by_q(const differences *d, const cardo_dynamic_derivatives *out, int j,
                         cardo_error *error)
{
    const int nq = d->system->nq, nu = d->system->nu;
    cardo_status status;
    cardo_state_set_q(d->state, d->q);
    CARDO_TRY(cardo_realize(d->system, d->state, CARDO_STAGE_POSITION, error));
    memset(d->unit, 0, (size_t)nu * sizeof *d->unit);
    d->unit[j] = 1;
    CARDO_TRY(cardo_multiply_n(d->system, d->state, d->unit, d->direction, error));
    add_column(out->qdot_by_u, nu, j, 1, d->direction, nq);
    double size = 0;
    for (int i = 0; i < nq; ++i)
        if (d->direction[i] != 0)
            size = fmax(size, fabs(d->q[i]));
    const double h = step_of_q * fmax(1, size);
    for (int p = 0; p < PLACES; ++p) {
        for (int i = 0; i < nq; ++i)
            d->to[i] = d->q[i] + places[p] * h * d->direction[i];
        CARDO_TRY(realize_at(d, d->to, d->u, error));
        add_column(out->qdot_by_q, nu, j, weights[p] / h, cardo_state_qdot(d->state), nq);
        add_column(out->udot_by_q, nu, j, weights[p] / h, cardo_state_udot(d->state), nu);
    }
done:
    return status;
}

/* Column j of the derivative by u. What velocities call for is quadratic in them, so that a step of the speeds' own size has no truncation. */
static cardo_status by_u(const differences *d, const cardo_dynamic_derivatives *out, int j,
                         double h, cardo_error *error)
{
    const int nu = d->system->nu;
    cardo_status status = CARDO_OK;
    for (int p = 0; p < PLACES && status == CARDO_OK; ++p) {
        memcpy(d->unit, d->u, (size_t)nu * sizeof *d->unit);
        d->unit[j] += places[p] * h;
        status = realize_at(d, d->q, d->unit, error);
        if (status == CARDO_OK)
            add_column(out->udot_by_u, nu, j, weights[p] / h, cardo_state_udot(d->state), nu);
    }
    return status;
}

cardo_status cardo_dynamic_jacobian(const cardo_system *system, cardo_state *state,
                                    const cardo_dynamic_derivatives *derivatives,
                                    cardo_error *error)
{
    const int nq = system->nq, nu = system->nu;
    differences d = {.system = system, .state = state};
    double *memory = NULL, speed = 0;
    cardo_status status, back;
    CARDO_TRY(CARDO_ALLOCATE(&memory, 3 * nq + 2 * nu + 1, error));
    d.q = memory;
    d.to = d.q + nq;
    d.direction = d.to + nq;
    d.u = d.direction + nq;
    d.unit = d.u + nu;
    memcpy(d.q, cardo_state_q(state), (size_t)nq * sizeof *d.q);
    memcpy(d.u, cardo_state_u(state), (size_t)nu * sizeof *d.u);
    clear(derivatives->qdot_by_q, nq, nu);
    clear(derivatives->qdot_by_u, nq, nu);
    clear(derivatives->udot_by_q, nu, nu);
    clear(derivatives->udot_by_u, nu, nu);
    for (int j = 0; j < nu; ++j)
        speed = fmax(speed, fabs(d.u[j]));
    for (int j = 0; j < nu && status == CARDO_OK; ++j)
        status = by_q(&d, derivatives, j, error);
    for (int j = 0; j < nu && status == CARDO_OK && derivatives->udot_by_u; ++j)
        status = by_u(&d, derivatives, j, step_of_q * fmax(1, speed), error);
    back = realize_at(&d, d.q, d.u, status == CARDO_OK ? error : NULL);
    status = status == CARDO_OK ? back : status;
done:
    cardo_free(memory);
    return status;
}

/* ---- about an equilibrium ---- */

static double largest(const double *x, int n)
{
    double most = 0;
    for (int i = 0; i < n; ++i)
        most = fmax(most, fabs(x[i]));
    return most;
}

static cardo_status check_rest(const cardo_system *system, const cardo_state *state, double still,
                               cardo_error *error)
{
    const double speed = largest(cardo_state_u(state), system->nu);
    const double change = largest(cardo_state_udot(state), system->nu);
    if (speed > 0)
        return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT,
                          "the state moves, by speeds up to %.3g: linear equations are about rest",
                          speed);
    if (change > (still > 0 ? still : 1e-8))
        return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT,
                          "this is no equilibrium: accelerations are up to %.3g", change);
    return CARDO_OK;
}

/* Block (2 f x 2 f, at f, column) of A: T^T M D T. */
static cardo_status reduce(const cardo_system *system, const cardo_state *state, const double *D,
                           const double *T, int f, int column, double *work, double *A,
                           cardo_error *error)
{
    const int nu = system->nu;
    double *product = work, *moved = work + nu;
    cardo_status status = CARDO_OK;
    for (int j = 0; j < f && status == CARDO_OK; ++j) {
        for (int i = 0; i < nu; ++i) {
            product[i] = 0;
            for (int k = 0; k < nu; ++k)
                product[i] += D[i * nu + k] * T[k * f + j];
        }
        status = cardo_multiply_m(system, state, product, moved, error);
        for (int i = 0; i < f; ++i) {
            double sum = 0;
            for (int k = 0; k < nu; ++k)
                sum += T[k * f + i] * moved[k];
            A[(f + i) * 2 * f + column + j] = sum;
        }
    }
    return status;
}

cardo_status cardo_linearize(const cardo_system *system, cardo_state *state, double still,
                             double *A, double *T, int *freedoms, cardo_error *error)
{
    const int nu = system->nu;
    const size_t square = (size_t)nu * (size_t)nu;
    double *memory = NULL;
    cardo_status status;
    *freedoms = 0;
    CARDO_TRY(CARDO_ALLOCATE(&memory, 3 * square + 2 * (size_t)nu + 1, error));
    double *stiffness = memory, *damping = stiffness + square, *basis = damping + square;
    const cardo_dynamic_derivatives derivatives = {.udot_by_q = stiffness, .udot_by_u = damping};
    CARDO_TRY(cardo_realize(system, state, CARDO_STAGE_ACCELERATION, error));
    CARDO_TRY(check_rest(system, state, still, error));
    CARDO_TRY(cardo_dynamic_jacobian(system, state, &derivatives, error));
    CARDO_TRY(cardo_free_basis(system, state, basis, freedoms, error));
    const int f = *freedoms;
    clear(A, 2 * f, 2 * f);
    for (int i = 0; i < f; ++i)
        A[i * 2 * f + f + i] = 1;
    CARDO_TRY(reduce(system, state, stiffness, basis, f, 0, basis + square, A, error));
    CARDO_TRY(reduce(system, state, damping, basis, f, f, basis + square, A, error));
    if (T)
        memcpy(T, basis, (size_t)nu * (size_t)f * sizeof *T);
done:
    cardo_free(memory);
    return status;
}
