#include "dynamics/coordinates/error_scales.h"

#include "multibody/mobilizers/descriptor.h"
#include "multibody/tree/operators.h"

#include <math.h>
#include <string.h>

/* nm: mobilities that hardly move anything are not held to more digits than the others. */
static const double shortest_arm = 1e-3;
/* nm: the unit of length */
static const double unit_length = 1.0;

/* Twice the kinetic energy of a body (properties in ground axes about its origin) that moves with
 * V. */
static double twice_energy(const cardo_mass_properties *body, cardo_spatial V)
{
    const double *I = body->inertia;
    const cardo_vec3 w = V.angular, v = V.linear;
    double turning = I[0] * w.x * w.x + I[1] * w.y * w.y + I[2] * w.z * w.z +
                     2 * (I[3] * w.x * w.y + I[4] * w.x * w.z + I[5] * w.y * w.z);
    return turning + body->mass * (2 * v3_dot(v, v3_cross(w, body->com)) + v3_dot(v, v));
}

/* arms (nu): sqrt(M_kk / m outboard). */
static cardo_status find_arms(const cardo_system *system, const cardo_state *state,
                              cardo_mass_properties *composites, double *arms, cardo_error *error)
{
    cardo_status status = cardo_composite_inertias(system, state, composites, error);
    for (int body = 1; body < cardo_system_nbody(system) && status == CARDO_OK; ++body) {
        cardo_body_info info;
        cardo_mobilizer_motion motion;
        cardo_system_body(system, body, &info);
        status = cardo_body_mobilizer_motion(system, state, body, &motion, error);
        for (int k = 0; k < info.nu && status == CARDO_OK; ++k) {
            const cardo_mass_properties *outboard = &composites[body];
            double square = twice_energy(outboard, motion.hinge_map[k]) / outboard->mass;
            arms[info.u_first + k] =
                square > shortest_arm * shortest_arm ? sqrt(square) : shortest_arm;
        }
    }
    return status;
}

/* Root-mean-square speed of the system, or that to which its acceleration brings it in a unit
 * length, nm/ps; one where it neither moves nor is pulled. */
static cardo_status find_speed(const cardo_system *system, const cardo_state *state, double mass,
                               double *work, double *speed, cardo_error *error)
{
    const int nu = cardo_system_nu(system);
    const double *udot = cardo_state_udot(state);
    double kinetic, pull = 0;
    cardo_status status = cardo_kinetic_energy(system, state, &kinetic, error);
    if (status == CARDO_OK)
        status = cardo_multiply_m(system, state, udot, work, error);
    if (status != CARDO_OK)
        return status;
    for (int k = 0; k < nu; ++k)
        pull += udot[k] * work[k];
    *speed = fmax(sqrt(2 * kinetic / mass), sqrt(unit_length * sqrt(fmax(pull, 0) / mass)));
    if (!(*speed > 0))
        *speed = 1.0;
    return CARDO_OK;
}

/* squares (nq): of the weighted speeds that a unit rate of each coordinate needs, sum_k (L_k
 * N^+_ki)^2. N is block-diagonal, so one product serves the i-th coordinate of every body. */
static cardo_status add_squares(const cardo_system *system, const cardo_state *state, int i,
                                const double *arms, double *squares, double *work,
                                cardo_error *error)
{
    const int nq = cardo_system_nq(system);
    double *rate = work, *u = work + nq;
    cardo_body_info info;
    memset(rate, 0, (size_t)nq * sizeof *rate);
    for (int body = 1; body < cardo_system_nbody(system); ++body) {
        cardo_system_body(system, body, &info);
        if (i < info.nq)
            rate[info.q_first + i] = 1.0;
    }
    cardo_status status = cardo_multiply_n_inverse(system, state, rate, u, error);
    for (int body = 1; body < cardo_system_nbody(system) && status == CARDO_OK; ++body) {
        cardo_system_body(system, body, &info);
        if (i >= info.nq)
            continue;
        squares[info.q_first + i] = 0;
        for (int k = info.u_first; k < info.u_first + info.nu; ++k)
            squares[info.q_first + i] += arms[k] * u[k] * arms[k] * u[k];
    }
    return status;
}

/* Which of a quaternion's four has no effect changes as it turns. */
static void share_quaternions(const cardo_system *system, double *squares)
{
    for (int body = 1; body < cardo_system_nbody(system); ++body) {
        cardo_body_info info;
        cardo_system_body(system, body, &info);
        if (!info.mobilizer->has_orientation || info.euler)
            continue;
        double *four = squares + info.q_first;
        double most = fmax(fmax(four[0], four[1]), fmax(four[2], four[3]));
        for (int i = 0; i < 4; ++i)
            four[i] = most;
    }
}

cardo_status cardo_error_scales(const cardo_system *system, const cardo_state *state,
                                double *scales, cardo_mass_properties *composites, double *work,
                                cardo_error *error)
{
    const int nq = cardo_system_nq(system), nu = cardo_system_nu(system);
    double *arms = scales + nq, speed;
    cardo_status status;
    if (nu == 0)
        return CARDO_OK;
    CARDO_TRY(find_arms(system, state, composites, arms, error));
    CARDO_TRY(find_speed(system, state, composites[0].mass, work, &speed, error));
    for (int i = 0; i < CARDO_MOBILIZER_MAX_Q; ++i)
        CARDO_TRY(add_squares(system, state, i, arms, scales, work, error));
    share_quaternions(system, scales);
    for (int k = 0; k < nq; ++k)
        scales[k] = unit_length / fmax(sqrt(scales[k]), shortest_arm);
    for (int k = 0; k < nu; ++k)
        scales[nq + k] = speed / arms[k];
done:
    return status;
}
