/* Smooth shapes: one point of contact, by Hertz's law with an ellipse. A convex body is known by its support function h(n), the farthest it reaches along
 * n: an ellipsoid's is |D n| in its frame. Bodies are apart, or overlap least, along the n at which d . n - h1(n) - h2(-n) is largest, d from centre to centre. The
 * second derivatives of h across n are the radii of curvature there, and their inverses' sum, halved, the A and B of Hertz. */
#include "multibody/contact/pair.h"

static bool is_smooth(const cardo_contact_shape *shape)
{
    return shape->semi_axes != NULL;
}

static bool accepts(const cardo_contact_shape *first, const cardo_contact_shape *second)
{
    return is_smooth(second) && (is_smooth(first) || first == &cardo_contact_half_space_shape);
}

/* An ellipsoid in ground: columns of D^2's matrix about its centre. */
typedef struct support {
    cardo_mat33 square; /* R D^2 R^T */
    cardo_vec3 centre;
} support;

static support support_of(const contact_surface *surface, const cardo_transform *X)
{
    const cardo_vec3 r = surface->shape->semi_axes(surface->data);
    const double square[3] = {r.x * r.x, r.y * r.y, r.z * r.z};
    support out = {.centre = X->p};
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            for (int k = 0; k < 3; ++k)
                out.square.m[i][j] += X->R.m[i][k] * square[k] * X->R.m[j][k];
    return out;
}

/* A symmetric 2 x 2 matrix across n. */
typedef struct across {
    double xx, xy, yy;
} across;

/* h(n), the place at which it is reached, less the centre, and the radii of curvature in the directions x and y across n. */
static double reach(const support *s, cardo_vec3 n, cardo_vec3 x, cardo_vec3 y, cardo_vec3 *place,
                    across *radii)
{
    const cardo_vec3 Sn = m33_mul_v3(s->square, n);
    const double h = sqrt(v3_dot(n, Sn));
    *place = v3_scale(1 / h, Sn);
    const cardo_vec3 Sx = m33_mul_v3(s->square, x), Sy = m33_mul_v3(s->square, y);
    const double px = v3_dot(x, *place), py = v3_dot(y, *place);
    radii->xx = (v3_dot(x, Sx) - px * px) / h;
    radii->xy = (v3_dot(x, Sy) - px * py) / h;
    radii->yy = (v3_dot(y, Sy) - py * py) / h;
    return h;
}

static across inverse(across a)
{
    const double scale = 1 / (a.xx * a.yy - a.xy * a.xy);
    return (across){scale * a.yy, -scale * a.xy, scale * a.xx};
}

/* Hertz's ellipse from the sum of both curvatures. */
static void ellipse_of(const contact_pair *pair, across curvature, double *radius, double *sigma)
{
    const double mean = 0.5 * (curvature.xx + curvature.yy);
    const double half = hypot(0.5 * (curvature.xx - curvature.yy), curvature.xy);
    const double B = 0.5 * (mean + half);
    const double A = 0.25 * (curvature.xx * curvature.yy - curvature.xy * curvature.xy) / B;
    *radius = 1 / (2 * sqrt(A * B));
    *sigma =
        (pair->antoine ? cardo_hertz_ellipse_antoine(A, B) : cardo_hertz_ellipse_exact(A, B)).sigma;
}

static double sphere_radius(const contact_surface *surface)
{
    return surface->shape == &cardo_contact_sphere_shape
               ? ((const cardo_contact_sphere *)surface->data)->radius
               : 0;
}

static double on_half_space(const contact_pair *pair, const cardo_contact_pair_material *material)
{
    const cardo_vec3 n = m33_mul_v3(pair->X1.R, v3(-1, 0, 0));
    const double height = v3_dot(n, v3_sub(pair->X2.p, pair->X1.p)), r = sphere_radius(pair->s2);
    if (r > 0) {
        const double depth = r - height;
        if (!(depth > 0))
            return 0;
        return cardo_contact_hertz_at(pair, material, v3_add_scaled(pair->X2.p, 0.5 * depth - r, n),
                                      n, depth, r, 1);
    }
    const support s = support_of(pair->s2, &pair->X2);
    const cardo_vec3 x = v3_perpendicular(n), y = v3_cross(n, x);
    cardo_vec3 place;
    across radii;
    double radius, sigma;
    const double depth = reach(&s, v3_neg(n), x, y, &place, &radii) - height;
    if (!(depth > 0))
        return 0;
    ellipse_of(pair, inverse(radii), &radius, &sigma);
    const cardo_vec3 lowest = v3_add(s.centre, place);
    return cardo_contact_hertz_at(pair, material, v3_add_scaled(lowest, 0.5 * depth, n), n, depth,
                                  radius, sigma);
}

static double spheres(const contact_pair *pair, const cardo_contact_pair_material *material,
                      double r1, double r2)
{
    const cardo_vec3 d = v3_sub(pair->X2.p, pair->X1.p);
    const double square = v3_dot(d, d), reach_both = r1 + r2;
    if (!(square < reach_both * reach_both))
        return 0;
    const double distance = sqrt(square), depth = reach_both - distance;
    const cardo_vec3 n = distance > 0 ? v3_scale(1 / distance, d) : v3(1, 0, 0);
    const cardo_vec3 middle = v3_add_scaled(pair->X1.p, r1 - 0.5 * depth, n);
    return cardo_contact_hertz_at(pair, material, middle, n, depth, r1 * r2 / (r1 + r2), 1);
}

/* Where two ellipsoids are nearest. */
typedef struct meeting {
    cardo_vec3 n, x, y, place1, place2;
    across radii1, radii2;
    double gap; /* d . n - h1 - h2 */
} meeting;

static void meet(const support *s1, const support *s2, cardo_vec3 d, cardo_vec3 n, meeting *m)
{
    m->n = n;
    m->x = v3_perpendicular(n);
    m->y = v3_cross(n, m->x);
    const double h1 = reach(s1, n, m->x, m->y, &m->place1, &m->radii1);
    const double h2 = reach(s2, v3_neg(n), m->x, m->y, &m->place2, &m->radii2);
    m->gap = v3_dot(d, n) - h1 - h2;
}

/* Newton's steps on the sphere of directions, halved where they do not gain. The gradient is what lies between the two places across n; the second
 * derivatives are -(radii of curvature) - gap. */
static void climb(const support *s1, const support *s2, cardo_vec3 d, meeting *m)
{
    const double size = sqrt(v3_dot(d, d));
    for (int i = 0; i < 50; ++i) {
        const cardo_vec3 between = v3_sub(v3_add(d, m->place2), m->place1);
        const double gx = v3_dot(m->x, between), gy = v3_dot(m->y, between);
        if (hypot(gx, gy) <= 1e-15 * size)
            return;
        across curve = {m->radii1.xx + m->radii2.xx + m->gap, m->radii1.xy + m->radii2.xy,
                        m->radii1.yy + m->radii2.yy + m->gap};
        const double det = curve.xx * curve.yy - curve.xy * curve.xy;
        if (!(det > 0 && curve.xx > 0)) /* uphill by the curvature radii alone */
            curve = (across){m->radii1.xx + m->radii2.xx, m->radii1.xy + m->radii2.xy,
                             m->radii1.yy + m->radii2.yy};
        const across inv = inverse(curve);
        double sx = inv.xx * gx + inv.xy * gy, sy = inv.xy * gx + inv.yy * gy;
        meeting next;
        bool gained = false;
        for (int half = 0; half < 30 && !gained; ++half, sx *= 0.5, sy *= 0.5) {
            const cardo_vec3 n = v3_unit(v3_add_scaled(v3_add_scaled(m->n, sx, m->x), sy, m->y));
            meet(s1, s2, d, n, &next);
            gained = next.gap >= m->gap;
        }
        if (!gained)
            return;
        const bool done = hypot(sx, sy) < 1e-9 && next.gap - m->gap <= 4e-16 * size;
        *m = next;
        if (done)
            return;
    }
}

static double ellipsoids(const contact_pair *pair, const cardo_contact_pair_material *material)
{
    const support s1 = support_of(pair->s1, &pair->X1), s2 = support_of(pair->s2, &pair->X2);
    const cardo_vec3 d = v3_sub(s2.centre, s1.centre);
    const double distance = v3_norm(d);
    meeting m;
    meet(&s1, &s2, d, distance > 0 ? v3_scale(1 / distance, d) : v3(1, 0, 0), &m);
    if (m.gap > 0) /* a plane is between them already */
        return 0;
    climb(&s1, &s2, d, &m);
    if (!(m.gap < 0))
        return 0;
    const across k1 = inverse(m.radii1), k2 = inverse(m.radii2);
    double radius, sigma;
    ellipse_of(pair, (across){k1.xx + k2.xx, k1.xy + k2.xy, k1.yy + k2.yy}, &radius, &sigma);
    const cardo_vec3 middle =
        v3_scale(0.5, v3_add(v3_add(s1.centre, m.place1), v3_add(s2.centre, m.place2)));
    return cardo_contact_hertz_at(pair, material, middle, m.n, -m.gap, radius, sigma);
}

static double compute(const contact_pair *pair)
{
    const cardo_contact_pair_material material =
        cardo_contact_combine_hertz(&pair->s1->material, &pair->s2->material);
    if (pair->s1->shape == &cardo_contact_half_space_shape)
        return on_half_space(pair, &material);
    const double r1 = sphere_radius(pair->s1), r2 = sphere_radius(pair->s2);
    return r1 > 0 && r2 > 0 ? spheres(pair, &material, r1, r2) : ellipsoids(pair, &material);
}

const contact_law cardo_contact_law_hertz = {
    .name = "hertz",
    .accepts = accepts,
    .compute = compute,
};
