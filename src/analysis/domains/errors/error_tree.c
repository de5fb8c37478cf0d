/* Domains of a predicted structure as a tree that hangs on the strands between them. */
#include "analysis/domains/errors/error_domains.h"

#include "base/memory.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

/* Prim's algorithm: by strands first, then by the surer place. */
static void grow_tree(const cardo_error_domains *found, cardo_domain_motions *m)
{
    for (int p = 0; p < m->ndomain; ++p)
        m->parent[p] = p == 0 ? -1 : -2;
    for (int joined = 1; joined < m->ndomain; ++joined) {
        double most = -1;
        int parent = 0, child = 0;
        for (int p = 0; p < m->ndomain; ++p)
            for (int q = 1; q < m->ndomain; ++q) {
                if (m->parent[p] == -2 || m->parent[q] != -2)
                    continue;
                const double bond = (cardo_strands_between(m->strand, m->nstrand, p, q) > 0) +
                                    1 / (2 + found->between[p * m->ndomain + q]);
                if (bond > most) {
                    most = bond;
                    parent = p;
                    child = q;
                }
            }
        m->parent[child] = parent;
        m->hinge[m->nhinge++] = (cardo_domain_hinge){
            .parent = parent,
            .child = child,
            .nstrand = cardo_strands_between(m->strand, m->nstrand, parent, child),
            .tether = true};
    }
}

static cardo_status allocate(int nresidue, cardo_domain_motions *m, cardo_error *error)
{
    cardo_status status;
    CARDO_TRY(CARDO_ALLOCATE(&m->domain, nresidue, error));
    CARDO_TRY(CARDO_ALLOCATE(&m->bending, nresidue, error));
    CARDO_TRY(CARDO_ALLOCATE(&m->parent, m->ndomain, error));
    CARDO_TRY(CARDO_ALLOCATE(&m->matched, m->ndomain, error));
    CARDO_TRY(CARDO_ALLOCATE(&m->rmsd, m->ndomain, error));
    CARDO_TRY(CARDO_ALLOCATE(&m->hinge, m->ndomain, error));
done:
    return status;
}

cardo_status cardo_error_domains_tree(const cardo_error_domains *found,
                                      const cardo_structure *reference, cardo_domain_motions **out,
                                      cardo_error *error)
{
    cardo_domain_motions *m;
    cardo_status status = CARDO_ALLOCATE(&m, 1, error);
    *out = NULL;
    if (status != CARDO_OK)
        return status;
    m->ndomain = found->ndomain;
    m->predicted = true;
    m->verdict = found->ndomain > 1 ? CARDO_MOTION_TETHER : CARDO_MOTION_NONE;
    CARDO_TRY(allocate(found->n, m, error));
    for (int r = 0; r < found->n; ++r) {
        m->domain[r] = found->domain[r];
        m->bending[r] = found->loose[r];
        if (found->domain[r] >= 0 && !found->loose[r])
            ++m->matched[found->domain[r]];
    }
    assert(found->n == reference->nresidue);
    CARDO_TRY(
        cardo_strands_list(reference, found->loose, found->domain, &m->strand, &m->nstrand, error));
    grow_tree(found, m);
    *out = m;
    m = NULL;
done:
    cardo_domain_motions_destroy(m);
    return status;
}
