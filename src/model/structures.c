#include "base/memory.h"
#include "base/output.h"
#include "base/text.h"
#include "model/internal.h"
#include "structure/atoms/residue.h"
#include "structure/atoms/superpose.h"
#include "structure/pdb/pdb.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

cardo_status cardo_model_find_structure(const char *model_path, const char *file, char **out,
                                        cardo_error *error)
{
    const char *folders = getenv("CARDO_PDB_DIR");
    cardo_status status = cardo_path_beside(model_path, file, out, error);
    if (status != CARDO_OK || cardo_file_exists(*out))
        return status;
    while (folders && *folders && file[0] != '/') {
        char path[4096];
        int length = (int)strcspn(folders, ":");
        snprintf(path, sizeof path, "%.*s/%s", length, folders, file);
        if (length > 0 && cardo_file_exists(path)) {
            cardo_free(*out);
            return cardo_copy_string(out, path, error);
        }
        folders += length + (folders[length] == ':');
    }
    cardo_free(*out);
    *out = NULL;
    status = cardo_find_data(file, model_path, "pdb", out, error);
    if (status != CARDO_OK)
        cardo_error_prefix(error, "structure file (set CARDO_PDB_DIR to the folder that has it; "
                                  "several with colons between): ");
    return status;
}

bool cardo_model_chain_listed(const char *id, const char *list)
{
    if (!list || strcmp(list, "*") == 0)
        return true;
    if (!list[strspn(list, ", \t\r\n")])
        return id[0] == '\0';
    size_t length = strlen(id);
    for (const char *word = list; *word;) {
        word += strspn(word, ", \t\r\n");
        size_t n = strcspn(word, ", \t\r\n");
        if (n > 0 && n == length && memcmp(word, id, n) == 0)
            return true;
        word += n;
    }
    return false;
}

bool cardo_model_link(const cardo_structure *structure, int r, int atom[2])
{
    atom[0] = cardo_structure_find_atom(structure, r, "C");
    atom[1] = cardo_structure_find_atom(structure, r + 1, "N");
    if (atom[0] >= 0 && atom[1] >= 0)
        return true;
    atom[0] = cardo_structure_find_atom(structure, r, "CA");
    atom[1] = cardo_structure_find_atom(structure, r + 1, "CA");
    return atom[0] >= 0 && atom[1] >= 0;
}

bool cardo_model_link_broken(const cardo_structure *structure, const int atom[2])
{
    cardo_vec3 d = v3_sub(v3_load(structure->position + 3 * atom[1]),
                          v3_load(structure->position + 3 * atom[0]));
    bool peptide = strcmp(structure->atom_name[atom[0]].text, "C") == 0;
    return v3_norm(d) > (peptide ? 0.25 : 0.45);
}

static bool linked(const cardo_structure *structure, int r)
{
    int atom[2];
    return cardo_residues_adjacent(structure, r) && cardo_model_link(structure, r, atom) &&
           !cardo_model_link_broken(structure, atom);
}

bool cardo_model_is_free_molecule(const cardo_structure *structure, int r)
{
    if (cardo_residue_is_water(structure->residue_name[r].text))
        return true;
    if (!structure->hetero[r])
        return false;
    return !cardo_residue_is_polymer(structure, r) ||
           (!linked(structure, r) && !linked(structure, r - 1));
}

static cardo_status fail_no_atoms(const cardo_structure_definition *definition,
                                  const cardo_structure *structure, cardo_error *error)
{
    char here[CARDO_PLACE_SIZE], ids[256] = "";
    for (int c = 0; c < structure->nchain && strlen(ids) + 24 < sizeof ids; ++c) {
        const char *id = structure->chain_id[c].text;
        if (c > 0 && strcmp(id, structure->chain_id[c - 1].text) == 0)
            continue;
        snprintf(ids + strlen(ids), sizeof ids - strlen(ids), " '%s'", id);
    }
    return CARDO_FAIL(
        error, CARDO_ERROR_INPUT,
        "%s: nothing is left of structure '%s' (%s) with chains=\"%s\"; the file has chains%s",
        cardo_place_text(definition->place, here), definition->id, structure->source,
        definition->chains ? definition->chains : "*", ids);
}

static cardo_status note_dropped(cardo_model_structure *entry, const cardo_structure *all, int r,
                                 int *capacity, cardo_error *error)
{
    cardo_status status = CARDO_RESERVE(&entry->dropped, capacity, entry->ndropped + 1, error);
    if (status != CARDO_OK)
        return status;
    cardo_dropped *one = &entry->dropped[entry->ndropped++];
    *one = (cardo_dropped){.name = all->residue_name[r],
                           .natom = all->residue_first[r + 1] - all->residue_first[r],
                           .water = cardo_residue_is_water(all->residue_name[r].text)};
    cardo_residue_label(all, r, one->residue);
    entry->ndropped_hetero += one->natom;
    return CARDO_OK;
}

/* Leaves out what the definition does not want. */
static cardo_status choose_atoms(cardo_model_structure *entry, const cardo_model_definition *model,
                                 const cardo_structure_definition *definition, cardo_structure *all,
                                 cardo_error *error)
{
    bool *keep, *ligand = NULL;
    int nkept = 0, capacity = 0;
    cardo_status status = CARDO_ALLOCATE(&keep, all->natom, error);
    if (status == CARDO_OK)
        status = CARDO_ALLOCATE(&ligand, all->natom, error);
    if (status == CARDO_OK && definition == &model->structure[0])
        status = cardo_model_mark_ligands(model, all, ligand, error);
    for (int r = 0; status == CARDO_OK && r < all->nresidue; ++r) {
        int first = all->residue_first[r], end = all->residue_first[r + 1];
        const bool is_ligand = ligand[first];
        if (!is_ligand && !cardo_model_chain_listed(all->chain_id[all->residue_chain[r]].text,
                                                    definition->chains))
            continue;
        bool keeps = cardo_residue_is_water(all->residue_name[r].text) ? definition->keep_water
                                                                       : definition->keep_hetero;
        if (is_ligand ? model->apo : !keeps && cardo_model_is_free_molecule(all, r)) {
            status = note_dropped(entry, all, r, &capacity, error);
            continue;
        }
        for (int i = first; i < end; ++i)
            keep[i] = true;
        nkept += end - first;
    }
    if (status == CARDO_OK && nkept == 0)
        status = fail_no_atoms(definition, all, error);
    if (status == CARDO_OK)
        status = cardo_structure_subset(all, keep, &entry->structure, error);
    cardo_free(keep);
    cardo_free(ligand);
    return status;
}

static cardo_status read_structure(cardo_model *model, cardo_model_structure *entry,
                                   const cardo_model_definition *all_of,
                                   const cardo_structure_definition *definition, cardo_error *error)
{
    cardo_status status;
    cardo_structure *all = NULL;
    char *coordinates = NULL;
    cardo_read_options options = {.model = definition->model,
                                  .label_numbering = definition->label_numbering};
    const char *model_path = model->path[0] ? model->path : NULL;
    entry->line = definition->place.line;
    CARDO_TRY(cardo_copy_string(&entry->id, definition->id, error));
    if (definition->note)
        CARDO_TRY(cardo_copy_string(&entry->note, definition->note, error));
    CARDO_TRY(cardo_model_find_structure(model_path, definition->file, &entry->path, error));
    if (definition->coordinates)
        CARDO_TRY(
            cardo_model_find_structure(model_path, definition->coordinates, &coordinates, error));
    options.coordinates = coordinates;
    CARDO_TRY(cardo_structure_read_as(entry->path, &options, &all, error));
    CARDO_TRY(choose_atoms(entry, all_of, definition, all, error));
done:
    cardo_structure_destroy(all);
    cardo_free(coordinates);
    return status;
}

static cardo_status match_to_reference(cardo_model *model, cardo_model_structure *entry,
                                       double least, cardo_error *error)
{
    const cardo_structure *reference = model->structure[0].structure;
    cardo_status status = CARDO_ALLOCATE(&entry->match, reference->nresidue, error);
    if (status != CARDO_OK)
        return status;
    status = cardo_match_alike(reference, entry->structure, least > 0 ? least : -1, entry->match,
                               &entry->likeness, error);
    entry->identity = entry->likeness.identity;
    if (status != CARDO_OK)
        cardo_error_prefix(error, "structure '%s' does not fit '%s': ", entry->id,
                           model->structure[0].id);
    return status;
}

static cardo_status check_ids(const cardo_model_definition *definition, cardo_error *error)
{
    char here[CARDO_PLACE_SIZE];
    for (int i = 0; i < definition->nstructure; ++i)
        for (int j = 0; j < i; ++j)
            if (strcmp(definition->structure[i].id, definition->structure[j].id) == 0)
                return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                                  "%s: structure '%s' is there already; give it another id",
                                  cardo_place_text(definition->structure[i].place, here),
                                  definition->structure[i].id);
    return CARDO_OK;
}

cardo_status cardo_model_read_structures(cardo_model *model,
                                         const cardo_model_definition *definition,
                                         cardo_error *error)
{
    char here[CARDO_PLACE_SIZE];
    int n = definition->nstructure;
    cardo_status status = check_ids(definition, error);
    if (status == CARDO_OK)
        status = CARDO_ALLOCATE(&model->structure, n, error);
    for (int k = 0; status == CARDO_OK && k < n; ++k) {
        cardo_model_structure *entry = &model->structure[model->nstructure++];
        status = read_structure(model, entry, definition, &definition->structure[k], error);
        if (status == CARDO_OK && k > 0)
            status = match_to_reference(model, entry, definition->structure[k].identity, error);
        if (status != CARDO_OK && definition->structure[k].place.line > 0)
            cardo_error_prefix(error,
                               "%s: ", cardo_place_text(definition->structure[k].place, here));
    }
    return status;
}
