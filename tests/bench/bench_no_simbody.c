#include "bench/bench_constraints.h"
#include "bench/bench_contact.h"
#include "bench/bench_models.h"

#include <stddef.h>

double bench_simbody_forward(const bench_model *model, double seconds)
{
    (void)model, (void)seconds;
    return 0;
}

bench_simbody *bench_simbody_open(bench_closure closure, int n)
{
    (void)closure, (void)n;
    return NULL;
}

void bench_simbody_close(bench_simbody *system)
{
    (void)system;
}

double bench_simbody_batch(bench_simbody *system, int calls)
{
    (void)system, (void)calls;
    return 0;
}

bench_simbody_balls *bench_simbody_balls_open(const bench_balls *balls)
{
    (void)balls;
    return NULL;
}

void bench_simbody_balls_close(bench_simbody_balls *self)
{
    (void)self;
}

double bench_simbody_balls_realize(bench_simbody_balls *self, const double *q, const double *u,
                                   int calls, double *udot)
{
    (void)self, (void)q, (void)u, (void)calls;
    *udot = 0;
    return 0;
}

double bench_simbody_balls_run(bench_simbody_balls *self, const double *q, const double *u,
                               double time, double step)
{
    (void)self, (void)q, (void)u, (void)time, (void)step;
    return 0;
}
