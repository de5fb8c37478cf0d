#include "experiment/saxs/profile.h"

#include "base/memory.h"
#include "experiment/saxs/debye.h"
#include "experiment/saxs/directions.h"

#include <math.h>

cardo_status cardo_profile_plan_make(int nq, const double *q, double size, double tolerance,
                                     int threads, cardo_profile_plan *out, cardo_error *error)
{
    cardo_status status;
    double most = 0;
    for (int k = 0; k < nq; ++k)
        most = fmax(most, q[k]);
    out->nq = nq;
    out->tolerance = tolerance;
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

/* Whether fewer sines are asked for; one of a direction, with its cosine and six products, costs about 1.6 of a pair's. */
static bool directions_are_quicker(const cardo_profile_plan *plan,
                                   const cardo_scatterers *scatterers)
{
    const double size = cardo_scatterers_diameter(scatterers);
    double directions = 0;
    for (int k = 0; k < plan->nodes.n; ++k)
        directions += (double)cardo_direction_count(plan->nodes.q[k] * size, plan->tolerance);
    return 1.6 * directions < 0.5 * scatterers->n * plan->nodes.n;
}

cardo_status cardo_profile_find(cardo_profile_plan *plan, const cardo_scatterers *scatterers,
                                double *out, cardo_error *error)
{
    const int n = plan->nodes.n;
    const bool directions = plan->tolerance > 0 && directions_are_quicker(plan, scatterers);
    const cardo_status status =
        directions ? cardo_average_directions(scatterers, n, plan->nodes.q, plan->tolerance,
                                              plan->pool, plan->value, error)
                   : cardo_debye(scatterers, n, plan->nodes.q, plan->pool, plan->value, error);
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
