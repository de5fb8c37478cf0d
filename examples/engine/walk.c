#include "walk.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 16 };

static void stop(const cardo_error *error)
{
    fprintf(stderr, "%s\n", error->message);
    exit(1);
}

cardo_mass_properties walk_box(cardo_vec3 com)
{
    const double m = 1.5, side[3] = {0.1, 0.3, 0.2}, c[3] = {com.x, com.y, com.z};
    cardo_mass_properties out = {.mass = m, .com = com};
    for (int i = 0; i < 3; ++i) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        out.inertia[i] =
            m * ((side[j] * side[j] + side[k] * side[k]) / 12 + c[j] * c[j] + c[k] * c[k]);
    }
    out.inertia[3] = -m * c[0] * c[1];
    out.inertia[4] = -m * c[0] * c[2];
    out.inertia[5] = -m * c[1] * c[2];
    return out;
}

cardo_system *walk_one_body(const cardo_body_definition *body)
{
    cardo_error error;
    cardo_system *system;
    if (cardo_system_create(&system, &error))
        stop(&error);
    cardo_system_set_gravity(system, (cardo_vec3){0, -9.81, 0});
    if (cardo_system_add_body(system, body, NULL, &error) || cardo_system_finalize(system, &error))
        stop(&error);
    return system;
}

cardo_state *walk_state(const cardo_system *system)
{
    cardo_error error;
    cardo_state *state;
    if (cardo_state_create(system, &state, &error))
        stop(&error);
    return state;
}

void walk_realize(const cardo_system *system, cardo_state *state)
{
    cardo_error error;
    if (cardo_realize(system, state, CARDO_STAGE_ACCELERATION, &error))
        stop(&error);
}

void walk_step(const cardo_system *system, cardo_state *state, double h)
{
    static const double node[4] = {0, 0.5, 0.5, 1},
                        weight[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
    const int nq = cardo_system_nq(system), nu = cardo_system_nu(system);
    double q0[MOST], u0[MOST], q[MOST], u[MOST], qdot[MOST], udot[MOST], dq[MOST], du[MOST];
    for (int i = 0; i < nq; ++i) {
        q0[i] = cardo_state_q(state)[i];
        dq[i] = qdot[i] = 0;
    }
    for (int i = 0; i < nu; ++i) {
        u0[i] = cardo_state_u(state)[i];
        du[i] = udot[i] = 0;
    }
    const double t0 = cardo_state_time(state);
    for (int stage = 0; stage < 4; ++stage) {
        cardo_state_set_time(state, t0 + node[stage] * h);
        for (int i = 0; i < nq; ++i)
            q[i] = q0[i] + node[stage] * h * qdot[i];
        for (int i = 0; i < nu; ++i)
            u[i] = u0[i] + node[stage] * h * udot[i];
        cardo_state_set_q(state, q);
        cardo_state_set_u(state, u);
        walk_realize(system, state);
        for (int i = 0; i < nq; ++i) {
            qdot[i] = cardo_state_qdot(state)[i];
            dq[i] += weight[stage] * h * qdot[i];
        }
        for (int i = 0; i < nu; ++i) {
            udot[i] = cardo_state_udot(state)[i];
            du[i] += weight[stage] * h * udot[i];
        }
    }
    for (int i = 0; i < nq; ++i)
        q[i] = q0[i] + dq[i];
    for (int i = 0; i < nu; ++i)
        u[i] = u0[i] + du[i];
    cardo_state_set_q(state, q);
    cardo_state_set_u(state, u);
    cardo_state_set_time(state, t0 + h);
}

double walk_energy(const cardo_system *system, cardo_state *state)
{
    cardo_error error;
    double kinetic, potential;
    walk_realize(system, state);
    if (cardo_kinetic_energy(system, state, &kinetic, &error) ||
        cardo_potential_energy(system, state, NULL, &potential, &error))
        stop(&error);
    return kinetic + potential;
}

void walk_check(const char *what, double value, double expected, double tolerance)
{
    const int good = fabs(value - expected) <= tolerance;
    printf("%-52s %.12g, expected %.12g within %.0e: %s\n", what, value, expected, tolerance,
           good ? "good" : "WRONG");
    if (!good)
        exit(1);
}
