#include "multibody/algebra/orientation.h"
#include "multibody/mobilizers/orientation_joint.h"

static void position(const cardo_joint *joint, const double *q, double *cache,
                     cardo_transform *X_FM, cardo_spatial *H)
{
    (void)cache;
    X_FM->R = orientation_matrix(joint->euler, q);
    X_FM->p = v3_load(q + orientation_size(joint));
    for (int k = 0; k < 3; ++k) {
        cardo_vec3 axis = v3(k == 0, k == 1, k == 2);
        H[k] = (cardo_spatial){axis, {0, 0, 0}};
        H[3 + k] = (cardo_spatial){{0, 0, 0}, axis};
    }
}

static void multiply_n(const cardo_joint *joint, const double *q, const double *u, double *qdot)
{
    cardo_ball_multiply_n(joint, q, u, qdot);
    v3_store(qdot + orientation_size(joint), v3_load(u + 3));
}

static void multiply_n_inverse(const cardo_joint *joint, const double *q, const double *qdot,
                               double *u)
{
    cardo_ball_multiply_n_inverse(joint, q, qdot, u);
    v3_store(u + 3, v3_load(qdot + orientation_size(joint)));
}

static void multiply_n_dot(const cardo_joint *joint, const double *q, const double *u,
                           double *ndot_u)
{
    cardo_ball_multiply_n_dot(joint, q, u, ndot_u);
    v3_store(ndot_u + orientation_size(joint), v3(0, 0, 0));
}

static void fit_q(const cardo_joint *joint, const cardo_transform *X_FM, double *q)
{
    cardo_orientation_fit_q(joint, X_FM, q);
    v3_store(q + orientation_size(joint), X_FM->p);
}

static const char *const u_names[] = {"omega_x", "omega_y", "omega_z", "v_x", "v_y", "v_z"};

const cardo_mobilizer cardo_mobilizer_free = {
    .name = "free",
    .doc = "any motion; u is the angular velocity and the velocity of M in F, expressed in F",
    .kind = CARDO_MOBILIZER_FREE,
    .nq = 7,
    .nq_euler = 6,
    .nu = 6,
    .has_orientation = true,
    .q_names = cardo_orientation_q_names,
    .q_names_euler = cardo_orientation_q_names_euler,
    .u_names = u_names,
    .position = position,
    .multiply_n = multiply_n,
    .multiply_n_inverse = multiply_n_inverse,
    .multiply_n_dot = multiply_n_dot,
    .fit_q = fit_q,
    .regularity = cardo_orientation_regularity,
};
