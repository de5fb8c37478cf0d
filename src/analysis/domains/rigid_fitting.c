/* Domains by recursive rigid fitting: candidates are the motions of segments as long as the smallest
 * domain, and a residue costs the distance that a motion leaves it from where it goes. */
#include "analysis/domains/steps.h"

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
