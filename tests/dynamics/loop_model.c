#include "loop_model.h"

#include "cardo/manifold.h"
#include "multibody/reference_json.h"
#include "support/support.h"

#include <math.h>
#include <string.h>

static cardo_status compute(void *user, cardo_force_evaluation *evaluation, cardo_error *error)
{
    const loop_model *m = user;
    const double *q = evaluation->q;
    const int first = m->hinge_k > 0 ? 1 : 0;
    double energy = 0;
    (void)error;
    if (m->hinge_k > 0) {
        const double d = q[0] - m->hinge_q0;
        energy += 0.5 * m->hinge_k * d * d;
        evaluation->mobility_forces[0] -= m->hinge_k * d;
    }
    for (int i = 0; i < m->ntorsion; ++i) {
        const double phase = m->n[i] * q[first + i] - m->delta[i];
        energy += m->k[i] * (1 + cos(phase));
        evaluation->mobility_forces[first + i] += m->k[i] * m->n[i] * sin(phase);
    }
    evaluation->energy = energy;
    return CARDO_OK;
}

static double number(const json_t *json, const char *key)
{
    return json_number_value(json_object_get(json, key));
}

static void scale_number(json_t *object, const char *key, double scale)
{
    json_object_set_new(object, key, json_real(scale * number(object, key)));
}

/* A system of a copy of the file whose first body has other masses. */
static cardo_system *scaled_system(const json_t *file, double scale)
{
    cardo_error error = {0};
    cardo_system *system;
    json_t *copy = json_deep_copy(file);
    json_t *body = json_array_get(json_object_get(copy, "bodies"), 0);
    json_t *inertia = json_object_get(body, "inertia_OB_B");
    if (scale != 1) {
        scale_number(body, "mass", scale);
        for (size_t i = 0; i < json_array_size(inertia); ++i)
            json_array_set_new(inertia, i,
                               json_real(scale * json_number_value(json_array_get(inertia, i))));
    }
    assert_ok(reference_system(copy, &system, &error), &error);
    json_decref(copy);
    return system;
}

void loop_open(loop_model *model, const json_t *file, double scale)
{
    cardo_error error = {0};
    const json_t *potential = json_object_get(file, "potential");
    const json_t *torsions = json_object_get(potential, "torsions");
    const json_t *hinge = json_object_get(potential, "hinge");
    double q[LOOP_MOST];
    *model = (loop_model){.file = file, .kT = number(file, "kT")};
    for (size_t i = 0; i < json_array_size(torsions) && i < LOOP_MOST; ++i) {
        const json_t *torsion = json_array_get(torsions, i);
        model->k[i] = number(torsion, "k");
        model->n[i] = number(torsion, "n");
        model->delta[i] = number(torsion, "delta");
        ++model->ntorsion;
    }
    model->hinge_k = number(hinge, "k");
    model->hinge_q0 = number(hinge, "q0");
    model->system = scaled_system(file, scale);
    assert_ok(cardo_state_create(model->system, &model->state, &error), &error);
    reference_flatten(json_object_get(file, "q_start"), q, LOOP_MOST);
    cardo_state_set_q(model->state, q);
    assert_ok(cardo_assemble_q(model->system, model->state, NULL, NULL, &error), &error);
    assert_ok(cardo_callback_provider_create(compute, model, CARDO_FORCE_DETERMINISTIC,
                                             &model->provider, &error),
              &error);
}

void loop_close(loop_model *model)
{
    cardo_force_provider_destroy(model->provider);
    cardo_state_destroy(model->state);
    cardo_system_destroy(model->system);
}
