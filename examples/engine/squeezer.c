/* Andrews' squeezing mechanism: seven bodies, ten pins, one freedom, driven by a constant torque (Giles 1978; Mazzia & Magherini, Test set for IVP solvers, andrews), as a
 * tree whose loops are closed. Its angles after 0.03 s are published. Writes what squeezer.gp draws to the file that is named, if one is. */
#include "walk.h"

#include <cardo/dynamics.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void must(cardo_status status, const cardo_error *error)
{
    if (status == CARDO_OK)
        return;
    fprintf(stderr, "%s\n", error->message);
    exit(1);
}

/* m, kg, s. Points are from the centres of mass, in bodies' axes. */
static const cardo_planar_body bodies[7] = {{"K1", 0.04325, 2.194e-6}, {"K2", 0.00365, 4.410e-7},
                                            {"K3", 0.02373, 5.255e-6}, {"K4", 0.00706, 5.667e-7},
                                            {"K5", 0.0705, 1.169e-5},  {"K6", 0.00706, 5.667e-7},
                                            {"K7", 0.05498, 1.912e-5}};
static const cardo_planar_joint joints[10] = {
    {.name = "O", .body1 = 1, .point1 = {-0.00092, 0}},
    {.name = "F", .body1 = 2, .point1 = {0.0115, 0}, .body2 = 1, .point2 = {0.00608, 0}},
    {.name = "B", .body1 = 3, .point1 = {-0.01043, 0.01874}, .point2 = {-0.03635, 0.03273}},
    {.name = "A, K5", .body1 = 5, .point1 = {-0.02308, 0.00916}, .point2 = {-0.06934, -0.00227}},
    {.name = "G", .body1 = 4, .point1 = {0, 0.00579}, .body2 = 5, .point2 = {0.01692, 0.00916}},
    {.name = "A, K7", .body1 = 7, .point1 = {0.00449, 0.01228}, .point2 = {-0.06934, -0.00227}},
    {.name = "H", .body1 = 6, .point1 = {-0.00579, 0}, .body2 = 7, .point2 = {0.00449, -0.02772}},
    {.name = "E, K3",
     .body1 = 2,
     .point1 = {-0.0165, 0},
     .body2 = 3,
     .point2 = {-0.01043, -0.01626}},
    {.name = "E, K4", .body1 = 2, .point1 = {-0.0165, 0}, .body2 = 4, .point2 = {0, -0.01421}},
    {.name = "E, K6", .body1 = 2, .point1 = {-0.0165, 0}, .body2 = 6, .point2 = {0.01421, 0}}};
static const cardo_planar_force forces[2] = {
    {.kind = CARDO_PLANAR_TORQUE, .body1 = 1, .torque = 0.033},
    {.kind = CARDO_PLANAR_SPRING_DAMPER,
     .body1 = 3,
     .point1 = {0.00957, 0.00074},
     .point2 = {0.014, 0.072},
     .stiffness = 4530,
     .length = 0.07785}};

int main(int count, char **arguments)
{
    static const char *const options[] = {"velocities=keep", "timestep=3e-5", "accuracy=1e-11"};
    const cardo_planar planar = {.nbody = 7,
                                 .njoint = 10,
                                 .nforce = 2,
                                 .bodies = bodies,
                                 .joints = joints,
                                 .forces = forces};
    /* near where it starts: beta, gamma, ... of the test set as angles of bodies */
    const double start[7] = {-0.0617, -0.0617, 0.4553, 0.7100, 0.4874, 1.0079, 1.2305};
    double c[21] = {0.0009, -0.0001, 0,       -0.0045, 0.0003,  0,       -0.0187,
                    0.0205, 0,       -0.0302, 0.0121,  0,       -0.0447, 0.0004,
                    0,      -0.0285, -0.0107, 0,       -0.0596, -0.0106};
    FILE *file = count > 1 ? fopen(arguments[1], "w") : NULL;
    cardo_error error = {0};
    cardo_mechanism *mechanism;
    cardo_simulation *run;
    cardo_frame frame;
    cardo_end end;
    double angles[7] = {0}, worst = 0, work = 0;
    int freedoms;
    for (int k = 0; k < 7; ++k)
        c[3 * k + 2] = start[k];
    must(cardo_mechanism_create(&planar, CARDO_PLANAR_TREE, &mechanism, &error), &error);
    const cardo_system *system = cardo_mechanism_system(mechanism);
    cardo_state *state = walk_state(system);
    must(cardo_mechanism_set(mechanism, state, c, NULL, &error), &error);
    /* the crank stays where the test set has it, and the others follow */
    double q[7], weights[7] = {1, 1, 1, 1, 1, 1, 1};
    cardo_body_info crank;
    cardo_system_body(system, cardo_mechanism_body(mechanism, 1), &crank);
    for (int k = 0; k < 7; ++k)
        q[k] = cardo_state_q(state)[k];
    q[crank.q_first] = -0.0617138900142764496358948458001;
    weights[crank.q_first] = INFINITY;
    cardo_state_set_q(state, q);
    const cardo_assembly_options held = {.size = sizeof held, .weights = weights};
    must(cardo_assemble_q(system, state, &held, NULL, &error), &error);
    walk_realize(system, state);
    must(cardo_degrees_of_freedom(system, state, &freedoms, &error), &error);
    walk_check("degrees of freedom", freedoms, 1, 0);
    must(cardo_simulation_open(system, state, NULL, "rk-merson", 3, options, &run, &error), &error);
    must(cardo_simulation_start(run, &error), &error);
    const double energy = walk_energy(system, state);
    for (int step = 0; step <= 1000; ++step) {
        double errors[6];
        must(cardo_simulation_run(run, step, NULL, &end, &error), &error);
        cardo_simulation_frame(run, &frame);
        must(cardo_mechanism_get(mechanism, state, c, NULL, NULL, &error), &error);
        /* beta, Theta, gamma, Phi, delta, Omega, epsilon */
        const double now[7] = {c[2], c[5] - c[2], c[8], c[11] - c[14], c[14], c[17] - c[20], c[20]};
        for (int k = 0; k < 7; ++k)
            angles[k] = now[k];
        must(cardo_constraint_position_errors(system, state, errors, &error), &error);
        for (int k = 0; k < 6; ++k)
            worst = fmax(worst, fabs(errors[k]));
        work = 0.033 * (c[2] - q[crank.q_first]);
        if (file)
            fprintf(file, "%.6f %.8f %.8f %.8f %.8f %.8f %.8f %.8f\n", frame.time, now[0], now[1],
                    now[2], now[3], now[4], now[5], now[6]);
    }
    static const char *const names[7] = {"beta",  "Theta", "gamma",  "Phi",
                                         "delta", "Omega", "epsilon"};
    static const double published[7] = {
        15.81077119629904,  -15.75637105984298, 0.04082224013073101, -0.5347301163226948,
        0.5244099658805303, 0.5347301163226948, 1.048080741042263};
    for (int k = 0; k < 7; ++k)
        walk_check(names[k], angles[k], published[k], 1e-7);
    walk_check("loops are closed", worst, 0, 1e-11);
    walk_check("energy less the work of the torque", walk_energy(system, state) - work, energy,
               1e-8);
    if (file)
        fclose(file);
    cardo_simulation_destroy(run);
    cardo_state_destroy(state);
    cardo_mechanism_destroy(mechanism);
    return 0;
}
