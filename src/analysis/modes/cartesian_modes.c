#include "analysis/modes/cartesian_modes.h"

#include "base/linalg.h"
#include "base/memory.h"

#include <stddef.h>

static void add_spring(const cardo_spring *spring, size_t n, double *H)
{
    const double e[3] = {spring->line.x, spring->line.y, spring->line.z};
    for (int p = 0; p < 2; ++p)
        for (int q = 0; q < 2; ++q) {
            double k = p == q ? spring->k : -spring->k;
            double *block = H + 3 * ((size_t)spring->end[p] * n + (size_t)spring->end[q]);
            for (size_t r = 0; r < 3; ++r)
                for (size_t c = 0; c < 3; ++c)
                    block[r * n + c] += k * e[r] * e[c];
        }
}

cardo_status cardo_cartesian_modes(const cardo_spring_network *network, double **values,
                                   double **vectors, cardo_error *error)
{
    cardo_status status;
    const size_t n = 3 * (size_t)network->npoint;
    *values = *vectors = NULL;
    CARDO_TRY(CARDO_ALLOCATE(values, n, error));
    CARDO_TRY(CARDO_ALLOCATE(vectors, n * n, error));
    for (int s = 0; s < network->nspring; ++s)
        add_spring(&network->spring[s], n, *vectors);
    CARDO_TRY(cardo_symmetric_eigen((int)n, *vectors, *values, error));
    /* Vectors come in columns. */
    for (size_t r = 0; r < n; ++r)
        for (size_t c = 0; c < r; ++c) {
            double kept = (*vectors)[r * n + c];
            (*vectors)[r * n + c] = (*vectors)[c * n + r];
            (*vectors)[c * n + r] = kept;
        }
done:
    if (status != CARDO_OK) {
        cardo_free(*values);
        cardo_free(*vectors);
        *values = *vectors = NULL;
    }
    return status;
}
