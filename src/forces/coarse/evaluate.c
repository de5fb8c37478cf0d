#include "forces/coarse/energy.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/vec.h"
#include "forces/coarse/lanes.h"
#include "forces/coarse/rows.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

cardo_status cardo_coarse_work_create(const cardo_coarse_energy *energy, cardo_coarse_work *work,
                                      cardo_error *error)
{
    cardo_status status;
    *work = (cardo_coarse_work){.rows = cardo_coarse_rows_best(),
                                .stride = (energy->sites.nsite / LANES + 2) * LANES};
    size_t n = 3 * (size_t)work->stride;
    CARDO_TRY(CARDO_ALLOCATE(&work->position, n, error));
    CARDO_TRY(CARDO_ALLOCATE(&work->force, n, error));
    CARDO_TRY(CARDO_ALLOCATE(&work->own_force, n * (size_t)(energy->nbasin + 1), error));
    /* Blocks reach beyond the last site: what stands there has no parameters, but must not lie on
     * anything. */
    for (int i = energy->sites.nsite; i < work->stride; ++i)
        work->position[i] = 1e6;
done:
    return status;
}

void cardo_coarse_work_clear(cardo_coarse_work *work)
{
    cardo_free(work->position);
    cardo_free(work->force);
    cardo_free(work->own_force);
    *work = (cardo_coarse_work){0};
}

/* Energy of a pair that is no charges' and, as *slope, -(dU/dr) / r. */
static double pair_energy(const cardo_coarse_pair *pair, double squared, double *slope)
{
    if (pair->shape == CARDO_PAIR_SPRING) {
        double r = sqrt(squared), off = r - pair->length;
        *slope = -pair->energy * off / r;
        return 0.5 * pair->energy * off * off;
    }
    double s2 = pair->length * pair->length / squared, s4 = s2 * s2, s10 = s4 * s4 * s2;
    if (pair->shape == CARDO_PAIR_CORE) {
        *slope = 12 * pair->energy * s10 * s2 / squared;
        return pair->energy * s10 * s2;
    }
    *slope = 60 * pair->energy * (s10 * s2 - s10) / squared;
    return pair->energy * (5 * s10 * s2 - 6 * s10);
}

/* How many pairs of charges there are from pair k on. */
static int count_charges(const cardo_coarse_list *list, int k)
{
    int n = 0;
    while (k + n < list->npair && list->pair[k + n].shape == CARDO_PAIR_CHARGES)
        ++n;
    return n;
}

/* Adds the forces of a list and returns its energy. */
static double add_list(const cardo_coarse_rows *rows, const cardo_coarse_list *list,
                       const double *restrict x, int stride, double *restrict f)
{
    double sum = 0;
    for (int k = 0; k < list->npair; ++k) {
        const int n = count_charges(list, k);
        if (n > 0) {
            sum += rows->charges(&list->pair[k], n, x, f, stride);
            k += n - 1;
            continue;
        }
        const cardo_coarse_pair *pair = &list->pair[k];
        double d[3], slope, squared = 0;
        for (int c = 0; c < 3; ++c) {
            d[c] = x[c * stride + pair->site[0]] - x[c * stride + pair->site[1]];
            squared += d[c] * d[c];
        }
        sum += pair_energy(pair, squared, &slope);
        for (int c = 0; c < 3; ++c) {
            f[c * stride + pair->site[0]] += slope * d[c];
            f[c * stride + pair->site[1]] -= slope * d[c];
        }
    }
    return sum;
}

static cardo_vec3 at(const double *x, int stride, int site)
{
    return v3(x[site], x[stride + site], x[2 * stride + site]);
}

static void push(double *f, int stride, int site, double s, cardo_vec3 force)
{
    f[site] += s * force.x;
    f[stride + site] += s * force.y;
    f[2 * stride + site] += s * force.z;
}

static double angle_energy(const cardo_coarse_angle_rule *rule, double t, double *slope)
{
    double a = t - rule->helix, b = t - rule->strand;
    double V[2] = {rule->k_helix * a * a + rule->above, rule->k_strand * b * b};
    double lowest = fmin(V[0], V[1]);
    double w[2] = {exp(-rule->steepness * (V[0] - lowest)),
                   exp(-rule->steepness * (V[1] - lowest))};
    *slope = (w[0] * 2 * rule->k_helix * a + w[1] * 2 * rule->k_strand * b) / (w[0] + w[1]);
    return lowest - log(w[0] + w[1]) / rule->steepness;
}

static double add_angles(const cardo_coarse_energy *energy, const double *x, int stride, double *f)
{
    double sum = 0;
    for (int k = 0; k < energy->nangle; ++k) {
        const int *site = energy->angle[k].site;
        cardo_vec3 a = v3_sub(at(x, stride, site[0]), at(x, stride, site[1]));
        cardo_vec3 c = v3_sub(at(x, stride, site[2]), at(x, stride, site[1]));
        cardo_vec3 normal = v3_cross(a, c);
        double sine = v3_norm(normal), slope;
        sum += angle_energy(&energy->angle_rule, atan2(sine, v3_dot(a, c)), &slope);
        /* A straight angle has no plane to bend in, and with the double well no slope to speak of. */
        if (sine < 1e-9)
            continue;
        cardo_vec3 up = v3_scale(1 / sine, normal);
        cardo_vec3 fa = v3_scale(slope / v3_dot(a, a), v3_cross(a, up));
        cardo_vec3 fc = v3_scale(slope / v3_dot(c, c), v3_cross(up, c));
        push(f, stride, site[0], -1, fa);
        push(f, stride, site[2], -1, fc);
        push(f, stride, site[1], 1, v3_add(fa, fc));
    }
    return sum;
}

static double evaluate_basin(const cardo_coarse_rows *rows, const cardo_coarse_basin *basin,
                             const double *x, int stride, double *f)
{
    memset(f, 0, 3 * (size_t)stride * sizeof *f);
    return basin->offset + add_list(rows, &basin->pairs, x, stride, f);
}

/* -kT ln sum exp(-V/kT), with the weights of the basins. */
static double mix(int n, const double *basin, double mixing, double *weight)
{
    double lowest = basin[0], sum = 0;
    for (int k = 1; k < n; ++k)
        lowest = fmin(lowest, basin[k]);
    for (int k = 0; k < n; ++k) {
        weight[k] = n == 1 ? 1 : exp(-(basin[k] - lowest) / mixing);
        sum += weight[k];
    }
    for (int k = 0; k < n; ++k)
        weight[k] /= sum;
    return n == 1 ? lowest : lowest - mixing * log(sum);
}

static void add_basins(const cardo_coarse_energy *energy, cardo_coarse_work *work)
{
    const size_t n = 3 * (size_t)work->stride;
    for (int k = 0; k < energy->nbasin; ++k)
        work->basin[k] = evaluate_basin(work->rows, &energy->basin[k], work->position, work->stride,
                                        work->own_force + (size_t)k * n);
    work->term[energy->nterm - 1] = mix(energy->nbasin, work->basin, energy->mixing, work->weight);
    for (int k = 0; k < energy->nbasin; ++k) {
        const double *own = work->own_force + (size_t)k * n;
        for (size_t i = 0; i < n; ++i)
            work->force[i] += work->weight[k] * own[i];
    }
}

cardo_status cardo_coarse_evaluate(const cardo_coarse_energy *energy, cardo_coarse_work *work,
                                   cardo_error *error)
{
    const int stride = work->stride, nsite = energy->sites.nsite;
    double *x = work->position, *f = work->force, *term = work->term, sum = 0;
    memset(f, 0, 3 * (size_t)stride * sizeof *f);
    memset(work->term, 0, sizeof work->term);
    for (int i = 0; energy->core && i < nsite; ++i)
        *term += work->rows->core(energy, i, x, f, stride);
    term += energy->core != NULL;
    for (int i = 0; energy->depth4 && i < nsite; ++i)
        *term += work->rows->well(energy, i, x, f, stride);
    term += energy->depth4 != NULL;
    for (int k = 0; k < energy->nlist; ++k)
        *term++ = add_list(work->rows, &energy->list[k], x, stride, f);
    if (energy->nangle > 0)
        term[-1] += add_angles(energy, x, stride, f);
    if (energy->nbasin > 0)
        add_basins(energy, work);
    work->energy = 0;
    for (int t = 0; t < energy->nterm; ++t)
        work->energy += work->term[t];
    for (int i = 0; i < nsite; ++i)
        sum += 0 * (f[i] + f[stride + i] + f[2 * stride + i]);
    if (sum + 0 * work->energy != 0)
        return CARDO_FAIL(error, CARDO_RECOVERABLE, "two residues lie on each other");
    return CARDO_OK;
}

cardo_status cardo_coarse_add_pair(cardo_coarse_list *list, cardo_coarse_pair pair,
                                   cardo_error *error)
{
    cardo_status status = CARDO_RESERVE(&list->pair, &list->capacity, list->npair + 1, error);
    if (status == CARDO_OK)
        list->pair[list->npair++] = pair;
    return status;
}

void cardo_coarse_say(cardo_coarse_energy *energy, const char *format, ...)
{
    size_t n = strlen(energy->summary), room = sizeof energy->summary - n;
    va_list arguments;
    va_start(arguments, format);
    cardo_format_list(energy->summary + n, room, format, arguments);
    va_end(arguments);
    n = strlen(energy->summary);
    if (n + 1 < sizeof energy->summary)
        memcpy(energy->summary + n, "\n", 2);
}

void cardo_coarse_energy_destroy(cardo_coarse_energy *energy)
{
    if (!energy)
        return;
    for (int k = 0; k < energy->nbasin; ++k) {
        cardo_free(energy->basin[k].name);
        cardo_free(energy->basin[k].pairs.pair);
    }
    for (int k = 0; k < energy->nlist; ++k)
        cardo_free(energy->list[k].pair);
    cardo_free(energy->angle);
    cardo_free(energy->depth4);
    cardo_free(energy->sigma2);
    cardo_free(energy->hump);
    cardo_free(energy->sites.atom);
    cardo_free(energy->sites.residue);
    cardo_free(energy->sites.body);
    cardo_free(energy->sites.next);
    cardo_free(energy->sites.reference);
    cardo_free(energy->row);
    cardo_free(energy->core);
    cardo_free(energy);
}
