/* A shoulder blade that glides on the rib cage (Seth et al. 2010, Fig. 3-4): an ellipsoid mobilizer
 * has three coordinates where a free joint would have six and three constraints. It keeps its point
 * on the ellipsoid to rounding, and its energy. */
#include "walk.h"

#include <math.h>
#include <stdio.h>

/* (x/a)^2 + (y/b)^2 + (z/c)^2 - 1 */
static double off_the_surface(cardo_vec3 p, cardo_vec3 r)
{
    const double x = p.x / r.x, y = p.y / r.y, z = p.z / r.z;
    return x * x + y * y + z * z - 1;
}

int main(void)
{
    const double h = 1e-3;
    const cardo_ellipsoid ribs = {{0.2, 0.35, 0.15}};
    const cardo_body_definition body = {.name = "scapula",
                                        .mobilizer = cardo_mobilizer_find("ellipsoid"),
                                        .parameters = &ribs,
                                        .X_PF = cardo_transform_identity(),
                                        .X_BM = cardo_transform_identity(),
                                        .mass = walk_box((cardo_vec3){0.02, -0.05, 0.03})};
    cardo_system *system = walk_one_body(&body);
    cardo_state *state = walk_state(system);
    const double u[3] = {0.6, -0.3, 0.9};
    cardo_state_set_u(state, u);
    const double energy = walk_energy(system, state);

    printf("%8s %10s %10s %10s %12s\n", "time", "x", "y", "z", "off surface");
    double worst = 0;
    for (int i = 0; i <= 3000; ++i) {
        walk_realize(system, state);
        const cardo_vec3 p = cardo_state_X_GB(state)[1].p;
        const double off = off_the_surface(p, ribs.radii);
        worst = fmax(worst, fabs(off));
        if (i % 500 == 0)
            printf("%8.3f %10.6f %10.6f %10.6f %12.1e\n", cardo_state_time(state), p.x, p.y, p.z,
                   off);
        if (i < 3000)
            walk_step(system, state, h);
    }
    walk_check("distance from the surface", worst, 0, 1e-13);
    walk_check("energy", walk_energy(system, state), energy, 1e-8);
    cardo_state_destroy(state);
    cardo_system_destroy(system);
    return 0;
}
