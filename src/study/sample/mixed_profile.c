#include "study/sample/mixed_profile.h"

#include "analysis/free_energy/statistics.h"
#include "analysis/free_energy/verdict.h"
#include "analysis/free_energy/weighted_samples.h"
#include "base/memory.h"
#include "base/units.h"
#include "study/sample/profile.h"

#include <math.h>

/* What comes of the samples. */
typedef struct profile {
    double *log_weight; /* zeros                                    (nsample) */
    double *place, *F, *sigma, *effective;
    double independent; /* samples that the series is worth */
    /* The upper half of the range against the lower from both halves of the run, with errors, kT. */
    double half[2], half_sigma[2];
    cardo_bins bins;
} profile;

static void profile_clear(profile *p)
{
    cardo_free(p->log_weight);
    cardo_free(p->place);
    cardo_free(p->F);
    cardo_free(p->sigma);
    cardo_free(p->effective);
}

static void choose_bins(const mixed_run *r, profile *p)
{
    const double period = cardo_variable_period(r->run->variable);
    p->bins = (cardo_bins){r->run->options->mixed.bins, -0.5 * period, 0.5 * period, period > 0};
    if (period > 0)
        return;
    p->bins.low = p->bins.high = r->xi[0];
    for (int i = 1; i < r->nsample; ++i) {
        p->bins.low = fmin(p->bins.low, r->xi[i]);
        p->bins.high = fmax(p->bins.high, r->xi[i]);
    }
    if (!(p->bins.high > p->bins.low))
        p->bins.high = p->bins.low + 1e-9;
}

/* Of the variable, or of a periodic one's cosine and sine, whichever is slower. */
static cardo_status count_independent(const mixed_run *r, profile *p, cardo_error *error)
{
    cardo_series_mean series;
    cardo_status status = CARDO_OK;
    double *values, period = cardo_variable_period(r->run->variable);
    status = CARDO_ALLOCATE(&values, r->nsample, error);
    p->independent = r->nsample;
    for (int k = 0; k < (period > 0 ? 2 : 1) && status == CARDO_OK; ++k) {
        for (int i = 0; i < r->nsample; ++i) {
            const double angle = period > 0 ? 2 * CARDO_PI * r->xi[i] / period : 0;
            values[i] = period <= 0 ? r->xi[i] : k == 0 ? cos(angle) : sin(angle);
        }
        status = cardo_series_statistics(r->nsample, values, &series, error);
        if (status == CARDO_OK)
            p->independent = fmin(p->independent, series.effective);
    }
    cardo_free(values);
    return status;
}

/* From the first and the last half of the run; NaN where one has never been in a half of the range. */
static cardo_status compare_halves(const mixed_run *r, const cardo_weighted_samples *samples,
                                   profile *p, cardo_error *error)
{
    int *label;
    double F[2][4], sigma[2][4];
    const double middle = 0.5 * (p->bins.low + p->bins.high);
    cardo_status status = CARDO_ALLOCATE(&label, r->nsample, error);
    if (status != CARDO_OK)
        return status;
    for (int i = 0; i < r->nsample; ++i)
        label[i] = r->xi[i] > middle;
    const cardo_sample_sets sets = {2, label, 0};
    status = cardo_weighted_convergence(samples, &sets, 2, F[0], sigma[0], F[1], sigma[1], error);
    for (int k = 0; k < 2; ++k) {
        p->half[k] = F[k][1];
        p->half_sigma[k] = sigma[k][1];
    }
    cardo_free(label);
    return status;
}

static cardo_status estimate(const mixed_run *r, profile *p, cardo_error *error)
{
    cardo_status status;
    const cardo_weighted_samples samples = {
        .nseries = 1, .count = &r->nsample, .log_weight = p->log_weight};
    choose_bins(r, p);
    CARDO_TRY(count_independent(r, p, error));
    CARDO_TRY(compare_halves(r, &samples, p, error));
    CARDO_TRY(CARDO_ALLOCATE(&p->place, r->run->options->mixed.bins, error));
    CARDO_TRY(CARDO_ALLOCATE(&p->F, r->run->options->mixed.bins, error));
    CARDO_TRY(CARDO_ALLOCATE(&p->sigma, r->run->options->mixed.bins, error));
    CARDO_TRY(CARDO_ALLOCATE(&p->effective, r->run->options->mixed.bins, error));
    for (int b = 0; b < r->run->options->mixed.bins; ++b)
        p->place[b] = cardo_bin_centre(&p->bins, b);
    status = cardo_weighted_profile(&samples, r->xi, &p->bins, p->F, p->sigma, p->effective, error);
done:
    return status;
}

/* Places above this are seldom visited without a bias, and are not judged. kT */
static const double highest_judged = 5;

static void fill(const mixed_run *r, const profile *p, cardo_result *into)
{
    char text[2048];
    const cardo_mixed_study *study = &r->run->options->mixed;
    const char *name = cardo_variable_name(r->run->variable);
    const cardo_profile_lines lines = {.coordinate = name,
                                       .unit = cardo_variable_unit(r->run->variable),
                                       .kT = CARDO_BOLTZMANN * study->moves.temperature,
                                       .n = study->bins,
                                       .xi = p->place,
                                       .F = p->F,
                                       .sigma = p->sigma,
                                       .effective = p->effective};
    const cardo_verdict_replica one = {.passages = -1, .F = p->F, .sigma = p->sigma};
    const cardo_verdict_input input = {.coordinate = name,
                                       .nreplica = 1,
                                       .replica = &one,
                                       .another = "compare a run with sample.replica=1",
                                       .n = study->bins,
                                       .xi = p->place,
                                       .F = p->F,
                                       .sigma = p->sigma,
                                       .highest = highest_judged,
                                       .target = study->target,
                                       .first_half = p->half[0],
                                       .first_sigma = p->half_sigma[0],
                                       .last_half = p->half[1],
                                       .last_sigma = p->half_sigma[1]};
    cardo_profile_fill(&lines, into);
    cardo_result_text(into, &(cardo_quantity){"curve"}, "all atoms, no bias");
    cardo_result_number(into, &(cardo_quantity){"low"}, p->bins.low);
    cardo_result_number(into, &(cardo_quantity){"high"}, p->bins.high);
    cardo_result_integer(into, &(cardo_quantity){"samples"}, r->nsample);
    cardo_result_number(into, &(cardo_quantity){"independent_samples", .style = ".0f"},
                        p->independent);
    const cardo_verdict verdict = cardo_free_energy_verdict(&input, text, sizeof text);
    cardo_result_truth(into, &(cardo_quantity){"converged"}, verdict == CARDO_VERDICT_CONVERGED);
    cardo_result_text(into, &(cardo_quantity){"judged"}, cardo_verdict_word(verdict));
    cardo_result_remark(into, "verdict", CARDO_RESULT_VERDICT, text, NULL);
}

cardo_status cardo_mixed_profile_fill(const mixed_run *r, cardo_result *into, cardo_error *error)
{
    profile p = {0};
    cardo_status status = CARDO_OK;
    if (r->nsample < 10)
        return CARDO_FAIL(error, CARDO_ERROR_NUMERICAL,
                          "there are %d samples, too few for a free energy: more cycles are needed",
                          r->nsample);
    CARDO_TRY(CARDO_ALLOCATE(&p.log_weight, r->nsample, error));
    CARDO_TRY(estimate(r, &p, error));
    fill(r, &p, into);
done:
    profile_clear(&p);
    return status;
}
