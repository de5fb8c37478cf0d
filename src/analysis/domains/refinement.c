#include "analysis/domains/steps.h"

#include "base/memory.h"
#include "structure/atoms/superpose.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

enum { MOST_ROUNDS = 20 };

static int list_domain(domain_search *search, const cardo_partition *partition, int p)
{
    int count = 0;
    for (int i = 0; i < partition->n; ++i)
        if (partition->domain[i] == p)
            search->list[count++] = i;
    return count;
}

static double sum_of_lesser(int count, const double *x, const double *y)
{
    double sum = 0;
    for (int k = 0; k < count; ++k)
        sum += x[k] < y[k] ? x[k] : y[k];
    return sum;
}

bool cardo_partition_split(domain_search *search, const cardo_domain_method *method,
                           cardo_partition *partition, int p)
{
    cardo_transform X[DOMAIN_CANDIDATES];
    int count = list_domain(search, partition, p), first = -1, second = -1;
    if (count < 2 * search->options.smallest || partition->ndomain >= search->options.most)
        return false;
    int n = method->candidates(search, count, search->list, X);
    size_t row = (size_t)count;
    for (int s = 0; s < n; ++s)
        for (int k = 0; k < count; ++k)
            search->cost[(size_t)s * row + (size_t)k] =
                method->cost(search, search->list[k], &X[s]);
    double least = INFINITY;
    for (int s = 0; s < n; ++s)
        for (int t = s + 1; t < n; ++t) {
            double sum = sum_of_lesser(count, search->cost + (size_t)s * row,
                                       search->cost + (size_t)t * row);
            if (sum < least) {
                least = sum;
                first = s;
                second = t;
            }
        }
    if (second < 0)
        return false;
    for (int k = 0; k < count; ++k)
        if (search->cost[(size_t)second * row + (size_t)k] <
            search->cost[(size_t)first * row + (size_t)k])
            partition->domain[search->list[k]] = partition->ndomain;
    partition->X[p] = X[first];
    partition->X[partition->ndomain++] = X[second];
    return true;
}

/* What a change of domain along the chain costs, so that it weighs as in the description's length:
 * the derivative of (3 n / c) ln r by the sum of distances is 3 / (c r). */
static double penalty(const domain_search *search, double mean)
{
    return search->options.correlation * log(search->d->n) / 3 * mean;
}

static double mean_cost(const domain_search *search, const cardo_partition *partition)
{
    double sum = 0;
    for (int i = 0; i < partition->n; ++i)
        sum += search->cost[(size_t)partition->domain[i] * (size_t)partition->n + (size_t)i];
    return sum / partition->n;
}

static int cheapest(const double *value, int n)
{
    int best = 0;
    for (int k = 1; k < n; ++k)
        if (value[k] < value[best])
            best = k;
    return best;
}

void cardo_partition_assign(domain_search *search, const cardo_domain_method *method,
                            cardo_partition *partition)
{
    int n = partition->n, K = partition->ndomain;
    double *total = search->weight;
    for (int k = 0; k < K; ++k)
        for (int i = 0; i < n; ++i)
            search->cost[(size_t)k * (size_t)n + (size_t)i] =
                method->cost(search, i, &partition->X[k]);
    double change = penalty(search, mean_cost(search, partition));
    for (int k = 0; k < K; ++k)
        total[k] = search->cost[(size_t)k * (size_t)n];
    for (int i = 1; i < n; ++i) {
        int *from = search->trace + (size_t)i * (size_t)search->options.most;
        int best = cheapest(total, K);
        double least = total[best];
        if (search->d->chain[i] == search->d->chain[i - 1])
            least += change;
        for (int k = 0; k < K; ++k) {
            from[k] = total[k] <= least ? k : best;
            total[k] = fmin(total[k], least) + search->cost[(size_t)k * (size_t)n + (size_t)i];
        }
    }
    partition->domain[n - 1] = cheapest(total, K);
    for (int i = n - 1; i > 0; --i)
        partition->domain[i - 1] =
            search->trace[(size_t)i * (size_t)search->options.most + (size_t)partition->domain[i]];
}

static bool fit_domains(domain_search *search, const cardo_domain_method *method,
                        cardo_partition *partition)
{
    for (int p = 0; p < partition->ndomain; ++p) {
        partition->size[p] = list_domain(search, partition, p);
        if (!method->fit(search, partition->size[p], search->list, &partition->X[p]))
            return false;
    }
    return true;
}

static unsigned long long fingerprint(const cardo_partition *partition)
{
    unsigned long long hash = 14695981039346656037ull;
    for (int i = 0; i < partition->n; ++i)
        hash = (hash ^ (unsigned long long)partition->domain[i]) * 1099511628211ull;
    return hash;
}

bool cardo_partition_refine(domain_search *search, const cardo_domain_method *method,
                            cardo_partition *partition)
{
    unsigned long long before = 0;
    for (int round = 0; round < MOST_ROUNDS; ++round) {
        cardo_partition_assign(search, method, partition);
        unsigned long long now = fingerprint(partition);
        if (now == before)
            return true;
        before = now;
        if (!cardo_partition_tidy(search, method, partition) ||
            !fit_domains(search, method, partition))
            return false;
    }
    return true;
}

static int count_changes(const domain_search *search, const cardo_partition *partition)
{
    int changes = 0;
    for (int i = 1; i < partition->n; ++i)
        changes += partition->domain[i] != partition->domain[i - 1] &&
                   search->d->chain[i] == search->d->chain[i - 1];
    return changes;
}

bool cardo_partition_measure(domain_search *search, cardo_partition *partition)
{
    const cardo_domain_options *options = &search->options;
    double sum = 0, squares = 0, n = partition->n;
    if (!fit_domains(search, &cardo_rigid_fitting, partition))
        return false;
    for (int i = 0; i < partition->n; ++i) {
        double distance = cardo_domain_distance(search, i, &partition->X[partition->domain[i]]);
        sum += distance;
        squares += distance * distance;
    }
    partition->mean = sum / n;
    partition->rms = sqrt(squares / n);
    double independent = fmax(n / options->correlation, 2);
    partition->length =
        3 * n / options->correlation * log(fmax(partition->mean, options->precision)) +
        3 * partition->ndomain * log(independent) + count_changes(search, partition) * log(n);
    return true;
}

double cardo_partition_ratio(const cardo_displacement *d, const cardo_partition *partition, int p,
                             int q)
{
    int smaller = partition->size[p] < partition->size[q] ? p : q, count = 0;
    double between = 0, inside = 0;
    for (int i = 0; i < partition->n; ++i) {
        int of = partition->domain[i];
        if (of != p && of != q)
            continue;
        cardo_vec3 a = v3_load(d->a + 3 * (size_t)i), b = v3_load(d->b + 3 * (size_t)i);
        cardo_vec3 here = xform_point(partition->X[of], a), left = v3_sub(here, b);
        cardo_vec3 moved = v3_sub(here, xform_point(partition->X[of == p ? q : p], a));
        inside += v3_dot(left, left);
        between += of == smaller ? v3_dot(moved, moved) : 0;
        ++count;
    }
    between /= partition->size[smaller];
    inside /= count;
    return inside > 0 ? sqrt(between / inside) : HUGE_VAL;
}
