/* States: stages and their errors, copies and records bitwise, no allocation in any operator, many
 * states in many threads. */
#include "multibody/random_tree.h"

#include "base/memory.h"
#include "multibody/mobilizers/descriptor.h"
#include "multibody/tree/force_element.h"
#include "multibody/tree/operators.h"
#include "support/support.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { BODIES = 14, STEPS = 60 };

/* One semi-implicit step with damping; the caller's buffers have room. */
static cardo_status step(const cardo_system *system, cardo_state *state, double *q, double *u,
                         cardo_error *error)
{
    const double h = 1e-3;
    const int nq = cardo_system_nq(system), nu = cardo_system_nu(system);
    cardo_status status = cardo_realize(system, state, CARDO_STAGE_ACCELERATION, error);
    if (status != CARDO_OK)
        return status;
    for (int j = 0; j < nu; ++j)
        u[j] = 0.98 * cardo_state_u(state)[j] + h * cardo_state_udot(state)[j];
    cardo_state_set_u(state, u);
    cardo_multiply_n(system, state, u, q, NULL);
    for (int i = 0; i < nq; ++i)
        q[i] = cardo_state_q(state)[i] + h * q[i];
    cardo_state_set_q(state, q);
    cardo_state_set_time(state, cardo_state_time(state) + h);
    return CARDO_OK;
}

static cardo_state *start(const cardo_system *system, uint64_t seed)
{
    cardo_error error = {0};
    cardo_state *state;
    double *q = calloc((size_t)cardo_system_nq(system) + 1, sizeof *q);
    double *u = calloc((size_t)cardo_system_nu(system) + 1, sizeof *u);
    assert_ok(cardo_state_create(system, &state, &error), &error);
    random_coordinates(system, &seed, q);
    random_numbers(cardo_system_nu(system), &seed, u);
    for (int i = 0; i < cardo_system_nu(system); ++i)
        u[i] *= 0.1;
    cardo_state_set_q(state, q);
    cardo_state_set_u(state, u);
    free(q);
    free(u);
    return state;
}

static void run(const cardo_system *system, cardo_state *state, int steps)
{
    cardo_error error = {0};
    double *q = calloc((size_t)cardo_system_nq(system) + 1, sizeof *q);
    double *u = calloc((size_t)cardo_system_nu(system) + 1, sizeof *u);
    for (int i = 0; i < steps; ++i)
        assert_ok(step(system, state, q, u, &error), &error);
    free(q);
    free(u);
}

/* Every accessor and operator refuses below its stage, naming it, and answers at it. */
static void test_stages(void **unused)
{
    (void)unused;
    uint64_t seed = 5;
    cardo_error error = {0};
    cardo_system *system = random_tree(BODIES, &seed);
    cardo_state *state = start(system, 9);
    double *v = calloc((size_t)cardo_system_nu(system) + 1, sizeof *v), number;
    cardo_spatial *F = calloc((size_t)cardo_system_nbody(system), sizeof *F);
    assert_int_equal(cardo_state_stage(state), CARDO_STAGE_TIME);
    assert_null(cardo_state_X_GB(state));
    assert_null(cardo_state_X_FM(state));
    assert_fails(cardo_multiply_jt(system, state, F, v, &error), &error, CARDO_ERROR_STAGE,
                 "position");
    assert_fails(cardo_mass_matrix(system, state, v, &error), &error, CARDO_ERROR_STAGE, "time");
    assert_ok(cardo_realize(system, state, CARDO_STAGE_POSITION, &error), &error);
    assert_non_null(cardo_state_X_GB(state));
    assert_null(cardo_state_V_GB(state));
    assert_null(cardo_state_qdot(state));
    assert_fails(cardo_kinetic_energy(system, state, &number, &error), &error, CARDO_ERROR_STAGE,
                 "velocity");
    assert_ok(cardo_realize(system, state, CARDO_STAGE_VELOCITY, &error), &error);
    assert_non_null(cardo_state_qdot(state));
    assert_fails(cardo_multiply_minv(system, state, v, v, &error), &error, CARDO_ERROR_STAGE,
                 "dynamics");
    assert_fails(cardo_log_det_m_gradient(system, state, v, &error), &error, CARDO_ERROR_STAGE,
                 "dynamics");
    assert_ok(cardo_realize(system, state, CARDO_STAGE_DYNAMICS, &error), &error);
    assert_null(cardo_state_udot(state));
    assert_null(cardo_state_A_GB(state));
    assert_null(cardo_state_qdotdot(state));
    assert_fails(cardo_reactions(system, state, F, &error), &error, CARDO_ERROR_STAGE,
                 "acceleration");
    assert_ok(cardo_realize(system, state, CARDO_STAGE_ACCELERATION, &error), &error);
    assert_non_null(cardo_state_A_GB(state));
    cardo_state_set_forces(state, F, NULL);
    assert_int_equal(cardo_state_stage(state), CARDO_STAGE_DYNAMICS);
    assert_null(cardo_state_udot(state));
    cardo_state_set_u(state, v);
    assert_int_equal(cardo_state_stage(state), CARDO_STAGE_POSITION);
    assert_null(cardo_state_V_GB(state));
    assert_non_null(cardo_state_X_GB(state));
    cardo_state_set_q(state, cardo_state_q(state));
    assert_int_equal(cardo_state_stage(state), CARDO_STAGE_TIME);
    free(v);
    free(F);
    cardo_state_destroy(state);
    cardo_system_destroy(system);
}

/* Stage by stage, or all at once: the same bits. */
static void test_fused_is_same(void **unused)
{
    (void)unused;
    for (uint64_t tree = 1; tree < 20; ++tree) {
        uint64_t seed = tree;
        cardo_error error = {0};
        cardo_system *system = random_tree(BODIES, &seed);
        cardo_state *a = start(system, tree), *b = start(system, tree);
        assert_ok(cardo_realize(system, a, CARDO_STAGE_ACCELERATION, &error), &error);
        for (cardo_stage s = CARDO_STAGE_POSITION; s <= CARDO_STAGE_ACCELERATION; ++s)
            assert_ok(cardo_realize(system, b, s, &error), &error);
        const size_t n = (size_t)cardo_system_nu(system) * sizeof(double);
        if (n > 0)
            assert_memory_equal(cardo_state_udot(a), cardo_state_udot(b), n);
        assert_memory_equal(cardo_state_A_GB(a) + 1, cardo_state_A_GB(b) + 1,
                            BODIES * sizeof(cardo_spatial));
        cardo_state_destroy(a);
        cardo_state_destroy(b);
        cardo_system_destroy(system);
    }
}

/* Bodies are worked on in blocks of eight: chains of every length about that, of one mobilizer each,
 * give the bits of the first bodies of a longer chain, position by position; and fused the same as
 * one stage after the other. */
static void test_blocks(void **unused)
{
    (void)unused;
    enum { LONGEST = 19 };
    static const cardo_mobilizer *const kinds[] = {&cardo_mobilizer_pin, &cardo_mobilizer_ball,
                                                   &cardo_mobilizer_free, &cardo_mobilizer_slider,
                                                   NULL};
    static random_parameters room;
    cardo_error error = {0};
    for (int kind = 0; kinds[kind]; ++kind) {
        double x[LONGEST + 1][3];
        for (int n = LONGEST; n > 0; --n) {
            uint64_t seed = 5;
            cardo_system *system;
            assert_ok(cardo_system_create(&system, &error), &error);
            for (int k = 0; k < n; ++k) {
                cardo_body_definition body = random_body(kinds[kind], k, &seed, &room);
                assert_ok(cardo_system_add_body(system, &body, NULL, &error), &error);
            }
            assert_ok(cardo_system_finalize(system, &error), &error);
            cardo_state *a, *b;
            assert_ok(cardo_state_create(system, &a, &error), &error);
            assert_ok(cardo_state_create(system, &b, &error), &error);
            double q[7 * LONGEST], u[6 * LONGEST];
            for (int i = 0; i < cardo_system_nq(system); ++i)
                q[i] = cardo_state_q(a)[i] + 0.3 * sin(1.7 * i + 1);
            for (int i = 0; i < cardo_system_nu(system); ++i)
                u[i] = cos(0.9 * i);
            cardo_state_set_q(a, q);
            cardo_state_set_u(a, u);
            cardo_state_copy(b, a);
            assert_ok(cardo_realize(system, a, CARDO_STAGE_ACCELERATION, &error), &error);
            for (cardo_stage s = CARDO_STAGE_POSITION; s <= CARDO_STAGE_ACCELERATION; ++s)
                assert_ok(cardo_realize(system, b, s, &error), &error);
            assert_memory_equal(cardo_state_udot(a), cardo_state_udot(b),
                                (size_t)cardo_system_nu(system) * sizeof(double));
            for (int k = 1; k <= n; ++k) {
                const cardo_vec3 p = cardo_state_X_GB(a)[k].p;
                if (n == LONGEST)
                    v3_store(x[k], p);
                assert_memory_equal(x[k], &p, sizeof p);
            }
            cardo_state_destroy(a);
            cardo_state_destroy(b);
            cardo_system_destroy(system);
        }
    }
}

/* Copied at any step, or written and read, a state goes on bitwise alike. */
static void test_continue(void **unused)
{
    (void)unused;
    uint64_t seed = 77;
    cardo_error error = {0};
    cardo_system *system = random_tree(BODIES, &seed);
    cardo_state *straight = start(system, 3);
    run(system, straight, STEPS);
    for (int stop = 20; stop < 25; ++stop) {
        cardo_state *first = start(system, 3), *copy = start(system, 8), *read = start(system, 11);
        run(system, first, stop);
        assert_ok(cardo_realize(system, first, (cardo_stage)(stop % 5), &error), &error);
        cardo_state_copy(copy, first);
        const size_t size = cardo_state_record_size(first);
        unsigned char *record = malloc(size);
        cardo_state_write(first, record);
        assert_ok(cardo_state_read(read, record, size, &error), &error);
        assert_ok(cardo_state_compare(first, read, &error), &error);
        run(system, copy, STEPS - stop);
        run(system, read, STEPS - stop);
        assert_ok(cardo_state_compare(straight, copy, &error), &error);
        assert_ok(cardo_state_compare(straight, read, &error), &error);
        record[size - 3] ^= 4;
        assert_fails(cardo_state_read(read, record, size, &error), &error, CARDO_ERROR_INPUT,
                     "checksum");
        assert_fails(cardo_state_read(read, record, size - 1, &error), &error, CARDO_ERROR_INPUT,
                     "bytes");
        record[0] = 'x';
        assert_fails(cardo_state_read(read, record, size, &error), &error, CARDO_ERROR_INPUT,
                     "not the record");
        free(record);
        cardo_state_destroy(first);
        cardo_state_destroy(copy);
        cardo_state_destroy(read);
    }
    cardo_state *other = start(system, 4);
    assert_fails(cardo_state_compare(straight, other, &error), &error, CARDO_ERROR_NUMERICAL,
                 "differs");
    cardo_state_destroy(other);
    cardo_state_destroy(straight);
    cardo_system_destroy(system);
}

/* A thread's share: its own state of the shared system. */
typedef struct share {
    const cardo_system *system;
    cardo_state *state;
} share;

static void *run_share(void *argument)
{
    share *own = argument;
    const int nq = cardo_system_nq(own->system), nu = cardo_system_nu(own->system);
    double *q = calloc((size_t)nq + 1, sizeof *q), *u = calloc((size_t)nu + 1, sizeof *u);
    double *g = calloc((size_t)nu + 1, sizeof *g);
    cardo_spatial *F = calloc(BODIES + 1, sizeof *F);
    cardo_status status = CARDO_OK;
    for (int i = 0; i < STEPS && status == CARDO_OK; ++i) {
        status = step(own->system, own->state, q, u, NULL);
        if (status == CARDO_OK)
            status = cardo_realize(own->system, own->state, CARDO_STAGE_DYNAMICS, NULL);
        if (status == CARDO_OK)
            status = cardo_log_det_m_gradient(own->system, own->state, g, NULL);
        if (status == CARDO_OK)
            status = cardo_multiply_minv(own->system, own->state, u, g, NULL);
        if (status == CARDO_OK)
            status = cardo_realize(own->system, own->state, CARDO_STAGE_ACCELERATION, NULL);
        if (status == CARDO_OK)
            status = cardo_reactions(own->system, own->state, F, NULL);
        if (status == CARDO_OK)
            status = cardo_inverse_dynamics(own->system, own->state, u, F, NULL, g, NULL);
        if (!cardo_state_A_GB(own->state) || !cardo_state_X_FM(own->state))
            status = CARDO_ERROR_STAGE;
    }
    free(q);
    free(u);
    free(g);
    free(F);
    return status == CARDO_OK ? own : NULL;
}

static void test_threads(void **unused)
{
    (void)unused;
    enum { THREADS = 4 };
    uint64_t seed = 321;
    cardo_error error = {0};
    cardo_system *system = random_tree(BODIES, &seed);
    cardo_state *alone = start(system, 6);
    share shares[THREADS];
    pthread_t threads[THREADS];
    share single = {system, alone};
    assert_non_null(run_share(&single));
    for (int i = 0; i < THREADS; ++i) {
        shares[i] = (share){system, start(system, 6)};
        assert_int_equal(pthread_create(&threads[i], NULL, run_share, &shares[i]), 0);
    }
    for (int i = 0; i < THREADS; ++i) {
        void *result;
        pthread_join(threads[i], &result);
        assert_non_null(result);
        assert_ok(cardo_state_compare(alone, shares[i].state, &error), &error);
        cardo_state_destroy(shares[i].state);
    }
    cardo_state_destroy(alone);
    cardo_system_destroy(system);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stages),  cmocka_unit_test(test_fused_is_same),
        cmocka_unit_test(test_blocks),  cmocka_unit_test(test_continue),
        cmocka_unit_test(test_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
