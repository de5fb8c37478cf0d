#include "sampling/walkers/crew.h"

#include "base/memory.h"

#include <string.h>

/* Of a stored walker, in front of its bias's numbers, record, series. */
enum { KIND, BIAS_VALUES, PERIOD, TEMPERATURE, PLACE, MOVED, SAMPLES, STORED_HEAD };

cardo_status cardo_crew_create(const cardo_walk *walk, cardo_communicator *communicator,
                               int nwalker, cardo_crew *crew, cardo_error *error)
{
    cardo_status status;
    *crew = (cardo_crew){.walk = walk, .communicator = communicator};
    CARDO_TRY(cardo_walker_snapshot_size(walk, &crew->nsnapshot, error));
    crew->record_size = cardo_walker_record_size(walk, crew->nsnapshot);
    const int crews = walk->crews > 1 ? walk->crews : 1;
    crew->lead = walk->crew * nwalker % cardo_communicator_size(communicator);
    CARDO_TRY(cardo_force_provider_use_cores(
        walk->provider, cardo_communicator_cores(communicator, crews * nwalker), error));
    CARDO_TRY(CARDO_ALLOCATE(&crew->walkers, nwalker, error));
    crew->nwalker = nwalker;
    CARDO_TRY(CARDO_ALLOCATE(&crew->records,
                             (size_t)(crew->lead + nwalker) * (size_t)crew->record_size, error));
    for (int k = 0; k < nwalker; ++k)
        crew->walkers[k] = (cardo_walker){
            .walk = walk,
            .number = k,
            .temperature = walk->simulation.temperature,
            .record = crew->records + (size_t)(crew->lead + k) * (size_t)crew->record_size,
        };
done:
    return status;
}

void cardo_crew_clear(cardo_crew *crew)
{
    for (int k = 0; k < crew->nwalker; ++k)
        cardo_walker_clear(&crew->walkers[k]);
    cardo_free(crew->walkers);
    cardo_free(crew->records);
    *crew = (cardo_crew){0};
}

/* Whether walker k is this member's. */
static bool owns(const cardo_crew *crew, int k)
{
    return cardo_communicator_owns(crew->communicator, crew->lead + k);
}

/* Everyone gets all records, and their samples. */
static cardo_status share(cardo_crew *crew, cardo_error *error)
{
    cardo_status status;
    CARDO_TRY(cardo_communicator_share(crew->communicator, crew->records,
                                       (size_t)crew->record_size * sizeof *crew->records,
                                       crew->lead + crew->nwalker, error));
    for (int k = 0; k < crew->nwalker; ++k)
        if (!crew->walkers[k].rests)
            CARDO_TRY(cardo_walker_take_samples(&crew->walkers[k], crew->nsnapshot, error));
done:
    return status;
}

cardo_status cardo_crew_start(cardo_crew *crew, void (*started)(void *user, int done, int of),
                              void *user, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    for (int k = 0; k < crew->nwalker && status == CARDO_OK; ++k) {
        if (!owns(crew, k))
            continue;
        status = cardo_walker_open(&crew->walkers[k], error);
        if (status == CARDO_OK)
            status = cardo_walker_start(&crew->walkers[k], error);
        if (status == CARDO_OK && started)
            started(user, k + 1, crew->nwalker);
    }
    status = cardo_communicator_agree(crew->communicator, status, error);
    return status == CARDO_OK ? share(crew, error) : status;
}

cardo_status cardo_crew_step(cardo_crew *crew, const volatile sig_atomic_t *interrupt,
                             bool *interrupted, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    for (int k = 0; k < crew->nwalker && status == CARDO_OK && !*interrupted; ++k) {
        cardo_end end;
        if (!owns(crew, k) || crew->walkers[k].rests)
            continue;
        status = cardo_walker_advance(&crew->walkers[k], interrupt, &end, error);
        *interrupted = status == CARDO_OK && end == CARDO_END_INTERRUPTED;
    }
    return status;
}

cardo_status cardo_crew_join(cardo_crew *crew, cardo_error *error)
{
    for (int k = 0; k < crew->nwalker; ++k) {
        if (owns(crew, k) && !crew->walkers[k].rests)
            cardo_walker_write(&crew->walkers[k]);
        crew->walkers[k].moved = false;
    }
    crew->round++;
    return share(crew, error);
}

cardo_status cardo_crew_advance(cardo_crew *crew, const volatile sig_atomic_t *interrupt,
                                cardo_end *end, cardo_error *error)
{
    bool interrupted = false;
    cardo_status status = cardo_crew_step(crew, interrupt, &interrupted, error);
    status = cardo_communicator_agree(crew->communicator, status, error);
    if (status == CARDO_OK)
        status = cardo_communicator_any(crew->communicator, &interrupted, error);
    *end = status != CARDO_OK ? CARDO_END_FAILED
           : interrupted      ? CARDO_END_INTERRUPTED
                              : CARDO_END_DONE;
    return *end == CARDO_END_DONE ? cardo_crew_join(crew, error) : status;
}

void cardo_crew_forget(cardo_crew *crew)
{
    for (int k = 0; k < crew->nwalker; ++k)
        crew->walkers[k].nsample = 0;
}

/* Numbers of the series of so many samples. */
static size_t series_size(const cardo_crew *crew, int nsample)
{
    return (2 + (size_t)cardo_walk_slow_count(crew->walk)) * (size_t)nsample;
}

static size_t stored_size(const cardo_crew *crew, int nbias, int nsample)
{
    return STORED_HEAD + (size_t)nbias + (size_t)crew->record_size + series_size(crew, nsample);
}

size_t cardo_crew_value_count(const cardo_crew *crew)
{
    size_t n = 1;
    for (int k = 0; k < crew->nwalker; ++k)
        n += stored_size(crew, crew->walkers[k].bias.nvalue, crew->walkers[k].nsample);
    return n;
}

static int kind_number(const cardo_bias_kind *kind)
{
    int k = 0;
    while (cardo_bias_kinds[k] && cardo_bias_kinds[k] != kind)
        ++k;
    return k;
}

static double *put(double *to, const double *from, int n)
{
    if (n > 0)
        memcpy(to, from, (size_t)n * sizeof *to);
    return to + n;
}

void cardo_crew_save(const cardo_crew *crew, double *values)
{
    *values++ = (double)crew->round;
    for (int k = 0; k < crew->nwalker; ++k) {
        const cardo_walker *w = &crew->walkers[k];
        values[KIND] = kind_number(w->bias.kind);
        values[BIAS_VALUES] = w->bias.nvalue;
        values[PERIOD] = w->bias.period;
        values[TEMPERATURE] = w->temperature;
        values[PLACE] = w->place;
        values[MOVED] = w->moved;
        values[SAMPLES] = w->nsample;
        values = put(values + STORED_HEAD, w->bias.values, w->bias.nvalue);
        values = put(values, w->record, crew->record_size);
        values = put(values, w->xi, w->nsample);
        values = put(values, w->potential, w->nsample);
        values = put(values, w->slow, w->nsample * cardo_walk_slow_count(crew->walk));
    }
}

/* A whole number from 0 to most; -1 where it is none. */
static int whole(double value, double most)
{
    return value >= 0 && value <= most && value == (double)(int)value ? (int)value : -1;
}

static cardo_status take_series(cardo_walker *w, int n, const double *xi, const double *potential,
                                const double *slow, cardo_error *error)
{
    cardo_status status;
    CARDO_TRY(CARDO_RESERVE(&w->xi, &w->capacity[0], n, error));
    CARDO_TRY(CARDO_RESERVE(&w->potential, &w->capacity[1], n, error));
    put(w->xi, xi, n);
    put(w->potential, potential, n);
    const int nslow = n * cardo_walk_slow_count(w->walk);
    CARDO_TRY(CARDO_RESERVE(&w->slow, &w->capacity[2], nslow, error));
    put(w->slow, slow, nslow);
    w->nsample = n;
done:
    return status;
}

static cardo_status take_walker(cardo_crew *crew, cardo_walker *w, const double **values,
                                const double *end, cardo_error *error)
{
    cardo_status status;
    int nkind = kind_number(NULL);
    const double *from = *values;
    int kind = end - from > STORED_HEAD ? whole(from[KIND], nkind - 1) : -1;
    int nbias = kind >= 0 ? whole(from[BIAS_VALUES], 1e8) : -1;
    int nsample = kind >= 0 ? whole(from[SAMPLES], 1e9) : -1;
    if (nbias < 0 || nsample < 0 || (size_t)(end - from) < stored_size(crew, nbias, nsample))
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "the numbers of walker %d are those of another study", w->number);
    w->temperature = from[TEMPERATURE];
    w->place = from[PLACE];
    w->moved = from[MOVED] != 0;
    cardo_bias_clear(&w->bias);
    CARDO_TRY(cardo_bias_create(&w->bias, cardo_bias_kinds[kind], from[PERIOD], nbias, error));
    from += STORED_HEAD;
    put(w->bias.values, from, nbias);
    from += nbias;
    put(w->record, from, crew->record_size);
    from += crew->record_size;
    CARDO_TRY(take_series(w, nsample, from, from + nsample, from + 2 * (size_t)nsample, error));
    *values = from + series_size(crew, nsample);
done:
    return status;
}

cardo_status cardo_crew_restore(cardo_crew *crew, const double *values, size_t nvalue,
                                cardo_error *error)
{
    cardo_status status = CARDO_OK;
    const double *end = values + nvalue;
    if (nvalue < 1)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT, "the numbers of the walkers are cut off");
    crew->round = (long long)*values++;
    for (int k = 0; k < crew->nwalker && status == CARDO_OK; ++k) {
        cardo_walker *w = &crew->walkers[k];
        status = take_walker(crew, w, &values, end, error);
        if (status == CARDO_OK && owns(crew, k)) {
            status = w->simulation ? CARDO_OK : cardo_walker_open(w, error);
            if (status == CARDO_OK)
                status = cardo_walker_restore(w, error);
        }
    }
    return cardo_communicator_agree(crew->communicator, status, error);
}

cardo_status cardo_crew_take(cardo_crew *crew, int k, const cardo_walker *earlier,
                             cardo_error *error)
{
    cardo_walker *w = &crew->walkers[k];
    cardo_status status =
        take_series(w, earlier->nsample, earlier->xi, earlier->potential, earlier->slow, error);
    put(w->record, earlier->record, crew->record_size);
    w->moved = earlier->moved;
    w->rests = true;
    if (status == CARDO_OK && owns(crew, k))
        status = cardo_walker_restore(w, error);
    return cardo_communicator_agree(crew->communicator, status, error);
}

void cardo_crew_wake(cardo_crew *crew)
{
    for (int k = 0; k < crew->nwalker; ++k)
        crew->walkers[k].rests = false;
}
