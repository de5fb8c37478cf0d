#include "analysis/domains/meetings.h"

#include "base/memory.h"

#include <math.h>
#include <stddef.h>

static const double DOMAIN_CONTACT = 1.0; /* nm */
enum { FAR_ALONG_CHAIN = 10 };

/* Residues that follow each other in one domain, and a sphere about them: pairs of runs that are too far apart are passed over. */
typedef struct run {
    int first, end, domain;
    cardo_vec3 centre;
    double radius;
} run;

enum { LONGEST_RUN = 16 };

void cardo_domain_meetings_clear(cardo_domain_meetings *meetings)
{
    cardo_free(meetings->contacts[0]);
    cardo_free(meetings->contacts[1]);
    cardo_free(meetings->nearest);
    *meetings = (cardo_domain_meetings){0};
}

static int list_runs(const cardo_displacement *d, const int *domain, const bool *bends, run *runs)
{
    int n = 0;
    for (int i = 0; i < d->n; ++i) {
        if (bends[i])
            continue;
        if (n > 0 && runs[n - 1].end == i && runs[n - 1].domain == domain[i] &&
            i - runs[n - 1].first < LONGEST_RUN)
            ++runs[n - 1].end;
        else
            runs[n++] = (run){.first = i, .end = i + 1, .domain = domain[i]};
    }
    return n;
}

static void surround(const double *place, run *r)
{
    cardo_vec3 sum = {0, 0, 0};
    for (int i = r->first; i < r->end; ++i)
        sum = v3_add(sum, v3_load(place + 3 * (size_t)i));
    r->centre = v3_scale(1.0 / (r->end - r->first), sum);
    r->radius = 0;
    for (int i = r->first; i < r->end; ++i)
        r->radius = fmax(r->radius, v3_norm(v3_sub(v3_load(place + 3 * (size_t)i), r->centre)));
}

static bool is_near_along_chain(const cardo_displacement *d, int i, int j)
{
    const int apart = i < j ? j - i : i - j;
    return apart < FAR_ALONG_CHAIN && d->chain[i] == d->chain[j];
}

/* Counts the pairs of two runs, and takes notice of their least distance; returns how many touch. */
static int meet_runs(const cardo_displacement *d, const double *place, const run *p, const run *q,
                     double *nearest)
{
    int count = 0;
    for (int i = p->first; i < p->end; ++i)
        for (int j = q->first; j < q->end; ++j) {
            if (is_near_along_chain(d, i, j))
                continue;
            const cardo_vec3 between =
                v3_sub(v3_load(place + 3 * (size_t)i), v3_load(place + 3 * (size_t)j));
            const double squared = v3_dot(between, between);
            count += squared < DOMAIN_CONTACT * DOMAIN_CONTACT;
            *nearest = fmin(*nearest, squared);
        }
    return count;
}

/* All pairs of runs of one structure. nearest: NULL for one of which it is not asked. */
static void meet_all(const cardo_displacement *d, const double *place, int nrun, const run *runs,
                     int ndomain, int *count, double *nearest)
{
    double none = 0;
    for (int a = 0; a < nrun; ++a)
        for (int b = 0; b < a; ++b) {
            const run *p = &runs[a], *q = &runs[b];
            if (p->domain == q->domain)
                continue;
            const size_t at = (size_t)p->domain * (size_t)ndomain + (size_t)q->domain;
            const size_t back = (size_t)q->domain * (size_t)ndomain + (size_t)p->domain;
            double *least = nearest ? &nearest[at] : &none;
            const double gap = v3_norm(v3_sub(p->centre, q->centre)) - p->radius - q->radius;
            if (gap > DOMAIN_CONTACT && gap * gap > *least)
                continue;
            const int touch = meet_runs(d, place, p, q, least);
            count[at] += touch;
            count[back] += touch;
            if (nearest)
                nearest[back] = *least;
        }
}

cardo_status cardo_domains_meet(const cardo_displacement *d, const int *domain, int ndomain,
                                const bool *bends, cardo_domain_meetings *meetings,
                                cardo_error *error)
{
    cardo_status status;
    const size_t pairs = (size_t)ndomain * (size_t)ndomain;
    const double *place[2] = {d->a, d->b};
    run *runs = NULL;
    CARDO_TRY(CARDO_ALLOCATE(&runs, d->n, error));
    CARDO_TRY(CARDO_ALLOCATE(&meetings->nearest, pairs, error));
    for (size_t k = 0; k < pairs; ++k)
        meetings->nearest[k] = HUGE_VAL;
    const int nrun = list_runs(d, domain, bends, runs);
    for (int s = 0; s < 2; ++s) {
        CARDO_TRY(CARDO_ALLOCATE(&meetings->contacts[s], pairs, error));
        for (int k = 0; k < nrun; ++k)
            surround(place[s], &runs[k]);
        meet_all(d, place[s], nrun, runs, ndomain, meetings->contacts[s],
                 s == 0 ? meetings->nearest : NULL);
    }
done:
    cardo_free(runs);
    return status;
}

/* How firmly each pair belongs together: (ndomain x ndomain). */
static void weigh(int ndomain, const cardo_hinge_strand *strand, int nstrand,
                  const cardo_domain_meetings *meetings, double *bond)
{
    const size_t n = (size_t)ndomain;
    for (int k = 0; k < nstrand; ++k) {
        const size_t p = (size_t)strand[k].before, q = (size_t)strand[k].after;
        bond[p * n + q] += 1e6;
        bond[q * n + p] += p == q ? 0 : 1e6;
    }
    for (size_t k = 0; k < n * n; ++k)
        bond[k] = bond[k] + (meetings->contacts[0][k] + meetings->contacts[1][k]) +
                  1 / (1 + sqrt(meetings->nearest[k]));
}

/* The domain outside of the tree that belongs to one inside most; of equals, the first of the first. best: of each domain outside, the one inside. */
static int next_of_tree(int ndomain, const int *parent, const double *bond, const int *best)
{
    const size_t n = (size_t)ndomain;
    int child = -1;
    double most = -1;
    for (int q = 1; q < ndomain; ++q) {
        const double with = bond[(size_t)best[q] * n + (size_t)q];
        if (parent[q] == -2 && (with > most || (with == most && best[q] < best[child]))) {
            most = with;
            child = q;
        }
    }
    return child;
}

cardo_status cardo_domain_tree_grow(int ndomain, const cardo_hinge_strand *strand, int nstrand,
                                    const cardo_domain_meetings *meetings, int *parent, int *child,
                                    cardo_error *error)
{
    const size_t n = (size_t)ndomain;
    double *bond = NULL;
    int *best = NULL;
    cardo_status status;
    CARDO_TRY(CARDO_ALLOCATE(&bond, n * n, error));
    CARDO_TRY(CARDO_ALLOCATE(&best, n, error));
    weigh(ndomain, strand, nstrand, meetings, bond);
    for (int p = 0; p < ndomain; ++p)
        parent[p] = p == 0 ? -1 : -2;
    for (int joined = 1; joined < ndomain; ++joined) {
        const int p = next_of_tree(ndomain, parent, bond, best);
        child[joined - 1] = p;
        parent[p] = best[p];
        for (int q = 1; q < ndomain; ++q) {
            const double now = bond[(size_t)best[q] * n + (size_t)q];
            const double with = bond[(size_t)p * n + (size_t)q];
            if (parent[q] == -2 && (with > now || (with == now && p < best[q])))
                best[q] = p;
        }
    }
done:
    cardo_free(bond);
    cardo_free(best);
    return status;
}
