#include "multibody/algebra/angle.h"
#include "multibody/mobilizers/descriptor.h"

enum { COS1, SIN1, CACHED };

static void position(const cardo_joint *joint, const double *q, double *cache,
                     cardo_transform *X_FM, cardo_spatial *H)
{
    (void)joint;
    const double c = cache[COS1] = cos(q[0]), s = cache[SIN1] = sin(q[0]);
    const cardo_mat33 Rx = rotation_x(c, s);
    *X_FM = (cardo_transform){m33_mul(Rx, rotation_y(cos(q[1]), sin(q[1]))), {0, 0, 0}};
    H[0] = (cardo_spatial){{1, 0, 0}, {0, 0, 0}};
    H[1] = (cardo_spatial){{0, c, s}, {0, 0, 0}};
}

static void rate(const cardo_joint *joint, const double *q, const double *u, const double *cache,
                 cardo_spatial *Hdot)
{
    (void)joint, (void)q;
    Hdot[0] = (cardo_spatial){{0, 0, 0}, {0, 0, 0}};
    Hdot[1] = (cardo_spatial){{0, -u[0] * cache[SIN1], u[0] * cache[COS1]}, {0, 0, 0}};
}

static void fit_q(const cardo_joint *joint, const cardo_transform *X_FM, double *q)
{
    (void)joint;
    const double first = atan2(X_FM->R.m[2][1], X_FM->R.m[1][1]);
    const cardo_mat33 rest = m33_mul(rotation_x(cos(first), -sin(first)), X_FM->R);
    q[0] = angle_near(first, q[0]);
    q[1] = angle_near(angle_about_y(rest), q[1]);
}

static const char *const names[] = {"angle1", "angle2"};

const cardo_mobilizer cardo_mobilizer_universal = {
    .name = "universal",
    .doc = "turns about F's x, then about M's y: a Cardan joint",
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
