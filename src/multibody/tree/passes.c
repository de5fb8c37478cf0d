/* The passes over the tree, one at a time or fused.
 *
 * From ground to the tips: positions, velocities. From the tips: articulated inertias and residuals
 * (Jain, Vaidehi & Rodriguez 1993): D = H^T P H, G = P H D^-1, P+ = P - G D G^T goes to the parent;
 * with the bias forces b of the velocity pass z = b - F + sum over children (z + G e), e = tau -
 * H^T z. Outward again: udot = D^-1 e - G^T a, a = a_parent + H udot. */
#include "multibody/tree/tree_pass.h"

#include <assert.h>

static cardo_status report_singular(const cardo_system *system, int k, cardo_error *error)
{
    assert(k > 0 && k < system->nbody);
    const char *name = system->sources[k].name;
    return CARDO_FAIL(error, CARDO_ERROR_SINGULAR,
                      "body %d%s%s: its %s mobilizer has no inertia against one of its motions in "
                      "this configuration (a body of one atom or of atoms in a line, or a "
                      "mobilizer at a singular position)",
                      k, name ? " " : "", name ? name : "",
                      system->bodies[k].joint.mobilizer->name);
}

/* Bodies are placed in blocks of as many as have their sines taken and inertias turned side by side.
 */
_Static_assert((int)SINCOS_BLOCK == (int)LANES, "one block serves both");

static inline int block_size(const cardo_system *system, int first)
{
    const int left = system->nbody - first;
    assert(left > 0);
    return left < LANES ? left : LANES;
}

TREE_PASS void cardo_pass_position(const cardo_system *system, cardo_state *state)
{
    pin_angles angles;
    for (int first = 1; first < system->nbody; first += LANES) {
        const int count = block_size(system, first);
        turn_pins(system, state, first, count, &angles);
        for (int i = 0; i < count; ++i)
            body_position(system, state, first + i, &angles, i);
        block_inertias(system, state, first, count);
    }
}

TREE_PASS void cardo_pass_velocity(const cardo_system *system, cardo_state *state)
{
    for (int k = 1; k < system->nbody; ++k)
        body_velocity(system, state, k);
}

TREE_PASS cardo_status cardo_pass_dynamics(const cardo_system *system, const cardo_state *state,
                                           cardo_error *error)
{
    for (int k = system->nbody - 1; k > 0; --k)
        if (!body_factor(system, state, k))
            return report_singular(system, k, error);
    return CARDO_OK;
}

int cardo_pass_singular(const cardo_system *system, const cardo_state *state, int *bodies)
{
    int n = 0;
    for (int k = system->nbody - 1; k > 0; --k) {
        const body_plan *body = &system->bodies[k];
        body_node *node = &state->cache->nodes[k], *parent = &state->cache->nodes[body->parent];
        if (body_factor(system, state, k))
            continue;
        assert(n < system->nbody - 1);
        bodies[n++] = k;
        /* what the failed step has gathered in P goes on whole */
        const cardo_vec3 s = reference_shift(state->cache->nodes, body, k);
        articulated_inertia P = articulated_shift(&node->P, s);
        pass_inertia_on(body, &P, parent);
    }
    return n;
}

TREE_PASS void cardo_pass_acceleration(const cardo_system *system, cardo_state *state)
{
    force_block forces;
    for (int k = system->nbody - 1; k > 0; --k) {
        const int at = (system->nbody - 1 - k) % LANES;
        if (at == 0)
            block_forces(system, state, k, &forces);
        body_force(system, state, k, &forces, at);
    }
    for (int k = 1; k < system->nbody; ++k)
        body_acceleration(system, state, k);
}

TREE_PASS void cardo_pass_position_velocity(const cardo_system *system, cardo_state *state)
{
    pin_angles angles;
    for (int first = 1; first < system->nbody; first += LANES) {
        const int count = block_size(system, first);
        turn_pins(system, state, first, count, &angles);
        for (int i = 0; i < count; ++i)
            body_position(system, state, first + i, &angles, i);
        /* velocities first: meanwhile what was stored by rows can be loaded by lanes */
        for (int i = 0; i < count; ++i)
            body_velocity(system, state, first + i);
        block_inertias(system, state, first, count);
    }
}

TREE_PASS cardo_status cardo_pass_dynamics_acceleration(const cardo_system *system,
                                                        cardo_state *state, cardo_error *error)
{
    force_block forces;
    for (int k = system->nbody - 1; k > 0; --k) {
        const int at = (system->nbody - 1 - k) % LANES;
        if (at == 0)
            block_forces(system, state, k, &forces);
        if (!body_factor(system, state, k))
            return report_singular(system, k, error);
        body_force(system, state, k, &forces, at);
    }
    for (int k = 1; k < system->nbody; ++k)
        body_acceleration(system, state, k);
    return CARDO_OK;
}
