/* Contiguity and minimum size: pieces of a domain that are connected by contacts or along the chain. */
#include "analysis/domains/steps.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* Lists the residues of start's domain that are connected with it; returns how many. */
static int collect_piece(domain_search *search, const cardo_partition *partition, int start)
{
    int count = 0, p = partition->domain[start];
    search->piece[count++] = start;
    search->seen[start] = true;
    for (int k = 0; k < count; ++k) {
        int i = search->piece[k];
        for (int t = search->touch_first[i]; t < search->touch_first[i + 1]; ++t) {
            int j = search->touch[t];
            if (search->seen[j] || partition->domain[j] != p)
                continue;
            search->seen[j] = true;
            search->piece[count++] = j;
        }
    }
    return count;
}

/* The domain before or after the run first..last of one chain that fits it better, or -1. */
static int flank_domain(const domain_search *search, const cardo_domain_method *method,
                        const cardo_partition *partition, int first, int last)
{
    const int *chain = search->d->chain;
    int flank[2] = {-1, -1};
    if (first > 0 && chain[first - 1] == chain[first])
        flank[0] = partition->domain[first - 1];
    if (last + 1 < partition->n && chain[last + 1] == chain[last])
        flank[1] = partition->domain[last + 1];
    if (flank[0] < 0 || flank[1] < 0 || flank[0] == flank[1])
        return flank[0] < 0 ? flank[1] : flank[0];
    double sum[2] = {0, 0};
    for (int side = 0; side < 2; ++side)
        for (int i = first; i <= last; ++i)
            sum[side] += method->cost(search, i, &partition->X[flank[side]]);
    return sum[0] <= sum[1] ? flank[0] : flank[1];
}

/* Gives the runs along the chain of residues marked in seen away; false when nothing could be. */
static bool give_away(domain_search *search, const cardo_domain_method *method,
                      cardo_partition *partition)
{
    bool given = false;
    for (int first = 0, last; first < partition->n; first = last + 1) {
        last = first;
        if (!search->seen[first])
            continue;
        while (last + 1 < partition->n && search->seen[last + 1] &&
               partition->domain[last + 1] == partition->domain[first] &&
               search->d->chain[last + 1] == search->d->chain[first])
            ++last;
        int to = flank_domain(search, method, partition, first, last);
        if (to < 0 || to == partition->domain[first])
            continue;
        for (int i = first; i <= last; ++i)
            partition->domain[i] = to;
        given = true;
    }
    return given;
}

/* Leaves the residues of pieces below the smallest size marked in seen; false when there are none. */
static bool mark_small_pieces(domain_search *search, const cardo_partition *partition)
{
    int n = partition->n;
    bool any = false;
    memset(search->seen, 0, (size_t)n * sizeof *search->seen);
    for (int i = 0; i < n; ++i) {
        if (search->seen[i])
            continue;
        int count = collect_piece(search, partition, i);
        bool small = count < search->options.smallest;
        any |= small;
        for (int k = 0; k < count; ++k)
            search->list[search->piece[k]] = small;
    }
    for (int i = 0; i < n; ++i)
        search->seen[i] = search->list[i];
    return any;
}

static void count_sizes(cardo_partition *partition)
{
    memset(partition->size, 0, (size_t)partition->ndomain * sizeof *partition->size);
    for (int i = 0; i < partition->n; ++i)
        ++partition->size[partition->domain[i]];
}

/* A domain that is still too small (it fills a chain, or stands between two such) goes to the one
 * that fits its residues best. */
static void dissolve(domain_search *search, const cardo_domain_method *method,
                     cardo_partition *partition, int p)
{
    double least = INFINITY;
    int best = p ? 0 : 1;
    for (int q = 0; q < partition->ndomain; ++q) {
        double sum = 0;
        for (int i = 0; i < partition->n && q != p; ++i)
            if (partition->domain[i] == p)
                sum += method->cost(search, i, &partition->X[q]);
        if (q != p && sum < least) {
            least = sum;
            best = q;
        }
    }
    cardo_partition_join(partition, best, p);
}

bool cardo_partition_tidy(domain_search *search, const cardo_domain_method *method,
                          cardo_partition *partition)
{
    for (int round = 0; round < 4 && mark_small_pieces(search, partition); ++round)
        if (!give_away(search, method, partition))
            break;
    count_sizes(partition);
    for (int p = 0; p < partition->ndomain && partition->ndomain > 1;)
        if (partition->size[p] < search->options.smallest) {
            dissolve(search, method, partition, p);
            count_sizes(partition);
            p = 0;
        } else {
            ++p;
        }
    return partition->ndomain > 0;
}

void cardo_partition_separate(domain_search *search, cardo_partition *partition)
{
    int n = partition->n, before = partition->ndomain;
    memset(search->met, 0, (size_t)search->options.most * sizeof *search->met);
    memset(search->seen, 0, (size_t)n * sizeof *search->seen);
    for (int i = 0; i < n; ++i) {
        int p = partition->domain[i];
        if (search->seen[i] || p >= before)
            continue;
        int count = collect_piece(search, partition, i);
        if (!search->met[p])
            search->met[p] = true;
        else if (partition->ndomain < search->options.most) {
            for (int k = 0; k < count; ++k)
                partition->domain[search->piece[k]] = partition->ndomain;
            ++partition->ndomain;
        }
    }
}
