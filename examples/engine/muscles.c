/* A knee and a shoulder moved by muscles, which are forces of the user's own between two points: Hill's muscle with a rigid tendon (Zajac 1989), active along a bell of its length, weaker as it shortens, and
 * elastic where it is stretched. Their generalized forces are held against their moment arms, and their work against the energy. Writes what muscles.gp draws to the file that is named, if one is. */
#include "knee_joint.h"
#include "walk.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* m, kg, s, N */
typedef struct muscle {
    int body1, body2;
    cardo_vec3 point1, point2;
    double strongest, optimal; /* force, and the length at which it is so strong */
    double on, off;            /* active between these times                    */
    double power;              /* what it brings in, as last looked at           */
} muscle;

static void must(cardo_status status, const cardo_error *error)
{
    if (status == CARDO_OK)
        return;
    fprintf(stderr, "%s\n", error->message);
    exit(1);
}

/* From 0 to 1 and back within a tenth of a second. */
static double activation(const muscle *m, double t)
{
    const double up = fmin(fmax((t - m->on) / 0.1, 0), 1),
                 down = fmin(fmax((t - m->off) / 0.1, 0), 1);
    return up * up * (3 - 2 * up) - down * down * (3 - 2 * down);
}

static cardo_vec3 minus(cardo_vec3 a, cardo_vec3 b)
{
    return (cardo_vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static cardo_vec3 cross(cardo_vec3 a, cardo_vec3 b)
{
    return (cardo_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static double dot(cardo_vec3 a, cardo_vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

/* Of a pull by f along n on a body at an arm from its origin. */
static void pull(cardo_spatial *F, cardo_vec3 arm, cardo_vec3 n, double f)
{
    const cardo_vec3 torque = cross(arm, n);
    F->angular.x += f * torque.x;
    F->angular.y += f * torque.y;
    F->angular.z += f * torque.z;
    F->linear.x += f * n.x;
    F->linear.y += f * n.y;
    F->linear.z += f * n.z;
}

/* The element's function: no energy is stored that could be told. */
static double contract(void *user, const cardo_force_work *work)
{
    muscle *m = user;
    if (!work->body_forces)
        return 0;
    const cardo_vec3 at1 = cardo_transform_point(work->X_GB[m->body1], m->point1);
    const cardo_vec3 at2 = cardo_transform_point(work->X_GB[m->body2], m->point2);
    const cardo_vec3 arm1 = minus(at1, work->X_GB[m->body1].p),
                     arm2 = minus(at2, work->X_GB[m->body2].p);
    const cardo_spatial *V1 = &work->V_GB[m->body1], *V2 = &work->V_GB[m->body2];
    const cardo_vec3 apart = minus(at2, at1);
    const double length = sqrt(dot(apart, apart)), l = length / m->optimal;
    const cardo_vec3 n = {apart.x / length, apart.y / length, apart.z / length};
    const cardo_vec3 turn = minus(cross(V2->angular, arm2), cross(V1->angular, arm1));
    const double rate = dot(n, minus(V2->linear, V1->linear)) + dot(n, turn);
    /* 1 at rest, 0 where it shortens by ten lengths a second, 1.4 at most where it is drawn out */
    const double v = rate / (10 * m->optimal);
    const double of_speed = v < 0 ? fmax(1 + v, 0) / (1 - 4 * v) : 1 + 0.4 * v / (v + 0.08);
    const double active = activation(m, work->time) * exp(-(l - 1) * (l - 1) / 0.2) * of_speed;
    const double stretched = l > 1 ? expm1(4 * (l - 1)) / expm1(2.4) : 0;
    const double force = m->strongest * (active + stretched);
    pull(&work->body_forces[m->body1], arm1, n, force);
    pull(&work->body_forces[m->body2], arm2, n, -force);
    m->power = -force * rate;
    return 0;
}

static double length_of(const muscle *m, const cardo_state *state)
{
    const cardo_transform *X = cardo_state_X_GB(state);
    const cardo_vec3 apart = minus(cardo_transform_point(X[m->body2], m->point2),
                                   cardo_transform_point(X[m->body1], m->point1));
    return sqrt(dot(apart, apart));
}

static void add_muscles(cardo_system *system, muscle *muscles, int n)
{
    cardo_error error = {0};
    for (int k = 0; k < n; ++k) {
        const cardo_force_callback_parameters own = {contract, &muscles[k]};
        must(cardo_system_add_force(system, cardo_force_element_find("callback"), &own, NULL,
                                    &error),
             &error);
    }
}

/* At rest, what muscles do to mobilities is their force times the change of length: as a sum over all, in the direction of each speed. */
static void check_arms(const cardo_system *system, cardo_state *state, const muscle *muscles, int n)
{
    enum { MOST = 8 };
    const double h = 1e-5;
    const int nq = cardo_system_nq(system), nu = cardo_system_nu(system);
    double q[MOST], to[MOST], unit[MOST], direction[MOST], got[MOST], worst = 0, size = 0;
    cardo_spatial forces[4];
    double mobility[MOST];
    cardo_error error = {0};
    for (int i = 0; i < nq; ++i)
        q[i] = cardo_state_q(state)[i];
    must(cardo_realize(system, state, CARDO_STAGE_VELOCITY, &error), &error);
    must(cardo_element_forces(system, state, forces, mobility, &error), &error);
    must(cardo_multiply_jt(system, state, forces, got, &error), &error);
    double pulls[MOST];
    for (int k = 0; k < n; ++k) {
        /* at rest: active and stretched parts alone */
        const double l = length_of(&muscles[k], state) / muscles[k].optimal;
        pulls[k] = muscles[k].strongest * (activation(&muscles[k], cardo_state_time(state)) *
                                               exp(-(l - 1) * (l - 1) / 0.2) +
                                           (l > 1 ? expm1(4 * (l - 1)) / expm1(2.4) : 0));
    }
    for (int j = 0; j < nu; ++j) {
        double expected = 0;
        for (int i = 0; i < nu; ++i)
            unit[i] = i == j;
        cardo_state_set_q(state, q);
        must(cardo_realize(system, state, CARDO_STAGE_POSITION, &error), &error);
        must(cardo_multiply_n(system, state, unit, direction, &error), &error);
        for (int side = -1; side <= 1; side += 2) {
            for (int i = 0; i < nq; ++i)
                to[i] = q[i] + side * h * direction[i];
            cardo_state_set_q(state, to);
            must(cardo_realize(system, state, CARDO_STAGE_POSITION, &error), &error);
            for (int k = 0; k < n; ++k)
                expected -= pulls[k] * side * length_of(&muscles[k], state) / (2 * h);
        }
        worst = fmax(worst, fabs(got[j] + mobility[j] - expected));
        size = fmax(size, fabs(expected));
    }
    cardo_state_set_q(state, q);
    walk_check("generalized forces, by moment arms", worst / size, 0, 1e-8);
}

/* Moves it; the muscles' work, by Simpson's rule over pairs of steps, and what dampers took are the change of energy. */
static void move(const cardo_system *system, cardo_state *state, const muscle *muscles, int n,
                 double damping, double seconds, FILE *file)
{
    const double h = 5e-4;
    const int steps = (int)lround(seconds / h), nu = cardo_system_nu(system);
    const double before = walk_energy(system, state);
    double work = 0;
    for (int i = 0; i <= steps; ++i) {
        double power = 0;
        walk_realize(system, state);
        for (int k = 0; k < n; ++k)
            power += muscles[k].power;
        for (int j = 0; j < nu; ++j)
            power -= damping * cardo_state_u(state)[j] * cardo_state_u(state)[j];
        work += power * h / 3 * (i == 0 || i == steps ? 1 : i % 2 ? 4 : 2);
        if (file && i % 20 == 0) {
            const cardo_mat33 R = cardo_state_X_GB(state)[1].R;
            const double t = cardo_state_time(state);
            fprintf(file, "%.4f %.5f %.5f %.5f\n", t, atan2(R.m[1][0], R.m[0][0]),
                    activation(&muscles[0], t), activation(&muscles[1], t));
        }
        if (i < steps)
            walk_step(system, state, h);
    }
    walk_check("energy less the work of muscles and dampers",
               walk_energy(system, state) - before - work, 0, 1e-5);
    if (file)
        fputs("\n\n", file);
}

/* ---- the knee of Seth et al. 2010, Fig. 6 ---- */

static void knee(FILE *file)
{
    /* the thigh lies level, as of one who sits: F is turned by 90 degrees, and the shank hangs at an angle of -90 */
    const cardo_body_definition body = {
        .name = "shank",
        .mobilizer = cardo_mobilizer_find("function-based"),
        .parameters = &knee_joint,
        .X_PF = cardo_transform_turn((cardo_vec3){0, 0, 1}, acos(0), (cardo_vec3){0, 0, 0}),
        .X_BM = cardo_transform_identity(),
        .mass = walk_box((cardo_vec3){0, -0.2, 0})};
    const cardo_mobility_damper ligaments = {1, 0, 0.3};
    /* over the knee from the thigh's top to below the knee, and on its lower side */
    muscle muscles[2] = {{0, 1, {0.37, 0.05, 0}, {0.045, -0.05, 0}, 110, 0.16, 0.5, 1.5, 0},
                         {0, 1, {0.1, -0.06, 0}, {-0.03, -0.06, 0}, 60, 0.32, 2.3, 2.7, 0}};
    const double start[1] = {-acos(0)};
    cardo_error error = {0};
    cardo_system *system;
    must(cardo_system_create(&system, &error), &error);
    cardo_system_set_gravity(system, (cardo_vec3){0, -9.81, 0});
    must(cardo_system_add_body(system, &body, NULL, &error), &error);
    must(cardo_system_add_force(system, cardo_force_element_find("mobility-damper"), &ligaments,
                                NULL, &error),
         &error);
    add_muscles(system, muscles, 2);
    must(cardo_system_finalize(system, &error), &error);
    cardo_state *state = walk_state(system);
    cardo_state_set_time(state, 1);
    cardo_state_set_q(state, start);
    check_arms(system, state, muscles, 2);
    cardo_state_set_time(state, 0);
    move(system, state, muscles, 2, 0.3, 4, file);
    cardo_state_destroy(state);
    cardo_system_destroy(system);
}

/* ---- the shoulder blade on its ellipsoid, Fig. 3 ---- */

static void shoulder(FILE *file)
{
    const cardo_ellipsoid thorax = {{0.08, 0.17, 0.08}};
    const cardo_body_definition body = {.name = "scapula",
                                        .mobilizer = cardo_mobilizer_find("ellipsoid"),
                                        .parameters = &thorax,
                                        .X_PF = cardo_transform_identity(),
                                        .X_BM = cardo_transform_identity(),
                                        .mass = walk_box((cardo_vec3){0, -0.02, 0.02})};
    muscle muscles[2] = {{0, 1, {0.05, 0.3, 0.02}, {0, 0.05, 0.01}, 120, 0.2, 0.5, 1.5, 0},
                         {0, 1, {0.1, -0.25, 0.02}, {0.02, -0.05, 0.01}, 60, 0.2, 2, 2.5, 0}};
    cardo_error error = {0};
    cardo_system *system;
    must(cardo_system_create(&system, &error), &error);
    cardo_system_set_gravity(system, (cardo_vec3){0, -9.81, 0});
    must(cardo_system_add_body(system, &body, NULL, &error), &error);
    for (int k = 0; k < 3; ++k) {
        const cardo_mobility_damper tissue = {1, k, 0.4};
        must(cardo_system_add_force(system, cardo_force_element_find("mobility-damper"), &tissue,
                                    NULL, &error),
             &error);
    }
    add_muscles(system, muscles, 2);
    must(cardo_system_finalize(system, &error), &error);
    cardo_state *state = walk_state(system);
    cardo_state_set_time(state, 1);
    check_arms(system, state, muscles, 2);
    cardo_state_set_time(state, 0);
    move(system, state, muscles, 2, 0.4, 4, file);
    cardo_state_destroy(state);
    cardo_system_destroy(system);
}

int main(int count, char **arguments)
{
    FILE *file = count > 1 ? fopen(arguments[1], "w") : NULL;
    knee(file);
    shoulder(file);
    if (file)
        fclose(file);
    return 0;
}
