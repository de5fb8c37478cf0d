#include "experiment/saxs/distances.h"

#include "base/memory.h"
#include "experiment/saxs/debye.h"

#include <math.h>

cardo_status cardo_scattering_forward(const cardo_scatterers *s, double out[CARDO_PARTIALS],
                                      cardo_error *error)
{
    double *V = NULL, sum[3] = {0};
    const cardo_status status = CARDO_ALLOCATE(&V, 3 * (size_t)s->n, error);
    if (status != CARDO_OK)
        return status;
    cardo_scattering_amplitudes(s, 0, V, V + s->n, V + 2 * (size_t)s->n);
    for (int k = 0; k < 3; ++k)
        for (int i = 0; i < s->n; ++i)
            sum[k] += V[(size_t)k * (size_t)s->n + (size_t)i];
    out[CARDO_PARTIAL_VV] = sum[0] * sum[0];
    out[CARDO_PARTIAL_EE] = sum[1] * sum[1];
    out[CARDO_PARTIAL_WW] = sum[2] * sum[2];
    out[CARDO_PARTIAL_VE] = sum[0] * sum[1];
    out[CARDO_PARTIAL_VW] = sum[0] * sum[2];
    out[CARDO_PARTIAL_EW] = sum[1] * sum[2];
    cardo_free(V);
    return CARDO_OK;
}

static double excess(const cardo_scatterers *s, int i)
{
    const cardo_scatterer_kind *kind = &s->kinds[s->kind[i]];
    return kind->element + kind->hydrogens - CARDO_BULK_DENSITY * kind->volume;
}

void cardo_scatterers_distances(const cardo_scatterers *s, double width, int n, double *out)
{
    for (int k = 0; k < n; ++k)
        out[k] = 0;
    for (int i = 0; i < s->n; ++i)
        for (int j = i + 1; j < s->n; ++j) {
            double square = 0;
            for (int d = 0; d < 3; ++d)
                square += pow(s->position[3 * i + d] - s->position[3 * j + d], 2);
            const int bin = (int)(sqrt(square) / width);
            if (bin < n)
                out[bin] += 2 * excess(s, i) * excess(s, j) / width;
        }
}
