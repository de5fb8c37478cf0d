#include "experiment/labels/label_distance.h"

#include <math.h>
#include <string.h>

double cardo_transfer_distance(double efficiency, double R0)
{
    if (efficiency <= 0)
        return HUGE_VAL;
    return efficiency >= 1 ? 0 : R0 * pow(1 / efficiency - 1, 1.0 / 6);
}

static double mean_place(const cardo_label_places *places, double mean[3])
{
    double weight = 0;
    memset(mean, 0, 3 * sizeof *mean);
    for (int i = 0; i < places->n; ++i) {
        weight += places->weight[i];
        for (int k = 0; k < 3; ++k)
            mean[k] += places->weight[i] * places->position[3 * (size_t)i + (size_t)k];
    }
    for (int k = 0; k < 3; ++k)
        mean[k] /= weight;
    return weight;
}

void cardo_label_distance_find(const cardo_label_places *one, const cardo_label_places *other,
                               double R0, double bin, int nbin, double *histogram,
                               cardo_label_distance *out)
{
    double a[3], b[3], sum = 0, squares = 0, transfer = 0, rate = 0;
    const double all = mean_place(one, a) * mean_place(other, b);
    *out = (cardo_label_distance){.between_means =
                                      hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2])};
    for (int k = 0; histogram && k < nbin; ++k)
        histogram[k] = 0;
    for (int i = 0; i < one->n; ++i) {
        const double *p = one->position + 3 * (size_t)i;
        for (int j = 0; j < other->n; ++j) {
            const double *q = other->position + 3 * (size_t)j;
            const double dx = p[0] - q[0], dy = p[1] - q[1], dz = p[2] - q[2];
            const double squared = dx * dx + dy * dy + dz * dz, r = sqrt(squared),
                         weight = one->weight[i] * other->weight[j] / all;
            sum += weight * r;
            squares += weight * squared;
            if (R0 > 0) {
                /* No two dyes come nearer than a tenth of R0, at which E is 1 to 1e-6. */
                const double ratio = fmax(squared, 0.01 * R0 * R0) / (R0 * R0),
                             sixth = ratio * ratio * ratio;
                transfer += weight / (1 + sixth);
                rate += weight / sixth;
            }
            if (histogram && r < bin * nbin)
                histogram[(int)(r / bin)] += weight;
        }
    }
    out->mean = sum;
    out->spread = sqrt(fmax(0, squares - sum * sum));
    out->efficiency = transfer;
    out->efficiency_fast = rate / (1 + rate);
    out->apparent = R0 > 0 ? cardo_transfer_distance(transfer, R0) : 0;
}
