#include "sampling/study/replicas.h"

#include "base/memory.h"
#include "sampling/methods/method.h"

struct cardo_replicas {
    cardo_communicator *communicator;
    int n;
    cardo_sampling **study; /* (n) */
};

cardo_status cardo_replicas_create(const cardo_sampling_plan *plan, cardo_replicas **out,
                                   cardo_error *error)
{
    cardo_status status;
    cardo_replicas *self = NULL;
    *out = NULL;
    CARDO_TRY(CARDO_ALLOCATE(&self, 1, error));
    self->communicator = plan->communicator;
    const int n = plan->method->stands ? 1 : plan->options->replicas;
    CARDO_TRY(CARDO_ALLOCATE(&self->study, n, error));
    for (; self->n < n; ++self->n)
        CARDO_TRY(cardo_sampling_create_replica(
            plan, self->n, n, self->n > 0 ? self->study[0] : NULL, &self->study[self->n], error));
    *out = self;
    self = NULL;
done:
    cardo_replicas_destroy(self);
    return status;
}

void cardo_replicas_destroy(cardo_replicas *self)
{
    if (!self)
        return;
    for (int r = self->n - 1; r >= 0; --r)
        cardo_sampling_destroy(self->study[r]);
    cardo_free(self->study);
    cardo_free(self);
}

int cardo_replicas_count(const cardo_replicas *self)
{
    return self->n;
}

cardo_sampling *cardo_replicas_study(const cardo_replicas *self, int r)
{
    return self->study[r];
}

bool cardo_replicas_are_prepared(const cardo_replicas *self)
{
    for (int r = 0; r < self->n; ++r)
        if (!cardo_sampling_is_prepared(self->study[r]))
            return false;
    return true;
}

cardo_status cardo_replicas_prepare(cardo_replicas *self, const volatile sig_atomic_t *interrupt,
                                    cardo_end *end, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    *end = CARDO_END_DONE;
    for (int r = 0; r < self->n && status == CARDO_OK && *end == CARDO_END_DONE; ++r) {
        if (cardo_sampling_is_prepared(self->study[r]))
            continue;
        if (self->n > 1)
            cardo_sampling_note(self->study[r], "replica %d of %d:\n", r + 1, self->n);
        status = cardo_sampling_prepare(self->study[r], interrupt, end, error);
        if (status != CARDO_OK && self->n > 1)
            cardo_error_prefix(error, "replica %d of %d: ", r + 1, self->n);
    }
    return status;
}

cardo_status cardo_replicas_advance(cardo_replicas *self, const volatile sig_atomic_t *interrupt,
                                    cardo_end *end, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    bool interrupted = false;
    if (self->n == 1)
        return cardo_sampling_advance(self->study[0], interrupt, end, error);
    *end = CARDO_END_FAILED;
    for (int r = 0; r < self->n && status == CARDO_OK && !interrupted; ++r)
        status = cardo_crew_step(&self->study[r]->crew, interrupt, &interrupted, error);
    CARDO_TRY(cardo_communicator_agree(self->communicator, status, error));
    CARDO_TRY(cardo_communicator_any(self->communicator, &interrupted, error));
    *end = interrupted ? CARDO_END_INTERRUPTED : CARDO_END_DONE;
    for (int r = 0; r < self->n && !interrupted; ++r) {
        CARDO_TRY(cardo_crew_join(&self->study[r]->crew, error));
        CARDO_TRY(cardo_sampling_finish_round(self->study[r], error));
    }
done:
    if (status != CARDO_OK)
        *end = CARDO_END_FAILED;
    return status;
}

/* Of each study its count of numbers, then they. */
size_t cardo_replicas_value_count(const cardo_replicas *self)
{
    size_t n = 0;
    for (int r = 0; r < self->n; ++r)
        n += 1 + cardo_sampling_value_count(self->study[r]);
    return n;
}

void cardo_replicas_save(const cardo_replicas *self, double *values)
{
    for (int r = 0; r < self->n; ++r) {
        size_t n = cardo_sampling_value_count(self->study[r]);
        *values++ = (double)n;
        cardo_sampling_save(self->study[r], values);
        values += n;
    }
}

cardo_status cardo_replicas_restore(cardo_replicas *self, const double *values, size_t nvalue,
                                    cardo_error *error)
{
    cardo_status status = CARDO_OK;
    for (int r = 0; r < self->n && status == CARDO_OK; ++r) {
        double n = nvalue > 0 ? values[0] : -1;
        if (!(n >= 0 && n <= (double)(nvalue - 1)))
            return CARDO_FAIL(error, CARDO_ERROR_INPUT, "the numbers of replica %d are cut off",
                              r + 1);
        status = cardo_sampling_restore(self->study[r], values + 1, (size_t)n, error);
        values += 1 + (size_t)n;
        nvalue -= 1 + (size_t)n;
    }
    return status;
}
