#include "analysis/domains/chains.h"
#include "analysis/domains/steps.h"
#include "base/memory.h"
#include "structure/atoms/superpose.h"

#include <stddef.h>
#include <string.h>

enum { DIVISIONS = 1 + CARDO_DOMAIN_METHODS };

/* What the chains' own searches say. */
typedef struct chain_search {
    const cardo_displacement *d;
    const cardo_domain_options *options;
    const cardo_domain_chains *chains;
    int *part
        [DIVISIONS]; /* of each residue: best, and by each method, 0.. rising with the chain (n) */
    int npart[DIVISIONS];
    int *body;         /* of each part      (n) */
    double *agreement; /* of each chain     (number of chains) */
} chain_search;

static cardo_partition *division_of(cardo_found_domains *found, int k)
{
    return k == 0 ? &found->best : &found->by_method[k - 1];
}

static cardo_displacement chain_of(const cardo_displacement *d, int first, int n)
{
    return (cardo_displacement){.n = n,
                                .a = d->a + 3 * (size_t)first,
                                .b = d->b + 3 * (size_t)first,
                                .a_backbone = d->a_backbone + 9 * (size_t)first,
                                .b_backbone = d->b_backbone + 9 * (size_t)first,
                                .chain = d->chain + first};
}

/* Domains of one chain, as parts 0.. of it; all are one part where nothing else can be said. */
static cardo_status search_chain(chain_search *s, int c, cardo_error *error)
{
    const int first = s->chains->first[c], n = s->chains->first[c + 1] - first;
    s->agreement[c] = 1;
    const cardo_displacement chain = chain_of(s->d, first, n);
    cardo_domain_options options = *s->options;
    cardo_found_domains found = {0};
    options.most = cardo_domain_room(s->options, n);
    for (int k = 0; k < DIVISIONS; ++k)
        memset(s->part[k] + first, 0, (size_t)n * sizeof *s->part[k]);
    if (s->chains->small[c])
        return CARDO_OK;
    cardo_status status = cardo_domains_find_whole(&chain, &options, &found, error);
    for (int k = 0; k < DIVISIONS && status == CARDO_OK; ++k)
        memcpy(s->part[k] + first, division_of(&found, k)->domain, (size_t)n * sizeof *s->part[k]);
    if (status == CARDO_OK)
        s->agreement[c] = found.agreement;
    cardo_found_domains_clear(&found);
    return status == CARDO_ERROR_INPUT ? CARDO_OK : status;
}

/* Copies get the answer of the first of them, so that noise cannot tell them apart. */
static void copy_chain(chain_search *s, int c)
{
    const cardo_domain_chains *chains = s->chains;
    const int first = chains->first[c], from = chains->first[chains->like[c]];
    s->agreement[c] = s->agreement[chains->like[c]];
    for (int k = 0; k < DIVISIONS; ++k)
        memcpy(s->part[k] + first, s->part[k] + from,
               (size_t)(chains->first[c + 1] - first) * sizeof *s->part[k]);
}

/* Makes the parts of chains parts of all. */
static void number_parts(chain_search *s)
{
    for (int k = 0; k < DIVISIONS; ++k) {
        int before = 0;
        for (int c = 0; c < s->chains->n; ++c) {
            int most = 0;
            for (int i = s->chains->first[c]; i < s->chains->first[c + 1]; ++i) {
                most = s->part[k][i] > most ? s->part[k][i] : most;
                s->part[k][i] += before;
            }
            before += most + 1;
        }
        s->npart[k] = before;
    }
}

/* One division of all residues: parts that move as one body joined, and measured. */
static cardo_status join_parts(chain_search *s, domain_search *search, int k,
                               cardo_partition *partition, cardo_error *error)
{
    int nbody = 0;
    cardo_status status;
    CARDO_TRY(cardo_domain_parts_join(s->d, s->options, s->chains, s->part[k], s->npart[k], s->body,
                                      &nbody, error));
    CARDO_TRY(cardo_partition_create(partition, s->d->n, nbody, error));
    partition->ndomain = nbody;
    for (int i = 0; i < s->d->n; ++i)
        partition->domain[i] = s->body[s->part[k][i]];
    if (!cardo_partition_measure(search, partition))
        status = CARDO_FAIL(error, CARDO_ERROR_INPUT,
                            "the %d residues of %d chains lie on lines: no domains can be "
                            "distinguished",
                            s->d->n, s->chains->n);
done:
    return status;
}

static cardo_status search_all(chain_search *s, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    for (int k = 0; k < DIVISIONS; ++k)
        CARDO_TRY(CARDO_ALLOCATE(&s->part[k], s->d->n, error));
    CARDO_TRY(CARDO_ALLOCATE(&s->body, s->d->n, error));
    CARDO_TRY(CARDO_ALLOCATE(&s->agreement, s->chains->n, error));
    for (int c = 0; c < s->chains->n; ++c)
        if (s->chains->like[c] == c)
            CARDO_TRY(search_chain(s, c, error));
        else
            copy_chain(s, c);
    number_parts(s);
done:
    return status;
}

static double mean_agreement(const chain_search *s)
{
    double sum = 0;
    for (int c = 0; c < s->chains->n; ++c)
        sum += s->agreement[c] * (s->chains->first[c + 1] - s->chains->first[c]);
    return sum / s->d->n;
}

static cardo_status find_by_chains(const cardo_displacement *d, const cardo_domain_options *options,
                                   const cardo_domain_chains *chains, cardo_found_domains *found,
                                   cardo_error *error)
{
    chain_search s = {.d = d, .options = options, .chains = chains};
    domain_search search = {0};
    cardo_transform X;
    cardo_status status;
    CARDO_TRY(search_all(&s, error));
    CARDO_TRY(cardo_domain_search_begin(&search, d, options, error));
    for (int k = 0; k < DIVISIONS; ++k)
        CARDO_TRY(join_parts(&s, &search, k, division_of(found, k), error));
    CARDO_TRY(CARDO_ALLOCATE(&found->like, d->n, error));
    for (int c = 0; c < chains->n; ++c)
        for (int i = chains->first[c]; i < chains->first[c + 1]; ++i)
            found->like[i] = i - chains->first[c] + chains->first[chains->like[c]];
    found->agreement = mean_agreement(&s);
    status = cardo_superpose(d->n, d->a, d->b, NULL, &X, &found->rms_before, error);
done:
    for (int k = 0; k < DIVISIONS; ++k)
        cardo_free(s.part[k]);
    cardo_free(s.body);
    cardo_free(s.agreement);
    cardo_domain_search_clear(&search);
    return status;
}

static cardo_status check(const cardo_displacement *d, const cardo_domain_options *options,
                          cardo_error *error)
{
    int least = options->window > 4 ? options->window : 4;
    if (d->n < least)
        return CARDO_FAIL(
            error, CARDO_ERROR_INPUT,
            "%d residues that have a C-alpha atom in both structures are too few to look for "
            "domains: at least %d are needed",
            d->n, least);
    return CARDO_OK;
}

cardo_status cardo_domains_find(const cardo_displacement *d, const cardo_domain_options *options,
                                cardo_found_domains *found, cardo_error *error)
{
    cardo_domain_chains chains = {0};
    cardo_domain_options whole = *options;
    cardo_status status;
    whole.most = cardo_domain_room(options, d->n);
    CARDO_TRY(check(d, options, error));
    CARDO_TRY(cardo_domain_chains_list(d, options, &chains, error));
    status = chains.by_themselves ? find_by_chains(d, options, &chains, found, error)
                                  : cardo_domains_find_whole(d, &whole, found, error);
done:
    cardo_domain_chains_clear(&chains);
    return status;
}
