#include "multibody/mobilizers/orientation_joint.h"

static void position(const cardo_joint *joint, const double *q, double *cache,
                     cardo_transform *X_FM, cardo_spatial *H)
{
    cardo_line_position(joint, q, cache, X_FM, H);
    X_FM->p = v3(0, 0, 0);
}

static const char *const u_names[] = {"omega_x", "omega_y"};

const cardo_mobilizer cardo_mobilizer_line_orientation = {
    .name = "line-orientation",
    .doc =
        "points a line every way; no spin about its own z. u: x, y of the angular velocity, in M",
    .nq = 4,
    .nq_euler = 3,
    .nu = 2,
    .has_orientation = true,
    .lacks_spin = true,
    .ncache = sizeof(line_evaluation) / sizeof(double),
    .q_names = cardo_orientation_q_names,
    .q_names_euler = cardo_orientation_q_names_euler,
    .u_names = u_names,
    .position = position,
    .rate = cardo_line_rate,
    .multiply_n = cardo_line_multiply_n,
    .multiply_n_inverse = cardo_line_multiply_n_inverse,
    .multiply_n_dot = cardo_line_multiply_n_dot,
    .fit_q = cardo_orientation_fit_q,
    .regularity = cardo_orientation_regularity,
};
