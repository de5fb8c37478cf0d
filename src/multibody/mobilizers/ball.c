#include "multibody/algebra/orientation.h"
#include "multibody/mobilizers/orientation_joint.h"

static void position(const cardo_joint *joint, const double *q, double *cache,
                     cardo_transform *X_FM, cardo_spatial *H)
{
    (void)cache;
    *X_FM = (cardo_transform){orientation_matrix(joint->euler, q), {0, 0, 0}};
    for (int k = 0; k < 3; ++k)
        H[k] = (cardo_spatial){{k == 0, k == 1, k == 2}, {0, 0, 0}};
}

static const char *const u_names[] = {"omega_x", "omega_y", "omega_z"};

const cardo_mobilizer cardo_mobilizer_ball = {
    .name = "ball",
    .doc = "turns every way about a point; u is the angular velocity of M in F, expressed in F",
    .kind = CARDO_MOBILIZER_BALL,
    .nq = 4,
    .nq_euler = 3,
    .nu = 3,
    .has_orientation = true,
    .q_names = cardo_orientation_q_names,
    .q_names_euler = cardo_orientation_q_names_euler,
    .u_names = u_names,
    .position = position,
    .multiply_n = cardo_ball_multiply_n,
    .multiply_n_inverse = cardo_ball_multiply_n_inverse,
    .multiply_n_dot = cardo_ball_multiply_n_dot,
    .fit_q = cardo_orientation_fit_q,
    .regularity = cardo_orientation_regularity,
};
