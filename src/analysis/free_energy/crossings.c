#include "analysis/free_energy/crossings.h"

#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>

static const double beyond = 0.03;

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static int count(const cardo_strided *series, double low, double high)
{
    int crossings = 0, last = 0;
    for (int i = 0; i < series->n; ++i) {
        const double x = series->values[(size_t)i * (size_t)series->stride];
        const int side = x < low ? -1 : x > high;
        crossings += side * last < 0;
        last = side ? side : last;
    }
    return crossings;
}

cardo_status cardo_count_crossings(int nseries, const cardo_strided *series, int *crossings,
                                   cardo_error *error)
{
    cardo_status status;
    double *sorted = NULL;
    size_t n = 0, k = 0;
    *crossings = -1;
    for (int s = 0; s < nseries; ++s)
        n += (size_t)series[s].n;
    CARDO_TRY(CARDO_ALLOCATE(&sorted, n, error));
    for (int s = 0; s < nseries; ++s)
        for (int i = 0; i < series[s].n; ++i)
            sorted[k++] = series[s].values[(size_t)i * (size_t)series[s].stride];
    assert(k == n);
    if (n == 0)
        goto done;
    qsort(sorted, n, sizeof *sorted, compare);
    const size_t out = (size_t)(beyond * (double)n);
    assert(out <= n - 1 - out);
    const double low = sorted[out], high = sorted[n - 1 - out], third = (high - low) / 3;
    if (!(third > 0))
        goto done;
    *crossings = 0;
    for (int s = 0; s < nseries; ++s)
        *crossings += count(&series[s], low + third, high - third);
done:
    cardo_free(sorted);
    return status;
}
