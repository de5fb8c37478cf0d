#include "landscapes.h"

#include "base/units.h"
#include "multibody/tree/operators.h"
#include "support/support.h"

#include <math.h>

const char *const landscape_names[] = {"harmonic", "double well", "rugged"};

double landscape_energy(landscape_shape shape, double q, double *slope)
{
    double x = (q - 0.5) / 0.5, ripples = 2 * CARDO_PI * 6;
    switch (shape) {
    case LANDSCAPE_HARMONIC:
        *slope = 60 * (q - 0.5);
        return 30 * (q - 0.5) * (q - 0.5);
    case LANDSCAPE_DOUBLE_WELL:
        *slope = 12 * 4 * x * (x * x - 1) / 0.5;
        return 12 * (x * x - 1) * (x * x - 1);
    case LANDSCAPE_STEEP:
        *slope = 500 * fmax(0, q - 0.6);
        return 250 * fmax(0, q - 0.6) * fmax(0, q - 0.6);
    case LANDSCAPE_WALL:
        *slope = 8000 * fmax(0, q - 1.1);
        return 4000 * fmax(0, q - 1.1) * fmax(0, q - 1.1);
    default:
        *slope = 12 * (q - 0.5) - 2.5 * ripples * sin(ripples * q);
        return 6 * (q - 0.5) * (q - 0.5) + 2.5 * cos(ripples * q);
    }
}

static cardo_status compute(void *user, cardo_force_evaluation *evaluation, cardo_error *error)
{
    (void)error;
    landscape *l = user;
    double slope;
    evaluation->energy = landscape_energy(l->shape, evaluation->q[l->coordinate], &slope);
    evaluation->mobility_forces[evaluation->nu - 1] -= slope;
    return CARDO_OK;
}

void landscape_make(landscape *l, void (*make)(test_model *), landscape_shape shape, bool fixman,
                    const cardo_integrator *integrator, const char *method)
{
    cardo_error error;
    *l = (landscape){.shape = shape};
    make(&l->model);
    cardo_force_provider_destroy(l->model.provider);
    assert_ok(cardo_callback_provider_create(compute, l,
                                             CARDO_FORCE_DETERMINISTIC | CARDO_FORCE_WANTS_POSES,
                                             &l->model.provider, &error),
              &error);
    l->coordinate = cardo_system_nq(l->model.system) - 1;
    const cardo_variable_definition definition = {.name = "path", .coordinate = l->coordinate};
    assert_ok(cardo_variable_create(&cardo_variable_coordinate, l->model.system, &definition,
                                    &l->variable, &error),
              &error);
    cardo_fields_default(cardo_simulation_fields, &l->simulation);
    l->simulation.seed = (long long)support_seed((uint64_t)l->simulation.seed);
    l->integrator = integrator;
    assert_true(integrator->options_size <= sizeof l->integrator_options);
    cardo_fields_default(integrator->fields, l->integrator_options);
    cardo_fields_default(cardo_sampling_fields, &l->options);
    l->method = cardo_sampling_method_find(method);
    assert_non_null(l->method);
    assert_true(cardo_sampling_method_options_size(l->method) <= sizeof l->method_options);
    cardo_fields_default(cardo_sampling_method_fields(l->method), l->method_options);
    l->simulation.ensemble = fixman ? CARDO_ENSEMBLE_FIXMAN : CARDO_ENSEMBLE_RIGID;
    l->simulation.max_energy_jump = 1e6;
    l->options.from = -0.2;
    l->options.to = 1.2;
    landscape_set(l, "flight-tolerance", "1e-5");
    if (integrator != &cardo_integrator_hmc)
        return;
    landscape_set(l, "timestep", "0.2");
    landscape_set(l, "flights", "4");
    landscape_set(l, "interval", "1");
    landscape_set(l, "round", "50");
    landscape_set(l, "equilibration", "100");
    if (cardo_fields_find(cardo_sampling_method_fields(l->method), "probe"))
        landscape_set(l, "probe", "100");
}

void landscape_clear(landscape *l)
{
    cardo_variable_destroy(l->variable);
    model_destroy(&l->model);
}

void landscape_set(landscape *l, const char *name, const char *value)
{
    cardo_error error;
    const struct {
        const cardo_field *fields;
        void *object;
    } targets[] = {
        {cardo_sampling_fields, &l->options},
        {cardo_simulation_fields, &l->simulation},
        {l->integrator->fields, l->integrator_options},
        {cardo_sampling_method_fields(l->method), l->method_options},
    };
    bool known = false;
    for (int k = 0; k < 4; ++k)
        if (cardo_fields_find(targets[k].fields, name)) {
            assert_ok(cardo_fields_set(targets[k].fields, targets[k].object, name, value, &error),
                      &error);
            known = true;
        }
    assert_true(known);
}

cardo_status landscape_study(landscape *l, cardo_communicator *communicator, cardo_sampling **out,
                             cardo_error *error)
{
    const cardo_sampling_plan plan = {
        .system = l->model.system,
        .start = l->model.state,
        .provider = l->model.provider,
        .variable = l->variable,
        .integrator = l->integrator,
        .integrator_options = l->integrator_options,
        .simulation = &l->simulation,
        .method = l->method,
        .method_options = l->method_options,
        .options = &l->options,
        .communicator = communicator,
        .listener = l->listener,
    };
    cardo_status status =
        cardo_realize(l->model.system, l->model.state, CARDO_STAGE_POSITION, error);
    return status == CARDO_OK ? cardo_sampling_create(&plan, out, error) : status;
}

cardo_status landscape_run(cardo_sampling *sampling, cardo_error *error)
{
    cardo_end end = CARDO_END_DONE;
    cardo_status status = CARDO_OK;
    if (!cardo_sampling_is_prepared(sampling))
        status = cardo_sampling_prepare(sampling, NULL, &end, error);
    while (status == CARDO_OK && cardo_sampling_round(sampling) < cardo_sampling_rounds(sampling))
        status = cardo_sampling_advance(sampling, NULL, &end, error);
    return status;
}

cardo_status landscape_estimate(landscape *l, cardo_communicator *communicator,
                                const cardo_estimate_request *request, cardo_estimate *out,
                                cardo_error *error)
{
    cardo_sampling *sampling = NULL;
    cardo_status status = landscape_study(l, communicator, &sampling, error);
    if (status == CARDO_OK)
        status = landscape_run(sampling, error);
    if (status == CARDO_OK)
        status = cardo_sampling_estimate(sampling, request, out, error);
    cardo_sampling_destroy(sampling);
    return status;
}

void landscape_find(landscape *l, const cardo_estimate_request *request, cardo_estimate *out)
{
    cardo_error error = {0};
    assert_ok(landscape_estimate(l, NULL, request, out, &error), &error);
}

static const double coupling = 200, wave = 0.15;

static cardo_status compute_coupled(void *user, cardo_force_evaluation *evaluation,
                                    cardo_error *error)
{
    (void)error;
    const landscape *l = user;
    double slope, angle = 3 * evaluation->q[1], stretch = evaluation->q[0] - wave * sin(angle);
    evaluation->energy =
        landscape_energy(l->shape, evaluation->q[1], &slope) + 0.5 * coupling * stretch * stretch;
    evaluation->mobility_forces[0] -= coupling * stretch;
    evaluation->mobility_forces[1] -= slope - coupling * stretch * wave * 3 * cos(angle);
    return CARDO_OK;
}

void landscape_couple(landscape *l)
{
    cardo_error error;
    assert_int_equal(cardo_system_nq(l->model.system), 2);
    cardo_force_provider_destroy(l->model.provider);
    assert_ok(cardo_callback_provider_create(compute_coupled, l,
                                             CARDO_FORCE_DETERMINISTIC | CARDO_FORCE_WANTS_POSES,
                                             &l->model.provider, &error),
              &error);
}

double landscape_density(landscape *l, double q)
{
    cardo_error error;
    double slope, log_det = 0, kT = CARDO_BOLTZMANN * l->simulation.temperature, all[2] = {0};
    if (l->simulation.ensemble == CARDO_ENSEMBLE_RIGID) {
        assert_true(l->coordinate < 2);
        all[l->coordinate] = q;
        cardo_state_set_q(l->model.state, all);
        assert_ok(cardo_realize(l->model.system, l->model.state, CARDO_STAGE_DYNAMICS, &error),
                  &error);
        assert_ok(cardo_log_det_m(l->model.system, l->model.state, &log_det, &error), &error);
    }
    return exp(0.5 * log_det - landscape_energy(l->shape, q, &slope) / kT);
}
