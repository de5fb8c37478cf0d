/* A knee (Seth et al. 2010, Fig. 6): as the shank turns, its centre rolls and slides on the thigh's
 * end along two splines that were measured. One coordinate; the curves are met to rounding. The
 * swinging shank is damped, and comes to hang at rest. */
#include "knee_joint.h"
#include "walk.h"

#include <math.h>
#include <stdio.h>

int main(void)
{
    const double h = 1e-3, start = -1.4;
    const cardo_body_definition body = {.name = "shank",
                                        .mobilizer = cardo_mobilizer_find("function-based"),
                                        .parameters = &knee_joint,
                                        .X_PF = cardo_transform_identity(),
                                        .X_BM = cardo_transform_identity(),
                                        .mass = walk_box((cardo_vec3){0, -0.2, 0})};
    const cardo_mobility_damper ligaments = {1, 0, 0.3};
    cardo_error error;
    cardo_system *system;
    if (cardo_system_create(&system, &error) ||
        cardo_system_add_body(system, &body, NULL, &error) ||
        cardo_system_add_force(system, cardo_force_element_find("mobility-damper"), &ligaments,
                               NULL, &error)) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    cardo_system_set_gravity(system, (cardo_vec3){0, -9.81, 0});
    if (cardo_system_finalize(system, &error)) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    cardo_state *state = walk_state(system);

    /* at the knots the mobilizer is where the measurements are */
    for (int i = 0; i < KNEE_KNOTS; ++i) {
        cardo_state_set_q(state, &knee_angle[i]);
        walk_realize(system, state);
        const cardo_vec3 p = cardo_state_X_GB(state)[1].p;
        if (fabs(p.x - knee_x[i]) > 1e-15 || fabs(p.y - knee_y[i]) > 1e-15)
            walk_check("position at a knot", p.x + p.y, knee_x[i] + knee_y[i], 1e-15);
    }
    cardo_state_set_q(state, &start);
    const double first = walk_energy(system, state);
    double before = first;
    printf("%8s %10s %10s %10s %12s\n", "time", "angle", "x", "y", "energy");
    for (int i = 0; i <= 20000; ++i) {
        const double energy = walk_energy(system, state);
        const cardo_vec3 p = cardo_state_X_GB(state)[1].p;
        if (i % 2000 == 0)
            printf("%8.2f %10.5f %10.5f %10.5f %12.8f\n", cardo_state_time(state),
                   cardo_state_q(state)[0], p.x, p.y, energy);
        if (energy > before + 1e-9)
            walk_check("energy only falls", energy, before, 1e-9);
        before = energy;
        if (i < 20000)
            walk_step(system, state, h);
    }
    walk_check("rate at rest", cardo_state_u(state)[0], 0, 1e-3);
    walk_check("acceleration at rest", cardo_state_udot(state)[0], 0, 1e-2);
    cardo_state_destroy(state);
    cardo_system_destroy(system);
    return 0;
}
