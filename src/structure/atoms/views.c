#include "structure/atoms/structure.h"

int cardo_structure_natom(const cardo_structure *structure)
{
    return structure->natom;
}

int cardo_structure_nresidue(const cardo_structure *structure)
{
    return structure->nresidue;
}

int cardo_structure_nchain(const cardo_structure *structure)
{
    return structure->nchain;
}

const double *cardo_structure_positions(const cardo_structure *structure)
{
    return structure->position;
}

const char *cardo_structure_atom_name(const cardo_structure *structure, int atom)
{
    return structure->atom_name[atom].text;
}

int cardo_structure_element(const cardo_structure *structure, int atom)
{
    return structure->element[atom];
}

int cardo_structure_atom_residue(const cardo_structure *structure, int atom)
{
    return structure->atom_residue[atom];
}

const char *cardo_structure_residue_name(const cardo_structure *structure, int residue)
{
    return structure->residue_name[residue].text;
}

int cardo_structure_residue_number(const cardo_structure *structure, int residue)
{
    return structure->residue_number[residue];
}

char cardo_structure_insertion(const cardo_structure *structure, int residue)
{
    return structure->insertion[residue];
}

int cardo_structure_residue_chain(const cardo_structure *structure, int residue)
{
    return structure->residue_chain[residue];
}

int cardo_structure_first_atom(const cardo_structure *structure, int residue)
{
    return structure->residue_first[residue];
}

const char *cardo_structure_chain_id(const cardo_structure *structure, int chain)
{
    return structure->chain_id[chain].text;
}
