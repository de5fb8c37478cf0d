#include "multibody/algebra/angle.h"
#include "multibody/mobilizers/descriptor.h"

static void position(const cardo_joint *joint, const double *q, double *cache,
                     cardo_transform *X_FM, cardo_spatial *H)
{
    (void)joint, (void)cache;
    *X_FM = (cardo_transform){rotation_z(cos(q[0]), sin(q[0])), {q[1], q[2], 0}};
    H[0] = (cardo_spatial){{0, 0, 1}, {0, 0, 0}};
    H[1] = (cardo_spatial){{0, 0, 0}, {1, 0, 0}};
    H[2] = (cardo_spatial){{0, 0, 0}, {0, 1, 0}};
}

static void fit_q(const cardo_joint *joint, const cardo_transform *X_FM, double *q)
{
    (void)joint;
    q[0] = angle_near(angle_about_z(X_FM->R), q[0]);
    q[1] = X_FM->p.x;
    q[2] = X_FM->p.y;
}

static const char *const names[] = {"angle", "x", "y"};

const cardo_mobilizer cardo_mobilizer_planar = {
    .name = "planar",
    .doc = "slides in F's xy plane and turns about z",
    .kind = CARDO_MOBILIZER_PLANAR,
    .nq = 3,
    .nq_euler = 3,
    .nu = 3,
    .q_names = names,
    .u_names = names,
    .position = position,
    .fit_q = fit_q,
};
