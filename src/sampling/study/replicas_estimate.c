#include "analysis/free_energy/crossings.h"
#include "base/memory.h"
#include "sampling/methods/method.h"
#include "sampling/study/replicas.h"

#include <math.h>
#include <stdio.h>

/* One quantity in every replica. */
typedef struct values {
    int n;
    double F[CARDO_MOST_REPLICAS], sigma[CARDO_MOST_REPLICAS];
} values;

static void add(values *v, double F, double sigma)
{
    if (isnan(F))
        return;
    v->F[v->n] = F;
    v->sigma[v->n++] = sigma;
}

/* The mean of those that there are, NaN of none. Errors of the parts are independent, but for a part
 * `shared` that all of them have. The scatter of two says little of an error, but that it is no smaller
 * may be known. */
static void combine(const values *v, double shared, double *F, double *sigma)
{
    double sum = 0, variance = 0, scatter = 0;
    *F = *sigma = (double)NAN;
    if (v->n == 0)
        return;
    for (int r = 0; r < v->n; ++r) {
        sum += v->F[r];
        variance += fmax(0, v->sigma[r] * v->sigma[r] - shared * shared);
    }
    *F = sum / v->n;
    for (int r = 0; r < v->n; ++r)
        scatter += (v->F[r] - *F) * (v->F[r] - *F);
    variance /= (double)v->n * v->n;
    scatter /= v->n > 1 ? (double)v->n * (v->n - 1) : 1;
    *sigma = sqrt(fmax(variance, scatter) + shared * shared);
}

/* Brings a profile to unit density over the bins that it has. */
static void normalize(cardo_estimate *e)
{
    double Z = 0;
    const double width = (e->bins.high - e->bins.low) / e->bins.n;
    for (int b = 0; b < e->bins.n; ++b)
        Z += isnan(e->F[b]) ? 0 : exp(-e->F[b]) * width;
    for (int b = 0; b < e->bins.n; ++b)
        e->F[b] += log(Z);
}

static void combine_profile(const cardo_estimate *part, int n, cardo_estimate *e)
{
    for (int b = 0; b < e->bins.n; ++b) {
        values v = {0}, again = {0};
        double shared = 0, unused;
        for (int r = 0; r < n; ++r) {
            add(&v, part[r].F[b], part[r].sigma[b]);
            if (e->bootstrap)
                add(&again, part[r].F[b], part[r].bootstrap[b]);
            if (e->unresolved)
                shared = fmax(shared, part[r].unresolved[b]);
            if (e->effective)
                e->effective[b] += part[r].effective[b];
        }
        combine(&v, shared, &e->F[b], &e->sigma[b]);
        if (e->bootstrap)
            combine(&again, 0, &unused, &e->bootstrap[b]);
        if (e->unresolved)
            e->unresolved[b] = shared;
    }
    if (n > 1)
        normalize(e);
}

static void combine_basins(const cardo_estimate *part, int n, cardo_estimate *e)
{
    for (int b = 0; b < e->nbasin; ++b) {
        values v = {0}, again = {0};
        double unused;
        e->basin_bins[b] = part->basin_bins[b];
        e->basin_empty[b] = part->basin_bins[b];
        for (int r = 0; r < n; ++r) {
            if (part[r].basin_empty[b] < e->basin_empty[b])
                e->basin_empty[b] = part[r].basin_empty[b];
            add(&v, part[r].basin_F[b], part[r].basin_sigma[b]);
            add(&again, part[r].basin_F[b], part[r].basin_bootstrap[b]);
        }
        combine(&v, 0, &e->basin_F[b], &e->basin_sigma[b]);
        combine(&again, 0, &unused, &e->basin_bootstrap[b]);
    }
}

/* All replicas at the same parts of their time. */
static void combine_parts(const cardo_estimate *part, int n, cardo_estimate *e)
{
    for (int p = 0; p < e->npart; ++p) {
        values forward = {0}, backward = {0};
        for (int r = 0; r < n; ++r) {
            add(&forward, part[r].forward[p], part[r].forward_sigma[p]);
            add(&backward, part[r].backward[p], part[r].backward_sigma[p]);
        }
        combine(&forward, 0, &e->forward[p], &e->forward_sigma[p]);
        combine(&backward, 0, &e->backward[p], &e->backward_sigma[p]);
    }
}

/* Memory for what the parts have. */
static cardo_status make(const cardo_estimate *part, cardo_estimate *e, cardo_error *error)
{
    cardo_status status;
    const int n = part->bins.n;
    e->bins = part->bins;
    e->kT = part->kT;
    e->remark = part->remark;
    e->nbasin = part->nbasin;
    for (int k = 0; k < 2 * part->nbasin; ++k)
        e->basin[k] = part->basin[k];
    CARDO_TRY(CARDO_ALLOCATE(&e->xi, n, error));
    CARDO_TRY(CARDO_ALLOCATE(&e->F, n, error));
    CARDO_TRY(CARDO_ALLOCATE(&e->sigma, n, error));
    for (int b = 0; b < n; ++b)
        e->xi[b] = part->xi[b];
    if (part->bootstrap)
        CARDO_TRY(CARDO_ALLOCATE(&e->bootstrap, n, error));
    if (part->effective)
        CARDO_TRY(CARDO_ALLOCATE(&e->effective, n, error));
    if (part->unresolved)
        CARDO_TRY(CARDO_ALLOCATE(&e->unresolved, n, error));
    e->npart = part->npart;
    if (part->npart > 0) {
        CARDO_TRY(CARDO_ALLOCATE(&e->forward, part->npart, error));
        CARDO_TRY(CARDO_ALLOCATE(&e->forward_sigma, part->npart, error));
        CARDO_TRY(CARDO_ALLOCATE(&e->backward, part->npart, error));
        CARDO_TRY(CARDO_ALLOCATE(&e->backward_sigma, part->npart, error));
    }
done:
    return status;
}

/* Where no states are asked for, what can be compared are the halves of the range. */
static void cut_in_two(const cardo_sampling_options *options, cardo_estimate_request *request)
{
    const double middle = 0.5 * (options->from + options->to);
    request->nbasin = 2;
    request->basin[0] = options->from;
    request->basin[1] = request->basin[2] = middle;
    request->basin[3] = options->to;
}

/* A coordinate as walkers that should see the same of it saw it: walker k of every replica, or all. */
static cardo_status count_crossings_of(const cardo_replicas *replicas, int coordinate, int k,
                                       bool roam, int *nseries, int *crossings, cardo_error *error)
{
    cardo_status status;
    cardo_strided *series = NULL;
    const int n = cardo_replicas_count(replicas),
              nwalker = cardo_replicas_study(replicas, 0)->crew.nwalker;
    *nseries = 0;
    CARDO_TRY(CARDO_ALLOCATE(&series, n * nwalker, error));
    for (int r = 0; r < n; ++r) {
        const cardo_sampling *study = cardo_replicas_study(replicas, r);
        for (int w = roam ? 0 : k; w < (roam ? nwalker : k + 1); ++w) {
            const cardo_walker *walker = &study->crew.walkers[w];
            series[(*nseries)++] =
                (cardo_strided){walker->slow + coordinate - 1, walker->nsample, study->slow.n};
        }
    }
    status = cardo_count_crossings(*nseries, series, crossings, error);
done:
    cardo_free(series);
    return status;
}

/* The mean over walkers, of each recorded coordinate. */
static cardo_status count_crossings(const cardo_replicas *replicas, const cardo_estimate *part,
                                    cardo_estimate *e, cardo_error *error)
{
    const int groups = part->nwalker == 0 ? 0 : part->roam ? 1 : part->nwalker;
    for (int c = 0; c < part->ncoordinate; ++c) {
        double sum = 0;
        int walkers = 0;
        for (int k = 0; k < groups && c > 0; ++k) {
            int nseries, crossings;
            cardo_status status =
                count_crossings_of(replicas, c, k, part->roam, &nseries, &crossings, error);
            if (status != CARDO_OK)
                return status;
            sum += crossings > 0 ? crossings : 0;
            walkers += crossings >= 0 ? nseries : 0;
        }
        e->crossings[c] = walkers > 0 ? sum / walkers : -1;
    }
    return CARDO_OK;
}

cardo_status cardo_replicas_estimate(const cardo_replicas *replicas,
                                     const cardo_estimate_request *request, cardo_estimate *part,
                                     cardo_estimate *together, cardo_error *error)
{
    cardo_status status;
    const int n = cardo_replicas_count(replicas);
    cardo_estimate_request asked = *request;
    const cardo_sampling *first = cardo_replicas_study(replicas, 0);
    const bool halves = request->nbasin == 0 && !first->plan.method->stands;
    if (halves)
        cut_in_two(&first->options, &asked);
    for (int r = 0; r < n; ++r)
        CARDO_TRY(
            cardo_sampling_estimate(cardo_replicas_study(replicas, r), &asked, &part[r], error));
    CARDO_TRY(make(part, together, error));
    together->halves = halves;
    for (int r = 0; r < n; ++r)
        together->folded = together->folded || part[r].folded;
    combine_profile(part, n, together);
    combine_basins(part, n, together);
    combine_parts(part, n, together);
    CARDO_TRY(count_crossings(replicas, part, together, error));
done:
    return status;
}

cardo_verdict cardo_replicas_judge(const cardo_replicas *replicas, const cardo_estimate *part,
                                   const cardo_estimate *together, double highest, double target,
                                   char *text, size_t size)
{
    const int n = cardo_replicas_count(replicas), half = together->npart / 2 - 1;
    cardo_verdict_replica replica[CARDO_MOST_REPLICAS];
    if (together->remark) {
        snprintf(text, size, "%s\n", together->remark);
        return CARDO_VERDICT_DOUBTFUL;
    }
    for (int r = 0; r < n; ++r)
        replica[r] = (cardo_verdict_replica){.mbar = part[r].nwindow > 0 ? &part[r].mbar : NULL,
                                             .row = part[r].row,
                                             .nwalker = part[r].nwalker,
                                             .roam = part[r].roam,
                                             .moments = part[r].moments,
                                             .passages = part[r].passages,
                                             .haste = part[r].haste,
                                             .F = part[r].F,
                                             .sigma = part[r].sigma,
                                             .state_F = part[r].basin_F,
                                             .state_sigma = part[r].basin_sigma};
    cardo_verdict_input input = {.coordinate = part->names[0],
                                 .ncoordinate = part->ncoordinate,
                                 .names = part->names,
                                 .crossings = together->crossings,
                                 .nreplica = n,
                                 .replica = replica,
                                 .folded = together->folded,
                                 .n = together->bins.n,
                                 .xi = together->xi,
                                 .F = together->F,
                                 .sigma = together->sigma,
                                 .unresolved = together->unresolved,
                                 .highest = highest,
                                 .target = target,
                                 .nstate = together->nbasin,
                                 .halves = together->halves,
                                 .state = together->basin,
                                 .state_F = together->basin_F,
                                 .state_sigma = together->basin_sigma};
    if (half >= 0 && together->npart % 2 == 0) {
        input.first_half = together->forward[half];
        input.first_sigma = together->forward_sigma[half];
        input.last_half = together->backward[half];
        input.last_sigma = together->backward_sigma[half];
    }
    return cardo_free_energy_verdict(&input, text, size);
}
