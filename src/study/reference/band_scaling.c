#include "study/reference/band_scaling.h"

#include "base/linalg.h"
#include "base/memory.h"

#include <string.h>

enum { AXES = 3 };

struct cardo_band_scaling {
    int nrow, farthest;
    int below; /* diagonals under the main one */
    double *L; /* band of H, then of its factor; NULL until it is known how wide it is */
};

void cardo_band_scaling_destroy(cardo_band_scaling *scaling)
{
    if (!scaling)
        return;
    cardo_free(scaling->L);
    cardo_free(scaling);
}

cardo_status cardo_band_scaling_create(int nslot, int farthest, cardo_band_scaling **out,
                                       cardo_error *error)
{
    const cardo_status status = CARDO_ALLOCATE(out, 1, error);
    if (status == CARDO_OK)
        **out = (cardo_band_scaling){AXES * nslot, farthest, AXES - 1, NULL};
    return status;
}

static int apart(int n, const int *slot)
{
    int low = slot[0], high = slot[0];
    for (int k = 1; k < n; ++k) {
        low = slot[k] < low ? slot[k] : low;
        high = slot[k] > high ? slot[k] : high;
    }
    return high - low;
}

static void add_block(cardo_band_scaling *s, int row, cardo_vec3 of_row, int column,
                      cardo_vec3 of_column)
{
    const double r[AXES] = {of_row.x, of_row.y, of_row.z},
                 c[AXES] = {of_column.x, of_column.y, of_column.z};
    for (int i = 0; i < AXES; ++i)
        for (int j = 0; j < AXES; ++j)
            if (AXES * row + i >= AXES * column + j)
                s->L[cardo_symmetric_band_index(s->below, AXES * row + i, AXES * column + j)] +=
                    r[i] * c[j];
}

void cardo_band_scaling_add(cardo_band_scaling *s, int n, const int *slot, const cardo_vec3 *slope,
                            double k)
{
    const int width = apart(n, slot);
    if (width > s->farthest)
        return;
    if (!s->L) {
        s->below = AXES * width + AXES - 1 > s->below ? AXES * width + AXES - 1 : s->below;
        return;
    }
    for (int a = 0; a < n; ++a)
        for (int b = 0; b < n; ++b)
            if (slot[a] >= slot[b])
                add_block(s, slot[a], v3_scale(k, slope[a]), slot[b], slope[b]);
}

cardo_status cardo_band_scaling_make(cardo_band_scaling *s, const double *rest,
                                     cardo_band_squares squares, void *context, cardo_error *error)
{
    cardo_status status;
    if (!s->L) {
        squares(context, s);
        CARDO_TRY(CARDO_ALLOCATE(&s->L, (size_t)s->nrow * (size_t)(s->below + 1), error));
    }
    memset(s->L, 0, (size_t)s->nrow * (size_t)(s->below + 1) * sizeof *s->L);
    for (int i = 0; i < s->nrow; ++i)
        s->L[cardo_symmetric_band_index(s->below, i, i)] = rest[i / AXES];
    squares(context, s);
    status = cardo_band_cholesky(s->nrow, s->below, s->L, error);
done:
    return status;
}

void cardo_band_scaling_forth(const cardo_band_scaling *s, double *v)
{
    cardo_band_cholesky_half(s->nrow, s->below, s->L, true, v);
}

void cardo_band_scaling_back(const cardo_band_scaling *s, double *v)
{
    cardo_band_cholesky_half(s->nrow, s->below, s->L, false, v);
}
