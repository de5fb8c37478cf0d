#include "models.h"

#include "base/units.h"
#include "cardo/constraints.h"
#include "multibody/mobilizers/path.h"
#include "multibody/tree/motion.h"
#include "multibody/tree/operators.h"
#include "support/support.h"

#include <math.h>
#include <string.h>

static cardo_mass_properties solid(double mass, cardo_vec3 com, double xx, double yy, double zz)
{
    /* Moments come about the centre of mass; the engine wants them about the body origin. */
    double cc = v3_dot(com, com);
    return (cardo_mass_properties){
        .mass = mass,
        .com = com,
        .inertia = {xx + mass * (cc - com.x * com.x), yy + mass * (cc - com.y * com.y),
                    zz + mass * (cc - com.z * com.z), -mass * com.x * com.y, -mass * com.x * com.z,
                    -mass * com.y * com.z},
    };
}

static cardo_transform shift(double x, double y, double z)
{
    return (cardo_transform){m33_identity(), v3(x, y, z)};
}

static void add_body(test_model *model, const char *name, int parent,
                     const cardo_mobilizer *mobilizer, const void *parameters, cardo_transform X_PF,
                     cardo_mass_properties mass)
{
    cardo_error error;
    cardo_body_definition definition = {
        .name = name,
        .parent = parent,
        .mobilizer = mobilizer,
        .parameters = parameters,
        .X_PF = X_PF,
        .X_BM = shift(0, 0, 0),
        .mass = mass,
    };
    assert_ok(cardo_system_add_body(model->system, &definition, NULL, &error), &error);
}

static void begin(test_model *model)
{
    cardo_error error;
    memset(model, 0, sizeof *model);
    assert_ok(cardo_system_create(&model->system, &error), &error);
}

static void finish(test_model *model, cardo_provider_callback callback)
{
    cardo_error error;
    double points[2][3] = {{0.1, 0.2, 0.3}, {-0.4, 0.5, 0.1}};
    assert_ok(cardo_system_add_stations(model->system, 1, 0, 2, points[0], &error), &error);
    assert_ok(cardo_system_finalize(model->system, &error), &error);
    assert_ok(cardo_state_create(model->system, &model->state, &error), &error);
    assert_ok(cardo_callback_provider_create(callback, model, CARDO_FORCE_DETERMINISTIC,
                                             &model->provider, &error),
              &error);
}

/* Counts the call and plays the failure that was ordered. */
static cardo_status enter(test_model *model, cardo_force_evaluation *evaluation, cardo_error *error)
{
    model->calls++;
    if (model->fail_at == 0 || model->calls != model->fail_at)
        return CARDO_OK;
    if (model->fail_with == CARDO_OK) {
        evaluation->energy = NAN;
        return CARDO_OK;
    }
    return CARDO_FAIL(error, model->fail_with, "atoms 3 and 4 clash");
}

static cardo_status weight(void *user, cardo_force_evaluation *evaluation, cardo_error *error)
{
    const double mass = 10.0, gravity = 20.0;
    cardo_vec3 arm = m33_mul_v3(evaluation->X_GB[1].R, v3(0, -1.5, 0));
    cardo_vec3 force = v3(0, -mass * gravity, 0);
    evaluation->energy = mass * gravity * (evaluation->X_GB[1].p.y + arm.y + 1.5);
    evaluation->body_forces[1].linear = v3_add(evaluation->body_forces[1].linear, force);
    evaluation->body_forces[1].angular =
        v3_add(evaluation->body_forces[1].angular, v3_cross(arm, force));
    return enter(user, evaluation, error);
}

static cardo_status springs(void *user, cardo_force_evaluation *evaluation, cardo_error *error)
{
    test_model *model = user;
    evaluation->energy = 0.0;
    for (int k = 0; k < evaluation->nu; ++k) {
        double stretch = evaluation->q[k] - model->rest;
        evaluation->energy += 0.5 * model->stiffness * stretch * stretch;
        evaluation->mobility_forces[k] -= model->stiffness * stretch;
    }
    return enter(model, evaluation, error);
}

static cardo_status cage(void *user, cardo_force_evaluation *evaluation, cardo_error *error)
{
    test_model *model = user;
    cardo_vec3 p = evaluation->X_GB[1].p;
    double stretch = evaluation->q[7] - model->rest;
    evaluation->energy = 0.5 * model->stiffness * (v3_dot(p, p) + stretch * stretch);
    evaluation->body_forces[1].linear =
        v3_sub(evaluation->body_forces[1].linear, v3_scale(model->stiffness, p));
    evaluation->mobility_forces[6] -= model->stiffness * stretch;
    return enter(model, evaluation, error);
}

static void add_path(test_model *model, int parent)
{
    cardo_transform ends[2] = {
        shift(0, 0, 0),
        {m33_mul(m33_rotation(v3(0.6, 0.8, 0), 2.0), m33_rotation(v3(0, 0, 1), 1.0)),
         v3(0.3, -0.2, 0.4)},
    };
    cardo_path path = {.kind = CARDO_PATH_EULER, .count = 2, .X_FM = ends};
    add_body(model, "mobile", parent, &cardo_mobilizer_path, &path, shift(0.2, 0.1, 0),
             solid(30.0, v3(0.9, -0.3, 0.5), 6.0, 9.0, 4.0));
    model->stiffness = 500.0;
    model->rest = 0.5;
}

static void add_pendulums(test_model *model)
{
    add_body(model, "upper", 0, &cardo_mobilizer_pin, NULL, shift(0, 0, 0),
             solid(20.0, v3(0, -0.5, 0), 1.0, 1.0, 1.5));
    add_body(model, "lower", 1, &cardo_mobilizer_pin, NULL, shift(0, -1.0, 0),
             solid(15.0, v3(0.1, -0.6, 0), 1.0, 0.8, 1.2));
    model->stiffness = 60.0;
    model->rest = 0.3;
}

static void add_free_arm(test_model *model)
{
    add_body(model, "base", 0, &cardo_mobilizer_free, NULL, shift(0, 0, 0),
             solid(40.0, v3(0, 0, 0), 8.0, 12.0, 17.0));
    add_body(model, "arm", 1, &cardo_mobilizer_pin, NULL, shift(0.8, 0.2, 0),
             solid(25.0, v3(0.7, 0.3, 0.1), 4.0, 6.0, 5.0));
    model->stiffness = 100.0;
    model->rest = 0.2;
}

void model_pendulum(test_model *model)
{
    begin(model);
    add_body(model, "bob", 0, &cardo_mobilizer_pin, NULL, shift(0, 0, 0),
             solid(10.0, v3(0, -1.5, 0), 0.4, 0.4, 0.4));
    finish(model, weight);
}

void model_top(test_model *model)
{
    begin(model);
    add_body(model, "top", 0, &cardo_mobilizer_ball, NULL, shift(0, 0, 0),
             solid(10.0, v3(0, -1.5, 0), 0.4, 0.7, 1.1));
    finish(model, weight);
}

/* Link k of a chain whose pins lie so far apart, skew to each other. */
static void add_link(test_model *model, int k, double apart, cardo_mass_properties mass)
{
    cardo_transform X_PF = {m33_rotation(v3(0.6, 0.0, 0.8), 1.1), v3(0, k ? -apart : 0, 0)};
    add_body(model, "link", k, &cardo_mobilizer_pin, NULL, X_PF, mass);
}

void model_chain(test_model *model)
{
    enum { LINKS = 100 };
    begin(model);
    for (int k = 0; k < LINKS; ++k)
        add_link(model, k, 0.2, solid(12.0 + k % 5, v3(0.03, -0.1, 0), 0.3, 0.2, 0.35));
    model->stiffness = 200.0;
    finish(model, springs);
}

void model_links(test_model *model)
{
    enum { LINKS = 10 };
    begin(model);
    for (int k = 0; k < LINKS; ++k)
        add_link(model, k, 0.4, solid(12.0 + k % 3, v3(0.05, -0.2, 0), 0.4, 0.2, 0.4));
    finish(model, springs);
}

static void prescribe(test_model *model, int body, const cardo_function *motion)
{
    cardo_error error;
    assert_ok(cardo_system_prescribe(model->system, body, CARDO_MOTION_POSITION, motion, &error),
              &error);
}

void model_driven_arm(test_model *model, const cardo_function *motion)
{
    begin(model);
    add_free_arm(model);
    prescribe(model, 2, motion);
    finish(model, cage);
}

void model_swung(test_model *model, double rate)
{
    const double swing[3] = {0.3, rate, 0.2}, place[1] = {0.3};
    const cardo_function moves = {.kind = CARDO_FUNCTION_SINUSOID,
                                  .narg = 1,
                                  .ncoefficient = 3,
                                  .coefficients = swing},
                         stands = {.kind = CARDO_FUNCTION_CONSTANT,
                                   .ncoefficient = 1,
                                   .coefficients = place};
    model_driven_arm(model, rate != 0 ? &moves : &stands);
}

void model_driven_path(test_model *model, const cardo_function *motion)
{
    begin(model);
    add_path(model, 0);
    prescribe(model, 1, motion);
    finish(model, springs);
}

void model_held(test_model *model, const double *angle)
{
    const cardo_function stands = {
        .kind = CARDO_FUNCTION_CONSTANT, .ncoefficient = 1, .coefficients = angle};
    begin(model);
    add_pendulums(model);
    prescribe(model, 2, &stands);
    model->stiffness = 0;
    finish(model, springs);
}

void model_path(test_model *model)
{
    begin(model);
    add_path(model, 0);
    finish(model, springs);
}

void model_carried_path(test_model *model)
{
    begin(model);
    add_body(model, "wheel", 0, &cardo_mobilizer_pin, NULL, shift(0, 0, 0),
             solid(20.0, v3(0, -0.5, 0), 1.0, 1.0, 1.5));
    add_path(model, 1);
    finish(model, springs);
}

void model_double(test_model *model)
{
    begin(model);
    add_pendulums(model);
    finish(model, springs);
}

void model_tied(test_model *model)
{
    cardo_error error;
    const cardo_vec3 end = v3(sin(0.7) + 1.3 * sin(0.3), -cos(0.7) - 1.3 * cos(0.3), 0);
    const cardo_vec3 anchor = v3(1.5, -0.5, 0);
    const cardo_rod rod = {.body1 = 0,
                           .body2 = 2,
                           .point1 = anchor,
                           .point2 = v3(0, -1.3, 0),
                           .length = v3_norm(v3_sub(end, anchor))};
    begin(model);
    add_pendulums(model);
    assert_ok(cardo_system_add_constraint(model->system, cardo_constraint_find("rod"), "tie", &rod,
                                          NULL, &error),
              &error);
    finish(model, springs);
}

void model_loose(test_model *model)
{
    model_double(model);
    model->stiffness = 0.0;
}

void model_loose_marginal(const test_model *model, double *cosine, double *sine)
{
    enum { POINTS = 720 };
    cardo_error error;
    double weight = 0;
    *cosine = *sine = 0;
    for (int k = 0; k < POINTS; ++k) {
        double q[2] = {0.0, k * 2 * CARDO_PI / POINTS}, M[4];
        cardo_state_set_q(model->state, q);
        assert_ok(cardo_realize(model->system, model->state, CARDO_STAGE_POSITION, &error), &error);
        assert_ok(cardo_mass_matrix(model->system, model->state, M, &error), &error);
        double density = sqrt(M[0] * M[3] - M[1] * M[2]);
        weight += density;
        *cosine += density * cos(2 * q[1]);
        *sine += density * sin(2 * q[1]);
    }
    *cosine /= weight;
    *sine /= weight;
}

void model_spring(test_model *model)
{
    begin(model);
    add_body(model, "wheel", 0, &cardo_mobilizer_pin, NULL, shift(0, 0, 0),
             solid(5.0, v3(0, 0, 0), 3.0, 3.0, 3.0));
    model->stiffness = 300.0;
    finish(model, springs);
}

void model_wheels(test_model *model)
{
    begin(model);
    for (int k = 0; k < 2; ++k)
        add_body(model, k ? "wheel" : "hidden", 0, &cardo_mobilizer_pin, NULL, shift(0, 0, 0),
                 solid(5.0, v3(0, 0, 0), 3.0, 3.0, 3.0));
    model->stiffness = 300.0;
    finish(model, springs);
}

void model_free(test_model *model)
{
    begin(model);
    add_free_arm(model);
    finish(model, cage);
}

void model_destroy(test_model *model)
{
    cardo_force_provider_destroy(model->provider);
    cardo_state_destroy(model->state);
    cardo_system_destroy(model->system);
    memset(model, 0, sizeof *model);
}
