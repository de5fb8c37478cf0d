#include "cli/sample_files.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/output.h"
#include "base/units.h"
#include "cli/gnuplot.h"
#include "cli/run_folder.h"
#include "io/tables/free_energy_tables.h"
#include "io/tables/npy.h"
#include "sampling/methods/method.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

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

/* "," and a number, of a replica. */
static void print_pair(FILE *stream, double kT, double F, double sigma)
{
    cardo_print(stream, ",%.10g,%.6g", kT * F, kT * sigma);
}

static void print_replica_heads(FILE *stream, int n)
{
    for (int r = 0; n > 1 && r < n; ++r)
        fprintf(stream, ",F of replica %d (kJ/mol),sigma of replica %d (kJ/mol)", r + 1, r + 1);
    fputc('\n', stream);
}

static cardo_status write_states(const cardo_sample_run *run, const cardo_sample_results *results,
                                 cardo_error *error)
{
    cardo_output output = {0};
    const cardo_estimate *e = &results->estimate;
    if (e->nbasin == 0 || e->halves)
        return CARDO_OK;
    cardo_status status = cardo_run_folder_output(run->folder, "states.csv", &output, error);
    if (status != CARDO_OK)
        return status;
    fprintf(output.stream, "from,to,F (kJ/mol),sigma (kJ/mol),bootstrap (kJ/mol)");
    print_replica_heads(output.stream, results->nreplica);
    for (int b = 0; b < e->nbasin; ++b) {
        cardo_print(output.stream, "%.10g,%.10g,%.10g,%.6g,%.6g", e->basin[2 * b],
                    e->basin[2 * b + 1], e->kT * e->basin_F[b], e->kT * e->basin_sigma[b],
                    e->kT * e->basin_bootstrap[b]);
        for (int r = 0; results->nreplica > 1 && r < results->nreplica; ++r)
            print_pair(output.stream, e->kT, results->part[r].basin_F[b],
                       results->part[r].basin_sigma[b]);
        fputc('\n', output.stream);
    }
    return cardo_output_commit(&output, error);
}

/* The profile of each replica. */
static cardo_status write_replicas(const cardo_sample_run *run, const cardo_sample_results *results,
                                   cardo_error *error)
{
    cardo_output output = {0};
    const cardo_estimate *e = &results->estimate;
    const char *unit = cardo_variable_unit(run->variable);
    if (results->nreplica < 2)
        return CARDO_OK;
    cardo_status status = cardo_run_folder_output(run->folder, "replicas.csv", &output, error);
    if (status != CARDO_OK)
        return status;
    fprintf(output.stream, "%s%s%s%s", cardo_variable_name(run->variable), *unit ? " (" : "", unit,
            *unit ? ")" : "");
    print_replica_heads(output.stream, results->nreplica);
    for (int b = 0; b < e->bins.n; ++b) {
        cardo_print(output.stream, "%.10g", e->xi[b]);
        for (int r = 0; r < results->nreplica; ++r)
            print_pair(output.stream, e->kT, results->part[r].F[b], results->part[r].sigma[b]);
        fputc('\n', output.stream);
    }
    return cardo_output_commit(&output, error);
}

/* "overlap.csv" of the first replica, "overlap.2.csv" of the second one. */
static cardo_status replica_path(const cardo_sample_run *run, int replica, const char *stem,
                                 const char *ending, char **path, cardo_error *error)
{
    char name[64];
    if (replica == 0)
        snprintf(name, sizeof name, "%s.%s", stem, ending);
    else
        snprintf(name, sizeof name, "%s.%d.%s", stem, replica + 1, ending);
    return cardo_run_folder_path(run->folder, name, path, error);
}

/* A column for each window, replica after replica. */
static cardo_status write_histograms(const cardo_sample_run *run,
                                     const cardo_sample_results *results, cardo_error *error)
{
    cardo_status status;
    char *path = NULL;
    double *all = NULL;
    const cardo_estimate *first = &results->part[0];
    const size_t n = (size_t)first->nwindow * (size_t)first->bins.n;
    CARDO_TRY(CARDO_ALLOCATE(&all, n * (size_t)results->nreplica, error));
    for (int r = 0; r < results->nreplica; ++r)
        memcpy(all + (size_t)r * n, results->part[r].histograms, n * sizeof *all);
    CARDO_TRY(cardo_run_folder_path(run->folder, "windows.csv", &path, error));
    CARDO_TRY(cardo_histograms_write(path, label_of(run), first->bins.n, first->xi,
                                     first->nwindow * results->nreplica, all, error));
done:
    cardo_free(path);
    cardo_free(all);
    return status;
}

static cardo_status write_windows(const cardo_sample_run *run, const cardo_sample_results *results,
                                  cardo_error *error)
{
    cardo_status status = CARDO_OK;
    if (results->part[0].nwindow == 0)
        return CARDO_OK;
    CARDO_TRY(write_histograms(run, results, error));
    for (int r = 0; r < results->nreplica; ++r) {
        char *overlap = NULL;
        const cardo_estimate *part = &results->part[r];
        CARDO_TRY(replica_path(run, r, "overlap", "csv", &overlap, error));
        status = cardo_overlap_write(overlap, part->nwindow, part->mbar.overlap, error);
        cardo_free(overlap);
        CARDO_TRY(status);
    }
done:
    return status;
}

static cardo_status write_convergence(const cardo_sample_run *run, const cardo_estimate *e,
                                      cardo_error *error)
{
    char *path = NULL, what[160];
    if (e->npart == 0)
        return CARDO_OK;
    cardo_format(what, sizeof what, "F of %g to %g against %g to %g", e->basin[2], e->basin[3],
                 e->basin[0], e->basin[1]);
    cardo_status status = cardo_run_folder_path(run->folder, "convergence.csv", &path, error);
    if (status == CARDO_OK)
        status = cardo_convergence_write(path, what, e->kT, e->npart, e->forward, e->forward_sigma,
                                         e->backward, e->backward_sigma, error);
    cardo_free(path);
    return status;
}

static cardo_status write_u_kn_of(const cardo_sample_run *run, const cardo_estimate *part,
                                  int replica, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    char *u = NULL, *N = NULL;
    const size_t shape[2] = {(size_t)part->nwindow, (size_t)part->nsample};
    CARDO_TRY(replica_path(run, replica, "u_kn", "npy", &u, error));
    CARDO_TRY(cardo_npy_write_doubles(u, 2, shape, part->u, error));
    CARDO_TRY(replica_path(run, replica, "N_k", "npy", &N, error));
    CARDO_TRY(cardo_npy_write_integers(N, 1, shape, part->count, error));
done:
    cardo_free(u);
    cardo_free(N);
    return status;
}

static cardo_status write_u_kn(const cardo_sample_run *run, cardo_sample_results *results,
                               cardo_error *error)
{
    cardo_status status = CARDO_OK;
    const cardo_estimate *e = &results->part[0];
    double size = 8.0 * e->nwindow * e->nsample * results->nreplica;
    if (e->nwindow == 0 || run->own.u_kn == 2 || (run->own.u_kn == 0 && size > most_unasked))
        return CARDO_OK;
    for (int r = 0; r < results->nreplica && status == CARDO_OK; ++r)
        status = write_u_kn_of(run, &results->part[r], r, error);
    results->wrote_u_kn = status == CARDO_OK;
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
        .title = run->session->model->name,
        .coordinate = label_of(run),
        .nprofile = 1,
        .profile = &profile,
        .label = &method,
        .nwindow = results->part[0].nwindow,
        .histograms = results->part[0].nwindow > 0 ? "windows.csv" : NULL,
        .overlap = results->part[0].nwindow > 0 ? "overlap.csv" : NULL,
        .convergence = has_convergence(e) ? "convergence.csv" : NULL,
    };
    cardo_status status = cardo_plot_write_free_energy(run->folder, &pictures, error);
    return status == CARDO_OK ? cardo_gnuplot_run(run->folder, &results->drawn, error) : status;
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

cardo_status cardo_sample_write(cardo_sample_run *run, cardo_sample_results *results,
                                cardo_error *error)
{
    cardo_status status;
    cardo_estimate *e = &results->estimate;
    results->nreplica = cardo_replicas_count(run->replicas);
    CARDO_TRY(cardo_replicas_estimate(run->replicas, &run->request, results->part, e, error));
    CARDO_TRY(write_profile(run, e, error));
    CARDO_TRY(write_states(run, results, error));
    CARDO_TRY(write_replicas(run, results, error));
    CARDO_TRY(write_windows(run, results, error));
    CARDO_TRY(write_convergence(run, e, error));
    CARDO_TRY(write_u_kn(run, results, error));
    if (run->method == &cardo_sampling_scan)
        CARDO_TRY(cardo_scan_table_write(run, &results->scan, error));
    results->verdict = cardo_replicas_judge(run->replicas, results->part, e, highest_judged,
                                            run->own.target, results->words, sizeof results->words);
    CARDO_TRY(draw(run, results, error));
done:
    return status;
}

void cardo_sample_results_clear(cardo_sample_results *results)
{
    for (int r = 0; r < CARDO_MOST_REPLICAS; ++r)
        cardo_estimate_clear(&results->part[r]);
    cardo_estimate_clear(&results->estimate);
}
