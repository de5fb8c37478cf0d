#include "analysis/free_energy/mean_force_blocks.h"

#include "analysis/free_energy/force_fit.h"
#include "analysis/free_energy/force_groups.h"
#include "analysis/free_energy/force_resolution.h"
#include "base/linalg.h"
#include "base/memory.h"

#include <math.h>
#include <string.h>

bool cardo_force_nodes_add(const cardo_force_nodes *nodes, double xi, double force, double *square,
                           double *next, double *moment)
{
    double x = (xi - nodes->low) / nodes->spacing;
    if (nodes->periodic)
        x -= nodes->n * floor(x / nodes->n);
    else if (!(x >= 0 && x <= nodes->n - 1))
        return false;
    int last = nodes->periodic ? nodes->n - 1 : nodes->n - 2;
    int i = (int)x < last ? (int)x : last, j = i + 1 < nodes->n ? i + 1 : 0;
    double upper = x - i, lower = 1 - upper;
    square[i] += lower * lower;
    square[j] += upper * upper;
    next[i] += lower * upper;
    moment[i] += lower * force;
    moment[j] += upper * force;
    return true;
}

/* Integrals of exp(-F) from node to node: parts, each by Gauss's rule of four points. */
enum { PARTS = 4, GAUSS = 4 };
static const double gauss_place[GAUSS] = {0.069431844202973712, 0.330009478207571868,
                                          0.669990521792428132, 0.930568155797026288};
static const double gauss_weight[GAUSS] = {0.173927422568726929, 0.326072577431273071,
                                           0.326072577431273071, 0.173927422568726929};

/* kT. Rounding, tables of forces. */
static const double floor_of_forces = 1e-4;

/* Places x are in spacings from the first visited node, where F is 0. */
typedef struct force_integral {
    cardo_force_fit fit;
    cardo_force_resolution resolution;
    cardo_force_groups tenths, walkers;
    double *mean; /* forces; round a period less their mean, which is noise            (n) */
    double *F;    /* at nodes                                                           (n) */
    double *weight, *lower, *upper;   /* of an integral from node to node, and its moments    (n) */
    double *all, *first, *row, *work; /* by what integrals depend on the forces             (n) */
} force_integral;

static void integral_clear(force_integral *f)
{
    cardo_force_fit_clear(&f->fit);
    cardo_force_resolution_clear(&f->resolution);
    cardo_force_groups_clear(&f->tenths);
    cardo_force_groups_clear(&f->walkers);
    cardo_free(f->mean);
    cardo_free(f->F);
    cardo_free(f->weight);
    cardo_free(f->lower);
    cardo_free(f->upper);
    cardo_free(f->all);
    cardo_free(f->first);
    cardo_free(f->row);
    cardo_free(f->work);
}

static void integrate_to_nodes(force_integral *f)
{
    const int n = f->fit.n;
    double around = 0;
    for (int i = 0; f->fit.whole && i < n; ++i)
        around += f->fit.mean[i] / n;
    for (int i = 0; i < n; ++i) {
        f->mean[i] = f->fit.mean[i] - around;
        f->F[i] =
            i > 0 ? f->F[i - 1] + 0.5 * f->fit.nodes->spacing * (f->mean[i - 1] + f->mean[i]) : 0;
    }
}

static cardo_status integral_create(const cardo_force_blocks *blocks,
                                    const cardo_force_nodes *nodes,
                                    const cardo_force_blocks *walkers, force_integral *f,
                                    cardo_error *error)
{
    cardo_status status;
    CARDO_TRY(cardo_force_fit_create(blocks, nodes, &f->fit, error));
    if (f->fit.n == 0)
        return CARDO_OK;
    CARDO_TRY(cardo_force_resolution_create(&f->fit, &f->resolution, error));
    CARDO_TRY(cardo_force_groups_of_time(&f->fit, &f->tenths, error));
    if (walkers)
        CARDO_TRY(cardo_force_groups_create(&f->fit, walkers, &f->walkers, error));
    double **const arrays[] = {&f->mean, &f->F,     &f->weight, &f->lower, &f->upper,
                               &f->all,  &f->first, &f->row,    &f->work};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; ++k)
        CARDO_TRY(CARDO_ALLOCATE(arrays[k], f->fit.n, error));
    integrate_to_nodes(f);
done:
    return status;
}

/* What is integrated over. */
typedef struct stretch {
    double from, to;
} stretch;

/* The part of a stretch from node i to the next one, and the number of that node. */
static int between_nodes(const force_integral *f, stretch whole, int i, stretch *part)
{
    part->from = fmax(whole.from, i) - i;
    part->to = fmin(whole.to, i + 1) - i;
    return f->fit.whole ? i - f->fit.n * (int)floor((double)i / f->fit.n) : i;
}

static double F_between(const force_integral *f, int i, double t)
{
    const int next = i + 1 < f->fit.n ? i + 1 : 0;
    return f->F[i] +
           f->fit.nodes->spacing * (f->mean[i] * t * (1 - 0.5 * t) + f->mean[next] * 0.5 * t * t);
}

/* Place and weight of point k of a part. */
static double point(stretch part, int k, double *weight)
{
    const double width = (part.to - part.from) / PARTS;
    *weight = width * gauss_weight[k % GAUSS];
    return part.from + width * (k / GAUSS + gauss_place[k % GAUSS]);
}

static double lowest_of(const force_integral *f, stretch s)
{
    double lowest = HUGE_VAL, weight;
    stretch part;
    for (int i = (int)floor(s.from); i < s.to; ++i) {
        const int node = between_nodes(f, s, i, &part);
        for (int k = 0; k < PARTS * GAUSS && part.to > part.from; ++k)
            lowest = fmin(lowest, F_between(f, node, point(part, k, &weight)));
    }
    return lowest;
}

/* Row by which the mean of F over the weights depends on the forces. round: mean place of the weights,
 * of a period. */
static void make_row(const force_integral *f, double total, double round, double *row)
{
    const int n = f->fit.n;
    const double spacing = f->fit.nodes->spacing;
    double beyond = 0;
    for (int i = 0; i < n; ++i)
        row[i] = f->fit.whole ? -round * spacing / n : 0;
    for (int i = n - 1; i >= 0; --i) {
        const int next = i + 1 < n ? i + 1 : 0;
        row[i] += spacing * (0.5 * beyond + f->lower[i]) / total;
        row[next] += spacing * (0.5 * beyond + f->upper[i]) / total;
        beyond += f->weight[i];
    }
}

/* ln of the integral of exp(-F) over a stretch, in the coordinate's unit, and the row by which the
 * negative of it depends on the forces. */
static double log_integral(force_integral *f, stretch s, double *row)
{
    const size_t size = (size_t)f->fit.n * sizeof(double);
    const double lowest = lowest_of(f, s);
    double total = 0, round = 0, weight;
    stretch part;
    memset(f->weight, 0, size);
    memset(f->lower, 0, size);
    memset(f->upper, 0, size);
    for (int i = (int)floor(s.from); i < s.to; ++i) {
        const int node = between_nodes(f, s, i, &part);
        for (int k = 0; k < PARTS * GAUSS && part.to > part.from; ++k) {
            const double t = point(part, k, &weight);
            weight *= exp(lowest - F_between(f, node, t));
            f->weight[node] += weight;
            f->lower[node] += weight * t * (1 - 0.5 * t);
            f->upper[node] += weight * 0.5 * t * t;
            round += weight * (node + t);
            total += weight;
        }
    }
    make_row(f, total, round / total, row);
    return log(total * f->fit.nodes->spacing) - lowest;
}

/* From one value of the coordinate to another; false where forces were not sampled all the way. What lies
 * beyond the nodes is left out. */
static bool find_stretch(const force_integral *f, double from, double to, stretch *s)
{
    const cardo_force_nodes *nodes = f->fit.nodes;
    const double last = f->fit.n - 1, slack = 1e-9 * nodes->n;
    if (f->fit.n == 0)
        return false;
    s->from = (from - nodes->low) / nodes->spacing;
    s->to = (to - nodes->low) / nodes->spacing;
    if (!nodes->periodic) {
        s->from = fmax(s->from, 0);
        s->to = fmin(s->to, nodes->n - 1);
    }
    s->from -= f->fit.first;
    s->to -= f->fit.first;
    if (nodes->periodic) {
        const double turns = nodes->n * floor((s->from + slack) / nodes->n);
        s->from -= turns;
        s->to -= turns;
    }
    if (f->fit.whole)
        return s->to > s->from;
    const bool visited = s->from >= -slack && s->to <= last + slack;
    s->from = fmax(s->from, 0);
    s->to = fmin(s->to, last);
    return visited && s->to > s->from;
}

static void take_off(int n, const double *what, double *from)
{
    for (int i = 0; i < n; ++i)
        from[i] -= what[i];
}

/* Of a number that depends on the mean forces by row, and what of it is unresolved. */
static double sigma_of(force_integral *f, const double *row, double *unresolved)
{
    cardo_force_fit_invert(&f->fit, row, f->work);
    *unresolved = cardo_force_resolution_of(&f->resolution, row);
    const double noise = cardo_force_fit_sigma(&f->fit, f->work);
    const double slow = fmax(cardo_force_groups_excess(&f->tenths, row, noise),
                             cardo_force_groups_excess(&f->walkers, row, noise));
    return hypot(hypot(noise, slow), hypot(*unresolved, floor_of_forces));
}

static void find_bins(force_integral *f, double all, cardo_force_profile *profile)
{
    const double width = cardo_bin_width(profile->bins);
    stretch s;
    for (int b = 0; b < profile->bins->n; ++b) {
        const double from = profile->bins->low + b * width;
        profile->F[b] = profile->sigma[b] = profile->unresolved[b] = (double)NAN;
        if (!find_stretch(f, from, from + width, &s))
            continue;
        profile->F[b] = all - log_integral(f, s, f->row) + log(width);
        take_off(f->fit.n, f->all, f->row);
        profile->sigma[b] = sigma_of(f, f->row, &profile->unresolved[b]);
    }
}

static void find_basins(force_integral *f, cardo_force_profile *profile)
{
    stretch s;
    double first = 0, unresolved;
    for (int b = 0; b < profile->nbasin; ++b) {
        const double *basin = profile->basin + 2 * b;
        const bool known = find_stretch(f, basin[0], basin[1], &s) && !isnan(first);
        double *row = b > 0 ? f->row : f->first;
        profile->basin_F[b] = profile->basin_sigma[b] = (double)NAN;
        if (known) {
            const double integral = log_integral(f, s, row);
            first = b > 0 ? first : integral;
            profile->basin_F[b] = first - integral;
            profile->basin_sigma[b] = 0;
        } else if (b == 0) {
            first = (double)NAN;
        }
        if (known && b > 0) {
            take_off(f->fit.n, f->first, row);
            profile->basin_sigma[b] = sigma_of(f, row, &unresolved);
        }
    }
}

cardo_status cardo_integrate_blocks(const cardo_force_blocks *blocks,
                                    const cardo_force_nodes *nodes, cardo_force_profile *profile,
                                    cardo_error *error)
{
    force_integral f = {0};
    cardo_status status;
    CARDO_TRY(integral_create(blocks, nodes, profile->walkers, &f, error));
    const stretch visited = {0, f.fit.whole ? f.fit.n : f.fit.n - 1};
    const double all = f.fit.n > 0 ? log_integral(&f, visited, f.all) : (double)NAN;
    if (profile->bins)
        find_bins(&f, all, profile);
    find_basins(&f, profile);
done:
    integral_clear(&f);
    return status;
}
