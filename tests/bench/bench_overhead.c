/* Our own work around one OpenMM call, measured in the run itself: bench_overhead MODEL.xml [STEPS]
 *
 * Prints medians over the steps of a Verlet run: the whole step, the provider's call inside it, their difference and its
 * share, and what was taken from the heap after the first step. Give a model with method="cutoff" cutoff="1.6 nm" and
 * solvent="none" for the cheapest call. */
#include "base/memory.h"
#include "dynamics/simulation.h"
#include "study/session/session.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { MOST_STEPS = 100000 };

static cardo_status (*real_compute)(cardo_force_provider *, cardo_force_evaluation *,
                                    cardo_error *);
static double call_time, calls[MOST_STEPS], own[MOST_STEPS];

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e6 * (double)t.tv_sec + 1e-3 * (double)t.tv_nsec;
}

static cardo_status timed_compute(cardo_force_provider *self, cardo_force_evaluation *evaluation,
                                  cardo_error *error)
{
    double start = now();
    cardo_status status = real_compute(self, evaluation, error);
    call_time = now() - start;
    return status;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values, int n)
{
    qsort(values, (size_t)n, sizeof *values, by_value);
    return values[n / 2];
}

static cardo_status measure(const char *model, int steps, cardo_error *error)
{
    cardo_status status;
    cardo_session *session = NULL;
    cardo_simulation *simulation = NULL;
    cardo_end end;
    cardo_simulation_options options;
    cardo_fields_default(cardo_simulation_fields, &options);
    options.steps = steps + 1;
    CARDO_TRY(cardo_session_open(model, NULL, NULL, &session, error));
    real_compute = session->provider->compute;
    session->provider->compute = timed_compute;
    CARDO_TRY(cardo_simulation_create(session->system, session->state, session->provider,
                                      &cardo_integrator_verlet, &options, NULL, &simulation,
                                      error));
    CARDO_TRY(cardo_simulation_start(simulation, error));
    CARDO_TRY(cardo_simulation_run(simulation, 1, NULL, &end, error));
    unsigned long allocations = cardo_allocation_count();
    for (int k = 0; k < steps; ++k) {
        double start = now();
        CARDO_TRY(cardo_simulation_run(simulation, k + 2, NULL, &end, error));
        own[k] = now() - start - call_time;
        calls[k] = call_time;
    }
    allocations = cardo_allocation_count() - allocations;
    double ours = median(own, steps), theirs = median(calls, steps);
    printf("%s: %s\n", session->model->name, session->provider->doc);
    printf("  OpenMM's call   %10.1f us\n  our own work    %10.1f us (%.1f .. %.1f), %.2f %% of "
           "the call\n",
           theirs, ours, own[steps / 10], own[steps * 9 / 10], 100 * ours / theirs);
    printf("  allocations     %10.3f a step\n", (double)allocations / steps);
done:
    cardo_simulation_destroy(simulation);
    cardo_session_close(session);
    return status;
}

int main(int argc, char **argv)
{
    cardo_error error = {0};
    int steps = argc > 2 ? atoi(argv[2]) : 400;
    if (argc < 2 || steps < 10 || steps > MOST_STEPS) {
        fprintf(stderr, "usage: bench_overhead MODEL.xml [STEPS]\n");
        return 2;
    }
    if (measure(argv[1], steps, &error) == CARDO_OK)
        return 0;
    fprintf(stderr, "bench_overhead: %s\n", error.message);
    return 1;
}
