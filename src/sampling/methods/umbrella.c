#include "base/field.h"
#include "base/number.h"
#include "sampling/methods/exchange.h"
#include "sampling/methods/method.h"
#include "sampling/methods/windows.h"
#include "sampling/methods/windows_estimate.h"

#include <string.h>

/* Short runs scatter, and what moves slowly looks like a ridge: windows double in stiffness twice at
 * most. Where walkers are caught for a while on either side of what lies between two windows, these do not
 * overlap yet: equilibration doubles three times at most before that is called a mistake. Windows go on beyond
 * the ends of the range four times at most. */
enum { MOST_TEMPERATURES = 32, MOST_STIFFENINGS = 2, MOST_EXTENSIONS = 4, MOST_DOUBLINGS = 3 };

typedef struct umbrella_options {
    int windows;
    double stiffness;
    long long probe;
    bool exchange;
    char temperatures[CARDO_FIELD_STRING_SIZE];
} umbrella_options;

const cardo_field cardo_umbrella_fields[] = {
    {"windows", CARDO_FIELD_INT, offsetof(umbrella_options, windows), "", "0", 0, 10000, NULL,
     "windows from one end of the range to the other; 0: as the probe or the stiffness asks"},
    {"stiffness", CARDO_FIELD_DOUBLE, offsetof(umbrella_options, stiffness),
     "kJ/mol per square of the variable's unit", "0", 0, 1e300, NULL,
     "of the windows' springs; 0: as the probe or the number of windows asks"},
    {"probe", CARDO_FIELD_LONG, offsetof(umbrella_options, probe), "", "2000", 100, 9e15, NULL,
     "steps at each of nine points of the range, from which windows and stiffness are chosen where "
     "not given"},
    {"exchange", CARDO_FIELD_BOOL, offsetof(umbrella_options, exchange), "", "no", 0, 0, NULL,
     "walkers of neighbouring windows swap configurations, every `round` steps"},
    {"temperatures", CARDO_FIELD_STRING, offsetof(umbrella_options, temperatures), "K", "", 0, 0,
     NULL, "further temperatures at which all windows run, such as \"340 380\"; they exchange"},
    {0},
};

static const umbrella_options *options_of(const cardo_sampling *sampling)
{
    return (const umbrella_options *)sampling->method_options.bytes;
}

/* The study's own temperature, then the further ones. */
static cardo_status read_temperatures(const cardo_sampling *sampling, int *n,
                                      double temperature[MOST_TEMPERATURES], cardo_error *error)
{
    const char *text = options_of(sampling)->temperatures;
    temperature[0] = sampling->walk.simulation.temperature;
    *n = 1;
    while (*(text += strspn(text, " ,"))) {
        int length = (int)strcspn(text, " ,");
        double value;
        if (*n == MOST_TEMPERATURES || !cardo_parse_double(text, length, &value) || !(value > 0))
            return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                              "temperatures=\"%s\": '%.*s' is not a temperature above zero, or one "
                              "of more than %d",
                              options_of(sampling)->temperatures, length, text,
                              MOST_TEMPERATURES - 1);
        if (!(value > temperature[*n - 1]))
            return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                              "temperatures=\"%s\": %g K does not come above %g K: they go up from "
                              "the study's own temperature",
                              options_of(sampling)->temperatures, value, temperature[*n - 1]);
        temperature[(*n)++] = value;
        text += length;
    }
    return CARDO_OK;
}

static int count_temperatures(const cardo_sampling *sampling)
{
    int n = 1;
    double temperature[MOST_TEMPERATURES];
    read_temperatures(sampling, &n, temperature, NULL);
    return n;
}

static cardo_exchange_grid grid_of(const cardo_sampling *sampling, int nwalker)
{
    int n = count_temperatures(sampling);
    return (cardo_exchange_grid){nwalker / n, n};
}

static int keep_count(const cardo_sampling *sampling, int nwalker)
{
    return cardo_exchange_keep_count(grid_of(sampling, nwalker));
}

static cardo_status open(cardo_sampling *sampling, cardo_error *error)
{
    int n;
    double temperature[MOST_TEMPERATURES];
    if (options_of(sampling)->windows == 1)
        return CARDO_FAIL(
            error, CARDO_ERROR_INPUT,
            "one window would sample about %s = %g only and leave the rest of the range out: take "
            "two or more (sample.windows=2), or leave windows out, so that a probe chooses",
            cardo_variable_name(sampling->plan.variable), sampling->options.from);
    return read_temperatures(sampling, &n, temperature, error);
}

static cardo_status make_walkers(cardo_sampling *sampling, const cardo_windows *windows,
                                 cardo_error *error)
{
    cardo_status status;
    int n;
    double temperature[MOST_TEMPERATURES];
    CARDO_TRY(read_temperatures(sampling, &n, temperature, error));
    CARDO_TRY(cardo_sampling_make_crew(sampling, n * windows->count, error));
    for (int t = 0; t < n; ++t) {
        CARDO_TRY(cardo_windows_set(windows, sampling, &sampling->crew, t * windows->count, error));
        for (int w = 0; w < windows->count; ++w)
            sampling->crew.walkers[t * windows->count + w].temperature = temperature[t];
    }
    cardo_exchange_start(grid_of(sampling, n * windows->count), sampling->keep);
done:
    return status;
}

static void tell_windows(const cardo_sampling *sampling, const cardo_windows *windows)
{
    char beyond[96] = "";
    for (int side = 0; side < 2; ++side)
        if (windows->nbeyond[side] > 0)
            cardo_format(beyond + strlen(beyond), sizeof beyond - strlen(beyond),
                         " (%d %s the range %.4g)", windows->nbeyond[side],
                         side > 0 ? "above" : "below", windows->spacing_beyond[side]);
    cardo_sampling_note(
        sampling, "%d windows from %.6g to %.6g, %.4g apart%s, stiffness %.6g kJ/mol%s\n",
        windows->count, windows->first, cardo_windows_centre(windows, windows->count - 1),
        windows->spacing, beyond, windows->stiffness,
        count_temperatures(sampling) > 1 ? ", at each temperature" : "");
}

static bool same_window(const cardo_walker *a, const cardo_walker *b)
{
    return a->temperature == b->temperature && a->bias.nvalue == b->bias.nvalue &&
           memcmp(a->bias.values, b->bias.values,
                  (size_t)a->bias.nvalue * sizeof *a->bias.values) == 0;
}

/* Walkers of windows that an earlier crew had are equilibrated, and wait for the others. */
static cardo_status take_equilibrated(cardo_crew *crew, const cardo_crew *earlier,
                                      cardo_error *error)
{
    cardo_status status = CARDO_OK;
    for (int k = 0; k < crew->nwalker; ++k)
        for (int j = 0; j < earlier->nwalker && status == CARDO_OK; ++j)
            if (!crew->walkers[k].rests && same_window(&crew->walkers[k], &earlier->walkers[j]))
                status = cardo_crew_take(crew, k, &earlier->walkers[j], error);
    return status;
}

/* Walkers for these windows in place of those that are there, equilibrated. */
static cardo_status settle(cardo_sampling *sampling, const cardo_windows *windows,
                           const volatile sig_atomic_t *interrupt, cardo_end *end,
                           cardo_error *error)
{
    cardo_status status;
    cardo_crew *crew = &sampling->crew, earlier = *crew;
    *crew = (cardo_crew){0};
    *end = CARDO_END_DONE;
    CARDO_TRY(make_walkers(sampling, windows, error));
    CARDO_TRY(cardo_sampling_start_crew(sampling, crew, error));
    CARDO_TRY(take_equilibrated(crew, &earlier, error));
    CARDO_TRY(cardo_sampling_equilibrate_started(
        sampling, crew, "equilibration", sampling->options.equilibration, interrupt, end, error));
    cardo_crew_wake(crew);
done:
    cardo_crew_clear(&earlier);
    return status;
}

/* Windows and their equilibration; where they chose themselves they are looked at once more. */
static cardo_status equilibrate(cardo_sampling *sampling, cardo_windows *windows,
                                const volatile sig_atomic_t *interrupt, cardo_end *end,
                                cardo_error *error)
{
    cardo_status status;
    const umbrella_options *options = options_of(sampling);
    bool free_choice = options->windows == 0 && !(options->stiffness > 0) && !sampling->first,
         again;
    const bool may_go_beyond = options->windows == 0 && !sampling->first;
    int stiffenings = 0, extensions = 0;
    do {
        tell_windows(sampling, windows);
        CARDO_TRY(settle(sampling, windows, interrupt, end, error));
        again = free_choice && *end == CARDO_END_DONE && stiffenings++ < MOST_STIFFENINGS &&
                cardo_windows_stiffen(sampling, windows);
        if (again)
            CARDO_TRY(cardo_windows_check_step(sampling, windows->stiffness, error));
        if (!again && may_go_beyond && *end == CARDO_END_DONE)
            again = extensions++ < MOST_EXTENSIONS && cardo_windows_extend(sampling, windows);
    } while (again);
    if (*end == CARDO_END_DONE)
        CARDO_TRY(cardo_windows_check_ends(sampling, windows, may_go_beyond, error));
done:
    return status;
}

static cardo_status check_overlap(const cardo_sampling *sampling, const cardo_windows *windows,
                                  cardo_error *error)
{
    double least;
    cardo_status status = CARDO_OK;
    for (int t = 0; t < count_temperatures(sampling) && status == CARDO_OK; ++t)
        status = cardo_windows_check(windows, &sampling->crew, t * windows->count, &least, error);
    return status;
}

/* Longer equilibration, never longer than the study itself, until all neighbours overlap. */
static cardo_status equilibrate_to_overlap(cardo_sampling *sampling, const cardo_windows *windows,
                                           const volatile sig_atomic_t *interrupt, cardo_end *end,
                                           cardo_error *error)
{
    const cardo_sampling_options *options = &sampling->options;
    const long long most = sampling->rounds * options->round;
    cardo_status status = check_overlap(sampling, windows, error);
    for (int k = 1; k <= MOST_DOUBLINGS && status == CARDO_ERROR_INPUT; ++k) {
        long long steps = options->equilibration << k;
        if (steps > most)
            break;
        cardo_sampling_note(
            sampling, "neighbouring windows do not all overlap yet: on to %lld steps\n", steps);
        status = cardo_sampling_equilibrate_to(sampling, &sampling->crew, "equilibration", steps,
                                               interrupt, end, error);
        if (status != CARDO_OK || *end != CARDO_END_DONE)
            return status;
        status = check_overlap(sampling, windows, error);
    }
    return status;
}

static cardo_status prepare(cardo_sampling *sampling, const volatile sig_atomic_t *interrupt,
                            cardo_end *end, cardo_error *error)
{
    cardo_status status;
    cardo_windows windows;
    const umbrella_options *options = options_of(sampling);
    *end = CARDO_END_DONE;
    if (sampling->first)
        windows = cardo_windows_of(&sampling->first->crew, count_temperatures(sampling));
    else
        CARDO_TRY(cardo_windows_choose(sampling, options->windows, options->stiffness,
                                       options->probe, interrupt, &windows, end, error));
    if (*end == CARDO_END_DONE)
        CARDO_TRY(equilibrate(sampling, &windows, interrupt, end, error));
    if (*end != CARDO_END_DONE)
        goto done;
    CARDO_TRY(equilibrate_to_overlap(sampling, &windows, interrupt, end, error));
    if (*end == CARDO_END_DONE)
        cardo_crew_forget(&sampling->crew);
done:
    return status;
}

static bool exchanges(const cardo_sampling *sampling)
{
    return options_of(sampling)->exchange || count_temperatures(sampling) > 1;
}

static cardo_status merge(cardo_sampling *sampling, cardo_error *error)
{
    (void)error;
    if (exchanges(sampling))
        cardo_exchange(sampling, grid_of(sampling, sampling->crew.nwalker), sampling->keep);
    return CARDO_OK;
}

static cardo_status estimate(const cardo_sampling *sampling, const cardo_estimate_request *request,
                             cardo_estimate *e, cardo_error *error)
{
    return cardo_windows_estimate(sampling, exchanges(sampling), request, e, error);
}

static void report(const cardo_sampling *sampling, char *text, size_t size)
{
    cardo_exchange_report(grid_of(sampling, sampling->crew.nwalker), sampling->keep, text, size);
}

static int passages(const cardo_sampling *sampling)
{
    return options_of(sampling)->exchange
               ? cardo_exchange_passages(grid_of(sampling, sampling->crew.nwalker), sampling->keep)
               : -1;
}

const cardo_sampling_method cardo_sampling_umbrella = {
    .name = "umbrella",
    .doc = "windows held by springs, with or without exchange between them; MBAR joins them",
    .citation = "Torrie, Valleau 1977; Sugita, Kitao, Okamoto 2000; Shirts, Chodera 2008",
    .fields = cardo_umbrella_fields,
    .options_size = sizeof(umbrella_options),
    .keep_count = keep_count,
    .open = open,
    .prepare = prepare,
    .merge = merge,
    .estimate = estimate,
    .passages = passages,
    .report = report,
};
