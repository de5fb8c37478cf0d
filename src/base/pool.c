#include "base/pool.h"

#include "base/memory.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Spins last about a third of a millisecond: longer than whatever lies between two evaluations of a
 * run, so that workers stay awake on processors of their own. One that has slept is woken on the
 * caller's. */
enum { MOST_THREADS = 1024, SPINS = 20000 };

struct cardo_pool {
    int nthread, nstarted;
    pthread_t *thread;
    pthread_mutex_t mutex;
    pthread_cond_t work, finished;
    /* What runs now; written by the caller between runs, read by who has a ticket for one of its tasks: until that is done no other run begins. */
    cardo_task task;
    void *arg;
    atomic_uint_fast64_t ticket; /* how many tasks there are, and the next of them */
    atomic_int done;             /* so many of them are                            */
    atomic_uint round;
    atomic_bool leave;
};

enum { TICKET_BITS = 32 };

/* Nobody waits for a worker that has taken nothing: where other programs want the processors it may be long until it has one. */
static void take_tasks(cardo_pool *pool)
{
    int mine = 0, ntask = 0;
    for (;;) {
        const uint64_t ticket = atomic_fetch_add_explicit(&pool->ticket, 1, memory_order_acq_rel);
        const uint32_t task = (uint32_t)ticket, most = (uint32_t)(ticket >> TICKET_BITS);
        if (task >= most)
            break;
        ntask = (int)most;
        pool->task(pool->arg, (int)task);
        ++mine;
    }
    if (mine > 0 &&
        atomic_fetch_add_explicit(&pool->done, mine, memory_order_acq_rel) + mine == ntask) {
        pthread_mutex_lock(&pool->mutex);
        pthread_cond_signal(&pool->finished);
        pthread_mutex_unlock(&pool->mutex);
    }
}

static void rest(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

/* Runs follow each other within microseconds inside an evaluation: looking again a few thousand
 * times is cheaper than sleeping at once. */
static unsigned wait_for_round(cardo_pool *pool, unsigned seen)
{
    for (int spin = 0; spin < SPINS; ++spin) {
        unsigned round = atomic_load_explicit(&pool->round, memory_order_acquire);
        if (round != seen)
            return round;
        rest();
    }
    pthread_mutex_lock(&pool->mutex);
    while (atomic_load_explicit(&pool->round, memory_order_acquire) == seen)
        pthread_cond_wait(&pool->work, &pool->mutex);
    pthread_mutex_unlock(&pool->mutex);
    return atomic_load_explicit(&pool->round, memory_order_acquire);
}

static void *worker(void *arg)
{
    cardo_pool *pool = arg;
    unsigned seen = 0;
    for (;;) {
        seen = wait_for_round(pool, seen);
        if (atomic_load_explicit(&pool->leave, memory_order_relaxed))
            return NULL;
        take_tasks(pool);
    }
}

static void start_round(cardo_pool *pool, int ntask)
{
    atomic_store_explicit(&pool->done, 0, memory_order_relaxed);
    atomic_store_explicit(&pool->ticket, (uint64_t)ntask << TICKET_BITS, memory_order_release);
    pthread_mutex_lock(&pool->mutex);
    atomic_fetch_add_explicit(&pool->round, 1, memory_order_release);
    pthread_cond_broadcast(&pool->work);
    pthread_mutex_unlock(&pool->mutex);
}

static void wait_until_done(cardo_pool *pool, int ntask)
{
    for (int spin = 0; spin < SPINS; ++spin) {
        if (atomic_load_explicit(&pool->done, memory_order_acquire) == ntask)
            return;
        rest();
    }
    pthread_mutex_lock(&pool->mutex);
    while (atomic_load_explicit(&pool->done, memory_order_acquire) < ntask)
        pthread_cond_wait(&pool->finished, &pool->mutex);
    pthread_mutex_unlock(&pool->mutex);
}

void cardo_pool_run(cardo_pool *pool, int ntask, cardo_task task, void *arg)
{
    if (pool->nstarted == 0 || ntask < 2) {
        for (int k = 0; k < ntask; ++k)
            task(arg, k);
        return;
    }
    pool->task = task;
    pool->arg = arg;
    start_round(pool, ntask);
    take_tasks(pool);
    wait_until_done(pool, ntask);
}

int cardo_pool_default(int cores)
{
    const char *wanted = getenv("OMP_NUM_THREADS");
    int n = wanted ? atoi(wanted) : 0;
    if (n <= 0)
        n = cores;
    return n < 1 ? 1 : n > MOST_THREADS ? MOST_THREADS : n;
}

/* A thread has the signal mask of the one that starts it. Signals are for the program's own threads; what
 * a thread brings upon itself it keeps, and profilers' ticks. */
static void mask_signals(sigset_t *before)
{
    static const int kept[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS, SIGPROF};
    sigset_t all;
    sigfillset(&all);
    for (int k = 0; k < (int)(sizeof kept / sizeof *kept); ++k)
        sigdelset(&all, kept[k]);
    pthread_sigmask(SIG_BLOCK, &all, before);
}

static cardo_status start_threads(cardo_pool *pool, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    sigset_t before;
    mask_signals(&before);
    while (pool->nstarted < pool->nthread - 1 && status == CARDO_OK) {
        int failed = pthread_create(&pool->thread[pool->nstarted], NULL, worker, pool);
        if (failed)
            status = CARDO_FAIL(error, CARDO_ERROR_MEMORY, "thread %d cannot be started: %s",
                                pool->nstarted + 2, strerror(failed));
        else
            ++pool->nstarted;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return status;
}

cardo_status cardo_pool_create(int nthread, cardo_pool **out, cardo_error *error)
{
    cardo_status status;
    cardo_pool *pool = NULL;
    *out = NULL;
    if (nthread < 1 || nthread > MOST_THREADS)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT, "%d threads: give 1 to %d", nthread,
                          MOST_THREADS);
    CARDO_TRY(CARDO_ALLOCATE(&pool, 1, error));
    pool->nthread = nthread;
    pthread_mutex_init(&pool->mutex, NULL);
    pthread_cond_init(&pool->work, NULL);
    pthread_cond_init(&pool->finished, NULL);
    CARDO_TRY(CARDO_ALLOCATE(&pool->thread, nthread, error));
    CARDO_TRY(start_threads(pool, error));
    *out = pool;
    pool = NULL;
done:
    cardo_pool_destroy(pool);
    return status;
}

void cardo_pool_destroy(cardo_pool *pool)
{
    if (!pool)
        return;
    atomic_store_explicit(&pool->leave, true, memory_order_relaxed);
    start_round(pool, 0);
    for (int k = 0; k < pool->nstarted; ++k)
        pthread_join(pool->thread[k], NULL);
    pthread_cond_destroy(&pool->finished);
    pthread_cond_destroy(&pool->work);
    pthread_mutex_destroy(&pool->mutex);
    cardo_free(pool->thread);
    cardo_free(pool);
}

int cardo_pool_threads(const cardo_pool *pool)
{
    return pool->nthread;
}
