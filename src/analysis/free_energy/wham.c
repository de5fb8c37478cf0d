#include "analysis/free_energy/wham.h"

#include "base/memory.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static cardo_status sort_samples(int nstate, const int *count, const double *xi, cardo_wham *wham,
                                 cardo_error *error)
{
    int n = 0;
    for (int k = 0; k < nstate; ++k)
        for (int i = 0; i < count[k]; ++i, ++n) {
            if (!isfinite(xi[n]))
                return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                                  "the coordinate of sample %d, in state %d, is %g", n + 1, k + 1,
                                  xi[n]);
            int bin = cardo_bin_of(&wham->bins, xi[n]);
            if (bin < 0)
                continue;
            assert(bin < wham->bins.n && wham->nsample <= n);
            wham->bin[wham->nsample++] = bin;
            wham->count[k]++;
        }
    if (wham->nsample == 0)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "none of %d samples lies between %g and %g, where the bins are", n,
                          wham->bins.low, wham->bins.high);
    return CARDO_OK;
}

cardo_status cardo_wham_solve(int nstate, const int *count, const double *xi, const double *bias,
                              const cardo_bins *bins, cardo_wham *out, cardo_error *error)
{
    cardo_status status;
    size_t size = (size_t)nstate * (size_t)bins->n, total = 0;
    for (int k = 0; k < nstate; ++k)
        total += (size_t)count[k];
    *out = (cardo_wham){.bins = *bins};
    CARDO_TRY(CARDO_ALLOCATE(&out->count, nstate, error));
    CARDO_TRY(CARDO_ALLOCATE(&out->bin, total, error));
    CARDO_TRY(CARDO_ALLOCATE(&out->bias, size, error));
    CARDO_TRY(sort_samples(nstate, count, xi, out, error));
    memcpy(out->bias, bias, size * sizeof *bias);
    const cardo_mbar_data data = {nstate, bins->n, out->bias, out->count, out->bin};
    CARDO_TRY(cardo_mbar_solve(&data, NULL, &out->mbar, error));
    CARDO_TRY(CARDO_ALLOCATE(&out->log_weight, out->nsample, error));
    cardo_mbar_log_weights(&out->mbar, NULL, out->log_weight);
done:
    if (status != CARDO_OK)
        cardo_wham_clear(out);
    return status;
}

void cardo_wham_clear(cardo_wham *wham)
{
    cardo_free(wham->count);
    cardo_free(wham->bin);
    cardo_free(wham->log_weight);
    cardo_free(wham->bias);
    cardo_mbar_clear(&wham->mbar);
    *wham = (cardo_wham){0};
}

cardo_weighted_samples cardo_wham_samples(const cardo_wham *wham)
{
    return (cardo_weighted_samples){.nseries = wham->mbar.data.nstate,
                                    .count = wham->count,
                                    .log_weight = wham->log_weight,
                                    .mbar = &wham->mbar};
}

cardo_status cardo_wham_profile(const cardo_wham *wham, double *F, double *sigma, double *effective,
                                cardo_error *error)
{
    const cardo_weighted_samples samples = cardo_wham_samples(wham);
    const cardo_sample_sets sets = {wham->bins.n, wham->bin, -1};
    cardo_status status = cardo_weighted_free_energies(&samples, &sets, F, sigma, effective, error);
    for (int b = 0; status == CARDO_OK && b < wham->bins.n; ++b)
        F[b] += log(cardo_bin_width(&wham->bins));
    return status;
}
