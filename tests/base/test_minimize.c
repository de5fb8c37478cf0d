#include "base/minimize.h"
#include "support/support.h"

#include <math.h>

enum { N = 40 };

/* sum_k k (x_k - 1)^2 / 2, its values in steps. */
typedef struct rounded {
    double step;
    int evaluations;
} rounded;

static cardo_status evaluate_rounded(void *context, int n, const double *x, double *value,
                                     double *gradient, cardo_error *error)
{
    (void)error;
    rounded *f = context;
    *value = 1000;
    for (int k = 0; k < n; ++k) {
        gradient[k] = (k + 1) * (x[k] - 1);
        *value += 0.5 * gradient[k] * (x[k] - 1);
    }
    if (f->step > 0)
        *value = f->step * floor(*value / f->step + 0.5);
    ++f->evaluations;
    return CARDO_OK;
}

static cardo_minimize_result minimize_rounded(double step, double rounding)
{
    rounded f = {.step = step};
    double x[N] = {0};
    cardo_minimize_result result;
    cardo_error error = {0};
    const cardo_minimize_options options = {
        .most_iterations = 300, .largest_gradient = 1e-3, .unit = 0.01, .rounding = rounding};
    assert_ok(cardo_minimize(N, x, evaluate_rounded, &f, &options, &result, &error), &error);
    assert_int_equal(f.evaluations, result.evaluations);
    for (int k = 0; k < N && result.converged; ++k)
        assert_true(fabs(x[k] - 1) <= 1.0001e-3 / (k + 1));
    return result;
}

/* Values that are known to 0.1 alone have no descent left where forces are a hundred times what is asked for. */
static void rounding_is_told_apart_by_gradients(void **state)
{
    (void)state;
    const cardo_minimize_result exact = minimize_rounded(0, 0), blind = minimize_rounded(0.1, 0),
                                seeing = minimize_rounded(0.1, 0.2);
    print_message(
        "exact in %d evaluations; in steps of 0.1: %.2g left after %d, and with gradients "
        "%.2g after %d\n",
        exact.evaluations, blind.largest_gradient, blind.evaluations, seeing.largest_gradient,
        seeing.evaluations);
    assert_true(exact.converged);
    assert_true(!blind.converged && blind.largest_gradient > 1e-2);
    assert_true(seeing.converged);
    assert_true(seeing.evaluations < 2 * exact.evaluations);
}

/* A slope that grows steeper on the way down, as where a torsion leaps over. */
static cardo_status evaluate_leaping(void *context, int n, const double *x, double *value,
                                     double *gradient, cardo_error *error)
{
    (void)context, (void)error;
    *value = 0;
    for (int k = 0; k < n; ++k) {
        const double y = x[k];
        *value += pow(y, 4) / 4 - pow(y, 2) / 2 - 1e-3 * y;
        gradient[k] = pow(y, 3) - y - 1e-3;
    }
    return CARDO_OK;
}

static void leaves_a_ridge_in_few_steps(void **state)
{
    (void)state;
    double x[N];
    cardo_minimize_result result;
    cardo_error error = {0};
    const cardo_minimize_options options = {
        .most_iterations = 300, .largest_gradient = 1e-5, .unit = 1e-3, .anew = true};
    for (int k = 0; k < N; ++k)
        x[k] = 1e-4 * k;
    assert_ok(cardo_minimize(N, x, evaluate_leaping, NULL, &options, &result, &error), &error);
    print_message("from a ridge in %d iterations, %d evaluations\n", result.iterations,
                  result.evaluations);
    assert_true(result.converged);
    assert_true(result.evaluations < 60);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rounding_is_told_apart_by_gradients),
        cmocka_unit_test(leaves_a_ridge_in_few_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
