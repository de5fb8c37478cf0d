/* ln det Y and its gradient.
 *
 * d ln det Y = tr(Y^-1 dY), and with Y^-1 = sum z z^T, x = M^-1 G^T z: sum (2 z^T dG x - x^T dM x). G is the gradient of p, so that
 * along any direction z^T dG x is what changes of G^T z while the system moves at speeds x, and half x^T dM x is Mdot x - c(x) there;
 * where directions do not commute both have the same term more, with the momentum M x = G^T z, which cancels. Joints without spin are
 * the exception: their two turns do not commute by a spin, [E_1, E_2] = E_3, that is none of their mobilities, and what the momentum
 * and G^T z are along it differs. */
#include "cardo/manifold.h"
#include "multibody/constraints/constraint.h"
#include "multibody/manifold/rows.h"
#include "multibody/manifold/semidefinite.h"
#include "multibody/manifold/solve.h"
#include "multibody/mobilizers/descriptor.h"
#include "multibody/quantities/momentum_rate.h"

#include <string.h>

static cardo_status factor_positions(const cardo_system *system, const cardo_state *state,
                                     const char *what, cardo_error *error)
{
    cardo_status status = cardo_require_stage(state, CARDO_STAGE_DYNAMICS, what, error);
    if (status == CARDO_OK && system->constraints)
        cardo_multipliers_factor(system, state, list_of(system)->nposition);
    return status;
}

cardo_status cardo_log_det_y(const cardo_system *system, const cardo_state *state, double *log_det,
                             cardo_error *error)
{
    *log_det = 0;
    cardo_status status = factor_positions(system, state, "ln det Y", error);
    if (status != CARDO_OK || !system->constraints)
        return status;
    const constraint_cache *c = state->cache->constraints;
    *log_det =
        cardo_semidefinite_log_det(c->nactive, list_of(system)->nrow, c->rank, c->Y, c->shortest);
    return CARDO_OK;
}

/* The spin that a joint's two turns lack, as a motion of its body about its reference point. */
static cardo_spatial lacking_spin(const cardo_state *state, const body_plan *body, int k)
{
    const body_node *nodes = state->cache->nodes, *node = &nodes[k], *parent = &nodes[body->parent];
    cardo_vec3 axis = frame_column(&node->X, 2), at = frame_position(&node->X);
    if (body->reversed) {
        frame_rows F;
        frame_product(&parent->X, &body->frame, &F);
        axis = v3_neg(frame_column(&F, 2));
        at = v3_sub(frame_position(&F), reference_shift(nodes, body, k));
    }
    return (cardo_spatial){axis, v3_cross(at, axis)};
}

/* What lacking spins add; forces: of G^T z less momenta, summed over what each body carries. */
static void add_spins(const cardo_system *system, const cardo_state *state,
                      const cardo_spatial *forces, double *gradient)
{
    for (int k = 1; k < system->nbody; ++k) {
        const body_plan *body = &system->bodies[k];
        if (!body->joint.mobilizer->lacks_spin)
            continue;
        const double *x = state->u + body->u_first;
        const double along = spatial_dot(lacking_spin(state, body, k), forces[k]);
        gradient[body->u_first] += 2 * x[1] * along;
        gradient[body->u_first + 1] -= 2 * x[0] * along;
    }
}

/* Adds 2 (d/dt (G^T z) - d/dt (M x) + c) at the state's speeds x; z (nrow) in c->errors. */
static void add_column(const cardo_system *system, cardo_state *state, double *gradient)
{
    constraint_cache *c = state->cache->constraints;
    const body_node *nodes = state->cache->nodes;
    cardo_spatial *forces = state->cache->scratch_z;
    cardo_pass_velocity(system, state);
    cardo_rows_prepare_rates(system, state);
    memset(c->tau, 0, (size_t)system->nu * sizeof *c->tau);
    cardo_rows_add_force_rates(system, state, c->errors, c->force, c->tau);
    cardo_rows_sum_forces(system, state, c->force, c->tau);
    for (int k = 0; k < system->nbody; ++k)
        forces[k] =
            k > 0 ? spatial_scale(-1, rigid_mul(system->bodies[k].mass, nodes[k].I, nodes[k].V))
                  : spatial_zero();
    cardo_rows_add_forces(system, state, c->errors, forces, c->speeds);
    cardo_sweep_rate(system, state, forces, c->speeds);
    add_spins(system, state, forces, gradient);
    for (int j = 0; j < system->nu; ++j)
        gradient[j] += 2 * (c->tau[j] + c->speeds[j]);
}

/* What a user's row on a line's speeds does along the spin that it lacks is nowhere told. */
static cardo_status check_callbacks(const cardo_system *system, const cardo_state *state,
                                    cardo_error *error)
{
    const constraint_list *list = list_of(system);
    for (int i = 0; i < list->head.count; ++i) {
        const constraint_plan *plan = &list->plans[i];
        if (plan->kind != &cardo_constraint_callback || plan->shape.nposition == 0)
            continue;
        for (int m = 0; is_on(state, i) && m < plan->shape.nmobility; ++m) {
            const int body = plan->shape.mobilities[m].body;
            if (system->bodies[body].joint.mobilizer->lacks_spin)
                return CARDO_FAIL(
                    error, CARDO_ERROR_UNSUPPORTED,
                    "constraint %d%s%s has rows of its own on speeds of body %d, whose %s "
                    "mobilizer does not spin: the gradient of ln det Y is not known there",
                    i, plan->name ? " " : "", plan->name ? plan->name : "", body,
                    system->bodies[body].joint.mobilizer->name);
        }
    }
    return CARDO_OK;
}

cardo_status cardo_log_det_y_gradient(const cardo_system *system, cardo_state *state,
                                      double *gradient, cardo_error *error)
{
    for (int j = 0; j < system->nu; ++j)
        gradient[j] = 0;
    cardo_status status = factor_positions(system, state, "the gradient of ln det Y", error);
    if (status != CARDO_OK || !system->constraints)
        return status;
    const constraint_list *list = list_of(system);
    constraint_cache *c = state->cache->constraints;
    status = check_callbacks(system, state, error);
    if (status != CARDO_OK)
        return status;
    if (system->nu > 0)
        memcpy(c->slope, state->u, (size_t)system->nu * sizeof *c->slope);
    for (int column = 0; column < c->rank; ++column) {
        cardo_semidefinite_root(c->nactive, list->nrow, c->rank, c->Y, c->shortest, c->order,
                                column, c->vector, c->more);
        memset(c->errors, 0, (size_t)list->nrow * sizeof *c->errors);
        for (int i = 0; i < c->nactive; ++i)
            c->errors[c->active[i]] = c->vector[i];
        memset(c->tau, 0, (size_t)system->nu * sizeof *c->tau);
        cardo_rows_add_forces(system, state, c->errors, c->force, c->tau);
        cardo_respond(system, state, c->force, c->tau, state->u);
        add_column(system, state, gradient);
    }
    if (system->nu > 0)
        memcpy(state->u, c->slope, (size_t)system->nu * sizeof *c->slope);
    cardo_pass_velocity(system, state);
    return CARDO_OK;
}
