#include "analysis/domains/strands.h"

#include "base/memory.h"

#include <string.h>

bool cardo_strands_same_chain(const cardo_structure *structure, int r, int s)
{
    const int *chain = structure->residue_chain;
    return s >= 0 && s < structure->nresidue &&
           strcmp(structure->chain_id[chain[r]].text, structure->chain_id[chain[s]].text) == 0;
}

cardo_status cardo_strands_list(const cardo_structure *structure, const bool *bending,
                                const int *domain, cardo_hinge_strand **out, int *count,
                                cardo_error *error)
{
    int capacity = 0;
    for (int first = 0, last; first < structure->nresidue; first = last + 1) {
        last = first;
        if (!bending[first] || domain[first] < 0)
            continue;
        while (cardo_strands_same_chain(structure, first, last + 1) && bending[last + 1])
            ++last;
        cardo_status status = CARDO_RESERVE(out, &capacity, *count + 1, error);
        if (status != CARDO_OK)
            return status;
        (*out)[(*count)++] = (cardo_hinge_strand){.first = first,
                                                  .last = last,
                                                  .before = domain[first],
                                                  .after = domain[last],
                                                  .axis_distance = -1};
    }
    return CARDO_OK;
}

int cardo_strands_between(const cardo_hinge_strand *strand, int count, int p, int q)
{
    int n = 0;
    for (int k = 0; k < count; ++k)
        n += (strand[k].before == p && strand[k].after == q) ||
             (strand[k].before == q && strand[k].after == p);
    return n;
}
