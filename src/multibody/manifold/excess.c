/* Rows that are redundant by their number: two bodies move against each other in six ways, or in as many as there are mobilities
 * between them, and no more rows than that on their motion against each other are independent.
 *
 * Elimination would find out at its end, in vain. What is counted here depends on the tree, the constraints and their switches,
 * not on positions or on what was found before, so that a state that is restarted goes the way it went, bit by bit. Rows that
 * depend on others for another reason, as those of a parallelogram of links, are left to elimination to find. */
#include "multibody/manifold/excess.h"

/* Whether a constraint's rows are on nothing but the motion of two bodies against each other. */
static bool is_between_two(const constraint_plan *plan)
{
    return plan->shape.nbody == 2 && plan->shape.nmobility == 0 && !plan->kind->on_any_motion;
}

static bool are_alike(const constraint_shape *a, const constraint_shape *b)
{
    return (a->bodies[0] == b->bodies[0] && a->bodies[1] == b->bodies[1]) ||
           (a->bodies[0] == b->bodies[1] && a->bodies[1] == b->bodies[0]);
}

/* In how many ways two bodies move against each other, at most. */
static int motions_between(const cardo_system *system, int a, int b)
{
    int n = 0;
    while (a != b) {
        int *outer = a > b ? &a : &b;
        n += system->bodies[*outer].nu;
        *outer = system->bodies[*outer].parent;
    }
    return n < 6 ? n : 6;
}

void cardo_excess_plan(const cardo_system *system, constraint_list *list)
{
    for (int i = 0; i < list->head.count; ++i) {
        constraint_plan *plan = &list->plans[i];
        plan->next_alike = -1;
        plan->most_rows = 0;
        if (!is_between_two(plan))
            continue;
        for (int j = i - 1; j >= 0; --j)
            if (is_between_two(&list->plans[j]) && are_alike(&list->plans[j].shape, &plan->shape)) {
                list->plans[j].next_alike = i;
                break;
            }
        plan->most_rows = motions_between(system, plan->shape.bodies[0], plan->shape.bodies[1]);
    }
}

static int rows_below(const constraint_plan *plan, int limit)
{
    int n = 0;
    for (int own = 0; own < plan->nrow; ++own)
        n += row_of(plan, own) < limit;
    return n;
}

bool cardo_excess_is_certain(const cardo_system *system, const cardo_state *state, int limit)
{
    const constraint_list *list = list_of(system);
    for (int i = 0; i < list->head.count; ++i) {
        int n = 0;
        if (!is_between_two(&list->plans[i]))
            continue;
        for (int j = i; j >= 0; j = list->plans[j].next_alike)
            n += is_on(state, j) ? rows_below(&list->plans[j], limit) : 0;
        if (n > list->plans[i].most_rows)
            return true;
    }
    return false;
}
