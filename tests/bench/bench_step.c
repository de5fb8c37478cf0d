/* Our own work around one force evaluation: a step of two bodies with as many stations as LAO has
 * atoms, under a provider that does nothing but hand over forces. Prints medians in microseconds,
 * and allocations per step. */
#include "base/memory.h"
#include "dynamics/evaluation/callback_provider.h"
#include "dynamics/simulation.h"
#include "multibody/mobilizers/path.h"
#include "multibody/tree/operators.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { STATIONS = 3649, MOBILE = 1500, ROUNDS = 201, STEPS = 50, MOST_STEPS = 100000 };

static double forces[3 * STATIONS];

/* The cheapest call of OpenMM there is for LAO: vacuum, 1.6 nm cutoff, CPU platform. */
static const double cheapest_call = 5000.0;

static cardo_status hand_over(void *user, cardo_force_evaluation *evaluation, cardo_error *error)
{
    (void)user;
    (void)error;
    evaluation->energy = 1.0;
    evaluation->station_forces = forces;
    return CARDO_OK;
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return 1e6 * (double)time.tv_sec + 1e-3 * (double)time.tv_nsec;
}

static int compare(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static double random_number(void)
{
    return 2.0 * rand() / RAND_MAX - 1.0;
}

static cardo_status make_system(cardo_system **system, bool free_base, cardo_error *error)
{
    cardo_status status;
    static double positions[3 * STATIONS];
    cardo_transform ends[2] = {xform_identity(),
                               {m33_rotation(v3(0.6, 0.8, 0), 0.9), v3(0.1, -0.1, 0.2)}};
    cardo_path path = {.kind = CARDO_PATH_SCREW, .count = 2, .X_FM = ends};
    cardo_body_definition base = {.name = "stationary",
                                  .mobilizer =
                                      free_base ? &cardo_mobilizer_free : &cardo_mobilizer_weld,
                                  .X_PF = xform_identity(),
                                  .X_BM = xform_identity(),
                                  .mass = {15000, v3(0, 0, 0), {20000, 25000, 30000, 0, 0, 0}}};
    cardo_body_definition mobile = base;
    mobile.name = "mobile";
    mobile.parent = 1;
    mobile.mobilizer = &cardo_mobilizer_path;
    mobile.parameters = &path;
    for (int k = 0; k < 3 * STATIONS; ++k) {
        positions[k] = 2.0 * random_number();
        forces[k] = random_number();
    }
    CARDO_TRY(cardo_system_create(system, error));
    CARDO_TRY(cardo_system_add_body(*system, &base, NULL, error));
    CARDO_TRY(cardo_system_add_body(*system, &mobile, NULL, error));
    CARDO_TRY(cardo_system_add_stations(*system, 1, 0, STATIONS - MOBILE, positions, error));
    CARDO_TRY(cardo_system_add_stations(*system, 2, STATIONS - MOBILE, MOBILE,
                                        positions + 3 * (STATIONS - MOBILE), error));
    CARDO_TRY(cardo_system_finalize(*system, error));
done:
    return status;
}

static cardo_status measure(const char *name, const cardo_integrator *integrator, bool free_base,
                            cardo_error *error)
{
    cardo_status status;
    cardo_system *system = NULL;
    cardo_state *state = NULL;
    cardo_force_provider *provider = NULL;
    cardo_simulation *simulation = NULL;
    cardo_simulation_options options;
    cardo_end end;
    double times[ROUNDS];
    cardo_fields_default(cardo_simulation_fields, &options);
    options.steps = MOST_STEPS;
    CARDO_TRY(make_system(&system, free_base, error));
    CARDO_TRY(cardo_state_create(system, &state, error));
    CARDO_TRY(
        cardo_callback_provider_create(hand_over, NULL, CARDO_FORCE_INVARIANT, &provider, error));
    CARDO_TRY(cardo_simulation_create(system, state, provider, integrator, &options, NULL,
                                      &simulation, error));
    CARDO_TRY(cardo_simulation_start(simulation, error));
    CARDO_TRY(cardo_simulation_run(simulation, STEPS, NULL, &end, error));
    unsigned long allocations = cardo_allocation_count();
    for (int round = 0; round < ROUNDS; ++round) {
        double start = now();
        CARDO_TRY(cardo_simulation_run(simulation, (round + 2) * STEPS, NULL, &end, error));
        times[round] = (now() - start) / STEPS;
    }
    allocations = cardo_allocation_count() - allocations;
    qsort(times, ROUNDS, sizeof *times, compare);
    double median = times[ROUNDS / 2];
    printf("%-28s %8.2f us a step (%.2f .. %.2f), %.3f %% of a call of 5 ms, %.3f allocations a "
           "step\n",
           name, median, times[ROUNDS / 20], times[ROUNDS - 1 - ROUNDS / 20],
           100.0 * median / cheapest_call, (double)allocations / (ROUNDS * STEPS));
done:
    cardo_simulation_destroy(simulation);
    cardo_force_provider_destroy(provider);
    cardo_state_destroy(state);
    cardo_system_destroy(system);
    return status;
}

int main(void)
{
    cardo_error error;
    char name[64];
    printf("two bodies, %d stations, a provider that does nothing; medians of %d rounds\n",
           STATIONS, ROUNDS);
    for (int k = 0; cardo_integrators[k]; ++k)
        for (int free_base = 0; free_base < 2; ++free_base) {
            snprintf(name, sizeof name, "%s, %s base", cardo_integrators[k]->name,
                     free_base ? "free" : "welded");
            if (measure(name, cardo_integrators[k], free_base, &error) != CARDO_OK) {
                fprintf(stderr, "%s\n", error.message);
                return 1;
            }
        }
    return 0;
}
