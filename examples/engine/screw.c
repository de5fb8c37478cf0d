/* A nut that runs down a bolt by its weight (Seth et al. 2010, Fig. 1): one coordinate turns and
 * lowers it together. With the thread's pitch p, m g p = (I + m p^2) times the angular
 * acceleration, and it never leaves the thread. */
#include "walk.h"

#include <math.h>
#include <stdio.h>

int main(void)
{
    const double h = 1e-3;
    const cardo_screw_thread thread = {0.05};
    /* the bolt's z axis points up, along ground's y */
    const cardo_transform upright =
        cardo_transform_turn((cardo_vec3){1, 0, 0}, -1.57079632679489661923, (cardo_vec3){0, 0, 0});
    const cardo_body_definition body = {.name = "nut",
                                        .mobilizer = cardo_mobilizer_find("screw"),
                                        .parameters = &thread,
                                        .X_PF = upright,
                                        .X_BM = cardo_transform_identity(),
                                        .mass = walk_box((cardo_vec3){0, 0, 0})};
    cardo_system *system = walk_one_body(&body);
    cardo_state *state = walk_state(system);
    const double m = body.mass.mass, I = body.mass.inertia[2], p = thread.pitch;
    const double expected = -m * 9.81 * p / (I + m * p * p);

    printf("%8s %12s %12s\n", "time", "angle", "height");
    for (int i = 0; i <= 2000; ++i) {
        walk_realize(system, state);
        const cardo_transform X = cardo_state_X_GB(state)[1];
        if (i % 400 == 0)
            printf("%8.3f %12.6f %12.6f\n", cardo_state_time(state), cardo_state_q(state)[0],
                   X.p.y);
        if (fabs(X.p.y - p * cardo_state_q(state)[0]) > 1e-13)
            walk_check("height on the thread", X.p.y, p * cardo_state_q(state)[0], 1e-13);
        if (i < 2000)
            walk_step(system, state, h);
    }
    walk_check("angular acceleration", cardo_state_udot(state)[0], expected, 1e-12);
    walk_check("angle after 2 time units", cardo_state_q(state)[0], 2 * expected, 1e-9);
    cardo_state_destroy(state);
    cardo_system_destroy(system);
    return 0;
}
