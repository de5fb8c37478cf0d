/* Explicit matrices: M, its inverse, J. For those who need them; products are O(n). */
#include "multibody/algebra/mass_matrix.h"
#include "multibody/tree/hinge.h"
#include "multibody/tree/operators.h"
#include "multibody/tree/state_internal.h"

#include <stddef.h>
#include <string.h>

void cardo_sum_inertias(const cardo_system *system, const cardo_state *state)
{
    const body_node *nodes = state->cache->nodes;
    body_scratch *sums = state->cache->scratch;
    sums[0].inertia = (composite){0};
    for (int k = 1; k < system->nbody; ++k)
        sums[k].inertia = (composite){system->bodies[k].mass, nodes[k].I};
    for (int k = system->nbody - 1; k > 0; --k) {
        const body_plan *body = &system->bodies[k];
        const composite own = sums[k].inertia;
        composite *parent = &sums[body->parent].inertia;
        rigid_inertia I = own.I;
        if (body->own_point)
            I = rigid_shift(own.mass, I, reference_shift(nodes, body, k));
        parent->mass += own.mass;
        parent->I.J = sym33_add(parent->I.J, I.J);
        parent->I.h = v3_add(parent->I.h, I.h);
    }
}

/* Row of M, and its column, of the mobility that makes the momentum f of all that body k carries:
 * projected on the mobilities inboard. */
static void put_row(const cardo_system *system, const cardo_state *state, int k, cardo_spatial f,
                    size_t row, double *M)
{
    const size_t nu = (size_t)system->nu;
    for (int i = k; i > 0; i = system->bodies[i].parent) {
        const body_plan *inboard = &system->bodies[i];
        const double *map = state->cache->maps + inboard->map_first;
        double m[CARDO_MOBILIZER_MAX_U];
        HINGE_SWITCH(inboard->form, hinge_project(form, inboard->nu, map, f, m))
        for (int l = 0; l < inboard->nu; ++l) {
            const size_t column = (size_t)(inboard->u_first + l);
            M[column * nu + row] = M[row * nu + column] = m[l];
        }
        if (inboard->own_point)
            f = force_shift(f, reference_shift(state->cache->nodes, inboard, i));
    }
}

cardo_status cardo_mass_matrix(const cardo_system *system, const cardo_state *state, double *M,
                               cardo_error *error)
{
    cardo_status status = cardo_require_stage(state, CARDO_STAGE_POSITION, "M", error);
    if (status != CARDO_OK)
        return status;
    const double *maps = state->cache->maps;
    const body_scratch *composites = state->cache->scratch;
    const size_t nu = (size_t)system->nu;
    if (system->masses) {
        memcpy(M, system->masses->A, nu * nu * sizeof *M);
        return CARDO_OK;
    }
    for (size_t i = 0; i < nu * nu; ++i)
        M[i] = 0;
    cardo_sum_inertias(system, state);
    for (int k = system->nbody - 1; k > 0; --k) {
        const body_plan *body = &system->bodies[k];
        const composite own = composites[k].inertia;
        for (int j = 0; j < body->nu; ++j) {
            cardo_spatial H = spatial_zero();
            HINGE_SWITCH(body->form, H = hinge_column(form, maps + body->map_first, j))
            put_row(system, state, k, rigid_mul(own.mass, own.I, H), (size_t)(body->u_first + j),
                    M);
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
    const body_scratch *sums = state->cache->scratch;
    cardo_sum_inertias(system, state);
    for (int k = system->nbody - 1; k >= 0; --k) {
        const body_plan *body = &system->bodies[k];
        const composite own = sums[k].inertia;
        const rigid_inertia I = rigid_shift(own.mass, own.I, v3_neg(body_origin(&nodes[k], body)));
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
    /* symmetric: a column is a row */
    for (size_t j = 0; status == CARDO_OK && j < n; ++j) {
        double *row = M_inverse + j * n;
        for (size_t i = 0; i < n; ++i)
            row[i] = i == j;
        status = cardo_multiply_minv(system, state, row, row, error);
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
            const double *map = state->cache->maps + inboard->map_first;
            for (int j = 0; j < inboard->nu; ++j) {
                cardo_spatial H = spatial_zero();
                HINGE_SWITCH(inboard->form, H = hinge_column(form, map, j))
                store_column(J, 6 * (size_t)k, nu, (size_t)(inboard->u_first + j),
                             motion_shift(H, arm));
            }
        }
    }
    return CARDO_OK;
}
