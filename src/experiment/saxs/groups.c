#include "experiment/saxs/groups.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

/* chi^2 between members at first: far below what a curve can tell. */
static const double narrowest = 1e-2;

/* What tells two conformations apart. */
static size_t points_of(const cardo_profile_groups *g)
{
    return (size_t)g->curve->n + (size_t)g->nproperty;
}

static size_t partials_of(const cardo_profile_groups *g)
{
    return (size_t)g->curve->n * CARDO_PARTIALS;
}

cardo_status cardo_profile_groups_make(const cardo_curve *curve, int nproperty, int most,
                                       cardo_profile_groups *out, cardo_error *error)
{
    cardo_status status;
    const size_t room = (size_t)most;
    out->curve = curve;
    out->nproperty = nproperty;
    out->most = most;
    out->width = narrowest;
    CARDO_TRY(CARDO_ALLOCATE(&out->first, room * points_of(out), error));
    CARDO_TRY(CARDO_ALLOCATE(&out->partials, room * partials_of(out), error));
    CARDO_TRY(CARDO_ALLOCATE(&out->property, room * (size_t)nproperty + 1, error));
    CARDO_TRY(CARDO_ALLOCATE(&out->volume, room, error));
    CARDO_TRY(CARDO_ALLOCATE(&out->gyration, room, error));
    CARDO_TRY(CARDO_ALLOCATE(&out->count, room, error));
    CARDO_TRY(CARDO_ALLOCATE(&out->example, room, error));
    CARDO_TRY(CARDO_ALLOCATE(&out->work, partials_of(out) + (size_t)nproperty, error));
done:
    return status;
}

void cardo_profile_groups_clear(cardo_profile_groups *g)
{
    cardo_free(g->first);
    cardo_free(g->partials);
    cardo_free(g->volume);
    cardo_free(g->gyration);
    cardo_free(g->property);
    cardo_free(g->count);
    cardo_free(g->example);
    cardo_free(g->work);
    *g = (cardo_profile_groups){0};
}

static double between(const double *a, const double *b, size_t n, double most)
{
    double sum = 0;
    for (size_t k = 0; k < n && sum < most; ++k)
        sum += (a[k] - b[k]) * (a[k] - b[k]);
    return sum;
}

/* The nearest of the first n groups that is nearer than the width, or -1. */
static int nearest(const cardo_profile_groups *g, const double *profile, int n)
{
    double least = g->width;
    int at = -1;
    for (int k = 0; k < n; ++k) {
        const double off =
            between(g->first + (size_t)k * points_of(g), profile, points_of(g), least);
        if (off < least) {
            least = off;
            at = k;
        }
    }
    return at;
}

static void take(cardo_profile_groups *g, int to, const double *partials, double volume,
                 double gyration, const double *property, long long count)
{
    const size_t size = partials_of(g), more = (size_t)g->nproperty;
    for (size_t k = 0; k < size; ++k)
        g->partials[(size_t)to * size + k] += partials[k];
    for (size_t k = 0; k < more; ++k)
        g->property[(size_t)to * more + k] += property[k];
    g->volume[to] += volume;
    g->gyration[to] += gyration;
    g->count[to] += count;
}

static void put_first(cardo_profile_groups *g, int to, long long number, const double *profile)
{
    const size_t points = points_of(g), size = partials_of(g), more = (size_t)g->nproperty;
    memmove(g->first + (size_t)to * points, profile, points * sizeof *profile);
    memset(g->partials + (size_t)to * size, 0, size * sizeof *g->partials);
    memset(g->property + (size_t)to * more, 0, more * sizeof *g->property);
    g->volume[to] = g->gyration[to] = 0;
    g->count[to] = 0;
    g->example[to] = number;
}

/* Wider groups, in the order in which they were begun. */
static void join(cardo_profile_groups *g)
{
    const size_t points = points_of(g), size = partials_of(g), more = (size_t)g->nproperty;
    const int before = g->n;
    double *property = g->work + size;
    g->width *= 4;
    g->n = 0;
    for (int k = 0; k < before; ++k) {
        const double *profile = g->first + (size_t)k * points;
        const double volume = g->volume[k], gyration = g->gyration[k];
        const long long count = g->count[k];
        int to = nearest(g, profile, g->n);
        memcpy(g->work, g->partials + (size_t)k * size, size * sizeof *g->work);
        memcpy(property, g->property + (size_t)k * more, more * sizeof *property);
        if (to < 0) {
            to = g->n++;
            put_first(g, to, g->example[k], profile);
        }
        take(g, to, g->work, volume, gyration, property, count);
    }
}

/* The profile at c1 = c2 = 1 with the scale that suits the curve best, over sigma, and the properties. */
static void scale_profile(const cardo_profile_groups *g, const double *partials, double volume,
                          const double *property, double *out)
{
    double up = 0, down = 0;
    for (int k = 0; k < g->curve->n; ++k) {
        double w[CARDO_PARTIALS];
        cardo_partial_weights(g->curve->q[k], volume, 1, 1, w, NULL, NULL);
        out[k] = 0;
        for (int p = 0; p < CARDO_PARTIALS; ++p)
            out[k] += w[p] * partials[k * CARDO_PARTIALS + p] / g->curve->sigma[k];
        up += out[k] * g->curve->intensity[k] / g->curve->sigma[k];
        down += out[k] * out[k];
    }
    for (int k = 0; k < g->curve->n; ++k)
        out[k] *= up / down;
    for (int k = 0; k < g->nproperty; ++k)
        out[g->curve->n + k] = property[k];
}

void cardo_profile_groups_add(cardo_profile_groups *g, long long number, const double *partials,
                              double volume, double gyration, const double *property)
{
    int to;
    scale_profile(g, partials, volume, property, g->work);
    while ((to = nearest(g, g->work, g->n)) < 0 && g->n == g->most) {
        join(g);
        scale_profile(g, partials, volume, property, g->work);
    }
    if (to < 0) {
        to = g->n++;
        put_first(g, to, number, g->work);
    }
    take(g, to, partials, volume, gyration, property, 1);
}

static void exchange(double *a, double *b, size_t n)
{
    for (size_t k = 0; k < n; ++k) {
        const double swap = a[k];
        a[k] = b[k];
        b[k] = swap;
    }
}

static void exchange_groups(cardo_profile_groups *g, int a, int b)
{
    const size_t size = partials_of(g), more = (size_t)g->nproperty;
    const long long count = g->count[a], example = g->example[a];
    exchange(g->partials + (size_t)a * size, g->partials + (size_t)b * size, size);
    exchange(&g->volume[a], &g->volume[b], 1);
    exchange(&g->gyration[a], &g->gyration[b], 1);
    exchange(g->property + (size_t)a * more, g->property + (size_t)b * more, more);
    g->count[a] = g->count[b];
    g->example[a] = g->example[b];
    g->count[b] = count;
    g->example[b] = example;
}

void cardo_profile_groups_close(cardo_profile_groups *g)
{
    const size_t size = partials_of(g), more = (size_t)g->nproperty;
    for (int k = 0; k < g->n; ++k) {
        const double over = 1 / (double)g->count[k];
        for (size_t j = 0; j < size; ++j)
            g->partials[(size_t)k * size + j] *= over;
        for (size_t j = 0; j < more; ++j)
            g->property[(size_t)k * more + j] *= over;
        g->volume[k] *= over;
        g->gyration[k] *= over;
    }
    for (int k = 0; k < g->n; ++k) {
        int least = k;
        for (int j = k + 1; j < g->n; ++j)
            if (g->gyration[j] < g->gyration[least])
                least = j;
        if (least != k)
            exchange_groups(g, k, least);
    }
}
