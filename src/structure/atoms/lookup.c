#include "structure/atoms/structure.h"

#include <stdio.h>
#include <string.h>

int cardo_structure_find_atom(const cardo_structure *structure, int residue, const char *name)
{
    for (int i = structure->residue_first[residue]; i < structure->residue_first[residue + 1]; ++i)
        if (strcmp(structure->atom_name[i].text, name) == 0)
            return i;
    return -1;
}

int cardo_structure_find_residue(const cardo_structure *structure, const char *chain, int number,
                                 char insertion)
{
    bool any = strcmp(chain, "*") == 0;
    for (int r = 0; r < structure->nresidue; ++r)
        if (structure->residue_number[r] == number && structure->insertion[r] == insertion &&
            (any || strcmp(structure->chain_id[structure->residue_chain[r]].text, chain) == 0))
            return r;
    return -1;
}

char *cardo_residue_label(const cardo_structure *structure, int residue, char text[40])
{
    /* 12 digits hold any int; gcc must see that nothing is cut off. */
    char insertion[2] = {structure->insertion[residue], '\0'};
    snprintf(text, 40, "%.11s:%.11s%d%s",
             structure->chain_id[structure->residue_chain[residue]].text,
             structure->residue_name[residue].text, structure->residue_number[residue], insertion);
    return text;
}
