#include "analysis/domains/finder.h"

#include "analysis/domains/steps.h"
#include "base/memory.h"
#include "structure/atoms/superpose.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const cardo_domain_method *const cardo_domain_methods[] = {&cardo_rotation_windows,
                                                           &cardo_rigid_fitting, NULL};

const char *cardo_domain_method_name(const cardo_domain_method *method)
{
    return method->name;
}

cardo_status cardo_displacement_allocate(cardo_displacement *d, int n, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    size_t size = (size_t)n;
    CARDO_TRY(CARDO_ALLOCATE(&d->a, 3 * size, error));
    CARDO_TRY(CARDO_ALLOCATE(&d->b, 3 * size, error));
    CARDO_TRY(CARDO_ALLOCATE(&d->a_backbone, 9 * size, error));
    CARDO_TRY(CARDO_ALLOCATE(&d->b_backbone, 9 * size, error));
    CARDO_TRY(CARDO_ALLOCATE(&d->chain, size, error));
    d->n = n;
done:
    return status;
}

void cardo_displacement_clear(cardo_displacement *d)
{
    cardo_free(d->a);
    cardo_free(d->b);
    cardo_free(d->a_backbone);
    cardo_free(d->b_backbone);
    cardo_free(d->chain);
    *d = (cardo_displacement){0};
}

/* Partitions that the search fills and copies. */
typedef struct workspace {
    cardo_partition clusters; /* what the method has split so far              */
    cardo_partition trial;    /* one split more                                */
    cardo_partition next;     /* the best of those                             */
    cardo_partition domains;  /* trial as domains: in pieces, rigidly fitted   */
    cardo_partition chosen;   /* the domains of next                           */
} workspace;

static cardo_status workspace_create(workspace *w, int n, int most, cardo_error *error)
{
    cardo_partition *all[] = {&w->clusters, &w->trial, &w->next, &w->domains, &w->chosen};
    cardo_status status = CARDO_OK;
    for (size_t k = 0; k < sizeof all / sizeof *all && status == CARDO_OK; ++k)
        status = cardo_partition_create(all[k], n, most, error);
    return status;
}

static void workspace_clear(workspace *w)
{
    cardo_partition_clear(&w->clusters);
    cardo_partition_clear(&w->trial);
    cardo_partition_clear(&w->next);
    cardo_partition_clear(&w->domains);
    cardo_partition_clear(&w->chosen);
}

/* The split of one cluster whose domains have the shortest description; false when none can be
 * split. */
static bool split_best(domain_search *search, const cardo_domain_method *method, workspace *w)
{
    bool any = false;
    for (int p = 0; p < w->clusters.ndomain; ++p) {
        cardo_partition_copy(&w->trial, &w->clusters);
        if (!cardo_partition_split(search, method, &w->trial, p) ||
            !cardo_partition_refine(search, method, &w->trial) ||
            w->trial.ndomain <= w->clusters.ndomain)
            continue;
        cardo_partition_copy(&w->domains, &w->trial);
        if (method->separates)
            cardo_partition_separate(search, &w->domains);
        if (!cardo_partition_measure(search, &w->domains) ||
            (any && w->domains.length >= w->chosen.length))
            continue;
        cardo_partition_copy(&w->next, &w->trial);
        cardo_partition_copy(&w->chosen, &w->domains);
        any = true;
    }
    return any;
}

/* Splits further although the description grows: where several bodies move alike, only the second
 * split may show it. */
enum { PATIENCE = 2 };

/* Splits by the method; partition becomes the domains with the shortest description on the way. */
static void split_down(domain_search *search, const cardo_domain_method *method,
                       cardo_partition *partition, workspace *w)
{
    cardo_partition_copy(&w->clusters, partition);
    for (int patience = PATIENCE; patience >= 0 && split_best(search, method, w); --patience) {
        cardo_partition_copy(&w->clusters, &w->next);
        if (w->chosen.length < partition->length) {
            cardo_partition_copy(partition, &w->chosen);
            patience = PATIENCE + 1;
        }
    }
}

/* The two neighbours with the least ratio; INFINITY when there are none. */
static double least_ratio(const domain_search *search, const cardo_partition *partition,
                          int pair[2])
{
    double least = INFINITY;
    for (int p = 0; p < partition->ndomain; ++p)
        for (int q = p + 1; q < partition->ndomain; ++q) {
            double ratio = cardo_partition_ratio(search->d, partition, p, q);
            if (ratio < least && cardo_partition_neighbours(search, partition, p, q)) {
                least = ratio;
                pair[0] = p;
                pair[1] = q;
            }
        }
    return least;
}

/* Joins neighbours that move against each other by less than ratio times what they deform by; draws boundaries
 * anew by the method, if there is one. */
static bool join_up(domain_search *search, const cardo_domain_method *method, double ratio,
                    cardo_partition *partition)
{
    int pair[2] = {0, 0};
    while (least_ratio(search, partition, pair) < ratio) {
        cardo_partition_join(partition, pair[0], pair[1]);
        if (!cardo_partition_measure(search, partition))
            return false;
        if (method && (!cardo_partition_refine(search, method, partition) ||
                       !cardo_partition_measure(search, partition)))
            return false;
    }
    return true;
}

static cardo_status start(domain_search *search, cardo_partition *partition, cardo_error *error)
{
    partition->ndomain = 1;
    memset(partition->domain, 0, (size_t)partition->n * sizeof *partition->domain);
    if (!cardo_partition_measure(search, partition))
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "the %d residues lie on a line: no domains can be distinguished",
                          partition->n);
    return CARDO_OK;
}

/* All of them in one domain where nothing else can be said. */
static cardo_status find_by(domain_search *search, const cardo_domain_method *method,
                            cardo_partition *partition, workspace *w, cardo_error *error)
{
    cardo_status status = start(search, partition, error);
    if (status != CARDO_OK)
        return status;
    split_down(search, method, partition, w);
    if (!join_up(search, NULL, search->options.ratio, partition))
        return start(search, partition, error);
    cardo_partition_sort(partition);
    return CARDO_OK;
}

static double vote_cost(const domain_search *search, int residue, const cardo_transform *X)
{
    return cardo_domain_distance(search, residue, X) / search->mean_distance +
           cardo_domain_turn(search, residue, X) / search->mean_turn;
}

const cardo_domain_method cardo_domain_vote = {
    .name = "vote", .fit = cardo_domain_fit, .cost = vote_cost};

/* The same domains with boundaries where distances and rotations together put them. */
static bool refine_by_vote(domain_search *search, cardo_partition *partition)
{
    double distance = 0, turn = 0;
    for (int i = 0; i < partition->n; ++i) {
        const cardo_transform *X = &partition->X[partition->domain[i]];
        distance += cardo_domain_distance(search, i, X);
        turn += cardo_domain_turn(search, i, X);
    }
    search->mean_distance = fmax(distance / partition->n, search->options.precision);
    search->mean_turn = fmax(turn / partition->n, 1e-6);
    return cardo_partition_refine(search, &cardo_domain_vote, partition) &&
           cardo_partition_measure(search, partition) &&
           join_up(search, &cardo_domain_vote, search->options.ratio, partition);
}

/* Twice as clear is what only one method sees. */
static const double ALONE = 2;

/* Chooses between what both methods propose, each refined: of one number of domains the shorter
 * description. Else the fewer, unless the others stay more and shorter when those that are not
 * twice as clear are joined. Leaves the choice in *one. */
static void choose(domain_search *search, cardo_partition *one, cardo_partition *other)
{
    cardo_partition *few = one->ndomain <= other->ndomain ? one : other;
    cardo_partition *many = few == one ? other : one;
    bool take_many = many->length < few->length;
    if (many->ndomain > few->ndomain)
        take_many = take_many &&
                    join_up(search, &cardo_domain_vote, ALONE * search->options.ratio, many) &&
                    many->ndomain > few->ndomain && many->length < few->length;
    if ((take_many ? many : few) == other)
        cardo_partition_copy(one, other);
}

/* Residues that one domain of each division shares. */
typedef struct overlap {
    int first, second, count;
} overlap;

static int by_domains(const void *left, const void *right)
{
    const overlap *a = left, *b = right;
    return a->first != b->first ? (a->first > b->first) - (a->first < b->first)
                                : (a->second > b->second) - (a->second < b->second);
}

static int by_falling_count(const void *left, const void *right)
{
    const overlap *a = left, *b = right;
    return a->count != b->count ? (a->count < b->count) - (a->count > b->count)
                                : by_domains(left, right);
}

/* Lists the pairs of domains, the largest overlaps first; returns how many. */
static int list_overlaps(int compared, overlap *pair)
{
    int n = 0;
    qsort(pair, (size_t)compared, sizeof *pair, by_domains);
    for (int k = 0; k < compared; ++k)
        if (n > 0 && by_domains(&pair[n - 1], &pair[k]) == 0)
            ++pair[n - 1].count;
        else
            pair[n++] = pair[k];
    qsort(pair, (size_t)n, sizeof *pair, by_falling_count);
    return n;
}

static int largest(int n, const int *domain)
{
    int most = -1;
    for (int i = 0; i < n; ++i)
        most = domain[i] > most ? domain[i] : most;
    return most;
}

cardo_status cardo_domains_agreement(int n, const int *first, const int *second, double *agreement,
                                     cardo_error *error)
{
    overlap *pair = NULL;
    bool *taken[2] = {NULL, NULL};
    int compared = 0, agree = 0;
    cardo_status status;
    CARDO_TRY(CARDO_ALLOCATE(&pair, n + 1, error));
    CARDO_TRY(CARDO_ALLOCATE(&taken[0], largest(n, first) + 2, error));
    CARDO_TRY(CARDO_ALLOCATE(&taken[1], largest(n, second) + 2, error));
    for (int i = 0; i < n; ++i)
        if (first[i] >= 0 && second[i] >= 0)
            pair[compared++] = (overlap){first[i], second[i], 1};
    const int npair = list_overlaps(compared, pair);
    for (int k = 0; k < npair; ++k)
        if (!taken[0][pair[k].first] && !taken[1][pair[k].second]) {
            agree += pair[k].count;
            taken[0][pair[k].first] = taken[1][pair[k].second] = true;
        }
    *agreement = compared > 0 ? (double)agree / compared : 1;
done:
    cardo_free(pair);
    cardo_free(taken[0]);
    cardo_free(taken[1]);
    return status;
}

cardo_status cardo_domains_find_whole(const cardo_displacement *d,
                                      const cardo_domain_options *options,
                                      cardo_found_domains *found, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    domain_search search = {0};
    workspace w = {0};
    cardo_partition second = {0};
    CARDO_TRY(cardo_domain_search_create(&search, d, options, error));
    CARDO_TRY(workspace_create(&w, d->n, options->most, error));
    CARDO_TRY(cardo_partition_create(&found->best, d->n, options->most, error));
    CARDO_TRY(cardo_partition_create(&second, d->n, options->most, error));
    for (int k = 0; k < CARDO_DOMAIN_METHODS; ++k) {
        cardo_partition *by = &found->by_method[k], *refined = k ? &second : &found->best;
        CARDO_TRY(cardo_partition_create(by, d->n, options->most, error));
        CARDO_TRY(find_by(&search, cardo_domain_methods[k], by, &w, error));
        cardo_partition_copy(refined, by);
        if (!refine_by_vote(&search, refined))
            CARDO_TRY(start(&search, refined, error));
    }
    choose(&search, &found->best, &second);
    cardo_partition_sort(&found->best);
    cardo_transform X;
    CARDO_TRY(cardo_domains_agreement(d->n, found->by_method[0].domain, found->by_method[1].domain,
                                      &found->agreement, error));
    CARDO_TRY(cardo_superpose(d->n, d->a, d->b, NULL, &X, &found->rms_before, error));
done:
    workspace_clear(&w);
    cardo_partition_clear(&second);
    cardo_domain_search_clear(&search);
    return status;
}

void cardo_found_domains_clear(cardo_found_domains *found)
{
    cardo_partition_clear(&found->best);
    for (int k = 0; k < CARDO_DOMAIN_METHODS; ++k)
        cardo_partition_clear(&found->by_method[k]);
    cardo_free(found->like);
    *found = (cardo_found_domains){0};
}
