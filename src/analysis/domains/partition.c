#include "analysis/domains/steps.h"

#include "base/memory.h"

#include <string.h>

cardo_status cardo_partition_create(cardo_partition *partition, int n, int most, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    *partition = (cardo_partition){.n = n, .ndomain = 1};
    CARDO_TRY(CARDO_ALLOCATE(&partition->domain, n, error));
    CARDO_TRY(CARDO_ALLOCATE(&partition->X, most, error));
    CARDO_TRY(CARDO_ALLOCATE(&partition->size, most, error));
done:
    return status;
}

void cardo_partition_clear(cardo_partition *partition)
{
    cardo_free(partition->domain);
    cardo_free(partition->X);
    cardo_free(partition->size);
    *partition = (cardo_partition){0};
}

void cardo_partition_copy(cardo_partition *into, const cardo_partition *from)
{
    int *domain = into->domain, *size = into->size;
    cardo_transform *X = into->X;
    *into = *from;
    into->domain = domain;
    into->size = size;
    into->X = X;
    memcpy(domain, from->domain, (size_t)from->n * sizeof *domain);
    memcpy(size, from->size, (size_t)from->ndomain * sizeof *size);
    memcpy(X, from->X, (size_t)from->ndomain * sizeof *X);
}

void cardo_partition_join(cardo_partition *partition, int p, int q)
{
    int last = --partition->ndomain;
    for (int i = 0; i < partition->n; ++i) {
        int *of = &partition->domain[i];
        *of = *of == q ? p : *of;
    }
    for (int i = 0; i < partition->n; ++i)
        if (partition->domain[i] == last)
            partition->domain[i] = q == last ? p : q;
    if (q != last) {
        partition->X[q] = partition->X[last];
        partition->size[q] = partition->size[last];
    }
}

bool cardo_partition_neighbours(const domain_search *search, const cardo_partition *partition,
                                int p, int q)
{
    for (int i = 0; i < partition->n; ++i) {
        if (partition->domain[i] != p)
            continue;
        for (int k = search->touch_first[i]; k < search->touch_first[i + 1]; ++k)
            if (partition->domain[search->touch[k]] == q)
                return true;
    }
    return false;
}

void cardo_partition_sort(cardo_partition *partition)
{
    /* Selection sort by swapping two numbers: domains are few. */
    for (int p = 0; p < partition->ndomain; ++p) {
        int largest = p;
        for (int q = p + 1; q < partition->ndomain; ++q)
            if (partition->size[q] > partition->size[largest])
                largest = q;
        if (largest == p)
            continue;
        for (int i = 0; i < partition->n; ++i) {
            int *of = &partition->domain[i];
            *of = *of == p ? largest : *of == largest ? p : *of;
        }
        cardo_transform X = partition->X[p];
        int size = partition->size[p];
        partition->X[p] = partition->X[largest];
        partition->size[p] = partition->size[largest];
        partition->X[largest] = X;
        partition->size[largest] = size;
    }
}
