#include "multibody/algebra/mass_matrix.h"

#include "base/memory.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

static size_t row_of(const mass_matrix *self, int i)
{
    return (size_t)i * (size_t)self->n;
}

void cardo_mass_matrix_destroy(mass_matrix *self)
{
    if (!self)
        return;
    cardo_free(self->A);
    cardo_free(self->L);
    cardo_free(self);
}

/* Four sums side by side: one alone waits for itself. */
static double product(int n, const double *a, const double *b)
{
    double sum[4] = {0, 0, 0, 0};
    int k = 0;
    for (; k + 4 <= n; k += 4)
        for (int lane = 0; lane < 4; ++lane)
            sum[lane] += a[k + lane] * b[k + lane];
    for (; k < n; ++k)
        sum[0] += a[k] * b[k];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

double cardo_mass_matrix_momentum(const mass_matrix *self, int j, const double *v)
{
    return product(self->n, self->A + row_of(self, j), v);
}

void cardo_mass_matrix_multiply(const mass_matrix *self, const double *v, double *out)
{
    for (int i = 0; i < self->n; ++i)
        out[i] = cardo_mass_matrix_momentum(self, i, v);
}

double cardo_mass_matrix_energy(const mass_matrix *self, const double *v)
{
    double sum = 0;
    for (int i = 0; i < self->n; ++i)
        sum += v[i] * cardo_mass_matrix_momentum(self, i, v);
    return 0.5 * sum;
}

void cardo_mass_matrix_root_solve(const mass_matrix *self, const double *v, double *out)
{
    for (int i = 0; i < self->n; ++i) {
        const double *L = self->L + row_of(self, i);
        out[i] = (v[i] - product(i, L, out)) / L[i];
    }
}

void cardo_mass_matrix_root_solve_transposed(const mass_matrix *self, const double *v, double *out)
{
    memmove(out, v, (size_t)self->n * sizeof *out);
    for (int i = self->n - 1; i >= 0; --i) {
        const double *L = self->L + row_of(self, i);
        const double x = out[i] / L[i];
        out[i] = x;
        for (int k = 0; k < i; ++k)
            out[k] -= x * L[k];
    }
}

void cardo_mass_matrix_root_multiply(const mass_matrix *self, const double *v, double *out)
{
    /* the last first: what is overwritten is not read again */
    for (int i = self->n - 1; i >= 0; --i)
        out[i] = product(i + 1, self->L + row_of(self, i), v);
}

void cardo_mass_matrix_root_multiply_transposed(const mass_matrix *self, const double *v,
                                                double *out)
{
    memmove(out, v, (size_t)self->n * sizeof *out);
    for (int i = 0; i < self->n; ++i) {
        const double *L = self->L + row_of(self, i);
        const double x = out[i];
        out[i] = 0;
        for (int k = 0; k <= i; ++k)
            out[k] += x * L[k];
    }
}

void cardo_mass_matrix_solve(const mass_matrix *self, const double *v, double *out)
{
    cardo_mass_matrix_root_solve(self, v, out);
    cardo_mass_matrix_root_solve_transposed(self, out, out);
}

/* L of A, row by row. False: A is not positive definite. */
static bool factor(mass_matrix *self)
{
    self->log_det = 0;
    for (int i = 0; i < self->n; ++i) {
        double *L = self->L + row_of(self, i);
        const double *A = self->A + row_of(self, i);
        for (int j = 0; j <= i; ++j) {
            const double *other = self->L + row_of(self, j);
            const double left = A[j] - product(j, L, other);
            if (j == i && !(left > 1e-13 * A[i]))
                return false;
            L[j] = j < i ? left / other[j] : sqrt(left);
        }
        self->log_det += 2 * log(L[i]);
    }
    return true;
}

cardo_status cardo_mass_matrix_create(int n, const double *A, mass_matrix **out, cardo_error *error)
{
    cardo_status status;
    mass_matrix *self = NULL;
    const size_t count = (size_t)n * (size_t)n;
    *out = NULL;
    CARDO_TRY(CARDO_ALLOCATE(&self, 1, error));
    self->n = n;
    CARDO_TRY(CARDO_ALLOCATE(&self->A, count, error));
    CARDO_TRY(CARDO_ALLOCATE(&self->L, count, error));
    memcpy(self->A, A, count * sizeof *A);
    if (!factor(self)) {
        status =
            CARDO_FAIL(error, CARDO_ERROR_SINGULAR, "the mass matrix is not positive definite");
        goto done;
    }
    *out = self;
    return CARDO_OK;
done:
    cardo_mass_matrix_destroy(self);
    return status;
}
