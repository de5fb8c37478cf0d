#include "topology/peptide_group.h"

static bool are_bonded(const cardo_bonds *bonds, int a, int b)
{
    for (int k = bonds->neighbour_first[a]; k < bonds->neighbour_first[a + 1]; ++k)
        if (bonds->neighbour[k] == b)
            return true;
    return false;
}

bool cardo_peptide_group_find(const cardo_structure *s, const cardo_bonds *bonds, int r,
                              cardo_peptide_group *group)
{
    if (r < 0 || r + 1 >= s->nresidue)
        return false;
    *group = (cardo_peptide_group){.ca1 = cardo_structure_find_atom(s, r, "CA"),
                                   .c = cardo_structure_find_atom(s, r, "C"),
                                   .o = cardo_structure_find_atom(s, r, "O"),
                                   .n = cardo_structure_find_atom(s, r + 1, "N"),
                                   .ca2 = cardo_structure_find_atom(s, r + 1, "CA"),
                                   .third = -1};
    if (group->ca1 < 0 || group->c < 0 || group->o < 0 || group->n < 0 || group->ca2 < 0 ||
        !are_bonded(bonds, group->c, group->n))
        return false;
    for (int k = bonds->neighbour_first[group->n]; k < bonds->neighbour_first[group->n + 1]; ++k) {
        const int atom = bonds->neighbour[k];
        if (atom != group->c && atom != group->ca2)
            group->third = atom;
    }
    return group->third >= 0;
}
