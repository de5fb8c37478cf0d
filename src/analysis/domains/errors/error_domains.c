#include "analysis/domains/errors/error_domains.h"

#include "analysis/domains/errors/communities.h"
#include "base/memory.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#define OFFSET(member) offsetof(cardo_error_options, member)
const cardo_field cardo_error_option_fields[] = {
    {"pae-cutoff", CARDO_FIELD_DOUBLE, OFFSET(cutoff), "nm", "0.5", 0.05, 3, NULL,
     "predicted errors below it hold residues together"},
    {"pae-power", CARDO_FIELD_DOUBLE, OFFSET(power), "", "1", 0, 10, NULL,
     "how much more small errors count: they weigh 1/error^power"},
    {"pae-resolution", CARDO_FIELD_DOUBLE, OFFSET(resolution), "", "1", 0.01, 100, NULL,
     "of the modularity: more make more domains"},
    {"pae-confident", CARDO_FIELD_DOUBLE, OFFSET(confident), "", "70", 0, 100, NULL,
     "pLDDT below which ends of domains are let go"},
    {"pae-width", CARDO_FIELD_INT, OFFSET(width), "", "2", 1, 50, NULL,
     "residues on each side that turn where two domains meet with nothing between"},
    {0},
};

/* Errors are never taken to be below this, nm: predictors write no less. Pieces along the chain have at least so many residues. */
static const double least_error = 0.02;
enum { SHORTEST = 5, BINS = 512 };
static const double bin_width = 0.01; /* nm */

/* A residue of a domain is at most so many times as uncertain as the domain's residues are to each other. */
static const double still_in = 1.5;

typedef struct search {
    int n;
    const int *chain;
    const double *confidence; /* or NULL */
    int smallest;
    const cardo_error_options *options;
    double *error;                           /* mean of both ways (n x n) */
    double *weight;                          /* (n x n)                   */
    int *size;                               /* (n)                       */
    double *mean;                            /* of one residue (MOST)     */
    unsigned (*histogram)[BINS];             /* of pairs of domains (MOST x MOST) */
    double inside[CARDO_ERROR_MOST_DOMAINS]; /* mean error in each    */
} search;

enum { MOST = CARDO_ERROR_MOST_DOMAINS, NONE = -1 };

static double error_of(const search *s, int i, int j)
{
    return s->error[(size_t)i * (size_t)s->n + (size_t)j];
}

/* Numbers domains by falling size, and drops those that are too small or too many. */
static int order_by_size(search *s, int *domain, int count, int smallest)
{
    int kept = 0, *number = s->size + s->n;
    memset(s->size, 0, (size_t)s->n * sizeof *s->size);
    for (int i = 0; i < s->n; ++i)
        if (domain[i] >= 0)
            ++s->size[domain[i]];
    for (int p = 0; p < count; ++p)
        number[p] = NONE;
    for (; kept < MOST; ++kept) {
        int largest = NONE;
        for (int p = 0; p < count; ++p)
            if (number[p] == NONE && s->size[p] >= smallest && s->size[p] > 0 &&
                (largest < 0 || s->size[p] > s->size[largest]))
                largest = p;
        if (largest < 0)
            break;
        number[largest] = kept;
    }
    for (int i = 0; i < s->n; ++i)
        domain[i] = domain[i] >= 0 ? number[domain[i]] : NONE;
    return kept;
}

static void count_errors(search *s, const int *domain, int count)
{
    memset(s->histogram, 0, (size_t)MOST * (size_t)count * sizeof *s->histogram);
    for (int i = 0; i < s->n; ++i)
        for (int j = 0; j < s->n; ++j)
            if (i != j && domain[i] >= 0 && domain[j] >= 0) {
                const int bin = (int)(error_of(s, i, j) / bin_width);
                ++s->histogram[domain[i] * MOST + domain[j]][bin < BINS ? bin : BINS - 1];
            }
}

/* Of the errors between two domains, nm. */
static double median_of(const search *s, int p, int q)
{
    const unsigned *histogram = s->histogram[p * MOST + q];
    unsigned long all = 0, below = 0;
    for (int b = 0; b < BINS; ++b)
        all += histogram[b];
    for (int b = 0; b < BINS; ++b) {
        if (2 * (below + histogram[b]) >= all && histogram[b] > 0)
            return bin_width * (b + (0.5 * (double)all - (double)below) / histogram[b]);
        below += histogram[b];
    }
    return HUGE_VAL;
}

static void add_histogram(unsigned *into, const unsigned *from)
{
    for (int b = 0; b < BINS; ++b)
        into[b] += from[b];
}

static void join_pair(search *s, int *domain, int count, int p, int q)
{
    for (int i = 0; i < s->n; ++i)
        if (domain[i] == q)
            domain[i] = p;
    for (int r = 0; r < count; ++r)
        add_histogram(s->histogram[p * MOST + r], s->histogram[q * MOST + r]);
    for (int r = 0; r < count; ++r)
        add_histogram(s->histogram[r * MOST + p], s->histogram[r * MOST + q]);
    for (int r = 0; r < count; ++r) {
        memset(s->histogram[q * MOST + r], 0, sizeof *s->histogram);
        memset(s->histogram[r * MOST + q], 0, sizeof *s->histogram);
    }
}

/* Joins what stands firm to each other, the firmest first. */
static void join_firm(search *s, int *domain, int count, double cutoff)
{
    for (;;) {
        double least = cutoff;
        int first = NONE, second = NONE;
        for (int p = 0; p < count; ++p)
            for (int q = p + 1; q < count; ++q) {
                const double median = median_of(s, p, q);
                if (median < least) {
                    least = median;
                    first = p;
                    second = q;
                }
            }
        if (first < 0)
            return;
        join_pair(s, domain, count, first, second);
    }
}

static void drop_vague(const search *s, int *domain, double cutoff)
{
    for (int i = 0; i < s->n; ++i)
        if (domain[i] >= 0 && median_of(s, domain[i], domain[i]) > cutoff)
            domain[i] = NONE;
}

/* Mean error of residue i to each domain, itself left out. */
static void mean_errors(search *s, const int *domain, int count, int i)
{
    int number[MOST] = {0};
    for (int p = 0; p < count; ++p)
        s->mean[p] = 0;
    for (int j = 0; j < s->n; ++j)
        if (j != i && domain[j] >= 0) {
            s->mean[domain[j]] += error_of(s, i, j);
            ++number[domain[j]];
        }
    for (int p = 0; p < count; ++p)
        s->mean[p] = number[p] ? s->mean[p] / number[p] : HUGE_VAL;
}

static void measure_inside(search *s, const int *domain, int count)
{
    memset(s->inside, 0, sizeof s->inside);
    memset(s->size, 0, (size_t)s->n * sizeof *s->size);
    for (int i = 0; i < s->n; ++i)
        if (domain[i] >= 0) {
            mean_errors(s, domain, count, i);
            s->inside[domain[i]] += s->mean[domain[i]];
            ++s->size[domain[i]];
        }
    for (int p = 0; p < count; ++p)
        s->inside[p] = s->size[p] ? s->inside[p] / s->size[p] : 0;
}

/* Each residue to the domain that it is most certain of. next: (n), scratch. */
static void assign(search *s, int *domain, int count, double cutoff, int *next)
{
    measure_inside(s, domain, count);
    for (int i = 0; i < s->n; ++i) {
        int best = NONE;
        mean_errors(s, domain, count, i);
        for (int p = 0; p < count; ++p)
            if (best < 0 || s->mean[p] < s->mean[best])
                best = p;
        next[i] =
            best >= 0 && s->mean[best] <= fmax(cutoff, still_in * s->inside[best]) ? best : NONE;
    }
    memcpy(domain, next, (size_t)s->n * sizeof *domain);
}

/* The end of the run of residues with one domain, in one chain, that begins at first. */
static int end_of_run(const search *s, const int *domain, int first)
{
    int last = first;
    while (last + 1 < s->n && domain[last + 1] == domain[first] &&
           s->chain[last + 1] == s->chain[first])
        ++last;
    return last;
}

/* The domains before and after a run: NONE at a chain's end and beside residues of none. */
static void flanks_of(const search *s, const int *domain, int first, int last, int flank[2])
{
    flank[0] = first > 0 && s->chain[first - 1] == s->chain[first] ? domain[first - 1] : NONE;
    flank[1] = last + 1 < s->n && s->chain[last + 1] == s->chain[last] ? domain[last + 1] : NONE;
}

static void fill_run(int *domain, int first, int last, int p)
{
    for (int i = first; i <= last; ++i)
        domain[i] = p;
}

/* Short pieces go to what is around them, and loops to their domain. */
static void smooth(const search *s, int *domain)
{
    int flank[2];
    for (int round = 0; round < 4; ++round)
        for (int first = 0, last; first < s->n; first = last + 1) {
            last = end_of_run(s, domain, first);
            flanks_of(s, domain, first, last, flank);
            const bool inside = flank[0] >= 0 && flank[0] == flank[1];
            if (domain[first] == NONE && inside)
                fill_run(domain, first, last, flank[0]);
            else if (domain[first] >= 0 && last - first + 1 < SHORTEST)
                fill_run(domain, first, last, inside ? flank[0] : NONE);
        }
}

/* Lets the ends of a piece go while they are not to be relied on. */
static void trim(const search *s, int *domain)
{
    const double least = s->options->confident;
    for (int first = 0, last; s->confidence && first < s->n; first = last + 1) {
        last = end_of_run(s, domain, first);
        if (domain[first] < 0)
            continue;
        for (int i = first; i <= last && s->confidence[i] < least; ++i)
            domain[i] = NONE;
        for (int i = last; i >= first && s->confidence[i] < least; --i)
            domain[i] = NONE;
    }
}

/* Where the chain passes from one domain to another there is room to turn. */
static void open_boundaries(const search *s, int *domain, int *next)
{
    const int width = s->options->width;
    memcpy(next, domain, (size_t)s->n * sizeof *domain);
    for (int first = 0, last; first < s->n; first = last + 1) {
        last = end_of_run(s, domain, first);
        int flank[2], from = first, to = last;
        flanks_of(s, domain, first, last, flank);
        if (domain[first] == NONE && flank[0] >= 0 && flank[1] >= 0) {
            while (to - from + 1 < 2 * width) { /* widened on both sides */
                --from;
                ++to;
            }
        } else if (domain[first] >= 0 && flank[1] >= 0) {
            from = last - width + 1;
            to = last + width;
        } else {
            continue;
        }
        for (int i = from < 0 ? 0 : from; i <= to && i < s->n; ++i)
            if (s->chain[i] == s->chain[first])
                next[i] = NONE;
    }
    memcpy(domain, next, (size_t)s->n * sizeof *domain);
}

/* The domains of one choice; residues of none have NONE. next: (n), scratch. */
static cardo_status divide(search *s, double cutoff, double resolution, int *domain, int *ndomain,
                           double *modularity, int *next, cardo_error *failure)
{
    int count;
    const double power = s->options->power;
    for (size_t k = 0; k < (size_t)s->n * (size_t)s->n; ++k)
        s->weight[k] = s->error[k] < cutoff ? pow(s->error[k] / least_error, -power) : 0;
    cardo_status status =
        cardo_communities_find(s->n, s->weight, resolution, domain, &count, modularity, failure);
    if (status != CARDO_OK)
        return status;
    count = order_by_size(s, domain, count, SHORTEST);
    count_errors(s, domain, count);
    drop_vague(s, domain, cutoff);
    count = order_by_size(s, domain, count, SHORTEST);
    count_errors(s, domain, count);
    join_firm(s, domain, count, cutoff);
    for (int round = 0; round < 2; ++round) {
        count = order_by_size(s, domain, count, s->smallest);
        assign(s, domain, count, cutoff, next);
    }
    smooth(s, domain);
    trim(s, domain);
    smooth(s, domain);
    *ndomain = order_by_size(s, domain, count, s->smallest);
    smooth(s, domain);
    open_boundaries(s, domain, next);
    *ndomain = order_by_size(s, domain, *ndomain, 1);
    return CARDO_OK;
}

/* The nearest domain along the chain; the one before where both are as near. */
static void spread(const search *s, const int *domain, int *out)
{
    for (int i = 0; i < s->n; ++i) {
        out[i] = domain[i];
        for (int k = 1; out[i] == NONE && k < s->n; ++k) {
            const bool before = i - k >= 0 && s->chain[i - k] == s->chain[i],
                       after = i + k < s->n && s->chain[i + k] == s->chain[i];
            if (!before && !after)
                break;
            if (before && domain[i - k] >= 0)
                out[i] = domain[i - k];
            else if (after && domain[i + k] >= 0)
                out[i] = domain[i + k];
        }
    }
}

/* What other choices give, beside the one that was taken. */
static cardo_status look_around(search *s, cardo_error_domains *found, cardo_error *failure)
{
    static const double factor[CARDO_ERROR_CHOICES][2] = {{1, 0.5}, {1, 0.7}, {1, 1.4},
                                                          {1, 2},   {0.8, 1}, {1.25, 1}};
    cardo_status status;
    int *domain = NULL, *all = NULL, *next = NULL;
    CARDO_TRY(CARDO_ALLOCATE(&domain, s->n, failure));
    CARDO_TRY(CARDO_ALLOCATE(&all, s->n, failure));
    CARDO_TRY(CARDO_ALLOCATE(&next, s->n, failure));
    found->stable = true;
    for (int k = 0; k < CARDO_ERROR_CHOICES; ++k) {
        cardo_error_choice *choice = &found->choice[k];
        *choice = (cardo_error_choice){.cutoff = factor[k][0] * s->options->cutoff,
                                       .resolution = factor[k][1] * s->options->resolution};
        CARDO_TRY(divide(s, choice->cutoff, choice->resolution, domain, &choice->ndomain, NULL,
                         next, failure));
        spread(s, domain, all);
        CARDO_TRY(cardo_domains_agreement(s->n, found->domain, all, &choice->agreement, failure));
        found->stable &= choice->ndomain == found->ndomain && choice->agreement >= 0.95;
    }
done:
    cardo_free(domain);
    cardo_free(all);
    cardo_free(next);
    return status;
}

static cardo_status prepare(search *s, const double *error, cardo_error *failure)
{
    cardo_status status;
    const size_t n = (size_t)s->n;
    CARDO_TRY(CARDO_ALLOCATE(&s->error, n * n, failure));
    CARDO_TRY(CARDO_ALLOCATE(&s->weight, n * n, failure));
    CARDO_TRY(CARDO_ALLOCATE(&s->size, 2 * n, failure));
    CARDO_TRY(CARDO_ALLOCATE(&s->mean, MOST, failure));
    CARDO_TRY(CARDO_ALLOCATE(&s->histogram, MOST * MOST, failure));
    for (size_t i = 0; i < n; ++i)
        for (size_t j = 0; j < n; ++j)
            s->error[i * n + j] =
                i == j ? least_error
                       : fmax(least_error, 0.5 * (error[i * n + j] + error[j * n + i]));
done:
    return status;
}

static cardo_status find(search *s, cardo_error_domains *found, cardo_error *failure)
{
    cardo_status status;
    int *domain = NULL, *next = NULL;
    CARDO_TRY(CARDO_ALLOCATE(&domain, s->n, failure));
    CARDO_TRY(CARDO_ALLOCATE(&next, s->n, failure));
    CARDO_TRY(CARDO_ALLOCATE(&found->domain, s->n, failure));
    CARDO_TRY(CARDO_ALLOCATE(&found->loose, s->n, failure));
    CARDO_TRY(divide(s, s->options->cutoff, s->options->resolution, domain, &found->ndomain,
                     &found->modularity, next, failure));
    spread(s, domain, found->domain);
    for (int i = 0; i < s->n; ++i)
        found->loose[i] = domain[i] == NONE;
    CARDO_TRY(CARDO_ALLOCATE(&found->between, found->ndomain * found->ndomain, failure));
    count_errors(s, domain, found->ndomain);
    for (int p = 0; p < found->ndomain; ++p)
        for (int q = 0; q < found->ndomain; ++q)
            found->between[p * found->ndomain + q] = median_of(s, p, q);
    status = look_around(s, found, failure);
done:
    cardo_free(domain);
    cardo_free(next);
    return status;
}

cardo_status cardo_error_domains_find(int n, const double *error, const int *chain,
                                      const double *confidence, int smallest,
                                      const cardo_error_options *options,
                                      cardo_error_domains *found, cardo_error *failure)
{
    search s = {
        .n = n, .chain = chain, .confidence = confidence, .smallest = smallest, .options = options};
    cardo_status status = prepare(&s, error, failure);
    found->n = n;
    if (status == CARDO_OK)
        status = find(&s, found, failure);
    cardo_free(s.error);
    cardo_free(s.weight);
    cardo_free(s.size);
    cardo_free(s.mean);
    cardo_free(s.histogram);
    return status;
}

void cardo_error_domains_clear(cardo_error_domains *found)
{
    cardo_free(found->domain);
    cardo_free(found->loose);
    cardo_free(found->between);
    *found = (cardo_error_domains){0};
}
