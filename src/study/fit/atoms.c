#include "study/fit/atoms.h"

#include "base/memory.h"
#include "base/vec.h"
#include "structure/atoms/selection.h"
#include "structure/atoms/superpose.h"

#include <string.h>

/* What is looked at while atoms are paired. */
typedef struct pairing {
    const cardo_model *model;
    const cardo_structure *a, *b; /* the model's reference, the structure        */
    const int *match;             /* residue of b for each of a, or -1           */
    const bool *chosen;           /* atoms of a; NULL: no choice                 */
    bool torsions;
    double identity; /* that is enough; negative: by the rule       */
} pairing;

static bool has_torsions(const cardo_model *model)
{
    for (int b = 0; b < model->nbody; ++b)
        if (model->body[b].torsion)
            return true;
    return false;
}

static bool same_atoms(const cardo_structure *a, const cardo_structure *b)
{
    if (a->natom != b->natom || a->nresidue != b->nresidue)
        return false;
    for (int i = 0; i < a->natom; ++i)
        if (memcmp(&a->atom_name[i], &b->atom_name[i], sizeof *a->atom_name) != 0 ||
            a->atom_residue[i] != b->atom_residue[i])
            return false;
    return true;
}

static bool is_wanted(const pairing *p, int atom)
{
    const char *name = p->a->atom_name[atom].text;
    if (p->chosen)
        return p->chosen[atom];
    if (p->torsions)
        return p->a->element[atom] != 1;
    bool in_domain = false;
    for (int b = 0; b < p->model->nbody; ++b)
        in_domain |= p->model->body[b].domain[p->a->atom_residue[atom]];
    return in_domain && (strcmp(name, "CA") == 0 || strcmp(name, "C4'") == 0);
}

/* The atom of b for an atom of a, or -1. Side chains of mutated residues have none. */
static int partner_of(const pairing *p, int atom)
{
    static const char *const backbone[] = {"N", "CA", "C", "O", "C4'", "P", NULL};
    int residue = p->a->atom_residue[atom], other = p->match[residue];
    const char *name = p->a->atom_name[atom].text;
    if (other < 0)
        return -1;
    bool common = strcmp(p->a->residue_name[residue].text, p->b->residue_name[other].text) == 0;
    for (int k = 0; !common && backbone[k]; ++k)
        common = strcmp(backbone[k], name) == 0;
    return common ? cardo_structure_find_atom(p->b, other, name) : -1;
}

static void add(cardo_fit_atoms *out, const cardo_structure *b, int atom, int partner)
{
    out->atom[out->n] = atom;
    out->partner[out->n] = partner;
    memcpy(out->position + 3 * out->n, b->position + 3 * partner, 3 * sizeof *b->position);
    ++out->n;
}

static cardo_status pair_atoms(pairing *p, cardo_fit_atoms *out, cardo_error *error)
{
    cardo_status status;
    int *match;
    status = CARDO_ALLOCATE(&match, p->a->nresidue, error);
    if (status == CARDO_OK)
        status = cardo_match_alike(p->a, p->b, p->identity, match, &out->likeness, error);
    p->match = match;
    for (int i = 0; status == CARDO_OK && i < p->a->natom; ++i) {
        const bool wanted = is_wanted(p, i);
        int partner = wanted ? partner_of(p, i) : -1;
        out->wanted += wanted;
        if (partner >= 0)
            add(out, p->b, i, partner);
    }
    cardo_free(match);
    if (status == CARDO_OK && out->n < 3)
        status = CARDO_FAIL(error, CARDO_ERROR_INPUT,
                            "%s: %d %s of it are in the model; a fit needs 3 at least",
                            p->b->source, out->n, out->what);
    return status;
}

cardo_status cardo_fit_atoms_find(const cardo_model *model, const cardo_structure *structure,
                                  const char *chosen, double identity, cardo_fit_atoms *out,
                                  cardo_error *error)
{
    cardo_status status;
    const cardo_structure *a = model->structure[0].structure;
    pairing p = {.model = model,
                 .a = a,
                 .b = structure,
                 .torsions = has_torsions(model),
                 .identity = identity};
    bool *mask = NULL;
    out->n = 0;
    out->same = same_atoms(a, structure);
    out->what = chosen ? "chosen atoms" : p.torsions ? "heavy atoms" : "C-alpha of the domains";
    CARDO_TRY(CARDO_ALLOCATE(&out->atom, a->natom, error));
    CARDO_TRY(CARDO_ALLOCATE(&out->partner, a->natom, error));
    CARDO_TRY(CARDO_ALLOCATE(&out->position, 3 * a->natom, error));
    if (chosen) {
        CARDO_TRY(CARDO_ALLOCATE(&mask, a->natom, error));
        CARDO_TRY(cardo_select_atoms(a, chosen, true, mask, error));
        p.chosen = mask;
    }
    if (!out->same) {
        CARDO_TRY(pair_atoms(&p, out, error));
        goto done;
    }
    if (!chosen)
        out->what = "atoms";
    for (int i = 0; i < a->natom; ++i)
        if (!mask || mask[i])
            add(out, structure, i, i);
    out->wanted = out->n;
done:
    cardo_free(mask);
    return status;
}

void cardo_fit_atoms_clear(cardo_fit_atoms *atoms)
{
    cardo_free(atoms->atom);
    cardo_free(atoms->partner);
    cardo_free(atoms->position);
    *atoms = (cardo_fit_atoms){0};
}

/* Pairs of atoms that a turn of half a circle exchanges. */
static const struct {
    const char *residue, *first[2], *second[2];
} twins[] = {
    {"PHE", {"CD1", "CE1"}, {"CD2", "CE2"}}, {"TYR", {"CD1", "CE1"}, {"CD2", "CE2"}},
    {"ASP", {"OD1", NULL}, {"OD2", NULL}},   {"GLU", {"OE1", NULL}, {"OE2", NULL}},
    {"ARG", {"NH1", NULL}, {"NH2", NULL}},
};

static int find_target(const cardo_fit_atoms *atoms, const cardo_structure *model, int residue,
                       const char *name)
{
    int atom = name ? cardo_structure_find_atom(model, residue, name) : -1;
    for (int k = 0; atom >= 0 && k < atoms->n; ++k)
        if (atoms->atom[k] == atom)
            return k;
    return -1;
}

static double square(const double *a, const double *b)
{
    cardo_vec3 d = v3_sub(v3_load(a), v3_load(b));
    return v3_dot(d, d);
}

static bool exchange(cardo_fit_atoms *atoms, const cardo_structure *model, int residue, size_t t,
                     const double *x)
{
    int pair[2][2], n = 0;
    double gain = 0;
    for (int k = 0; k < 2; ++k) {
        int i = find_target(atoms, model, residue, twins[t].first[k]);
        int j = find_target(atoms, model, residue, twins[t].second[k]);
        if (i < 0 || j < 0)
            continue;
        const double *xi = x + 3 * atoms->atom[i], *xj = x + 3 * atoms->atom[j];
        const double *yi = atoms->position + 3 * i, *yj = atoms->position + 3 * j;
        gain += square(xi, yi) + square(xj, yj) - square(xi, yj) - square(xj, yi);
        pair[n][0] = i;
        pair[n++][1] = j;
    }
    for (int k = 0; k < n && gain > 0; ++k)
        for (int d = 0; d < 3; ++d) {
            double swap = atoms->position[3 * pair[k][0] + d];
            atoms->position[3 * pair[k][0] + d] = atoms->position[3 * pair[k][1] + d];
            atoms->position[3 * pair[k][1] + d] = swap;
        }
    return gain > 0;
}

int cardo_fit_atoms_exchange(cardo_fit_atoms *atoms, const cardo_structure *model,
                             const double *positions)
{
    int changed = 0;
    for (int r = 0; r < model->nresidue; ++r)
        for (size_t t = 0; t < sizeof twins / sizeof *twins; ++t)
            if (strcmp(model->residue_name[r].text, twins[t].residue) == 0)
                changed += exchange(atoms, model, r, t, positions);
    return changed;
}
