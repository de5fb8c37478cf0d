#include "multibody/mobilizer_descriptor.h"

static void position(const cardo_joint *joint, const double *q, double *cache,
                     cardo_transform *X_FM, cardo_spatial *H)
{
    (void)joint, (void)cache;
    double c = cos(q[0]), s = sin(q[0]);
    *X_FM = (cardo_transform){{{{c, -s, 0}, {s, c, 0}, {0, 0, 1}}}, {0, 0, 0}};
    H[0] = (cardo_spatial){{0, 0, 1}, {0, 0, 0}};
}

static void fit_q(const cardo_joint *joint, const cardo_transform *X_FM, double *q)
{
    (void)joint;
    static const double turn = 6.283185307179586476925;
    /* the angle that maximises trace(Rz(q)^T R) */
    double angle = atan2(X_FM->R.m[1][0] - X_FM->R.m[0][1], X_FM->R.m[0][0] + X_FM->R.m[1][1]);
    q[0] = angle + turn * nearbyint((q[0] - angle) / turn);
}

static const char *const names[] = {"angle"};

const cardo_mobilizer cardo_mobilizer_pin = {
    .name = "pin",
    .doc = "turns about z, the common axis of F and M",
    .kind = CARDO_MOBILIZER_PIN,
    .nq = 1,
    .nq_euler = 1,
    .nu = 1,
    .q_names = names,
    .u_names = names,
    .position = position,
    .fit_q = fit_q,
};
