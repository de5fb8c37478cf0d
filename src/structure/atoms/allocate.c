#include "structure/atoms/allocate.h"

#include "base/memory.h"

void cardo_structure_destroy(cardo_structure *structure)
{
    if (!structure)
        return;
    cardo_free(structure->source);
    cardo_free(structure->position);
    cardo_free(structure->atom_name);
    cardo_free(structure->element);
    cardo_free(structure->atom_residue);
    cardo_free(structure->serial);
    cardo_free(structure->atom_line);
    cardo_free(structure->occupancy);
    cardo_free(structure->b_factor);
    cardo_free(structure->residue_name);
    cardo_free(structure->residue_number);
    cardo_free(structure->insertion);
    cardo_free(structure->hetero);
    cardo_free(structure->residue_chain);
    cardo_free(structure->residue_first);
    cardo_free(structure->chain_id);
    cardo_free(structure->chain_first);
    cardo_free(structure->bridge);
    cardo_free(structure->link);
    cardo_free(structure->polymer);
    cardo_free(structure->monomer);
    cardo_free(structure->alternate);
    cardo_free(structure->chain_copy);
    cardo_free(structure);
}

cardo_status cardo_structure_allocate(const char *source, int natom, int nresidue, int nchain,
                                      int nbridge, cardo_structure **out, cardo_error *error)
{
    cardo_structure *s = NULL;
    *out = NULL;
    cardo_status status = CARDO_ALLOCATE(&s, 1, error);
    if (status != CARDO_OK)
        return status;
    s->natom = natom;
    s->nresidue = nresidue;
    s->nchain = nchain;
    s->nbridge = nbridge;
    CARDO_TRY(cardo_copy_string(&s->source, source, error));
    CARDO_TRY(CARDO_ALLOCATE(&s->position, 3 * (size_t)natom, error));
    CARDO_TRY(CARDO_ALLOCATE(&s->atom_name, natom, error));
    CARDO_TRY(CARDO_ALLOCATE(&s->element, natom, error));
    CARDO_TRY(CARDO_ALLOCATE(&s->atom_residue, natom, error));
    CARDO_TRY(CARDO_ALLOCATE(&s->serial, natom, error));
    CARDO_TRY(CARDO_ALLOCATE(&s->atom_line, natom, error));
    CARDO_TRY(CARDO_ALLOCATE(&s->occupancy, natom, error));
    CARDO_TRY(CARDO_ALLOCATE(&s->b_factor, natom, error));
    CARDO_TRY(CARDO_ALLOCATE(&s->residue_name, nresidue, error));
    CARDO_TRY(CARDO_ALLOCATE(&s->residue_number, nresidue, error));
    CARDO_TRY(CARDO_ALLOCATE(&s->insertion, nresidue, error));
    CARDO_TRY(CARDO_ALLOCATE(&s->hetero, nresidue, error));
    CARDO_TRY(CARDO_ALLOCATE(&s->residue_chain, nresidue, error));
    CARDO_TRY(CARDO_ALLOCATE(&s->residue_first, nresidue + 1, error));
    CARDO_TRY(CARDO_ALLOCATE(&s->chain_id, nchain, error));
    CARDO_TRY(CARDO_ALLOCATE(&s->chain_first, nchain + 1, error));
    CARDO_TRY(CARDO_ALLOCATE(&s->bridge, nbridge, error));
    *out = s;
done:
    if (status != CARDO_OK)
        cardo_structure_destroy(s);
    return status;
}
