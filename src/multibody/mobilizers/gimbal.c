#include "multibody/algebra/euler_columns.h"
#include "multibody/algebra/orientation.h"
#include "multibody/mobilizers/descriptor.h"

static void position(const cardo_joint *joint, const double *q, double *cache,
                     cardo_transform *X_FM, cardo_spatial *H)
{
    (void)joint, (void)cache;
    cardo_vec3 W[3];
    euler_columns(q, W);
    *X_FM = (cardo_transform){m33_from_euler(q[0], q[1], q[2]), {0, 0, 0}};
    for (int k = 0; k < 3; ++k)
        H[k] = (cardo_spatial){W[k], {0, 0, 0}};
}

static void rate(const cardo_joint *joint, const double *q, const double *u, const double *cache,
                 cardo_spatial *Hdot)
{
    (void)joint, (void)cache;
    cardo_vec3 Wdot[3];
    euler_column_rates(q, u, Wdot);
    for (int k = 0; k < 3; ++k)
        Hdot[k] = (cardo_spatial){Wdot[k], {0, 0, 0}};
}

static void fit_q(const cardo_joint *joint, const cardo_transform *X_FM, double *q)
{
    (void)joint;
    orientation_fit(true, X_FM->R, q);
}

static double regularity(const cardo_joint *joint, const double *q)
{
    (void)joint;
    return fabs(cos(q[1]));
}

static const char *const names[] = {"angle1", "angle2", "angle3"};

const cardo_mobilizer cardo_mobilizer_gimbal = {
    .name = "gimbal",
    .doc = "turns by body-fixed angles about x, y, z; u are their rates",
    .nq = 3,
    .nq_euler = 3,
    .nu = 3,
    .q_names = names,
    .u_names = names,
    .position = position,
    .rate = rate,
    .fit_q = fit_q,
    .regularity = regularity,
};
