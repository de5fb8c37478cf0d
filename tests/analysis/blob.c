#include "blob.h"

#include "support/support.h"

#include <math.h>

static cardo_vec3 random_direction(uint64_t *seed)
{
    for (;;) {
        cardo_vec3 v = v3(support_random(seed), support_random(seed), support_random(seed));
        double length = v3_norm(v);
        if (length > 0.1 && length < 1)
            return v3_scale(1 / length, v);
    }
}

static bool is_free(const double *position, int first, int i, cardo_vec3 at)
{
    for (int k = first; k < i - 1; ++k)
        if (v3_norm(v3_sub(v3_load(position + 3 * k), at)) < 0.4)
            return false;
    return true;
}

void blob_fill(double *position, int first, int count, cardo_vec3 centre, double radius,
               uint64_t *seed)
{
    cardo_vec3 at = centre;
    v3_store(position + 3 * first, at);
    for (int i = first + 1; i < first + count; ++i) {
        cardo_vec3 next = at;
        /* A walk that has locked itself in goes on where there is room. */
        for (int tries = 0; tries < 400; ++tries) {
            double step = tries < 200 ? 0.38 : 0.38 * (1 + 0.01 * (tries - 200));
            next = v3_add_scaled(at, step, random_direction(seed));
            if (v3_norm(v3_sub(next, centre)) < radius && is_free(position, first, i, next))
                break;
        }
        at = next;
        v3_store(position + 3 * i, at);
    }
}

/* Sum of uniform numbers: normal enough, of unit variance. */
static double bell(uint64_t *seed)
{
    double sum = 0;
    for (int k = 0; k < 12; ++k)
        sum += 0.5 * support_random(seed);
    return sum;
}

void blob_displacement(cardo_displacement *d, int nblob, const int *end, const cardo_transform *X,
                       double noise, uint64_t seed)
{
    int n = end[nblob - 1];
    cardo_error error;
    assert_ok(cardo_displacement_allocate(d, n, &error), &error);
    for (int k = 0; k < nblob; ++k) {
        int first = k ? end[k - 1] : 0;
        double radius = 0.33 * cbrt(end[k] - first);
        blob_fill(d->a, first, end[k] - first, v3(2.6 * k, 0, 0), radius, &seed);
        for (int i = first; i < end[k]; ++i)
            v3_store(d->b + 3 * i, xform_point(X[k], v3_load(d->a + 3 * i)));
    }
    for (int i = 0; i < 3 * n; ++i) {
        d->a[i] += noise * bell(&seed);
        d->b[i] += noise * bell(&seed);
    }
    for (int i = 0; i < n; ++i)
        for (int k = 0; k < 3; ++k) {
            v3_store(d->a_backbone + 9 * i + 3 * k, v3_load(d->a + 3 * i));
            v3_store(d->b_backbone + 9 * i + 3 * k, v3_load(d->b + 3 * i));
        }
}
