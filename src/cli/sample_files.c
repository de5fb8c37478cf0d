#include "cli/sample_files.h"

#include "base/memory.h"
#include "base/output.h"
#include "base/units.h"
#include "cli/run_folder.h"
#include "io/free_energy_tables.h"
#include "io/npy.h"
#include "io/plot.h"
#include "sampling/method.h"

#include <math.h>
#include <stdio.h>

/* Reduced energies that are written unasked: 100 MB. */
static const double most_unasked = 1e8;
/* Places so high above the lowest are hardly ever visited without a bias: not judged, kT. */
static const double highest_judged = 20;

static cardo_coordinate_label label_of(const cardo_sample_run *run)
{
    return (cardo_coordinate_label){cardo_variable_name(run->variable),
                                    cardo_variable_unit(run->variable)};
}

static cardo_status write_profile(const cardo_sample_run *run, const cardo_estimate *e,
                                  cardo_error *error)
{
    char *path = NULL;
    const cardo_profile_table profile = {.coordinate = label_of(run),
                                         .kT = e->kT,
                                         .n = e->bins.n,
                                         .xi = e->xi,
                                         .F = e->F,
                                         .sigma = e->sigma,
                                         .bootstrap = e->bootstrap,
                                         .effective = e->effective};
    cardo_status status = cardo_run_folder_path(run->folder, "pmf.csv", &path, error);
    if (status == CARDO_OK)
        status = cardo_profile_write(path, &profile, error);
    cardo_free(path);
    return status;
}

static cardo_status write_states(const cardo_sample_run *run, const cardo_estimate *e,
                                 cardo_error *error)
{
    cardo_output output = {0};
    if (e->nbasin == 0)
        return CARDO_OK;
    cardo_status status = cardo_run_folder_output(run->folder, "states.csv", &output, error);
    if (status != CARDO_OK)
        return status;
    fprintf(output.stream, "from,to,F (kJ/mol),sigma (kJ/mol),bootstrap (kJ/mol)\n");
    for (int b = 0; b < e->nbasin; ++b)
        fprintf(output.stream, "%.10g,%.10g,%.10g,%.6g,%.6g\n", e->basin[2 * b],
                e->basin[2 * b + 1], e->kT * e->basin_F[b], e->kT * e->basin_sigma[b],
                e->kT * e->basin_bootstrap[b]);
    return cardo_output_commit(&output, error);
}

static cardo_status write_windows(const cardo_sample_run *run, const cardo_estimate *e,
                                  cardo_error *error)
{
    cardo_status status = CARDO_OK;
    char *histograms = NULL, *overlap = NULL;
    if (e->nwindow == 0)
        return CARDO_OK;
    CARDO_TRY(cardo_run_folder_path(run->folder, "windows.csv", &histograms, error));
    CARDO_TRY(cardo_histograms_write(histograms, label_of(run), e->bins.n, e->xi, e->nwindow,
                                     e->histograms, error));
    CARDO_TRY(cardo_run_folder_path(run->folder, "overlap.csv", &overlap, error));
    CARDO_TRY(cardo_overlap_write(overlap, e->nwindow, e->mbar.overlap, error));
done:
    cardo_free(histograms);
    cardo_free(overlap);
    return status;
}

static cardo_status write_convergence(const cardo_sample_run *run, const cardo_estimate *e,
                                      cardo_error *error)
{
    char *path = NULL, what[160];
    if (e->npart == 0)
        return CARDO_OK;
    snprintf(what, sizeof what, "F of %g to %g against %g to %g", e->basin[2], e->basin[3],
             e->basin[0], e->basin[1]);
    cardo_status status = cardo_run_folder_path(run->folder, "convergence.csv", &path, error);
    if (status == CARDO_OK)
        status = cardo_convergence_write(path, what, e->kT, e->npart, e->forward, e->forward_sigma,
                                         e->backward, e->backward_sigma, error);
    cardo_free(path);
    return status;
}

static cardo_status write_u_kn(const cardo_sample_run *run, cardo_sample_results *results,
                               cardo_error *error)
{
    cardo_status status = CARDO_OK;
    const cardo_estimate *e = &results->estimate;
    char *u = NULL, *N = NULL;
    const size_t shape[2] = {(size_t)e->nwindow, (size_t)e->nsample};
    double size = 8.0 * (double)shape[0] * (double)shape[1];
    if (e->nwindow == 0 || run->own.u_kn == 2 || (run->own.u_kn == 0 && size > most_unasked))
        return CARDO_OK;
    CARDO_TRY(cardo_run_folder_path(run->folder, "u_kn.npy", &u, error));
    CARDO_TRY(cardo_npy_write_doubles(u, 2, shape, e->u, error));
    CARDO_TRY(cardo_run_folder_path(run->folder, "N_k.npy", &N, error));
    CARDO_TRY(cardo_npy_write_integers(N, 1, shape, e->count, error));
    results->wrote_u_kn = true;
done:
    cardo_free(u);
    cardo_free(N);
    return status;
}

/* Whether some part of the run knew the difference of the first two states. */
static bool has_convergence(const cardo_estimate *e)
{
    for (int k = 0; k < e->npart; ++k)
        if (isfinite(e->forward[k]) || isfinite(e->backward[k]))
            return true;
    return false;
}

static cardo_status draw(const cardo_sample_run *run, cardo_sample_results *results,
                         cardo_error *error)
{
    const cardo_estimate *e = &results->estimate;
    const char *const profile = "pmf.csv", *const method = cardo_sampling_method_name(run->method);
    const cardo_free_energy_pictures pictures = {
        .title = run->setup.model->name,
        .coordinate = label_of(run),
        .nprofile = 1,
        .profile = &profile,
        .label = &method,
        .nwindow = e->nwindow,
        .histograms = e->nwindow > 0 ? "windows.csv" : NULL,
        .overlap = e->nwindow > 0 ? "overlap.csv" : NULL,
        .convergence = has_convergence(e) ? "convergence.csv" : NULL,
    };
    cardo_status status = cardo_plot_write_free_energy(run->folder, &pictures, error);
    return status == CARDO_OK ? cardo_plot_draw(run->folder, &results->drawn, error) : status;
}

double cardo_sample_worst(const cardo_estimate *e, double highest, double *xi)
{
    double lowest = HUGE_VAL, worst = 0;
    *xi = (double)NAN;
    for (int b = 0; b < e->bins.n; ++b)
        lowest = fmin(lowest, e->F[b]);
    for (int b = 0; b < e->bins.n; ++b)
        if (e->F[b] <= lowest + highest && e->sigma[b] > worst) {
            worst = e->sigma[b];
            *xi = e->xi[b];
        }
    return worst;
}

static void judge(const cardo_sample_run *run, cardo_sample_results *results)
{
    const cardo_estimate *e = &results->estimate;
    const int half = e->npart / 2 - 1;
    if (e->remark) {
        snprintf(results->words, sizeof results->words, "%s\n", e->remark);
        return;
    }
    cardo_verdict_input input = {
        .coordinate = cardo_variable_name(run->variable),
        .mbar = e->nwindow > 0 ? &e->mbar : NULL,
        .row = e->row,
        .independent = e->independent,
        .worth = e->worth,
        .haste = e->haste,
        .n = e->bins.n,
        .xi = e->xi,
        .F = e->F,
        .sigma = e->sigma,
        .unresolved = e->unresolved,
        .highest = highest_judged,
        .target = run->own.target,
    };
    if (half >= 0 && e->npart % 2 == 0) {
        input.first_half = e->forward[half];
        input.first_sigma = e->forward_sigma[half];
        input.last_half = e->backward[half];
        input.last_sigma = e->backward_sigma[half];
    }
    results->verdict = cardo_free_energy_verdict(&input, results->words, sizeof results->words);
}

cardo_status cardo_sample_write(cardo_sample_run *run, cardo_sample_results *results,
                                cardo_error *error)
{
    cardo_status status;
    cardo_estimate *e = &results->estimate;
    CARDO_TRY(cardo_sampling_estimate(run->sampling, &run->request, e, error));
    CARDO_TRY(write_profile(run, e, error));
    CARDO_TRY(write_states(run, e, error));
    CARDO_TRY(write_windows(run, e, error));
    CARDO_TRY(write_convergence(run, e, error));
    CARDO_TRY(write_u_kn(run, results, error));
    if (run->method == &cardo_sampling_scan)
        CARDO_TRY(cardo_scan_table_write(run, &results->scan, error));
    judge(run, results);
    CARDO_TRY(draw(run, results, error));
done:
    return status;
}
