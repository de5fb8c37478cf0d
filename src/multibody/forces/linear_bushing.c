#include "multibody/algebra/orientation.h"
#include "multibody/forces/check.h"

/* Velocity of frame 2 in frame 1, expressed in frame 1. */
static cardo_spatial relative_velocity(const cardo_force_work *work, const cardo_linear_bushing *p,
                                       const cardo_transform *X_GF, const cardo_transform *X_GM)
{
    const cardo_spatial *V1 = &work->V_GB[p->body1], *V2 = &work->V_GB[p->body2];
    const cardo_vec3 arm1 = v3_sub(X_GM->p, work->X_GB[p->body1].p);
    const cardo_vec3 arm2 = v3_sub(X_GM->p, work->X_GB[p->body2].p);
    const cardo_vec3 w = v3_sub(V2->angular, V1->angular);
    const cardo_vec3 v1 = v3_add(V1->linear, v3_cross(V1->angular, arm1));
    const cardo_vec3 v2 = v3_add(V2->linear, v3_cross(V2->angular, arm2));
    return (cardo_spatial){m33_tmul_v3(X_GF->R, w), m33_tmul_v3(X_GF->R, v3_sub(v2, v1))};
}

static cardo_status check(const cardo_system *system, const void *parameters, cardo_error *error)
{
    const cardo_linear_bushing *p = parameters;
    cardo_status status;
    CARDO_TRY(cardo_force_check_body(system, p->body1, error));
    CARDO_TRY(cardo_force_check_body(system, p->body2, error));
    CARDO_TRY(cardo_force_check_numbers(p->stiffness, 6, error));
    CARDO_TRY(cardo_force_check_numbers(p->damping, 6, error));
done:
    return status;
}

static double compute(const void *parameters, const cardo_force_work *work)
{
    const cardo_linear_bushing *p = parameters;
    const cardo_transform X_GF = xform_mul(work->X_GB[p->body1], p->frame1);
    const cardo_transform X_GM = xform_mul(work->X_GB[p->body2], p->frame2);
    const cardo_transform X_FM = xform_mul(xform_inverse(X_GF), X_GM);
    const cardo_vec3 angles = m33_to_euler(X_FM.R);
    const double q[6] = {angles.x, angles.y, angles.z, X_FM.p.x, X_FM.p.y, X_FM.p.z};
    double f[6], energy = 0;
    for (int i = 0; i < 6; ++i) {
        f[i] = -p->stiffness[i] * q[i];
        energy += 0.5 * p->stiffness[i] * q[i] * q[i];
    }
    if (!work->body_forces)
        return energy;
    double qdot[6];
    const cardo_spatial V_FM = relative_velocity(work, p, &X_GF, &X_GM);
    euler_rate(q, V_FM.angular, qdot);
    v3_store(qdot + 3, V_FM.linear);
    for (int i = 0; i < 6; ++i)
        f[i] -= p->damping[i] * qdot[i];
    /* f . qdot = torque . w for every w: torque = N^T f */
    double column[3], torque[3];
    for (int k = 0; k < 3; ++k) {
        euler_rate(q, v3(k == 0, k == 1, k == 2), column);
        torque[k] = column[0] * f[0] + column[1] * f[1] + column[2] * f[2];
    }
    const cardo_vec3 force_G = m33_mul_v3(X_GF.R, v3_load(f + 3));
    const cardo_vec3 torque_G = m33_mul_v3(X_GF.R, v3_load(torque));
    /* equal and opposite at M's origin */
    const cardo_vec3 arm1 = v3_sub(X_GM.p, work->X_GB[p->body1].p);
    const cardo_vec3 arm2 = v3_sub(X_GM.p, work->X_GB[p->body2].p);
    const cardo_spatial on1 = {v3_add(torque_G, v3_cross(arm1, force_G)), force_G};
    const cardo_spatial on2 = {v3_add(torque_G, v3_cross(arm2, force_G)), force_G};
    work->body_forces[p->body1] = spatial_sub(work->body_forces[p->body1], on1);
    work->body_forces[p->body2] = spatial_add(work->body_forces[p->body2], on2);
    return energy;
}

const cardo_force_element cardo_force_linear_bushing = {
    .name = "linear-bushing",
    .doc = "holds a frame near another by six springs and dampers",
    .parameter_size = sizeof(cardo_linear_bushing),
    .check = check,
    .compute = compute,
};
