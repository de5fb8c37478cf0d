/* How many pairs of heavy atoms of a residue and of bodies are near each other. */
#include "model/internal.h"

#include <math.h>

static const double contact = 0.45; /* nm, between heavy atoms */

void cardo_model_add_contacts(const cardo_structure *s, int residue, const bool *mark,
                              const int *owner, int *count, int *nearest, double *least)
{
    for (int j = 0; j < s->natom; ++j) {
        const int r = s->atom_residue[j];
        if (owner[r] < 0 || s->element[j] == 1 || (mark && mark[r]))
            continue;
        for (int i = s->residue_first[residue]; i < s->residue_first[residue + 1]; ++i) {
            cardo_vec3 d = v3_sub(v3_load(s->position + 3 * i), v3_load(s->position + 3 * j));
            double square = v3_dot(d, d);
            if (s->element[i] == 1)
                continue;
            count[owner[r]] += square < contact * contact;
            if (square < *least) {
                *least = square;
                *nearest = owner[r];
            }
        }
    }
}

int cardo_model_count_contacts(const cardo_structure *s, const bool *mark, const int *owner,
                               int nowner, int *count)
{
    double least = HUGE_VAL;
    int nearest = -1;
    for (int k = 0; k < nowner; ++k)
        count[k] = 0;
    for (int r = 0; r < s->nresidue; ++r)
        if (mark[r])
            cardo_model_add_contacts(s, r, mark, owner, count, &nearest, &least);
    return nearest;
}
