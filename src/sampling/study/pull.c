#include "sampling/study/pull.h"

#include "base/memory.h"
#include "base/units.h"
#include "sampling/methods/windows.h"

#include <math.h>
#include <string.h>

enum {
    STATIONS = 128,
    PARTS = 150,          /* of the range: the spring's own fluctuation                     */
    WARMING = 4,          /* rounds at the start and at the end: those of a station        */
    PULL_REPLICA = 60000, /* after those of the study's own walkers and its probes        */
};

/* How near an end is near enough: of the range, or in standard deviations of a spring that the time
 * step keeps soft. */
static const double reach = 0.1, deviations = 5;

/* One round with the spring's end at a place; the configuration at its end joins the way. */
static cardo_status lead(cardo_sampling *sampling, cardo_crew *crew, double place,
                         const volatile sig_atomic_t *interrupt, cardo_end *end, cardo_error *error)
{
    crew->walkers[0].bias.values[CARDO_HARMONIC_CENTRE] = place;
    crew->walkers[0].moved = true;
    return cardo_journal_run(&sampling->journal, sampling->plan.listener, crew, crew->round + 1,
                             interrupt, end, error);
}

static void remember(cardo_way *way, const cardo_walker *walker)
{
    way->xi[way->n] = walker->xi[walker->nsample - 1];
    memcpy(way->q + (size_t)way->n * (size_t)way->nq, cardo_walker_record_q(walker),
           (size_t)way->nq * sizeof *way->q);
    ++way->n;
}

static cardo_status check_end(const cardo_sampling *sampling, const cardo_walker *walker,
                              double place, double start, cardo_error *error)
{
    double xi = cardo_sampling_image(sampling, walker->xi[walker->nsample - 1]);
    double left = cardo_periodic_difference(place, xi, walker->bias.period);
    double stiffness = walker->bias.values[CARDO_HARMONIC_STIFFNESS];
    double soft = deviations * sqrt(CARDO_BOLTZMANN * walker->temperature / stiffness);
    if (fabs(left) <= fmax(soft, reach * (sampling->options.to - sampling->options.from)))
        return CARDO_OK;
    return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                      "a spring of %.4g kJ/mol per square of %s, moved from %.6g to %.6g at the "
                      "speed of sample.pull=%lld steps for the whole range, brought it to %.6g "
                      "only: the way is blocked or steep. Sample a shorter range, pull more slowly "
                      "(more steps), or let more coordinates give way",
                      stiffness, cardo_variable_name(sampling->plan.variable), start, place,
                      sampling->options.pull, xi);
}

/* A walker of its own, held at a place. */
static cardo_status make_walker(cardo_sampling *sampling, const cardo_walk *walk, double stiffness,
                                double place, cardo_crew *crew, cardo_error *error)
{
    cardo_status status;
    CARDO_TRY(cardo_crew_create(walk, sampling->plan.communicator, 1, crew, error));
    cardo_walker *walker = &crew->walkers[0];
    CARDO_TRY(cardo_bias_create(&walker->bias, &cardo_bias_harmonic,
                                cardo_variable_period(sampling->plan.variable),
                                CARDO_HARMONIC_VALUES, error));
    walker->bias.values[CARDO_HARMONIC_STIFFNESS] = stiffness;
    walker->place = walker->bias.values[CARDO_HARMONIC_CENTRE] = place;
    status = cardo_crew_start(crew, NULL, NULL, error);
done:
    return status;
}

/* The rounds that lead_over takes. */
static long long rounds_over(const cardo_sampling *sampling, double first, double last, int warming)
{
    const double step = (sampling->options.to - sampling->options.from) / STATIONS;
    return warming + 1 + (long long)ceil(fabs(last - first) / step - 1e-9) + WARMING;
}

/* From one place to another, after `warming` rounds at the first; what it comes by joins the way. */
static cardo_status lead_over(cardo_sampling *sampling, cardo_crew *crew, double first, double last,
                              int warming, bool remembered, const volatile sig_atomic_t *interrupt,
                              cardo_end *end, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    cardo_walker *walker = &crew->walkers[0];
    const double step = (sampling->options.to - sampling->options.from) / STATIONS;
    double left = fabs(last - first);
    for (int k = -warming; *end == CARDO_END_DONE && (k <= 0 || left > 1e-9 * step); ++k) {
        if (k > 0)
            left = fmax(0, left - step);
        CARDO_TRY(
            lead(sampling, crew, last > first ? last - left : last + left, interrupt, end, error));
        if (*end == CARDO_END_DONE && k >= 0 && remembered)
            remember(&sampling->way, walker);
    }
    for (int k = 0; k < WARMING && *end == CARDO_END_DONE; ++k)
        CARDO_TRY(lead(sampling, crew, last, interrupt, end, error));
    if (*end != CARDO_END_DONE)
        goto done;
    if (remembered)
        remember(&sampling->way, walker);
    status = check_end(sampling, walker, last, first, error);
done:
    return status;
}

/* From the start to one end of the range. */
static cardo_status lead_to(cardo_sampling *sampling, const cardo_walk *walk, double stiffness,
                            double start, bool up, const volatile sig_atomic_t *interrupt,
                            cardo_end *end, cardo_error *error)
{
    cardo_status status;
    cardo_crew crew = {0};
    const double last = up ? sampling->options.to : sampling->options.from;
    CARDO_TRY(make_walker(sampling, walk, stiffness, start, &crew, error));
    CARDO_TRY(lead_over(sampling, &crew, start, last, WARMING, true, interrupt, end, error));
done:
    cardo_crew_clear(&crew);
    return status;
}

static cardo_status lead_out(cardo_sampling *sampling, cardo_walk *walk, double stiffness,
                             double start, const volatile sig_atomic_t *interrupt, cardo_end *end,
                             cardo_error *error)
{
    cardo_journal_begin(&sampling->journal, "pull",
                        rounds_over(sampling, start, sampling->options.to, WARMING) +
                            rounds_over(sampling, start, sampling->options.from, WARMING));
    cardo_status status = lead_to(sampling, walk, stiffness, start, true, interrupt, end, error);
    ++walk->simulation.replica;
    return status == CARDO_OK && *end == CARDO_END_DONE
               ? lead_to(sampling, walk, stiffness, start, false, interrupt, end, error)
               : status;
}

/* To the end that is farther from the start, and from there over the whole range. */
static cardo_status lead_back(cardo_sampling *sampling, cardo_walk *walk, double stiffness,
                              double start, const volatile sig_atomic_t *interrupt, cardo_end *end,
                              cardo_error *error)
{
    cardo_status status;
    cardo_crew crew = {0};
    const double from = sampling->options.from, to = sampling->options.to;
    const double far = to - start >= start - from ? to : from, near = from + to - far;
    const double dwell = (double)sampling->options.equilibration / walk->round;
    const int warming = WARMING + (int)fmin(ceil(dwell), 1e9);
    cardo_journal_begin(&sampling->journal, "pull",
                        rounds_over(sampling, start, far, WARMING) +
                            rounds_over(sampling, far, near, warming));
    CARDO_TRY(make_walker(sampling, walk, stiffness, start, &crew, error));
    CARDO_TRY(lead_over(sampling, &crew, start, far, WARMING, false, interrupt, end, error));
    if (*end == CARDO_END_DONE)
        CARDO_TRY(lead_over(sampling, &crew, far, near, warming, true, interrupt, end, error));
done:
    cardo_crew_clear(&crew);
    return status;
}

cardo_status cardo_sampling_pull(cardo_sampling *sampling, long long steps,
                                 const volatile sig_atomic_t *interrupt, cardo_end *end,
                                 cardo_error *error)
{
    cardo_status status;
    double stiffness, start;
    cardo_walk walk = sampling->walk;
    cardo_way *way = &sampling->way;
    const bool back = sampling->number % 2 == 1;
    walk.simulation.replica += PULL_REPLICA;
    walk.round = walk.interval = (int)fmin(fmax(ceil((double)steps / STATIONS), 1), 1e9);
    walk.ngather = 0;
    walk.crews = 1;
    *end = CARDO_END_DONE;
    CARDO_TRY(cardo_windows_stiffest(sampling, PARTS, &stiffness, error));
    CARDO_TRY(cardo_variable_value(sampling->plan.variable, sampling->plan.start, &start, error));
    start = cardo_sampling_image(sampling, start);
    way->nq = cardo_system_nq(sampling->plan.system);
    CARDO_TRY(CARDO_ALLOCATE(&way->xi, STATIONS + 8, error));
    CARDO_TRY(CARDO_ALLOCATE(&way->q, (STATIONS + 8) * (size_t)way->nq, error));
    cardo_sampling_note(sampling,
                        "a spring pulls one walker %s in %lld steps: all walkers begin from "
                        "configurations on its way\n",
                        back ? "to the far end of the range, and back over it" : "over the range",
                        steps);
    CARDO_TRY(
        (back ? lead_back : lead_out)(sampling, &walk, stiffness, start, interrupt, end, error));
    if (*end == CARDO_END_DONE)
        sampling->walk.way = way;
done:
    return status;
}
