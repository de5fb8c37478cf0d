#include "multibody/algebra/angle.h"
#include "multibody/mobilizers/descriptor.h"

enum { COS, SIN, CACHED };

static void position(const cardo_joint *joint, const double *q, double *cache,
                     cardo_transform *X_FM, cardo_spatial *H)
{
    (void)joint;
    const double c = cache[COS] = cos(q[0]), s = cache[SIN] = sin(q[0]);
    *X_FM = (cardo_transform){rotation_z(c, s), {c * q[1], s * q[1], 0}};
    H[0] = (cardo_spatial){{0, 0, 1}, {-s * q[1], c * q[1], 0}};
    H[1] = (cardo_spatial){{0, 0, 0}, {c, s, 0}};
}

static void rate(const cardo_joint *joint, const double *q, const double *u, const double *cache,
                 cardo_spatial *Hdot)
{
    (void)joint;
    const double c = cache[COS], s = cache[SIN];
    /* z x pdot, and the rate of M's x axis */
    const cardo_vec3 pdot = v3(-s * q[1] * u[0] + c * u[1], c * q[1] * u[0] + s * u[1], 0);
    Hdot[0] = (cardo_spatial){{0, 0, 0}, {-pdot.y, pdot.x, 0}};
    Hdot[1] = (cardo_spatial){{0, 0, 0}, {-s * u[0], c * u[0], 0}};
}

static void fit_q(const cardo_joint *joint, const cardo_transform *X_FM, double *q)
{
    (void)joint;
    q[0] = angle_near(angle_about_z(X_FM->R), q[0]);
    q[1] = X_FM->p.x * cos(q[0]) + X_FM->p.y * sin(q[0]);
}

static const char *const names[] = {"angle", "x"};

const cardo_mobilizer cardo_mobilizer_bend_stretch = {
    .name = "bend-stretch",
    .doc = "turns about z, then slides along the turned x",
    .nq = 2,
    .nq_euler = 2,
    .nu = 2,
    .ncache = CACHED,
    .q_names = names,
    .u_names = names,
    .position = position,
    .rate = rate,
    .fit_q = fit_q,
};
