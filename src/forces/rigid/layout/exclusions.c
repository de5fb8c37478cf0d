#include "forces/rigid/layout/exclusions.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

typedef struct slot_pair {
    int row, column;
} slot_pair;

/* By block of the row, then block of the column. */
static int by_blocks(const void *a, const void *b)
{
    const slot_pair *p = a, *q = b;
    int rows = p->row / CARDO_BLOCK - q->row / CARDO_BLOCK;
    return rows ? rows : p->column / CARDO_BLOCK - q->column / CARDO_BLOCK;
}

static void fill(cardo_rigid_exclusions *x, const slot_pair *pairs, int n, int nblock)
{
    int at = -1;
    memset(x->mask, 0xff, sizeof *x->mask * CARDO_BLOCK * CARDO_BLOCK * (size_t)x->npair);
    for (int k = 0; k < n; ++k) {
        int row = pairs[k].row, column = pairs[k].column;
        if (k == 0 || by_blocks(&pairs[k - 1], &pairs[k]) != 0) {
            x->block[++at] = column / CARDO_BLOCK;
            ++x->first[row / CARDO_BLOCK + 1];
        }
        x->mask[(size_t)CARDO_BLOCK * CARDO_BLOCK * (size_t)at +
                (size_t)(row % CARDO_BLOCK * CARDO_BLOCK + column % CARDO_BLOCK)] = 0;
    }
    for (int block = 0; block < nblock; ++block)
        x->first[block + 1] += x->first[block];
}

/* The pairs of slots of shared blocks that are of one body, those left over among them, each with itself
 * too; counts them alone where pairs is NULL. */
static int list_inside(const cardo_rigid_layout *layout, slot_pair *pairs)
{
    int n = 0;
    for (int from = CARDO_BLOCK * layout->first_block[layout->nbody], to; from < layout->nslot;
         from = to) {
        for (to = from; to < layout->nslot && layout->slot_body[to] == layout->slot_body[from];)
            ++to;
        for (int a = from; pairs && a < to; ++a)
            for (int b = from; b < to; ++b)
                pairs[n + (a - from) * (to - from) + (b - from)] = (slot_pair){a, b};
        n += (to - from) * (to - from);
    }
    return n;
}

cardo_status cardo_rigid_exclusions_create(const cardo_terms *terms,
                                           const cardo_rigid_layout *layout,
                                           cardo_rigid_exclusions **out, cardo_error *error)
{
    cardo_status status;
    cardo_rigid_exclusions *x = NULL;
    slot_pair *pairs = NULL;
    int n = list_inside(layout, NULL);
    *out = NULL;
    CARDO_TRY(CARDO_ALLOCATE(&x, 1, error));
    CARDO_TRY(CARDO_ALLOCATE(&pairs, (size_t)n + 2 * (size_t)terms->nexception, error));
    n = list_inside(layout, pairs);
    for (int k = 0; k < terms->nexception; ++k) {
        const cardo_exception_term e = cardo_terms_exception(terms, k);
        const int a = layout->slot[e.a], b = layout->slot[e.b];
        if (layout->slot_body[a] == layout->slot_body[b])
            continue;
        pairs[n++] = (slot_pair){a, b};
        pairs[n++] = (slot_pair){b, a};
    }
    if (n > 0)
        qsort(pairs, (size_t)n, sizeof *pairs, by_blocks);
    for (int k = 0; k < n; ++k)
        x->npair += k == 0 || by_blocks(&pairs[k - 1], &pairs[k]) != 0;
    CARDO_TRY(CARDO_ALLOCATE(&x->first, layout->nblock + 1, error));
    CARDO_TRY(CARDO_ALLOCATE(&x->block, x->npair, error));
    CARDO_TRY(CARDO_ALLOCATE(&x->mask, (size_t)x->npair * CARDO_BLOCK * CARDO_BLOCK, error));
    if (n > 0)
        fill(x, pairs, n, layout->nblock);
    *out = x;
    x = NULL;
done:
    cardo_free(pairs);
    cardo_rigid_exclusions_destroy(x);
    return status;
}

void cardo_rigid_exclusions_destroy(cardo_rigid_exclusions *x)
{
    if (!x)
        return;
    cardo_free(x->first);
    cardo_free(x->block);
    cardo_free(x->mask);
    cardo_free(x);
}
