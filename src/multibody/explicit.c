/* Explicit matrices: M, its inverse, J. For those who need them; products are O(n). */
#include "multibody/operators.h"
#include "multibody/state_internal.h"

#include <stddef.h>

/* The inertia about the point at the old one minus s. */
static rigid_inertia shift_inertia(double mass, rigid_inertia I, cardo_vec3 s)
{
    const cardo_vec3 h = v3_add_scaled(I.h, mass, s);
    /* J' = J - [s][h] - [h'][s] for the symmetric result of twice the parallel axis theorem */
    const double dot = v3_dot(s, I.h) + v3_dot(h, s);
    sym33 J = I.J;
    J.xx += dot - (s.x * I.h.x + h.x * s.x);
    J.yy += dot - (s.y * I.h.y + h.y * s.y);
    J.zz += dot - (s.z * I.h.z + h.z * s.z);
    J.xy -= I.h.x * s.y + s.x * h.y;
    J.xz -= I.h.x * s.z + s.x * h.z;
    J.yz -= I.h.y * s.z + s.y * h.z;
    return (rigid_inertia){J, h};
}

cardo_status cardo_mass_matrix(const cardo_system *system, const cardo_state *state, double *M,
                               cardo_error *error)
{
    cardo_status status = cardo_require_stage(state, CARDO_STAGE_POSITION, "M", error);
    if (status != CARDO_OK)
        return status;
    const body_node *nodes = state->cache->nodes;
    const mobility_node *mobilities = state->cache->mobilities;
    composite *composites = state->cache->composites;
    const size_t nu = (size_t)system->nu;
    for (size_t i = 0; i < nu * nu; ++i)
        M[i] = 0;
    for (int k = 1; k < system->nbody; ++k)
        composites[k] = (composite){system->bodies[k].mass, nodes[k].I};
    for (int k = system->nbody - 1; k > 0; --k) {
        const body_plan *body = &system->bodies[k];
        const composite own = composites[k];
        if (body->parent > 0) {
            composite *parent = &composites[body->parent];
            rigid_inertia I = own.I;
            if (body->own_point)
                I = shift_inertia(own.mass, I, reference_shift(nodes, body, k));
            parent->mass += own.mass;
            parent->I.J = sym33_add(parent->I.J, I.J);
            parent->I.h = v3_add(parent->I.h, I.h);
        }
        for (int j = body->u_first; j < body->u_first + body->nu; ++j) {
            cardo_spatial f = rigid_mul(own.mass, own.I, mobilities[j].H);
            for (int i = k; i > 0; i = system->bodies[i].parent) {
                const body_plan *inboard = &system->bodies[i];
                for (int l = inboard->u_first; l < inboard->u_first + inboard->nu; ++l) {
                    double m = spatial_dot(mobilities[l].H, f);
                    M[(size_t)l * nu + (size_t)j] = M[(size_t)j * nu + (size_t)l] = m;
                }
                if (inboard->own_point)
                    f = force_shift(f, reference_shift(nodes, inboard, i));
            }
        }
    }
    return CARDO_OK;
}

cardo_status cardo_composite_inertias(const cardo_system *system, const cardo_state *state,
                                      cardo_mass_properties *composites, cardo_error *error)
{
    cardo_status status =
        cardo_require_stage(state, CARDO_STAGE_POSITION, "composite inertias", error);
    if (status != CARDO_OK)
        return status;
    const body_node *nodes = state->cache->nodes;
    composite *sums = state->cache->composites;
    sums[0] = (composite){0};
    for (int k = 1; k < system->nbody; ++k)
        sums[k] = (composite){system->bodies[k].mass, nodes[k].I};
    for (int k = system->nbody - 1; k >= 0; --k) {
        const body_plan *body = &system->bodies[k];
        const composite own = sums[k];
        if (k > 0) {
            composite *parent = &sums[body->parent];
            rigid_inertia I = shift_inertia(own.mass, own.I, reference_shift(nodes, body, k));
            parent->mass += own.mass;
            parent->I.J = sym33_add(parent->I.J, I.J);
            parent->I.h = v3_add(parent->I.h, I.h);
        }
        const rigid_inertia I =
            shift_inertia(own.mass, own.I, v3_neg(body_origin(&nodes[k], body)));
        composites[k] =
            (cardo_mass_properties){own.mass,
                                    own.mass > 0 ? v3_scale(1.0 / own.mass, I.h) : v3(0, 0, 0),
                                    {I.J.xx, I.J.yy, I.J.zz, I.J.xy, I.J.xz, I.J.yz}};
    }
    return CARDO_OK;
}

cardo_status cardo_mass_matrix_inverse(const cardo_system *system, const cardo_state *state,
                                       double *M_inverse, cardo_error *error)
{
    cardo_status status = cardo_require_stage(state, CARDO_STAGE_DYNAMICS, "M^-1", error);
    const size_t n = (size_t)system->nu;
    double *unit = state->cache->scratch_v;
    for (size_t j = 0; j < n; ++j)
        unit[j] = 0;
    /* symmetric: a column is a row */
    for (size_t j = 0; status == CARDO_OK && j < n; ++j) {
        unit[j] = 1;
        status = cardo_multiply_minv(system, state, unit, M_inverse + j * n, error);
        unit[j] = 0;
    }
    return status;
}

static void store_column(double *J, size_t row, size_t nu, size_t column, cardo_spatial V)
{
    const double v[6] = {V.angular.x, V.angular.y, V.angular.z, V.linear.x, V.linear.y, V.linear.z};
    for (size_t i = 0; i < 6; ++i)
        J[(row + i) * nu + column] = v[i];
}

cardo_status cardo_jacobian(const cardo_system *system, const cardo_state *state, double *J,
                            cardo_error *error)
{
    cardo_status status = cardo_require_stage(state, CARDO_STAGE_POSITION, "J", error);
    if (status != CARDO_OK)
        return status;
    const body_node *nodes = state->cache->nodes;
    const size_t nu = (size_t)system->nu;
    for (size_t i = 0; i < 6 * (size_t)system->nbody * nu; ++i)
        J[i] = 0;
    for (int k = 1; k < system->nbody; ++k) {
        cardo_vec3 point = v3_add(nodes[k].O, body_origin(&nodes[k], &system->bodies[k]));
        for (int i = k; i > 0; i = system->bodies[i].parent) {
            const body_plan *inboard = &system->bodies[i];
            const cardo_vec3 arm = v3_sub(point, nodes[i].O);
            for (int j = inboard->u_first; j < inboard->u_first + inboard->nu; ++j)
                store_column(J, 6 * (size_t)k, nu, (size_t)j,
                             motion_shift(state->cache->mobilities[j].H, arm));
        }
    }
    return CARDO_OK;
}
