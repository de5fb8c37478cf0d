#include "multibody/mobilizer_descriptor.h"
#include "multibody/orientation.h"

static void position(const cardo_joint *joint, const double *q, double *cache,
                     cardo_transform *X_FM, cardo_spatial *H)
{
    (void)cache;
    *X_FM = (cardo_transform){orientation_matrix(joint->euler, q), {0, 0, 0}};
    for (int k = 0; k < 3; ++k)
        H[k] = (cardo_spatial){{k == 0, k == 1, k == 2}, {0, 0, 0}};
}

static void multiply_n(const cardo_joint *joint, const double *q, const double *u, double *qdot)
{
    orientation_rate(joint->euler, q, v3_load(u), qdot);
}

static void multiply_n_inverse(const cardo_joint *joint, const double *q, const double *qdot,
                               double *u)
{
    v3_store(u, orientation_velocity(joint->euler, q, qdot));
}

static void multiply_n_dot(const cardo_joint *joint, const double *q, const double *u,
                           double *ndot_u)
{
    orientation_rate_dot(joint->euler, q, v3_load(u), ndot_u);
}

static void fit_q(const cardo_joint *joint, const cardo_transform *X_FM, double *q)
{
    orientation_fit(joint->euler, X_FM->R, q);
}

static double regularity(const cardo_joint *joint, const double *q)
{
    return joint->euler ? fabs(cos(q[1])) : 1.0;
}

static const char *const q_names[] = {"w", "i", "j", "k"};
static const char *const q_names_euler[] = {"angle1", "angle2", "angle3"};
static const char *const u_names[] = {"omega_x", "omega_y", "omega_z"};

const cardo_mobilizer cardo_mobilizer_ball = {
    .name = "ball",
    .doc = "turns every way about a point; u is the angular velocity of M in F, expressed in F",
    .kind = CARDO_MOBILIZER_BALL,
    .nq = 4,
    .nq_euler = 3,
    .nu = 3,
    .has_orientation = true,
    .q_names = q_names,
    .q_names_euler = q_names_euler,
    .u_names = u_names,
    .position = position,
    .multiply_n = multiply_n,
    .multiply_n_inverse = multiply_n_inverse,
    .multiply_n_dot = multiply_n_dot,
    .fit_q = fit_q,
    .regularity = regularity,
};
