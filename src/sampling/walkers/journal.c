#include "sampling/walkers/journal.h"

#include "base/memory.h"

#include <string.h>

static cardo_status add_stage(cardo_journal *self, cardo_error *error)
{
    cardo_status status = CARDO_RESERVE(&self->stage, &self->capacity, self->nstage + 1, error);
    if (status == CARDO_OK)
        self->stage[self->nstage++] = (cardo_journal_stage){0};
    return status;
}

static cardo_status fill(cardo_journal_stage *stage, const double *values, size_t n,
                         cardo_error *error)
{
    if (n > INT32_MAX)
        return CARDO_FAIL(error, CARDO_ERROR_MEMORY, "preparation takes too many numbers");
    cardo_status status = CARDO_RESERVE(&stage->values, &stage->capacity, (int)n, error);
    stage->n = status == CARDO_OK ? (int)n : stage->n;
    if (status == CARDO_OK && values)
        memcpy(stage->values, values, n * sizeof *values);
    return status;
}

static cardo_status note_down(cardo_journal_stage *stage, const cardo_crew *crew,
                              cardo_error *error)
{
    cardo_status status = fill(stage, NULL, cardo_crew_value_count(crew), error);
    if (status == CARDO_OK)
        cardo_crew_save(crew, stage->values);
    return status;
}

/* The stage is in the journal already, or an empty one is added. */
static cardo_status turn_page(cardo_journal *self, cardo_crew *crew, cardo_error *error)
{
    if (self->next == self->nstage)
        return add_stage(self, error);
    const cardo_journal_stage *stage = &self->stage[self->next];
    return cardo_crew_restore(crew, stage->values, (size_t)stage->n, error);
}

void cardo_journal_begin(cardo_journal *self, const char *about, long long rounds)
{
    self->about = about;
    self->done = 0;
    self->of = rounds;
}

static void tell(cardo_journal *self, const cardo_sampling_listener *listener,
                 const cardo_crew *crew, long long rounds)
{
    const int steps = crew->walk->round;
    self->done += rounds;
    if (listener && listener->progress && self->about && self->done <= self->of)
        listener->progress(listener->user, self->about, self->done * steps, self->of * steps);
}

cardo_status cardo_journal_run(cardo_journal *self, const cardo_sampling_listener *listener,
                               cardo_crew *crew, long long rounds,
                               const volatile sig_atomic_t *interrupt, cardo_end *end,
                               cardo_error *error)
{
    *end = CARDO_END_DONE;
    cardo_status status = CARDO_OK;
    if (crew->round >= rounds)
        return CARDO_OK;
    const long long before = crew->round;
    status = turn_page(self, crew, error);
    tell(self, listener, crew, crew->round - before);
    while (status == CARDO_OK && *end == CARDO_END_DONE && crew->round < rounds) {
        status = cardo_crew_advance(crew, interrupt, end, error);
        if (status != CARDO_OK || *end != CARDO_END_DONE)
            break;
        tell(self, listener, crew, 1);
        status = note_down(&self->stage[self->next], crew, error);
        if (status == CARDO_OK && listener && listener->round)
            status = listener->round(listener->user, error);
        status = cardo_communicator_agree(crew->communicator, status, error);
    }
    self->next += status == CARDO_OK && *end == CARDO_END_DONE;
    return status;
}

size_t cardo_journal_value_count(const cardo_journal *self)
{
    size_t n = 1;
    for (int k = 0; k < self->nstage; ++k)
        n += 1 + (size_t)self->stage[k].n;
    return n;
}

void cardo_journal_save(const cardo_journal *self, double *values)
{
    *values++ = self->nstage;
    for (int k = 0; k < self->nstage; ++k) {
        const cardo_journal_stage *stage = &self->stage[k];
        *values++ = stage->n;
        if (stage->n > 0)
            memcpy(values, stage->values, (size_t)stage->n * sizeof *values);
        values += stage->n;
    }
}

cardo_status cardo_journal_restore(cardo_journal *self, const double *values, size_t nvalue,
                                   cardo_error *error)
{
    cardo_status status = CARDO_OK;
    const double *end = values + nvalue;
    double count = nvalue > 0 ? *values++ : -1;
    for (int k = 0; k < count && status == CARDO_OK; ++k) {
        if (values == end || !(*values >= 0 && *values < (double)(end - values)))
            return CARDO_FAIL(error, CARDO_ERROR_INPUT, "the numbers of preparation are cut off");
        size_t n = (size_t)*values++;
        if (n == 0) /* cut short before its first round ended */
            break;
        status = add_stage(self, error);
        if (status == CARDO_OK)
            status = fill(&self->stage[self->nstage - 1], values, n, error);
        values += n;
    }
    if (count < 0)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT, "the numbers are not those of a preparation");
    return status;
}

void cardo_journal_clear(cardo_journal *self)
{
    for (int k = 0; k < self->nstage; ++k)
        cardo_free(self->stage[k].values);
    cardo_free(self->stage);
    *self = (cardo_journal){0};
}
