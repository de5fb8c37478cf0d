#include "multibody/mobilizers/orientation_joint.h"
#include "multibody/algebra/orientation.h"

const char *const cardo_orientation_q_names[7] = {"w", "i", "j", "k", "x", "y", "z"};
const char *const cardo_orientation_q_names_euler[6] = {"angle1", "angle2", "angle3",
                                                        "x",      "y",      "z"};

void cardo_orientation_fit_q(const cardo_joint *joint, const cardo_transform *X_FM, double *q)
{
    orientation_fit(joint->euler, X_FM->R, q);
}

double cardo_orientation_regularity(const cardo_joint *joint, const double *q)
{
    return joint->euler ? fabs(cos(q[1])) : 1.0;
}

void cardo_ball_multiply_n(const cardo_joint *joint, const double *q, const double *u, double *qdot)
{
    orientation_rate(joint->euler, q, v3_load(u), qdot);
}

void cardo_ball_multiply_n_inverse(const cardo_joint *joint, const double *q, const double *qdot,
                                   double *u)
{
    v3_store(u, orientation_velocity(joint->euler, q, qdot));
}

void cardo_ball_multiply_n_dot(const cardo_joint *joint, const double *q, const double *u,
                               double *ndot_u)
{
    orientation_rate_dot(joint->euler, q, v3_load(u), ndot_u);
}

void cardo_line_position(const cardo_joint *joint, const double *q, double *cache,
                         cardo_transform *X_FM, cardo_spatial *H)
{
    line_evaluation *e = (line_evaluation *)cache;
    X_FM->R = orientation_matrix(joint->euler, q);
    for (int k = 0; k < 2; ++k) {
        e->axes[k] = m33_column(X_FM->R, k);
        H[k] = (cardo_spatial){e->axes[k], {0, 0, 0}};
    }
}

void cardo_line_rate(const cardo_joint *joint, const double *q, const double *u,
                     const double *cache, cardo_spatial *Hdot)
{
    (void)joint, (void)q;
    const line_evaluation *e = (const line_evaluation *)cache;
    const cardo_vec3 w = v3_add(v3_scale(u[0], e->axes[0]), v3_scale(u[1], e->axes[1]));
    for (int k = 0; k < 2; ++k)
        Hdot[k] = (cardo_spatial){v3_cross(w, e->axes[k]), {0, 0, 0}};
}

/* Angular velocity in F of a line's speeds. */
static cardo_vec3 angular_velocity(const cardo_joint *joint, const double *q, const double *u)
{
    return m33_mul_v3(orientation_matrix(joint->euler, q), v3(u[0], u[1], 0));
}

void cardo_line_multiply_n(const cardo_joint *joint, const double *q, const double *u, double *qdot)
{
    orientation_rate(joint->euler, q, angular_velocity(joint, q, u), qdot);
}

void cardo_line_multiply_n_inverse(const cardo_joint *joint, const double *q, const double *qdot,
                                   double *u)
{
    const cardo_vec3 w = orientation_velocity(joint->euler, q, qdot);
    const cardo_vec3 w_M = m33_tmul_v3(orientation_matrix(joint->euler, q), w);
    u[0] = w_M.x;
    u[1] = w_M.y;
}

void cardo_line_multiply_n_dot(const cardo_joint *joint, const double *q, const double *u,
                               double *ndot_u)
{
    /* w = R u and wdot = R udot, because w x w = 0: as if the angular velocity itself were the
     * speed */
    orientation_rate_dot(joint->euler, q, angular_velocity(joint, q, u), ndot_u);
}
