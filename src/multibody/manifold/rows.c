#include "multibody/manifold/rows.h"
#include "multibody/tree/hinge.h"

#include <string.h>

static cardo_transform pose_of(const cardo_system *system, const cardo_state *state, int body)
{
    const state_cache *cache = state->cache;
    if (body == 0)
        return xform_identity();
    if (cache->views.X_GB)
        return cache->X_GB[body];
    cardo_transform X_GM = frame_transform(&cache->nodes[body].X);
    X_GM.p = v3_add(cache->nodes[body].O, X_GM.p);
    return xform_mul(X_GM, system->bodies[body].X_MB);
}

static cardo_spatial velocity_of(const cardo_system *system, const cardo_state *state, int body)
{
    const body_node *node = &state->cache->nodes[body];
    return body == 0 ? spatial_zero()
                     : motion_shift(node->V, body_origin(node, &system->bodies[body]));
}

/* A constraint's bodies as it sees them. */
typedef struct sight {
    cardo_transform X_GB[CARDO_CONSTRAINT_MAX_BODIES];
    cardo_spatial V_GB[CARDO_CONSTRAINT_MAX_BODIES];
    cardo_constraint_work work;
} sight;

static const cardo_constraint_work *look(const cardo_system *system, const cardo_state *state,
                                         const constraint_plan *plan, bool moving, sight *s)
{
    for (int b = 0; b < plan->shape.nbody; ++b) {
        s->X_GB[b] = pose_of(system, state, plan->shape.bodies[b]);
        if (moving)
            s->V_GB[b] = velocity_of(system, state, plan->shape.bodies[b]);
    }
    s->work = (cardo_constraint_work){.system = system,
                                      .time = state->time,
                                      .q = state->q,
                                      .u = moving ? state->u : NULL,
                                      .coordinates = plan->coordinates,
                                      .mobilities = plan->mobilities,
                                      .X_GB = s->X_GB,
                                      .V_GB = moving ? s->V_GB : NULL};
    return &s->work;
}

/* The part of a constraint, zeroed. */
static cardo_constraint_rows part_of(const constraint_plan *plan, const row_arrays *arrays)
{
    const constraint_shape *s = &plan->shape;
    cardo_constraint_rows out = {arrays->bodies + plan->spatial_first,
                                 arrays->mobilities + plan->mobility_first,
                                 arrays->offset + plan->row_first};
    memset(out.bodies, 0, (size_t)(plan->nrow * s->nbody) * sizeof *out.bodies);
    memset(out.mobilities, 0, (size_t)(plan->nrow * s->nmobility) * sizeof *out.mobilities);
    memset(out.offset, 0, (size_t)plan->nrow * sizeof *out.offset);
    return out;
}

void cardo_rows_prepare(const cardo_system *system, const cardo_state *state)
{
    const constraint_list *list = list_of(system);
    constraint_cache *c = state->cache->constraints;
    const bool same_time = memcmp(&c->time, &state->time, sizeof c->time) == 0;
    if (c->has_rows && c->placed == state->cache->placed && same_time)
        return;
    for (int i = 0; i < list->head.count; ++i) {
        const constraint_plan *plan = &list->plans[i];
        sight s;
        cardo_constraint_rows out = part_of(plan, &c->rows);
        plan->kind->rows(plan->shape.data, look(system, state, plan, false, &s), &out);
    }
    c->placed = state->cache->placed;
    c->time = state->time;
    c->has_rows = true;
    c->factored = c->eliminated = false;
}

void cardo_rows_prepare_rates(const cardo_system *system, const cardo_state *state)
{
    const constraint_list *list = list_of(system);
    constraint_cache *c = state->cache->constraints;
    for (int i = 0; i < list->head.count; ++i) {
        const constraint_plan *plan = &list->plans[i];
        sight s;
        cardo_constraint_rows out = part_of(plan, &c->rates);
        if (plan->kind->rates)
            plan->kind->rates(plan->shape.data, look(system, state, plan, true, &s), &out);
    }
}

void cardo_rows_position(const cardo_system *system, const cardo_state *state, double *errors)
{
    const constraint_list *list = list_of(system);
    for (int i = 0; i < list->head.count; ++i) {
        const constraint_plan *plan = &list->plans[i];
        double *own = errors + plan->first_position;
        for (int r = 0; r < plan->shape.nposition; ++r)
            own[r] = 0;
        sight s;
        if (is_on(state, i) && plan->kind->position)
            plan->kind->position(plan->shape.data, look(system, state, plan, false, &s), own);
    }
}

bool cardo_rows_are_turned(const cardo_system *system, const cardo_state *state, int constraint)
{
    const constraint_plan *plan = &list_of(system)->plans[constraint];
    sight s;
    return plan->kind->is_turned &&
           plan->kind->is_turned(plan->shape.data, look(system, state, plan, false, &s));
}

double cardo_row_of_motion(const cardo_system *system, const cardo_state *state,
                           const constraint_plan *plan, int own, const cardo_spatial *motions,
                           const double *speeds)
{
    const constraint_shape *s = &plan->shape;
    const row_arrays *rows = &state->cache->constraints->rows;
    const cardo_spatial *bodies = rows->bodies + plan->spatial_first + own * s->nbody;
    const double *mobilities = rows->mobilities + plan->mobility_first + own * s->nmobility;
    double sum = 0;
    for (int b = 0; b < s->nbody; ++b) {
        const int k = s->bodies[b];
        if (k == 0)
            continue;
        const cardo_vec3 origin = body_origin(&state->cache->nodes[k], &system->bodies[k]);
        sum += spatial_dot(bodies[b], motion_shift(motions[k], origin));
    }
    for (int j = 0; j < s->nmobility; ++j)
        sum += mobilities[j] * speeds[plan->mobilities[j]];
    return sum;
}

void cardo_rows_of_motion(const cardo_system *system, const cardo_state *state,
                          const cardo_spatial *motions, const double *speeds, double *out)
{
    const constraint_list *list = list_of(system);
    for (int i = 0; i < list->head.count; ++i)
        for (int own = 0; own < list->plans[i].nrow; ++own)
            out[row_of(&list->plans[i], own)] =
                is_on(state, i)
                    ? cardo_row_of_motion(system, state, &list->plans[i], own, motions, speeds)
                    : 0;
}

double cardo_row_size(const cardo_system *system, const cardo_state *state, int row)
{
    const constraint_cache *c = state->cache->constraints;
    const constraint_plan *plan = &list_of(system)->plans[c->place[2 * row]];
    const constraint_shape *s = &plan->shape;
    const int own = c->place[2 * row + 1];
    const cardo_spatial *bodies = c->rows.bodies + plan->spatial_first + own * s->nbody;
    const double *mobilities = c->rows.mobilities + plan->mobility_first + own * s->nmobility;
    double sum = 0;
    for (int b = 0; b < s->nbody; ++b)
        sum += s->bodies[b] > 0 ? spatial_dot(bodies[b], bodies[b]) : 0;
    for (int j = 0; j < s->nmobility; ++j)
        sum += mobilities[j] * mobilities[j];
    return sum > 0 ? sum : 1;
}

void cardo_row_add_forces(const cardo_system *system, const cardo_state *state,
                          const constraint_plan *plan, int own, double factor,
                          cardo_spatial *forces, double *tau)
{
    const constraint_shape *s = &plan->shape;
    const row_arrays *rows = &state->cache->constraints->rows;
    const cardo_spatial *bodies = rows->bodies + plan->spatial_first + own * s->nbody;
    const double *mobilities = rows->mobilities + plan->mobility_first + own * s->nmobility;
    for (int b = 0; b < s->nbody; ++b) {
        const int k = s->bodies[b];
        if (k == 0)
            continue;
        const cardo_vec3 origin = body_origin(&state->cache->nodes[k], &system->bodies[k]);
        forces[k] = spatial_add_scaled(forces[k], factor, force_shift(bodies[b], origin));
    }
    for (int j = 0; j < s->nmobility; ++j)
        tau[plan->mobilities[j]] += factor * mobilities[j];
}

void cardo_rows_add_forces(const cardo_system *system, const cardo_state *state,
                           const double *multipliers, cardo_spatial *forces, double *tau)
{
    const constraint_list *list = list_of(system);
    for (int i = 0; i < list->head.count; ++i)
        for (int own = 0; is_on(state, i) && own < list->plans[i].nrow; ++own)
            cardo_row_add_forces(system, state, &list->plans[i], own,
                                 multipliers[row_of(&list->plans[i], own)], forces, tau);
}

void cardo_rows_add_force_rates(const cardo_system *system, const cardo_state *state,
                                const double *multipliers, cardo_spatial *forces, double *tau)
{
    const constraint_list *list = list_of(system);
    const constraint_cache *c = state->cache->constraints;
    for (int i = 0; i < list->head.count; ++i) {
        const constraint_plan *plan = &list->plans[i];
        const constraint_shape *s = &plan->shape;
        for (int own = 0; is_on(state, i) && own < plan->nrow; ++own) {
            const double factor = multipliers[row_of(plan, own)];
            const cardo_spatial *bodies = c->rows.bodies + plan->spatial_first + own * s->nbody;
            const cardo_spatial *rates = c->rates.bodies + plan->spatial_first + own * s->nbody;
            const double *mobilities =
                c->rates.mobilities + plan->mobility_first + own * s->nmobility;
            for (int b = 0; b < s->nbody; ++b) {
                const int k = s->bodies[b];
                if (k == 0)
                    continue;
                const cardo_vec3 origin = body_origin(&state->cache->nodes[k], &system->bodies[k]);
                const cardo_vec3 v = velocity_of(system, state, k).linear;
                cardo_spatial f = force_shift(rates[b], origin);
                f.angular = v3_add(f.angular, v3_cross(v, bodies[b].linear));
                forces[k] = spatial_add_scaled(forces[k], factor, f);
            }
            for (int j = 0; j < s->nmobility; ++j)
                tau[plan->mobilities[j]] += factor * mobilities[j];
        }
    }
}

void cardo_rows_drift(const cardo_system *system, const cardo_state *state, double *out)
{
    const constraint_list *list = list_of(system);
    const row_arrays *rates = &state->cache->constraints->rates;
    for (int i = 0; i < list->head.count; ++i) {
        const constraint_plan *plan = &list->plans[i];
        const constraint_shape *s = &plan->shape;
        cardo_spatial V[CARDO_CONSTRAINT_MAX_BODIES];
        for (int b = 0; b < s->nbody; ++b)
            V[b] = velocity_of(system, state, s->bodies[b]);
        for (int own = 0; own < plan->nrow; ++own) {
            const cardo_spatial *bodies = rates->bodies + plan->spatial_first + own * s->nbody;
            const double *mobilities =
                rates->mobilities + plan->mobility_first + own * s->nmobility;
            double sum = rates->offset[plan->row_first + own];
            for (int b = 0; b < s->nbody; ++b)
                sum += spatial_dot(bodies[b], V[b]);
            for (int j = 0; j < s->nmobility; ++j)
                sum += mobilities[j] * state->u[plan->mobilities[j]];
            out[row_of(plan, own)] = is_on(state, i) ? sum : 0;
        }
    }
}

void cardo_rows_add_accelerations(const cardo_system *system, const cardo_state *state,
                                  bool of_tree, double *out)
{
    const constraint_list *list = list_of(system);
    const state_cache *cache = state->cache;
    const row_arrays *rows = &cache->constraints->rows;
    for (int i = 0; i < list->head.count; ++i) {
        const constraint_plan *plan = &list->plans[i];
        const constraint_shape *s = &plan->shape;
        cardo_spatial A[CARDO_CONSTRAINT_MAX_BODIES];
        for (int b = 0; b < s->nbody; ++b) {
            const int k = s->bodies[b];
            const body_node *node = &cache->nodes[k];
            cardo_spatial a = node->bias_acceleration;
            if (of_tree) {
                a = spatial_add(a, node->a);
                a.linear = v3_add(a.linear, system->gravity);
            }
            A[b] = k == 0 ? spatial_zero() : cardo_acceleration_at_origin(system, k, node, a);
        }
        for (int own = 0; is_on(state, i) && own < plan->nrow; ++own) {
            const cardo_spatial *bodies = rows->bodies + plan->spatial_first + own * s->nbody;
            const double *mobilities = rows->mobilities + plan->mobility_first + own * s->nmobility;
            double sum = 0;
            for (int b = 0; b < s->nbody; ++b)
                sum += spatial_dot(bodies[b], A[b]);
            for (int j = 0; of_tree && j < s->nmobility; ++j)
                sum += mobilities[j] * cache->udot[plan->mobilities[j]];
            out[row_of(plan, own)] += sum;
        }
    }
}

void cardo_rows_acceleration(const cardo_system *system, const cardo_state *state, double *out)
{
    cardo_rows_drift(system, state, out);
    cardo_rows_add_accelerations(system, state, true, out);
}

void cardo_rows_apply(const cardo_system *system, const cardo_state *state,
                      const double *multipliers, cardo_spatial *body_forces,
                      double *mobility_forces)
{
    const constraint_list *list = list_of(system);
    const row_arrays *rows = &state->cache->constraints->rows;
    for (int i = 0; i < list->head.count; ++i) {
        const constraint_plan *plan = &list->plans[i];
        const constraint_shape *s = &plan->shape;
        for (int own = 0; is_on(state, i) && own < plan->nrow; ++own) {
            const double factor = -multipliers[row_of(plan, own)];
            const cardo_spatial *bodies = rows->bodies + plan->spatial_first + own * s->nbody;
            const double *mobilities = rows->mobilities + plan->mobility_first + own * s->nmobility;
            for (int b = 0; b < s->nbody; ++b)
                body_forces[s->bodies[b]] =
                    spatial_add_scaled(body_forces[s->bodies[b]], factor, bodies[b]);
            for (int j = 0; j < s->nmobility; ++j)
                mobility_forces[plan->mobilities[j]] += factor * mobilities[j];
        }
    }
}

void cardo_rows_sum_forces(const cardo_system *system, const cardo_state *state,
                           cardo_spatial *forces, double *generalized)
{
    const body_node *nodes = state->cache->nodes;
    const double *maps = state->cache->maps;
    for (int k = system->nbody - 1; k > 0; --k) {
        const body_plan *body = &system->bodies[k];
        double own[CARDO_MOBILIZER_MAX_U] = {0};
        HINGE_SWITCH(body->form,
                     hinge_project(form, body->nu, maps + body->map_first, forces[k], own))
        for (int j = 0; j < body->nu; ++j)
            generalized[body->u_first + j] += own[j];
        cardo_spatial f = forces[k];
        if (body->own_point)
            f = force_shift(f, reference_shift(nodes, body, k));
        forces[body->parent] = spatial_add(forces[body->parent], f);
        forces[k] = spatial_zero();
    }
    forces[0] = spatial_zero();
}
