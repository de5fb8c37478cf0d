#include "study/sample/series.h"

#include "base/memory.h"
#include "sampling/methods/method.h"

#include <stdio.h>

enum { MOST_COLUMNS = 6 };

static const char *const names[CARDO_SERIES_LENGTHS] = {"COLVAR", "HILLS"};

static cardo_status open_table(cardo_sample_series *self, int which, int replica, int ncolumn,
                               const char *const *columns, int nset, const char *const *sets,
                               const double *lengths, cardo_error *error)
{
    char name[32];
    cardo_column column[MOST_COLUMNS];
    for (int k = 0; k < ncolumn; ++k)
        column[k] = cardo_column_of(columns[k], NULL, 0);
    const cardo_table_head head = {
        .ncolumn = ncolumn, .columns = column, .plumed = true, .nset = nset, .sets = sets};
    snprintf(name, sizeof name, replica > 0 ? "%s.%d" : "%s", names[which], replica + 1);
    return cardo_writer_table(self->writer, name, &head, lengths ? (long long)lengths[which] : -1,
                              &self->table[which], error);
}

cardo_status cardo_sample_series_open(cardo_sample_series *self, const cardo_sampling *sampling,
                                      int replica, const cardo_writer *writer,
                                      const double *lengths, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    char sigma[96];
    const cardo_sampling_plan *plan = cardo_sampling_get_plan(sampling);
    const char *const name = cardo_variable_name(plan->variable);
    const char *const samples[] = {"time", name, "walker", "potential", "bias"};
    const char *const hills[] = {"time", name, sigma, "height", "biasf", "walker"};
    const char *const sets[] = {"multivariate false", "kerneltype gaussian", "time unphysical"};
    const int more = cardo_system_mass_matrix(plan->system) ? 1 : 0;
    self->sampling = sampling;
    self->writer = writer;
    snprintf(sigma, sizeof sigma, "sigma_%s", name);
    if (plan->method->stands || !writer)
        return CARDO_OK;
    CARDO_TRY(
        open_table(self, CARDO_SERIES_COLVAR, replica, 5, samples, more, sets + 2, lengths, error));
    if (plan->method != &cardo_sampling_metadynamics)
        goto done;
    CARDO_TRY(CARDO_ALLOCATE(&self->hills, cardo_sampling_crew(sampling)->nwalker, error));
    status =
        open_table(self, CARDO_SERIES_HILLS, replica, 6, hills, 2 + more, sets, lengths, error);
done:
    return status;
}

static cardo_status add_samples(cardo_sample_series *self, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    const cardo_crew *crew = cardo_sampling_crew(self->sampling);
    const cardo_sampling_plan *plan = cardo_sampling_get_plan(self->sampling);
    const double *felt = cardo_sampling_felt(self->sampling);
    const int n = plan->options->round / plan->options->interval;
    const double apart = plan->simulation->timestep * plan->options->interval;
    for (int i = 0; i < n; ++i)
        for (int k = 0; k < crew->nwalker; ++k) {
            const cardo_walker *w = &crew->walkers[k];
            const int at = w->nsample - n + i;
            const double row[] = {(at + 1) * apart, w->xi[at], k, w->potential[at],
                                  felt[k * n + i]};
            CARDO_TRY(cardo_writer_add(self->writer, self->table[CARDO_SERIES_COLVAR], row, error));
        }
done:
    return status;
}

/* Heights times gamma/(gamma - 1), as PLUMED writes them. */
static cardo_status add_hills(cardo_sample_series *self, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    const int nwalker = cardo_sampling_crew(self->sampling)->nwalker;
    cardo_metadynamics_hills(self->sampling, self->hills);
    for (int k = 0; k < nwalker; ++k) {
        const cardo_hill *h = &self->hills[k];
        const double row[] = {h->time,        h->centre,
                              h->width,       h->height * h->bias_factor / (h->bias_factor - 1),
                              h->bias_factor, k};
        CARDO_TRY(cardo_writer_add(self->writer, self->table[CARDO_SERIES_HILLS], row, error));
    }
done:
    return status;
}

cardo_status cardo_sample_series_add(cardo_sample_series *self, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    if (self->table[CARDO_SERIES_COLVAR])
        status = add_samples(self, error);
    if (status == CARDO_OK && self->table[CARDO_SERIES_HILLS])
        status = add_hills(self, error);
    return status;
}

cardo_status cardo_sample_series_save(cardo_sample_series *self,
                                      double lengths[CARDO_SERIES_LENGTHS], cardo_error *error)
{
    for (int t = 0; t < CARDO_SERIES_LENGTHS; ++t) {
        lengths[t] = 0;
        if (!self->table[t])
            continue;
        cardo_status status = cardo_writer_flush(self->writer, self->table[t], error);
        if (status != CARDO_OK)
            return status;
        lengths[t] = (double)cardo_writer_extent(self->writer, self->table[t]);
    }
    return CARDO_OK;
}

cardo_status cardo_sample_series_close(cardo_sample_series *self, cardo_error *error)
{
    cardo_status first = CARDO_OK;
    for (int t = 0; t < CARDO_SERIES_LENGTHS; ++t) {
        cardo_status status =
            cardo_writer_close(self->writer, &self->table[t], first == CARDO_OK ? error : NULL);
        first = first == CARDO_OK ? status : first;
    }
    cardo_free(self->hills);
    *self = (cardo_sample_series){0};
    return first;
}
