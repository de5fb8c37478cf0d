#include "sampling/methods/windows.h"

#include "base/memory.h"
#include "base/units.h"
#include "sampling/variables/response.h"

#include <math.h>

enum {
    FEWEST_WINDOWS = 16,
    MOST_WINDOWS = 200,
    PROBE_PLACES = 9,
    MOST_PROBES = 4,
    FEWEST_SAMPLES = 20,
    MOST_SOFTENINGS = 10,
    PROBE_REPLICA = 50000 /* after those of the study's own walkers (context.c) */
};

static const double widths_apart = 1.5, least_overlap = 0.02;
/* Of a period that windows may take; of the range that they may leave out at an end. */
static const double most_of_period = 0.9, least_left_out = 0.005;
/* Of neighbours beyond an end: what would be more than twice as far apart as on flat ground. */
static const double least_overlap_beyond = 0.3;
/* Relative; what differs by less differs by rounding. */
static const double same_spacing = 1e-6;

/* Mean and variance of the second half of a walker's samples, over images near its place. */
typedef struct moments {
    int n;
    double mean, variance;
} moments;

static moments look(const cardo_walker *walker)
{
    moments m = {0};
    double sum = 0, square = 0;
    for (int k = walker->nsample / 2; k < walker->nsample; ++k) {
        double x = cardo_periodic_difference(walker->xi[k], walker->place, walker->bias.period);
        sum += x;
        square += x * x;
        ++m.n;
    }
    if (m.n > 1) {
        m.mean = walker->place + sum / m.n;
        m.variance = (square - sum * sum / m.n) / (m.n - 1);
    }
    return m;
}

static double centre_of(const cardo_walker *walker)
{
    return walker->bias.values[CARDO_HARMONIC_CENTRE];
}

static bool is_round(const cardo_sampling *sampling)
{
    double period = cardo_variable_period(sampling->plan.variable);
    return period > 0 && sampling->options.to - sampling->options.from > period * (1 - 1e-9);
}

/* Centres evenly from end to end; round a whole period the last one would be the first. */
static void spread(const cardo_sampling *sampling, cardo_windows *windows)
{
    double range = sampling->options.to - sampling->options.from;
    int gaps = is_round(sampling) ? windows->count : windows->count - 1;
    windows->first = sampling->options.from;
    windows->spacing = gaps > 0 ? range / gaps : range;
    windows->nbeyond[0] = windows->nbeyond[1] = 0;
}

double cardo_windows_centre(const cardo_windows *w, int k)
{
    const int inner = w->count - w->nbeyond[0] - w->nbeyond[1] - 1;
    const int below = k < w->nbeyond[0] ? k : w->nbeyond[0], rest = k - below;
    const int within = rest < inner ? rest : inner;
    return w->first + below * w->spacing_beyond[0] + within * w->spacing +
           (rest - within) * w->spacing_beyond[1];
}

static double kT_of(const cardo_sampling *sampling)
{
    return CARDO_BOLTZMANN * sampling->walk.simulation.temperature;
}

static int count_for(const cardo_sampling *sampling, double stiffness)
{
    double range = sampling->options.to - sampling->options.from;
    double gaps = ceil(range / (widths_apart * sqrt(kT_of(sampling) / stiffness)) - 1e-9);
    return (int)fmin(fmax(gaps, 1) + (is_round(sampling) ? 0 : 1), 1e6);
}

/* The stiffness that suits a spacing on a flat landscape. */
static double stiffness_for(const cardo_sampling *sampling, double spacing)
{
    return kT_of(sampling) * widths_apart * widths_apart / (spacing * spacing);
}

/* At the study's start: the inverse of the mass that a spring on the variable moves. */
static cardo_status compliance(const cardo_sampling *sampling, double *result, cardo_error *error)
{
    cardo_status status;
    const cardo_system *system = sampling->plan.system;
    const int nu = cardo_system_nu(system);
    cardo_state *state = NULL;
    double *gradient = NULL, *moved = NULL, xi;
    CARDO_TRY(cardo_state_create(system, &state, error));
    CARDO_TRY(CARDO_ALLOCATE(&gradient, nu, error));
    CARDO_TRY(CARDO_ALLOCATE(&moved, nu, error));
    cardo_state_copy(state, sampling->plan.start);
    CARDO_TRY(cardo_realize(system, state, CARDO_STAGE_DYNAMICS, error));
    CARDO_TRY(cardo_variable_gradient(sampling->plan.variable, state, &xi, gradient, error));
    CARDO_TRY(cardo_variable_response(system, state, gradient, moved, result, error));
done:
    cardo_state_destroy(state);
    cardo_free(gradient);
    cardo_free(moved);
    return status;
}

cardo_status cardo_windows_check_step(const cardo_sampling *sampling, double stiffness,
                                      cardo_error *error)
{
    double inverse_mass, h = sampling->walk.simulation.timestep;
    cardo_status status = compliance(sampling, &inverse_mass, error);
    if (status != CARDO_OK || sqrt(stiffness * inverse_mass) * h <= 1)
        return status;
    return CARDO_FAIL(
        error, CARDO_ERROR_INPUT,
        "springs of %.4g kJ/mol per square of %s swing in %.3g ps, too fast for steps "
        "of %g ps: take a stiffness below %.3g (fewer windows, or given by hand), or "
        "a time step below %.2g ps",
        stiffness, cardo_variable_name(sampling->plan.variable),
        2 * CARDO_PI / sqrt(stiffness * inverse_mass), h, 1 / (h * h * inverse_mass),
        1 / sqrt(stiffness * inverse_mass));
}

cardo_status cardo_windows_stiffest(const cardo_sampling *sampling, int parts, double *stiffness,
                                    cardo_error *error)
{
    double reach = (sampling->options.to - sampling->options.from) / parts;
    *stiffness = kT_of(sampling) / (reach * reach);
    cardo_status status = CARDO_OK;
    for (int k = 0; k < MOST_SOFTENINGS; ++k, *stiffness /= 2) {
        status = cardo_windows_check_step(sampling, *stiffness, error);
        if (status != CARDO_ERROR_INPUT)
            return status;
    }
    return status;
}

/* The sharpest downward curvature of the free energy that the probe shows, as a positive number: from
 * each place's variance, kT / var = k + F'', and from the mean forces at neighbouring places. */
static double sharpest(const cardo_sampling *sampling, const cardo_crew *crew, int count,
                       double stiffness)
{
    double lowest = 0, force[2] = {0}, mean[2] = {0};
    for (int k = 0; k < count; ++k) {
        moments m = look(&crew->walkers[k]);
        if (m.n < FEWEST_SAMPLES || !(m.variance > 0))
            continue;
        lowest = fmin(lowest, kT_of(sampling) / m.variance - stiffness);
        mean[1] = m.mean;
        force[1] = stiffness * (centre_of(&crew->walkers[k]) - m.mean);
        if (k > 0 && mean[1] - mean[0] > 0)
            lowest = fmin(lowest, (force[1] - force[0]) / (mean[1] - mean[0]));
        mean[0] = mean[1];
        force[0] = force[1];
    }
    return -lowest;
}

/* How the free energy rises outwards at the two ends of the range, and is curved upwards there. */
typedef struct slopes {
    double at[2], curvature[2];
} slopes;

/* By how much a walker's mean lies inside of an end (-1: the lower, 1: the upper one). */
static double short_of(const cardo_sampling *sampling, const cardo_walker *walker, int side)
{
    const moments m = look(walker);
    return side > 0 ? sampling->options.to - m.mean : m.mean - sampling->options.from;
}

/* From the outermost windows: the spring's mean force, and on to the end as the variance curves. */
static slopes look_at_ends(const cardo_sampling *sampling, const cardo_crew *crew, int count)
{
    slopes s = {{0, 0}, {0, 0}};
    for (int side = -1; side <= 1 && !is_round(sampling); side += 2) {
        const cardo_walker *walker = &crew->walkers[side > 0 ? count - 1 : 0];
        const double stiffness = walker->bias.values[CARDO_HARMONIC_STIFFNESS];
        const moments m = look(walker);
        if (m.n < FEWEST_SAMPLES || !(m.variance > 0))
            continue;
        const double curvature = fmax(0, kT_of(sampling) / m.variance - stiffness);
        s.curvature[side > 0] = curvature;
        s.at[side > 0] = fmax(0, side * stiffness * (centre_of(walker) - m.mean) +
                                     curvature * short_of(sampling, walker, side));
    }
    return s;
}

/* Where springs k stand on ground that is curved by K, walkers' means come after the centres by k/(k + K), and their width is less by the root of that. Half of
 * what is curved counts: it is known roughly, and may be less further on. */
static double spacing_beyond(const cardo_windows *windows, double curvature)
{
    return windows->spacing * sqrt(1 + 0.5 * curvature / windows->stiffness);
}

/* Windows beyond each end, as many as take the mean of the outermost one there; those that are stay. */
static void go_beyond(const cardo_sampling *sampling, const slopes *s, cardo_windows *windows)
{
    const double period = cardo_variable_period(sampling->plan.variable);
    for (int side = 0; side < 2; ++side) {
        const int sign = side > 0 ? 1 : -1;
        const double first = cardo_windows_centre(windows, 0);
        const double last = cardo_windows_centre(windows, windows->count - 1);
        const double end = side > 0 ? sampling->options.to : sampling->options.from;
        const double beyond =
            s->at[side] / windows->stiffness - sign * ((side > 0 ? last : first) - end);
        const double room = period > 0 ? most_of_period * period - (last - first) : HUGE_VAL;
        if (windows->nbeyond[side] == 0)
            windows->spacing_beyond[side] = spacing_beyond(windows, s->curvature[side]);
        const double apart = windows->spacing_beyond[side];
        const int extra = (int)fmin(fmax(ceil(beyond / apart - 0.5), 0),
                                    fmin(MOST_WINDOWS - windows->count, floor(room / apart)));
        if (extra <= 0)
            continue;
        windows->count += extra;
        windows->nbeyond[side] += extra;
        windows->first -= side > 0 ? 0 : extra * apart;
    }
}

static cardo_status probe_once(cardo_sampling *sampling, const cardo_walk *walk,
                               const cardo_windows *windows, long long steps,
                               const volatile sig_atomic_t *interrupt, double *curvature,
                               slopes *ends, cardo_end *end, cardo_error *error)
{
    cardo_status status;
    cardo_crew crew = {0};
    CARDO_TRY(cardo_windows_check_step(sampling, windows->stiffness, error));
    CARDO_TRY(cardo_crew_create(walk, sampling->plan.communicator, windows->count, &crew, error));
    CARDO_TRY(cardo_windows_set(windows, sampling, &crew, 0, error));
    CARDO_TRY(cardo_sampling_equilibrate(sampling, &crew, "probe", steps, interrupt, end, error));
    *curvature = sharpest(sampling, &crew, crew.nwalker, windows->stiffness);
    *ends = look_at_ends(sampling, &crew, crew.nwalker);
done:
    cardo_crew_clear(&crew);
    return status;
}

/* Springs twice as stiff as the landscape falls away need no stronger ones; weaker ones cannot see
 * how it does, so the probe is repeated with them stiffer. */
static cardo_status probe(cardo_sampling *sampling, long long steps,
                          const volatile sig_atomic_t *interrupt, cardo_windows *windows,
                          slopes *ends, cardo_end *end, cardo_error *error)
{
    cardo_walk walk = sampling->walk;
    walk.simulation.replica += PROBE_REPLICA;
    walk.ngather = 0;
    walk.crews = 1;
    cardo_windows places = {.count = PROBE_PLACES};
    spread(sampling, &places);
    double range = sampling->options.to - sampling->options.from, curvature = 0;
    double softest = stiffness_for(sampling, range / (FEWEST_WINDOWS - 1));
    places.stiffness = softest;
    for (int k = 0; k < MOST_PROBES; ++k) {
        cardo_status status =
            probe_once(sampling, &walk, &places, steps, interrupt, &curvature, ends, end, error);
        if (status != CARDO_OK || *end != CARDO_END_DONE)
            return status;
        walk.simulation.replica += PROBE_PLACES;
        if (2 * curvature <= places.stiffness)
            break;
        places.stiffness *= 4;
    }
    windows->stiffness = fmax(softest, 2 * curvature);
    windows->count = count_for(sampling, windows->stiffness);
    cardo_sampling_note(sampling,
                        "probe: %d points, %lld steps each; the free energy curves down by %.4g "
                        "kJ/mol per square of %s at most\n",
                        PROBE_PLACES, steps, curvature,
                        cardo_variable_name(sampling->plan.variable));
    return CARDO_OK;
}

cardo_status cardo_windows_choose(cardo_sampling *sampling, int count, double stiffness,
                                  long long steps, const volatile sig_atomic_t *interrupt,
                                  cardo_windows *windows, cardo_end *end, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    slopes ends = {{0, 0}, {0, 0}};
    *end = CARDO_END_DONE;
    *windows = (cardo_windows){.count = count, .stiffness = stiffness};
    if (count == 0 && !(stiffness > 0))
        status = probe(sampling, steps, interrupt, windows, &ends, end, error);
    else if (count == 0)
        windows->count = count_for(sampling, stiffness);
    if (status != CARDO_OK || *end != CARDO_END_DONE)
        return status;
    if (count == 0 && windows->count > MOST_WINDOWS)
        return CARDO_FAIL(
            error, CARDO_ERROR_INPUT,
            "springs of %.4g kJ/mol per square of %s would take %d windows from %g to %g: sample a "
            "shorter range, or set how many windows (sample.windows=%d)",
            windows->stiffness, cardo_variable_name(sampling->plan.variable), windows->count,
            sampling->options.from, sampling->options.to, MOST_WINDOWS);
    spread(sampling, windows);
    if (!(windows->stiffness > 0))
        windows->stiffness = stiffness_for(sampling, windows->spacing);
    go_beyond(sampling, &ends, windows);
    return cardo_windows_check_step(sampling, windows->stiffness, error);
}

cardo_windows cardo_windows_of(const cardo_crew *crew, int ntemperature)
{
    const cardo_walker *w = crew->walkers;
    const int count = crew->nwalker / ntemperature;
    cardo_windows windows = {.count = count,
                             .first = centre_of(&w[0]),
                             .spacing = HUGE_VAL,
                             .stiffness = w[0].bias.values[CARDO_HARMONIC_STIFFNESS]};
    for (int k = 0; k + 1 < count; ++k)
        windows.spacing = fmin(windows.spacing, centre_of(&w[k + 1]) - centre_of(&w[k]));
    for (int side = 0; side < 2; ++side)
        for (int k = 0; k + 1 < count; ++k) {
            const int lower = side > 0 ? count - 2 - k : k;
            const double apart = centre_of(&w[lower + 1]) - centre_of(&w[lower]);
            if (apart <= windows.spacing * (1 + same_spacing))
                break;
            windows.nbeyond[side] = k + 1;
            windows.spacing_beyond[side] = apart;
        }
    return windows;
}

cardo_status cardo_windows_set(const cardo_windows *windows, cardo_sampling *sampling,
                               cardo_crew *crew, int first, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    double period = cardo_variable_period(sampling->plan.variable);
    for (int k = 0; k < windows->count && status == CARDO_OK; ++k) {
        cardo_walker *walker = &crew->walkers[first + k];
        double centre = cardo_windows_centre(windows, k);
        if (fabs(centre) < 1e-12 * windows->spacing)
            centre = 0;
        /* Walkers of windows beyond an end begin at it: they are hardly ever further out. */
        walker->place = is_round(sampling)
                            ? centre
                            : fmin(fmax(centre, sampling->options.from), sampling->options.to);
        status = cardo_bias_create(&walker->bias, &cardo_bias_harmonic, period,
                                   CARDO_HARMONIC_VALUES, error);
        if (status != CARDO_OK)
            break;
        walker->bias.values[CARDO_HARMONIC_CENTRE] = centre;
        walker->bias.values[CARDO_HARMONIC_STIFFNESS] = windows->stiffness;
    }
    return status;
}

bool cardo_windows_stiffen(cardo_sampling *sampling, cardo_windows *windows)
{
    double curvature = sharpest(sampling, &sampling->crew, windows->count, windows->stiffness);
    double stiffness = 2 * windows->stiffness;
    if (2 * curvature <= windows->stiffness || count_for(sampling, stiffness) > MOST_WINDOWS)
        return false;
    windows->stiffness = stiffness;
    windows->count = count_for(sampling, stiffness);
    spread(sampling, windows);
    return true;
}

/* What the windows sample: two standard deviations beyond the outermost means. */
cardo_status cardo_windows_check_ends(const cardo_sampling *sampling, const cardo_windows *windows,
                                      bool chosen, cardo_error *error)
{
    const cardo_crew *crew = &sampling->crew;
    const double from = sampling->options.from, to = sampling->options.to;
    const char *name = cardo_variable_name(sampling->plan.variable);
    const moments low = look(&crew->walkers[0]), high = look(&crew->walkers[windows->count - 1]);
    if (is_round(sampling) || low.n < FEWEST_SAMPLES || high.n < FEWEST_SAMPLES)
        return CARDO_OK;
    const double first = low.mean - 2 * sqrt(low.variance);
    const double last = high.mean + 2 * sqrt(high.variance);
    if (first - from <= least_left_out * (to - from) && to - last <= least_left_out * (to - from))
        return CARDO_OK;
    const double lowest = fmax(first, from), highest = fmin(last, to);
    if (chosen)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "the free energy rises so steeply that %d windows sample %s from %.4g to "
                          "%.4g only: take that range (sample.from=%.4g sample.to=%.4g), or set "
                          "more and stiffer windows by hand",
                          windows->count, name, lowest, highest, lowest, highest);
    cardo_sampling_note(
        sampling,
        "these windows sample %s from %.4g to %.4g, and next to nothing of the rest "
        "of %.4g to %.4g: the free energy is too steep for their springs. Stiffer "
        "ones would do, or none given by hand\n",
        name, lowest, highest, from, to);
    return CARDO_OK;
}

static double overlap(moments a, moments b)
{
    double sum = a.variance + b.variance, apart = a.mean - b.mean;
    return sqrt(2 * sqrt(a.variance * b.variance) / sum) * exp(-0.25 * apart * apart / sum);
}

/* What equilibration shows, or, where it was too short to, a spring on flat ground. */
static moments look_or_guess(const cardo_walker *walker)
{
    moments m = look(walker);
    if (m.n >= FEWEST_SAMPLES && m.variance > 0)
        return m;
    return (moments){.n = m.n,
                     .mean = centre_of(walker),
                     .variance = CARDO_BOLTZMANN * walker->temperature /
                                 walker->bias.values[CARDO_HARMONIC_STIFFNESS]};
}

/* Windows beyond an end stand half as far apart where neighbours hardly overlap, down to the range's own spacing. */
static bool close_up(const cardo_crew *crew, cardo_windows *windows)
{
    bool closer = false;
    const int before = windows->count;
    for (int side = 0; side < 2; ++side) {
        const int n = windows->nbeyond[side], first = side > 0 ? before - 1 - n : 0;
        double least = 1;
        for (int k = first; k < first + n; ++k)
            least = fmin(least, overlap(look_or_guess(&crew->walkers[k]),
                                        look_or_guess(&crew->walkers[k + 1])));
        if (least >= least_overlap_beyond || windows->count + n > MOST_WINDOWS ||
            windows->spacing_beyond[side] <= windows->spacing * (1 + same_spacing))
            continue;
        const double apart = windows->spacing_beyond[side],
                     half = fmax(0.5 * apart, windows->spacing);
        const int more = (int)ceil(n * apart / half - same_spacing);
        windows->spacing_beyond[side] = half;
        windows->nbeyond[side] = more;
        windows->count += more - n;
        windows->first -= side > 0 ? 0 : more * half - n * apart;
        closer = true;
    }
    return closer;
}

bool cardo_windows_extend(cardo_sampling *sampling, cardo_windows *windows)
{
    const int before = windows->count;
    const cardo_walker *walkers = sampling->crew.walkers;
    slopes s = look_at_ends(sampling, &sampling->crew, before);
    if (short_of(sampling, &walkers[0], -1) <= 0.5 * windows->spacing)
        s.at[0] = 0;
    if (short_of(sampling, &walkers[before - 1], 1) <= 0.5 * windows->spacing)
        s.at[1] = 0;
    const bool closer = close_up(&sampling->crew, windows);
    go_beyond(sampling, &s, windows);
    return closer || windows->count > before;
}

cardo_status cardo_windows_check(const cardo_windows *windows, const cardo_crew *crew, int first,
                                 double *least, cardo_error *error)
{
    *least = 1;
    for (int k = 0; k + 1 < windows->count; ++k) {
        const cardo_walker *walker = &crew->walkers[first + k];
        moments here = look_or_guess(walker), next = look_or_guess(walker + 1);
        double shared = overlap(here, next);
        *least = fmin(*least, shared);
        if (shared >= least_overlap)
            continue;
        return CARDO_FAIL(
            error, CARDO_ERROR_INPUT,
            "the windows at %s = %.6g and %.6g do not overlap: springs hold "
            "them at %.6g +- %.2g and %.6g +- %.2g, so nothing joins their free "
            "energies. Take more windows (sample.windows=%d in place of %d, which are %.4g apart), "
            "another stiffness (it is %.4g), or, where they are still on their way, "
            "longer equilibration or less friction",
            cardo_variable_name(walker->walk->variable), centre_of(walker), centre_of(walker + 1),
            here.mean, sqrt(here.variance), next.mean, sqrt(next.variance), 2 * windows->count,
            windows->count, windows->spacing, windows->stiffness);
    }
    return CARDO_OK;
}
