#include "sampling.h"

#include "multibody/tree/operators.h"
#include "support/support.h"

#include <math.h>
#include <string.h>

void mean_and_error(double *values, int n, double *mean, double *error)
{
    double sum = 0;
    for (int k = 0; k < n; ++k)
        sum += values[k];
    *mean = sum / n;
    *error = 0;
    for (; n >= 100; n /= 2) {
        double square = 0;
        for (int k = 0; k < n; ++k)
            square += (values[k] - *mean) * (values[k] - *mean);
        *error = fmax(*error, sqrt(square / n / (n - 1)));
        for (int k = 0; k < n / 2; ++k)
            values[k] = 0.5 * (values[2 * k] + values[2 * k + 1]);
    }
}

void assert_mean(const char *what, double *values, int n, double expected, double sigmas,
                 double most)
{
    double mean, error;
    mean_and_error(values, n, &mean, &error);
    print_message("%s: %.5f +- %.5f, expected %.5f: %.2f standard errors\n", what, mean, error,
                  expected, (mean - expected) / error);
    assert_close(mean, expected, sigmas * error);
    assert_true(error < most);
}

static cardo_simulation *begin(const sampling_plan *plan, const test_model *model)
{
    cardo_error error;
    cardo_simulation *simulation;
    cardo_simulation_options options;
    double own[128];
    assert_true(plan->integrator->options_size <= sizeof own);
    cardo_fields_default(cardo_simulation_fields, &options);
    cardo_fields_default(plan->integrator->fields, own);
    options.timestep = plan->timestep;
    options.temperature = plan->temperature;
    options.seed = (long long)support_seed((uint64_t)plan->seed);
    /* Light bodies without a potential are at times too fast for the guard against clashes. */
    options.max_energy_jump = 1e6;
    if (plan->ensemble)
        assert_ok(
            cardo_fields_set(cardo_simulation_fields, &options, "ensemble", plan->ensemble, &error),
            &error);
    for (const char *const *s = plan->settings; s && *s; s += 2)
        if (cardo_fields_find(plan->integrator->fields, s[0]))
            assert_ok(cardo_fields_set(plan->integrator->fields, own, s[0], s[1], &error), &error);
    assert_ok(cardo_simulation_create(model->system, model->state, model->provider,
                                      plan->integrator, &options, own, &simulation, &error),
              &error);
    assert_ok(cardo_simulation_start(simulation, &error), &error);
    return simulation;
}

sampling_series *sample(const sampling_plan *plan, test_model *model)
{
    static sampling_series series;
    enum { WARM_UP = 2000 };
    cardo_error error;
    cardo_end end;
    cardo_frame frame;
    double momentum[MOST_SPEEDS];
    plan->make(model);
    cardo_simulation *simulation = begin(plan, model);
    assert_ok(cardo_simulation_run(simulation, WARM_UP, NULL, &end, &error), &error);
    assert_true(plan->samples <= MOST_SAMPLES);
    series.n = plan->samples;
    series.nu = cardo_system_nu(model->system);
    for (int k = 0; k < series.n; ++k) {
        long long step = WARM_UP + (long long)plan->stride * (k + 1);
        assert_ok(cardo_simulation_run(simulation, step, NULL, &end, &error), &error);
        cardo_simulation_frame(simulation, &frame);
        series.kinetic[k] = frame.kinetic;
        series.kinetic_square[k] = frame.kinetic * frame.kinetic;
        series.position[k] = cardo_state_q(model->state)[cardo_system_nq(model->system) - 1];
        const double *u = cardo_state_u(model->state);
        assert_ok(cardo_multiply_m(model->system, model->state, u, momentum, &error), &error);
        for (int i = 0; i < series.nu; ++i)
            series.share[i][k] = u[i] * momentum[i];
    }
    if (!cardo_simulation_report(simulation, series.report, sizeof series.report))
        series.report[0] = '\0';
    cardo_simulation_destroy(simulation);
    return &series;
}
