#include "analysis/domains/bending.h"

#include "analysis/domains/steps.h"
#include "base/memory.h"

#include <math.h>
#include <string.h>

static bool is_boundary(const domain_search *search, const cardo_partition *partition, int i)
{
    return i + 1 < partition->n && partition->domain[i] != partition->domain[i + 1] &&
           search->d->chain[i] == search->d->chain[i + 1];
}

static double turn_of(const domain_search *search, const cardo_partition *partition, int i)
{
    return cardo_domain_turn(search, i, &partition->X[partition->domain[i]]);
}

/* Does the window about i hold residues of one domain alone? */
static bool is_inside(const domain_search *search, const cardo_partition *partition, int i)
{
    int half = search->options.window / 2;
    for (int k = i - half; k < i + half; ++k)
        if (k >= 0 && is_boundary(search, partition, k))
            return false;
    return true;
}

static double largest_turn_inside(const domain_search *search, const cardo_partition *partition,
                                  int p)
{
    double sum = 0, squares = 0;
    int count = 0;
    for (int i = 0; i < partition->n; ++i) {
        if (partition->domain[i] != p || !is_inside(search, partition, i))
            continue;
        double turn = turn_of(search, partition, i);
        sum += turn;
        squares += turn * turn;
        ++count;
    }
    double mean = count ? sum / count : 0;
    return mean + 2 * sqrt(fmax(0, count ? squares / count - mean * mean : 0));
}

/* Marks residues from start on, away from the boundary, as long as they bend. */
static void extend(const domain_search *search, const cardo_partition *partition, int start,
                   int step, const double *limit, bool *bending)
{
    int p = partition->domain[start], most = 2 * search->options.window;
    bending[start] = true;
    for (int k = 1; k < most; ++k) {
        int i = start + k * step;
        if (i < 0 || i >= partition->n || partition->domain[i] != p ||
            search->d->chain[i] != search->d->chain[start] ||
            turn_of(search, partition, i) <= limit[p])
            return;
        bending[i] = true;
    }
}

cardo_status cardo_domains_bending(const cardo_displacement *d, const cardo_domain_options *options,
                                   const cardo_partition *partition, bool *bending,
                                   cardo_error *error)
{
    cardo_status status = CARDO_OK;
    domain_search search = {0};
    double *limit = NULL;
    CARDO_TRY(cardo_domain_search_begin(&search, d, options, error));
    CARDO_TRY(CARDO_ALLOCATE(&limit, partition->ndomain, error));
    for (int p = 0; p < partition->ndomain; ++p)
        limit[p] = largest_turn_inside(&search, partition, p);
    memset(bending, 0, (size_t)partition->n * sizeof *bending);
    for (int i = 0; i < partition->n; ++i)
        if (is_boundary(&search, partition, i)) {
            extend(&search, partition, i, -1, limit, bending);
            extend(&search, partition, i + 1, +1, limit, bending);
        }
done:
    cardo_free(limit);
    cardo_domain_search_clear(&search);
    return status;
}
