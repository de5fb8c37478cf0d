#include "multibody/algebra/reflections.h"

#include "base/linalg.h"
#include "base/memory.h"

#include <math.h>
#include <string.h>

cardo_status cardo_reflections_open(cardo_reflections *self, int n, int most, cardo_error *error)
{
    cardo_status status;
    *self = (cardo_reflections){.n = n, .most = most};
    CARDO_TRY(CARDO_ALLOCATE(&self->order, most, error));
    CARDO_TRY(CARDO_ALLOCATE(&self->size, most, error));
    CARDO_TRY(CARDO_ALLOCATE(&self->vectors, (size_t)most * (size_t)n, error));
done:
    return status;
}

void cardo_reflections_clear(cardo_reflections *self)
{
    cardo_free(self->order);
    cardo_free(self->size);
    cardo_free(self->vectors);
    *self = (cardo_reflections){0};
}

static double *row_of(const cardo_reflections *self, double *rows, int row)
{
    return rows + (size_t)row * (size_t)self->n;
}

/* x -= v (v . x), in what lies from `first` on. */
static inline void reflect(const cardo_reflections *self, int which, double *restrict x)
{
    const int first = which, rest = self->n - first;
    const double *restrict v = self->vectors + (size_t)which * (size_t)self->n + first;
    const double share = cardo_dot(rest, v, x + first);
    for (int k = 0; k < rest; ++k)
        x[first + k] -= share * v[k];
}

/* The place among order[k..m) of the row with the largest share left, and that share. */
static int find_pivot(const cardo_reflections *self, int k, int m, double *rows, double *share)
{
    int best = k;
    *share = 0;
    for (int i = k; i < m; ++i) {
        const int row = self->order[i];
        const double *x = row_of(self, rows, row) + k;
        const double left = sqrt(cardo_dot(self->n - k, x, x));
        if (self->size[row] > 0 && left / self->size[row] > *share) {
            *share = left / self->size[row];
            best = i;
        }
    }
    return best;
}

/* The reflection that leaves nothing of x beyond entry k. */
static void make_reflection(cardo_reflections *self, int k, const double *x)
{
    double *v = row_of(self, self->vectors, k);
    const double length = sqrt(cardo_dot(self->n - k, x + k, x + k));
    memset(v, 0, (size_t)k * sizeof *v);
    memcpy(v + k, x + k, (size_t)(self->n - k) * sizeof *v);
    v[k] += copysign(length, x[k]);
    const double scale = sqrt(2 / cardo_dot(self->n - k, v + k, v + k));
    for (int i = k; i < self->n; ++i)
        v[i] *= scale;
}

CARDO_EVERY_WIDTH
void cardo_reflections_factor(cardo_reflections *self, int m, double *rows, double least)
{
    for (int i = 0; i < m; ++i) {
        const double *x = row_of(self, rows, i);
        self->order[i] = i;
        self->size[i] = sqrt(cardo_dot(self->n, x, x));
    }
    self->rank = 0;
    for (int k = 0; k < m && k < self->n; ++k) {
        double share;
        const int at = find_pivot(self, k, m, rows, &share), row = self->order[at];
        if (!(share > least))
            return;
        self->order[at] = self->order[k];
        self->order[k] = row;
        make_reflection(self, k, row_of(self, rows, row));
        for (int i = k; i < m; ++i)
            reflect(self, k, row_of(self, rows, self->order[i]));
        ++self->rank;
    }
}

CARDO_EVERY_WIDTH
void cardo_reflections_apply(const cardo_reflections *self, double *x)
{
    for (int k = self->rank - 1; k >= 0; --k)
        reflect(self, k, x);
}

CARDO_EVERY_WIDTH
void cardo_reflections_apply_transposed(const cardo_reflections *self, double *x)
{
    for (int k = 0; k < self->rank; ++k)
        reflect(self, k, x);
}
