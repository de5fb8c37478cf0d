#include "bench/bench_constraints.h"
#include "bench/bench_models.h"

double bench_simbody_forward(const bench_model *model, double seconds)
{
    (void)model, (void)seconds;
    return 0;
}

double bench_simbody_closure(bench_closure closure, int n, double seconds)
{
    (void)closure, (void)n, (void)seconds;
    return 0;
}
