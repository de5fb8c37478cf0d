/* A pendulum on a pin, let go from 120 degrees: its period against the complete elliptic integral,
 * and the force in the pin. */
#include "walk.h"

#include <math.h>
#include <stdio.h>

/* pi / (2 AGM(1, k')) is the complete elliptic integral of the first kind. */
static double agm(double a, double b)
{
    while (fabs(a - b) > 1e-15 * a) {
        const double mean = 0.5 * (a + b);
        b = sqrt(a * b);
        a = mean;
    }
    return a;
}

int main(void)
{
    const double pi = 3.14159265358979323846, g = 9.81, length = 0.5, start = 2 * pi / 3, h = 1e-3;
    const cardo_body_definition body = {.name = "bob",
                                        .mobilizer = cardo_mobilizer_find("pin"),
                                        .X_PF = cardo_transform_identity(),
                                        .X_BM = cardo_transform_identity(),
                                        .mass = walk_box((cardo_vec3){0, -length, 0})};
    cardo_system *system = walk_one_body(&body);
    cardo_state *state = walk_state(system);
    cardo_state_set_q(state, &start);
    const double energy = walk_energy(system, state);

    printf("%8s %12s %12s\n", "time", "angle", "rate");
    double before = 0, period = 0;
    for (int i = 0; period == 0; ++i) {
        if (i % 200 == 0)
            printf("%8.3f %12.6f %12.6f\n", cardo_state_time(state), cardo_state_q(state)[0],
                   cardo_state_u(state)[0]);
        before = cardo_state_u(state)[0];
        const double time = cardo_state_time(state);
        walk_step(system, state, h);
        const double now = cardo_state_u(state)[0];
        /* back at rest on the starting side: where the rate falls through zero */
        if (before > 0 && now <= 0)
            period = time + h * before / (before - now);
    }
    const double inertia = body.mass.inertia[2], m = body.mass.mass;
    const double small = 2 * pi * sqrt(inertia / (m * g * length));
    walk_check("period", period, small / agm(1, cos(0.5 * start)), 1e-6);
    walk_check("energy", walk_energy(system, state), energy, 1e-9);

    cardo_spatial reaction[2];
    cardo_vec3 acceleration;
    walk_realize(system, state);
    cardo_reactions(system, state, reaction, NULL);
    cardo_com_acceleration(system, state, &acceleration, NULL);
    walk_check("force in the pin along y", reaction[1].linear.y, m * (acceleration.y + g), 1e-12);
    walk_check("torque about the pin", reaction[1].angular.z, 0, 1e-12);
    cardo_state_destroy(state);
    cardo_system_destroy(system);
    return 0;
}
