/* Constraints are added to a system, numbered when it is finalized, and given memory in its states. */
#include "base/memory.h"
#include "base/text.h"
#include "multibody/constraints/parts/coincident.h"
#include "multibody/manifold/eliminate.h"
#include "multibody/manifold/excess.h"
#include "multibody/manifold/operations.h"
#include "multibody/manifold/roots.h"
#include "multibody/manifold/set.h"

#include <stdio.h>
#include <string.h>

static void switch_first(const cardo_system *system, cardo_state *state)
{
    const constraint_list *list = (const constraint_list *)system->constraints;
    for (int i = 0; i < list->head.count; ++i)
        state->switched_off[i] = list->plans[i].starts_off;
}

static const constraint_operations operations = {
    .finalize = cardo_constraint_finalize,
    .destroy = cardo_constraint_destroy_list,
    .create_cache = cardo_constraint_create_cache,
    .switch_first = switch_first,
    .destroy_cache = cardo_constraint_destroy_cache,
    .copy_cache = cardo_constraint_copy_cache,
    .accelerate = cardo_constrain_accelerations,
};

static void release_plan(constraint_plan *plan)
{
    if (plan->kind && plan->kind->release)
        plan->kind->release(plan->shape.data);
    else
        cardo_free(plan->shape.data);
    cardo_free(plan->name);
}

cardo_status cardo_constraint_make_list(cardo_system *system, cardo_error *error)
{
    constraint_list *list = NULL;
    if (system->constraints)
        return CARDO_OK;
    cardo_status status = CARDO_ALLOCATE(&list, 1, error);
    if (status != CARDO_OK)
        return status;
    list->head.operations = &operations;
    system->constraints = &list->head;
    return CARDO_OK;
}

cardo_status cardo_system_add_constraint(cardo_system *system, const cardo_constraint *constraint,
                                         const char *name, const void *parameters, int *index,
                                         cardo_error *error)
{
    constraint_plan plan = {.kind = constraint};
    cardo_status status;
    if (system->finalized)
        return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT,
                          "the system is finalized: constraints are added before that");
    CARDO_TRY(cardo_constraint_make_list(system, error));
    constraint_list *list = (constraint_list *)system->constraints;
    CARDO_TRY(CARDO_RESERVE(&list->plans, &list->capacity, list->head.count + 1, error));
    CARDO_TRY(cardo_copy_string(&plan.name, name, error));
    CARDO_TRY(constraint->compile(system, parameters, &plan.shape, error));
    plan.nrow = plan.shape.nposition + plan.shape.nvelocity + plan.shape.nacceleration;
    list->plans[list->head.count] = plan;
    if (index)
        *index = list->head.count;
    ++list->head.count;
    return CARDO_OK;
done:
    release_plan(&plan);
    return cardo_error_prefix(error, "constraint %s%s(%s): ", name ? name : "", name ? " " : "",
                              constraint->name);
}

cardo_status cardo_system_start_constraint(cardo_system *system, int index, bool on,
                                           cardo_error *error)
{
    constraint_list *list = (constraint_list *)system->constraints;
    if (system->finalized)
        return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT,
                          "the system is finalized: switch the constraints of its states");
    if (!list || index < 0 || index >= list->head.count)
        return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT, "there is no constraint number %d", index);
    list->plans[index].starts_off = !on;
    return CARDO_OK;
}

void cardo_constraint_destroy_list(cardo_system *system)
{
    constraint_list *list = (constraint_list *)system->constraints;
    for (int i = 0; i < list->head.count; ++i)
        release_plan(&list->plans[i]);
    cardo_elimination_release(list);
    cardo_roots_release(list);
    cardo_free(list->child_first);
    cardo_free(list->child_next);
    cardo_free(list->plans);
    cardo_free(list);
    system->constraints = NULL;
}

/* The nearest body that carries all on which the constraint acts: mobilities act between a body and its parent. */
static int ancestor_of(const cardo_system *system, const constraint_shape *shape)
{
    int ancestor = -1;
    for (int b = 0; b < shape->nbody; ++b)
        ancestor = ancestor < 0 ? shape->bodies[b]
                                : cardo_constraint_ancestor(system, ancestor, shape->bodies[b]);
    for (int i = 0; i < shape->nmobility; ++i) {
        const int parent = system->bodies[shape->mobilities[i].body].parent;
        ancestor = ancestor < 0 ? parent : cardo_constraint_ancestor(system, ancestor, parent);
    }
    return ancestor < 0 ? 0 : ancestor;
}

static bool is_identity(const cardo_transform *X)
{
    const cardo_transform identity = cardo_transform_identity();
    return memcmp(X, &identity, sizeof identity) == 0;
}

/* Children of bodies, and what elimination needs. */
static cardo_status plan_tree(const cardo_system *system, constraint_list *list, cardo_error *error)
{
    cardo_status status;
    cardo_free(list->child_first);
    cardo_free(list->child_next);
    list->child_first = list->child_next = NULL;
    CARDO_TRY(CARDO_ALLOCATE(&list->child_first, system->nbody, error));
    CARDO_TRY(CARDO_ALLOCATE(&list->child_next, system->nbody, error));
    for (int k = system->nbody - 1; k > 0; --k) {
        const int parent = system->bodies[k].parent;
        list->child_next[k] = list->child_first[parent];
        list->child_first[parent] = k;
    }
    CARDO_TRY(cardo_elimination_plan(system, list, error));
    list->room = cardo_elimination_room(system, list);
    cardo_excess_plan(system, list);
    CARDO_TRY(cardo_roots_plan(system, list, error));
done:
    return status;
}

cardo_status cardo_constraint_finalize(cardo_system *system, cardo_error *error)
{
    constraint_list *list = (constraint_list *)system->constraints;
    list->nposition = list->nvelocity = list->nacceleration = list->nrow = 0;
    list->nspatial = list->nmobility = list->nbody = 0;
    for (int i = 0; i < list->head.count; ++i) {
        constraint_plan *plan = &list->plans[i];
        const constraint_shape *s = &plan->shape;
        plan->row_first = list->nrow;
        plan->first_position = list->nposition;
        plan->first_velocity = list->nvelocity;
        plan->first_acceleration = list->nacceleration;
        plan->spatial_first = list->nspatial;
        plan->mobility_first = list->nmobility;
        plan->body_first = list->nbody;
        plan->ancestor = ancestor_of(system, s);
        plan->is_M = 0;
        for (int b = 0; b < s->nbody; ++b)
            plan->is_M |= (unsigned)is_identity(&system->bodies[s->bodies[b]].X_MB) << b;
        list->nrow += plan->nrow;
        list->nbody += s->nbody;
        list->nposition += s->nposition;
        list->nvelocity += s->nvelocity;
        list->nacceleration += s->nacceleration;
        list->nspatial += plan->nrow * s->nbody;
        list->nmobility += plan->nrow * s->nmobility;
        for (int c = 0; c < s->ncoordinate; ++c)
            plan->coordinates[c] =
                system->bodies[s->coordinates[c].body].q_first + s->coordinates[c].coordinate;
        for (int m = 0; m < s->nmobility; ++m)
            plan->mobilities[m] =
                system->bodies[s->mobilities[m].body].u_first + s->mobilities[m].mobility;
    }
    for (int i = 0; i < list->head.count; ++i) {
        list->plans[i].first_velocity += list->nposition;
        list->plans[i].first_acceleration += list->nposition + list->nvelocity;
    }
    return plan_tree(system, list, error);
}

/* ---- memory of a state ---- */

/* Takes room for count numbers, or only counts while block is NULL. */
static double *take(double *block, size_t *used, size_t count)
{
    double *memory = block ? block + *used : NULL;
    *used += (count + 7) / 8 * 8;
    return memory;
}

static size_t lay_out(const cardo_system *system, constraint_cache *c, double *block)
{
    const constraint_list *list = list_of(system);
    const size_t nrow = (size_t)list->nrow, nu = (size_t)system->nu;
    const size_t nspatial = 6 * (size_t)list->nspatial, nmobility = (size_t)list->nmobility;
    const size_t half = (nrow + 1) / 2, bodies = ((size_t)system->nbody + 1) / 2; /* of integers */
    size_t used = 0;
    c->rows.bodies = (cardo_spatial *)take(block, &used, nspatial);
    c->rows.mobilities = take(block, &used, nmobility);
    c->rows.offset = take(block, &used, nrow);
    c->rates.bodies = (cardo_spatial *)take(block, &used, nspatial);
    c->rates.mobilities = take(block, &used, nmobility);
    c->rates.offset = take(block, &used, nrow);
    c->rows_size = used / 2 * sizeof(double);
    c->origins = (cardo_vec3 *)take(block, &used, 3 * (size_t)list->nbody);
    c->multipliers = take(block, &used, nrow);
    c->vector = take(block, &used, nrow);
    c->scale = take(block, &used, nrow);
    c->errors = take(block, &used, nrow);
    c->multiplied = take(block, &used, nrow);
    c->more = take(block, &used, nrow);
    c->speeds = take(block, &used, nu);
    c->tau = take(block, &used, nu);
    c->inverse = take(block, &used, nu);
    c->slope = take(block, &used, nu);
    c->last = take(block, &used, nu);
    c->start = take(block, &used, (size_t)system->nq);
    c->best = take(block, &used, (size_t)system->nq);
    c->closed = take(block, &used, (size_t)system->nq);
    c->force = (cardo_spatial *)take(block, &used, 6 * (size_t)system->nbody);
    c->Y = take(block, &used, nrow * nrow);
    c->shortest = take(block, &used, nrow * nrow);
    c->at_hinges = (root_rows *)take(block, &used, (size_t)list->nroot * sizeof(root_rows) / 8);
    c->active = (int *)take(block, &used, half);
    c->closing = (int *)take(block, &used, half);
    c->at = (int *)take(block, &used, half);
    c->slot = (int *)take(block, &used, half);
    c->alive = (int *)take(block, &used, half);
    c->visit_first = (int *)take(block, &used, bodies);
    c->visit_end = (int *)take(block, &used, bodies);
    c->eliminated_end = (int *)take(block, &used, bodies);
    c->kid_first = (int *)take(block, &used, bodies);
    c->kid_next = (int *)take(block, &used, bodies);
    c->stiffened = (bool *)take(block, &used, bodies);
    c->touched = (bool *)take(block, &used, bodies);
    c->factors = take(block, &used, (size_t)system->nfactor);
    if (list->stabilization.method == CARDO_STABILIZATION_PARTITIONING) {
        c->jacobian = take(block, &used, nrow * (nu + 1));
        c->dependent = (int *)take(block, &used, (nu + nrow + 1) / 2);
    }
    c->left = (articulated_inertia *)take(block, &used,
                                          (size_t)system->nbody * sizeof(articulated_inertia) / 8);
    c->visits =
        (row_visit *)take(block, &used, (size_t)list->room * cardo_elimination_visit_size() / 8);
    c->room = list->room;
    c->order = (int *)take(block, &used, half);
    c->place = (int *)take(block, &used, 2 * half);
    return used;
}

cardo_status cardo_constraint_create_cache(const cardo_system *system, constraint_cache **out,
                                           cardo_error *error)
{
    constraint_cache *cache = NULL;
    cardo_status status;
    *out = NULL;
    CARDO_TRY(CARDO_ALLOCATE(&cache, 1, error));
    cache->size = lay_out(system, cache, NULL);
    CARDO_TRY(CARDO_ALLOCATE(&cache->block, cache->size, error));
    lay_out(system, cache, cache->block);
    const constraint_list *list = list_of(system);
    for (int i = 0; i < list->head.count; ++i)
        for (int r = 0; r < list->plans[i].nrow; ++r) {
            int *place = cache->place + 2 * row_of(&list->plans[i], r);
            place[0] = i;
            place[1] = r;
        }
    *out = cache;
    cache = NULL;
done:
    cardo_constraint_destroy_cache(cache);
    return status;
}

void cardo_constraint_destroy_cache(constraint_cache *cache)
{
    if (cache)
        cardo_free(cache->block);
    cardo_free(cache);
}

void cardo_constraint_copy_cache(constraint_cache *to, const constraint_cache *from)
{
    memcpy(to->block, from->block, from->size * sizeof *from->block);
    to->placed = from->placed;
    to->time = from->time;
    to->has_rows = from->has_rows;
    to->factored = from->factored;
    to->eliminated = from->eliminated;
    to->at_roots = from->at_roots;
    to->refused = from->refused;
    to->nvisit = from->nvisit;
    to->nalive = from->nalive;
    to->weakest = from->weakest;
    to->limit = from->limit;
    to->nactive = from->nactive;
    to->rank = from->rank;
}

/* ---- what a system answers ---- */

void cardo_system_constraint_counts(const cardo_system *system, cardo_constraint_counts *counts)
{
    const constraint_list *list = list_of(system);
    *counts = (cardo_constraint_counts){0};
    if (list)
        *counts = (cardo_constraint_counts){list->head.count, list->nposition, list->nvelocity,
                                            list->nacceleration, list->nrow};
}

static cardo_status check_index(const cardo_system *system, int index, cardo_error *error)
{
    const int count = system->constraints ? system->constraints->count : 0;
    if (index >= 0 && index < count)
        return CARDO_OK;
    return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT, "there is no constraint %d: there are %d", index,
                      count);
}

cardo_status cardo_system_constraint(const cardo_system *system, int index,
                                     cardo_constraint_info *info, cardo_error *error)
{
    cardo_status status = check_index(system, index, error);
    if (status != CARDO_OK)
        return status;
    const constraint_plan *plan = &list_of(system)->plans[index];
    *info = (cardo_constraint_info){.name = plan->name,
                                    .constraint = plan->kind,
                                    .nposition = plan->shape.nposition,
                                    .nvelocity = plan->shape.nvelocity,
                                    .nacceleration = plan->shape.nacceleration,
                                    .first_position = plan->first_position,
                                    .first_velocity = plan->first_velocity,
                                    .first_acceleration = plan->first_acceleration,
                                    .ancestor = plan->ancestor};
    return CARDO_OK;
}

int cardo_system_find_constraint(const cardo_system *system, const char *name)
{
    const constraint_list *list = list_of(system);
    for (int i = 0; list && i < list->head.count; ++i)
        if (list->plans[i].name && strcmp(list->plans[i].name, name) == 0)
            return i;
    return -1;
}

char *cardo_constraint_row_name(const cardo_system *system, int row,
                                char text[CARDO_CONSTRAINT_ROW_NAME])
{
    const constraint_list *list = list_of(system);
    snprintf(text, CARDO_CONSTRAINT_ROW_NAME, "row %d", row);
    for (int i = 0; list && i < list->head.count; ++i) {
        const constraint_plan *plan = &list->plans[i];
        for (int own = 0; own < plan->nrow; ++own) {
            char number[24];
            if (row_of(plan, own) != row)
                continue;
            snprintf(number, sizeof number, "row %d", own + 1);
            const char *what = plan->kind->row_names ? plan->kind->row_names[own] : number;
            if (plan->name)
                snprintf(text, CARDO_CONSTRAINT_ROW_NAME, "%.80s (%s), %s", plan->name,
                         plan->kind->name, what);
            else
                snprintf(text, CARDO_CONSTRAINT_ROW_NAME, "constraint %d (%s), %s", i,
                         plan->kind->name, what);
        }
    }
    return text;
}

cardo_status cardo_state_set_constraint(cardo_state *state, int index, bool on, cardo_error *error)
{
    cardo_status status = check_index(state->system, index, error);
    if (status != CARDO_OK)
        return status;
    if (is_on(state, index) == on)
        return CARDO_OK;
    state->switched_off[index] = on ? 0 : 1;
    state->cache->constraints->factored = state->cache->constraints->eliminated = false;
    cardo_state_lower_stage(state, CARDO_STAGE_DYNAMICS);
    return CARDO_OK;
}

bool cardo_state_has_constraint(const cardo_state *state, int index)
{
    return check_index(state->system, index, NULL) == CARDO_OK && is_on(state, index);
}
