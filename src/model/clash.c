#include "model/clash.h"

#include "base/memory.h"
#include "model/near.h"

#include <stdlib.h>

static const double reach = 0.5; /* nm */
static const double close = 0.3; /* nm: pairs that are listed */

/* A list that is being filled. */
typedef struct search {
    const cardo_structure *structure;
    const double *fractions;
    cardo_clash_list *list;
    int *pair_of; /* number in the list + 1 of a pair of residues       (nresidue x nresidue) */
    cardo_status status;
    cardo_error *error;
} search;

/* The nearest heavy atoms of two residues. Two sulfurs may be bridged and do not count. */
static cardo_approach nearest_atoms(const search *s, int r, int t, const double *position)
{
    const cardo_structure *structure = s->structure;
    const unsigned char *element = structure->element;
    cardo_approach found = {{-1, -1}, HUGE_VAL, 0};
    for (int i = structure->residue_first[r]; i < structure->residue_first[r + 1]; ++i)
        for (int j = structure->residue_first[t]; j < structure->residue_first[t + 1]; ++j) {
            if (element[i] == 1 || element[j] == 1 || (element[i] == 16 && element[j] == 16))
                continue;
            double d = v3_norm(v3_sub(v3_load(position + 3 * i), v3_load(position + 3 * j)));
            if (d < found.distance)
                found = (cardo_approach){{i, j}, d, 0};
        }
    return found;
}

static void keep_pair(search *s, int r, int t, const cardo_approach *clash)
{
    cardo_clash_list *list = s->list;
    int *number = &s->pair_of[(size_t)r * (size_t)s->structure->nresidue + (size_t)t];
    if (*number == 0) {
        s->status = CARDO_RESERVE(&list->pair, &list->capacity, list->npair + 1, s->error);
        if (s->status != CARDO_OK)
            return;
        *number = ++list->npair;
        list->pair[*number - 1] = *clash;
    }
    if (clash->distance < list->pair[*number - 1].distance)
        list->pair[*number - 1] = *clash;
}

static void look(void *user, int sample, int r, int t, const double *position)
{
    search *s = user;
    cardo_approach clash = nearest_atoms(s, r, t, position);
    clash.fraction = s->fractions[sample];
    if (clash.atom[0] < 0 || clash.distance > reach || s->status != CARDO_OK)
        return;
    if (clash.distance < s->list->nearest[sample].distance)
        s->list->nearest[sample] = clash;
    if (clash.distance < close)
        keep_pair(s, r, t, &clash);
}

static int by_distance(const void *a, const void *b)
{
    double x = ((const cardo_approach *)a)->distance, y = ((const cardo_approach *)b)->distance;
    return (x > y) - (x < y);
}

cardo_status cardo_clashes_find(const cardo_model *model, const double *positions, int nfraction,
                                const double *fractions, const cardo_transform *pose,
                                cardo_clash_list *out, cardo_error *error)
{
    cardo_status status;
    const cardo_structure *structure = model->structure[0].structure;
    size_t n = (size_t)structure->nresidue;
    int *body = NULL;
    search s = {.structure = structure, .fractions = fractions, .list = out, .error = error};
    *out = (cardo_clash_list){.nfraction = nfraction};
    CARDO_TRY(CARDO_ALLOCATE(&out->nearest, nfraction, error));
    CARDO_TRY(CARDO_ALLOCATE(&body, n, error));
    CARDO_TRY(CARDO_ALLOCATE(&s.pair_of, n * n, error));
    for (int k = 0; k < nfraction; ++k)
        out->nearest[k] = (cardo_approach){{-1, -1}, HUGE_VAL, fractions[k]};
    cardo_model_riders(model, body);
    cardo_near_walk walk = {positions, body, reach, nfraction, fractions, pose, look, &s};
    CARDO_TRY(cardo_model_walk_near(model, &walk, error));
    status = s.status;
    if (out->npair > 1)
        qsort(out->pair, (size_t)out->npair, sizeof *out->pair, by_distance);
done:
    cardo_free(body);
    cardo_free(s.pair_of);
    return status;
}

void cardo_clash_list_clear(cardo_clash_list *list)
{
    cardo_free(list->nearest);
    cardo_free(list->pair);
    *list = (cardo_clash_list){0};
}
