#include "coarse/energy.h"

#include "base/memory.h"
#include "coarse/lanes.h"

#include <math.h>
#include <string.h>

cardo_status cardo_coarse_work_create(const cardo_coarse_energy *energy, cardo_coarse_work *work,
                                      cardo_error *error)
{
    cardo_status status;
    *work = (cardo_coarse_work){.stride = (energy->sites.nsite / LANES + 2) * LANES};
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

/* The core of site i with all its partners; adds forces and returns the energy. */
static double add_row(const cardo_coarse_energy *energy, int i, const double *restrict x,
                      const double *restrict y, const double *restrict z, double *restrict fx,
                      double *restrict fy, double *restrict fz)
{
    const int n = energy->sites.nsite, first = energy->sites.next[i];
    const double *restrict core = energy->core + energy->row[i] - first;
    lanes4 sum = {0}, gx = {0}, gy = {0}, gz = {0};
    for (int j = first; j < n; j += LANES) {
        lanes4 dx = x[i] - *(const lanes4 *)(x + j), dy = y[i] - *(const lanes4 *)(y + j);
        lanes4 dz = z[i] - *(const lanes4 *)(z + j);
        lanes4 inverse = 1.0 / (dx * dx + dy * dy + dz * dz);
        lanes4 cubed = inverse * inverse * inverse;
        lanes4 u = *(const lanes4 *)(core + j) * (cubed * cubed), g = 12.0 * u * inverse;
        sum += u;
        gx += g * dx;
        gy += g * dy;
        gz += g * dz;
        *(lanes4 *)(fx + j) -= g * dx;
        *(lanes4 *)(fy + j) -= g * dy;
        *(lanes4 *)(fz + j) -= g * dz;
    }
    fx[i] += lanes_sum(&gx);
    fy[i] += lanes_sum(&gy);
    fz[i] += lanes_sum(&gz);
    return lanes_sum(&sum);
}

/* Energy of a pair and, as *slope, -(dU/dr) / r. */
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

static double evaluate_basin(const cardo_coarse_basin *basin, const double *restrict x, int stride,
                             double *restrict f)
{
    double sum = basin->offset;
    memset(f, 0, 3 * (size_t)stride * sizeof *f);
    for (int k = 0; k < basin->npair; ++k) {
        const cardo_coarse_pair *pair = &basin->pair[k];
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
        work->basin[k] = evaluate_basin(&energy->basin[k], work->position, work->stride,
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
    const int stride = work->stride;
    double *x = work->position, *f = work->force, sum = 0;
    memset(f, 0, 3 * (size_t)stride * sizeof *f);
    memset(work->term, 0, sizeof work->term);
    for (int i = 0; energy->core && i < energy->sites.nsite; ++i)
        work->term[0] +=
            add_row(energy, i, x, x + stride, x + 2 * stride, f, f + stride, f + 2 * stride);
    if (energy->nbasin > 0)
        add_basins(energy, work);
    work->energy = 0;
    for (int t = 0; t < energy->nterm; ++t)
        work->energy += work->term[t];
    for (int i = 0; i < energy->sites.nsite; ++i)
        sum += 0 * (f[i] + f[stride + i] + f[2 * stride + i]);
    if (sum + 0 * work->energy != 0)
        return CARDO_FAIL(error, CARDO_RECOVERABLE, "two residues lie on each other");
    return CARDO_OK;
}

cardo_status cardo_coarse_add_pair(cardo_coarse_basin *basin, cardo_coarse_pair pair,
                                   cardo_error *error)
{
    cardo_status status = CARDO_RESERVE(&basin->pair, &basin->capacity, basin->npair + 1, error);
    if (status == CARDO_OK)
        basin->pair[basin->npair++] = pair;
    return status;
}

void cardo_coarse_energy_destroy(cardo_coarse_energy *energy)
{
    if (!energy)
        return;
    for (int k = 0; k < energy->nbasin; ++k) {
        cardo_free(energy->basin[k].name);
        cardo_free(energy->basin[k].pair);
    }
    cardo_free(energy->sites.atom);
    cardo_free(energy->sites.residue);
    cardo_free(energy->sites.body);
    cardo_free(energy->sites.next);
    cardo_free(energy->sites.reference);
    cardo_free(energy->row);
    cardo_free(energy->core);
    cardo_free(energy);
}
