#include "analysis/free_energy/weighted_samples.h"
#include "base/memory.h"

#include <math.h>
#include <stdbool.h>

/* A part of every series. */
typedef struct part {
    int *count, *column, *label;
    double *log_weight;
} part;

static void take_part(const cardo_weighted_samples *samples, const cardo_sample_sets *sets,
                      int numerator, int denominator, bool backward, part *out)
{
    const int *column = samples->mbar ? samples->mbar->data.column : NULL;
    int taken = 0;
    for (int k = 0, first = 0; k < samples->nseries; first += samples->count[k++]) {
        int n = (int)((long long)samples->count[k] * numerator / denominator);
        int begin = backward ? first + samples->count[k] - n : first;
        out->count[k] = n;
        for (int i = begin; i < begin + n; ++i, ++taken) {
            out->column[taken] = column ? column[i] : i;
            out->label[taken] = sets->label[i];
            out->log_weight[taken] = samples->log_weight[i];
        }
    }
}

static cardo_status estimate(const cardo_weighted_samples *samples, const cardo_sample_sets *sets,
                             const part *p, double *F, double *sigma, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    cardo_mbar mbar = {0};
    cardo_weighted_samples some = *samples;
    cardo_sample_sets some_sets = *sets;
    some.count = p->count;
    some.log_weight = p->log_weight;
    some_sets.label = p->label;
    if (samples->mbar) {
        cardo_mbar_data data = samples->mbar->data;
        data.count = p->count;
        data.column = p->column;
        CARDO_TRY(cardo_mbar_solve(&data, samples->mbar->f, &mbar, error));
        cardo_mbar_log_weights(&mbar, samples->target, p->log_weight);
        some.mbar = &mbar;
    }
    CARDO_TRY(cardo_weighted_free_energies(&some, &some_sets, F, sigma, NULL, error));
done:
    cardo_mbar_clear(&mbar);
    return status;
}

/* A part too short to compare its states is no failure of the whole. */
static cardo_status estimate_or_nan(const cardo_weighted_samples *samples,
                                    const cardo_sample_sets *sets, const part *p, double *F,
                                    double *sigma, cardo_error *error)
{
    int total = 0;
    for (int k = 0; k < samples->nseries; ++k)
        total += p->count[k];
    cardo_status status =
        total ? estimate(samples, sets, p, F, sigma, error) : CARDO_ERROR_NUMERICAL;
    if (status != CARDO_ERROR_NUMERICAL)
        return status;
    for (int j = 0; j < sets->n; ++j)
        F[j] = sigma[j] = NAN;
    return CARDO_OK;
}

cardo_status cardo_weighted_convergence(const cardo_weighted_samples *samples,
                                        const cardo_sample_sets *sets, int npart, double *forward,
                                        double *forward_sigma, double *backward,
                                        double *backward_sigma, cardo_error *error)
{
    cardo_status status;
    part p = {0};
    int total = 0;
    for (int k = 0; k < samples->nseries; ++k)
        total += samples->count[k];
    CARDO_TRY(CARDO_ALLOCATE(&p.count, samples->nseries, error));
    CARDO_TRY(CARDO_ALLOCATE(&p.column, total, error));
    CARDO_TRY(CARDO_ALLOCATE(&p.label, total, error));
    CARDO_TRY(CARDO_ALLOCATE(&p.log_weight, total, error));
    for (int i = 0; i < npart; ++i) {
        size_t row = (size_t)i * (size_t)sets->n;
        take_part(samples, sets, i + 1, npart, false, &p);
        CARDO_TRY(estimate_or_nan(samples, sets, &p, forward + row, forward_sigma + row, error));
        take_part(samples, sets, i + 1, npart, true, &p);
        CARDO_TRY(estimate_or_nan(samples, sets, &p, backward + row, backward_sigma + row, error));
    }
done:
    cardo_free(p.count);
    cardo_free(p.column);
    cardo_free(p.label);
    cardo_free(p.log_weight);
    return status;
}
