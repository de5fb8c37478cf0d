#include "multibody/mobilizers/descriptor.h"

static void position(const cardo_joint *joint, const double *q, double *cache,
                     cardo_transform *X_FM, cardo_spatial *H)
{
    (void)joint, (void)cache;
    *X_FM = (cardo_transform){m33_identity(), {q[0], 0, 0}};
    H[0] = (cardo_spatial){{0, 0, 0}, {1, 0, 0}};
}

static void fit_q(const cardo_joint *joint, const cardo_transform *X_FM, double *q)
{
    (void)joint;
    q[0] = X_FM->p.x;
}

static const char *const names[] = {"x"};

const cardo_mobilizer cardo_mobilizer_slider = {
    .name = "slider",
    .doc = "slides along x, the common axis of F and M",
    .kind = CARDO_MOBILIZER_SLIDER,
    .nq = 1,
    .nq_euler = 1,
    .nu = 1,
    .q_names = names,
    .u_names = names,
    .position = position,
    .fit_q = fit_q,
};
