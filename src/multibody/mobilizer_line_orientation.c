#include "multibody/mobilizer_descriptor.h"
#include "multibody/orientation.h"

/* What position() leaves behind: M's x and y axes in F. */
typedef struct evaluation {
    cardo_vec3 axes[2];
} evaluation;

static void position(const cardo_joint *joint, const double *q, double *cache,
                     cardo_transform *X_FM, cardo_spatial *H)
{
    evaluation *e = (evaluation *)cache;
    X_FM->R = orientation_matrix(joint->euler, q);
    X_FM->p = v3(0, 0, 0);
    for (int k = 0; k < 2; ++k) {
        e->axes[k] = m33_column(X_FM->R, k);
        H[k] = (cardo_spatial){e->axes[k], {0, 0, 0}};
    }
}

static void rate(const cardo_joint *joint, const double *q, const double *u, const double *cache,
                 cardo_spatial *Hdot)
{
    (void)joint, (void)q;
    const evaluation *e = (const evaluation *)cache;
    const cardo_vec3 w = v3_add(v3_scale(u[0], e->axes[0]), v3_scale(u[1], e->axes[1]));
    for (int k = 0; k < 2; ++k)
        Hdot[k] = (cardo_spatial){v3_cross(w, e->axes[k]), {0, 0, 0}};
}

/* Angular velocity in F of the speeds. */
static cardo_vec3 angular_velocity(const cardo_joint *joint, const double *q, const double *u)
{
    return m33_mul_v3(orientation_matrix(joint->euler, q), v3(u[0], u[1], 0));
}

static void multiply_n(const cardo_joint *joint, const double *q, const double *u, double *qdot)
{
    orientation_rate(joint->euler, q, angular_velocity(joint, q, u), qdot);
}

static void multiply_n_inverse(const cardo_joint *joint, const double *q, const double *qdot,
                               double *u)
{
    const cardo_vec3 w = orientation_velocity(joint->euler, q, qdot);
    const cardo_vec3 w_M = m33_tmul_v3(orientation_matrix(joint->euler, q), w);
    u[0] = w_M.x;
    u[1] = w_M.y;
}

static void multiply_n_dot(const cardo_joint *joint, const double *q, const double *u,
                           double *ndot_u)
{
    /* w = R u and wdot = R udot, because w x w = 0: as if the angular velocity itself were the
     * speed */
    orientation_rate_dot(joint->euler, q, angular_velocity(joint, q, u), ndot_u);
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
static const char *const u_names[] = {"omega_x", "omega_y"};

const cardo_mobilizer cardo_mobilizer_line_orientation = {
    .name = "line-orientation",
    .doc =
        "points a line every way; no spin about its own z. u: x, y of the angular velocity, in M",
    .nq = 4,
    .nq_euler = 3,
    .nu = 2,
    .has_orientation = true,
    .ncache = sizeof(evaluation) / sizeof(double),
    .q_names = q_names,
    .q_names_euler = q_names_euler,
    .u_names = u_names,
    .position = position,
    .rate = rate,
    .multiply_n = multiply_n,
    .multiply_n_inverse = multiply_n_inverse,
    .multiply_n_dot = multiply_n_dot,
    .fit_q = fit_q,
    .regularity = regularity,
};
