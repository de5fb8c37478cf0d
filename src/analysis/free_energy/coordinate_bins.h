/* Bins of equal width along a reaction coordinate. */
#ifndef CARDO_ANALYSIS_FREE_ENERGY_COORDINATE_BINS_H
#define CARDO_ANALYSIS_FREE_ENERGY_COORDINATE_BINS_H

#include <assert.h>
#include <math.h>
#include <stdbool.h>

typedef struct cardo_bins {
    int n;
    double low, high; /* ends; a periodic coordinate's period is high - low */
    bool periodic;
} cardo_bins;

static inline double cardo_bin_width(const cardo_bins *bins)
{
    return (bins->high - bins->low) / bins->n;
}

static inline double cardo_bin_centre(const cardo_bins *bins, int b)
{
    return bins->low + (b + 0.5) * cardo_bin_width(bins);
}

/* The bin of a value of the coordinate; -1 outside (never when periodic). */
static inline int cardo_bin_of(const cardo_bins *bins, double xi)
{
    double range = bins->high - bins->low, x = xi - bins->low;
    if (bins->periodic)
        x -= range * floor(x / range);
    if (!(x >= 0 && x <= range))
        return -1;
    assert(bins->n > 0);
    int b = (int)(x / range * bins->n);
    return b < bins->n ? b : bins->n - 1;
}

/* Is xi between from and to? Of a periodic coordinate: on the way from `from` upwards to `to`, with
 * its period. */
static inline bool cardo_is_between(double xi, double from, double to, double period)
{
    if (period <= 0)
        return xi >= from && xi <= to;
    double x = xi - from, length = to - from;
    return x - period * floor(x / period) <= length - period * floor(length / period);
}

#endif
