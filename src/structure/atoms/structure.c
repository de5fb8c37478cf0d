#include "structure/atoms/structure.h"

#include "base/memory.h"
#include "structure/atoms/name.h"
#include "structure/records/records.h"

#include <stdio.h>

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
