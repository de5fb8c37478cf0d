#include "multibody/manifold/rows.h"
#include "multibody/tree/tree_pass.h"

#include <string.h>

/* The pose of a body; is_M: its frame is M. */
ALWAYS_INLINE cardo_transform pose_of(const cardo_system *system, const state_cache *cache,
                                      int body, bool is_M)
{
    if (body == 0)
        return xform_identity();
    cardo_transform X_GM = frame_transform(&cache->nodes[body].X);
    X_GM.p = v3_add(cache->nodes[body].O, X_GM.p);
    return is_M ? X_GM : xform_mul(X_GM, system->bodies[body].X_MB);
}

static cardo_spatial velocity_of(const state_cache *cache, int body, cardo_vec3 origin)
{
    return body == 0 ? spatial_zero() : motion_shift(cache->nodes[body].V, origin);
}

/* A constraint's bodies as it sees them. */
typedef struct sight {
    cardo_transform X_GB[CARDO_CONSTRAINT_MAX_BODIES];
    cardo_spatial V_GB[CARDO_CONSTRAINT_MAX_BODIES];
    cardo_constraint_work work;
} sight;

static inline void look(const cardo_system *system, const cardo_state *state,
                        const constraint_plan *plan, bool moving, sight *s)
{
    const state_cache *cache = state->cache;
    cardo_vec3 *origins = cache->constraints->origins + plan->body_first;
    for (int b = 0; b < plan->shape.nbody; ++b) {
        const int k = plan->shape.bodies[b];
        s->X_GB[b] = pose_of(system, cache, k, plan->is_M >> b & 1U);
        origins[b] = v3_sub(s->X_GB[b].p, cache->nodes[k].O);
        if (moving)
            s->V_GB[b] = velocity_of(cache, k, origins[b]);
    }
    s->work.system = system;
    s->work.time = state->time;
    s->work.q = state->q;
    s->work.u = moving ? state->u : NULL;
    s->work.coordinates = plan->coordinates;
    s->work.mobilities = plan->mobilities;
    s->work.X_GB = s->X_GB;
    s->work.V_GB = moving ? s->V_GB : NULL;
}

/* The part of a constraint. */
static inline cardo_constraint_rows part_of(const constraint_plan *plan, const row_arrays *arrays)
{
    return (cardo_constraint_rows){arrays->bodies + plan->spatial_first,
                                   arrays->mobilities + plan->mobility_first,
                                   arrays->offset + plan->row_first};
}

static bool is_known(const cardo_state *state)
{
    const constraint_cache *c = state->cache->constraints;
    return c->has_rows && c->placed == state->cache->placed &&
           memcmp(&c->time, &state->time, sizeof c->time) == 0;
}

static void make_known(const cardo_state *state)
{
    constraint_cache *c = state->cache->constraints;
    c->placed = state->cache->placed;
    c->time = state->time;
    c->has_rows = true;
    c->factored = c->eliminated = false;
}

void cardo_rows_prepare(const cardo_system *system, const cardo_state *state)
{
    const constraint_list *list = list_of(system);
    constraint_cache *c = state->cache->constraints;
    if (is_known(state))
        return;
    memset(c->rows.bodies, 0, c->rows_size);
    for (int i = 0; i < list->head.count; ++i) {
        const constraint_plan *plan = &list->plans[i];
        sight s;
        cardo_constraint_rows out = part_of(plan, &c->rows);
        look(system, state, plan, false, &s);
        plan->kind->rows(plan->shape.data, &s.work, &out);
    }
    make_known(state);
}

void cardo_rows_prepare_rates(const cardo_system *system, const cardo_state *state)
{
    const constraint_list *list = list_of(system);
    constraint_cache *c = state->cache->constraints;
    memset(c->rates.bodies, 0, c->rows_size);
    for (int i = 0; i < list->head.count; ++i) {
        const constraint_plan *plan = &list->plans[i];
        sight s;
        cardo_constraint_rows out = part_of(plan, &c->rates);
        if (!plan->kind->rates)
            continue;
        look(system, state, plan, true, &s);
        plan->kind->rates(plan->shape.data, &s.work, &out);
        if (plan->kind->entry_rates)
            plan->kind->entry_rates(plan->shape.data, &s.work, &out);
    }
}

/* Acceleration of a body's frame as the tree's pass has realized it, or without that pass at udot = 0. */
static inline cardo_spatial acceleration_of(const cardo_system *system, const state_cache *cache,
                                            int k, bool of_tree, cardo_vec3 origin,
                                            const cardo_spatial *V)
{
    const body_node *node = &cache->nodes[k];
    cardo_spatial a = node->bias_acceleration;
    if (k == 0)
        return spatial_zero();
    if (of_tree) {
        a = spatial_add(a, node->a);
        a.linear = v3_add(a.linear, system->gravity);
    }
    a = motion_shift(a, origin);
    /* from the acceleration of what passes the point to that of the point itself */
    a.linear = v3_add(a.linear, v3_cross(V->angular, V->linear));
    return a;
}

/* A row of constraint's accelerations: bodies that move with V and accelerate by A, mobilities by udot, NULL: 0. */
ALWAYS_INLINE double row_acceleration(const constraint_plan *plan,
                                      const cardo_constraint_rows *rows,
                                      const cardo_constraint_rows *rates, int own, const int nbody,
                                      const cardo_spatial *V, const cardo_spatial *A,
                                      const double *u, const double *udot)
{
    const cardo_spatial *at_row = rows->bodies + own * nbody,
                        *at_rate = rates->bodies + own * nbody;
    const int nmobility = plan->shape.nmobility;
    const double *row = rows->mobilities + own * nmobility;
    const double *rate = rates->mobilities + own * nmobility;
    double sum = rates->offset[own];
    for (int b = 0; b < nbody; ++b)
        sum += spatial_dot(spatial_load(&at_rate[b]), V[b]) +
               spatial_dot(spatial_load(&at_row[b]), A[b]);
    for (int j = 0; j < nmobility; ++j) {
        sum += rate[j] * u[plan->mobilities[j]];
        if (udot)
            sum += row[j] * udot[plan->mobilities[j]];
    }
    return sum;
}

TREE_PASS void cardo_rows_accelerations(const cardo_system *system, const cardo_state *state,
                                        bool of_tree, double *out)
{
    const constraint_list *list = list_of(system);
    const state_cache *cache = state->cache;
    constraint_cache *c = cache->constraints;
    const bool known = is_known(state);
    const double *u = state->u, *udot = of_tree ? cache->udot : NULL;
    memset(known ? c->rates.bodies : c->rows.bodies, 0, known ? c->rows_size : 2 * c->rows_size);
    for (int i = 0; i < list->head.count; ++i) {
        const constraint_plan *plan = &list->plans[i];
        const int nbody = plan->shape.nbody;
        cardo_constraint_rows rows = part_of(plan, &c->rows), rates = part_of(plan, &c->rates);
        cardo_spatial A[CARDO_CONSTRAINT_MAX_BODIES];
        sight s;
        look(system, state, plan, true, &s);
        if (!known && plan->kind->rows_and_rates)
            plan->kind->rows_and_rates(plan->shape.data, &s.work, &rows, &rates);
        else {
            if (!known)
                plan->kind->rows(plan->shape.data, &s.work, &rows);
            if (plan->kind->rates)
                plan->kind->rates(plan->shape.data, &s.work, &rates);
        }
        const cardo_vec3 *origins = c->origins + plan->body_first;
        for (int b = 0; b < nbody; ++b)
            A[b] = acceleration_of(system, cache, plan->shape.bodies[b], of_tree, origins[b],
                                   &s.V_GB[b]);
        const bool on = is_on(state, i);
        for (int own = 0; own < plan->nrow; ++own) {
            double sum;
            if (nbody == 0)
                sum = row_acceleration(plan, &rows, &rates, own, 0, s.V_GB, A, u, udot);
            else if (nbody == 1)
                sum = row_acceleration(plan, &rows, &rates, own, 1, s.V_GB, A, u, udot);
            else
                sum = row_acceleration(plan, &rows, &rates, own, nbody, s.V_GB, A, u, udot);
            out[row_of(plan, own)] = on ? sum : 0;
        }
    }
    if (!known)
        make_known(state);
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
        if (!is_on(state, i) || !plan->kind->position)
            continue;
        look(system, state, plan, false, &s);
        plan->kind->position(plan->shape.data, &s.work, own);
    }
}

bool cardo_rows_are_turned(const cardo_system *system, const cardo_state *state, int constraint)
{
    const constraint_plan *plan = &list_of(system)->plans[constraint];
    sight s;
    look(system, state, plan, false, &s);
    return plan->kind->is_turned && plan->kind->is_turned(plan->shape.data, &s.work);
}

double cardo_row_of_motion(const cardo_state *state, const constraint_plan *plan, int own,
                           const cardo_spatial *motions, const double *speeds)
{
    const constraint_shape *s = &plan->shape;
    const row_arrays *rows = &state->cache->constraints->rows;
    const cardo_vec3 *origins = state->cache->constraints->origins + plan->body_first;
    const cardo_spatial *bodies = rows->bodies + plan->spatial_first + own * s->nbody;
    const double *mobilities = rows->mobilities + plan->mobility_first + own * s->nmobility;
    double sum = 0;
    for (int b = 0; b < s->nbody; ++b) {
        const int k = s->bodies[b];
        if (k == 0)
            continue;
        sum += spatial_dot(bodies[b], motion_shift(motions[k], origins[b]));
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
                is_on(state, i) ? cardo_row_of_motion(state, &list->plans[i], own, motions, speeds)
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

void cardo_row_add_forces(const cardo_state *state, const constraint_plan *plan, int own,
                          double factor, cardo_spatial *forces, double *tau)
{
    const constraint_shape *s = &plan->shape;
    const row_arrays *rows = &state->cache->constraints->rows;
    const cardo_vec3 *origins = state->cache->constraints->origins + plan->body_first;
    const cardo_spatial *bodies = rows->bodies + plan->spatial_first + own * s->nbody;
    const double *mobilities = rows->mobilities + plan->mobility_first + own * s->nmobility;
    for (int b = 0; b < s->nbody; ++b) {
        const int k = s->bodies[b];
        if (k == 0)
            continue;
        forces[k] = spatial_add_scaled(forces[k], factor, force_shift(bodies[b], origins[b]));
    }
    for (int j = 0; j < s->nmobility; ++j)
        tau[plan->mobilities[j]] += factor * mobilities[j];
}

void cardo_row_spread(const cardo_system *system, const cardo_state *state,
                      const constraint_plan *plan, int own, double *row)
{
    const constraint_shape *s = &plan->shape;
    const state_cache *cache = state->cache;
    const row_arrays *rows = &cache->constraints->rows;
    const cardo_vec3 *origins = cache->constraints->origins + plan->body_first;
    const cardo_spatial *bodies = rows->bodies + plan->spatial_first + own * s->nbody;
    const double *mobilities = rows->mobilities + plan->mobility_first + own * s->nmobility;
    for (int b = 0; b < s->nbody; ++b) {
        if (s->bodies[b] == 0)
            continue;
        cardo_spatial f = force_shift(bodies[b], origins[b]);
        for (int k = s->bodies[b]; k != row_reach(plan); k = system->bodies[k].parent) {
            const body_plan *body = &system->bodies[k];
            double along[CARDO_MOBILIZER_MAX_U] = {0};
            HINGE_SWITCH(body->form,
                         hinge_project(form, body->nu, cache->maps + body->map_first, f, along))
            for (int j = 0; j < body->nu; ++j)
                row[body->u_first + j] += along[j];
            if (body->own_point)
                f = force_shift(f, reference_shift(cache->nodes, body, k));
        }
    }
    for (int j = 0; j < s->nmobility; ++j)
        row[plan->mobilities[j]] += mobilities[j];
}

void cardo_rows_add_forces(const cardo_system *system, const cardo_state *state,
                           const double *multipliers, cardo_spatial *forces, double *tau)
{
    const constraint_list *list = list_of(system);
    for (int i = 0; i < list->head.count; ++i)
        for (int own = 0; is_on(state, i) && own < list->plans[i].nrow; ++own)
            cardo_row_add_forces(state, &list->plans[i], own,
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
        const cardo_vec3 *origins = c->origins + plan->body_first;
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
                const cardo_vec3 v = velocity_of(state->cache, k, origins[b]).linear;
                cardo_spatial f = force_shift(rates[b], origins[b]);
                f.angular = v3_add(f.angular, v3_cross(v, bodies[b].linear));
                forces[k] = spatial_add_scaled(forces[k], factor, f);
            }
            for (int j = 0; j < s->nmobility; ++j)
                tau[plan->mobilities[j]] += factor * mobilities[j];
        }
    }
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
        if (!is_on(state, i))
            continue;
        const cardo_spatial *bodies = rows->bodies + plan->spatial_first;
        const double *mobilities = rows->mobilities + plan->mobility_first;
        for (int b = 0; b < s->nbody; ++b) {
            cardo_spatial f = body_forces[s->bodies[b]];
            for (int own = 0; own < plan->nrow; ++own)
                f = spatial_add_scaled(f, -multipliers[row_of(plan, own)],
                                       bodies[own * s->nbody + b]);
            body_forces[s->bodies[b]] = f;
        }
        for (int own = 0; own < plan->nrow; ++own)
            for (int j = 0; j < s->nmobility; ++j)
                mobility_forces[plan->mobilities[j]] +=
                    -multipliers[row_of(plan, own)] * mobilities[own * s->nmobility + j];
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
