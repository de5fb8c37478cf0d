/* A four-bar linkage in C: crank and rocker on ground, a coupler between them, a ball that closes the loop. Assembled, its accelerations,
 * and a hundred steps of falling. four_bar.cpp, four_bar.f90 and four_bar.py print the same digits. */
#include <cardo/cardo.h>
#include <cardo/manifold.h>

#include <stdio.h>
#include <stdlib.h>

static cardo_error error;

static void must(cardo_status status)
{
    if (status == CARDO_OK)
        return;
    fprintf(stderr, "%s\n", error.message);
    exit(1);
}

static void print(const char *what, const double *x, int n)
{
    printf("%s", what);
    for (int k = 0; k < n; ++k)
        printf("%24.16E", x[k]);
    printf("\n");
}

/* A slender rod from the origin along x, of mass 1 a unit of length, on a pin at a place on its parent. */
static void add_rod(cardo_system *system, const char *name, int parent, double at, double length)
{
    const double along = length * length * length / 3;
    cardo_body_definition body = {.name = name,
                                  .parent = parent,
                                  .mobilizer = cardo_mobilizer_find("pin"),
                                  .X_PF = cardo_transform_identity(),
                                  .X_BM = cardo_transform_identity(),
                                  .mass = {length, {length / 2, 0, 0}, {0.001, along, along}}};
    body.X_PF.p.x = at;
    must(cardo_system_add_body(system, &body, NULL, &error));
}

int main(void)
{
    cardo_system *system;
    must(cardo_system_create(&system, &error));
    cardo_system_set_gravity(system, (cardo_vec3){0, -9.81, 0});
    add_rod(system, "crank", 0, 0, 1);
    add_rod(system, "coupler", 1, 1, 2.5);
    add_rod(system, "rocker", 0, 3, 2);
    const cardo_coincident_points closure = {2, 3, {2.5, 0, 0}, {2, 0, 0}};
    must(cardo_system_add_constraint(system, cardo_constraint_find("ball"), "closure", &closure,
                                     NULL, &error));
    must(cardo_system_finalize(system, &error));

    cardo_state *state;
    must(cardo_state_create(system, &state, &error));
    cardo_state_set_q(state, (double[]){1, -0.5, 1.5});
    must(cardo_assemble_q(system, state, NULL, NULL, &error));
    must(cardo_realize(system, state, CARDO_STAGE_ACCELERATION, &error));
    const int nu = cardo_system_nu(system);
    double kinetic;
    print("assembled    ", cardo_state_q(state), nu);
    print("accelerations", cardo_state_udot(state), nu);

    cardo_simulation *simulation;
    must(cardo_simulation_open(system, state, NULL, "verlet", 2,
                               (const char *[]){"timestep=0.005 ps", "temperature=0 K"},
                               &simulation, &error));
    must(cardo_simulation_start(simulation, &error));
    for (int steps = 20; steps <= 100; steps += 20) {
        cardo_end end;
        must(cardo_simulation_run(simulation, steps, NULL, &end, &error));
        must(cardo_kinetic_energy(system, state, &kinetic, &error));
        print("q            ", cardo_state_q(state), nu);
        print("kinetic      ", &kinetic, 1);
    }
    cardo_simulation_destroy(simulation);
    cardo_state_destroy(state);
    cardo_system_destroy(system);
    return 0;
}
