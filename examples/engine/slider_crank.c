/* The slider-crank of an engine, described by bodies and joints in the plane and run in both forms: the crank is driven at 3000 turns a minute,
 * and what crank, rod and piston ask of motor and cylinder wall comes out. Writes what slider_crank.gp draws to the file that is named, if one is. */
#include "walk.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* m, kg, s, N */
static const double crank = 0.04, rod = 0.14, pi = 3.14159265358979323846;

static void must(cardo_status status, const cardo_error *error)
{
    if (status == CARDO_OK)
        return;
    fprintf(stderr, "%s\n", error->message);
    exit(1);
}

static cardo_mechanism *engine(cardo_planar_form form, const double *turning)
{
    const cardo_planar_body bodies[3] = {
        {"crank", 1.2, 8e-4}, {"rod", 0.6, 1.4e-3}, {"piston", 0.45, 2e-4}};
    /* the rod's centre is a third of its length from the crank's pin */
    const cardo_planar_joint joints[5] = {
        {.name = "main bearing", .body1 = 1},
        {.name = "crank pin",
         .body1 = 1,
         .body2 = 2,
         .point1 = {crank, 0},
         .point2 = {-rod / 3, 0}},
        {.name = "piston pin", .body1 = 2, .body2 = 3, .point1 = {2 * rod / 3, 0}},
        {.kind = CARDO_PLANAR_TRANSLATIONAL,
         .name = "cylinder",
         .body1 = 0,
         .body2 = 3,
         .normal1 = {0, 1}},
        {.kind = CARDO_PLANAR_DRIVING,
         .name = "motor",
         .body1 = 1,
         .function = {.kind = CARDO_FUNCTION_LINEAR,
                      .narg = 1,
                      .ncoefficient = 2,
                      .coefficients = turning}}};
    const cardo_planar planar = {
        .nbody = 3, .njoint = 5, .bodies = bodies, .joints = joints, .gravity = {0, -9.81}};
    cardo_error error = {0};
    cardo_mechanism *mechanism;
    must(cardo_mechanism_create(&planar, form, &mechanism, &error), &error);
    return mechanism;
}

int main(int count, char **arguments)
{
    enum { STEPS = 360, FORCES = 15 };
    const double w = 100 * pi, turning[2] = {w, 0};
    FILE *file = count > 1 ? fopen(arguments[1], "w") : NULL;
    cardo_mechanism *forms[2] = {engine(CARDO_PLANAR_ABSOLUTE, turning),
                                 engine(CARDO_PLANAR_TREE, turning)};
    cardo_state *states[2];
    double off = 0, apart = 0, power = 0, energy = 0, first = 0, most = 0, sum = 0, size = 0;
    cardo_error error = {0};
    for (int k = 0; k < 2; ++k) {
        const double sketch[9] = {0, 0, 0, crank + rod / 3, 0, 0, crank + rod, 0, 0};
        states[k] = walk_state(cardo_mechanism_system(forms[k]));
        must(cardo_mechanism_set(forms[k], states[k], sketch, NULL, &error), &error);
    }
    printf("coordinates: %d in absolute form, %d in the tree\n",
           cardo_system_nq(cardo_mechanism_system(forms[0])),
           cardo_system_nq(cardo_mechanism_system(forms[1])));
    for (int step = 0; step <= STEPS; ++step) {
        const double t = 2 * pi / w * step / STEPS, phi = w * t;
        double c[9], v[9], a[9], f[2][FORCES];
        for (int k = 0; k < 2; ++k) {
            must(cardo_mechanism_kinematics(forms[k], states[k], t, &error), &error);
            must(cardo_mechanism_get(forms[k], states[k], c, v, a, &error), &error);
            must(cardo_mechanism_joint_forces(forms[k], states[k], f[k], &error), &error);
        }
        /* by the triangle of crank and rod */
        const double high = crank * sin(phi), along = sqrt(rod * rod - high * high);
        off = fmax(off, fabs(c[6] - crank * cos(phi) - along));
        for (int i = 0; i < FORCES; ++i) {
            size = fmax(size, fabs(f[0][i]));
            apart = fmax(apart, fabs(f[0][i] - f[1][i]));
        }
        /* the motor's power goes into what moves: over a turn none is left */
        power = f[0][14] * w;
        energy = walk_energy(cardo_mechanism_system(forms[0]), states[0]);
        if (step == 0)
            first = energy;
        if (step < STEPS)
            sum += power / STEPS;
        most = fmax(most, fabs(power));
        if (file)
            fprintf(file, "%d %.6f %.3f %.3f %.3f %.3f\n", step, c[6], a[6],
                    hypot(f[0][0], f[0][1]), f[0][10], f[0][14]);
    }
    walk_check("piston, by the triangle of crank and rod", off, 0, 1e-13);
    walk_check("forces of both forms, of the largest", apart / size, 0, 1e-11);
    walk_check("energy after a turn", energy / first, 1, 1e-12);
    walk_check("mean power of the motor, of its largest", sum / most, 0, 1e-12);
    if (file)
        fclose(file);
    for (int k = 0; k < 2; ++k) {
        cardo_state_destroy(states[k]);
        cardo_mechanism_destroy(forms[k]);
    }
    return 0;
}
