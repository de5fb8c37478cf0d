/* Inverse dynamics of a walk: seven segments in the plane (trunk, thighs, shanks, feet), whose places and angles are guided by splines, so that nothing is free. What guides them is
 * what hips, knees and ankles must do where no ground bears anything; masses are those of tables of body segments, the curves are made up. Writes what gait.gp draws to the file that is named, if one is. */
#include "walk.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* m, kg, s */
enum { KNOTS = 41, DRIVES = 9 };
static const double cycle = 1.0, pi = 3.14159265358979323846;

static void must(cardo_status status, const cardo_error *error)
{
    if (status == CARDO_OK)
        return;
    fprintf(stderr, "%s\n", error->message);
    exit(1);
}

/* Of trunk x, y, angle; hip, knee, ankle of one side and of the other, half a cycle later. */
static double curve(int drive, double t)
{
    const double w = 2 * pi / cycle, s = drive >= 6 ? w * t + pi : w * t;
    switch (drive) {
    case 0:
        return 1.3 * t + 0.02 * sin(2 * w * t);
    case 1:
        return 0.95 + 0.02 * cos(2 * w * t);
    case 2:
        return -pi / 2 + 0.03 * sin(w * t);
    case 3:
    case 6:
        return 0.15 + 0.4 * cos(s);
    case 4:
    case 7:
        return -0.45 - 0.35 * sin(s) + 0.15 * cos(2 * s);
    default:
        return 1.65 + 0.15 * sin(s + 0.5);
    }
}

static cardo_mechanism *walker(void)
{
    static const cardo_planar_body bodies[7] = {
        {"trunk", 19.22, 1.039},       {"right thigh", 5.67, 0.0584},
        {"right shank", 2.64, 0.0401}, {"right foot", 0.822, 0.00273},
        {"left thigh", 5.67, 0.0584},  {"left shank", 2.64, 0.0401},
        {"left foot", 0.822, 0.00273}};
    static double knots[KNOTS], values[DRIVES][KNOTS];
    cardo_planar_joint joints[6 + DRIVES] = {
        {.body1 = 1, .body2 = 2, .point1 = {0.0355, 0}, .point2 = {-0.136, 0}},
        {.body1 = 2, .body2 = 3, .point1 = {0.178, 0}, .point2 = {-0.184, 0}},
        {.body1 = 3, .body2 = 4, .point1 = {0.224, 0}, .point2 = {-0.061, 0}},
        {.body1 = 1, .body2 = 5, .point1 = {0.0355, 0}, .point2 = {-0.136, 0}},
        {.body1 = 5, .body2 = 6, .point1 = {0.178, 0}, .point2 = {-0.184, 0}},
        {.body1 = 6, .body2 = 7, .point1 = {0.224, 0}, .point2 = {-0.061, 0}}};
    for (int k = 0; k < DRIVES; ++k) {
        for (int i = 0; i < KNOTS; ++i) {
            knots[i] = (1.2 * i / (KNOTS - 1) - 0.1) * cycle;
            values[k][i] = curve(k, knots[i]);
        }
        cardo_planar_joint *j = &joints[6 + k];
        j->kind = k < 3 ? CARDO_PLANAR_GUIDING : CARDO_PLANAR_DRIVING;
        j->body1 = k < 3 ? 1 : k - 1;
        j->body2 = k == 3 || k == 6 ? 1 : k - 2;
        j->coordinate = k;
        j->function = (cardo_function){.kind = CARDO_FUNCTION_SPLINE,
                                       .narg = 1,
                                       .nknot = KNOTS,
                                       .knots = knots,
                                       .values = values[k]};
        if (k < 3)
            j->body2 = 0;
    }
    const cardo_planar planar = {.nbody = 7,
                                 .njoint = 6 + DRIVES,
                                 .bodies = bodies,
                                 .joints = joints,
                                 .gravity = {0, -9.81}};
    cardo_error error = {0};
    cardo_mechanism *mechanism;
    must(cardo_mechanism_create(&planar, CARDO_PLANAR_TREE, &mechanism, &error), &error);
    return mechanism;
}

/* One leg from the hip to the toe. */
static void write_leg(FILE *file, const double *c, int thigh)
{
    static const double ends[3][2] = {{-0.136, 0.178}, {-0.184, 0.224}, {-0.061, 0.061}};
    for (int k = 0; k < 3; ++k) {
        const double *b = c + 3 * (thigh - 1 + k);
        for (int e = 0; e < 2; ++e)
            fprintf(file, "%.4f %.4f\n", b[0] + ends[k][e] * cos(b[2]),
                    b[1] + ends[k][e] * sin(b[2]));
    }
    fputs("\n", file);
}

int main(int count, char **arguments)
{
    enum { STEPS = 200 };
    FILE *file = count > 1 ? fopen(arguments[1], "w") : NULL, *figures = file ? tmpfile() : NULL;
    const double h = cycle / STEPS;
    cardo_mechanism *mechanism = walker();
    const cardo_system *system = cardo_mechanism_system(mechanism);
    cardo_state *state = walk_state(system);
    cardo_error error = {0};
    double c[21], v[21], a[21], f[3 * (6 + DRIVES)], energy[STEPS + 1], power[STEPS + 1], off = 0;
    const double sketch[21] = {0,   0.95,  -1.57, 0.07, 0.8,   -1.0, 0.15, 0.47,  -1.6, 0.2, 0.25,
                               0.1, -0.04, 0.8,   -1.8, -0.17, 0.45, -2.2, -0.23, 0.2,  -0.5};
    must(cardo_mechanism_set(mechanism, state, sketch, NULL, &error), &error);
    for (int step = 0; step <= STEPS; ++step) {
        const double t = h * step;
        must(cardo_mechanism_kinematics(mechanism, state, t, &error), &error);
        must(cardo_mechanism_get(mechanism, state, c, v, a, &error), &error);
        must(cardo_mechanism_joint_forces(mechanism, state, f, &error), &error);
        static const double masses[7] = {19.22, 5.67, 2.64, 0.822, 5.67, 2.64, 0.822};
        double up = 0;
        for (int k = 0; k < 7; ++k)
            up += masses[k] * (a[3 * k + 1] + 9.81);
        off = fmax(off, fabs(f[3 * 7 + 1] - up));
        energy[step] = walk_energy(system, state);
        const double *torque =
            f + 3 * 9 + 2; /* of the drives of right hip, knee, ankle, then left */
        power[step] = f[3 * 6] * v[0] + f[3 * 7 + 1] * v[1] + f[3 * 8 + 2] * v[2];
        for (int k = 0; k < 6; ++k) {
            const int body = k + 2, on = k == 0 || k == 3 ? 1 : body - 1;
            power[step] += torque[3 * k] * (v[3 * body - 1] - v[3 * on - 1]);
        }
        if (file)
            fprintf(file, "%.4f %.4f %.4f %.4f\n", t, torque[0], torque[3], torque[6]);
        if (figures && step % 20 == 0) {
            write_leg(figures, c, 2);
            fprintf(figures, "%.4f %.4f\n%.4f %.4f\n\n", c[0] - 0.25 * cos(c[2]),
                    c[1] - 0.25 * sin(c[2]), c[0] + 0.0355 * cos(c[2]), c[1] + 0.0355 * sin(c[2]));
        }
    }
    walk_check("force that carries the trunk, by all that is carried", off, 0, 1e-9);
    /* Simpson's rule */
    double work = 0;
    for (int step = 0; step < STEPS; step += 2)
        work += h / 3 * (power[step] + 4 * power[step + 1] + power[step + 2]);
    walk_check("work of all drives, by the energy", work - energy[STEPS] + energy[0], 0, 1e-3);
    if (figures) {
        fputs("\n\n", file);
        rewind(figures);
        for (int letter; (letter = fgetc(figures)) != EOF;)
            fputc(letter, file);
        fclose(figures);
    }
    if (file)
        fclose(file);
    cardo_state_destroy(state);
    cardo_mechanism_destroy(mechanism);
    return 0;
}
