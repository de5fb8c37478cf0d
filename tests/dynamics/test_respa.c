/* `respa`: force groups that sum to the whole, how often each is evaluated, and that splitting them
 * costs neither reversibility nor energy. */
#include "models.h"
#include "multibody/tree/operators.h"
#include "support/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A double pendulum with stiff springs (fast, group 1) and a soft field that couples its angles
 * (slow, group 0). */
typedef struct divided {
    cardo_force_provider base;
    int slow, fast, whole; /* calls for group 0 alone, group 1 alone, all */
} divided;

static const double stiff = 4000.0, soft = 40.0;

static cardo_status compute(cardo_force_provider *base, cardo_force_evaluation *evaluation,
                            cardo_error *error)
{
    (void)error;
    divided *self = (divided *)base;
    const double *q = evaluation->q;
    double energies[2] = {0, 0};
    const unsigned groups = evaluation->groups ? evaluation->groups : 3u;
    self->slow += groups == 1u;
    self->fast += groups == 2u;
    self->whole += groups == 3u;
    if (groups & 1u) {
        energies[0] = -soft * cos(q[0] + 0.5 * q[1]);
        evaluation->mobility_forces[0] -= soft * sin(q[0] + 0.5 * q[1]);
        evaluation->mobility_forces[1] -= 0.5 * soft * sin(q[0] + 0.5 * q[1]);
    }
    for (int k = 0; k < 2 && (groups & 2u); ++k) {
        double stretch = q[k] - 0.3;
        energies[1] += 0.5 * stiff * stretch * stretch;
        evaluation->mobility_forces[k] -= stiff * stretch;
    }
    evaluation->energy = energies[0] + energies[1];
    if (evaluation->term_energies)
        memcpy(evaluation->term_energies, energies, sizeof energies);
    return CARDO_OK;
}

static void keep_alive(cardo_force_provider *base)
{
    (void)base;
}

static divided make_provider(int ngroup)
{
    static const char *const names[] = {"field", "spring"};
    return (divided){.base = {.name = "divided",
                              .traits = CARDO_FORCE_DETERMINISTIC,
                              .ngroup = ngroup,
                              .nterm = 2,
                              .term_names = names,
                              .compute = compute,
                              .destroy = keep_alive}};
}

static cardo_simulation *start_run(test_model *model, cardo_force_provider *provider,
                                   const cardo_integrator *integrator, double timestep, int inner)
{
    cardo_error error;
    cardo_simulation *simulation;
    cardo_simulation_options options;
    const cardo_respa_options respa = {{1e-12}, inner};
    const cardo_verlet_options verlet = {1e-12};
    bool own = integrator == &cardo_integrator_respa;
    cardo_fields_default(cardo_simulation_fields, &options);
    options.timestep = timestep;
    options.seed = (long long)support_seed(5);
    double q[2] = {0.4, 0.25};
    model_double(model);
    cardo_state_set_q(model->state, q);
    assert_ok(cardo_simulation_create(model->system, model->state, provider, integrator, &options,
                                      own ? (const void *)&respa : &verlet, &simulation, &error),
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

static void groups_sum_to_the_whole(void **test)
{
    (void)test;
    test_model model;
    cardo_error error;
    cardo_evaluator *evaluator;
    divided provider = make_provider(2);
    double q[2] = {0.7, -0.4}, whole[2], parts[2], terms[2];
    model_double(&model);
    cardo_state_set_q(model.state, q);
    assert_ok(cardo_evaluator_create(model.system, &provider.base, &evaluator, &error), &error);
    assert_ok(cardo_evaluator_add_fixman(evaluator, 2.5, &error), &error);
    cardo_evaluator_want_terms(evaluator, true);
    assert_int_equal(cardo_evaluator_ngroup(evaluator), 2);
    assert_ok(cardo_evaluate(evaluator, model.state, &error), &error);
    double energy = cardo_evaluator_energy(evaluator), fixman = cardo_evaluator_terms(evaluator)[2];
    memcpy(terms, cardo_evaluator_terms(evaluator), sizeof terms);
    assert_ok(cardo_evaluator_generalized_forces(evaluator, model.state, whole, &error), &error);
    for (unsigned first = 1; first <= 2; ++first) {
        assert_ok(cardo_evaluate_groups(evaluator, model.state, first, false, &error), &error);
        double part = cardo_evaluator_energy(evaluator);
        assert_close(part, first == 1 ? terms[0] + fixman : terms[1], 1e-12);
        assert_ok(cardo_evaluate_groups(evaluator, model.state, 3u - first, true, &error), &error);
        assert_close(cardo_evaluator_energy(evaluator), energy, 1e-11);
        for (int k = 0; k < 2; ++k)
            assert_close(cardo_evaluator_terms(evaluator)[k], terms[k], 1e-12);
        assert_close(cardo_evaluator_terms(evaluator)[2], fixman, 1e-12);
        assert_ok(cardo_evaluator_generalized_forces(evaluator, model.state, parts, &error),
                  &error);
        for (int k = 0; k < 2; ++k)
            assert_close(parts[k], whole[k], 1e-10);
    }
    cardo_evaluator_destroy(evaluator);
    model_destroy(&model);
}

static cardo_status compare_terms(void *user, const cardo_frame *frame, cardo_error *error)
{
    (void)error;
    const double *terms = cardo_evaluator_terms(frame->evaluator);
    ++*(int *)user;
    assert_close(terms[0] + terms[1], frame->potential, 1e-10);
    assert_close(terms[0],
                 -soft * cos(cardo_state_q(frame->state)[0] + 0.5 * cardo_state_q(frame->state)[1]),
                 1e-12);
    return CARDO_OK;
}

static void each_group_is_evaluated_as_often_as_asked(void **test)
{
    (void)test;
    test_model model;
    cardo_error error;
    int seen = 0;
    const cardo_observer observer = {&seen, 7, true, compare_terms};
    divided provider = make_provider(2);
    cardo_simulation *simulation =
        start_run(&model, &provider.base, &cardo_integrator_respa, 0.02, 6);
    assert_ok(cardo_simulation_add_observer(simulation, &observer, &error), &error);
    assert_int_equal(provider.whole, 1);
    run_to(simulation, 100);
    assert_int_equal(provider.whole, 1);
    /* one more of each at the start, to know them apart */
    assert_int_equal(provider.slow, 100 + 1);
    assert_int_equal(provider.fast, 600 + 1);
    assert_int_equal(seen, 14);
    cardo_simulation_destroy(simulation);
    model_destroy(&model);
}

/* Greatest error of the energy over 10 ps. */
static double energy_error(const cardo_integrator *integrator, double timestep, int inner)
{
    test_model model;
    cardo_frame frame;
    divided provider = make_provider(2);
    cardo_simulation *simulation = start_run(&model, &provider.base, integrator, timestep, inner);
    cardo_simulation_frame(simulation, &frame);
    double first = frame.total, worst = 0;
    for (int step = 1; step <= llround(10.0 / timestep); ++step) {
        run_to(simulation, step);
        cardo_simulation_frame(simulation, &frame);
        worst = fmax(worst, fabs(frame.total - first));
    }
    cardo_simulation_destroy(simulation);
    model_destroy(&model);
    return worst;
}

static void energy_is_as_good_as_with_short_steps(void **test)
{
    (void)test;
    double coarse = energy_error(&cardo_integrator_verlet, 0.04, 1),
           fine = energy_error(&cardo_integrator_verlet, 0.005, 1),
           split = energy_error(&cardo_integrator_respa, 0.04, 8),
           half = energy_error(&cardo_integrator_respa, 0.02, 8);
    print_message("energy error: verlet 40 fs %.2e, 5 fs %.2e; respa 40 fs in 8: %.2e, 20 fs in 8: "
                  "%.2e kJ/mol\n",
                  coarse, fine, split, half);
    assert_true(split < 0.1 * coarse);
    assert_true(split < 4 * fine);
    assert_close(split / half, 4, 1);
}

static void the_way_back_is_the_way_there(void **test)
{
    (void)test;
    test_model model;
    cardo_error error;
    divided provider = make_provider(2);
    double q[2], u[2];
    cardo_simulation *simulation =
        start_run(&model, &provider.base, &cardo_integrator_respa, 0.02, 4);
    memcpy(q, cardo_state_q(model.state), sizeof q);
    run_to(simulation, 200);
    for (int k = 0; k < 2; ++k)
        u[k] = -cardo_state_u(model.state)[k];
    cardo_state_set_u(model.state, u);
    assert_ok(cardo_realize(model.system, model.state, CARDO_STAGE_ACCELERATION, &error), &error);
    run_to(simulation, 400);
    for (int k = 0; k < 2; ++k)
        assert_close(cardo_state_q(model.state)[k], q[k], 1e-9);
    cardo_simulation_destroy(simulation);
    model_destroy(&model);
}

static void energy_does_not_drift(void **test)
{
    (void)test;
    enum { BLOCKS = 40, BLOCK = 500 };
    test_model model;
    cardo_frame frame;
    divided provider = make_provider(2);
    double mean[BLOCKS] = {0}, moment = 0, scatter = 0, sum = 0, residual = 0;
    cardo_simulation *simulation =
        start_run(&model, &provider.base, &cardo_integrator_respa, 0.02, 4);
    for (int b = 0, step = 0; b < BLOCKS; ++b) {
        for (int k = 0; k < BLOCK; ++k) {
            run_to(simulation, ++step);
            cardo_simulation_frame(simulation, &frame);
            mean[b] += frame.total / BLOCK;
        }
        double t = b - 0.5 * (BLOCKS - 1);
        moment += t * mean[b];
        scatter += t * t;
        sum += mean[b];
    }
    double slope = moment / scatter;
    for (int b = 0; b < BLOCKS; ++b)
        residual += pow(mean[b] - sum / BLOCKS - slope * (b - 0.5 * (BLOCKS - 1)), 2);
    double uncertainty = sqrt(residual / (BLOCKS - 2) / scatter);
    print_message("2e4 steps of 20 fs: drift %.1e +- %.1e kJ/mol a block of 10 ps\n", slope,
                  uncertainty);
    assert_close(slope, 0, 3.5 * uncertainty);
    assert_true(uncertainty < 1e-5);
    cardo_simulation_destroy(simulation);
    model_destroy(&model);
}

static void a_restored_run_has_the_same_bits(void **test)
{
    (void)test;
    for (int n = 0; n <= 12; n += 3) {
        test_model whole, other;
        cardo_error error;
        cardo_snapshot snapshot = {0};
        divided provider = make_provider(2);
        cardo_simulation *through =
                             start_run(&whole, &provider.base, &cardo_integrator_respa, 0.02, 4),
                         *after =
                             start_run(&other, &provider.base, &cardo_integrator_respa, 0.02, 4);
        run_to(through, n);
        run_to(after, 5);
        snapshot.values = malloc((size_t)cardo_simulation_snapshot_size(through) * sizeof(double));
        cardo_simulation_save(through, &snapshot);
        assert_ok(cardo_simulation_restore(after, &snapshot, &error), &error);
        run_to(through, n + 30);
        run_to(after, n + 30);
        assert_memory_equal(cardo_state_q(whole.state), cardo_state_q(other.state),
                            2 * sizeof(double));
        assert_memory_equal(cardo_state_u(whole.state), cardo_state_u(other.state),
                            2 * sizeof(double));
        free(snapshot.values);
        cardo_simulation_destroy(through);
        cardo_simulation_destroy(after);
        model_destroy(&whole);
        model_destroy(&other);
    }
}

/* An undivided provider makes it verlet, to the bit. */
static void without_groups_it_is_verlet(void **test)
{
    (void)test;
    test_model one, other;
    divided provider = make_provider(1);
    cardo_simulation *respa = start_run(&one, &provider.base, &cardo_integrator_respa, 0.01, 4),
                     *verlet = start_run(&other, &provider.base, &cardo_integrator_verlet, 0.01, 1);
    run_to(respa, 100);
    run_to(verlet, 100);
    assert_int_equal(provider.whole, 2 * 101);
    assert_memory_equal(cardo_state_q(one.state), cardo_state_q(other.state), 2 * sizeof(double));
    cardo_simulation_destroy(respa);
    cardo_simulation_destroy(verlet);
    model_destroy(&one);
    model_destroy(&other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(groups_sum_to_the_whole),
        cmocka_unit_test(each_group_is_evaluated_as_often_as_asked),
        cmocka_unit_test(energy_is_as_good_as_with_short_steps),
        cmocka_unit_test(the_way_back_is_the_way_there),
        statistical_test(energy_does_not_drift),
        cmocka_unit_test(a_restored_run_has_the_same_bits),
        cmocka_unit_test(without_groups_it_is_verlet),
    };
    return support_run(tests, NULL, NULL);
}
