/* The passes over the tree, one at a time or fused.
 *
 * From ground to the tips: positions, velocities. From the tips: articulated inertias and residuals
 * (Jain, Vaidehi & Rodriguez 1993): D = H^T P H, G = P H D^-1, P+ = P - G D G^T goes to the parent;
 * with the bias forces b of the velocity pass z = b - F + sum over children (z + G e), e = tau -
 * H^T z. Outward again: udot = D^-1 e - G^T a, a = a_parent + H udot.
 *
 * What a body takes is compiled for three widths of registers, and that costs the compiler more than all else here: where it is
 * free, passes alone are the fused ones with a part left out. Asking costs the inward sweep of a single body some ten
 * nanoseconds: that has a function of its own where it is fused. */
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

/* Each compiled once, whatever callers ask for. */
#define ONE_COPY static __attribute__((noinline))

ONE_COPY TREE_PASS void pass_outward(const cardo_system *system, const cardo_state *state,
                                     bool position, bool velocity)
{
    pin_angles angles;
    for (int first = 1; first < system->nbody; first += LANES) {
        const int count = block_size(system, first);
        if (position) {
            turn_pins(system, state, first, count, &angles);
            for (int i = 0; i < count; ++i)
                body_position(system, state, first + i, &angles, i);
        }
        /* velocities first: meanwhile what was stored by rows can be loaded by lanes */
        for (int i = 0; velocity && i < count; ++i)
            body_velocity(system, state, first + i);
        if (position)
            block_inertias(system, state, first, count);
    }
}

/* From body `from` on. Returns the body whose hinge is singular, or 0. */
ONE_COPY TREE_PASS int pass_inward(const cardo_system *system, const cardo_state *state, int from,
                                   bool dynamics, bool acceleration)
{
    force_block forces;
    for (int k = from; k > 0; --k) {
        const int at = (system->nbody - 1 - k) % LANES;
        if (acceleration && at == 0)
            block_forces(system, state, k, &forces);
        if (dynamics && !body_factor(system, state, k))
            return k;
        if (acceleration)
            body_force(system, state, k, &forces, at);
    }
    for (int k = 1; acceleration && k < system->nbody; ++k)
        body_acceleration(system, state, k);
    return 0;
}

void cardo_pass_position(const cardo_system *system, cardo_state *state)
{
    pass_outward(system, state, true, false);
}

void cardo_pass_velocity(const cardo_system *system, cardo_state *state)
{
    pass_outward(system, state, false, true);
}

void cardo_pass_position_velocity(const cardo_system *system, cardo_state *state)
{
    pass_outward(system, state, true, true);
}

cardo_status cardo_pass_dynamics(const cardo_system *system, const cardo_state *state,
                                 cardo_error *error)
{
    const int singular = pass_inward(system, state, system->nbody - 1, true, false);
    return singular == 0 ? CARDO_OK : report_singular(system, singular, error);
}

void cardo_pass_acceleration(const cardo_system *system, cardo_state *state)
{
    pass_inward(system, state, system->nbody - 1, false, true);
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

int cardo_pass_singular(const cardo_system *system, const cardo_state *state, int *bodies)
{
    int n = 0, k = system->nbody;
    while ((k = pass_inward(system, state, k - 1, true, false)) > 0) {
        const body_plan *body = &system->bodies[k];
        body_node *node = &state->cache->nodes[k], *parent = &state->cache->nodes[body->parent];
        assert(n < system->nbody - 1);
        bodies[n++] = k;
        /* what the failed step has gathered in P goes on whole */
        const cardo_vec3 s = reference_shift(state->cache->nodes, body, k);
        articulated_inertia P = articulated_shift(&node->P, s);
        pass_inertia_on(body, &P, parent);
    }
    return n;
}
