/* Two structures as one. */
#include "structure/atoms/join.h"

#include "base/memory.h"
#include "structure/atoms/allocate.h"

#include <string.h>

static void copy_atoms(const cardo_structure *from, cardo_structure *to, int atom, int residue)
{
    const size_t n = (size_t)from->natom, at = (size_t)atom;
    memcpy(to->position + 3 * at, from->position, 3 * n * sizeof *to->position);
    memcpy(to->atom_name + at, from->atom_name, n * sizeof *to->atom_name);
    memcpy(to->element + at, from->element, n * sizeof *to->element);
    memcpy(to->serial + at, from->serial, n * sizeof *to->serial);
    memcpy(to->atom_line + at, from->atom_line, n * sizeof *to->atom_line);
    memcpy(to->occupancy + at, from->occupancy, n * sizeof *to->occupancy);
    memcpy(to->b_factor + at, from->b_factor, n * sizeof *to->b_factor);
    for (int i = 0; i < from->natom; ++i)
        to->atom_residue[atom + i] = residue + from->atom_residue[i];
}

static void copy_residues(const cardo_structure *from, cardo_structure *to, int atom, int residue,
                          int chain)
{
    for (int r = 0; r < from->nresidue; ++r) {
        to->residue_name[residue + r] = from->residue_name[r];
        to->residue_number[residue + r] = from->residue_number[r];
        to->insertion[residue + r] = from->insertion[r];
        to->hetero[residue + r] = from->hetero[r];
        to->residue_chain[residue + r] = chain + from->residue_chain[r];
        to->residue_first[residue + r] = atom + from->residue_first[r];
    }
    for (int c = 0; c < from->nchain; ++c) {
        to->chain_id[chain + c] = from->chain_id[c];
        to->chain_first[chain + c] = residue + from->chain_first[c];
    }
}

static void copy_pairs(const cardo_structure *from, cardo_structure *to, int atom, int residue)
{
    for (int k = 0; k < from->nlink; ++k)
        to->link[to->nlink++] =
            (cardo_link){{atom + from->link[k].atom[0], atom + from->link[k].atom[1]}};
    for (int k = 0; k < from->nbridge; ++k)
        to->bridge[to->nbridge++] = (cardo_bridge){
            {residue + from->bridge[k].residue[0], residue + from->bridge[k].residue[1]}};
}

cardo_status cardo_structure_join(const cardo_structure *a, const cardo_structure *b,
                                  cardo_structure **out, cardo_error *error)
{
    cardo_status status;
    int *same = NULL;
    CARDO_TRY(cardo_structure_allocate(a->source, a->natom + b->natom, a->nresidue + b->nresidue,
                                       a->nchain + b->nchain, a->nbridge + b->nbridge, out, error));
    cardo_structure *s = *out;
    s->nbridge = 0;
    CARDO_TRY(CARDO_ALLOCATE(&s->link, a->nlink + b->nlink, error));
    CARDO_TRY(CARDO_ALLOCATE(&same, a->nresidue, error));
    copy_atoms(a, s, 0, 0);
    copy_atoms(b, s, a->natom, a->nresidue);
    copy_residues(a, s, 0, 0, 0);
    copy_residues(b, s, a->natom, a->nresidue, a->nchain);
    s->residue_first[s->nresidue] = s->natom;
    s->chain_first[s->nchain] = s->nresidue;
    copy_pairs(a, s, 0, 0);
    copy_pairs(b, s, a->natom, a->nresidue);
    for (int r = 0; r < a->nresidue; ++r)
        same[r] = r;
    CARDO_TRY(cardo_structure_copy_polymers(a, same, s, error));
    s->has_cell = a->has_cell;
    memcpy(s->cell, a->cell, sizeof a->cell);
    s->model = a->model;
    s->nmodel = a->nmodel;
done:
    cardo_free(same);
    if (status != CARDO_OK) {
        cardo_structure_destroy(*out);
        *out = NULL;
    }
    return status;
}
