#include "multibody/mobilizers/orientation_joint.h"

static void position(const cardo_joint *joint, const double *q, double *cache,
                     cardo_transform *X_FM, cardo_spatial *H)
{
    cardo_line_position(joint, q, cache, X_FM, H);
    X_FM->p = v3_load(q + orientation_size(joint));
    for (int k = 0; k < 3; ++k)
        H[2 + k] = (cardo_spatial){{0, 0, 0}, {k == 0, k == 1, k == 2}};
}

static void rate(const cardo_joint *joint, const double *q, const double *u, const double *cache,
                 cardo_spatial *Hdot)
{
    cardo_line_rate(joint, q, u, cache, Hdot);
    for (int k = 2; k < 5; ++k)
        Hdot[k] = (cardo_spatial){{0, 0, 0}, {0, 0, 0}};
}

static void multiply_n(const cardo_joint *joint, const double *q, const double *u, double *qdot)
{
    cardo_line_multiply_n(joint, q, u, qdot);
    v3_store(qdot + orientation_size(joint), v3_load(u + 2));
}

static void multiply_n_inverse(const cardo_joint *joint, const double *q, const double *qdot,
                               double *u)
{
    cardo_line_multiply_n_inverse(joint, q, qdot, u);
    v3_store(u + 2, v3_load(qdot + orientation_size(joint)));
}

static void multiply_n_dot(const cardo_joint *joint, const double *q, const double *u,
                           double *ndot_u)
{
    cardo_line_multiply_n_dot(joint, q, u, ndot_u);
    v3_store(ndot_u + orientation_size(joint), v3(0, 0, 0));
}

static void fit_q(const cardo_joint *joint, const cardo_transform *X_FM, double *q)
{
    cardo_orientation_fit_q(joint, X_FM, q);
    v3_store(q + orientation_size(joint), X_FM->p);
}

static const char *const u_names[] = {"omega_x", "omega_y", "v_x", "v_y", "v_z"};

const cardo_mobilizer cardo_mobilizer_free_line = {
    .name = "free-line",
    .doc = "moves a line freely; no spin about its own z. u: x, y of the angular velocity in M, "
           "velocity in F",
    .nq = 7,
    .nq_euler = 6,
    .nu = 5,
    .has_orientation = true,
    .lacks_spin = true,
    .ncache = sizeof(line_evaluation) / sizeof(double),
    .q_names = cardo_orientation_q_names,
    .q_names_euler = cardo_orientation_q_names_euler,
    .u_names = u_names,
    .position = position,
    .rate = rate,
    .multiply_n = multiply_n,
    .multiply_n_inverse = multiply_n_inverse,
    .multiply_n_dot = multiply_n_dot,
    .fit_q = fit_q,
    .regularity = cardo_orientation_regularity,
};
