/* A four-bar linkage: crank and rocker on ground, joined by a coupler whose far end is a ball that closes the loop. Of the ball's three
 * rows one is redundant in the plane. Assembled from an open start, turned round once, let go in gravity, and held against Freudenstein's
 * equation. Writes what four_bar.gp draws to the file that is named, if one is. */
#include "walk.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double crank = 1, coupler = 2.5, rocker = 2, ground = 3;

/* A slender rod of mass 1 a unit of length from the origin along x. */
static cardo_mass_properties rod(double length)
{
    const double m = length, along = m * length * length / 3;
    return (cardo_mass_properties){m, {0.5 * length, 0, 0}, {0.001, along, along, 0, 0, 0}};
}

static void must(cardo_status status, const cardo_error *error)
{
    if (status == CARDO_OK)
        return;
    fprintf(stderr, "%s\n", error->message);
    exit(1);
}

static cardo_system *linkage(void)
{
    cardo_error error = {0};
    cardo_system *system;
    const double lengths[3] = {crank, coupler, rocker}, at[3] = {0, crank, ground};
    const char *const names[3] = {"crank", "coupler", "rocker"};
    const int parents[3] = {0, 1, 0};
    must(cardo_system_create(&system, &error), &error);
    cardo_system_set_gravity(system, (cardo_vec3){0, -9.81, 0});
    for (int k = 0; k < 3; ++k) {
        cardo_body_definition body = {.name = names[k],
                                      .parent = parents[k],
                                      .mobilizer = cardo_mobilizer_find("pin"),
                                      .X_PF = cardo_transform_identity(),
                                      .X_BM = cardo_transform_identity(),
                                      .mass = rod(lengths[k])};
        body.X_PF.p.x = at[k];
        must(cardo_system_add_body(system, &body, NULL, &error), &error);
    }
    const cardo_coincident_points closure = {2, 3, {coupler, 0, 0}, {rocker, 0, 0}};
    must(cardo_system_add_constraint(system, cardo_constraint_find("ball"), "closure", &closure,
                                     NULL, &error),
         &error);
    must(cardo_system_finalize(system, &error), &error);
    return system;
}

/* Freudenstein (1955): zero for the angles of crank and rocker of a closed linkage. */
static double freudenstein(double phi, double psi)
{
    const double K1 = ground / crank, K2 = ground / rocker;
    const double K3 = (crank * crank - coupler * coupler + rocker * rocker + ground * ground) /
                      (2 * crank * rocker);
    return K1 * cos(psi) - K2 * cos(phi) + K3 - cos(phi - psi);
}

/* A point of the coupler, above its middle. */
static cardo_vec3 coupler_point(const cardo_state *state)
{
    const cardo_transform X = cardo_state_X_GB(state)[2];
    const double along = 0.5 * coupler, above = 0.9;
    return (cardo_vec3){X.p.x + X.R.m[0][0] * along + X.R.m[0][1] * above,
                        X.p.y + X.R.m[1][0] * along + X.R.m[1][1] * above, 0};
}

static void write_bars(FILE *file, const cardo_state *state)
{
    const cardo_transform *X = cardo_state_X_GB(state);
    const cardo_vec3 c = coupler_point(state);
    const double *q = cardo_state_q(state);
    const double end[2] = {ground + rocker * cos(q[2]), rocker * sin(q[2])};
    fprintf(file, "0 0\n%.5f %.5f\n%.5f %.5f\n%.5f 0\n\n", X[2].p.x, X[2].p.y, end[0], end[1],
            ground);
    fprintf(file, "%.5f %.5f\n%.5f %.5f\n%.5f %.5f\n\n", X[2].p.x, X[2].p.y, c.x, c.y, end[0],
            end[1]);
}

/* Once round with the crank, along the one freedom: angles, and the way of a point of the coupler; then the bars, now and again. */
static void turn_round(const cardo_system *system, cardo_state *state, FILE *curve, FILE *bars)
{
    enum { STEPS = 720 };
    const double step = 2 * acos(-1) / STEPS;
    cardo_error error = {0};
    double q[3], start[3], most = 0;
    memcpy(start, cardo_state_q(state), sizeof start);
    for (int k = 0; k < STEPS; ++k) {
        double T[9];
        int freedoms;
        walk_realize(system, state);
        memcpy(q, cardo_state_q(state), sizeof q);
        most = fmax(most, fabs(freudenstein(q[0], q[2])));
        if (curve)
            fprintf(curve, "%.4f %.4f %.4f %.5f %.5f\n", q[0], q[1], q[2], coupler_point(state).x,
                    coupler_point(state).y);
        if (bars && k % (STEPS / 12) == 0)
            write_bars(bars, state);
        must(cardo_free_basis(system, state, T, &freedoms, &error), &error);
        for (int i = 0; i < 3; ++i)
            q[i] += step * T[i * freedoms] / T[0];
        cardo_state_set_q(state, q);
        must(cardo_project_q(system, state, 0, &error), &error);
    }
    walk_check("Freudenstein's equation, all round", most, 0, 1e-12);
    walk_check("the rocker is back", cardo_state_q(state)[2], start[2], 1e-2);
}

int main(int count, char **arguments)
{
    cardo_error error = {0};
    cardo_system *system = linkage();
    cardo_state *state = walk_state(system);
    cardo_assembly made;
    char redundant[128];
    const double open[3] = {1.2, -0.5, 2.0}, h = 1e-3;
    int freedoms;
    cardo_state_set_q(state, open);
    must(cardo_assemble_q(system, state, NULL, &made, &error), &error);
    printf("assembled in %d steps along the manifold: angles moved by %.4f, %.1e is left\n",
           made.steps, sqrt(made.change), made.violation);
    walk_realize(system, state);
    must(cardo_degrees_of_freedom(system, state, &freedoms, &error), &error);
    must(cardo_redundant_rows(system, state, redundant, sizeof redundant, &error), &error);
    printf("%d degree of freedom; redundant: %s\n", freedoms, redundant);
    walk_check("degrees of freedom", freedoms, 1, 0);
    walk_check("the row across the plane", strcmp(redundant, "closure (ball), z"), 0, 0);

    FILE *file = count > 1 ? fopen(arguments[1], "w") : NULL, *bars = file ? tmpfile() : NULL;
    double closed[3];
    memcpy(closed, cardo_state_q(state), sizeof closed);
    turn_round(system, state, file, bars);
    cardo_state_set_q(state, closed);
    if (bars) {
        fputs("\n\n", file);
        rewind(bars);
        for (int c; (c = fgetc(bars)) != EOF;)
            fputc(c, file);
        fclose(bars);
        fputs("\n", file);
    }

    const double energy = walk_energy(system, state);
    double most = 0, power = 0;
    printf("%8s %10s %10s %10s %12s\n", "time", "crank", "rocker", "in closure", "Freudenstein");
    for (int i = 0; i <= 3000; ++i) {
        const double *q = cardo_state_q(state);
        most = fmax(most, fabs(freudenstein(q[0], q[2])));
        if (file && i % 10 == 0)
            fprintf(file, "%.3f %.5f %.5f %.5f\n", cardo_state_time(state), q[0], q[1], q[2]);
        if (i % 300 == 0) {
            walk_realize(system, state);
            const double *force = cardo_state_multipliers(state);
            printf("%8.2f %10.5f %10.5f %10.5f %12.1e\n", cardo_state_time(state), q[0], q[2],
                   hypot(force[0], force[1]), freudenstein(q[0], q[2]));
            must(cardo_constraint_power(system, state, &power, &error), &error);
            walk_check("power of the closure", power, 0, 1e-9);
        }
        walk_step(system, state, h);
        must(cardo_project_q(system, state, 0, &error), &error);
        must(cardo_project_u(system, state, 0, &error), &error);
    }
    walk_check("Freudenstein's equation", most, 0, 1e-12);
    walk_check("energy", walk_energy(system, state), energy, 1e-7);
    if (file)
        fclose(file);
    cardo_state_destroy(state);
    cardo_system_destroy(system);
    return 0;
}
