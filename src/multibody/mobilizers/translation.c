#include "multibody/mobilizers/descriptor.h"

static void position(const cardo_joint *joint, const double *q, double *cache,
                     cardo_transform *X_FM, cardo_spatial *H)
{
    (void)joint, (void)cache;
    *X_FM = (cardo_transform){m33_identity(), v3_load(q)};
    for (int k = 0; k < 3; ++k)
        H[k] = (cardo_spatial){{0, 0, 0}, {k == 0, k == 1, k == 2}};
}

static void fit_q(const cardo_joint *joint, const cardo_transform *X_FM, double *q)
{
    (void)joint;
    v3_store(q, X_FM->p);
}

static const char *const names[] = {"x", "y", "z"};

const cardo_mobilizer cardo_mobilizer_translation = {
    .name = "translation",
    .doc = "slides along F's x, y and z",
    .nq = 3,
    .nq_euler = 3,
    .nu = 3,
    .q_names = names,
    .u_names = names,
    .position = position,
    .fit_q = fit_q,
};
