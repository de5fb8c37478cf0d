/* Planar mechanisms in absolute coordinates and as trees with loops, against figures of an independent program that integrated them in minimal coordinates. */
#include "planar/planar_models.h"
#include "support/reference.h"
#include "support/support.h"

#include "cardo/elements.h"
#include "cardo/manifold.h"
#include "cardo/simulation.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static json_t *files;

static int load(void **state)
{
    (void)state;
    files = support_json(support_source("tests/reference/multibody/planar.json.gz"));
    return files ? 0 : -1;
}

static int unload(void **state)
{
    (void)state;
    json_decref(files);
    return 0;
}

static const char *const mechanisms[] = {
    "slider_crank",    "slider_crank_spring", "four_bar", "parallel_cranks_redundant",
    "double_pendulum", "triple_pendulum",     "andrews",  NULL};

/* The largest difference, of what the largest of `expected` and 1 is. */
static double apart(const double *got, const double *expected, int n)
{
    double most = 0, scale = 1;
    for (int i = 0; i < n; ++i) {
        most = isfinite(got[i]) ? fmax(most, fabs(got[i] - expected[i])) : HUGE_VAL;
        scale = fmax(scale, fabs(expected[i]));
    }
    return most / scale;
}

static void note(double *worst, double value)
{
    *worst = fmax(*worst, value);
}

static int expected_forces(const json_t *sample, double *out)
{
    const json_t *item;
    size_t i;
    json_array_foreach(json_object_get(sample, "joint_forces"), i, item)
    {
        memset(out + 3 * i, 0, 3 * sizeof *out);
        planar_numbers(item, "force_on_body2_at_point", out + 3 * i, 2);
        out[3 * i + 2] = json_number_value(json_object_get(item, "torque_on_body2"));
    }
    return (int)i;
}

typedef struct errors {
    double a, lambda, forces;
} errors;

/* Accelerations, multipliers and joint forces at the coordinates and rates of every sample. */
static errors check_samples(const char *name, cardo_planar_form form)
{
    const json_t *file = json_object_get(files, name), *sample;
    planar_model model;
    cardo_mechanism *m;
    cardo_state *state;
    cardo_error error = {0};
    errors w = {0, 0, 0};
    size_t i;
    planar_model_read(file, &model);
    planar_model_make(&model, form, NULL, &m, &state);
    const cardo_system *system = cardo_mechanism_system(m);
    const int n = 3 * model.planar.nbody;
    json_array_foreach(json_object_get(file, "samples"), i, sample)
    {
        double q[PLANAR_Q], v[PLANAR_Q], a[PLANAR_Q], back[3][PLANAR_Q];
        double lambda[PLANAR_ROWS], f[3 * PLANAR_JOINTS], expected[3 * PLANAR_JOINTS];
        int rank, expected_rank = (int)json_integer_value(json_object_get(sample, "rank"));
        planar_numbers(sample, "q", q, n);
        planar_numbers(sample, "v", v, n);
        planar_numbers(sample, "a", a, n);
        const int rows = planar_numbers(sample, "lambda", lambda, PLANAR_ROWS);
        cardo_state_set_time(state, json_number_value(json_object_get(sample, "t")));
        assert_ok(cardo_mechanism_set(m, state, q, v, &error), &error);
        assert_ok(cardo_realize(system, state, CARDO_STAGE_ACCELERATION, &error), &error);
        assert_ok(cardo_mechanism_get(m, state, back[0], back[1], back[2], &error), &error);
        assert_true(apart(back[0], q, n) <= 1e-13);
        assert_true(apart(back[1], v, n) <= 1e-12);
        note(&w.a, apart(back[2], a, n));
        if (form == CARDO_PLANAR_ABSOLUTE) {
            note(&w.lambda, apart(cardo_state_multipliers(state), lambda, rows));
            assert_ok(cardo_constraint_rank(system, state, &rank, NULL, &error), &error);
            assert_int_equal(rank, expected_rank);
        }
        assert_ok(cardo_mechanism_joint_forces(m, state, f, &error), &error);
        const int joints = expected_forces(sample, expected);
        if (form == CARDO_PLANAR_ABSOLUTE || rows == expected_rank)
            note(&w.forces, apart(f, expected, 3 * joints));
    }
    assert_true(i > 10);
    cardo_state_destroy(state);
    cardo_mechanism_destroy(m);
    return w;
}

static void samples_agree(void **unused)
{
    (void)unused;
    for (int k = 0; mechanisms[k]; ++k)
        for (int form = 0; form < 2; ++form) {
            const errors w = check_samples(mechanisms[k], (cardo_planar_form)form);
            printf("%-26s %s: a %.1e, lambda %.1e, joint forces %.1e\n", mechanisms[k],
                   form ? "tree    " : "absolute", w.a, w.lambda, w.forces);
            assert_true(w.a <= 1e-9);
            assert_true(w.lambda <= 1e-9);
            assert_true(w.forces <= 1e-7);
        }
}

/* Integrated from the first sample, at every other. */
static void check_motion(const char *name, cardo_planar_form form, double *of_q, double *of_v)
{
    const json_t *file = json_object_get(files, name), *sample;
    planar_model model;
    cardo_mechanism *m;
    cardo_state *state;
    cardo_simulation *simulation;
    cardo_error error = {0};
    cardo_end end;
    char step[32];
    const char *const options[] = {"velocities=keep", step, "accuracy=1e-12"};
    size_t i;
    double h = json_number_value(
        json_object_get(json_array_get(json_object_get(file, "samples"), 1), "t"));
    planar_model_read(file, &model);
    planar_model_make(&model, form, NULL, &m, &state);
    const int n = 3 * model.planar.nbody;
    snprintf(step, sizeof step, "timestep=%.17g", h);
    *of_q = *of_v = 0;
    json_array_foreach(json_object_get(file, "samples"), i, sample)
    {
        double q[PLANAR_Q], v[PLANAR_Q], now[PLANAR_Q], rates[PLANAR_Q];
        planar_numbers(sample, "q", q, n);
        planar_numbers(sample, "v", v, n);
        if (i == 0) {
            assert_ok(cardo_mechanism_set(m, state, q, v, &error), &error);
            assert_ok(cardo_simulation_open(cardo_mechanism_system(m), state, NULL, "rk-merson", 3,
                                            options, &simulation, &error),
                      &error);
            assert_ok(cardo_simulation_start(simulation, &error), &error);
        }
        assert_ok(cardo_simulation_run(simulation, (long long)i, NULL, &end, &error), &error);
        assert_close(cardo_state_time(state), json_number_value(json_object_get(sample, "t")),
                     1e-12);
        assert_ok(cardo_mechanism_get(m, state, now, rates, NULL, &error), &error);
        note(of_q, apart(now, q, n));
        note(of_v, apart(rates, v, n));
    }
    cardo_simulation_destroy(simulation);
    cardo_state_destroy(state);
    cardo_mechanism_destroy(m);
}

static void both_forms_move_alike(void **unused)
{
    (void)unused;
    for (int k = 0; mechanisms[k]; ++k)
        for (int form = 0; form < 2; ++form) {
            double q, v;
            check_motion(mechanisms[k], (cardo_planar_form)form, &q, &v);
            printf("%-26s %s: q %.1e, v %.1e\n", mechanisms[k], form ? "tree    " : "absolute", q,
                   v);
            assert_true(q <= 1e-8);
            assert_true(v <= 1e-8);
        }
}

/* The test set's own figures, whose accelerations and multipliers contradict its q and rates by 1e-7. */
static void andrews_is_as_published(void **unused)
{
    const json_t *file = json_object_get(files, "andrews");
    const json_t *published = json_object_get(file, "published_t_0.03");
    const json_t *last = json_array_get(json_object_get(file, "samples"), 30);
    /* beta, Theta, gamma, Phi, delta, Omega, epsilon by angles of bodies; Theta is of K2 against K1, Phi of K4 against K5, Omega of K6 against K7 */
    double p[27], q[PLANAR_Q], v[PLANAR_Q], now[3][PLANAR_Q], angles[7], worst[3] = {0};
    planar_model model;
    cardo_mechanism *m;
    cardo_state *state;
    cardo_error error = {0};
    cardo_end end;
    cardo_simulation *simulation;
    const char *const options[] = {"velocities=keep", "timestep=0.03", "accuracy=1e-13"};
    (void)unused;
    assert_int_equal(planar_numbers(published, "q_v_a_lambda_test_set_order", p, 27), 27);
    assert_close(json_number_value(json_object_get(last, "t")), 0.03, 1e-15);
    planar_model_read(file, &model);
    planar_model_make(&model, CARDO_PLANAR_TREE, NULL, &m, &state);
    planar_numbers(json_array_get(json_object_get(file, "samples"), 0), "q", q, PLANAR_Q);
    planar_numbers(json_array_get(json_object_get(file, "samples"), 0), "v", v, PLANAR_Q);
    assert_ok(cardo_mechanism_set(m, state, q, v, &error), &error);
    assert_ok(cardo_simulation_open(cardo_mechanism_system(m), state, NULL, "rk-merson", 3, options,
                                    &simulation, &error),
              &error);
    assert_ok(cardo_simulation_start(simulation, &error), &error);
    assert_ok(cardo_simulation_run(simulation, 1, NULL, &end, &error), &error);
    assert_ok(cardo_mechanism_get(m, state, now[0], now[1], now[2], &error), &error);
    for (int level = 0; level < 3; ++level) {
        const double *x = now[level];
        double scale = 0, most = 0;
        for (int k = 0; k < 7; ++k)
            angles[k] = x[3 * k + 2];
        const double order[7] = {angles[0], angles[1] - angles[0], angles[2], angles[3] - angles[4],
                                 angles[4], angles[5] - angles[6], angles[6]};
        for (int k = 0; k < 7; ++k) {
            most = fmax(most, fabs(order[k] - p[7 * level + k]));
            scale = fmax(scale, fabs(p[7 * level + k]));
        }
        worst[level] = most / scale;
    }
    /* its loops are cut at K2's end, where K3, K4 and K6 are joined to it: joints 7, 8 and 9 */
    double f[3 * PLANAR_JOINTS], forces[6];
    assert_ok(cardo_mechanism_joint_forces(m, state, f, &error), &error);
    for (int k = 0; k < 6; ++k)
        forces[k] = f[3 * (7 + k / 2) + k % 2];
    assert_true(apart(forces, p + 21, 6) <= 3e-7);
    printf(
        "andrews at 0.03 s: q %.1e, rates %.1e, accelerations %.1e, lambda %.1e of the largest\n",
        worst[0], worst[1], worst[2], apart(forces, p + 21, 6));
    assert_true(worst[0] <= 1e-9);
    assert_true(worst[1] <= 1e-9);
    assert_true(worst[2] <= 3e-7);
    cardo_simulation_destroy(simulation);
    cardo_state_destroy(state);
    cardo_mechanism_destroy(m);
}

typedef struct on_branch {
    const cardo_mechanism *m;
    const json_t *samples;
    double before, now[PLANAR_Q], worst;
    long long told;
    int crossed;
} on_branch;

static cardo_status see_branch(void *user, const cardo_frame *frame, cardo_error *error)
{
    on_branch *b = user;
    double q[PLANAR_Q];
    assert_ok(cardo_mechanism_get(b->m, frame->state, b->now, NULL, NULL, error), error);
    if (frame->step > 0)
        b->crossed += floor(b->now[2] / acos(-1)) != floor(b->before / acos(-1));
    b->before = b->now[2];
    b->told = frame->branch_points;
    /* no sooner and no later than where it is */
    assert_int_equal(b->told, b->crossed);
    if (frame->step % 50 == 0) {
        planar_numbers(json_array_get(b->samples, (size_t)(frame->step / 50)), "q", q, PLANAR_Q);
        note(&b->worst, apart(b->now, q, 9));
    }
    return CARDO_OK;
}

/* Through the positions in which all links lie on a line, by fixed steps that end beside them, and on the branch: what a run that is told to does. */
static void parallelogram_stays_on_its_branch(void **unused)
{
    const json_t *file = json_object_get(files, "parallelogram_singular");
    const char *const options[] = {"velocities=keep", "timestep=0.002", "branch-points=pass"};
    planar_model model;
    cardo_mechanism *m;
    cardo_state *state;
    cardo_simulation *simulation;
    cardo_error error = {0};
    cardo_end end;
    double q[PLANAR_Q], v[PLANAR_Q], off = 0;
    int rank;
    (void)unused;
    planar_model_read(file, &model);
    planar_model_make(&model, CARDO_PLANAR_ABSOLUTE, NULL, &m, &state);
    const cardo_system *system = cardo_mechanism_system(m);
    on_branch seen = {.m = m, .samples = json_object_get(file, "samples")};
    const cardo_observer observer = {.user = &seen, .interval = 1, .observe = see_branch};
    planar_numbers(json_array_get(seen.samples, 0), "q", q, PLANAR_Q);
    planar_numbers(json_array_get(seen.samples, 0), "v", v, PLANAR_Q);
    assert_ok(cardo_mechanism_set(m, state, q, v, &error), &error);
    assert_ok(cardo_simulation_open(system, state, NULL, "rk4", 3, options, &simulation, &error),
              &error);
    assert_ok(cardo_simulation_add_observer(simulation, &observer, &error), &error);
    assert_ok(cardo_simulation_start(simulation, &error), &error);
    assert_ok(cardo_simulation_run(simulation, 2500, NULL, &end, &error), &error);
    cardo_simulation_destroy(simulation);
    planar_numbers(json_array_get(seen.samples, 50), "q", q, PLANAR_Q);
    for (int k = 0; k < 9; ++k)
        note(&off, fabs(seen.now[k] - q[k]));
    printf("parallelogram: q off by %.1e, at 5 s %.1e, %lld branch points told of %d\n", seen.worst,
           off, seen.told, seen.crossed);
    assert_true(off <= 1e-7);
    assert_true(seen.worst <= 1e-7);
    assert_true(seen.crossed > 2);
    /* without being told to it ends before the first */
    planar_numbers(json_array_get(seen.samples, 0), "q", q, PLANAR_Q);
    assert_ok(cardo_mechanism_set(m, state, q, v, &error), &error);
    assert_ok(cardo_simulation_open(system, state, NULL, "rk4", 2, options, &simulation, &error),
              &error);
    assert_ok(cardo_simulation_start(simulation, &error), &error);
    assert_fails(cardo_simulation_run(simulation, 2500, NULL, &end, &error), &error,
                 CARDO_ERROR_NUMERICAL, "branch-points=pass");
    cardo_simulation_destroy(simulation);
    /* where all links are on a line, as the tree has it */
    cardo_mechanism *tree;
    cardo_state *flat;
    char text[256];
    planar_model_make(&model, CARDO_PLANAR_TREE, NULL, &tree, &flat);
    memset(q, 0, sizeof q);
    assert_ok(cardo_mechanism_set(tree, flat, q, NULL, &error), &error);
    assert_ok(cardo_realize(cardo_mechanism_system(tree), flat, CARDO_STAGE_POSITION, &error),
              &error);
    assert_ok(cardo_mechanism_get(tree, flat, q, NULL, NULL, &error), &error);
    assert_ok(cardo_mechanism_set(m, state, q, NULL, &error), &error);
    assert_ok(cardo_realize(system, state, CARDO_STAGE_DYNAMICS, &error), &error);
    assert_ok(cardo_constraint_position_errors(system, state, v, &error), &error);
    for (int k = 0; k < 8; ++k)
        assert_close(v[k], 0, 1e-15);
    assert_ok(cardo_constraint_rank(system, state, &rank, NULL, &error), &error);
    assert_int_equal(rank, 7);
    assert_ok(cardo_redundant_rows(system, state, text, sizeof text, &error), &error);
    assert_non_null(strstr(text, "planar-revolute"));
    cardo_state_destroy(flat);
    cardo_mechanism_destroy(tree);
    cardo_state_destroy(state);
    cardo_mechanism_destroy(m);
}

/* ---- kinematics ---- */

static const double crank = 0.2, coupler = 0.6, rocker = 0.45, ground = 0.5;

/* The four-bar with a crank that turns at 3 rad/s, as slender rods. */
static void driven_four_bar(planar_model *model, double coupler_length, const double *drive)
{
    planar_model_read(json_object_get(files, "four_bar"), model);
    const double half = 0.5 * coupler_length;
    model->joints[1].point2[0] = -half;
    model->joints[2].point1[0] = half;
    model->joints[4] = (cardo_planar_joint){
        .kind = CARDO_PLANAR_DRIVING,
        .name = "motor",
        .body1 = 1,
        .function = {
            .kind = CARDO_FUNCTION_LINEAR, .narg = 1, .ncoefficient = 2, .coefficients = drive}};
    model->joints[2].name = "elbow";
    model->planar.njoint = 5;
}

/* The rocker's angle by the law of cosines; side: of the line from crank to the rocker's pivot. */
static double rocker_angle(double phi, double side)
{
    const double x = crank * cos(phi) - ground, y = crank * sin(phi), d = hypot(x, y);
    return atan2(y, x) +
           side * acos((d * d + rocker * rocker - coupler * coupler) / (2 * d * rocker));
}

static void assemblies_are_two(void **unused)
{
    const double drive[2] = {3, 1.1}, h = 1e-4;
    (void)unused;
    for (int form = 0; form < 2; ++form)
        for (int mode = 0; mode < 2; ++mode) {
            const double side = mode == 0 ? -1 : 1;
            planar_model model;
            cardo_mechanism *m;
            cardo_state *state;
            cardo_error error = {0};
            /* as a sketch has it, nowhere near closed */
            double c[9] = {0.05, 0.1, 1.1, 0.3, 0.3, 0.4, 0.6, 0.2, 1.3}, v[9], a[9], f[15];
            driven_four_bar(&model, coupler, drive);
            planar_model_make(&model, (cardo_planar_form)form, NULL, &m, &state);
            if (mode == 1)
                for (int k = 3; k < 9; ++k)
                    c[k] = k == 5 ? -1.2 : k == 8 ? -2.0 : k == 4 || k == 7 ? -0.2 : c[k];
            assert_ok(cardo_mechanism_set(m, state, c, NULL, &error), &error);
            for (int step = 0; step <= 40; ++step) {
                const double t = 0.05 * step, phi = 1.1 + 3 * t;
                assert_ok(cardo_mechanism_kinematics(m, state, t, &error), &error);
                assert_ok(cardo_mechanism_get(m, state, c, v, a, &error), &error);
                const double psi[3] = {rocker_angle(phi - 3 * h, side), rocker_angle(phi, side),
                                       rocker_angle(phi + 3 * h, side)};
                const double turn = 2 * acos(-1);
                assert_close(remainder(c[2] - phi, turn), 0, 1e-12);
                assert_close(remainder(c[8] - psi[1], turn), 0, 1e-11);
                assert_close(v[2], 3, 1e-12);
                assert_close(v[8], remainder(psi[2] - psi[0], turn) / (2 * h), 1e-6);
                assert_close(a[8], remainder(psi[2] - 2 * psi[1] + psi[0], turn) / (h * h), 1e-5);
                /* what the motor does is the power of all else: gravity's and of what is sped up */
                assert_ok(cardo_mechanism_joint_forces(m, state, f, &error), &error);
                double power = 3 * f[14];
                for (int b = 0; b < 3; ++b) {
                    const cardo_planar_body *body = &model.bodies[b];
                    power -=
                        body->mass * (v[3 * b] * a[3 * b] + v[3 * b + 1] * (a[3 * b + 1] + 9.81)) +
                        body->inertia * v[3 * b + 2] * a[3 * b + 2];
                }
                assert_close(power, 0, 1e-10);
            }
            cardo_state_destroy(state);
            cardo_mechanism_destroy(m);
        }
}

/* Natural mistakes of a start or a description are told. */
static void failures_are_told(void **unused)
{
    const double drive[2] = {3, 1.1};
    planar_model model;
    cardo_mechanism *m;
    cardo_state *state;
    cardo_error error = {0};
    double c[9] = {0.05, 0.1, 1.1, 0.3, 0.3, 0.4, 0.6, 0.2, 1.3}, q[9];
    (void)unused;
    for (int form = 0; form < 2; ++form) {
        /* the coupler cannot reach */
        driven_four_bar(&model, 0.01, drive);
        planar_model_make(&model, (cardo_planar_form)form, NULL, &m, &state);
        assert_ok(cardo_mechanism_set(m, state, c, NULL, &error), &error);
        memcpy(q, cardo_state_q(state), sizeof(double) * (form ? 3 : 9));
        cardo_status status = cardo_mechanism_kinematics(m, state, 0, &error);
        assert_int_equal(status, CARDO_ERROR_NUMERICAL);
        assert_non_null(strstr(error.message, "planar-"));
        assert_memory_equal(q, cardo_state_q(state), sizeof(double) * (form ? 3 : 9));
        cardo_state_destroy(state);
        cardo_mechanism_destroy(m);
    }
    /* nothing drives it */
    driven_four_bar(&model, coupler, drive);
    model.planar.njoint = 4;
    planar_model_make(&model, CARDO_PLANAR_TREE, NULL, &m, &state);
    assert_ok(cardo_mechanism_set(m, state, c, NULL, &error), &error);
    assert_fails(cardo_mechanism_kinematics(m, state, 0, &error), &error, CARDO_ERROR_NUMERICAL,
                 "leave 1 freedoms");
    cardo_state_destroy(state);
    cardo_mechanism_destroy(m);
    cardo_planar *p = &model.planar;
    model.joints[1].body2 = 7;
    assert_fails(cardo_mechanism_create(p, CARDO_PLANAR_TREE, &m, &error), &error,
                 CARDO_ERROR_INPUT, "joint 1");
    model.joints[1].body2 = 1;
    assert_fails(cardo_mechanism_create(p, CARDO_PLANAR_TREE, &m, &error), &error,
                 CARDO_ERROR_INPUT, "rigid");
    model.joints[1].body2 = 2;
    model.bodies[2].mass = 0;
    assert_fails(cardo_mechanism_create(p, CARDO_PLANAR_TREE, &m, &error), &error,
                 CARDO_ERROR_INPUT, "body 3 rocker");
    model.bodies[2].mass = 1;
    model.joints[0] = (cardo_planar_joint){.kind = CARDO_PLANAR_TRANSLATIONAL, .body1 = 1};
    assert_fails(cardo_mechanism_create(p, CARDO_PLANAR_TREE, &m, &error), &error,
                 CARDO_ERROR_INPUT, "normal");
    model.joints[0] =
        (cardo_planar_joint){.kind = CARDO_PLANAR_SIMPLE, .body1 = 1, .coordinate = 3};
    assert_fails(cardo_mechanism_create(p, CARDO_PLANAR_TREE, &m, &error), &error,
                 CARDO_ERROR_INPUT, "coordinate 3");
    model.joints[0].coordinate = 0;
    model.forces[0] = (cardo_planar_force){.kind = CARDO_PLANAR_SPRING_DAMPER, .body1 = 9};
    p->nforce = 1;
    assert_fails(cardo_mechanism_create(p, CARDO_PLANAR_TREE, &m, &error), &error,
                 CARDO_ERROR_INPUT, "force 0");
    assert_null(m);
}

/* A body whose angle is held and of which a point goes along x = sin 2t, y = 0.3: simple and guiding joints, and sliders both ways round. */
static void guides_and_sliders(void **unused)
{
    static const double wave[3] = {1, 2, 0}, height[1] = {0.3};
    const cardo_planar_body bodies[2] = {{"plate", 2, 0.3}, {"block", 1, 0.1}};
    (void)unused;
    for (int side = 0; side < 2; ++side)
        for (int form = 0; form < 2; ++form) {
            cardo_planar_joint joints[5] = {
                {.kind = CARDO_PLANAR_SIMPLE, .body1 = 1, .coordinate = 2, .value = 0.4},
                {.kind = CARDO_PLANAR_GUIDING,
                 .body1 = 1,
                 .point1 = {0.2, 0.1},
                 .coordinate = 0,
                 .function = {.kind = CARDO_FUNCTION_SINUSOID,
                              .narg = 1,
                              .ncoefficient = 3,
                              .coefficients = wave}},
                {.kind = CARDO_PLANAR_GUIDING,
                 .body1 = 1,
                 .point1 = {0.2, 0.1},
                 .coordinate = 1,
                 .function = {.kind = CARDO_FUNCTION_CONSTANT,
                              .ncoefficient = 1,
                              .coefficients = height}},
                {.kind = CARDO_PLANAR_TRANSLATIONAL,
                 .body1 = side ? 2 : 1,
                 .body2 = side ? 1 : 2,
                 .point1 = {0.1, 0},
                 .normal1 = {-2, 1},
                 .point2 = {0, 0.05},
                 .offset = 0.7},
                {.kind = CARDO_PLANAR_SIMPLE, .body1 = 2, .coordinate = 1, .value = 0.1}};
            const cardo_planar p = {
                .nbody = 2, .njoint = 5, .bodies = bodies, .joints = joints, .gravity = {0, -9.81}};
            cardo_error error = {0};
            cardo_mechanism *m;
            cardo_state *state;
            double c[6] = {0, 0.2, 0.3, 0.1, 0.1, 0.2}, v[6], a[6], f[15];
            assert_ok(cardo_mechanism_create(&p, (cardo_planar_form)form, &m, &error), &error);
            assert_ok(cardo_state_create(cardo_mechanism_system(m), &state, &error), &error);
            assert_int_equal(cardo_mechanism_row(m, 3) < 0, form);
            assert_int_equal(cardo_system_nu(cardo_mechanism_system(m)), form ? 4 : 6);
            assert_ok(cardo_mechanism_set(m, state, c, NULL, &error), &error);
            for (double t = 0; t < 2; t += 0.1) {
                assert_ok(cardo_mechanism_kinematics(m, state, t, &error), &error);
                assert_ok(cardo_mechanism_get(m, state, c, v, a, &error), &error);
                const double px = 0.2 * cos(0.4) - 0.1 * sin(0.4),
                             py = 0.2 * sin(0.4) + 0.1 * cos(0.4);
                assert_close(c[0] + px, sin(2 * t), 1e-12);
                assert_close(c[1] + py, 0.3, 1e-12);
                assert_close(c[2], 0.4, 1e-12);
                assert_close(v[0], 2 * cos(2 * t), 1e-12);
                assert_close(a[0], -4 * sin(2 * t), 1e-11);
                assert_close(c[5], side ? 1.1 : -0.3, 1e-12);
                assert_close(c[4], 0.1, 1e-12);
                /* all but the slider's own add up to what gravity and the accelerations ask for */
                assert_ok(cardo_mechanism_joint_forces(m, state, f, &error), &error);
                assert_close(f[0] + f[3] + f[6] + f[12], 2 * a[0] + a[3], 1e-10);
                assert_close(f[1] + f[4] + f[7] + f[13], 2 * a[1] + a[4] + 3 * 9.81, 1e-10);
                /* the slider has no force along it */
                const double body1 = side ? c[5] : c[2], along[2] = {1 / sqrt(5), 2 / sqrt(5)};
                assert_close(f[9] * (cos(body1) * along[0] - sin(body1) * along[1]) +
                                 f[10] * (sin(body1) * along[0] + cos(body1) * along[1]),
                             0, 1e-10);
                /* set and get are each other's inverse */
                double back[2][6];
                assert_ok(cardo_mechanism_set(m, state, c, v, &error), &error);
                assert_ok(
                    cardo_realize(cardo_mechanism_system(m), state, CARDO_STAGE_VELOCITY, &error),
                    &error);
                assert_ok(cardo_mechanism_get(m, state, back[0], back[1], NULL, &error), &error);
                for (int k = 0; k < 6; ++k) {
                    assert_close(back[0][k], c[k], 1e-12);
                    assert_close(back[1][k], v[k], 1e-11);
                }
                assert_fails(cardo_mechanism_get(m, state, NULL, NULL, a, &error), &error,
                             CARDO_ERROR_STAGE, "ACCELERATION");
            }
            cardo_state_destroy(state);
            cardo_mechanism_destroy(m);
        }
}

/* ---- the four-bar in natural coordinates ---- */

/* Three bars as points with masses: of a slender rod 1/6 at each end and 4/6 in the middle, which has the rod's mass, centre and inertia. Points have x and y, bars are constant distances,
 * middles are halfway. */
static int add_point(cardo_system *system, double mass)
{
    static const double one[2] = {1, 0};
    cardo_function_based f = {.ncoordinate = 2};
    cardo_error error = {0};
    int body;
    for (int k = 0; k < 6; ++k) {
        f.axes[k] = (cardo_vec3){k % 3 == 0, k % 3 == 1, k % 3 == 2};
        f.functions[k] = (cardo_function){
            .kind = CARDO_FUNCTION_CONSTANT, .ncoefficient = 1, .coefficients = &one[1]};
    }
    for (int k = 0; k < 2; ++k)
        f.functions[3 + k] = (cardo_function){.kind = CARDO_FUNCTION_LINEAR,
                                              .narg = 1,
                                              .args = {k},
                                              .ncoefficient = 2,
                                              .coefficients = one};
    const cardo_body_definition d = {.mobilizer = cardo_mobilizer_find("function-based"),
                                     .parameters = &f,
                                     .X_PF = cardo_transform_identity(),
                                     .X_BM = cardo_transform_identity(),
                                     .mass = {.mass = mass}};
    assert_ok(cardo_system_add_body(system, &d, &body, &error), &error);
    return body;
}

static void add_rod(cardo_system *system, int a, int b, double length)
{
    cardo_error error = {0};
    const cardo_rod rod = {a, b, {a == 0 ? ground : 0, 0, 0}, {b == 0 ? ground : 0, 0, 0}, length};
    assert_ok(
        cardo_system_add_constraint(system, cardo_constraint_find("rod"), NULL, &rod, NULL, &error),
        &error);
}

/* The middle of two points. */
static void add_middle(cardo_system *system, int middle, int a, int b)
{
    const double coefficients[4] = {1, -0.5, -0.5, 0};
    for (int k = 0; k < 2; ++k) {
        cardo_error error = {0};
        const cardo_coordinate_coupler c = {.ncoordinate = 3,
                                            .coordinates = {{middle, k}, {a, k}, {b, k}},
                                            .function = {.kind = CARDO_FUNCTION_LINEAR,
                                                         .narg = 3,
                                                         .args = {0, 1, 2},
                                                         .ncoefficient = 4,
                                                         .coefficients = coefficients}};
        assert_ok(cardo_system_add_constraint(system, cardo_constraint_find("coordinate-coupler"),
                                              NULL, &c, NULL, &error),
                  &error);
    }
}

static void four_bar_in_natural_coordinates(void **unused)
{
    const json_t *file = json_object_get(files, "four_bar"), *sample;
    const double mass[3] = {0.6, 1.8, 1.35};
    const char *const options[] = {"velocities=keep", "timestep=0.1", "accuracy=1e-13"};
    cardo_error error = {0};
    cardo_system *system;
    cardo_state *state;
    cardo_simulation *simulation = NULL;
    cardo_end end;
    double worst = 0;
    size_t i;
    (void)unused;
    assert_ok(cardo_system_create(&system, &error), &error);
    cardo_system_set_gravity(system, (cardo_vec3){0, -9.81, 0});
    /* the ends of the crank's and the rocker's middles on ground stand still: their sixth of the mass takes no part, and the middles of both bars are half of their
       ends, which is the same as mass at those: 1/6 + 1/4 4/6 = 1/3 */
    const int A = add_point(system, mass[0] / 3 + mass[1] / 6);
    const int B = add_point(system, mass[2] / 3 + mass[1] / 6);
    const int C = add_point(system, mass[1] * 4 / 6);
    const cardo_rod first = {0, A, {0, 0, 0}, {0, 0, 0}, crank};
    assert_ok(cardo_system_add_constraint(system, cardo_constraint_find("rod"), "crank", &first,
                                          NULL, &error),
              &error);
    add_rod(system, A, B, coupler);
    add_rod(system, 0, B, rocker);
    add_middle(system, C, A, B);
    /* gravity acts on the middles of the bars: half their weight on each end, of which a third is there */
    for (int b = 0; b < 2; ++b) {
        const cardo_body_constant weight = {
            .body = b == 0 ? A : B,
            .force = {0, -9.81 * mass[b == 0 ? 0 : 2] * (0.5 - 1.0 / 3), 0}};
        assert_ok(cardo_system_add_force(system, cardo_force_element_find("body-constant"), &weight,
                                         NULL, &error),
                  &error);
    }
    assert_ok(cardo_system_finalize(system, &error), &error);
    assert_ok(cardo_state_create(system, &state, &error), &error);
    json_array_foreach(json_object_get(file, "samples"), i, sample)
    {
        double q[9], v[9], x[6], u[6];
        planar_numbers(sample, "q", q, 9);
        planar_numbers(sample, "v", v, 9);
        /* ends of the crank and the rocker, twice as far as their centres */
        for (int k = 0; k < 2; ++k) {
            x[k] = 2 * q[k];
            x[2 + k] = 2 * q[6 + k] - (k == 0 ? ground : 0);
            x[4 + k] = q[3 + k];
            u[k] = 2 * v[k];
            u[2 + k] = 2 * v[6 + k];
            u[4 + k] = v[3 + k];
        }
        if (i == 0) {
            cardo_state_set_q(state, x);
            cardo_state_set_u(state, u);
            assert_ok(cardo_simulation_open(system, state, NULL, "rk-merson", 3, options,
                                            &simulation, &error),
                      &error);
            assert_ok(cardo_simulation_start(simulation, &error), &error);
        }
        assert_ok(cardo_simulation_run(simulation, (long long)i, NULL, &end, &error), &error);
        note(&worst, apart(cardo_state_q(state), x, 6));
        note(&worst, apart(cardo_state_u(state), u, 6));
    }
    printf("four-bar in natural coordinates: %.1e\n", worst);
    assert_true(worst <= 1e-8);
    cardo_simulation_destroy(simulation);
    cardo_state_destroy(state);
    cardo_system_destroy(system);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples_agree),       figures_test(both_forms_move_alike),
        figures_test(andrews_is_as_published), cmocka_unit_test(parallelogram_stays_on_its_branch),
        cmocka_unit_test(assemblies_are_two),  cmocka_unit_test(failures_are_told),
        cmocka_unit_test(guides_and_sliders),  figures_test(four_bar_in_natural_coordinates),
    };
    return support_run(tests, load, unload);
}
