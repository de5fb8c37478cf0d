/* Threads that share out numbered tasks. */
#include "base/pool.h"
#include "support/support.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>

enum { TASKS = 1000, ROUNDS = 2000 };

typedef struct counts {
    atomic_int runs[TASKS];
    int written[TASKS];
} counts;

static void count(void *arg, int task)
{
    counts *c = arg;
    atomic_fetch_add(&c->runs[task], 1);
    c->written[task] += task;
}

static void every_task_once(void **unused)
{
    (void)unused;
    cardo_error error = {0};
    for (int threads = 1; threads <= 4; ++threads) {
        static counts c;
        cardo_pool *pool;
        memset(&c, 0, sizeof c);
        assert_ok(cardo_pool_create(threads, &pool, &error), &error);
        assert_int_equal(cardo_pool_threads(pool), threads);
        for (int n = 0; n <= TASKS; n += 500)
            cardo_pool_run(pool, n, count, &c);
        for (int k = 0; k < TASKS; ++k) {
            assert_int_equal(atomic_load(&c.runs[k]), k < 500 ? 2 : 1);
            assert_int_equal(c.written[k], k < 500 ? 2 * k : k);
        }
        cardo_pool_destroy(pool);
    }
}

/* Short rounds one after the other, where a worker that sleeps or is late would show. */
static void many_rounds(void **unused)
{
    (void)unused;
    cardo_error error = {0};
    static counts c;
    cardo_pool *pool;
    memset(&c, 0, sizeof c);
    assert_ok(cardo_pool_create(3, &pool, &error), &error);
    for (int round = 0; round < ROUNDS; ++round)
        cardo_pool_run(pool, 5, count, &c);
    for (int k = 0; k < 5; ++k)
        assert_int_equal(c.written[k], ROUNDS * k);
    cardo_pool_destroy(pool);
}

typedef struct masks {
    pthread_t caller;
    atomic_int others, deaf; /* tasks of other threads, and those where signals do not come */
} masks;

static void look_at_mask(void *arg, int task)
{
    (void)task;
    masks *m = arg;
    sigset_t mask;
    pthread_sigmask(SIG_BLOCK, NULL, &mask);
    if (pthread_equal(pthread_self(), m->caller))
        return;
    atomic_fetch_add(&m->others, 1);
    if (sigismember(&mask, SIGINT) == 1 && sigismember(&mask, SIGTERM) == 1 &&
        sigismember(&mask, SIGUSR1) == 1 && sigismember(&mask, SIGSEGV) == 0)
        atomic_fetch_add(&m->deaf, 1);
}

/* A host's handlers run in its own threads, whose masks stay. */
static void signals_go_to_the_caller(void **unused)
{
    (void)unused;
    cardo_error error = {0};
    masks m = {.caller = pthread_self()};
    sigset_t before, after;
    cardo_pool *pool;
    pthread_sigmask(SIG_BLOCK, NULL, &before);
    assert_ok(cardo_pool_create(3, &pool, &error), &error);
    pthread_sigmask(SIG_BLOCK, NULL, &after);
    for (int k = 1; k < SIGRTMIN; ++k)
        assert_int_equal(sigismember(&before, k), sigismember(&after, k));
    for (int round = 0; round < 10 || atomic_load(&m.others) == 0; ++round)
        cardo_pool_run(pool, TASKS, look_at_mask, &m);
    assert_int_equal(atomic_load(&m.deaf), atomic_load(&m.others));
    cardo_pool_destroy(pool);
}

static void wrong_numbers(void **unused)
{
    (void)unused;
    cardo_error error = {0};
    cardo_pool *pool;
    assert_fails(cardo_pool_create(0, &pool, &error), &error, CARDO_ERROR_INPUT, "0 threads");
    assert_null(pool);
    cardo_pool_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_task_once),
        cmocka_unit_test(many_rounds),
        cmocka_unit_test(signals_go_to_the_caller),
        cmocka_unit_test(wrong_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
