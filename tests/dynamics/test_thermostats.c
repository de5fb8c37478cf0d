/* Every thermostat in the table: mean kinetic energy, its fluctuation, equipartition and the
 * distribution of a harmonic coordinate; and what sets one apart from another. */
#include "base/units.h"
#include "dynamics/coordinates/velocities.h"
#include "multibody/tree/operators.h"
#include "sampling.h"
#include "support/support.h"

#include <math.h>

/* A firm coupling, so that short runs hold many independent samples. */
static const char *const firm[] = {"friction", "8", "collision-rate",   "15",   "relaxation", "0.1",
                                   "flights",  "4", "flight-tolerance", "1e-6", NULL};

static void check_temperature(void (*make)(test_model *), int nu,
                              const cardo_integrator *thermostat)
{
    test_model model;
    const double kT = CARDO_BOLTZMANN * 300.0;
    const sampling_plan plan = {
        .make = make,
        .integrator = thermostat,
        .settings = firm,
        .timestep = 0.01,
        .temperature = 300.0,
        .seed = 12,
        .samples = nu == 7 ? 15000 : 20000,
        .stride = thermostat->traits & CARDO_INTEGRATOR_REJECTS ? 1 : 3,
    };
    sampling_series *s = sample(&plan, &model);
    model_destroy(&model);
    print_message("%s, %d degrees of freedom\n", thermostat->name, nu);
    assert_int_equal(s->nu, nu);
    assert_mean("mean kinetic energy", s->kinetic, s->n, 0.5 * nu * kT, 3.0, 0.03 * nu * kT);
    assert_mean("mean square of it", s->kinetic_square, s->n, 0.25 * nu * (nu + 2) * kT * kT, 3.5,
                0.04 * nu * (nu + 2) * kT * kT);
    for (int i = 0; i < nu; ++i)
        assert_mean("mean of a speed times its momentum", s->share[i], s->n, kT, 3.5, 0.08 * kT);
}

/* Under a sanitizer each thermostat has one of three models. */
static void check_all(void (*make)(test_model *), int nu)
{
    for (int i = 0; cardo_integrators[i]; ++i)
        if (cardo_integrators[i]->traits & CARDO_INTEGRATOR_THERMOSTAT &&
            !(SUPPORT_SANITIZED && i % 3 != nu % 4 % 3))
            check_temperature(make, nu, cardo_integrators[i]);
}

static void temperature_of_one_degree(void **test)
{
    (void)test;
    check_all(model_path, 1);
}

static void temperature_of_two_degrees(void **test)
{
    (void)test;
    check_all(model_double, 2);
}

static void temperature_of_seven_degrees(void **test)
{
    (void)test;
    check_all(model_free, 7);
}

/* The temperature that is reported, over as many degrees of freedom as there are. */
static void check_reported(void (*make)(test_model *), int degrees,
                           const cardo_integrator *thermostat, double timestep, int samples)
{
    static double temperature[MOST_SAMPLES];
    test_model model;
    cardo_error error;
    cardo_end end;
    cardo_frame frame;
    cardo_simulation *simulation;
    cardo_simulation_options options;
    double own[128];
    cardo_fields_default(cardo_simulation_fields, &options);
    cardo_fields_default(thermostat->fields, own);
    for (const char *const *s = firm; *s; s += 2)
        if (cardo_fields_find(thermostat->fields, s[0]))
            assert_ok(cardo_fields_set(thermostat->fields, own, s[0], s[1], &error), &error);
    options.timestep = timestep;
    options.seed = (long long)support_seed(21);
    make(&model);
    assert_ok(cardo_simulation_create(model.system, model.state, model.provider, thermostat,
                                      &options, own, &simulation, &error),
              &error);
    assert_int_equal(cardo_simulation_degrees(simulation), degrees);
    assert_ok(cardo_simulation_start(simulation, &error), &error);
    for (int k = 0; k < samples; ++k) {
        assert_ok(cardo_simulation_run(simulation, 300 + k, NULL, &end, &error), &error);
        cardo_simulation_frame(simulation, &frame);
        temperature[k] = frame.temperature;
    }
    print_message("%s, %d degrees of freedom\n", thermostat->name, degrees);
    assert_mean("mean temperature", temperature, samples, 300.0, 3.0, 8.0);
    cardo_simulation_destroy(simulation);
    model_destroy(&model);
}

static void temperature_of_three_and_a_hundred_degrees(void **test)
{
    (void)test;
    for (int i = 0; cardo_integrators[i]; ++i)
        if (cardo_integrators[i]->traits & CARDO_INTEGRATOR_THERMOSTAT &&
            !(SUPPORT_SANITIZED && i % 4 > 0)) {
            check_reported(model_top, 3, cardo_integrators[i], 0.01, 40000);
            check_reported(model_chain, 100, cardo_integrators[i], 0.004, 3000);
        }
}

static void make_swung(test_model *model)
{
    model_swung(model, 4.0);
}

static void make_still(test_model *model)
{
    model_swung(model, 0.0);
}

/* A prescribed mobility is no degree of freedom, moving or at rest. */
static void temperature_beside_a_prescribed_motion(void **test)
{
    (void)test;
    for (int i = 0; cardo_integrators[i]; ++i) {
        const cardo_integrator *thermostat = cardo_integrators[i];
        if (!(thermostat->traits & CARDO_INTEGRATOR_THERMOSTAT))
            continue;
        check_reported(make_still, 6, thermostat, 0.01, 20000);
        /* A move that is not taken would have to go back in time. */
        if (!(thermostat->traits & CARDO_INTEGRATOR_REJECTS))
            check_reported(make_swung, 6, thermostat, 0.01, 20000);
    }
}

/* A draw beside a prescribed speed has the mean that the whole's momentum asks for and the free
 * ones' own covariance, so the kinetic energy of the rest is nu kT/2 (exactly: chi squared). */
static void draws_know_of_prescribed_speeds(void **test)
{
    (void)test;
    enum { DRAWS = 20000 };
    static double thermal[DRAWS], first[DRAWS];
    test_model model;
    cardo_error error;
    cardo_random random = cardo_random_start(5, 1);
    double mean[7], scratch[14];
    const double kT = CARDO_BOLTZMANN * 300.0;
    make_swung(&model);
    for (int k = 0; k < DRAWS; ++k) {
        assert_ok(cardo_draw_velocities(model.system, model.state, kT, &random, &error), &error);
        assert_ok(cardo_realize(model.system, model.state, CARDO_STAGE_DYNAMICS, &error), &error);
        assert_close(cardo_state_u(model.state)[6], 0.3 * 4.0 * cos(0.2), 1e-14);
        assert_ok(cardo_thermal_energy(model.system, model.state, scratch, &thermal[k], &error),
                  &error);
        first[k] = cardo_state_u(model.state)[2];
    }
    assert_ok(cardo_driven_speeds(model.system, model.state, scratch, mean, &error), &error);
    assert_mean("thermal energy", thermal, DRAWS, 3 * kT, 3.5, 0.05);
    assert_true(fabs(mean[2]) > 0.05);
    assert_mean("a base's speed", first, DRAWS, mean[2], 3.5, 0.01);
    /* The driven speeds alone carry no momentum in the rows of the free ones. */
    cardo_state_set_u(model.state, mean);
    double momenta[7];
    assert_ok(cardo_realize(model.system, model.state, CARDO_STAGE_VELOCITY, &error), &error);
    assert_ok(cardo_multiply_m(model.system, model.state, mean, momenta, &error), &error);
    for (int k = 0; k < 6; ++k)
        assert_close(momenta[k], 0, 1e-10);
    model_destroy(&model);
}

/* Twelve bins of equal probability of a normal distribution, each one's share against 1/12 within
 * four standard errors. */
static void assert_normal(sampling_series *s, double width)
{
    static const double edges[] = {
        -HUGE_VAL,    -1.3829941271, -0.9674215661, -0.6744897502, -0.4307272993, -0.2104283942, 0,
        0.2104283942, 0.4307272993,  0.6744897502,  0.9674215661,  1.3829941271,  HUGE_VAL};
    for (int bin = 0; bin < 12; ++bin) {
        for (int k = 0; k < s->n; ++k) {
            double x = s->position[k] / width;
            s->scratch[k] = x > edges[bin] && x <= edges[bin + 1];
        }
        assert_mean("share of a bin", s->scratch, s->n, 1.0 / 12, 4.0, 0.008);
    }
}

static void a_harmonic_coordinate_is_normal(void **test)
{
    (void)test;
    const double width = sqrt(CARDO_BOLTZMANN * 300.0 / 300.0);
    for (int i = 0; cardo_integrators[i]; ++i) {
        const cardo_integrator *thermostat = cardo_integrators[i];
        if (!(thermostat->traits & CARDO_INTEGRATOR_THERMOSTAT))
            continue;
        test_model model;
        const sampling_plan plan = {
            .make = model_spring,
            .integrator = thermostat,
            .settings = firm,
            .timestep = 0.01,
            .temperature = 300.0,
            .seed = 2,
            .samples = 24000,
            .stride = thermostat->traits & CARDO_INTEGRATOR_REJECTS ? 2 : 5,
        };
        sampling_series *s = sample(&plan, &model);
        model_destroy(&model);
        print_message("%s\n", thermostat->name);
        assert_normal(s, width);
        for (int k = 0; k < s->n; ++k)
            s->scratch[k] = s->position[k] * s->position[k];
        /* Verlet's own widening of a harmonic coordinate at this step is (w h)^2/4 = 0.25 %. */
        assert_mean("mean square of the coordinate", s->scratch, s->n, width * width, 3.5,
                    0.04 * width * width);
    }
}

/* At w h = 1 the two splittings differ as theory says: BAOAB has the exact variance of a harmonic
 * coordinate, OBABO 1/(1 - (w h)^2/4) times as much (Leimkuhler & Matthews 2013). */
static void splittings_err_as_theory_says(void **test)
{
    (void)test;
    const struct {
        const cardo_integrator *integrator;
        double factor;
    } cases[2] = {{&cardo_integrator_baoab, 1.0}, {&cardo_integrator_langevin, 4.0 / 3.0}};
    const double square = CARDO_BOLTZMANN * 300.0 / 300.0;
    for (int i = 0; i < 2; ++i) {
        test_model model;
        const sampling_plan plan = {
            .make = model_spring,
            .integrator = cases[i].integrator,
            .settings = firm,
            .timestep = 0.1,
            .temperature = 300.0,
            .seed = 8,
            .samples = 60000,
            .stride = 1,
        };
        sampling_series *s = sample(&plan, &model);
        model_destroy(&model);
        for (int k = 0; k < s->n; ++k)
            s->scratch[k] = s->position[k] * s->position[k];
        assert_mean(cases[i].integrator->name, s->scratch, s->n, cases[i].factor * square, 3.5,
                    0.02 * square);
    }
}

static cardo_simulation *create(test_model *model, const cardo_integrator *integrator,
                                const cardo_simulation_options *options)
{
    cardo_error error;
    cardo_simulation *simulation;
    assert_ok(cardo_simulation_create(model->system, model->state, model->provider, integrator,
                                      options, NULL, &simulation, &error),
              &error);
    return simulation;
}

/* A temperature of zero means something to friction, nothing to a bath that scales. */
static void zero_kelvin_is_refused_where_it_means_nothing(void **test)
{
    (void)test;
    int refused = 0;
    for (int i = 0; cardo_integrators[i]; ++i) {
        test_model model;
        cardo_error error;
        cardo_simulation *simulation;
        cardo_simulation_options options;
        cardo_fields_default(cardo_simulation_fields, &options);
        options.temperature = 0;
        model_double(&model);
        if (cardo_integrators[i]->traits & CARDO_INTEGRATOR_WARM) {
            refused++;
            assert_fails(cardo_simulation_create(model.system, model.state, model.provider,
                                                 cardo_integrators[i], &options, NULL, &simulation,
                                                 &error),
                         &error, CARDO_ERROR_INPUT, "temperature=0 K");
        } else {
            simulation = create(&model, cardo_integrators[i], &options);
            assert_ok(cardo_simulation_start(simulation, &error), &error);
            cardo_simulation_destroy(simulation);
        }
        model_destroy(&model);
    }
    assert_true(refused >= 2);
}

/* What the bath gave, taken off the total, leaves the integration's error. */
static void books_balance(void **test)
{
    (void)test;
    for (int i = 0; cardo_integrators[i]; ++i) {
        test_model model;
        cardo_error error;
        cardo_end end;
        cardo_frame first, last;
        cardo_simulation_options options;
        if (!(cardo_integrators[i]->traits & CARDO_INTEGRATOR_THERMOSTAT))
            continue;
        cardo_fields_default(cardo_simulation_fields, &options);
        options.timestep = 0.001;
        options.seed = 17;
        (i % 2 ? model_double : model_free)(&model);
        cardo_simulation *simulation = create(&model, cardo_integrators[i], &options);
        assert_ok(cardo_simulation_start(simulation, &error), &error);
        cardo_simulation_frame(simulation, &first);
        assert_ok(cardo_simulation_run(simulation, 5000, NULL, &end, &error), &error);
        cardo_simulation_frame(simulation, &last);
        print_message("%s: conserved energy changed by %.1e, total by %.1e kJ/mol\n",
                      cardo_integrators[i]->name, last.conserved - first.conserved,
                      last.total - first.total);
        assert_close(last.conserved, first.conserved, 1e-3);
        assert_true(fabs(last.total - first.total) > 1e-2);
        cardo_simulation_destroy(simulation);
        model_destroy(&model);
    }
}

/* The options of a bath, one of them set. */
static void set_bath(const cardo_integrator *bath, void *own, const char *name, const char *text)
{
    cardo_error error;
    cardo_fields_default(bath->fields, own);
    assert_ok(cardo_fields_set(bath->fields, own, name, text, &error), &error);
}

/* A bath faster than the step is refused with the values that would do, and those do; a chain at its
 * shortest relaxation time stays at its temperature, with many degrees of freedom and with few. */
static void baths_too_fast_for_the_step_are_refused(void **test)
{
    (void)test;
    const struct {
        const cardo_integrator *bath;
        const char *name, *fast, *remedy, *right;
    } cases[] = {
        {&cardo_integrator_langevin, "friction", "2000", "friction of at most 1000 1/ps", "1000"},
        {&cardo_integrator_baoab, "friction", "2000", "friction of at most 1000 1/ps", "1000"},
        {&cardo_integrator_ghmc, "friction", "2000", "friction of at most 1000 1/ps", "1000"},
        {&cardo_integrator_andersen, "collision-rate", "2000", "rate of at most 1000 1/ps", "1000"},
        {&cardo_integrator_csvr, "relaxation", "0.0005", "relaxation of at least 0.001", "0.001"},
        {&cardo_integrator_nose_hoover, "relaxation", "0.01", "relaxation of at least 0.02",
         "0.02"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
        test_model model;
        cardo_error error;
        cardo_simulation *simulation;
        cardo_simulation_options options;
        double own[128];
        cardo_fields_default(cardo_simulation_fields, &options);
        model_double(&model);
        set_bath(cases[k].bath, own, cases[k].name, cases[k].fast);
        assert_fails(cardo_simulation_create(model.system, model.state, model.provider,
                                             cases[k].bath, &options, own, &simulation, &error),
                     &error, CARDO_ERROR_INPUT, cases[k].remedy);
        set_bath(cases[k].bath, own, cases[k].name, cases[k].right);
        assert_ok(cardo_simulation_create(model.system, model.state, model.provider, cases[k].bath,
                                          &options, own, &simulation, &error),
                  &error);
        cardo_simulation_destroy(simulation);
        model_destroy(&model);
    }
    double own[128];
    set_bath(&cardo_integrator_langevin, own, "friction", "0");
    assert_true(cardo_integrator_bath_time(&cardo_integrator_langevin, own) == HUGE_VAL);
}

static void a_chain_at_its_shortest_time_is_stable(void **test)
{
    (void)test;
    static double temperature[4000];
    void (*const models[])(test_model *) = {model_chain, model_free};
    for (int k = 0; k < 2; ++k) {
        test_model model;
        cardo_error error;
        cardo_end end;
        cardo_frame frame;
        cardo_simulation *simulation;
        cardo_simulation_options options;
        cardo_nose_hoover_options own;
        const int steps = k ? 4000 : 400;
        cardo_fields_default(cardo_simulation_fields, &options);
        options.timestep = k ? 0.02 : 0.004;
        options.seed = (long long)support_seed(1);
        set_bath(&cardo_integrator_nose_hoover, &own, "relaxation", k ? "0.04" : "0.008");
        models[k](&model);
        assert_ok(cardo_simulation_create(model.system, model.state, model.provider,
                                          &cardo_integrator_nose_hoover, &options, &own,
                                          &simulation, &error),
                  &error);
        assert_ok(cardo_simulation_start(simulation, &error), &error);
        for (int i = 0; i < steps; ++i) {
            assert_ok(cardo_simulation_run(simulation, 1 + i, NULL, &end, &error), &error);
            cardo_simulation_frame(simulation, &frame);
            temperature[i] = frame.temperature;
        }
        assert_mean("mean temperature", temperature, steps, 300.0, 6.5, k ? 12 : 8);
        cardo_simulation_destroy(simulation);
        model_destroy(&model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        figures_test(temperature_of_one_degree),
        statistical_test(temperature_of_two_degrees),
        figures_test(temperature_of_seven_degrees),
        figures_test(temperature_of_three_and_a_hundred_degrees),
        figures_test(temperature_beside_a_prescribed_motion),
        cmocka_unit_test(draws_know_of_prescribed_speeds),
        figures_test(a_harmonic_coordinate_is_normal),
        statistical_test(splittings_err_as_theory_says),
        cmocka_unit_test(zero_kelvin_is_refused_where_it_means_nothing),
        cmocka_unit_test(books_balance),
        cmocka_unit_test(baths_too_fast_for_the_step_are_refused),
        statistical_test(a_chain_at_its_shortest_time_is_stable),
    };
    return support_run(tests, NULL, NULL);
}
