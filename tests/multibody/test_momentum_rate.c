/* d/dt (M u) of random trees left to themselves, against differences of M along qdot and the bias. */
#include "multibody/random_tree.h"

#include "multibody/tree/operators.h"
#include "support/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TREES = 100, MOST_BODIES = 20 };

/* M v at a place. */
static void momenta_at(const cardo_system *system, cardo_state *state, const double *q,
                       const double *v, double *out)
{
    cardo_error error;
    cardo_state_set_q(state, q);
    assert_ok(cardo_realize(system, state, CARDO_STAGE_POSITION, &error), &error);
    assert_ok(cardo_multiply_m(system, state, v, out, &error), &error);
}

static void check_tree(int index)
{
    cardo_error error;
    cardo_state *state;
    uint64_t seed = 31 + 7919 * (uint64_t)index;
    cardo_system *system = random_tree(1 + index * MOST_BODIES / TREES, &seed);
    const int nq = cardo_system_nq(system), nu = cardo_system_nu(system), n = nq + nu + 1;
    double *q = calloc((size_t)(4 * n), sizeof *q), *qdot = q + n;
    double *u = calloc((size_t)(6 * n), sizeof *u), *rate = u + n, *bias = rate + n;
    double *plus = bias + n, *minus = plus + n, size = 1;
    const double h = 1e-5;
    random_coordinates(system, &seed, q);
    random_numbers(nu, &seed, u);
    assert_ok(cardo_state_create(system, &state, &error), &error);
    cardo_state_set_q(state, q);
    cardo_state_set_u(state, u);
    assert_ok(cardo_realize(system, state, CARDO_STAGE_VELOCITY, &error), &error);
    assert_ok(cardo_momentum_rate(system, state, rate, &error), &error);
    assert_ok(cardo_bias(system, state, bias, &error), &error);
    if (nq > 0) {
        memcpy(q, cardo_state_q(state), (size_t)nq * sizeof *q);
        memcpy(qdot, cardo_state_qdot(state), (size_t)nq * sizeof *q);
    }
    for (int side = -1; side <= 1; side += 2) {
        double *moved = q + 2 * n;
        for (int k = 0; k < nq; ++k)
            moved[k] = q[k] + side * h * qdot[k];
        momenta_at(system, state, moved, u, side > 0 ? plus : minus);
    }
    for (int k = 0; k < nu; ++k)
        size = fmax(size, fmax(fabs(bias[k]), fabs(rate[k])));
    for (int k = 0; k < nu; ++k)
        support_assert_close(rate[k], (plus[k] - minus[k]) / (2 * h) - bias[k], 1e-5 * size,
                             "rate of a momentum", __FILE__, __LINE__);
    cardo_state_destroy(state);
    cardo_system_destroy(system);
    free(q);
    free(u);
}

static void rates_are_those_of_m_u(void **test)
{
    (void)test;
    for (int index = 0; index < TREES; ++index)
        check_tree(index);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rates_are_those_of_m_u)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
