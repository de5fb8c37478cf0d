/* Rows between ground and bodies that hang from it need not be carried through the tree: a body's row is H^T K + C on its hinge,
 * and the rows of a hinge have a Y of their own, E^T D^-1 E, which is factored as it is, L D L^T. What does not hang from that
 * body never hears of them. Weak pivots are left to the elimination (eliminate.c), which may take rows in another order. */
#include "multibody/manifold/roots.h"

#include "base/memory.h"
#include "multibody/manifold/rows.h"
#include "multibody/tree/tree_pass.h"

/* The part of its scale that a pivot must have. */
static const double fair = 0.01;

enum { LANE = ROOT_ROWS };

/* ---- once a system ---- */

/* The body that hangs from ground on which alone a constraint acts, or 0. */
static int root_of(const cardo_system *system, const constraint_shape *s)
{
    int root = 0;
    for (int i = 0; i < s->nbody + s->nmobility; ++i) {
        const int k = i < s->nbody ? s->bodies[i] : s->mobilities[i - s->nbody].body;
        if (i < s->nbody && k == 0)
            continue;
        if (system->bodies[k].parent != 0 || (root != 0 && root != k))
            return 0;
        root = k;
    }
    return root;
}

/* Lists the constraints of a body; false where there are too many rows, or nothing yields. */
static bool add_hinge(const cardo_system *system, constraint_list *list, int body)
{
    root_hinge hinge = {.body = body,
                        .first = list->nroot > 0 ? list->roots[list->nroot - 1].end : 0};
    hinge.end = hinge.first;
    for (int i = 0; i < list->head.count; ++i) {
        const constraint_shape *s = &list->plans[i].shape;
        if (root_of(system, s) != body)
            continue;
        list->root_constraints[hinge.end++] = i;
        hinge.nrow += list->plans[i].nrow;
        hinge.on_body = hinge.on_body || s->nbody > 0;
        hinge.on_mobilities = hinge.on_mobilities || s->nmobility > 0;
    }
    if (hinge.end > hinge.first)
        list->roots[list->nroot++] = hinge;
    return hinge.nrow <= ROOT_ROWS && system->bodies[body].yields != HINGE_NONE;
}

cardo_status cardo_roots_plan(const cardo_system *system, constraint_list *list, cardo_error *error)
{
    cardo_status status;
    cardo_roots_release(list);
    for (int i = 0; i < list->head.count; ++i)
        if (root_of(system, &list->plans[i].shape) == 0)
            return CARDO_OK;
    CARDO_TRY(CARDO_ALLOCATE(&list->roots, list->head.count, error));
    CARDO_TRY(CARDO_ALLOCATE(&list->root_constraints, list->head.count, error));
    for (int k = 1; k < system->nbody; ++k)
        if (system->bodies[k].parent == 0 && !add_hinge(system, list, k)) {
            cardo_roots_release(list);
            return CARDO_OK;
        }
done:
    return status;
}

void cardo_roots_release(constraint_list *list)
{
    cardo_free(list->roots);
    cardo_free(list->root_constraints);
    list->roots = NULL;
    list->root_constraints = NULL;
    list->nroot = 0;
}

/* ---- at a state ---- */

/* The rows of a hinge side by side, one a lane: their forces on the body about its reference point and on its mobilities, E,
 * D^-1 E, and the speeds that they give the hinge (of columns; of all others these are local, as D^-1 E is). */
typedef struct row_lanes {
    row4 K[6], C[CARDO_MOBILIZER_MAX_U], E[CARDO_MOBILIZER_MAX_U], DE[CARDO_MOBILIZER_MAX_U];
    row4 drive[CARDO_MOBILIZER_MAX_U];
} row_lanes;

/* out += A v, A^T v, S v of lanes, negative for `sign` -1. Vectors stay inside: passing them would depend on what the compiler
 * may assume of the machine. */
ALWAYS_INLINE void lanes_add_product(const cardo_mat33 *A, const row4 v[3], row4 out[3])
{
    for (int i = 0; i < 3; ++i)
        out[i] += (A->m[i][0] * v[0] + A->m[i][1] * v[1]) + A->m[i][2] * v[2];
}

ALWAYS_INLINE void lanes_add_transposed(const cardo_mat33 *A, double sign, const row4 v[3],
                                        row4 out[3])
{
    for (int i = 0; i < 3; ++i)
        out[i] += sign * ((A->m[0][i] * v[0] + A->m[1][i] * v[1]) + A->m[2][i] * v[2]);
}

ALWAYS_INLINE void lanes_multiply_symmetric(const sym33 *S, const row4 v[3], row4 out[3])
{
    out[0] = (S->xx * v[0] + S->xy * v[1]) + S->xz * v[2];
    out[1] = (S->xy * v[0] + S->yy * v[1]) + S->yz * v[2];
    out[2] = (S->xz * v[0] + S->yz * v[1]) + S->zz * v[2];
}

/* As hinge_residual, the division by D and hinge_accelerate have it of columns, with z = -K and tau = C: what a column leaves of
 * a row is not subtracted from K, but from what the columns before it get of it, H . G, which waits for no row. */
ALWAYS_INLINE void pass_columns(int nu, const cardo_spatial *H, const column_factor *columns,
                                const bool on_body, const bool on_mobilities, row_lanes *rows)
{
    const row4 none = {0, 0, 0, 0};
    row4 *K = rows->K, *E = rows->E, *DE = rows->DE, *drive = rows->drive;
    double share[CARDO_MOBILIZER_MAX_U][CARDO_MOBILIZER_MAX_U];
    for (int j = nu - 1; j >= 0; --j) {
        const double *h = &H[j].angular.x;
        row4 e = on_mobilities ? rows->C[j] : none;
        if (on_body)
            e += ((h[0] * K[0] + h[1] * K[1]) + h[2] * K[2]) +
                 ((h[3] * K[3] + h[4] * K[4]) + h[5] * K[5]);
        for (int i = nu - 1; i > j; --i) {
            share[j][i] = spatial_dot(H[j], columns[i].G);
            e -= share[j][i] * E[i];
        }
        E[j] = e;
        DE[j] = columns[j].D_inverse * e;
    }
    for (int j = 0; j < nu; ++j) {
        drive[j] = DE[j];
        for (int i = 0; i < j; ++i)
            drive[j] -= share[i][j] * drive[i];
    }
}

/* As hinge_residual and the division by D have it, with z = -K and tau = C. */
ALWAYS_INLINE void pass_lanes(const hinge_form form, int nu, const double *map,
                              const double *factor, const bool on_body, const bool on_mobilities,
                              row_lanes *rows)
{
    const free_factor *all = (const free_factor *)factor;
    const turn_factor *turns = (const turn_factor *)factor;
    const turn_map *turned = (const turn_map *)map;
    const row4 none = {0, 0, 0, 0};
    row4 *K = rows->K, *E = rows->E, *DE = rows->DE;
    if (form == HINGE_SINGLE || form == HINGE_COLUMNS)
        pass_columns(nu, (const cardo_spatial *)map, (const column_factor *)factor, on_body,
                     on_mobilities, rows);
    if (form == HINGE_BALL || form == HINGE_ELLIPSOID) {
        for (int i = 0; i < 3; ++i)
            E[i] = K[i];
        if (form == HINGE_ELLIPSOID)
            lanes_add_transposed(&((const ellipsoid_map *)map)->L, 1, K + 3, E);
        if (on_mobilities)
            lanes_add_product(&turned->Q, rows->C, E);
        lanes_multiply_symmetric(&turns->inverse, E, DE);
        for (int i = 0; i < 3; ++i)
            rows->drive[i] = DE[i];
    }
    if (form == HINGE_FREE) {
        for (int i = 0; i < 6; ++i)
            E[i] = K[i];
        if (on_mobilities) {
            lanes_add_product(&turned->Q, rows->C, E);
            lanes_add_product(&turned->Q, rows->C + 3, E + 3);
        }
        row4 torque[3] = {none, none, none};
        lanes_add_product(&all->X, E + 3, torque);
        for (int i = 0; i < 3; ++i)
            torque[i] = E[i] - torque[i];
        lanes_multiply_symmetric(&all->turn, torque, DE);
        lanes_multiply_symmetric(&all->slide, E + 3, DE + 3);
        lanes_add_transposed(&all->X, -1, DE, DE + 3);
        for (int i = 0; i < 6; ++i)
            rows->drive[i] = DE[i];
    }
}

/* A constraint's row as it is: its force on the body about its reference point, and what it is on mobilities (nu). */
ALWAYS_INLINE void put_row(const constraint_cache *c, const constraint_plan *plan, int own,
                           const bool on_body, const bool on_mobilities, cardo_spatial *K,
                           double *C)
{
    const constraint_shape *s = &plan->shape;
    const cardo_spatial *bodies = c->rows.bodies + plan->spatial_first + own * s->nbody;
    const double *mobilities = c->rows.mobilities + plan->mobility_first + own * s->nmobility;
    if (on_body) {
        cardo_spatial f = spatial_zero();
        for (int b = 0; b < s->nbody; ++b)
            if (s->bodies[b] != 0)
                f = force_shift(spatial_load(&bodies[b]), c->origins[plan->body_first + b]);
        *K = f;
    }
    for (int j = 0; on_mobilities && j < s->nmobility; ++j)
        C[s->mobilities[j].mobility] += mobilities[j];
}

/* What the rows' own entries of Y are at most, or nearly: what the body alone would yield. */
ALWAYS_INLINE void scale_lanes(const hinge_form form, int nu, const body_node *node,
                               const double *factor, const bool on_body, const bool on_mobilities,
                               const row_lanes *rows, row4 *scale)
{
    const row4 *K = rows->K;
    *scale = (row4){0, 0, 0, 0};
    if (on_body) {
        const double turning = node->P.J.xx + node->P.J.yy + node->P.J.zz;
        const double mass = node->P.M.xx + node->P.M.yy + node->P.M.zz;
        *scale += (turning > 0 ? 3 / turning : 0) * (K[0] * K[0] + K[1] * K[1] + K[2] * K[2]);
        *scale += (mass > 0 ? 3 / mass : 0) * (K[3] * K[3] + K[4] * K[4] + K[5] * K[5]);
    }
    for (int j = 0; on_mobilities && j < nu; ++j)
        *scale += hinge_yield(form, factor, j) * (rows->C[j] * rows->C[j]);
}

/* L D L^T of the lower triangle, 1 / D on the diagonal. */
ALWAYS_INLINE bool factor_known(const int n, double Y[][LANE], const double *scale)
{
    for (int j = 0; j < n; ++j) {
        const double pivot = Y[j][j], inverse = 1 / pivot;
        if (!(pivot > fair * scale[j]))
            return false;
        for (int i = j + 1; i < n; ++i) {
            const double l = Y[i][j] * inverse;
            for (int k = j + 1; k <= i; ++k)
                Y[i][k] -= l * Y[k][j];
        }
        for (int i = j + 1; i < n; ++i)
            Y[i][j] *= inverse;
        Y[j][j] = inverse;
    }
    return true;
}

/* With the number of rows known to the compiler nothing is stored between the steps. */
ALWAYS_INLINE bool factor_rows(root_rows *rows)
{
    switch (rows->count) {
    case 0:
        return true;
    case 1:
        return factor_known(1, rows->Y, rows->scale);
    case 2:
        return factor_known(2, rows->Y, rows->scale);
    case 3:
        return factor_known(3, rows->Y, rows->scale);
    default:
        return factor_known(ROOT_ROWS, rows->Y, rows->scale);
    }
}

/* Numbers that were stored one by one: loaded as one vector they would have to wait until all are in memory. */
typedef double pair __attribute__((vector_size(2 * sizeof(double))));
#define SIDE_BY_SIDE(a, b, c, d)                                                                   \
    ((row4)__builtin_shufflevector((pair){(a), (b)}, (pair){(c), (d)}, 0, 1, 2, 3))

/* The rows as they are, side by side. */
ALWAYS_INLINE void gather_rows(const cardo_system *system, const cardo_state *state,
                               const root_hinge *root, const bool on_body, const bool on_mobilities,
                               int limit, root_rows *out, row_lanes *rows)
{
    const constraint_list *list = list_of(system);
    const int nu = system->bodies[root->body].nu;
    const row4 none = {0, 0, 0, 0};
    cardo_spatial K[LANE];
    double C[LANE][CARDO_MOBILIZER_MAX_U];
    int n = 0, off = root->nrow;
    for (int i = 0; i < LANE; ++i) {
        K[i] = spatial_zero();
        for (int j = 0; on_mobilities && j < nu; ++j)
            C[i][j] = 0;
    }
    for (int i = root->first; i < root->end; ++i) {
        const constraint_plan *plan = &list->plans[list->root_constraints[i]];
        const bool on = is_on(state, list->root_constraints[i]);
        for (int own = 0; own < plan->nrow; ++own) {
            const int row = row_of(plan, own);
            if (on && row < limit) {
                put_row(state->cache->constraints, plan, own, on_body, on_mobilities, &K[n], C[n]);
                out->rows[n++] = row;
            } else {
                out->rows[--off] = row;
            }
        }
    }
    out->count = n;
    for (int j = 0; j < 6; ++j)
        rows->K[j] = none;
    if (on_body) {
        rows->K[0] = SIDE_BY_SIDE(K[0].angular.x, K[1].angular.x, K[2].angular.x, K[3].angular.x);
        rows->K[1] = SIDE_BY_SIDE(K[0].angular.y, K[1].angular.y, K[2].angular.y, K[3].angular.y);
        rows->K[2] = SIDE_BY_SIDE(K[0].angular.z, K[1].angular.z, K[2].angular.z, K[3].angular.z);
        rows->K[3] = SIDE_BY_SIDE(K[0].linear.x, K[1].linear.x, K[2].linear.x, K[3].linear.x);
        rows->K[4] = SIDE_BY_SIDE(K[0].linear.y, K[1].linear.y, K[2].linear.y, K[3].linear.y);
        rows->K[5] = SIDE_BY_SIDE(K[0].linear.z, K[1].linear.z, K[2].linear.z, K[3].linear.z);
    }
    for (int j = 0; on_mobilities && j < nu; ++j)
        rows->C[j] = SIDE_BY_SIDE(C[0][j], C[1][j], C[2][j], C[3][j]);
}

ALWAYS_INLINE void fill_lanes(const hinge_form form, const int nu, const cardo_system *system,
                              const cardo_state *state, const root_hinge *root, const bool on_body,
                              const bool on_mobilities, row_lanes *rows, root_rows *out)
{
    const state_cache *cache = state->cache;
    const body_plan *body = &system->bodies[root->body];
    const double *map = cache->maps + body->map_first,
                 *factor = cache->factors + body->factor_first;
    row4 scales;
    if (form == HINGE_NONE)
        return;
    scale_lanes(form, nu, &cache->nodes[root->body], factor, on_body, on_mobilities, rows, &scales);
    *(row4 *)out->scale = scales;
    pass_lanes(form, nu, map, factor, on_body, on_mobilities, rows);
    for (int j = 0; j < nu; ++j)
        *(row4 *)out->drive[j] = rows->drive[j];
    for (int i = 0; i < LANE; ++i) {
        row4 y = rows->E[0][i] * rows->DE[0];
        for (int j = 1; j < nu; ++j)
            y += rows->E[j][i] * rows->DE[j];
        *(row4 *)out->Y[i] = y;
    }
}

ALWAYS_INLINE void fill_hinge(const cardo_system *system, const cardo_state *state,
                              const root_hinge *root, const bool on_body, const bool on_mobilities,
                              int limit, root_rows *out)
{
    const body_plan *body = &system->bodies[root->body];
    row_lanes rows;
    gather_rows(system, state, root, on_body, on_mobilities, limit, out, &rows);
    if (body->yields == HINGE_COLUMNS && body->nu == 3)
        fill_lanes(HINGE_COLUMNS, 3, system, state, root, on_body, on_mobilities, &rows, out);
    else
        HINGE_SWITCH(body->yields, fill_lanes(form, hinge_mobilities(form, body->nu), system, state,
                                              root, on_body, on_mobilities, &rows, out))
}

TREE_PASS bool cardo_roots_factor(const cardo_system *system, const cardo_state *state, int limit)
{
    const constraint_list *list = list_of(system);
    bool regular = true;
    for (int h = 0; h < list->nroot && regular; ++h) {
        const root_hinge *root = &list->roots[h];
        root_rows *out = &state->cache->constraints->at_hinges[h];
        if (!root->on_mobilities)
            fill_hinge(system, state, root, true, false, limit, out);
        else if (!root->on_body)
            fill_hinge(system, state, root, false, true, limit, out);
        else
            fill_hinge(system, state, root, true, true, limit, out);
        regular = factor_rows(out);
    }
    return regular;
}

/* Multipliers of n rows. */
ALWAYS_INLINE void solve_known(const int n, const root_rows *rows, const double *r, double *x)
{
    for (int i = 0; i < n; ++i) {
        double sum = r[rows->rows[i]];
        for (int j = 0; j < i; ++j)
            sum -= rows->Y[i][j] * x[j];
        x[i] = sum;
    }
    for (int i = n - 1; i >= 0; --i) {
        double sum = x[i] * rows->Y[i][i];
        for (int j = i + 1; j < n; ++j)
            sum -= rows->Y[j][i] * x[j];
        x[i] = sum;
    }
}

ALWAYS_INLINE void solve_rows(const root_rows *rows, const double *r, double *x)
{
    switch (rows->count) {
    case 0:
        break;
    case 1:
        solve_known(1, rows, r, x);
        break;
    case 2:
        solve_known(2, rows, r, x);
        break;
    case 3:
        solve_known(3, rows, r, x);
        break;
    default:
        solve_known(ROOT_ROWS, rows, r, x);
    }
}

/* What multipliers of a hinge's rows make of it: its speeds and what they are as a motion of the body. */
ALWAYS_INLINE cardo_spatial drive_hinge(const hinge_form form, const int nu,
                                        const cardo_state *state, const body_plan *body,
                                        const root_rows *rows, const double x[LANE], double *speeds)
{
    const double *map = state->cache->maps + body->map_first;
    double e[CARDO_MOBILIZER_MAX_U];
    for (int j = 0; j < nu; ++j) {
        const double *E = rows->drive[j];
        e[j] = -((x[0] * E[0] + x[1] * E[1]) + (x[2] * E[2] + x[3] * E[3]));
    }
    if (form == HINGE_SINGLE || form == HINGE_COLUMNS) {
        cardo_spatial a = spatial_zero();
        for (int j = 0; j < nu; ++j) {
            speeds[j] = e[j];
            a = spatial_add_scaled(a, e[j], ((const cardo_spatial *)map)[j]);
        }
        return a;
    }
    if (form == HINGE_NONE)
        return spatial_zero();
    turn_back(map, v3_load(e), speeds);
    if (form == HINGE_FREE) {
        turn_back(map, v3_load(e + 3), speeds + 3);
        return (cardo_spatial){v3_load(e), v3_load(e + 3)};
    }
    return turn_move(form == HINGE_ELLIPSOID, map, spatial_zero(), v3_load(e));
}

ALWAYS_INLINE cardo_spatial solve_hinge(const cardo_state *state, const body_plan *body,
                                        const root_hinge *root, const root_rows *rows,
                                        const double *r, double *lambda, double *speeds)
{
    double x[LANE] = {0, 0, 0, 0};
    cardo_spatial a = spatial_zero();
    solve_rows(rows, r, x);
    for (int i = 0; i < root->nrow; ++i)
        lambda[rows->rows[i]] = i < rows->count ? x[i] : 0;
    if (body->yields == HINGE_COLUMNS && body->nu == 3)
        return drive_hinge(HINGE_COLUMNS, 3, state, body, rows, x, speeds);
    HINGE_SWITCH(body->yields, a = drive_hinge(form, hinge_mobilities(form, body->nu), state, body,
                                               rows, x, speeds))
    return a;
}

TREE_PASS void cardo_roots_solve(const cardo_system *system, const cardo_state *state,
                                 const double *r, double *lambda, double *speeds)
{
    const constraint_list *list = list_of(system);
    const constraint_cache *c = state->cache->constraints;
    cardo_spatial *a = state->cache->scratch_a;
    int hinge = 0;
    a[0] = spatial_zero();
    for (int k = 1; k < system->nbody; ++k) {
        const body_plan *body = &system->bodies[k];
        double *own = speeds + body->u_first;
        if (hinge < list->nroot && list->roots[hinge].body == k) {
            a[k] =
                solve_hinge(state, body, &list->roots[hinge], &c->at_hinges[hinge], r, lambda, own);
            for (int j = 0; body->prescribed && j < body->nu; ++j)
                if (body->prescribed >> j & 1U)
                    own[j] = 0;
            ++hinge;
        } else {
            for (int j = 0; j < body->nu; ++j)
                own[j] = 0;
            a[k] = acceleration_step(system, state, k, a[body->parent], speeds, speeds);
        }
    }
}
