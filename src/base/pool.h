/* A few threads that wait for work: the same list of tasks, whoever takes which.
 *
 * Tasks are numbered and taken in turn, so which thread runs a task is chance; a caller whose tasks
 * write to places of their own gets the same bits from any number of threads. */
#ifndef CARDO_BASE_POOL_H
#define CARDO_BASE_POOL_H

#include "base/status.h"

typedef struct cardo_pool cardo_pool;

/* One task; it must not start a run of the pool itself. */
typedef void (*cardo_task)(void *arg, int task);

/* As many threads as one may take unasked: OMP_NUM_THREADS where that is set, as everywhere, else
 * one a core. */
int cardo_pool_default(int cores);

/* nthread threads in all, the caller's among them: nthread - 1 are started, and sleep between runs;
 * signals never go to them. 1 to 1024. The caller owns *out. */
cardo_status cardo_pool_create(int nthread, cardo_pool **out, cardo_error *error);
void cardo_pool_destroy(cardo_pool *pool);

int cardo_pool_threads(const cardo_pool *pool);

/* Calls task(arg, k) for k = 0 ... ntask - 1 and returns when all are done; what they wrote is
 * visible to the caller. One run at a time. Allocates nothing. */
void cardo_pool_run(cardo_pool *pool, int ntask, cardo_task task, void *arg);

#endif
