/* Hinges: what a mobilizer looks like to the sweeps over the tree, in ground axes about the
 * reference point of its body.
 *
 * Mobilities of a ball, an ellipsoid or a free joint have the axes Q of frame F (of M, turned
 * round, for a reversed ball), so their hinge map is a rotation and at most one matrix more, and
 * the sweeps work in mobilities along ground's axes, "local" ones: x_local = Q x. Then D, the hinge
 * inertia, is a block of the articulated inertia itself. All others keep one column of H a mobility,
 * and are factored as chains of single ones without inertia between them, the last outermost. One
 * of these that is prescribed does not yield: its factor is zero, G = 0 and D^-1 = 0, as that of an
 * infinite inertia would be.
 *
 * Factorization (Jain, Vaidehi & Rodriguez 1993): D = H^T P H, G = P H D^-1, P+ = P - G D G^T. With z
 * the articulated force and a the parent's acceleration: e = tau - H^T z, z+ = z + G e, udot = D^-1 e
 * - G^T a. With H = (1, L) for an ellipsoid (a ball has L = 0) all is a ball's after P' = T^T P T, T
 * = [1 0; L 1]. A free joint's G is the identity: P+ = 0, z+ = tau, and the body's acceleration is P^-1
 * e. */
#ifndef CARDO_MULTIBODY_TREE_HINGE_H
#define CARDO_MULTIBODY_TREE_HINGE_H

#include "multibody/algebra/spatial.h"
#include "multibody/tree/system_internal.h"

#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* Hinge maps as the state keeps them; columns: (nu) spatial vectors. */
typedef struct turn_map { /* ball, free: w = Q u; free: also v = Q u' */
    cardo_mat33 Q;
} turn_map;

typedef struct ellipsoid_map { /* w = Q u, v = L w */
    cardo_mat33 Q, L;
} ellipsoid_map;

/* Factors. */
typedef struct column_factor {
    cardo_spatial G;
    double D_inverse;
} column_factor;

typedef struct turn_factor { /* ball, ellipsoid: G = (1, K) in local mobilities; D^-1 */
    cardo_mat33 K;
    sym33 inverse;
} turn_factor;

typedef struct free_factor { /* P^-1 = [T, -T X; -X^T T, S + X^T T X] */
    cardo_mat33 X;
    sym33 turn, slide;
} free_factor;

/* Doubles that the map and the factor of a hinge take. */
static inline int hinge_map_size(hinge_form form, int nu)
{
    const size_t bytes = form == HINGE_BALL || form == HINGE_FREE ? sizeof(turn_map)
                         : form == HINGE_ELLIPSOID                ? sizeof(ellipsoid_map)
                                                   : (size_t)nu * sizeof(cardo_spatial);
    return (int)(bytes / sizeof(double));
}

static inline int hinge_factor_size(hinge_form form, int nu)
{
    if (form == HINGE_NONE)
        return 0;
    const size_t bytes = form == HINGE_BALL || form == HINGE_ELLIPSOID ? sizeof(turn_factor)
                         : form == HINGE_FREE                          ? sizeof(free_factor)
                                              : (size_t)nu * sizeof(column_factor);
    return (int)(bytes / sizeof(double));
}

/* Runs call with form a constant, so that each form is compiled by itself. */
#define HINGE_CASE(which, call)                                                                    \
    case which: {                                                                                  \
        const hinge_form form = which;                                                             \
        call;                                                                                      \
        break;                                                                                     \
    }
#define HINGE_SWITCH(body_form, call)                                                              \
    switch (body_form) {                                                                           \
        HINGE_CASE(HINGE_NONE, call)                                                               \
        HINGE_CASE(HINGE_SINGLE, call)                                                             \
        HINGE_CASE(HINGE_COLUMNS, call)                                                            \
        HINGE_CASE(HINGE_BALL, call)                                                               \
        HINGE_CASE(HINGE_ELLIPSOID, call)                                                          \
        HINGE_CASE(HINGE_FREE, call)                                                               \
    }

/* How many mobilities a hinge has, known to the compiler where its form says it. */
ALWAYS_INLINE int hinge_mobilities(const hinge_form form, int nu)
{
    return form == HINGE_SINGLE                            ? 1
           : form == HINGE_BALL || form == HINGE_ELLIPSOID ? 3
           : form == HINGE_FREE                            ? 6
                                                           : nu;
}

/* ---- the hinge map ---- */

ALWAYS_INLINE cardo_vec3 turn_out(const double *map, const double *x)
{
    return m33_mul_v3(((const turn_map *)map)->Q, v3_load(x));
}

ALWAYS_INLINE void turn_back(const double *map, cardo_vec3 x, double *out)
{
    v3_store(out, m33_tmul_v3(((const turn_map *)map)->Q, x));
}

/* The motion H x of M in F. */
ALWAYS_INLINE cardo_spatial hinge_motion(const hinge_form form, int nu, const double *map,
                                         const double *x)
{
    const cardo_spatial *H = (const cardo_spatial *)map;
    cardo_spatial V = spatial_zero();
    if (form == HINGE_SINGLE)
        return spatial_scale(x[0], H[0]);
    if (form == HINGE_BALL || form == HINGE_ELLIPSOID || form == HINGE_FREE)
        V.angular = turn_out(map, x);
    if (form == HINGE_ELLIPSOID)
        V.linear = m33_mul_v3(((const ellipsoid_map *)map)->L, V.angular);
    if (form == HINGE_FREE)
        V.linear = turn_out(map, x + 3);
    if (form == HINGE_COLUMNS) {
        V = spatial_scale(x[0], H[0]);
        for (int j = 1; j < nu; ++j)
            V = spatial_add_scaled(V, x[j], H[j]);
    }
    return V;
}

/* H^T f (nu). */
ALWAYS_INLINE void hinge_project(const hinge_form form, int nu, const double *map, cardo_spatial f,
                                 double *out)
{
    const cardo_spatial *H = (const cardo_spatial *)map;
    if (form == HINGE_SINGLE || form == HINGE_COLUMNS)
        for (int j = 0; j < (form == HINGE_SINGLE ? 1 : nu); ++j)
            out[j] = spatial_dot(H[j], f);
    if (form == HINGE_ELLIPSOID)
        f.angular = v3_add(f.angular, m33_tmul_v3(((const ellipsoid_map *)map)->L, f.linear));
    if (form == HINGE_BALL || form == HINGE_ELLIPSOID || form == HINGE_FREE)
        turn_back(map, f.angular, out);
    if (form == HINGE_FREE)
        turn_back(map, f.linear, out + 3);
}

/* Column j of H. */
ALWAYS_INLINE cardo_spatial hinge_column(const hinge_form form, const double *map, int j)
{
    if (form == HINGE_SINGLE || form == HINGE_COLUMNS)
        return ((const cardo_spatial *)map)[j];
    const cardo_vec3 axis = m33_column(((const turn_map *)map)->Q, j % 3), none = v3(0, 0, 0);
    if (form == HINGE_ELLIPSOID)
        return (cardo_spatial){axis, m33_mul_v3(((const ellipsoid_map *)map)->L, axis)};
    return j < 3 ? (cardo_spatial){axis, none} : (cardo_spatial){none, axis};
}

/* ---- factorization ---- */

/* Below this part of the hinge's own scale a pivot of D is rounding, not inertia. */
#define SINGULAR_PIVOT 1e-13

/* Takes one mobility out of P, U = P H. False: D is not positive beyond rounding, which J and M are
 * for turning and for sliding. */
ALWAYS_INLINE bool column_eliminate(articulated_inertia *P, cardo_spatial H, cardo_spatial U,
                                    double J, double M, column_factor *factor)
{
    const double D = spatial_dot(H, U), inverse = 1.0 / D;
    const cardo_spatial G = spatial_scale(inverse, U);
    factor->D_inverse = inverse;
    spatial_put(&factor->G, G);
    articulated_subtract_outer(P, G, U);
    return D > J * v3_dot(H.angular, H.angular) + M * v3_dot(H.linear, H.linear);
}

/* Three turns along ground's axes, of P's J and C (after T for an ellipsoid): afterwards only P->M
 * counts, the rest being zero. */
ALWAYS_INLINE bool turn_eliminate(sym33 J, const cardo_mat33 *C, articulated_inertia *P,
                                  turn_factor *factor)
{
    sym33 inverse;
    const double least = SINGULAR_PIVOT * (J.xx + J.yy + J.zz);
    const bool regular = sym33_invert(J, least, &inverse);
    const cardo_mat33 K = m33_tmul_sym(C, inverse);
    sym33_store(&factor->inverse, &inverse);
    m33_store(&factor->K, &K);
    P->M = sym33_sub_product(P->M, &K, C);
    return regular;
}

ALWAYS_INLINE bool ellipsoid_eliminate(const double *map, articulated_inertia *P,
                                       turn_factor *factor)
{
    const cardo_mat33 L = ((const ellipsoid_map *)map)->L;
    const cardo_mat33 C = m33_add(P->C, m33_tmul_sym(&L, P->M));
    return turn_eliminate(sym33_add_products(P->J, &P->C, &C, &L), &C, P, factor);
}

/* All six at once. */
ALWAYS_INLINE bool free_eliminate(const articulated_inertia *P, free_factor *factor)
{
    sym33 slide, turn;
    const double J = SINGULAR_PIVOT * (P->J.xx + P->J.yy + P->J.zz);
    const double M = SINGULAR_PIVOT * (P->M.xx + P->M.yy + P->M.zz);
    bool regular = sym33_invert(P->M, M, &slide);
    const cardo_mat33 X = m33_mul_sym(&P->C, slide), C_transposed = m33_transpose(P->C);
    regular = sym33_invert(sym33_sub_product(P->J, &X, &C_transposed), J, &turn) && regular;
    m33_store(&factor->X, &X);
    sym33_store(&factor->turn, &turn);
    sym33_store(&factor->slide, &slide);
    return regular;
}

/* Takes a hinge out of P: factor is filled. Left in P: all of P+ for columns, M for three turns,
 * nothing for a free joint. held: bits of columns that are prescribed. */
ALWAYS_INLINE bool hinge_eliminate(const hinge_form form, int nu, unsigned held, const double *map,
                                   articulated_inertia *P, double *factor)
{
    const cardo_spatial *H = (const cardo_spatial *)map;
    column_factor *columns = (column_factor *)factor;
    if (form == HINGE_BALL)
        return turn_eliminate(P->J, &P->C, P, (turn_factor *)factor);
    if (form == HINGE_ELLIPSOID)
        return ellipsoid_eliminate(map, P, (turn_factor *)factor);
    if (form == HINGE_FREE)
        return free_eliminate(P, (free_factor *)factor);
    if (form == HINGE_NONE)
        return true;
    const double J = SINGULAR_PIVOT * (P->J.xx + P->J.yy + P->J.zz);
    const double M = SINGULAR_PIVOT * (P->M.xx + P->M.yy + P->M.zz);
    bool regular = true;
    for (int j = (form == HINGE_SINGLE ? 1 : nu) - 1; j >= 0; --j) {
        if (form == HINGE_COLUMNS && (held >> j & 1U)) {
            columns[j] = (column_factor){0};
            continue;
        }
        const cardo_spatial column = spatial_load(&H[j]), U = articulated_mul(P, column);
        regular = column_eliminate(P, column, U, J, M, columns + j) && regular;
    }
    return regular;
}

/* The same for a rigid body that carries nothing, P being its inertia: a single mobility, or an
 * ellipsoid about its centre of mass, where C = m L^T and J grows by m L^T L. */
ALWAYS_INLINE bool leaf_eliminate(const hinge_form form, const double *map, double mass,
                                  const rigid_inertia *I, articulated_inertia *P, double *factor)
{
    if (form == HINGE_ELLIPSOID) {
        const cardo_mat33 L = ((const ellipsoid_map *)map)->L;
        const cardo_mat33 C = m33_scale(mass, m33_transpose(L));
        return turn_eliminate(sym33_add_product(I->J, &C, &L), &C, P, (turn_factor *)factor);
    }
    const double J = SINGULAR_PIVOT * (I->J.xx + I->J.yy + I->J.zz);
    const cardo_spatial H = spatial_load((const cardo_spatial *)map);
    return column_eliminate(P, H, rigid_mul(mass, *I, H), J, 3 * SINGULAR_PIVOT * mass,
                            (column_factor *)factor);
}

/* The same for a planar joint about the centre of mass: both slides feel the mass alone, and the turn only what the body turns
 * by, its lever lying in their plane. What that leaves is of interest only where the parent moves. */
ALWAYS_INLINE bool planar_eliminate(const double *map, double mass, const rigid_inertia *I,
                                    bool parent_moves, articulated_inertia *P,
                                    column_factor *columns)
{
    const cardo_spatial *H = (const cardo_spatial *)map;
    const cardo_vec3 none = v3(0, 0, 0), axis = spatial_load(&H[0]).angular;
    const cardo_vec3 x = spatial_load(&H[1]).linear, y = spatial_load(&H[2]).linear;
    const cardo_vec3 U = sym33_mul_v3(I->J, axis);
    const double D = v3_dot(axis, U), inverse = 1.0 / D, by_mass = 1.0 / mass;
    const cardo_vec3 G = v3_scale(inverse, U);
    columns[0].D_inverse = inverse;
    columns[1].D_inverse = columns[2].D_inverse = by_mass;
    spatial_put(&columns[0].G, (cardo_spatial){G, none});
    spatial_put(&columns[1].G, (cardo_spatial){none, x});
    spatial_put(&columns[2].G, (cardo_spatial){none, y});
    if (parent_moves) {
        sym33_subtract_outer(&P->J, G, U);
        sym33_subtract_outer(&P->M, x, v3_scale(mass, x));
        sym33_subtract_outer(&P->M, y, v3_scale(mass, y));
    }
    return mass > 0 && D > SINGULAR_PIVOT * (I->J.xx + I->J.yy + I->J.zz);
}

/* What is left of the inertia as the parent sees it, s from the parent's reference point to the
 * body's. Not for free joints: nothing. */
ALWAYS_INLINE articulated_inertia hinge_inertia(const hinge_form form, const double *map,
                                                const articulated_inertia *P, const bool shifted,
                                                cardo_vec3 s)
{
    if (form == HINGE_BALL)
        return articulated_shift_mass(P->M, s);
    if (form == HINGE_ELLIPSOID) {
        /* the force M (v - Z w), Z = L + [s], and its torque -Z^T of it */
        const cardo_mat33 Z = m33_add_cross(((const ellipsoid_map *)map)->L, s);
        const cardo_mat33 ZM = m33_tmul_sym(&Z, P->M);
        const sym33 none = {0, 0, 0, 0, 0, 0};
        return (articulated_inertia){sym33_add_product(none, &ZM, &Z), m33_scale(-1, ZM), P->M};
    }
    return shifted ? articulated_shift(P, s) : *P;
}

/* ---- sweeps with a factorization ---- */

/* e (nu, local), and z+ from z; tau (nu) may be NULL. */
ALWAYS_INLINE cardo_spatial hinge_residual(const hinge_form form, int nu, const double *map,
                                           const double *factor, const double *tau, cardo_spatial z,
                                           double *e)
{
    const cardo_spatial *H = (const cardo_spatial *)map;
    const column_factor *columns = (const column_factor *)factor;
    if (form == HINGE_SINGLE || form == HINGE_COLUMNS)
        for (int j = (form == HINGE_SINGLE ? 1 : nu) - 1; j >= 0; --j) {
            const double residual = (tau ? tau[j] : 0.0) - spatial_dot(H[j], z);
            e[j] = residual;
            z = spatial_add_scaled(z, residual, columns[j].G);
        }
    if (form == HINGE_BALL || form == HINGE_ELLIPSOID) {
        const cardo_vec3 t = tau ? turn_out(map, tau) : v3(0, 0, 0);
        cardo_vec3 felt = z.angular;
        if (form == HINGE_ELLIPSOID)
            felt = v3_add(felt, m33_tmul_v3(((const ellipsoid_map *)map)->L, z.linear));
        const cardo_vec3 residual = v3_sub(t, felt);
        v3_store(e, residual);
        z.linear = v3_add(z.linear, m33_mul_v3(((const turn_factor *)factor)->K, residual));
        z.angular = t;
        if (form == HINGE_ELLIPSOID)
            z.angular = v3_sub(z.angular, m33_tmul_v3(((const ellipsoid_map *)map)->L, z.linear));
    }
    if (form == HINGE_FREE) {
        cardo_spatial t = spatial_zero();
        if (tau)
            t = (cardo_spatial){turn_out(map, tau), turn_out(map, tau + 3)};
        v3_store(e, v3_sub(t.angular, z.angular));
        v3_store(e + 3, v3_sub(t.linear, z.linear));
        return t;
    }
    return z;
}

/* D^-1 e of local mobilities, except for columns, where D is diagonal: there with hinge_accelerate.
 */
ALWAYS_INLINE cardo_vec3 turn_divide(const double *factor, const double *e)
{
    return sym33_mul_v3(((const turn_factor *)factor)->inverse, v3_load(e));
}

ALWAYS_INLINE cardo_spatial free_divide(const free_factor *factor, const double *e)
{
    const cardo_vec3 torque = v3_load(e), force = v3_load(e + 3);
    const cardo_vec3 w = sym33_mul_v3(factor->turn, v3_sub(torque, m33_mul_v3(factor->X, force)));
    return (cardo_spatial){w,
                           v3_sub(sym33_mul_v3(factor->slide, force), m33_tmul_v3(factor->X, w))};
}

/* How much a mobility yields to a force on it, or nearly. */
ALWAYS_INLINE double hinge_yield(const hinge_form form, const double *factor, int mobility)
{
    const turn_factor *turns = (const turn_factor *)factor;
    const free_factor *all = (const free_factor *)factor;
    if (form == HINGE_SINGLE || form == HINGE_COLUMNS)
        return ((const column_factor *)factor)[mobility].D_inverse;
    if (form == HINGE_BALL || form == HINGE_ELLIPSOID)
        return turns->inverse.xx + turns->inverse.yy + turns->inverse.zz;
    if (form == HINGE_FREE)
        return mobility < 3 ? all->turn.xx + all->turn.yy + all->turn.zz
                            : all->slide.xx + all->slide.yy + all->slide.zz;
    return 0;
}

/* G^T a of three turns, and what they make of a when they move by y. */
ALWAYS_INLINE cardo_vec3 turn_drift(const bool moves, const double *map, const turn_factor *factor,
                                    cardo_spatial a)
{
    cardo_vec3 v = a.linear;
    if (moves)
        v = v3_sub(v, m33_mul_v3(((const ellipsoid_map *)map)->L, a.angular));
    return v3_add(a.angular, m33_tmul_v3(factor->K, v));
}

ALWAYS_INLINE cardo_spatial turn_move(const bool moves, const double *map, cardo_spatial a,
                                      cardo_vec3 y)
{
    a.angular = v3_add(a.angular, y);
    if (moves)
        a.linear = v3_add(a.linear, m33_mul_v3(((const ellipsoid_map *)map)->L, y));
    return a;
}

/* udot (nu) from e, and the body's acceleration from its parent's. e and udot may be the same. */
ALWAYS_INLINE cardo_spatial hinge_accelerate(const hinge_form form, int nu, const double *map,
                                             const double *factor, const double *e, cardo_spatial a,
                                             double *udot)
{
    const cardo_spatial *H = (const cardo_spatial *)map;
    const column_factor *columns = (const column_factor *)factor;
    if (form == HINGE_SINGLE || form == HINGE_COLUMNS)
        for (int j = 0; j < (form == HINGE_SINGLE ? 1 : nu); ++j) {
            const double x = columns[j].D_inverse * e[j] - spatial_dot(columns[j].G, a);
            udot[j] = x;
            a = spatial_add_scaled(a, x, H[j]);
        }
    if (form == HINGE_BALL || form == HINGE_ELLIPSOID) {
        const bool moves = form == HINGE_ELLIPSOID;
        const cardo_vec3 drift = turn_drift(moves, map, (const turn_factor *)factor, a);
        const cardo_vec3 y = v3_sub(turn_divide(factor, e), drift);
        turn_back(map, y, udot);
        a = turn_move(moves, map, a, y);
    }
    if (form == HINGE_FREE) {
        const cardo_spatial total = free_divide((const free_factor *)factor, e);
        turn_back(map, v3_sub(total.angular, a.angular), udot);
        turn_back(map, v3_sub(total.linear, a.linear), udot + 3);
        a = total;
    }
    return a;
}

#endif
