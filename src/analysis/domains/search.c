#include "analysis/domains/steps.h"
#include "base/memory.h"
#include "structure/atoms/superpose.h"

#include <assert.h>
#include <stddef.h>

/* The window of w residues about i that stays within the chain. */
static void window_of(const domain_search *search, int i, int *first, int *count)
{
    const int *chain = search->d->chain;
    int half = search->options.window / 2, lower = i, upper = i;
    while (lower > 0 && i - lower < half && chain[lower - 1] == chain[i])
        --lower;
    while (upper + 1 < search->d->n && upper - i < half && chain[upper + 1] == chain[i])
        ++upper;
    *first = lower;
    *count = upper - lower + 1;
}

/* Rotation of every window; one that cannot be fitted (a chain of one residue) turns as the one
 * before it. */
static void rotate_windows(domain_search *search)
{
    for (int i = 0; i < search->d->n; ++i) {
        int first, count;
        cardo_transform X;
        window_of(search, i, &first, &count);
        assert(first >= 0 && count > 0 && first + count <= search->d->n);
        const double *a = search->d->a_backbone + 9 * (size_t)first;
        const double *b = search->d->b_backbone + 9 * (size_t)first;
        if (cardo_superpose(3 * count, a, b, NULL, &X, NULL, NULL) == CARDO_OK)
            search->rotation[i] = X.R;
        else
            search->rotation[i] = i > 0 ? search->rotation[i - 1] : m33_identity();
    }
}

static bool touches(const domain_search *search, int i, int j)
{
    if (j == i + 1 && search->d->chain[i] == search->d->chain[j])
        return true;
    const double *a = search->d->a;
    cardo_vec3 d = v3_sub(v3_load(a + 3 * (size_t)i), v3_load(a + 3 * (size_t)j));
    return v3_dot(d, d) < search->options.contact * search->options.contact;
}

static cardo_status list_contacts(domain_search *search, cardo_error *error)
{
    int n = search->d->n, *next = search->list;
    for (int i = 0; i < n; ++i)
        for (int j = i + 1; j < n; ++j)
            if (touches(search, i, j)) {
                ++search->touch_first[i + 1];
                ++search->touch_first[j + 1];
            }
    for (int i = 0; i < n; ++i) {
        search->touch_first[i + 1] += search->touch_first[i];
        next[i] = search->touch_first[i];
    }
    cardo_status status = CARDO_ALLOCATE(&search->touch, search->touch_first[n], error);
    for (int i = 0; status == CARDO_OK && i < n; ++i)
        for (int j = i + 1; j < n; ++j)
            if (touches(search, i, j)) {
                assert(next[i] < search->touch_first[i + 1]);
                search->touch[next[i]++] = j;
                search->touch[next[j]++] = i;
            }
    return status;
}

int cardo_domain_room(const cardo_domain_options *options, int n)
{
    enum { FEW = 32 };
    const int fill = n / options->smallest, room = fill > FEW ? fill : FEW;
    return options->most < room ? options->most : room;
}

cardo_status cardo_domain_search_begin(domain_search *search, const cardo_displacement *d,
                                       const cardo_domain_options *options, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    const size_t n = (size_t)d->n;
    *search = (domain_search){.d = d, .options = *options};
    CARDO_TRY(CARDO_ALLOCATE(&search->rotation, n, error));
    CARDO_TRY(CARDO_ALLOCATE(&search->weight, n + (size_t)options->most, error));
    CARDO_TRY(CARDO_ALLOCATE(&search->points, 6 * n, error));
    CARDO_TRY(CARDO_ALLOCATE(&search->list, n, error));
    rotate_windows(search);
done:
    return status;
}

cardo_status cardo_domain_search_create(domain_search *search, const cardo_displacement *d,
                                        const cardo_domain_options *options, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    size_t n = (size_t)d->n, most = (size_t)options->most;
    size_t rows = most > DOMAIN_CANDIDATES ? most : DOMAIN_CANDIDATES;
    CARDO_TRY(cardo_domain_search_begin(search, d, options, error));
    CARDO_TRY(CARDO_ALLOCATE(&search->touch_first, n + 1, error));
    CARDO_TRY(CARDO_ALLOCATE(&search->cost, rows * n, error));
    CARDO_TRY(CARDO_ALLOCATE(&search->trace, most * n, error));
    CARDO_TRY(CARDO_ALLOCATE(&search->piece, n, error));
    CARDO_TRY(CARDO_ALLOCATE(&search->seen, n, error));
    CARDO_TRY(CARDO_ALLOCATE(&search->met, most, error));
    CARDO_TRY(list_contacts(search, error));
done:
    return status;
}

void cardo_domain_search_clear(domain_search *search)
{
    cardo_free(search->rotation);
    cardo_free(search->touch_first);
    cardo_free(search->touch);
    cardo_free(search->cost);
    cardo_free(search->weight);
    cardo_free(search->points);
    cardo_free(search->trace);
    cardo_free(search->list);
    cardo_free(search->piece);
    cardo_free(search->seen);
    cardo_free(search->met);
}
