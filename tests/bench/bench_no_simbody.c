#include "bench/bench_constraints.h"
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
