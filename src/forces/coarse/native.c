#include "forces/coarse/native.h"

#include "base/memory.h"

#include <string.h>

/* No heavy atom of a residue is farther than this from its C-alpha, nm: arginine's reaches 0.74. */
static const double residue_reach = 0.8;

bool cardo_native_has_side_chains(const cardo_structure *structure)
{
    int with = 0, residues = 0;
    for (int r = 0; r < structure->nresidue; ++r) {
        int heavy = 0;
        if (!cardo_residue_is_amino(structure->residue_name[r].text) ||
            strcmp(structure->residue_name[r].text, "GLY") == 0)
            continue;
        for (int i = structure->residue_first[r]; i < structure->residue_first[r + 1]; ++i)
            heavy += structure->element[i] != 1;
        ++residues;
        with += heavy > 5 || (heavy == 5 && strcmp(structure->residue_name[r].text, "ALA") == 0);
    }
    return residues > 0 && with > 0.8 * residues;
}

static double squared_distance(const double *a, const double *b)
{
    double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
    return x * x + y * y + z * z;
}

static bool touch(const cardo_structure *s, int r, int t, double squared)
{
    for (int i = s->residue_first[r]; i < s->residue_first[r + 1]; ++i)
        for (int j = s->residue_first[t]; s->element[i] != 1 && j < s->residue_first[t + 1]; ++j)
            if (s->element[j] != 1 &&
                squared_distance(s->position + 3 * i, s->position + 3 * j) <= squared)
                return true;
    return false;
}

static bool is_contact(const cardo_structure *s, int r, int t, const cardo_native_rules *rules)
{
    int a = cardo_structure_find_atom(s, r, "CA"), b = cardo_structure_find_atom(s, t, "CA");
    if (a < 0 || b < 0)
        return false;
    double reach = rules->cutoff + (rules->calpha ? 0 : 2 * residue_reach);
    return squared_distance(s->position + 3 * a, s->position + 3 * b) <= reach * reach &&
           (rules->calpha || touch(s, r, t, rules->cutoff * rules->cutoff));
}

cardo_status cardo_native_contacts(const cardo_model *model, const cardo_coarse_energy *energy,
                                   int structure, const cardo_native_rules *rules, bool *contact,
                                   cardo_error *error)
{
    const cardo_coarse_sites *sites = &energy->sites;
    const cardo_model_structure *entry = &model->structure[structure];
    int *residue;
    cardo_status status = CARDO_ALLOCATE(&residue, sites->nsite, error);
    if (status != CARDO_OK)
        return status;
    for (int i = 0; i < sites->nsite; ++i)
        residue[i] = structure == 0 ? sites->residue[i] : entry->match[sites->residue[i]];
    for (int i = 0; i < sites->nsite; ++i)
        for (int j = sites->next[i]; j < sites->nsite; ++j)
            contact[energy->row[i] + (size_t)(j - sites->next[i])] =
                residue[i] >= 0 && residue[j] >= 0 &&
                cardo_coarse_separation(model, sites, i, j) >= rules->separation &&
                is_contact(entry->structure, residue[i], residue[j], rules);
    cardo_free(residue);
    return CARDO_OK;
}
