/* A constant mass matrix in place of the bodies' own masses: every operator against A and an explicit Jacobian on random trees of every
 * mobilizer that can have one, reversed ones among them; flights and kicks by their order and their energy; and the marginals of two
 * hinges, whose sqrt(det M) varies 1.8-fold, against quadrature, which must not be mistaken for those of the rigid ensemble. */
#include "base/units.h"
#include "cardo/motion.h"
#include "multibody/mobilizers/descriptor.h"
#include "multibody/random_tree.h"
#include "multibody/tree/operators.h"
#include "point_models.h"
#include "sampling.h"
#include "support/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TREES = 40, MOST_BODIES = 12, MOST_NU = 6 * MOST_BODIES, FINE = 800 };

/* A symmetric positive definite matrix of generic entries and of scales from 0.1 to 10. */
static void random_matrix(int n, uint64_t *seed, double *A)
{
    static double B[MOST_NU * MOST_NU], scale[MOST_NU];
    random_numbers(n * n, seed, B);
    random_numbers(n, seed, scale);
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            double sum = i == j ? 0.5 : 0;
            for (int k = 0; k < n; ++k)
                sum += B[i * n + k] * B[j * n + k] / n;
            A[i * n + j] = sum * pow(10, scale[i] + scale[j]);
        }
}

/* Mobilizers whose speeds are the rates of their coordinates. */
static bool fits(const cardo_mobilizer *mobilizer)
{
    return !mobilizer->multiply_n && mobilizer != &cardo_mobilizer_weld;
}

/* A finalized tree of such mobilizers, every other body reversed. */
static cardo_system *tree_of_rates(int nbody, uint64_t *seed)
{
    cardo_error error = {0};
    cardo_system *system;
    int kind = (int)(*seed % 7);
    assert_ok(cardo_system_create(&system, &error), &error);
    for (int k = 0; k < nbody; ++k) {
        random_parameters room;
        do
            kind = cardo_mobilizers[kind + 1] ? kind + 1 : 0;
        while (!fits(cardo_mobilizers[kind]));
        cardo_body_definition body = random_body(
            cardo_mobilizers[kind], k > 0 ? (int)((*seed >> 5) % (uint64_t)k) + 1 : 0, seed, &room);
        if (body.parent > k)
            body.parent = k;
        body.reversed = k % 2 == 1;
        body.euler = false;
        assert_ok(cardo_system_add_body(system, &body, NULL, &error), &error);
    }
    assert_ok(cardo_system_finalize(system, &error), &error);
    return system;
}

static double dot(int n, const double *a, const double *b)
{
    double sum = 0;
    for (int i = 0; i < n; ++i)
        sum += a[i] * b[i];
    return sum;
}

static void times(int n, const double *A, const double *v, double *out)
{
    for (int i = 0; i < n; ++i)
        out[i] = dot(n, A + i * n, v);
}

static void assert_vectors(int n, const double *a, const double *b, double tolerance)
{
    double size = 0, miss = 0;
    for (int i = 0; i < n; ++i) {
        size = fmax(size, fmax(fabs(a[i]), fabs(b[i])));
        miss = fmax(miss, fabs(a[i] - b[i]));
    }
    if (!(miss <= tolerance * (size + 1e-300)))
        print_message("off by %g of %g\n", miss, size);
    assert_true(miss <= tolerance * (size + 1e-300));
}

/* ln det by elimination, of a copy. */
static double log_determinant(int n, const double *matrix)
{
    static double A[MOST_NU * MOST_NU];
    double sum = 0;
    memcpy(A, matrix, sizeof(double) * (size_t)(n * n));
    for (int k = 0; k < n; ++k) {
        sum += log(A[k * n + k]);
        for (int i = k + 1; i < n; ++i) {
            const double f = A[i * n + k] / A[k * n + k];
            for (int j = k; j < n; ++j)
                A[i * n + j] -= f * A[k * n + j];
        }
    }
    return sum;
}

static void check_tree(int index)
{
    static double A[MOST_NU * MOST_NU], M[MOST_NU * MOST_NU], J[6 * (MOST_BODIES + 1) * MOST_NU];
    static double q[2 * MOST_NU], u[MOST_NU], v[MOST_NU], a[MOST_NU], b[MOST_NU], f[MOST_NU],
        tau[MOST_NU];
    static cardo_spatial force[MOST_BODIES + 1];
    cardo_error error = {0};
    cardo_state *state;
    uint64_t seed = 31 + 7919 * (uint64_t)index;
    cardo_system *system = tree_of_rates(1 + index % MOST_BODIES, &seed);
    const int n = cardo_system_nu(system), nbody = cardo_system_nbody(system);
    assert_int_equal(n, cardo_system_nq(system));
    random_matrix(n, &seed, A);
    assert_null(cardo_system_mass_matrix(system));
    assert_ok(cardo_system_set_mass_matrix(system, A, &error), &error);
    assert_vectors(n * n, cardo_system_mass_matrix(system), A, 0);
    assert_ok(cardo_state_create(system, &state, &error), &error);
    random_coordinates(system, &seed, q);
    random_numbers(n, &seed, u);
    random_numbers(n, &seed, v);
    random_numbers(n, &seed, f);
    force[0] = (cardo_spatial){0};
    for (int k = 1; k < nbody; ++k)
        force[k] = (cardo_spatial){random_vec3(&seed), random_vec3(&seed)};
    cardo_state_set_q(state, q);
    cardo_state_set_u(state, u);
    cardo_state_set_forces(state, force, f);
    assert_ok(cardo_realize(system, state, CARDO_STAGE_ACCELERATION, &error), &error);

    /* M and its products */
    assert_ok(cardo_mass_matrix(system, state, M, &error), &error);
    assert_vectors(n * n, M, A, 0);
    times(n, A, v, a);
    assert_ok(cardo_multiply_m(system, state, v, b, &error), &error);
    assert_vectors(n, a, b, 1e-13);
    assert_ok(cardo_multiply_minv(system, state, a, b, &error), &error);
    assert_vectors(n, b, v, 1e-9);
    assert_ok(cardo_mass_matrix_inverse(system, state, M, &error), &error);
    times(n, M, a, b);
    assert_vectors(n, b, v, 1e-9);
    /* M^-1 = W W^T, and what is left of W, its inverse and their transposes */
    assert_ok(cardo_multiply_sqrt_minv_transposed(system, state, v, a, &error), &error);
    assert_ok(cardo_multiply_sqrt_minv(system, state, a, b, &error), &error);
    times(n, M, v, a);
    assert_vectors(n, a, b, 1e-9);
    assert_ok(cardo_multiply_sqrt_minv(system, state, v, a, &error), &error);
    assert_ok(cardo_multiply_sqrt_m(system, state, a, b, &error), &error);
    assert_vectors(n, b, v, 1e-9);
    assert_ok(cardo_multiply_sqrt_minv_transposed(system, state, v, a, &error), &error);
    assert_ok(cardo_multiply_sqrt_m_transposed(system, state, a, b, &error), &error);
    assert_vectors(n, b, v, 1e-9);
    /* energy, ln det M, its gradient, the rate of momenta */
    double energy, log_det;
    times(n, A, u, a);
    assert_ok(cardo_kinetic_energy(system, state, &energy, &error), &error);
    assert_close(energy, 0.5 * dot(n, a, u), 1e-13 * fabs(energy));
    assert_ok(cardo_log_det_m(system, state, &log_det, &error), &error);
    assert_close(log_det, log_determinant(n, A), 1e-10 * (1 + fabs(log_det)));
    assert_ok(cardo_log_det_m_gradient(system, state, a, &error), &error);
    assert_ok(cardo_momentum_rate(system, state, b, &error), &error);
    assert_true(dot(n, a, a) == 0 && dot(n, b, b) == 0);
    /* A udot = J^T F + f, both ways, whatever the speeds; and the bodies' accelerations */
    assert_ok(cardo_jacobian(system, state, J, &error), &error);
    for (int j = 0; j < n; ++j) {
        a[j] = f[j];
        for (int k = 1; k < nbody; ++k) {
            const double F[6] = {force[k].angular.x, force[k].angular.y, force[k].angular.z,
                                 force[k].linear.x,  force[k].linear.y,  force[k].linear.z};
            for (int i = 0; i < 6; ++i)
                a[j] += J[(6 * k + i) * n + j] * F[i];
        }
    }
    times(n, A, cardo_state_udot(state), b);
    assert_vectors(n, a, b, 1e-9);
    assert_ok(cardo_inverse_dynamics(system, state, v, force, f, tau, &error), &error);
    times(n, A, v, b);
    for (int j = 0; j < n; ++j)
        b[j] -= a[j];
    assert_vectors(n, tau, b, 1e-10);
    assert_ok(cardo_bias(system, state, b, &error), &error);
    assert_true(dot(n, b, b) == 0);
    assert_int_equal(cardo_reactions(system, state, force, &error), CARDO_ERROR_UNSUPPORTED);
    assert_int_equal(cardo_articulated_inertia(system, state, 1, M, &error),
                     CARDO_ERROR_UNSUPPORTED);
    cardo_state_destroy(state);
    cardo_system_destroy(system);
}

static void operators_are_those_of_A(void **test)
{
    (void)test;
    for (int index = 0; index < TREES; ++index)
        check_tree(index);
}

static void what_cannot_have_one_is_refused(void **test)
{
    (void)test;
    cardo_error error = {0};
    random_parameters room;
    uint64_t seed = 5;
    double A[36] = {0};
    const cardo_mobilizer *const kinds[] = {&cardo_mobilizer_free, &cardo_mobilizer_ball};
    for (int i = 0; i < 6; ++i)
        A[7 * i] = 1;
    for (int k = 0; k < 2; ++k) {
        cardo_system *system;
        const cardo_body_definition body = random_body(kinds[k], 0, &seed, &room);
        assert_ok(cardo_system_create(&system, &error), &error);
        assert_ok(cardo_system_add_body(system, &body, NULL, &error), &error);
        assert_int_equal(cardo_system_set_mass_matrix(system, A, &error), CARDO_ERROR_ARGUMENT);
        assert_ok(cardo_system_finalize(system, &error), &error);
        assert_int_equal(cardo_system_set_mass_matrix(system, A, &error), CARDO_ERROR_UNSUPPORTED);
        cardo_system_destroy(system);
    }
    cardo_system *system = tree_of_rates(2, &seed);
    double *large = calloc((size_t)(cardo_system_nu(system) * cardo_system_nu(system)), sizeof *A);
    assert_int_equal(cardo_system_set_mass_matrix(system, large, &error), CARDO_ERROR_SINGULAR);
    for (int i = 0; i < cardo_system_nu(system); ++i)
        large[i * (cardo_system_nu(system) + 1)] = 1;
    if (cardo_system_nu(system) > 1) {
        large[1] = 0.1;
        assert_int_equal(cardo_system_set_mass_matrix(system, large, &error), CARDO_ERROR_ARGUMENT);
        large[1] = large[cardo_system_nu(system)] = 2;
        assert_int_equal(cardo_system_set_mass_matrix(system, large, &error), CARDO_ERROR_SINGULAR);
    }
    free(large);
    cardo_system_destroy(system);
}

/* ---- dynamics ---- */

static cardo_simulation *begin(point_model *m, const char *integrator, double timestep,
                               const char *ensemble, cardo_status wanted)
{
    cardo_error error = {0};
    cardo_simulation *simulation;
    char step[64], name[64];
    snprintf(step, sizeof step, "timestep=%.17g ps", timestep);
    snprintf(name, sizeof name, "ensemble=%s", ensemble);
    const char *const options[] = {step, name, "temperature=300 K", "max-energy-jump=1e6"};
    cardo_status status = cardo_simulation_open(m->system, m->state, m->provider, integrator, 4,
                                                options, &simulation, &error);
    assert_int_equal(status, wanted);
    if (status == CARDO_OK)
        assert_ok(cardo_simulation_start(simulation, &error), &error);
    return simulation;
}

static void set_masses(point_model *m)
{
    static const double A[4] = {0.02, 0.008, 0.008, 0.011};
    cardo_error error = {0};
    assert_ok(cardo_system_set_mass_matrix(m->system, A, &error), &error);
}

/* The rms change of the energy over the same time falls fourfold with half the step. */
static void energy_is_kept_to_second_order(void **test)
{
    (void)test;
    double change[2];
    for (int k = 0; k < 2; ++k) {
        point_model m;
        cardo_error error = {0};
        cardo_end end;
        cardo_frame frame;
        point_model_create(&m, POINT_HINGES, true);
        set_masses(&m);
        cardo_simulation *simulation = begin(&m, "verlet", k ? 0.0005 : 0.001, "fixman", CARDO_OK);
        cardo_simulation_frame(simulation, &frame);
        const double first = frame.total;
        double sum = 0;
        for (int i = 1; i <= 500; ++i) {
            assert_ok(cardo_simulation_run(simulation, i * (k ? 2 : 1), NULL, &end, &error),
                      &error);
            cardo_simulation_frame(simulation, &frame);
            sum += (frame.total - first) * (frame.total - first);
        }
        change[k] = sqrt(sum / 500);
        cardo_simulation_destroy(simulation);
        point_model_destroy(&m);
    }
    print_message("rms change of the energy %.3g and %.3g kJ/mol: ratio %.2f\n", change[0],
                  change[1], change[0] / change[1]);
    assert_true(change[0] / change[1] > 3.5 && change[0] / change[1] < 4.6);
}

enum { SAMPLES = 12000 };

static double q[POINT_COORDINATES][SAMPLES];

/* Where a value lies in the cumulative distribution, 0 .. 1. */
static double rank_of(const point_model *m, int k, const double *cumulative, double value)
{
    const double x = (value - m->lowest[k]) / (m->highest[k] - m->lowest[k]) * FINE;
    const int i = (int)fmin(fmax(x, 0), FINE - 1);
    return cumulative[i] + (x - i) * (cumulative[i + 1] - cumulative[i]);
}

/* Standard errors by which means of cosines of the ranks are off, the largest of both hinges and three scales. */
static double deviation(const point_model *m, bool rigid)
{
    static double cumulative[FINE + 1], values[SAMPLES];
    double worst = 0;
    for (int i = 0; i < m->ninternal; ++i) {
        point_model_cumulative(m, i, CARDO_BOLTZMANN * 300, rigid, FINE, cumulative);
        for (int h = 1; h <= 3; ++h) {
            double mean, error;
            for (int k = 0; k < SAMPLES; ++k)
                values[k] = cos(CARDO_PI * h * rank_of(m, i, cumulative, q[i][k]));
            mean_and_error(values, SAMPLES, &mean, &error);
            worst = fmax(worst, fabs(mean / error));
        }
    }
    return worst;
}

/* Under each bath, with a matrix of no relation to the bodies' masses. */
static void marginals_are_those_of_exp_U(void **test)
{
    (void)test;
    static const char *const baths[] = {"baoab", "langevin", "andersen", "hmc", "csvr"};
    for (int b = 0; b < (SUPPORT_SANITIZED ? 1 : 5); ++b) {
        point_model m;
        cardo_error error = {0};
        cardo_end end;
        point_model_create(&m, POINT_HINGES, true);
        set_masses(&m);
        cardo_simulation *simulation = begin(&m, baths[b], 0.02, "fixman", CARDO_OK);
        for (int k = -200; k < SAMPLES; ++k) {
            double now[POINT_COORDINATES];
            const long long step = cardo_simulation_step(simulation) + (b == 3 ? 1 : 10);
            assert_ok(cardo_simulation_run(simulation, step, NULL, &end, &error), &error);
            point_model_internal(&m, now);
            for (int i = 0; k >= 0 && i < m.ninternal; ++i)
                q[i][k] = now[i];
        }
        const double own = deviation(&m, false), other = deviation(&m, true);
        print_message("%-9s off by %.2f standard errors; by the rigid ensemble's %.2f\n", baths[b],
                      own, other);
        assert_true(own < 5);
        assert_true(other > 8);
        cardo_simulation_destroy(simulation);
        begin(&m, baths[b], 0.02, "rigid", CARDO_ERROR_INPUT);
        point_model_destroy(&m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operators_are_those_of_A),
        cmocka_unit_test(what_cannot_have_one_is_refused),
        cmocka_unit_test(energy_is_kept_to_second_order),
        statistical_test(marginals_are_those_of_exp_U),
    };
    return support_run(tests, NULL, NULL);
}
