#include "point_models.h"

#include "base/units.h"
#include "multibody/tree/operators.h"
#include "support/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_COLUMNS = 6 + POINT_COORDINATES, FIRST_INTERNAL = 6 };

/* ---- what the models are ---- */

static void set_points(point_model *m, int body, double mass, const double points[4][3])
{
    for (int i = 0; i < POINTS_A_BODY; ++i) {
        m->mass[body][i] = mass * (1 + 0.2 * i);
        m->point[body][i] = v3(points[i][0], points[i][1], points[i][2]);
    }
}

/* A heavy base, and a body that slides away from it along a line that misses its centre. */
static void describe_slider(point_model *m)
{
    static const double base[4][3] = {
        {-0.35, 0.1, 0}, {-0.1, -0.3, 0.15}, {-0.2, 0.25, -0.2}, {-0.45, 0, 0.1}};
    static const double end[4][3] = {
        {0.15, 0.05, 0.1}, {0.3, -0.2, 0}, {0.2, 0.2, -0.1}, {0.4, 0, 0.2}};
    m->nbody = 2;
    set_points(m, 0, 9, base);
    set_points(m, 1, 7, end);
    m->X_PF[1] = (cardo_transform){m33_rotation(v3(0, 0.6, 0.8), 0.3), v3(0.8, 0.05, 0)};
    m->lowest[0] = -1.75;
    m->highest[0] = 1.75;
}

/* A light last body far out on its own pin turns about freely: M changes with both angles. */
static void describe_hinges(point_model *m)
{
    static const double base[4][3] = {
        {-0.5, 0.1, 0}, {-0.1, -0.4, 0.2}, {-0.3, 0.3, -0.2}, {-0.6, 0, 0.15}};
    static const double middle[4][3] = {
        {0.2, 0.1, 0.1}, {0.5, -0.15, 0}, {0.4, 0.2, -0.15}, {0.7, 0, 0.1}};
    static const double last[4][3] = {
        {0.5, 0.1, 0.1}, {0.8, -0.1, 0}, {0.6, 0.2, -0.1}, {0.9, 0, 0.1}};
    m->nbody = 3;
    set_points(m, 0, 8, base);
    set_points(m, 1, 6, middle);
    set_points(m, 2, 4, last);
    m->X_PF[1] = (cardo_transform){m33_rotation(v3(0.6, 0, 0.8), 0.5), v3(0.1, 0, 0)};
    m->X_PF[2] = (cardo_transform){m33_rotation(v3(0, 1, 0), 0.9), v3(0.8, 0.05, 0)};
    for (int k = 0; k < 2; ++k) {
        m->lowest[k] = -CARDO_PI;
        m->highest[k] = CARDO_PI;
        m->periodic[k] = true;
    }
}

/* U and its slope along coordinate k, which the others do not change. */
static double potential(const point_model *m, int k, double q, double *slope)
{
    const double kT = 2.494, spread = 0.35;
    if (m->kind == POINT_SLIDER) {
        *slope = kT * q / (spread * spread);
        return 0.5 * q * *slope;
    }
    const double height = k == 0 ? kT : 0.5 * kT, turned = q - 0.4;
    *slope = height * sin(turned);
    return -height * cos(turned);
}

double point_model_potential(const point_model *m, const double *q)
{
    double slope, sum = 0;
    for (int k = 0; k < m->ninternal; ++k)
        sum += potential(m, k, q[k], &slope);
    return sum;
}

static cardo_status push(void *user, cardo_force_evaluation *evaluation, cardo_error *error)
{
    (void)error;
    const point_model *m = user;
    evaluation->energy = 0;
    for (int k = 0; k < m->ninternal; ++k) {
        double slope;
        evaluation->energy +=
            potential(m, k, evaluation->q[evaluation->nq - m->ninternal + k], &slope);
        evaluation->mobility_forces[evaluation->nu - m->ninternal + k] -= slope;
    }
    return CARDO_OK;
}

/* ---- by the engine ---- */

static cardo_mass_properties gather_mass(const point_model *m, int body)
{
    cardo_mass_properties p = {0};
    for (int i = 0; i < POINTS_A_BODY; ++i) {
        const cardo_vec3 x = m->point[body][i];
        const double w = m->mass[body][i];
        p.mass += w;
        p.com = v3_add(p.com, v3_scale(w, x));
        p.inertia[0] += w * (x.y * x.y + x.z * x.z);
        p.inertia[1] += w * (x.x * x.x + x.z * x.z);
        p.inertia[2] += w * (x.x * x.x + x.y * x.y);
        p.inertia[3] -= w * x.x * x.y;
        p.inertia[4] -= w * x.x * x.z;
        p.inertia[5] -= w * x.y * x.z;
    }
    p.com = v3_scale(1 / p.mass, p.com);
    return p;
}

static const cardo_mobilizer *joint_of(const point_model *m, int body)
{
    if (body == 0)
        return m->welded ? &cardo_mobilizer_weld : &cardo_mobilizer_free;
    return m->kind == POINT_SLIDER ? &cardo_mobilizer_slider : &cardo_mobilizer_pin;
}

void point_model_create(point_model *m, point_kind kind, bool welded)
{
    cardo_error error;
    *m = (point_model){.kind = kind, .welded = welded};
    if (kind == POINT_SLIDER)
        describe_slider(m);
    else
        describe_hinges(m);
    m->ninternal = m->nbody - 1;
    assert_ok(cardo_system_create(&m->system, &error), &error);
    for (int b = 0; b < m->nbody; ++b) {
        const cardo_body_definition definition = {
            .parent = b,
            .mobilizer = joint_of(m, b),
            .X_PF = b ? m->X_PF[b] : xform_identity(),
            .X_BM = xform_identity(),
            .mass = gather_mass(m, b),
        };
        double points[3 * POINTS_A_BODY];
        for (int i = 0; i < POINTS_A_BODY; ++i)
            v3_store(points + 3 * i, m->point[b][i]);
        assert_ok(cardo_system_add_body(m->system, &definition, NULL, &error), &error);
        assert_ok(cardo_system_add_stations(m->system, b + 1, b * POINTS_A_BODY, POINTS_A_BODY,
                                            points, &error),
                  &error);
    }
    assert_ok(cardo_system_finalize(m->system, &error), &error);
    assert_ok(cardo_state_create(m->system, &m->state, &error), &error);
    assert_ok(
        cardo_callback_provider_create(push, m, CARDO_FORCE_DETERMINISTIC, &m->provider, &error),
        &error);
}

void point_model_destroy(point_model *m)
{
    cardo_force_provider_destroy(m->provider);
    cardo_state_destroy(m->state);
    cardo_system_destroy(m->system);
}

void point_model_internal(const point_model *m, double *q)
{
    const double *all = cardo_state_q(m->state) + cardo_system_nq(m->system) - m->ninternal;
    for (int k = 0; k < m->ninternal; ++k) {
        q[k] = all[k];
        if (m->periodic[k])
            q[k] -= 2 * CARDO_PI * floor((q[k] - m->lowest[k]) / (2 * CARDO_PI));
    }
}

/* ---- without it ---- */

static void place(const point_model *m, const double *q, cardo_vec3 *x)
{
    for (int b = 0; b < m->nbody; ++b)
        for (int i = 0; i < POINTS_A_BODY; ++i) {
            cardo_vec3 p = m->point[b][i];
            for (int j = b; j > 0; --j) {
                if (m->kind == POINT_SLIDER)
                    p.x += q[j - 1];
                else
                    p = v3(cos(q[j - 1]) * p.x - sin(q[j - 1]) * p.y,
                           sin(q[j - 1]) * p.x + cos(q[j - 1]) * p.y, p.z);
                p = v3_add(m33_mul_v3(m->X_PF[j].R, p), m->X_PF[j].p);
            }
            x[b * POINTS_A_BODY + i] = p;
        }
}

/* Derivatives of all points along column k: shifts, turns, coordinates. */
static void differentiate(const point_model *m, const double *q, int k, cardo_vec3 *d)
{
    const double step = 1e-5;
    const int n = m->nbody * POINTS_A_BODY;
    cardo_vec3 x[POINT_BODIES * POINTS_A_BODY];
    const cardo_vec3 axes[3] = {v3(1, 0, 0), v3(0, 1, 0), v3(0, 0, 1)};
    if (k < FIRST_INTERNAL) {
        place(m, q, x);
        for (int i = 0; i < n; ++i)
            d[i] = k < 3 ? axes[k] : v3_cross(axes[k - 3], x[i]);
        return;
    }
    double moved[POINT_COORDINATES];
    memcpy(moved, q, sizeof(double) * (size_t)m->ninternal);
    moved[k - FIRST_INTERNAL] = q[k - FIRST_INTERNAL] + step;
    place(m, moved, d);
    moved[k - FIRST_INTERNAL] = q[k - FIRST_INTERNAL] - step;
    place(m, moved, x);
    for (int i = 0; i < n; ++i)
        d[i] = v3_scale(0.5 / step, v3_sub(d[i], x[i]));
}

double point_model_half_log_det(const point_model *m, const double *q)
{
    const int first = m->welded ? FIRST_INTERNAL : 0, n = FIRST_INTERNAL + m->ninternal - first;
    cardo_vec3 d[MOST_COLUMNS][POINT_BODIES * POINTS_A_BODY];
    double A[MOST_COLUMNS][MOST_COLUMNS] = {{0}}, sum = 0;
    for (int k = 0; k < n; ++k)
        differentiate(m, q, first + k, d[k]);
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
            for (int p = 0; p < m->nbody * POINTS_A_BODY; ++p)
                A[i][j] += m->mass[p / POINTS_A_BODY][p % POINTS_A_BODY] * v3_dot(d[i][p], d[j][p]);
    for (int j = 0; j < n; ++j) {
        sum += 0.5 * log(A[j][j]);
        for (int i = j + 1; i < n; ++i)
            for (int k = n - 1; k >= j; --k)
                A[i][k] -= A[i][j] / A[j][j] * A[j][k];
    }
    return sum;
}

/* x with A x = b for a symmetric A, by Cramer's rule. */
static cardo_vec3 solve3(double A[3][3], cardo_vec3 b)
{
    const cardo_vec3 c[3] = {v3(A[0][0], A[1][0], A[2][0]), v3(A[0][1], A[1][1], A[2][1]),
                             v3(A[0][2], A[1][2], A[2][2])};
    const double det = v3_dot(c[0], v3_cross(c[1], c[2]));
    return v3(v3_dot(b, v3_cross(c[1], c[2])) / det, v3_dot(c[0], v3_cross(b, c[2])) / det,
              v3_dot(c[0], v3_cross(c[1], b)) / det);
}

void point_model_shares(const point_model *m, double shares[3])
{
    enum { MOST = POINT_BODIES * POINTS_A_BODY };
    cardo_error error;
    double x[3 * MOST], v[3 * MOST], mass = 0, kinetic = 0, I[3][3] = {{0}};
    cardo_vec3 com = v3(0, 0, 0), P = v3(0, 0, 0), L = v3(0, 0, 0);
    assert_ok(cardo_station_positions(m->system, m->state, x, &error), &error);
    assert_ok(cardo_station_velocities(m->system, m->state, v, &error), &error);
    const int n = m->nbody * POINTS_A_BODY;
    for (int i = 0; i < n; ++i) {
        const double w = m->mass[i / POINTS_A_BODY][i % POINTS_A_BODY];
        const cardo_vec3 velocity = v3_load(v + 3 * i);
        mass += w;
        com = v3_add(com, v3_scale(w, v3_load(x + 3 * i)));
        P = v3_add(P, v3_scale(w, velocity));
        kinetic += 0.5 * w * v3_dot(velocity, velocity);
    }
    com = v3_scale(1 / mass, com);
    for (int i = 0; i < n; ++i) {
        const double w = m->mass[i / POINTS_A_BODY][i % POINTS_A_BODY];
        const cardo_vec3 r = v3_sub(v3_load(x + 3 * i), com);
        const double c[3] = {r.x, r.y, r.z};
        L = v3_add(L, v3_cross(r, v3_scale(w, v3_load(v + 3 * i))));
        for (int a = 0; a < 3; ++a)
            for (int b = 0; b < 3; ++b)
                I[a][b] += w * ((a == b ? v3_dot(r, r) : 0) - c[a] * c[b]);
    }
    shares[0] = m->welded ? 0 : 0.5 * v3_dot(P, P) / mass;
    shares[1] = m->welded ? 0 : 0.5 * v3_dot(L, solve3(I, L));
    shares[2] = kinetic - shares[0] - shares[1];
}

void point_model_cumulative(const point_model *m, int k, double kT, bool rigid, int n,
                            double *cumulative)
{
    const int other = 1 - k, rows = m->ninternal > 1 ? 64 : 1;
    cumulative[0] = 0;
    for (int i = 0; i < n; ++i) {
        double weight = 0, q[POINT_COORDINATES] = {0};
        q[k] = m->lowest[k] + (i + 0.5) / n * (m->highest[k] - m->lowest[k]);
        for (int j = 0; j < rows; ++j) {
            if (rows > 1)
                q[other] =
                    m->lowest[other] + (j + 0.5) / rows * (m->highest[other] - m->lowest[other]);
            weight += exp((rigid ? point_model_half_log_det(m, q) : 0) -
                          point_model_potential(m, q) / kT);
        }
        cumulative[i + 1] = cumulative[i] + weight;
    }
    for (int i = 1; i <= n; ++i)
        cumulative[i] /= cumulative[n];
}
