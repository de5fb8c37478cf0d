#include "structure/atoms/structure.h"

#include "base/memory.h"
#include "structure/atoms/allocate.h"

#include <string.h>

/* What stays of a structure: for every old index the new one, or -1. */
typedef struct renumbering {
    int *atom, *residue, *chain;
    int natom, nresidue, nchain, nbridge;
} renumbering;

static void count_kept(const cardo_structure *s, const bool *keep, renumbering *map)
{
    for (int c = 0; c < s->nchain; ++c) {
        map->chain[c] = -1;
        for (int r = s->chain_first[c]; r < s->chain_first[c + 1]; ++r) {
            int before = map->natom;
            for (int i = s->residue_first[r]; i < s->residue_first[r + 1]; ++i)
                map->atom[i] = keep[i] ? map->natom++ : -1;
            map->residue[r] = map->natom > before ? map->nresidue++ : -1;
            if (map->residue[r] >= 0 && map->chain[c] < 0)
                map->chain[c] = map->nchain++;
        }
    }
    for (int b = 0; b < s->nbridge; ++b)
        map->nbridge += map->residue[s->bridge[b].residue[0]] >= 0 &&
                        map->residue[s->bridge[b].residue[1]] >= 0;
}

static void copy_atom(const cardo_structure *from, int i, cardo_structure *to, int k, int residue)
{
    memcpy(to->position + 3 * (size_t)k, from->position + 3 * (size_t)i, 3 * sizeof(double));
    to->atom_name[k] = from->atom_name[i];
    to->element[k] = from->element[i];
    to->atom_residue[k] = residue;
    to->serial[k] = from->serial[i];
    to->atom_line[k] = from->atom_line[i];
    to->occupancy[k] = from->occupancy[i];
    to->b_factor[k] = from->b_factor[i];
}

static void copy_kept(const cardo_structure *from, const bool *keep, const renumbering *map,
                      cardo_structure *to)
{
    int natom = 0;
    for (int r = 0; r < from->nresidue; ++r) {
        int k = map->residue[r];
        if (k < 0)
            continue;
        int chain = map->chain[from->residue_chain[r]];
        to->residue_name[k] = from->residue_name[r];
        to->residue_number[k] = from->residue_number[r];
        to->insertion[k] = from->insertion[r];
        to->hetero[k] = from->hetero[r];
        to->residue_chain[k] = chain;
        to->residue_first[k] = natom;
        if (k == 0 || to->residue_chain[k - 1] != chain) {
            to->chain_first[chain] = k;
            to->chain_id[chain] = from->chain_id[from->residue_chain[r]];
        }
        for (int i = from->residue_first[r]; i < from->residue_first[r + 1]; ++i)
            if (keep[i])
                copy_atom(from, i, to, natom++, k);
    }
    to->residue_first[to->nresidue] = natom;
    to->chain_first[to->nchain] = to->nresidue;
    int nbridge = 0;
    for (int b = 0; b < from->nbridge; ++b) {
        int one = map->residue[from->bridge[b].residue[0]];
        int other = map->residue[from->bridge[b].residue[1]];
        if (one >= 0 && other >= 0)
            to->bridge[nbridge++] = (cardo_bridge){{one, other}};
    }
}

/* Links and alternates whose atoms and residues are kept. */
static cardo_status copy_lists(const cardo_structure *from, const renumbering *map,
                               cardo_structure *to, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    CARDO_TRY(CARDO_ALLOCATE(&to->link, from->nlink, error));
    for (int k = 0; k < from->nlink; ++k) {
        int one = map->atom[from->link[k].atom[0]], other = map->atom[from->link[k].atom[1]];
        if (one >= 0 && other >= 0)
            to->link[to->nlink++] = (cardo_link){{one, other}};
    }
    CARDO_TRY(CARDO_ALLOCATE(&to->alternate, from->nalternate, error));
    for (int k = 0; k < from->nalternate; ++k) {
        int residue = map->residue[from->alternate[k].residue];
        if (residue < 0)
            continue;
        to->alternate[to->nalternate] = from->alternate[k];
        to->alternate[to->nalternate++].residue = residue;
    }
done:
    return status;
}

cardo_status cardo_structure_subset(const cardo_structure *structure, const bool *keep,
                                    cardo_structure **out, cardo_error *error)
{
    renumbering map = {0};
    cardo_status status = CARDO_OK;
    *out = NULL;
    CARDO_TRY(CARDO_ALLOCATE(&map.atom, structure->natom, error));
    CARDO_TRY(CARDO_ALLOCATE(&map.residue, structure->nresidue, error));
    CARDO_TRY(CARDO_ALLOCATE(&map.chain, structure->nchain, error));
    count_kept(structure, keep, &map);
    CARDO_TRY(cardo_structure_allocate(structure->source, map.natom, map.nresidue, map.nchain,
                                       map.nbridge, out, error));
    copy_kept(structure, keep, &map, *out);
    CARDO_TRY(copy_lists(structure, &map, *out, error));
    CARDO_TRY(cardo_structure_copy_polymers(structure, map.residue, *out, error));
    (*out)->has_cell = structure->has_cell;
    memcpy((*out)->cell, structure->cell, sizeof structure->cell);
    (*out)->model = structure->model;
    (*out)->nmodel = structure->nmodel;
    (*out)->naltloc = structure->naltloc;
    (*out)->nrecord = structure->nrecord;
    (*out)->nduplicate = structure->nduplicate;
    (*out)->duplicate_line = structure->duplicate_line;
done:
    if (status != CARDO_OK) {
        cardo_structure_destroy(*out);
        *out = NULL;
    }
    cardo_free(map.atom);
    cardo_free(map.residue);
    cardo_free(map.chain);
    return status;
}

cardo_status cardo_structure_copy_polymers(const cardo_structure *from, const int *residue,
                                           cardo_structure *to, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    cardo_free(to->polymer);
    cardo_free(to->monomer);
    to->polymer = NULL;
    to->monomer = NULL;
    to->npolymer = to->nmonomer = 0;
    CARDO_TRY(CARDO_ALLOCATE(&to->polymer, from->npolymer, error));
    CARDO_TRY(CARDO_ALLOCATE(&to->monomer, from->nmonomer, error));
    for (int p = 0; p < from->npolymer; ++p) {
        cardo_polymer polymer = from->polymer[p];
        bool present = false;
        for (int i = 0; i < polymer.count; ++i) {
            cardo_monomer *m = &to->monomer[to->nmonomer + i];
            *m = from->monomer[polymer.first + i];
            m->residue = m->residue >= 0 ? residue[m->residue] : -1;
            present = present || m->residue >= 0;
        }
        if (!present)
            continue;
        polymer.first = to->nmonomer;
        to->polymer[to->npolymer++] = polymer;
        to->nmonomer += polymer.count;
    }
done:
    return status;
}
