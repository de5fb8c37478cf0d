/* Reversal, once for all mobilizers (Seth et al. 2010, eq. 15-17, derived anew because the printed
 * forms are easily misread).
 *
 * The mobilizer describes F seen from M: X_MF(q), V_MF = H u in M's axes at F's origin. With R =
 * R_FM = R_MF^T and p = p_FM = -R p_MF:  w_FM = -R w_MF, and since p turns with w_FM,  v_FM = w_FM
 * x p - R v_MF.  Differentiated with pdot = v_FM, Rdot w_MF = w_FM x R w_MF = 0:  bdot = -R dw_MF,
 * vdot = bdot x p + w_FM x v_FM - w_FM x R v_MF - R dv_MF. */
#include "multibody/tree/state_internal.h"

#include <assert.h>

void cardo_joint_position(const body_plan *body, const double *q, double *cache,
                          cardo_transform *X_FM, cardo_spatial *H_FM)
{
    const cardo_joint *joint = &body->joint;
    cardo_spatial unused[CARDO_MOBILIZER_MAX_U];
    cardo_spatial *H = H_FM ? H_FM : unused;
    assert(joint->nu <= CARDO_MOBILIZER_MAX_U);
    joint->mobilizer->position(joint, q, cache, X_FM, H);
    if (!body->reversed)
        return;
    *X_FM = xform_inverse(*X_FM);
    for (int k = 0; k < joint->nu; ++k) {
        cardo_vec3 w = v3_neg(m33_mul_v3(X_FM->R, H[k].angular));
        cardo_vec3 v = m33_mul_v3(X_FM->R, H[k].linear);
        H[k] = (cardo_spatial){w, v3_sub(v3_cross(w, X_FM->p), v)};
    }
}

void cardo_joint_rate(const body_plan *body, const double *q, const double *u, const double *cache,
                      const cardo_transform *X_FM, const cardo_spatial *H_FM, cardo_spatial *Hdot)
{
    const cardo_joint *joint = &body->joint;
    const int n = joint->nu;
    for (int k = 0; k < n; ++k)
        Hdot[k] = spatial_zero();
    if (joint->mobilizer->rate)
        joint->mobilizer->rate(joint, q, u, cache, Hdot);
    if (!body->reversed)
        return;
    cardo_spatial V = spatial_zero();
    for (int k = 0; k < n; ++k)
        V = spatial_add_scaled(V, u[k], H_FM[k]);
    for (int k = 0; k < n; ++k) {
        /* R w_MF and R v_MF of the column, from the reversed column itself */
        const cardo_vec3 w = H_FM[k].angular;
        const cardo_vec3 Rv = v3_sub(v3_cross(w, X_FM->p), H_FM[k].linear);
        const cardo_vec3 b =
            v3_neg(v3_add(m33_mul_v3(X_FM->R, Hdot[k].angular), v3_neg(v3_cross(V.angular, w))));
        cardo_vec3 a = v3_add(v3_cross(b, X_FM->p), v3_cross(w, V.linear));
        a = v3_sub(a, v3_cross(V.angular, Rv));
        a = v3_sub(a, m33_mul_v3(X_FM->R, Hdot[k].linear));
        Hdot[k] = (cardo_spatial){b, a};
    }
}

cardo_spatial cardo_joint_bias(const body_plan *body, const double *q, const double *u,
                               double *joint_cache)
{
    const cardo_joint *joint = &body->joint;
    cardo_transform X_FM = {0};
    cardo_spatial H[CARDO_MOBILIZER_MAX_U], Hdot[CARDO_MOBILIZER_MAX_U], sum = spatial_zero();
    if (!body->reversed && joint->mobilizer->bias)
        return joint->mobilizer->bias(joint, q, u, joint_cache);
    if (body->reversed)
        cardo_joint_position(body, q, joint_cache, &X_FM, H);
    cardo_joint_rate(body, q, u, joint_cache, &X_FM, H, Hdot);
    for (int k = 0; k < joint->nu; ++k)
        sum = spatial_add_scaled(sum, u[k], Hdot[k]);
    return sum;
}
