#include "experiment/saxs/profile.h"

#include "base/memory.h"

#include <math.h>

cardo_status cardo_profile_plan_make(int nq, const double *q, double size, int threads,
                                     cardo_profile_plan *out, cardo_error *error)
{
    cardo_status status;
    double most = 0;
    for (int k = 0; k < nq; ++k)
        most = fmax(most, q[k]);
    out->nq = nq;
    CARDO_TRY(cardo_q_nodes_make(most, size, &out->nodes, error));
    CARDO_TRY(CARDO_ALLOCATE(&out->row, (size_t)nq * (size_t)out->nodes.n, error));
    CARDO_TRY(CARDO_ALLOCATE(&out->value, CARDO_PARTIALS * (size_t)out->nodes.n, error));
    CARDO_TRY(cardo_pool_create(threads, &out->pool, error));
    for (int k = 0; k < nq; ++k)
        cardo_q_nodes_row(&out->nodes, q[k], out->row + (size_t)k * (size_t)out->nodes.n);
done:
    return status;
}

void cardo_profile_plan_clear(cardo_profile_plan *plan)
{
    cardo_q_nodes_clear(&plan->nodes);
    cardo_free(plan->row);
    cardo_free(plan->value);
    cardo_pool_destroy(plan->pool);
    *plan = (cardo_profile_plan){0};
}

cardo_status cardo_profile_find(cardo_profile_plan *plan, const cardo_scatterers *scatterers,
                                double *out, cardo_error *error)
{
    const int n = plan->nodes.n;
    const cardo_status status =
        cardo_debye(scatterers, n, plan->nodes.q, plan->pool, plan->value, error);
    for (int k = 0; k < plan->nq && status == CARDO_OK; ++k)
        for (int p = 0; p < CARDO_PARTIALS; ++p) {
            double sum = 0;
            for (int j = 0; j < n; ++j)
                sum += plan->row[(size_t)k * (size_t)n + (size_t)j] *
                       plan->value[j * CARDO_PARTIALS + p];
            out[k * CARDO_PARTIALS + p] = sum;
        }
    return status;
}
