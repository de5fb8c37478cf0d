#include "planar/planar_models.h"

#include "support/reference.h"
#include "support/support.h"

#include "cardo/elements.h"

#include <string.h>

int planar_numbers(const json_t *object, const char *key, double *out, int n)
{
    const json_t *array = json_object_get(object, key), *item;
    size_t i;
    json_array_foreach(array, i, item)
    {
        assert_true((int)i < n);
        out[i] = json_number_value(item);
    }
    return (int)json_array_size(array);
}

static int integer(const json_t *object, const char *key)
{
    return (int)json_integer_value(json_object_get(object, key));
}

static void read_joint(const json_t *object, planar_model *model, int i)
{
    const char *type = json_string_value(json_object_get(object, "type"));
    const json_t *f = json_object_get(object, "function");
    cardo_planar_joint *j = &model->joints[i];
    *j = (cardo_planar_joint){.body1 = integer(object, "body1"), .body2 = integer(object, "body2")};
    planar_numbers(object, "point1", j->point1, 2);
    planar_numbers(object, "point2", j->point2, 2);
    planar_numbers(object, "normal1", j->normal1, 2);
    j->offset = support_number(object, "offset");
    if (strcmp(type, "revolute") == 0)
        return;
    if (strcmp(type, "translational") == 0) {
        j->kind = CARDO_PLANAR_TRANSLATIONAL;
        return;
    }
    assert_string_equal(json_string_value(json_object_get(f, "kind")), "natural_cubic_spline");
    const int n = planar_numbers(f, "knots", model->knots[i], PLANAR_KNOTS);
    assert_int_equal(planar_numbers(f, "values", model->values[i], PLANAR_KNOTS), n);
    j->function = (cardo_function){.kind = CARDO_FUNCTION_SPLINE,
                                   .narg = 1,
                                   .nknot = n,
                                   .knots = model->knots[i],
                                   .values = model->values[i]};
    if (strcmp(type, "relative_angle") == 0) {
        j->kind = CARDO_PLANAR_DRIVING;
        return;
    }
    assert_string_equal(type, "coordinate");
    j->kind = CARDO_PLANAR_GUIDING;
    j->body1 = integer(object, "body");
    j->coordinate = integer(object, "coordinate");
}

static void read_force(const json_t *object, cardo_planar_force *f)
{
    *f = (cardo_planar_force){.body1 = integer(object, "body1"), .body2 = integer(object, "body2")};
    if (strcmp(json_string_value(json_object_get(object, "type")), "torque") == 0) {
        f->body1 = integer(object, "body");
        f->torque = support_number(object, "value");
        return;
    }
    f->kind = CARDO_PLANAR_SPRING_DAMPER;
    planar_numbers(object, "point1", f->point1, 2);
    planar_numbers(object, "point2", f->point2, 2);
    f->stiffness = support_number(object, "stiffness");
    f->damping = support_number(object, "damping");
    f->length = support_number(object, "length");
    f->actuator = support_number(object, "actuator");
}

void planar_model_read(const json_t *file, planar_model *model)
{
    const json_t *system = json_object_get(file, "system"), *item;
    size_t i;
    assert_non_null(system);
    memset(model, 0, sizeof *model);
    json_array_foreach(json_object_get(system, "bodies"), i, item)
    {
        assert_true(i < PLANAR_BODIES);
        model->bodies[i] =
            (cardo_planar_body){json_string_value(json_object_get(item, "name")),
                                support_number(item, "mass"), support_number(item, "inertia")};
    }
    model->planar.nbody = (int)i;
    json_array_foreach(json_object_get(system, "constraints"), i, item)
    {
        assert_true(i < PLANAR_JOINTS);
        read_joint(item, model, (int)i);
    }
    model->planar.njoint = (int)i;
    json_array_foreach(json_object_get(system, "forces"), i, item)
    {
        assert_true(i < 4);
        read_force(item, &model->forces[i]);
    }
    model->planar.nforce = (int)i;
    planar_numbers(system, "gravity", model->planar.gravity, 2);
    model->planar.bodies = model->bodies;
    model->planar.joints = model->joints;
    model->planar.forces = model->forces;
}

void planar_model_make(planar_model *model, cardo_planar_form form,
                       const cardo_stabilization *stabilization, cardo_mechanism **mechanism,
                       cardo_state **state)
{
    cardo_error error = {0};
    model->planar.stabilization = stabilization ? *stabilization : (cardo_stabilization){0};
    assert_ok(cardo_mechanism_create(&model->planar, form, mechanism, &error), &error);
    assert_ok(cardo_state_create(cardo_mechanism_system(*mechanism), state, &error), &error);
}

double planar_energy(const cardo_system *system, cardo_state *state)
{
    cardo_error error = {0};
    double kinetic, potential;
    assert_ok(cardo_realize(system, state, CARDO_STAGE_VELOCITY, &error), &error);
    assert_ok(cardo_kinetic_energy(system, state, &kinetic, &error), &error);
    assert_ok(cardo_potential_energy(system, state, NULL, &potential, &error), &error);
    return kinetic + potential;
}
