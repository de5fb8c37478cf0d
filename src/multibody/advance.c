#include "multibody/advance.h"

#include "multibody/mobilizer_descriptor.h"

#include <math.h>
#include <string.h>

/* N(q) u is linear in the quaternion and orthogonal to it for every mobilizer with one, so a
 * constant u turns the quaternion at the constant rate |N u| in the plane of both. */
static void turn_quaternion(const double *q, const double *qdot, double h, double *q1)
{
    double rate =
        sqrt(qdot[0] * qdot[0] + qdot[1] * qdot[1] + qdot[2] * qdot[2] + qdot[3] * qdot[3]);
    double angle = rate * h;
    /* sin(x)/x from its series where the quotient would lose digits. */
    double ratio = fabs(angle) < 1e-4 ? h * (1.0 - angle * angle / 6.0) : sin(angle) / rate;
    double c = cos(angle);
    for (int k = 0; k < 4; ++k)
        q1[k] = c * q[k] + ratio * qdot[k];
}

static void advance_joint(const cardo_joint *joint, const double *q, const double *u_state,
                          const double *u, double h, double *q1)
{
    const cardo_mobilizer *mobilizer = joint->mobilizer;
    double qdot[CARDO_MOBILIZER_MAX_Q], curve[CARDO_MOBILIZER_MAX_Q] = {0};
    int straight = 0;
    if (mobilizer->multiply_n)
        mobilizer->multiply_n(joint, q, u, qdot);
    else
        memcpy(qdot, u, (size_t)joint->nq * sizeof *qdot);
    if (mobilizer->has_orientation && !joint->euler) {
        turn_quaternion(q, qdot, h, q1);
        straight = 4;
    } else if (mobilizer->multiply_n_dot) {
        mobilizer->multiply_n_dot(joint, q, u_state, curve);
    }
    for (int k = straight; k < joint->nq; ++k)
        q1[k] = q[k] + h * (qdot[k] + 0.5 * h * curve[k]);
}

cardo_status cardo_advance(const cardo_system *system, const cardo_state *state, const double *u,
                           double h, double *q1, cardo_error *error)
{
    if (cardo_state_stage(state) < CARDO_STAGE_VELOCITY)
        return CARDO_FAIL(
            error, CARDO_ERROR_STAGE,
            "coordinates advance from a state realized to velocity; realize it first");
    const double *q = cardo_state_q(state), *u_state = cardo_state_u(state);
    for (int b = 1; b < cardo_system_nbody(system); ++b) {
        cardo_body_info info;
        cardo_system_body(system, b, &info);
        advance_joint(cardo_system_joint(system, b), q + info.q_first, u_state + info.u_first,
                      u + info.u_first, h, q1 + info.q_first);
    }
    return CARDO_OK;
}
