/* A ball that bounces until it rests, by hard contact whose impacts are found where they happen, and balls that are bowled without spin and roll in the end, by Hertz's
 * contact with friction. Writes what ball.gp draws to the file that is named, if one is. */
#include "walk.h"

#include <cardo/dynamics.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* m, kg, s */
static const double radius = 0.11, mass = 6, g = 9.81;

static void must(cardo_status status, const cardo_error *error)
{
    if (status == CARDO_OK)
        return;
    fprintf(stderr, "%s\n", error->message);
    exit(1);
}

static cardo_body_definition ball(void)
{
    const double I = 0.4 * mass * radius * radius;
    return (cardo_body_definition){.name = "ball",
                                   .mobilizer = cardo_mobilizer_find("free"),
                                   .X_PF = cardo_transform_identity(),
                                   .X_BM = cardo_transform_identity(),
                                   .mass = {mass, {0, 0, 0}, {I, I, I, 0, 0, 0}}};
}

static cardo_system *ground_and_ball(void)
{
    const cardo_body_definition body = ball();
    cardo_error error = {0};
    cardo_system *system;
    must(cardo_system_create(&system, &error), &error);
    cardo_system_set_gravity(system, (cardo_vec3){0, 0, -g});
    must(cardo_system_add_body(system, &body, NULL, &error), &error);
    return system;
}

/* Let go at a height: where it is after a time, with restitution e at every bounce. */
static double height(double t, double from, double e)
{
    double v = sqrt(2 * g * from), touched = sqrt(2 * from / g);
    if (t < touched)
        return from - 0.5 * g * t * t;
    while (v > 1e-3) {
        v *= e;
        if (t < touched + 2 * v / g)
            return (t - touched) * (v - 0.5 * g * (t - touched));
        touched += 2 * v / g;
    }
    return 0;
}

static void bounce(FILE *file)
{
    static const char *const options[] = {"velocities=keep", "timestep=0.01", "accuracy=1e-10"};
    const double from = 1, e = 0.8, q[7] = {1, 0, 0, 0, 0, 0, from + radius},
                 u[6] = {0, 0, 0, 0.5, 0, 0};
    const cardo_point_on_plane ground = {0, 1, {0, 0, 1}, radius, {0, 0, 0}};
    cardo_error error = {0};
    cardo_system *system = ground_and_ball();
    cardo_impacts *impacts;
    cardo_simulation *run;
    cardo_end end;
    int index;
    double worst = 0;
    must(cardo_system_add_constraint(system, cardo_constraint_find("point-on-plane"), "ground",
                                     &ground, &index, &error),
         &error);
    must(cardo_system_finalize(system, &error), &error);
    const cardo_unilateral contact = {
        .constraint = index, .sign = 1, .restitution = e, .capture = 1e-3, .stiction = -1};
    must(cardo_impacts_create(system, 1, &contact, CARDO_IMPACT_SEQUENTIAL, 0, &impacts, &error),
         &error);
    cardo_state *state = walk_state(system);
    cardo_state_set_q(state, q);
    cardo_state_set_u(state, u);
    must(cardo_impacts_begin(impacts, state, &error), &error);
    must(cardo_simulation_open(system, state, NULL, "rk-merson", 3, options, &run, &error), &error);
    must(cardo_simulation_add_impacts(run, impacts, &error), &error);
    must(cardo_simulation_start(run, &error), &error);
    for (int step = 0; step <= 500; ++step) {
        must(cardo_simulation_run(run, step, NULL, &end, &error), &error);
        const double t = cardo_state_time(state), z = cardo_state_q(state)[6] - radius;
        if (t < 3)
            worst = fmax(worst, fabs(z - height(t, from, e)));
        if (file)
            fprintf(file, "%.4f %.6f %.6f\n", t, cardo_state_q(state)[4], z);
    }
    double force;
    must(cardo_realize(system, state, CARDO_STAGE_ACCELERATION, &error), &error);
    must(cardo_impacts_forces(impacts, state, &force, &error), &error);
    walk_check("heights, by the times of its bounces", worst, 0, 1e-9);
    walk_check("force on it at rest, of its weight", force / (mass * g), 1, 1e-10);
    if (file)
        fputs("\n\n", file);
    cardo_simulation_destroy(run);
    cardo_impacts_destroy(impacts);
    cardo_state_destroy(state);
    cardo_system_destroy(system);
}

/* It slides, is slowed by friction and turned by it, until it rolls with 5/7 of its speed. */
static void bowl(double speed, double friction, FILE *file)
{
    static const char *const options[] = {"velocities=keep", "timestep=0.02", "accuracy=1e-8"};
    const cardo_contact_sphere sphere = {radius};
    const cardo_contact_material material = {1e9, 0.1, friction, friction, 0};
    cardo_contact_surface surfaces[2] = {
        {.body = 0, .shape = cardo_contact_shape_find("half-space"), .material = material},
        {.body = 1,
         .X_BS = cardo_transform_identity(),
         .shape = cardo_contact_shape_find("sphere"),
         .parameters = &sphere,
         .material = material}};
    /* outward normal -x, to be z */
    surfaces[0].X_BS = cardo_transform_turn((cardo_vec3){0, 1, 0}, acos(0), (cardo_vec3){0, 0, 0});
    const cardo_contact_parameters contact = {
        .nsurface = 2, .surfaces = surfaces, .transition_velocity = 1e-4};
    /* as deep as its weight presses it */
    const double k = cardo_contact_combine_hertz(&material, &material).stiffness;
    const double depth = cbrt(pow(0.75 * mass * g / k, 2) / (radius * k));
    const double q[7] = {1, 0, 0, 0, 0, 0, radius - depth}, u[6] = {0, 0, 0, speed, 0, 0};
    cardo_error error = {0};
    cardo_system *system = ground_and_ball();
    cardo_simulation *run;
    cardo_end end;
    must(
        cardo_system_add_force(system, cardo_force_element_find("contact"), &contact, NULL, &error),
        &error);
    must(cardo_system_finalize(system, &error), &error);
    cardo_state *state = walk_state(system);
    cardo_state_set_q(state, q);
    cardo_state_set_u(state, u);
    must(cardo_simulation_open(system, state, NULL, "rk-merson", 3, options, &run, &error), &error);
    must(cardo_simulation_start(run, &error), &error);
    for (int step = 0; step <= 150; ++step) {
        must(cardo_simulation_run(run, step, NULL, &end, &error), &error);
        const double *w = cardo_state_u(state);
        if (file)
            fprintf(file, "%.4f %.6f %.6f\n", cardo_state_time(state), w[3], radius * w[1]);
    }
    walk_check("speed in the end, of its first", cardo_state_u(state)[3] / speed, 5.0 / 7, 2e-4);
    walk_check("it rolls: slip",
               (cardo_state_u(state)[3] - radius * cardo_state_u(state)[1]) / speed, 0, 2e-4);
    if (file)
        fputs("\n\n", file);
    cardo_simulation_destroy(run);
    cardo_state_destroy(state);
    cardo_system_destroy(system);
}

int main(int count, char **arguments)
{
    FILE *file = count > 1 ? fopen(arguments[1], "w") : NULL;
    bounce(file);
    bowl(5, 0.1, file);
    bowl(5, 0.2, file);
    if (file)
        fclose(file);
    return 0;
}
