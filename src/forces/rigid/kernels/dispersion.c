#include "forces/rigid/kernels/dispersion.h"

#include "base/linalg.h"
#include "base/memory.h"

#include <math.h>
#include <stdbool.h>

/* Atoms that attract alike. */
typedef struct type {
    double root_epsilon, half_sigma, count;
} type;

typedef struct types {
    int n, room;
    type *type;
    int *of_slot; /* -1: it attracts nothing (nslot) */
} types;

static cardo_status find_types(int nslot, const double *root_epsilon, const double *half_sigma,
                               types *t, cardo_error *error)
{
    cardo_status status = CARDO_ALLOCATE(&t->of_slot, nslot, error);
    for (int slot = 0; slot < nslot && status == CARDO_OK; ++slot) {
        const double e = root_epsilon[slot], h = half_sigma[slot];
        int k = 0;
        t->of_slot[slot] = -1;
        if (e == 0 || h == 0)
            continue;
        while (k < t->n && !(t->type[k].root_epsilon == e && t->type[k].half_sigma == h))
            ++k;
        if (k == t->n) {
            status = CARDO_RESERVE(&t->type, &t->room, t->n + 1, error);
            if (status != CARDO_OK)
                break;
            t->type[t->n++] = (type){e, h, 0};
        }
        ++t->type[k].count;
        t->of_slot[slot] = k;
    }
    return status;
}

static double attraction(const type *a, const type *b)
{
    const double s = a->half_sigma + b->half_sigma, s3 = s * s * s;
    return a->root_epsilon * b->root_epsilon * s3 * s3;
}

/* Eigenvectors of what types attract each other, weighted by how many there are: the few largest eigenvalues hold nearly all. Their
 * order in size is written to best. */
static void by_size(int n, const double *value, int most, int *best)
{
    for (int r = 0; r < most; ++r) {
        best[r] = -1;
        for (int k = 0; k < n; ++k) {
            bool taken = false;
            for (int q = 0; q < r; ++q)
                taken = taken || best[q] == k;
            if (!taken && (best[r] < 0 || fabs(value[k]) > fabs(value[best[r]])))
                best[r] = k;
        }
    }
}

static double rest_of(int n, const double *value, int rank, const int *best)
{
    double sum = 0;
    for (int k = 0; k < n; ++k) {
        bool taken = false;
        for (int r = 0; r < rank; ++r)
            taken = taken || best[r] == k;
        sum += taken ? 0 : value[k] * value[k];
    }
    return sqrt(sum) / fabs(value[best[0]]);
}

cardo_status cardo_dispersion_split(int nslot, const double *root_epsilon, const double *half_sigma,
                                    double tolerance, cardo_dispersion *split, double **number,
                                    cardo_error *error)
{
    cardo_status status;
    types t = {0};
    double *matrix = NULL, *value = NULL;
    int best[CARDO_FAR_RANK], n, most;
    CARDO_TRY(find_types(nslot, root_epsilon, half_sigma, &t, error));
    n = t.n;
    split->rank = 1;
    CARDO_TRY(CARDO_ALLOCATE(&matrix, (size_t)n * (size_t)n, error));
    CARDO_TRY(CARDO_ALLOCATE(&value, n, error));
    for (int a = 0; a < n; ++a)
        for (int b = 0; b < n; ++b)
            matrix[a * n + b] =
                attraction(&t.type[a], &t.type[b]) * sqrt(t.type[a].count * t.type[b].count);
    if (n > 0)
        CARDO_TRY(cardo_symmetric_eigen_repeatable(n, matrix, value, error));
    most = n < CARDO_FAR_RANK ? n : CARDO_FAR_RANK;
    by_size(n, value, most, best);
    while (split->rank < most && rest_of(n, value, split->rank, best) > tolerance)
        ++split->rank;
    split->left_out = n > 0 ? rest_of(n, value, split->rank, best) : 0;
    CARDO_TRY(CARDO_ALLOCATE(number, (size_t)split->rank * (size_t)nslot, error));
    for (int r = 0; r < split->rank && n > 0; ++r) {
        double sum = 0;
        for (int a = 0; a < n; ++a)
            sum += matrix[a * n + best[r]];
        split->strength[r] = value[best[r]] > 0 ? -1 : 1;
        for (int slot = 0; slot < nslot; ++slot) {
            const int k = t.of_slot[slot];
            if (k >= 0)
                (*number)[slot * split->rank + r] = (sum < 0 ? -1 : 1) *
                                                    sqrt(fabs(value[best[r]]) / t.type[k].count) *
                                                    matrix[k * n + best[r]];
        }
    }
done:
    cardo_free(matrix);
    cardo_free(value);
    cardo_free(t.type);
    cardo_free(t.of_slot);
    return status;
}
