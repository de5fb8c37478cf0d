/* A row of dominoes: boxes with rounded corners that press the table and each other by Hertz's law, with friction. The first one is pushed. Writes what dominoes.gp draws
 * to the file that is named, if one is. */
#include "walk.h"

#include <cardo/dynamics.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* m, kg, s */
enum { DOMINOES = 12 };
static const double half[3] = {0.004, 0.012, 0.024}, spacing = 0.022, mass = 0.009;

static void must(cardo_status status, const cardo_error *error)
{
    if (status == CARDO_OK)
        return;
    fprintf(stderr, "%s\n", error->message);
    exit(1);
}

static cardo_system *row(void)
{
    static const cardo_contact_box box = {{0.004, 0.012, 0.024}, 0.001, 0};
    const cardo_contact_material material = {2e7, 0.4, 0.25, 0.2, 0};
    const double a = half[0] * half[0], b = half[1] * half[1], c = half[2] * half[2], m = mass / 3;
    cardo_contact_surface surfaces[DOMINOES + 1];
    cardo_error error = {0};
    cardo_system *system;
    must(cardo_system_create(&system, &error), &error);
    cardo_system_set_gravity(system, (cardo_vec3){0, 0, -9.81});
    surfaces[0] = (cardo_contact_surface){
        .shape = cardo_contact_shape_find("half-space"),
        .X_BS = cardo_transform_turn((cardo_vec3){0, 1, 0}, acos(0), (cardo_vec3){0, 0, 0}),
        .material = material};
    for (int k = 1; k <= DOMINOES; ++k) {
        const cardo_body_definition body = {
            .mobilizer = cardo_mobilizer_find("free"),
            .X_PF = cardo_transform_identity(),
            .X_BM = cardo_transform_identity(),
            .mass = {mass, {0, 0, 0}, {m * (b + c), m * (a + c), m * (a + b), 0, 0, 0}}};
        must(cardo_system_add_body(system, &body, NULL, &error), &error);
        surfaces[k] = (cardo_contact_surface){.body = k,
                                              .X_BS = cardo_transform_identity(),
                                              .shape = cardo_contact_shape_find("box"),
                                              .parameters = &box,
                                              .material = material};
    }
    const cardo_contact_parameters contact = {
        .nsurface = DOMINOES + 1, .surfaces = surfaces, .transition_velocity = 1e-3};
    must(
        cardo_system_add_force(system, cardo_force_element_find("contact"), &contact, NULL, &error),
        &error);
    must(cardo_system_finalize(system, &error), &error);
    return system;
}

/* Its lean about y, from upright. */
static double lean(const cardo_state *state, int k)
{
    const cardo_mat33 R = cardo_state_X_GB(state)[k].R;
    return atan2(R.m[0][2], R.m[2][2]);
}

static void write_outlines(FILE *file, const cardo_state *state)
{
    for (int k = 1; k <= DOMINOES && file; ++k) {
        const cardo_transform X = cardo_state_X_GB(state)[k];
        for (int c = 0; c <= 4; ++c) {
            const cardo_vec3 corner = {(c % 4 == 0 || c == 3 ? -1 : 1) * half[0], 0,
                                       (c % 4 < 2 ? -1 : 1) * half[2]};
            const cardo_vec3 at = cardo_transform_point(X, corner);
            fprintf(file, "%.5f %.5f\n", at.x, at.z);
        }
        fputs("\n", file);
    }
    if (file)
        fputs("\n", file);
}

int main(int count, char **arguments)
{
    static const char *const options[] = {"velocities=keep", "timestep=0.005", "accuracy=1e-5"};
    FILE *file = count > 1 ? fopen(arguments[1], "w") : NULL;
    cardo_error error = {0};
    cardo_system *system = row();
    cardo_state *state = walk_state(system);
    cardo_simulation *run;
    cardo_end end;
    double q[7 * DOMINOES] = {0}, u[6 * DOMINOES] = {0}, hit[DOMINOES + 1] = {0}, rise = 0;
    for (int k = 0; k < DOMINOES; ++k) {
        q[7 * k] = 1;
        q[7 * k + 4] = spacing * k;
        q[7 * k + 6] = half[2];
    }
    /* about its lower edge */
    u[1] = 6;
    u[3] = 6 * half[2];
    u[5] = 6 * half[0] * -1;
    cardo_state_set_q(state, q);
    cardo_state_set_u(state, u);
    must(cardo_simulation_open(system, state, NULL, "rk-merson", 3, options, &run, &error), &error);
    must(cardo_simulation_start(run, &error), &error);
    double before = walk_energy(system, state);
    for (int step = 0; step <= 160; ++step) {
        must(cardo_simulation_run(run, step, NULL, &end, &error), &error);
        must(cardo_realize(system, state, CARDO_STAGE_VELOCITY, &error), &error);
        const double now = walk_energy(system, state);
        rise = fmax(rise, now - before);
        before = now;
        for (int k = 1; k <= DOMINOES; ++k)
            if (hit[k] == 0 && lean(state, k) > 0.1)
                hit[k] = cardo_state_time(state);
        if (step % 40 == 0)
            write_outlines(file, state);
    }
    int fallen = 0, in_order = 1;
    for (int k = 1; k <= DOMINOES; ++k) {
        fallen += lean(state, k) > 0.9;
        in_order &= k == 1 || hit[k] > hit[k - 1];
    }
    printf("%d of %d have fallen; the wave ran at %.2f m/s at the end\n", fallen, DOMINOES,
           4 * spacing / (hit[DOMINOES] - hit[DOMINOES - 4]));
    walk_check("dominoes that have fallen", fallen, DOMINOES, 0);
    walk_check("one after the other", in_order, 1, 0);
    walk_check("energy never rises", rise, 0, 1e-5);
    if (file)
        fclose(file);
    cardo_simulation_destroy(run);
    cardo_state_destroy(state);
    cardo_system_destroy(system);
    return 0;
}
