#include "sampling/methods/scan_relaxed.h"

#include "base/memory.h"
#include "base/units.h"
#include "sampling/methods/relaxation.h"

#include <math.h>
#include <string.h>

/* keep has entries: where the course stands, places upwards, places downwards. In an entry: q after
 * these. */
enum { POTENTIAL, SLOPE, REACHED, ENTRY_HEAD };

/* Of the distance between places: how near the variable comes to one. */
static const double nearness = 0.01;
/* The first spring holds the variable to this part of that distance against kT. */
static const double tightness = 0.1;

static size_t entry_size(const cardo_sampling *sampling)
{
    return ENTRY_HEAD + (size_t)cardo_system_nq(sampling->plan.system);
}

static int places_of(const cardo_sampling *sampling)
{
    return cardo_scan_options_of(sampling)->places;
}

int cardo_scan_relaxed_count(const cardo_sampling *sampling)
{
    return (1 + 2 * places_of(sampling)) * (int)entry_size(sampling);
}

double cardo_scan_xi(const cardo_sampling *sampling, int k)
{
    const cardo_sampling_options *o = &sampling->options;
    return o->from + (o->to - o->from) * k / (places_of(sampling) - 1);
}

/* Entry 0 is where the course stands. */
static double *entry(const cardo_sampling *sampling, int which)
{
    return sampling->keep + (size_t)which * entry_size(sampling);
}

static int entry_of(const cardo_sampling *sampling, cardo_scan_pass pass, int k)
{
    return 1 + (pass == CARDO_SCAN_DOWN ? places_of(sampling) : 0) + k;
}

/* Up from the start, down, up again: what the first way leaves the last one replaces. */
static int entry_of_round(const cardo_sampling *sampling, long long round, int *k)
{
    const int n = places_of(sampling), ahead = (int)sampling->rounds - 2 * n;
    if (round < ahead) {
        *k = n - ahead + (int)round;
        return entry_of(sampling, CARDO_SCAN_UP, *k);
    }
    round -= ahead;
    *k = round < n ? n - 1 - (int)round : (int)round - n;
    return entry_of(sampling, round < n ? CARDO_SCAN_DOWN : CARDO_SCAN_UP, *k);
}

cardo_status cardo_scan_relaxed_open(cardo_sampling *sampling, cardo_error *error)
{
    double start;
    const int n = places_of(sampling);
    const double apart = cardo_scan_xi(sampling, 1) - cardo_scan_xi(sampling, 0);
    cardo_status status =
        cardo_variable_value(sampling->plan.variable, sampling->plan.start, &start, error);
    if (status != CARDO_OK)
        return status;
    start = (cardo_sampling_image(sampling, start) - sampling->options.from) / apart;
    sampling->rounds = 3 * n - (int)fmin(fmax(round(start), 0), n - 1);
    return CARDO_OK;
}

cardo_status cardo_scan_relaxed_begin(cardo_sampling *sampling, cardo_error *error)
{
    cardo_status status;
    CARDO_TRY(cardo_sampling_make_crew(sampling, 1, error));
    cardo_walker *walker = &sampling->crew.walkers[0];
    CARDO_TRY(cardo_bias_create(&walker->bias, &cardo_bias_none, 0, 0, error));
    CARDO_TRY(
        cardo_variable_value(sampling->plan.variable, sampling->plan.start, &walker->place, error));
    CARDO_TRY(cardo_crew_start(&sampling->crew, NULL, NULL, error));
    memcpy(entry(sampling, 0) + ENTRY_HEAD, cardo_state_q(sampling->plan.start),
           (size_t)cardo_system_nq(sampling->plan.system) * sizeof(double));
done:
    return status;
}

static cardo_status open_relaxation(cardo_sampling *sampling, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    cardo_relaxation *relaxation;
    if (sampling->working)
        return CARDO_OK;
    const double kT = CARDO_BOLTZMANN * sampling->walk.simulation.temperature;
    const double width = tightness * (cardo_scan_xi(sampling, 1) - cardo_scan_xi(sampling, 0));
    CARDO_TRY(CARDO_ALLOCATE(&relaxation, 1, error));
    sampling->working = relaxation;
    status = cardo_relaxation_open(relaxation, sampling, &cardo_scan_options_of(sampling)->reach,
                                   kT / (width * width), error);
done:
    return status;
}

void cardo_scan_relaxed_close(cardo_sampling *sampling)
{
    cardo_relaxation_clear(sampling->working);
    cardo_free(sampling->working);
    sampling->working = NULL;
}

/* The first member's part: where the course stands becomes place k, relaxed. */
static cardo_status relax(cardo_sampling *sampling, int k, const volatile sig_atomic_t *interrupt,
                          bool *interrupted, cardo_error *error)
{
    double *now = entry(sampling, 0);
    const double apart = cardo_scan_xi(sampling, 1) - cardo_scan_xi(sampling, 0);
    bool reached = false;
    cardo_status status = open_relaxation(sampling, error);
    if (status == CARDO_OK)
        status = cardo_relaxation_run(sampling->working, cardo_scan_xi(sampling, k),
                                      nearness * apart, interrupt, now + ENTRY_HEAD, &now[SLOPE],
                                      &now[POTENTIAL], &reached, interrupted, error);
    now[REACHED] = reached;
    if (status != CARDO_OK)
        cardo_error_prefix(
            error, "the minimum at %s = %.6g: ", cardo_variable_name(sampling->plan.variable),
            cardo_scan_xi(sampling, k));
    return status;
}

cardo_status cardo_scan_relaxed_advance(cardo_sampling *sampling,
                                        const volatile sig_atomic_t *interrupt, cardo_end *end,
                                        cardo_error *error)
{
    cardo_status status = CARDO_OK;
    cardo_communicator *communicator = sampling->plan.communicator;
    bool interrupted = interrupt && *interrupt;
    const size_t bytes = entry_size(sampling) * sizeof(double);
    int k;
    double *to = entry(sampling, entry_of_round(sampling, sampling->round, &k));
    *end = CARDO_END_FAILED;
    if (cardo_communicator_owns(communicator, 0) && !interrupted)
        status = relax(sampling, k, interrupt, &interrupted, error);
    status = cardo_communicator_agree(communicator, status, error);
    if (status == CARDO_OK)
        status = cardo_communicator_any(communicator, &interrupted, error);
    if (status == CARDO_OK && !interrupted)
        status = cardo_communicator_share(communicator, entry(sampling, 0), bytes, 1, error);
    if (status != CARDO_OK)
        return status;
    *end = interrupted ? CARDO_END_INTERRUPTED : CARDO_END_DONE;
    if (!interrupted)
        memcpy(to, entry(sampling, 0), bytes);
    return CARDO_OK;
}

cardo_scan_place cardo_scan_relaxed_place(const cardo_sampling *sampling, cardo_scan_pass pass,
                                          int k)
{
    const double *of = entry(sampling, entry_of(sampling, pass, k));
    return (cardo_scan_place){.xi = cardo_scan_xi(sampling, k),
                              .q = of + ENTRY_HEAD,
                              .potential = of[POTENTIAL],
                              .reached = of[REACHED] != 0};
}
