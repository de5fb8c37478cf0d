/* `hmc` and `ghmc`: acceptance against theory, exact ensembles where the energy error is large,
 * rejected moves to the bit, and moves that cannot be evaluated. */
#include "base/units.h"
#include "multibody/tree/operators.h"
#include "sampling.h"
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const cardo_integrator *const movers[2] = {&cardo_integrator_hmc, &cardo_integrator_ghmc};

static cardo_simulation *begin(test_model *model, const cardo_integrator *integrator,
                               double timestep, const void *own)
{
    cardo_error error;
    cardo_simulation *simulation;
    cardo_simulation_options options;
    cardo_fields_default(cardo_simulation_fields, &options);
    options.timestep = timestep;
    options.seed = (long long)support_seed(23);
    assert_ok(cardo_simulation_create(model->system, model->state, model->provider, integrator,
                                      &options, own, &simulation, &error),
              &error);
    assert_ok(cardo_simulation_start(simulation, &error), &error);
    return simulation;
}

static void run_to(cardo_simulation *simulation, long long steps)
{
    cardo_error error;
    cardo_end end;
    assert_ok(cardo_simulation_run(simulation, steps, NULL, &end, &error), &error);
}

static void read_report(const char *report, double *accepted, double *moves)
{
    assert_int_equal(sscanf(report, "%lf of %lf moves accepted", accepted, moves), 2);
}

/* Acceptance of n Verlet steps of a harmonic oscillator, x = w h, from a thermal start: quadrature
 * of min(1, exp(-dH)) over both normal variables. */
static double expected_acceptance(double x, int n)
{
    enum { GRID = 400 };
    const double reach = 7.0, cell = 2 * reach / GRID;
    double sum = 0;
    for (int i = 0; i < GRID; ++i)
        for (int j = 0; j < GRID; ++j) {
            double q0 = -reach + (i + 0.5) * cell, p0 = -reach + (j + 0.5) * cell, q = q0, p = p0;
            for (int k = 0; k < n; ++k) {
                p -= 0.5 * x * q;
                q += x * p;
                p -= 0.5 * x * q;
            }
            double before = 0.5 * (q0 * q0 + p0 * p0), after = 0.5 * (q * q + p * p);
            sum += exp(-before) * fmin(1.0, exp(before - after));
        }
    return sum * cell * cell / (2 * CARDO_PI);
}

static void acceptance_is_what_theory_says(void **test)
{
    (void)test;
    const double steps[4] = {0.02, 0.08, 0.14, 0.195};
    double last = 1.0;
    for (int k = 0; k < 4; ++k) {
        test_model model;
        char report[256];
        double accepted, moves, expected = expected_acceptance(10.0 * steps[k], 3);
        const cardo_monte_carlo_options own = {.verlet = {1e-6}, .flights = 3};
        model_spring(&model);
        cardo_simulation *simulation = begin(&model, &cardo_integrator_hmc, steps[k], &own);
        run_to(simulation, 20000);
        assert_int_equal(model.calls, 1 + 3 * 20000);
        assert_true(cardo_simulation_report(simulation, report, sizeof report));
        read_report(report, &accepted, &moves);
        double error = sqrt(expected * (1 - expected) / moves);
        print_message("w h = %.1f: %s; expected %.4f, %.2f standard errors off\n", 10 * steps[k],
                      report, expected, (accepted / moves - expected) / error);
        assert_close(moves, 20000, 0);
        /* Moves follow each other, so the scatter is somewhat more than binomial. */
        assert_close(accepted / moves, expected, 5 * error);
        assert_true(accepted / moves < last);
        last = accepted / moves;
        cardo_simulation_destroy(simulation);
        model_destroy(&model);
    }
    assert_true(last < 0.7);
}

/* Burn-in finds the step that gives the wanted acceptance, from either side; then the step stands,
 * and only moves behind it are counted. */
static void burn_in_adapts_the_step_and_ends(void **test)
{
    (void)test;
    const double starts[2] = {0.01, 0.4};
    for (int k = 0; k < 4; ++k) {
        test_model model;
        char report[256];
        double accepted, moves, step;
        union {
            cardo_monte_carlo_options hmc;
            cardo_ghmc_options ghmc;
        } own = {
            .ghmc = {.move = {.verlet = {1e-6}, .flights = 3, .burn_in = 3000, .acceptance = 0.8},
                     .friction = 5}};
        model_spring(&model);
        cardo_simulation *simulation = begin(&model, movers[k / 2], starts[k % 2], &own);
        run_to(simulation, 13000);
        assert_true(cardo_simulation_report(simulation, report, sizeof report));
        read_report(report, &accepted, &moves);
        print_message("%s from %g ps: %s\n", movers[k / 2]->name, starts[k % 2], report);
        assert_close(moves, 10000, 0);
        assert_int_equal(sscanf(strstr(report, "; step"), "; step %lf ps after 3000", &step), 1);
        /* Moves of ghmc hang together, so theirs scatters more. */
        assert_close(accepted / moves, 0.8, k < 2 ? 0.04 : 0.08);
        if (k < 2)
            assert_close(expected_acceptance(10.0 * step, 3), accepted / moves, 0.03);
        cardo_simulation_destroy(simulation);
        model_destroy(&model);
    }
}

/* Cumulative distribution sqrt(M) exp(-U/kT) of model_path's coordinate, by quadrature. */
enum { POINTS = 4000, BINS = 10 };

static void path_quantiles(test_model *model, double kT, double *edges, double *mean_square)
{
    static double cumulative[POINTS];
    cardo_error error;
    const double low = model->rest - 0.6, cell = 1.2 / POINTS;
    double sum = 0, square = 0;
    for (int k = 0; k < POINTS; ++k) {
        double q = low + (k + 0.5) * cell, M, stretch = q - model->rest;
        cardo_state_set_q(model->state, &q);
        assert_ok(cardo_realize(model->system, model->state, CARDO_STAGE_POSITION, &error), &error);
        assert_ok(cardo_mass_matrix(model->system, model->state, &M, &error), &error);
        double density = sqrt(M) * exp(-0.5 * model->stiffness * stretch * stretch / kT);
        sum += density;
        square += density * stretch * stretch;
        cumulative[k] = sum;
    }
    *mean_square = square / sum;
    edges[0] = -HUGE_VAL;
    edges[BINS] = HUGE_VAL;
    for (int bin = 1, k = 0; bin < BINS; ++bin) {
        while (cumulative[k] < sum * bin / BINS)
            ++k;
        double below = k > 0 ? cumulative[k - 1] : 0.0;
        edges[bin] = low + cell * (k + (sum * bin / BINS - below) / (cumulative[k] - below));
    }
}

/* A path whose M changes with q, at a step where a good part of the moves is rejected: ten bins of
 * equal probability hold a tenth each, and the kinetic energy is kT/2. Leapfrog's steps are so long
 * that some have no way back. */
static void ensembles_are_exact_at_large_steps(void **test)
{
    (void)test;
    const double kT = CARDO_BOLTZMANN * 300.0;
    for (int i = 0; i < 4; ++i) {
        bool leapfrog = i >= 2;
        const char *const settings[] = {"flights",
                                        "3",
                                        "friction",
                                        "2",
                                        "flight-tolerance",
                                        "1e-6",
                                        "propagator",
                                        leapfrog ? "leapfrog" : "verlet",
                                        NULL};
        test_model model;
        double edges[BINS + 1], mean_square, accepted, moves;
        const sampling_plan plan = {
            .make = model_path,
            .integrator = movers[i % 2],
            .settings = settings,
            .timestep = 0.7,
            .temperature = 300.0,
            .seed = 3,
            .samples = leapfrog ? 24000 : 30000,
            .stride = 1,
        };
        sampling_series *s = sample(&plan, &model);
        path_quantiles(&model, kT, edges, &mean_square);
        print_message("%s: %s\n", movers[i % 2]->name, s->report);
        read_report(s->report, &accepted, &moves);
        assert_true(accepted < 0.85 * moves && accepted > 0.2 * moves);
        for (int bin = 0; bin < BINS; ++bin) {
            for (int k = 0; k < s->n; ++k)
                s->scratch[k] = s->position[k] > edges[bin] && s->position[k] <= edges[bin + 1];
            assert_mean("share of a bin", s->scratch, s->n, 1.0 / BINS, 3.5, 0.005);
        }
        for (int k = 0; k < s->n; ++k)
            s->scratch[k] = pow(s->position[k] - model.rest, 2);
        model_destroy(&model);
        assert_mean("mean square of the stretch", s->scratch, s->n, mean_square, 3.5,
                    0.02 * mean_square);
        assert_mean("mean kinetic energy", s->kinetic, s->n, 0.5 * kT, 3.0, 0.02 * kT);
    }
}

static void the_free_angle_has_the_rigid_marginal(void **test)
{
    (void)test;
    const char *const settings[] = {"flights", "8", "flight-tolerance", "1e-6", NULL};
    test_model model;
    double cosine, sine;
    const sampling_plan plan = {
        .make = model_loose,
        .integrator = &cardo_integrator_hmc,
        .settings = settings,
        .timestep = 0.02,
        .temperature = 60000.0,
        .seed = 4,
        .samples = 12000,
        .stride = 1,
    };
    sampling_series *s = sample(&plan, &model);
    print_message("%s\n", s->report);
    model_loose_marginal(&model, &cosine, &sine);
    model_destroy(&model);
    for (int k = 0; k < s->n; ++k) {
        s->scratch[k] = cos(2 * s->position[k]);
        s->position[k] = sin(2 * s->position[k]);
    }
    assert_mean("mean cosine of twice the angle", s->scratch, s->n, cosine, 3.5, 0.015);
    assert_mean("mean sine of twice the angle", s->position, s->n, sine, 3.5, 0.015);
}

/* After a rejected move: q, forces, energies the same bits, without friction the speeds turned
 * round to the bit. */
static void rejected_moves_leave_the_same_bits(void **test)
{
    (void)test;
    const cardo_ghmc_options own = {.move = {.verlet = {1e-9}, .flights = 2, .jitter = 0.1},
                                    .friction = 0.0};
    test_model model;
    cardo_frame before, after;
    double q[8], u[7], udot[7], forces[3 * 6];
    int rejections = 0;
    model_free(&model);
    cardo_simulation *simulation = begin(&model, &cardo_integrator_ghmc, 0.3, &own);
    const cardo_evaluator *evaluator = cardo_simulation_evaluator(simulation);
    for (long long step = 1; step <= 300; ++step) {
        cardo_simulation_frame(simulation, &before);
        memcpy(q, cardo_state_q(model.state), sizeof q);
        memcpy(u, cardo_state_u(model.state), sizeof u);
        memcpy(udot, cardo_state_udot(model.state), sizeof udot);
        memcpy(forces, cardo_evaluator_body_forces(evaluator), sizeof forces);
        run_to(simulation, step);
        cardo_simulation_frame(simulation, &after);
        assert_close(after.time, 0.3 * (double)step, 1e-9);
        if (memcmp(q, cardo_state_q(model.state), sizeof q) != 0)
            continue;
        rejections++;
        for (int k = 0; k < 7; ++k)
            u[k] = -u[k];
        assert_memory_equal(u, cardo_state_u(model.state), sizeof u);
        assert_memory_equal(udot, cardo_state_udot(model.state), sizeof udot);
        assert_memory_equal(forces, cardo_evaluator_body_forces(evaluator), sizeof forces);
        assert_memory_equal(&before.potential, &after.potential, 5 * sizeof(double));
    }
    char report[256];
    double accepted, moves;
    cardo_simulation_report(simulation, report, sizeof report);
    read_report(report, &accepted, &moves);
    print_message("%s\n", report);
    assert_int_equal(rejections, (int)(moves - accepted));
    assert_true(rejections > 20 && accepted > 20);
    cardo_simulation_destroy(simulation);
    model_destroy(&model);
}

static void moves_that_cannot_be_evaluated_are_rejected(void **test)
{
    (void)test;
    const cardo_status how[2] = {CARDO_OK, CARDO_RECOVERABLE};
    for (int k = 0; k < 4; ++k) {
        const cardo_integrator *integrator = movers[k % 2];
        test_model model;
        double q[2];
        char report[256];
        model_double(&model);
        model.fail_at = 2 + 4 * integrator->evaluations;
        model.fail_with = how[k / 2];
        cardo_simulation *simulation = begin(&model, integrator, 0.005, NULL);
        run_to(simulation, 4);
        memcpy(q, cardo_state_q(model.state), sizeof q);
        run_to(simulation, 5);
        assert_memory_equal(q, cardo_state_q(model.state), sizeof q);
        run_to(simulation, 40);
        assert_true(cardo_state_q(model.state)[0] != q[0]);
        cardo_simulation_report(simulation, report, sizeof report);
        assert_non_null(strstr(report, " of 40 moves accepted"));
        assert_non_null(strstr(report, "; 1 could not be evaluated"));
        cardo_simulation_destroy(simulation);
        model_destroy(&model);
    }
}

/* A provider with one term, which it works out only when asked. */
typedef struct split_provider {
    cardo_force_provider base;
    int asked;
} split_provider;

static cardo_status split_compute(cardo_force_provider *base, cardo_force_evaluation *evaluation,
                                  cardo_error *error)
{
    (void)error;
    split_provider *self = (split_provider *)base;
    evaluation->energy = 150.0 * evaluation->q[0] * evaluation->q[0];
    evaluation->mobility_forces[0] -= 300.0 * evaluation->q[0];
    if (evaluation->term_energies) {
        evaluation->term_energies[0] = evaluation->energy;
        self->asked++;
    }
    return CARDO_OK;
}

static cardo_status compare_terms(void *user, const cardo_frame *frame, cardo_error *error)
{
    (void)error;
    ++*(int *)user;
    assert_close(cardo_evaluator_terms(frame->evaluator)[0], frame->potential, 0);
    return CARDO_OK;
}

/* Energies by term belong to the coordinates even where a move was rejected, and are asked for at
 * the ends of moves alone. */
static void terms_follow_rejected_moves(void **test)
{
    (void)test;
    static const char *const names[] = {"spring"};
    const cardo_monte_carlo_options own = {.verlet = {1e-9}, .flights = 4};
    split_provider provider = {
        {.name = "split", .nterm = 1, .term_names = names, .compute = split_compute}, 0};
    test_model model;
    cardo_error error;
    cardo_simulation *simulation;
    cardo_simulation_options options;
    int seen = 0;
    const cardo_observer observer = {&seen, 7, true, compare_terms};
    cardo_fields_default(cardo_simulation_fields, &options);
    options.timestep = 0.16;
    model_spring(&model);
    assert_ok(cardo_simulation_create(model.system, model.state, &provider.base,
                                      &cardo_integrator_hmc, &options, &own, &simulation, &error),
              &error);
    assert_ok(cardo_simulation_add_observer(simulation, &observer, &error), &error);
    assert_ok(cardo_simulation_start(simulation, &error), &error);
    run_to(simulation, 700);
    assert_int_equal(seen, 101);
    assert_int_equal(provider.asked, 701);
    cardo_simulation_destroy(simulation);
    model_destroy(&model);
}

static void what_time_moves_is_refused(void **state)
{
    (void)state;
    for (int k = 0; k < 4; ++k) {
        test_model model;
        cardo_error error;
        cardo_simulation *simulation;
        cardo_simulation_options options;
        const bool moves = k % 2;
        cardo_fields_default(cardo_simulation_fields, &options);
        model_swung(&model, moves ? 4.0 : 0.0);
        assert_ok(cardo_simulation_create(model.system, model.state, model.provider, movers[k / 2],
                                          &options, NULL, &simulation, &error),
                  &error);
        if (moves)
            assert_fails(cardo_simulation_start(simulation, &error), &error,
                         CARDO_ERROR_UNSUPPORTED, "a prescribed motion brings work");
        else
            assert_ok(cardo_simulation_start(simulation, &error), &error);
        cardo_simulation_destroy(simulation);
        model_destroy(&model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        statistical_test(acceptance_is_what_theory_says),
        statistical_test(burn_in_adapts_the_step_and_ends),
        figures_test(ensembles_are_exact_at_large_steps),
        statistical_test(the_free_angle_has_the_rigid_marginal),
        cmocka_unit_test(rejected_moves_leave_the_same_bits),
        cmocka_unit_test(moves_that_cannot_be_evaluated_are_rejected),
        cmocka_unit_test(terms_follow_rejected_moves),
        cmocka_unit_test(what_time_moves_is_refused),
    };
    return support_run(tests, NULL, NULL);
}
