#include "analysis/domains/ensemble.h"

#include "base/memory.h"
#include "multibody/algebra/exponential.h"
#include "structure/atoms/superpose.h"

#include <stddef.h>
#include <string.h>

enum { ALL_PAIRS = 64 };

/* C-alpha of all members in the order of the first's residues. */
typedef struct ensemble {
    int n, nresidue;
    double *position; /* (n x nresidue x 3) */
    bool *there;      /* (n x nresidue) */
    double *a, *b;    /* common ones of two members (nresidue x 3) */
} ensemble;

static cardo_status load(ensemble *e, const cardo_ensemble_member *member, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    size_t width = (size_t)e->nresidue, total = width * (size_t)e->n;
    CARDO_TRY(CARDO_ALLOCATE(&e->position, 3 * total, error));
    CARDO_TRY(CARDO_ALLOCATE(&e->there, total, error));
    CARDO_TRY(CARDO_ALLOCATE(&e->a, 3 * width, error));
    CARDO_TRY(CARDO_ALLOCATE(&e->b, 3 * width, error));
    for (int k = 0; k < e->n; ++k)
        for (int r = 0; r < e->nresidue; ++r) {
            int of = member[k].match ? member[k].match[r] : r;
            int atom = of < 0 ? -1 : cardo_structure_find_atom(member[k].structure, of, "CA");
            size_t at = (size_t)k * width + (size_t)r;
            e->there[at] = atom >= 0;
            if (atom >= 0)
                memcpy(e->position + 3 * at, member[k].structure->position + 3 * (size_t)atom,
                       3 * sizeof *e->position);
        }
done:
    return status;
}

static void unload(ensemble *e)
{
    cardo_free(e->position);
    cardo_free(e->there);
    cardo_free(e->a);
    cardo_free(e->b);
}

static cardo_status difference(ensemble *e, int i, int j, double *rmsd, cardo_error *error)
{
    int n = 0;
    cardo_transform X;
    for (int r = 0; r < e->nresidue; ++r) {
        size_t at = (size_t)i * (size_t)e->nresidue + (size_t)r;
        size_t to = (size_t)j * (size_t)e->nresidue + (size_t)r;
        if (!e->there[at] || !e->there[to])
            continue;
        memcpy(e->a + 3 * (size_t)n, e->position + 3 * at, 3 * sizeof *e->a);
        memcpy(e->b + 3 * (size_t)n++, e->position + 3 * to, 3 * sizeof *e->b);
    }
    return cardo_superpose(n, e->a, e->b, NULL, &X, rmsd, error);
}

/* The member farthest from k. */
static cardo_status farthest(ensemble *e, int k, int *far, double *rmsd, cardo_error *error)
{
    *rmsd = -1;
    for (int j = 0; j < e->n; ++j) {
        double here;
        cardo_status status = j == k ? CARDO_OK : difference(e, k, j, &here, error);
        if (status != CARDO_OK)
            return status;
        if (j != k && here > *rmsd) {
            *rmsd = here;
            *far = j;
        }
    }
    return CARDO_OK;
}

static cardo_status search(ensemble *e, int pair[2], double *rmsd, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    int last = e->n <= ALL_PAIRS ? e->n : 1, far = 0, ends[2] = {0, 0};
    double here;
    *rmsd = -1;
    for (int k = 0; k < last; ++k) {
        CARDO_TRY(farthest(e, k, &far, &here, error));
        if (here > *rmsd) {
            *rmsd = here;
            ends[0] = k;
            ends[1] = far;
        }
    }
    if (e->n > ALL_PAIRS) {
        ends[0] = far;
        CARDO_TRY(farthest(e, far, &ends[1], rmsd, error));
    }
    pair[0] = ends[0] < ends[1] ? ends[0] : ends[1];
    pair[1] = ends[0] < ends[1] ? ends[1] : ends[0];
done:
    return status;
}

cardo_status cardo_ensemble_extremes(int n, const cardo_ensemble_member *member, int pair[2],
                                     double *rmsd, cardo_error *error)
{
    ensemble e = {.n = n, .nresidue = member[0].structure->nresidue};
    if (n < 2)
        return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT, "an ensemble has two members or more");
    cardo_status status = load(&e, member, error);
    if (status == CARDO_OK)
        status = search(&e, pair, rmsd, error);
    unload(&e);
    return status;
}

cardo_status cardo_hinge_states(const cardo_structure *reference,
                                const cardo_domain_motions *motions,
                                const cardo_structure *structure, const int *match,
                                cardo_hinge_state *state, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    bool *mask[2] = {NULL, NULL};
    cardo_path_target target = {structure, match};
    for (int k = 0; k < 2; ++k)
        CARDO_TRY(CARDO_ALLOCATE(&mask[k], reference->nresidue, error));
    for (int k = 0; k < motions->nhinge; ++k) {
        const cardo_domain_hinge *hinge = &motions->hinge[k];
        cardo_path_fit *fit = NULL;
        cardo_domain_mask(motions, reference->nresidue, hinge->parent, mask[0]);
        cardo_domain_mask(motions, reference->nresidue, hinge->child, mask[1]);
        CARDO_TRY(cardo_path_fit_create(reference, NULL, 1, &target, mask[0], mask[1], NULL, &fit,
                                        error));
        double about = v3_dot(cardo_rotation_log(fit->motion[1].R), hinge->fit->axis);
        state[k] = (cardo_hinge_state){fit->angle, about / hinge->fit->angle, fit->rmsd_moved};
        cardo_path_fit_destroy(fit);
    }
done:
    cardo_free(mask[0]);
    cardo_free(mask[1]);
    return status;
}
