#include "forces/relax/broken_bounds.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

const char *const cardo_bound_kind_names[CARDO_BOUND_KINDS] = {"bond", "angle", "omega", "contact"};

void cardo_broken_bounds_empty(cardo_broken_bounds *list)
{
    memset(list->count, 0, sizeof list->count);
    memset(list->looked, 0, sizeof list->looked);
    list->nbroken = 0;
}

cardo_status cardo_broken_bounds_add(cardo_broken_bounds *list, const cardo_broken_bound *broken,
                                     cardo_error *error)
{
    cardo_status status = CARDO_RESERVE(&list->broken, &list->capacity, list->nbroken + 1, error);
    if (status != CARDO_OK)
        return status;
    list->broken[list->nbroken++] = *broken;
    ++list->count[broken->kind];
    return CARDO_OK;
}

static int compare(const void *left, const void *right)
{
    const cardo_broken_bound *a = left, *b = right;
    if (a->beyond != b->beyond)
        return a->beyond > b->beyond ? -1 : 1;
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    for (int k = 0; k < a->natom; ++k)
        if (a->atom[k] != b->atom[k])
            return a->atom[k] < b->atom[k] ? -1 : 1;
    return 0;
}

void cardo_broken_bounds_sort(cardo_broken_bounds *list)
{
    if (list->nbroken > 1)
        qsort(list->broken, (size_t)list->nbroken, sizeof *list->broken, compare);
}

const cardo_broken_bound *cardo_broken_bounds_knot(const cardo_broken_bounds *list)
{
    const double knotted = 1.5;
    for (int k = 0; k < list->nbroken; ++k)
        if (list->broken[k].kind == CARDO_BOUND_CONTACT && list->broken[k].beyond > knotted)
            return &list->broken[k];
    return NULL;
}

void cardo_broken_bounds_clear(cardo_broken_bounds *list)
{
    cardo_free(list->broken);
    *list = (cardo_broken_bounds){0};
}
