/* Spatial (six-dimensional) algebra in ground axes about a chosen reference point.
 *
 * A motion is (angular velocity, velocity of the body point that is at the reference point), a
 * force (torque about the reference point, force). Reference points are fixed in space for the
 * instant: accelerations are those of Featherstone's spatial algebra, so they and the inertias of
 * neighbours add without a shift wherever two bodies share a point. All inline: the inner loops of
 * the engine are made of these. */
#ifndef CARDO_MULTIBODY_ALGEBRA_SPATIAL_H
#define CARDO_MULTIBODY_ALGEBRA_SPATIAL_H

#include "base/vec.h"
#include "multibody/force.h"

#include <stdbool.h>

/* Left to itself the compiler stops inlining inside long loops, and then passes whole inertias
 * through memory. */
#define SPATIAL_INLINE static inline __attribute__((always_inline))

/* A symmetric 3x3 matrix by its upper triangle. */
typedef struct sym33 {
    double xx, xy, xz, yy, yz, zz;
} sym33;

/* Inertia of a rigid body about a reference point: first moment h = m c, second moment J; the mass
 * is kept with the body because it never changes. */
typedef struct rigid_inertia {
    sym33 J;
    cardo_vec3 h;
} rigid_inertia;

/* Articulated-body inertia: torque = J w + C v, force = C^T w + M v. */
typedef struct articulated_inertia {
    sym33 J;
    cardo_mat33 C;
    sym33 M;
} articulated_inertia;

/* Four numbers side by side, as they lie in memory: vector instructions where the machine has them,
 * the same bits everywhere. */
typedef double row4 __attribute__((vector_size(32), aligned(8), may_alias));

/* A rotation and a position by rows: (R | p). */
typedef struct frame_rows {
    double m[3][4];
} frame_rows;

/* A B as transforms. Vectors stay inside: passing them would depend on what the
 * compiler may assume of the machine. */
SPATIAL_INLINE void frame_product(const frame_rows *a, const frame_rows *b, frame_rows *to)
{
    const row4 *x = (const row4 *)b->m[0], *y = (const row4 *)b->m[1], *z = (const row4 *)b->m[2];
    for (int i = 0; i < 3; ++i) {
        const row4 from = {0, 0, 0, a->m[i][3]};
        *(row4 *)to->m[i] = ((a->m[i][0] * *x + a->m[i][1] * *y) + a->m[i][2] * *z) + from;
    }
}

/* The same with B = (R, p) from registers. */
SPATIAL_INLINE void frame_product_transform(const frame_rows *a, const cardo_mat33 *R, cardo_vec3 p,
                                            frame_rows *to)
{
    const row4 x = {R->m[0][0], R->m[0][1], R->m[0][2], p.x};
    const row4 y = {R->m[1][0], R->m[1][1], R->m[1][2], p.y};
    const row4 z = {R->m[2][0], R->m[2][1], R->m[2][2], p.z};
    for (int i = 0; i < 3; ++i) {
        const row4 from = {0, 0, 0, a->m[i][3]};
        *(row4 *)to->m[i] = ((a->m[i][0] * x + a->m[i][1] * y) + a->m[i][2] * z) + from;
    }
}

/* The rotation of A times all four columns of B. */
SPATIAL_INLINE void frame_turn_columns(const frame_rows *a, const frame_rows *b, frame_rows *to)
{
    const row4 *x = (const row4 *)b->m[0], *y = (const row4 *)b->m[1], *z = (const row4 *)b->m[2];
    for (int i = 0; i < 3; ++i)
        *(row4 *)to->m[i] = (a->m[i][0] * *x + a->m[i][1] * *y) + a->m[i][2] * *z;
}

/* A Rz of the angle with this sine and cosine, at A's position. */
SPATIAL_INLINE void frame_turn_about_z(const frame_rows *a, double s, double c, frame_rows *to)
{
    const row4 along = {c, c, 1, 1}, across = {s, -s, 0, 0};
    for (int i = 0; i < 3; ++i) {
        const row4 row = *(const row4 *)a->m[i];
        *(row4 *)to->m[i] = row * along + __builtin_shufflevector(row, row, 1, 0, 3, 2) * across;
    }
}

SPATIAL_INLINE cardo_mat33 frame_rotation(const frame_rows *a)
{
    return (cardo_mat33){{{a->m[0][0], a->m[0][1], a->m[0][2]},
                          {a->m[1][0], a->m[1][1], a->m[1][2]},
                          {a->m[2][0], a->m[2][1], a->m[2][2]}}};
}

SPATIAL_INLINE cardo_vec3 frame_column(const frame_rows *a, int j)
{
    return v3(a->m[0][j], a->m[1][j], a->m[2][j]);
}

SPATIAL_INLINE cardo_vec3 frame_position(const frame_rows *a)
{
    return frame_column(a, 3);
}

SPATIAL_INLINE void frame_put(frame_rows *to, const cardo_mat33 *R, cardo_vec3 p)
{
    const double x[3] = {p.x, p.y, p.z};
    for (int i = 0; i < 3; ++i) {
        to->m[i][0] = R->m[i][0];
        to->m[i][1] = R->m[i][1];
        to->m[i][2] = R->m[i][2];
        to->m[i][3] = x[i];
    }
}

SPATIAL_INLINE cardo_transform frame_transform(const frame_rows *a)
{
    return (cardo_transform){frame_rotation(a), frame_position(a)};
}

/* R v */
SPATIAL_INLINE cardo_vec3 frame_turn(const frame_rows *a, cardo_vec3 v)
{
    return m33_mul_v3(frame_rotation(a), v);
}

SPATIAL_INLINE cardo_spatial spatial_zero(void)
{
    return (cardo_spatial){{0, 0, 0}, {0, 0, 0}};
}

/* Read number by number what was stored so a moment ago: a wide load would wait for the stores. */
SPATIAL_INLINE cardo_spatial spatial_load(const cardo_spatial *a)
{
    return (cardo_spatial){{a->angular.x, a->angular.y, a->angular.z},
                           {a->linear.x, a->linear.y, a->linear.z}};
}

SPATIAL_INLINE void spatial_put(cardo_spatial *to, cardo_spatial a)
{
    to->angular.x = a.angular.x;
    to->angular.y = a.angular.y;
    to->angular.z = a.angular.z;
    to->linear.x = a.linear.x;
    to->linear.y = a.linear.y;
    to->linear.z = a.linear.z;
}

SPATIAL_INLINE cardo_spatial spatial_add(cardo_spatial a, cardo_spatial b)
{
    return (cardo_spatial){v3_add(a.angular, b.angular), v3_add(a.linear, b.linear)};
}

SPATIAL_INLINE cardo_spatial spatial_sub(cardo_spatial a, cardo_spatial b)
{
    return (cardo_spatial){v3_sub(a.angular, b.angular), v3_sub(a.linear, b.linear)};
}

SPATIAL_INLINE cardo_spatial spatial_scale(double s, cardo_spatial a)
{
    return (cardo_spatial){v3_scale(s, a.angular), v3_scale(s, a.linear)};
}

/* a + s b */
SPATIAL_INLINE cardo_spatial spatial_add_scaled(cardo_spatial a, double s, cardo_spatial b)
{
    return (cardo_spatial){v3_add_scaled(a.angular, s, b.angular),
                           v3_add_scaled(a.linear, s, b.linear)};
}

/* Power: force . motion, about one reference point. */
SPATIAL_INLINE double spatial_dot(cardo_spatial a, cardo_spatial b)
{
    return v3_dot(a.angular, b.angular) + v3_dot(a.linear, b.linear);
}

/* A motion known at a point, as seen from the point at that one plus s. */
SPATIAL_INLINE cardo_spatial motion_shift(cardo_spatial a, cardo_vec3 s)
{
    return (cardo_spatial){a.angular, v3_add(a.linear, v3_cross(a.angular, s))};
}

/* A force known about a point, taken about the point at that one minus s. */
SPATIAL_INLINE cardo_spatial force_shift(cardo_spatial f, cardo_vec3 s)
{
    return (cardo_spatial){v3_add(f.angular, v3_cross(s, f.linear)), f.linear};
}

/* Both vectors of a spatial vector turned by R. */
SPATIAL_INLINE cardo_spatial spatial_rotate(cardo_mat33 R, cardo_spatial a)
{
    return (cardo_spatial){m33_mul_v3(R, a.angular), m33_mul_v3(R, a.linear)};
}

/* Rate of the motion vector b when it is carried along by the motion a: a x b. */
SPATIAL_INLINE cardo_spatial motion_cross(cardo_spatial a, cardo_spatial b)
{
    return (cardo_spatial){v3_cross(a.angular, b.angular),
                           v3_add(v3_cross(a.angular, b.linear), v3_cross(a.linear, b.angular))};
}

SPATIAL_INLINE cardo_vec3 sym33_mul_v3(sym33 a, cardo_vec3 v)
{
    return v3(a.xx * v.x + a.xy * v.y + a.xz * v.z, a.xy * v.x + a.yy * v.y + a.yz * v.z,
              a.xz * v.x + a.yz * v.y + a.zz * v.z);
}

/* R a R^T */
SPATIAL_INLINE sym33 sym33_rotate(cardo_mat33 R, sym33 a)
{
    cardo_vec3 x = sym33_mul_v3(a, v3(R.m[0][0], R.m[0][1], R.m[0][2]));
    cardo_vec3 y = sym33_mul_v3(a, v3(R.m[1][0], R.m[1][1], R.m[1][2]));
    cardo_vec3 z = sym33_mul_v3(a, v3(R.m[2][0], R.m[2][1], R.m[2][2]));
    cardo_vec3 r0 = v3(R.m[0][0], R.m[0][1], R.m[0][2]);
    cardo_vec3 r1 = v3(R.m[1][0], R.m[1][1], R.m[1][2]);
    cardo_vec3 r2 = v3(R.m[2][0], R.m[2][1], R.m[2][2]);
    return (sym33){v3_dot(r0, x), v3_dot(r0, y), v3_dot(r0, z),
                   v3_dot(r1, y), v3_dot(r1, z), v3_dot(r2, z)};
}

/* Inertia of a point mass at c about the reference point, added to a. */
SPATIAL_INLINE sym33 sym33_add_point(sym33 a, double mass, cardo_vec3 c)
{
    cardo_vec3 h = v3_scale(mass, c);
    double x = h.x * c.x, y = h.y * c.y, z = h.z * c.z;
    return (sym33){a.xx + (y + z), a.xy - h.x * c.y, a.xz - h.x * c.z,
                   a.yy + (x + z), a.yz - h.y * c.z, a.zz + (x + y)};
}

/* Momentum (or I a) of a rigid body: force = I motion. */
SPATIAL_INLINE cardo_spatial rigid_mul(double mass, rigid_inertia I, cardo_spatial a)
{
    return (cardo_spatial){v3_add(sym33_mul_v3(I.J, a.angular), v3_cross(I.h, a.linear)),
                           v3_add_scaled(v3_cross(a.angular, I.h), mass, a.linear)};
}

/* Inertia about the point at the old one minus s. */
SPATIAL_INLINE rigid_inertia rigid_shift(double mass, rigid_inertia I, cardo_vec3 s)
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

/* a b, written out: loops over elements, and copies of whole structs that were just stored element
 * by element, keep values in memory where a wide load has to wait for the narrow stores. */
SPATIAL_INLINE cardo_mat33 m33_product(const cardo_mat33 *a, const cardo_mat33 *b)
{
    cardo_mat33 c;
    c.m[0][0] = a->m[0][0] * b->m[0][0] + a->m[0][1] * b->m[1][0] + a->m[0][2] * b->m[2][0];
    c.m[0][1] = a->m[0][0] * b->m[0][1] + a->m[0][1] * b->m[1][1] + a->m[0][2] * b->m[2][1];
    c.m[0][2] = a->m[0][0] * b->m[0][2] + a->m[0][1] * b->m[1][2] + a->m[0][2] * b->m[2][2];
    c.m[1][0] = a->m[1][0] * b->m[0][0] + a->m[1][1] * b->m[1][0] + a->m[1][2] * b->m[2][0];
    c.m[1][1] = a->m[1][0] * b->m[0][1] + a->m[1][1] * b->m[1][1] + a->m[1][2] * b->m[2][1];
    c.m[1][2] = a->m[1][0] * b->m[0][2] + a->m[1][1] * b->m[1][2] + a->m[1][2] * b->m[2][2];
    c.m[2][0] = a->m[2][0] * b->m[0][0] + a->m[2][1] * b->m[1][0] + a->m[2][2] * b->m[2][0];
    c.m[2][1] = a->m[2][0] * b->m[0][1] + a->m[2][1] * b->m[1][1] + a->m[2][2] * b->m[2][1];
    c.m[2][2] = a->m[2][0] * b->m[0][2] + a->m[2][1] * b->m[1][2] + a->m[2][2] * b->m[2][2];
    return c;
}

/* Rotation about a unit axis by the angle of a cosine and sine (Rodrigues). */
SPATIAL_INLINE cardo_mat33 m33_rotation_by(cardo_vec3 a, double c, double s)
{
    const cardo_vec3 t = v3_scale(1.0 - c, a), n = v3_scale(s, a);
    return (cardo_mat33){{{c + t.x * a.x, t.x * a.y - n.z, t.x * a.z + n.y},
                          {t.x * a.y + n.z, c + t.y * a.y, t.y * a.z - n.x},
                          {t.x * a.z - n.y, t.y * a.z + n.x, c + t.z * a.z}}};
}

/* Element by element, for the same reason. */
SPATIAL_INLINE void m33_store(cardo_mat33 *to, const cardo_mat33 *from)
{
    to->m[0][0] = from->m[0][0];
    to->m[0][1] = from->m[0][1];
    to->m[0][2] = from->m[0][2];
    to->m[1][0] = from->m[1][0];
    to->m[1][1] = from->m[1][1];
    to->m[1][2] = from->m[1][2];
    to->m[2][0] = from->m[2][0];
    to->m[2][1] = from->m[2][1];
    to->m[2][2] = from->m[2][2];
}

SPATIAL_INLINE void sym33_store(sym33 *to, const sym33 *from)
{
    to->xx = from->xx;
    to->xy = from->xy;
    to->xz = from->xz;
    to->yy = from->yy;
    to->yz = from->yz;
    to->zz = from->zz;
}

SPATIAL_INLINE void articulated_store(articulated_inertia *to, const articulated_inertia *from)
{
    sym33_store(&to->J, &from->J);
    m33_store(&to->C, &from->C);
    sym33_store(&to->M, &from->M);
}

SPATIAL_INLINE articulated_inertia articulated_from_rigid(double mass, const rigid_inertia *I)
{
    const double x = I->h.x, y = I->h.y, z = I->h.z;
    return (articulated_inertia){
        I->J, {{{0, -z, y}, {z, 0, -x}, {-y, x, 0}}}, {mass, 0, 0, mass, 0, mass}};
}

SPATIAL_INLINE cardo_spatial articulated_mul(const articulated_inertia *P, cardo_spatial a)
{
    return (cardo_spatial){v3_add(sym33_mul_v3(P->J, a.angular), m33_mul_v3(P->C, a.linear)),
                           v3_add(m33_tmul_v3(P->C, a.angular), sym33_mul_v3(P->M, a.linear))};
}

SPATIAL_INLINE sym33 sym33_add(sym33 a, sym33 b)
{
    return (sym33){a.xx + b.xx, a.xy + b.xy, a.xz + b.xz, a.yy + b.yy, a.yz + b.yz, a.zz + b.zz};
}

/* P += inertia of a rigid body. */
SPATIAL_INLINE void articulated_add_rigid(articulated_inertia *P, double mass,
                                          const rigid_inertia *I)
{
    P->J = sym33_add(P->J, I->J);
    P->C.m[0][1] -= I->h.z;
    P->C.m[0][2] += I->h.y;
    P->C.m[1][0] += I->h.z;
    P->C.m[1][2] -= I->h.x;
    P->C.m[2][0] -= I->h.y;
    P->C.m[2][1] += I->h.x;
    P->M.xx += mass;
    P->M.yy += mass;
    P->M.zz += mass;
}

/* a += b */
SPATIAL_INLINE void articulated_add(articulated_inertia *a, const articulated_inertia *b)
{
    a->J = sym33_add(a->J, b->J);
    a->M = sym33_add(a->M, b->M);
    a->C.m[0][0] += b->C.m[0][0];
    a->C.m[0][1] += b->C.m[0][1];
    a->C.m[0][2] += b->C.m[0][2];
    a->C.m[1][0] += b->C.m[1][0];
    a->C.m[1][1] += b->C.m[1][1];
    a->C.m[1][2] += b->C.m[1][2];
    a->C.m[2][0] += b->C.m[2][0];
    a->C.m[2][1] += b->C.m[2][1];
    a->C.m[2][2] += b->C.m[2][2];
}

/* A + B */
SPATIAL_INLINE cardo_mat33 m33_add(cardo_mat33 a, cardo_mat33 b)
{
    return (cardo_mat33){{{a.m[0][0] + b.m[0][0], a.m[0][1] + b.m[0][1], a.m[0][2] + b.m[0][2]},
                          {a.m[1][0] + b.m[1][0], a.m[1][1] + b.m[1][1], a.m[1][2] + b.m[1][2]},
                          {a.m[2][0] + b.m[2][0], a.m[2][1] + b.m[2][1], a.m[2][2] + b.m[2][2]}}};
}

SPATIAL_INLINE cardo_mat33 m33_scale(double s, cardo_mat33 a)
{
    return (cardo_mat33){{{s * a.m[0][0], s * a.m[0][1], s * a.m[0][2]},
                          {s * a.m[1][0], s * a.m[1][1], s * a.m[1][2]},
                          {s * a.m[2][0], s * a.m[2][1], s * a.m[2][2]}}};
}

/* A + [s] */
SPATIAL_INLINE cardo_mat33 m33_add_cross(cardo_mat33 a, cardo_vec3 s)
{
    return (cardo_mat33){{{a.m[0][0], a.m[0][1] - s.z, a.m[0][2] + s.y},
                          {a.m[1][0] + s.z, a.m[1][1], a.m[1][2] - s.x},
                          {a.m[2][0] - s.y, a.m[2][1] + s.x, a.m[2][2]}}};
}

/* A diag(d) A^T */
SPATIAL_INLINE sym33 sym33_from_axes(const cardo_mat33 *a, cardo_vec3 d)
{
    const cardo_vec3 r0 = v3(a->m[0][0], a->m[0][1], a->m[0][2]);
    const cardo_vec3 r1 = v3(a->m[1][0], a->m[1][1], a->m[1][2]);
    const cardo_vec3 r2 = v3(a->m[2][0], a->m[2][1], a->m[2][2]);
    const cardo_vec3 x = v3(d.x * r0.x, d.y * r0.y, d.z * r0.z);
    const cardo_vec3 y = v3(d.x * r1.x, d.y * r1.y, d.z * r1.z);
    const cardo_vec3 z = v3(d.x * r2.x, d.y * r2.y, d.z * r2.z);
    return (sym33){v3_dot(x, r0), v3_dot(x, r1), v3_dot(x, r2),
                   v3_dot(y, r1), v3_dot(y, r2), v3_dot(z, r2)};
}

/* S [n] */
SPATIAL_INLINE cardo_mat33 sym33_mul_cross(sym33 s, cardo_vec3 n)
{
    return (cardo_mat33){
        {{s.xy * n.z - s.xz * n.y, s.xz * n.x - s.xx * n.z, s.xx * n.y - s.xy * n.x},
         {s.yy * n.z - s.yz * n.y, s.yz * n.x - s.xy * n.z, s.xy * n.y - s.yy * n.x},
         {s.yz * n.z - s.zz * n.y, s.zz * n.x - s.xz * n.z, s.xz * n.y - s.yz * n.x}}};
}

/* A S and A^T S for a symmetric S: row by row. */
SPATIAL_INLINE cardo_mat33 m33_mul_sym(const cardo_mat33 *a, sym33 s)
{
    const cardo_vec3 x = sym33_mul_v3(s, v3(a->m[0][0], a->m[0][1], a->m[0][2]));
    const cardo_vec3 y = sym33_mul_v3(s, v3(a->m[1][0], a->m[1][1], a->m[1][2]));
    const cardo_vec3 z = sym33_mul_v3(s, v3(a->m[2][0], a->m[2][1], a->m[2][2]));
    return (cardo_mat33){{{x.x, x.y, x.z}, {y.x, y.y, y.z}, {z.x, z.y, z.z}}};
}

SPATIAL_INLINE cardo_mat33 m33_tmul_sym(const cardo_mat33 *a, sym33 s)
{
    const cardo_mat33 t = m33_transpose(*a);
    return m33_mul_sym(&t, s);
}

/* Element i, j of A B. */
SPATIAL_INLINE double m33_element(const cardo_mat33 *a, const cardo_mat33 *b, int i, int j)
{
    return a->m[i][0] * b->m[0][j] + a->m[i][1] * b->m[1][j] + a->m[i][2] * b->m[2][j];
}

/* S - A B, of which the caller knows that it is symmetric. */
SPATIAL_INLINE sym33 sym33_sub_product(sym33 s, const cardo_mat33 *a, const cardo_mat33 *b)
{
    return (sym33){s.xx - m33_element(a, b, 0, 0), s.xy - m33_element(a, b, 0, 1),
                   s.xz - m33_element(a, b, 0, 2), s.yy - m33_element(a, b, 1, 1),
                   s.yz - m33_element(a, b, 1, 2), s.zz - m33_element(a, b, 2, 2)};
}

/* S + A B, the same. */
SPATIAL_INLINE sym33 sym33_add_product(sym33 s, const cardo_mat33 *a, const cardo_mat33 *b)
{
    return (sym33){s.xx + m33_element(a, b, 0, 0), s.xy + m33_element(a, b, 0, 1),
                   s.xz + m33_element(a, b, 0, 2), s.yy + m33_element(a, b, 1, 1),
                   s.yz + m33_element(a, b, 1, 2), s.zz + m33_element(a, b, 2, 2)};
}

/* S + A L + (B L)^T, of which the caller knows that it is symmetric. */
SPATIAL_INLINE sym33 sym33_add_products(sym33 s, const cardo_mat33 *a, const cardo_mat33 *b,
                                        const cardo_mat33 *l)
{
    return (sym33){s.xx + (m33_element(a, l, 0, 0) + m33_element(b, l, 0, 0)),
                   s.xy + (m33_element(a, l, 0, 1) + m33_element(b, l, 1, 0)),
                   s.xz + (m33_element(a, l, 0, 2) + m33_element(b, l, 2, 0)),
                   s.yy + (m33_element(a, l, 1, 1) + m33_element(b, l, 1, 1)),
                   s.yz + (m33_element(a, l, 1, 2) + m33_element(b, l, 2, 1)),
                   s.zz + (m33_element(a, l, 2, 2) + m33_element(b, l, 2, 2))};
}

/* Inverse of a positive definite matrix by pivots from the first, with two divisions side by side
 * instead of three in a row (the elimination is done on multiples of the rows: Bareiss 1968). False
 * unless every pivot exceeds least. */
SPATIAL_INLINE bool sym33_invert(sym33 a, double least, sym33 *inverse)
{
    const double p = a.xx * a.yy - a.xy * a.xy, r = a.xx * a.yz - a.xy * a.xz;
    const double s = a.xx * a.zz - a.xz * a.xz, d = p * s - r * r;
    const double one = 1.0 / a.xx, t = a.xx / d, y = a.xy * one, z = a.xz * one;
    inverse->yy = s * t;
    inverse->yz = -(r * t);
    inverse->zz = p * t;
    inverse->xy = -(y * inverse->yy + z * inverse->yz);
    inverse->xz = -(y * inverse->yz + z * inverse->zz);
    inverse->xx = one - (y * inverse->xy + z * inverse->xz);
    return a.xx > least && p > least * a.xx && d > least * (a.xx * p);
}

/* Subtracts g u^T, of which the caller knows that it is symmetric in sum over its calls. */
SPATIAL_INLINE void sym33_subtract_outer(sym33 *a, cardo_vec3 g, cardo_vec3 u)
{
    a->xx -= g.x * u.x;
    a->xy -= g.x * u.y;
    a->xz -= g.x * u.z;
    a->yy -= g.y * u.y;
    a->yz -= g.y * u.z;
    a->zz -= g.z * u.z;
}

SPATIAL_INLINE void articulated_subtract_outer(articulated_inertia *P, cardo_spatial g,
                                               cardo_spatial u)
{
    const cardo_vec3 a = g.angular, b = u.linear;
    sym33_subtract_outer(&P->J, a, u.angular);
    sym33_subtract_outer(&P->M, g.linear, b);
    P->C.m[0][0] -= a.x * b.x;
    P->C.m[0][1] -= a.x * b.y;
    P->C.m[0][2] -= a.x * b.z;
    P->C.m[1][0] -= a.y * b.x;
    P->C.m[1][1] -= a.y * b.y;
    P->C.m[1][2] -= a.y * b.z;
    P->C.m[2][0] -= a.z * b.x;
    P->C.m[2][1] -= a.z * b.y;
    P->C.m[2][2] -= a.z * b.z;
}

/* [s] A for the cross-product matrix [s] of s. */
SPATIAL_INLINE cardo_mat33 m33_cross_mul(cardo_vec3 s, cardo_mat33 a)
{
    return m33_from_columns(v3_cross(s, m33_column(a, 0)), v3_cross(s, m33_column(a, 1)),
                            v3_cross(s, m33_column(a, 2)));
}

/* The same inertia about the point at the old one minus s: C' = C + [s] M, J' = J - C [s] + [s]
 * C'^T. */
SPATIAL_INLINE articulated_inertia articulated_shift(const articulated_inertia *P, cardo_vec3 s)
{
    const sym33 M = P->M;
    const cardo_mat33 full = {{{M.xx, M.xy, M.xz}, {M.xy, M.yy, M.yz}, {M.xz, M.yz, M.zz}}};
    articulated_inertia out;
    out.M = M;
    out.C = m33_cross_mul(s, full);
    out.C.m[0][0] += P->C.m[0][0];
    out.C.m[0][1] += P->C.m[0][1];
    out.C.m[0][2] += P->C.m[0][2];
    out.C.m[1][0] += P->C.m[1][0];
    out.C.m[1][1] += P->C.m[1][1];
    out.C.m[1][2] += P->C.m[1][2];
    out.C.m[2][0] += P->C.m[2][0];
    out.C.m[2][1] += P->C.m[2][1];
    out.C.m[2][2] += P->C.m[2][2];
    const cardo_mat33 A = m33_cross_mul(s, m33_transpose(P->C)); /* = -(C [s])^T */
    const cardo_mat33 B = m33_cross_mul(s, m33_transpose(out.C));
    out.J = (sym33){P->J.xx + (A.m[0][0] + B.m[0][0]), P->J.xy + (A.m[1][0] + B.m[0][1]),
                    P->J.xz + (A.m[2][0] + B.m[0][2]), P->J.yy + (A.m[1][1] + B.m[1][1]),
                    P->J.yz + (A.m[2][1] + B.m[1][2]), P->J.zz + (A.m[2][2] + B.m[2][2])};
    return out;
}

/* What is left of an inertia without J and C about the point at the old one minus s. */
SPATIAL_INLINE articulated_inertia articulated_shift_mass(sym33 M, cardo_vec3 s)
{
    const cardo_mat33 full = {{{M.xx, M.xy, M.xz}, {M.xy, M.yy, M.yz}, {M.xz, M.yz, M.zz}}};
    articulated_inertia out;
    out.M = M;
    out.C = m33_cross_mul(s, full);
    const cardo_vec3 x = v3_cross(s, v3(out.C.m[0][0], out.C.m[0][1], out.C.m[0][2]));
    const cardo_vec3 y = v3_cross(s, v3(out.C.m[1][0], out.C.m[1][1], out.C.m[1][2]));
    const cardo_vec3 z = v3_cross(s, v3(out.C.m[2][0], out.C.m[2][1], out.C.m[2][2]));
    out.J = (sym33){x.x, y.x, z.x, y.y, z.y, z.z};
    return out;
}

#endif
