#include "analysis/domains/chains.h"

#include "base/memory.h"
#include "structure/atoms/superpose.h"

#include <math.h>

/* Copies are this near to each other, nm: files have three decimals of an angstrom. */
static const double COPIES_DIFFER = 1e-3;

/* More chains than these are searched one by one although none is a copy of another. */
enum { MANY_CHAINS = 8 };

void cardo_domain_chains_clear(cardo_domain_chains *chains)
{
    cardo_free(chains->first);
    cardo_free(chains->like);
    cardo_free(chains->small);
    *chains = (cardo_domain_chains){0};
}

/* Root mean square distance from the centre: what copies have in common, so that most others need no superposition. */
static double extent_of(const double *x, int n)
{
    cardo_vec3 sum = {0, 0, 0};
    double squares = 0;
    for (int i = 0; i < n; ++i)
        sum = v3_add(sum, v3_load(x + 3 * (size_t)i));
    const cardo_vec3 centre = v3_scale(1.0 / n, sum);
    for (int i = 0; i < n; ++i) {
        const cardo_vec3 r = v3_sub(v3_load(x + 3 * (size_t)i), centre);
        squares += v3_dot(r, r);
    }
    return sqrt(squares / n);
}

static bool are_copies(const cardo_displacement *d, int first, int other, int n,
                       const double *extent)
{
    const double *const places[2] = {d->a, d->b};
    if (fabs(extent[0] - extent[1]) > COPIES_DIFFER)
        return false;
    for (int s = 0; s < 2; ++s) {
        cardo_transform X;
        double rms;
        if (cardo_superpose(n, places[s] + 3 * (size_t)first, places[s] + 3 * (size_t)other, NULL,
                            &X, &rms, NULL) != CARDO_OK ||
            rms > COPIES_DIFFER)
            return false;
    }
    return true;
}

static cardo_status find_copies(const cardo_displacement *d, cardo_domain_chains *chains,
                                cardo_error *error)
{
    double *extent;
    cardo_status status = CARDO_ALLOCATE(&extent, chains->n, error);
    for (int c = 0; status == CARDO_OK && c < chains->n; ++c) {
        const int first = chains->first[c], n = chains->first[c + 1] - first;
        extent[c] = extent_of(d->a + 3 * (size_t)first, n);
        chains->like[c] = c;
        for (int e = 0; e < c && chains->like[c] == c && !chains->small[c]; ++e)
            if (chains->like[e] == e && chains->first[e + 1] - chains->first[e] == n &&
                are_copies(d, chains->first[e], first, n, (const double[2]){extent[e], extent[c]}))
                chains->like[c] = e;
    }
    cardo_free(extent);
    return status;
}

cardo_status cardo_domain_chains_list(const cardo_displacement *d,
                                      const cardo_domain_options *options,
                                      cardo_domain_chains *chains, cardo_error *error)
{
    const int least = options->smallest > options->window ? options->smallest : options->window;
    cardo_status status = CARDO_OK;
    int large = 0;
    for (int i = 0; i < d->n; ++i)
        chains->n += i == 0 || d->chain[i] != d->chain[i - 1];
    CARDO_TRY(CARDO_ALLOCATE(&chains->first, chains->n + 1, error));
    CARDO_TRY(CARDO_ALLOCATE(&chains->like, chains->n, error));
    CARDO_TRY(CARDO_ALLOCATE(&chains->small, chains->n, error));
    for (int i = 0, c = 0; i < d->n; ++i)
        if (i == 0 || d->chain[i] != d->chain[i - 1])
            chains->first[c++] = i;
    chains->first[chains->n] = d->n;
    for (int c = 0; c < chains->n; ++c) {
        chains->small[c] = chains->first[c + 1] - chains->first[c] < least;
        large += !chains->small[c];
    }
    CARDO_TRY(find_copies(d, chains, error));
    chains->by_themselves = large > MANY_CHAINS;
    for (int c = 0; c < chains->n; ++c)
        chains->by_themselves = chains->by_themselves || chains->like[c] != c;
done:
    return status;
}
