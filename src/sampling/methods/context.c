/* What the study gives its methods: a crew, equilibration, notes and random numbers. */
#include "base/memory.h"
#include "base/number.h"
#include "sampling/methods/method.h"

#include <stdarg.h>

enum { STREAMS_PER_REPLICA = 16, STREAM_MERGING = 3 };

cardo_status cardo_sampling_make_crew(cardo_sampling *self, int nwalker, cardo_error *error)
{
    cardo_status status;
    if (nwalker < 1 || nwalker > CARDO_REPLICA_STREAMS / 2)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT, "%d walkers are not between 1 and %d", nwalker,
                          CARDO_REPLICA_STREAMS / 2);
    const cardo_sampling_method *method = self->plan.method;
    cardo_crew_clear(&self->crew);
    cardo_free(self->keep);
    cardo_free(self->felt);
    self->nkeep = method->keep_count ? method->keep_count(self, nwalker) : 0;
    CARDO_TRY(CARDO_ALLOCATE(&self->keep, self->nkeep, error));
    CARDO_TRY(CARDO_ALLOCATE(&self->felt,
                             (size_t)nwalker * (size_t)cardo_sampling_round_samples(self), error));
    CARDO_TRY(cardo_crew_create(&self->walk, self->plan.communicator, nwalker, &self->crew, error));
done:
    return status;
}

/* A start far above the others is one in a clash: no spring or hill gets a walker out of there in an
 * orderly way, and what it samples is the clash. */
static cardo_status check_starts(const cardo_sampling *self, const cardo_crew *crew,
                                 cardo_error *error)
{
    const cardo_walker *lowest = &crew->walkers[0], *highest = lowest;
    const char *name = cardo_variable_name(self->plan.variable);
    for (int k = 1; k < crew->nwalker; ++k) {
        const cardo_walker *w = &crew->walkers[k];
        lowest = w->potential[0] < lowest->potential[0] ? w : lowest;
        highest = w->potential[0] > highest->potential[0] ? w : highest;
    }
    double most = lowest->potential[0] + self->options.highest_start;
    if (highest->potential[0] <= most)
        return CARDO_OK;
    const cardo_walker *first = lowest, *last = lowest;
    while (first > crew->walkers && first[-1].potential[0] <= most)
        --first;
    while (last < crew->walkers + crew->nwalker - 1 && last[1].potential[0] <= most)
        ++last;
    char strain[1024] = "", start[256] = "begin where a minimization ends";
    if (self->plan.describe_strain)
        self->plan.describe_strain(self->plan.words_user, highest->place, strain, sizeof strain);
    if (self->plan.advise_start)
        self->plan.advise_start(self->plan.words_user, NULL, start, sizeof start);
    return CARDO_FAIL(
        error, CARDO_ERROR_INPUT,
        "at %s = %.6g the energy is %.4g kJ/mol above that at %.6g (sample.highest-start=%g): "
        "atoms clash%s%s%s, and a bias would press them into each other. From %.6g to %.6g the way "
        "is free: sample that range (sample.from=%.6g sample.to=%.6g), or let side chains or more "
        "coordinates give way first (%s)",
        name, highest->place, highest->potential[0] - lowest->potential[0], lowest->place,
        self->options.highest_start, strain[0] ? " (" : "", strain, strain[0] ? ")" : "",
        first->place, last->place, first->place, last->place, start);
}

cardo_status cardo_sampling_equilibrate_to(cardo_sampling *self, cardo_crew *crew,
                                           const char *about, long long steps,
                                           const volatile sig_atomic_t *interrupt, cardo_end *end,
                                           cardo_error *error)
{
    const int round = crew->walk->round;
    const long long last = steps / round + (steps % round > 0);
    cardo_journal_begin(&self->journal, about, last - crew->round);
    return cardo_journal_run(&self->journal, self->plan.listener, crew, last, interrupt, end,
                             error);
}

cardo_status cardo_sampling_start_crew(cardo_sampling *self, cardo_crew *crew, cardo_error *error)
{
    cardo_status status = cardo_crew_start(crew, NULL, NULL, error);
    if (status == CARDO_OK)
        status = check_starts(self, crew, error);
    cardo_crew_forget(crew);
    return status;
}

cardo_status cardo_sampling_equilibrate_started(cardo_sampling *self, cardo_crew *crew,
                                                const char *about, long long steps,
                                                const volatile sig_atomic_t *interrupt,
                                                cardo_end *end, cardo_error *error)
{
    int moving = 0;
    for (int k = 0; k < crew->nwalker; ++k)
        moving += !crew->walkers[k].rests;
    *end = CARDO_END_DONE;
    if (steps > 0)
        cardo_sampling_note(self, "%d walker%s for %lld steps each, which do not count%s\n", moving,
                            moving > 1 ? "s" : "", steps,
                            moving < crew->nwalker ? "; those of the windows before wait" : "");
    return cardo_sampling_equilibrate_to(self, crew, about, steps, interrupt, end, error);
}

cardo_status cardo_sampling_equilibrate(cardo_sampling *self, cardo_crew *crew, const char *about,
                                        long long steps, const volatile sig_atomic_t *interrupt,
                                        cardo_end *end, cardo_error *error)
{
    const cardo_status status = cardo_sampling_start_crew(self, crew, error);
    *end = CARDO_END_DONE;
    return status == CARDO_OK
               ? cardo_sampling_equilibrate_started(self, crew, about, steps, interrupt, end, error)
               : status;
}

void cardo_sampling_note(const cardo_sampling *self, const char *format, ...)
{
    enum { LINE = 512 };
    char line[LINE];
    va_list arguments;
    const cardo_sampling_listener *listener = self->plan.listener;
    if (!listener || !listener->note)
        return;
    va_start(arguments, format);
    cardo_format_list(line, sizeof line, format, arguments);
    va_end(arguments);
    listener->note(listener->user, line);
}

int cardo_sampling_inner_freedoms(const cardo_sampling *self)
{
    return self->inner;
}

int cardo_sampling_base_freedoms(const cardo_sampling *self)
{
    return self->base;
}

double cardo_sampling_draw(const cardo_sampling *self, int k)
{
    double uniform[2];
    const cardo_simulation_options *options = &self->walk.simulation;
    cardo_random random = cardo_random_start(
        (uint64_t)options->seed, (uint32_t)options->replica * STREAMS_PER_REPLICA + STREAM_MERGING);
    random.position = ((uint64_t)self->round << 20) + (uint64_t)k;
    cardo_random_uniform(&random, 2, uniform);
    return uniform[0];
}
