/* Elastic-network modes against the Hessian of the energy by finite differences, and blocks against
 * single points. */
#include "analysis/domains/elastic_network.h"
#include "base/linalg.h"
#include "base/memory.h"
#include "base/vec.h"
#include "blob.h"
#include "support/support.h"

#include <math.h>
#include <stdlib.h>

static cardo_error error;

enum { SMALL = 30, MODES = 3 };

/* Half the squared stretch of all springs that position0 has, per unit spring constant. */
static double energy(const double *position0, const double *position, int n, double cutoff)
{
    double sum = 0;
    for (int i = 0; i < n; ++i)
        for (int j = i + 1; j < n; ++j) {
            double rest = v3_norm(v3_sub(v3_load(position0 + 3 * i), v3_load(position0 + 3 * j)));
            double now = v3_norm(v3_sub(v3_load(position + 3 * i), v3_load(position + 3 * j)));
            sum += rest < cutoff ? 0.5 * (now - rest) * (now - rest) : 0;
        }
    return sum;
}

static void modes_are_of_the_energy(void **state)
{
    (void)state;
    enum { SIZE = 3 * SMALL };
    uint64_t seed = 4;
    double at[SIZE], moved[SIZE], stiffness[MODES], *mode, *hessian, values[SIZE];
    int chain[SMALL] = {0};
    const double cutoff = 1.2, h = 1e-4;
    blob_fill(at, 0, SMALL, v3(0, 0, 0), 1.0, &seed);
    assert_ok(CARDO_ALLOCATE(&mode, MODES * SIZE, &error), &error);
    assert_ok(CARDO_ALLOCATE(&hessian, SIZE * SIZE, &error), &error);
    assert_ok(cardo_elastic_modes(SMALL, at, chain, cutoff, MODES, stiffness, mode, &error),
              &error);
    for (int r = 0; r < SIZE; ++r)
        for (int c = 0; c <= r; ++c) {
            double sum = 0;
            for (int sign = 0; sign < 4; ++sign) {
                for (int k = 0; k < SIZE; ++k)
                    moved[k] = at[k];
                moved[r] += sign & 1 ? h : -h;
                moved[c] += sign & 2 ? h : -h;
                sum += (sign == 0 || sign == 3 ? 1 : -1) * energy(at, moved, SMALL, cutoff);
            }
            hessian[r * SIZE + c] = hessian[c * SIZE + r] = sum / (4 * h * h);
        }
    assert_ok(cardo_symmetric_eigen(SIZE, hessian, values, &error), &error);
    for (int m = 0; m < MODES; ++m) {
        double overlap = 0, square = 0;
        assert_close(stiffness[m], values[6 + m], 1e-5);
        for (int k = 0; k < SIZE; ++k) {
            overlap += mode[m * SIZE + k] * hessian[k * SIZE + 6 + m];
            square += mode[m * SIZE + k] * mode[m * SIZE + k];
        }
        assert_close(square / SMALL, 1, 1e-12);
        assert_close(fabs(overlap) / sqrt(square), 1, 1e-4);
    }
    cardo_free(mode);
    cardo_free(hessian);
}

static void blocks_keep_the_soft_modes(void **state)
{
    (void)state;
    enum { LARGE = 360 };
    uint64_t seed = 8;
    double *at, *in_blocks, *single, stiffness[2][MODES];
    int *chain;
    assert_ok(CARDO_ALLOCATE(&at, 3 * LARGE, &error), &error);
    assert_ok(CARDO_ALLOCATE(&in_blocks, MODES * 3 * LARGE, &error), &error);
    assert_ok(CARDO_ALLOCATE(&single, MODES * 3 * LARGE, &error), &error);
    assert_ok(CARDO_ALLOCATE(&chain, LARGE, &error), &error);
    for (int k = 0; k < 3; ++k)
        blob_fill(at, 120 * k, 120, v3(2.6 * k, 0, 0), 1.5, &seed);
    assert_ok(cardo_elastic_modes(LARGE, at, chain, 1.5, MODES, stiffness[0], in_blocks, &error),
              &error);
    /* A chain each is a block each. */
    for (int i = 0; i < LARGE; ++i)
        chain[i] = i;
    assert_ok(cardo_elastic_modes(LARGE, at, chain, 1.5, MODES, stiffness[1], single, &error),
              &error);
    double overlap = 0;
    for (int i = 0; i < 3 * LARGE; ++i)
        overlap += in_blocks[i] * single[i] / LARGE;
    assert_true(fabs(overlap) > 0.95);
    assert_true(stiffness[0][0] >= stiffness[1][0]);
    assert_true(stiffness[0][0] < 2 * stiffness[1][0]);
    cardo_free(at);
    cardo_free(in_blocks);
    cardo_free(single);
    cardo_free(chain);
}

static void refuses_what_falls_apart(void **state)
{
    (void)state;
    uint64_t seed = 2;
    double at[3 * SMALL], stiffness[MODES], mode[MODES * 3 * SMALL];
    int chain[SMALL] = {0};
    blob_fill(at, 0, SMALL, v3(0, 0, 0), 1.0, &seed);
    for (int i = SMALL / 2; i < SMALL; ++i)
        at[3 * i] += 20;
    assert_fails(cardo_elastic_modes(SMALL, at, chain, 1.5, MODES, stiffness, mode, &error), &error,
                 CARDO_ERROR_INPUT, "falls apart");
    assert_fails(cardo_elastic_modes(5, at, chain, 1.5, MODES, stiffness, mode, &error), &error,
                 CARDO_ERROR_INPUT, "too few");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(modes_are_of_the_energy),
        cmocka_unit_test(blocks_keep_the_soft_modes),
        cmocka_unit_test(refuses_what_falls_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
