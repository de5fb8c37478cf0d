#include "experiment/saxs/profile.h"

#include "base/memory.h"
#include "experiment/saxs/debye.h"
#include "experiment/saxs/directions.h"

#include <math.h>

/* The curve's own values of q where they are no more than the nodes, falling. */
static void take_own(cardo_profile_plan *plan, const double *q)
{
    plan->nodes.n = plan->nq;
    for (int k = 0; k < plan->nq; ++k) {
        int rank = 0;
        for (int j = 0; j < plan->nq; ++j)
            rank += q[j] > q[k] || (q[j] == q[k] && j < k);
        plan->nodes.q[rank] = q[k];
        plan->row[(size_t)k * (size_t)plan->nq + (size_t)rank] = 1;
    }
}

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
    CARDO_TRY(CARDO_ALLOCATE(&out->room.value, CARDO_PARTIALS * (size_t)out->nodes.n, error));
    CARDO_TRY(cardo_pool_create(threads, &out->pool, error));
    if (nq <= out->nodes.n)
        take_own(out, q);
    for (int k = 0; k < nq && nq > out->nodes.n; ++k)
        cardo_q_nodes_row(&out->nodes, q[k], out->row + (size_t)k * (size_t)out->nodes.n);
done:
    return status;
}

void cardo_profile_plan_clear(cardo_profile_plan *plan)
{
    cardo_q_nodes_clear(&plan->nodes);
    cardo_free(plan->row);
    cardo_profile_room_clear(&plan->room);
    cardo_pool_destroy(plan->pool);
    cardo_rigid_bodies_destroy(plan->bodies);
    cardo_interface_destroy(plan->interface);
    *plan = (cardo_profile_plan){0};
}

static double count_directions(const cardo_profile_plan *plan, double size)
{
    double directions = 0;
    for (int k = 0; k < plan->nodes.n; ++k)
        directions += (double)cardo_direction_count(plan->nodes.q[k] * size, plan->tolerance);
    return directions;
}

/* Whether fewer sines are asked for; one of a direction, with its cosine and six products, costs about 1.6 of a pair's. */
static bool directions_are_quicker(const cardo_profile_plan *plan,
                                   const cardo_scatterers *scatterers)
{
    const double size = cardo_scatterers_diameter(scatterers);
    return 1.6 * count_directions(plan, size) < 0.5 * scatterers->n * plan->nodes.n;
}

/* A multiplication of vectors costs about a fifth of an atom in a direction. */
static bool bodies_are_quicker(const cardo_profile_plan *plan, const cardo_scatterers *scatterers)
{
    const double directions = count_directions(plan, cardo_scatterers_diameter(scatterers));
    return 0.2 * cardo_rigid_cost(plan->bodies) <
           scatterers->n * fmin(directions, 0.3 * scatterers->n * plan->nodes.n);
}

cardo_status cardo_profile_take_bodies(cardo_profile_plan *plan, const cardo_scatterers *s,
                                       int nbody, const int *body, double apart, bool renewed,
                                       cardo_error *error)
{
    cardo_status status = CARDO_OK;
    if (plan->tolerance <= 0)
        return CARDO_OK;
    CARDO_TRY(cardo_rigid_bodies_make(s, nbody, body, plan->nodes.n, plan->nodes.q, apart,
                                      plan->tolerance, &plan->bodies, error));
    if (!bodies_are_quicker(plan, s)) {
        cardo_rigid_bodies_destroy(plan->bodies);
        plan->bodies = NULL;
        goto done;
    }
    CARDO_TRY(cardo_rigid_work_make(plan->bodies, &plan->room.work, error));
    if (renewed)
        CARDO_TRY(cardo_interface_make(s, nbody, body, &plan->interface, error));
    plan->scatterers = s->n;
    status = CARDO_ALLOCATE(&plan->room.exposure, s->n, error);
done:
    return status;
}

cardo_status cardo_profile_of_bodies_only(cardo_profile_plan *plan, const cardo_scatterers *s,
                                          int nbody, const int *body, double apart,
                                          cardo_error *error)
{
    cardo_status status;
    CARDO_TRY(cardo_rigid_bodies_make(s, nbody, body, plan->nodes.n, plan->nodes.q, apart,
                                      plan->tolerance, &plan->bodies, error));
    status = cardo_rigid_work_make(plan->bodies, &plan->room.work, error);
done:
    return status;
}

/* From the nodes to all values of q. */
static void spread_out(const cardo_profile_plan *plan, const double *value, double *out)
{
    const int n = plan->nodes.n;
    for (int k = 0; k < plan->nq; ++k) {
        const double *row = plan->row + (size_t)k * (size_t)n;
        double sum[CARDO_PARTIALS] = {0};
        for (int j = 0; j < n; ++j)
            for (int p = 0; p < CARDO_PARTIALS; ++p)
                sum[p] += row[j] * value[j * CARDO_PARTIALS + p];
        for (int p = 0; p < CARDO_PARTIALS; ++p)
            out[k * CARDO_PARTIALS + p] = sum[p];
    }
}

cardo_status cardo_profile_room_make(const cardo_profile_plan *plan, cardo_profile_room *out,
                                     cardo_error *error)
{
    cardo_status status;
    CARDO_TRY(cardo_rigid_work_make(plan->bodies, &out->work, error));
    CARDO_TRY(CARDO_ALLOCATE(&out->value, CARDO_PARTIALS * (size_t)plan->nodes.n, error));
    if (plan->interface)
        CARDO_TRY(CARDO_ALLOCATE(&out->exposure, plan->scatterers, error));
done:
    return status;
}

void cardo_profile_room_clear(cardo_profile_room *room)
{
    cardo_rigid_work_destroy(room->work);
    cardo_free(room->exposure);
    cardo_free(room->value);
    *room = (cardo_profile_room){0};
}

cardo_status cardo_profile_in_room(const cardo_profile_plan *plan, const cardo_profile_room *room,
                                   const double *pose, double *out, cardo_error *error)
{
    if (plan->interface) {
        cardo_interface_find(plan->interface, pose, room->exposure);
        cardo_rigid_renew(room->work, room->exposure);
    }
    const cardo_status status = cardo_rigid_find(room->work, pose, room->value, error);
    if (status == CARDO_OK)
        spread_out(plan, room->value, out);
    return status;
}

cardo_status cardo_profile_of_bodies(cardo_profile_plan *plan, const double *pose, double *out,
                                     cardo_error *error)
{
    return cardo_profile_in_room(plan, &plan->room, pose, out, error);
}

cardo_status cardo_profile_find(cardo_profile_plan *plan, const cardo_scatterers *scatterers,
                                double *out, cardo_error *error)
{
    const int n = plan->nodes.n;
    const bool directions = plan->tolerance > 0 && directions_are_quicker(plan, scatterers);
    const cardo_status status =
        directions ? cardo_average_directions(scatterers, n, plan->nodes.q, plan->tolerance,
                                              plan->pool, plan->room.value, error)
                   : cardo_debye(scatterers, n, plan->nodes.q, plan->pool, plan->room.value, error);
    if (status == CARDO_OK)
        spread_out(plan, plan->room.value, out);
    return status;
}
