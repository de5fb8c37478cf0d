/* Domains by recursive rigid fitting: candidates are the motions of segments as long as the smallest
 * domain, and a residue costs the distance that a motion leaves it from where it goes. Other steps take the
 * fits and the distance from here. */
#include "analysis/domains/steps.h"
#include "structure/atoms/superpose.h"

#include <stddef.h>

enum { REWEIGHTINGS = 8 };

double cardo_domain_distance(const domain_search *search, int residue, const cardo_transform *X)
{
    const double *a = search->d->a + 3 * (size_t)residue, *b = search->d->b + 3 * (size_t)residue;
    return v3_norm(v3_sub(xform_point(*X, v3_load(a)), v3_load(b)));
}

static void gather(domain_search *search, int count, const int *list)
{
    double *a = search->points, *b = a + 3 * (size_t)count;
    for (int k = 0; k < count; ++k) {
        size_t i = 3 * (size_t)(list ? list[k] : k);
        v3_store(a + 3 * (size_t)k, v3_load(search->d->a + i));
        v3_store(b + 3 * (size_t)k, v3_load(search->d->b + i));
    }
}

bool cardo_domain_fit_squares(domain_search *search, int count, const int *list, cardo_transform *X)
{
    gather(search, count, list);
    return cardo_superpose(count, search->points, search->points + 3 * (size_t)count, NULL, X, NULL,
                           NULL) == CARDO_OK;
}

/* Weights 1/distance make the sum of squares one of distances (Weiszfeld); a tenth of the mean
 * distance bounds them. */
static void reweight(domain_search *search, int count, const int *list, const cardo_transform *X)
{
    double sum = 0;
    for (int k = 0; k < count; ++k)
        sum += search->weight[k] = cardo_domain_distance(search, list ? list[k] : k, X);
    double least = 0.1 * sum / count + 1e-3 * search->options.precision;
    for (int k = 0; k < count; ++k)
        search->weight[k] = 1 / fmax(search->weight[k], least);
}

bool cardo_domain_fit(domain_search *search, int count, const int *list, cardo_transform *X)
{
    if (!cardo_domain_fit_squares(search, count, list, X))
        return false;
    const double *a = search->points, *b = a + 3 * (size_t)count;
    for (int k = 0; k < REWEIGHTINGS; ++k) {
        reweight(search, count, list, X);
        if (cardo_superpose(count, a, b, search->weight, X, NULL, NULL) != CARDO_OK)
            return false;
    }
    return true;
}

static int candidates(domain_search *search, int count, const int *list,
                      cardo_transform X[DOMAIN_CANDIDATES])
{
    int length = search->options.smallest, places = count - length + 1, n = 0;
    int wanted = places < DOMAIN_CANDIDATES ? places : DOMAIN_CANDIDATES;
    for (int s = 0; s < wanted; ++s) {
        long long first = wanted > 1 ? (long long)s * (places - 1) / (wanted - 1) : 0;
        n += cardo_domain_fit_squares(search, length, list + first, &X[n]);
    }
    return n;
}

const cardo_domain_method cardo_rigid_fitting = {.name = "rigid fitting",
                                                 .candidates = candidates,
                                                 .fit = cardo_domain_fit,
                                                 .cost = cardo_domain_distance};
