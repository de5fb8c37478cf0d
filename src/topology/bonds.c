#include "topology/bonds.h"

#include "base/memory.h"
#include "base/vec.h"
#include "topology/residue_templates.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { HYDROGEN = 1 };

static const double longest_link = 0.25; /* nm: beyond it, a chain is broken */

/* Bonds while they are being collected. */
typedef struct builder {
    const cardo_structure *structure;
    const cardo_residue_templates *templates;
    const cardo_residue_template **residue; /* template of each residue or NULL (nresidue) */
    cardo_name *name;                       /* standard name of each atom       (natom)    */
    int nbond, bond_capacity;
    int (*bond)[2];
    int ncrosslink, crosslink_capacity;
    int (*crosslink)[2];
    bool *linked; /* atoms of a crosslink                                   (natom)    */
} builder;

/* Does another atom of the residue have this name, or has an earlier one been given it? */
static bool name_is_used(const builder *b, int residue, int atom, const char *name)
{
    const cardo_structure *s = b->structure;
    for (int i = s->residue_first[residue]; i < s->residue_first[residue + 1]; ++i)
        if (i != atom && (strcmp(s->atom_name[i].text, name) == 0 ||
                          (i < atom && strcmp(b->name[i].text, name) == 0)))
            return true;
    return false;
}

/* The name that an atom would have as the common isotope: DE21 of neutron structures is HE21. */
static cardo_name common_name(const cardo_structure *s, int atom)
{
    cardo_name name = s->atom_name[atom];
    if (cardo_is_deuterium(s->element[atom], name.text))
        *strchr(name.text, 'D') = 'H';
    return name;
}

/* Standard names of all atoms; an alias whose standard name is in the residue already stays as it
 * is. */
static void standardise(builder *b)
{
    const cardo_structure *s = b->structure;
    for (int r = 0; r < s->nresidue; ++r) {
        b->residue[r] = cardo_residue_templates_find(b->templates, s->residue_name[r].text);
        for (int i = s->residue_first[r]; i < s->residue_first[r + 1]; ++i) {
            b->name[i] = s->atom_name[i];
            if (!b->residue[r])
                continue;
            cardo_name common = common_name(s, i);
            const char *name = cardo_standard_atom_name(b->templates, b->residue[r], common.text);
            if (strcmp(name, s->atom_name[i].text) == 0 || name_is_used(b, r, i, name))
                continue;
            b->name[i] = (cardo_name){0};
            memcpy(b->name[i].text, name, strlen(name));
        }
    }
}

static cardo_status builder_start(builder *b, cardo_residue_templates *templates,
                                  const cardo_structure *structure, const char *path,
                                  cardo_error *error)
{
    cardo_status status = CARDO_OK;
    b->structure = structure;
    b->templates = templates;
    CARDO_TRY(cardo_residue_templates_read(templates, path, error));
    CARDO_TRY(CARDO_ALLOCATE(&b->residue, structure->nresidue, error));
    CARDO_TRY(CARDO_ALLOCATE(&b->name, structure->natom, error));
    CARDO_TRY(CARDO_ALLOCATE(&b->linked, structure->natom, error));
    standardise(b);
done:
    return status;
}

static void builder_clear(builder *b)
{
    cardo_free(b->residue);
    cardo_free(b->name);
    cardo_free(b->bond);
    cardo_free(b->crosslink);
    cardo_free(b->linked);
}

static int atom_called(const builder *b, int residue, const char *name)
{
    const cardo_structure *s = b->structure;
    for (int i = s->residue_first[residue]; i < s->residue_first[residue + 1]; ++i)
        if (strcmp(b->name[i].text, name) == 0)
            return i;
    return -1;
}

static double distance(const cardo_structure *s, int a, int b)
{
    return v3_norm(v3_sub(v3_load(s->position + 3 * a), v3_load(s->position + 3 * b)));
}

static cardo_status add_bond(builder *b, int i, int j, cardo_error *error)
{
    cardo_status status = CARDO_RESERVE(&b->bond, &b->bond_capacity, b->nbond + 1, error);
    if (status != CARDO_OK)
        return status;
    b->bond[b->nbond][0] = i < j ? i : j;
    b->bond[b->nbond++][1] = i < j ? j : i;
    return CARDO_OK;
}

/* A bond of a template, where both atoms are there and, between residues, near enough. */
static cardo_status add_named_bond(builder *b, int residue, const cardo_named_bond *bond,
                                   cardo_error *error)
{
    const cardo_structure *s = b->structure;
    bool link = bond->previous[0] || bond->previous[1];
    if (link && residue == s->chain_first[s->residue_chain[residue]])
        return CARDO_OK;
    int i = atom_called(b, residue - bond->previous[0], bond->atom[0].text);
    int j = atom_called(b, residue - bond->previous[1], bond->atom[1].text);
    if (i < 0 || j < 0 || i == j || (link && !(distance(s, i, j) <= longest_link)))
        return CARDO_OK;
    return add_bond(b, i, j, error);
}

static cardo_status add_template_bonds(builder *b, cardo_error *error)
{
    for (int r = 0; r < b->structure->nresidue; ++r)
        for (int k = 0; b->residue[r] && k < b->residue[r]->nbond; ++k) {
            cardo_status status = add_named_bond(b, r, &b->residue[r]->bond[k], error);
            if (status != CARDO_OK)
                return status;
        }
    return CARDO_OK;
}

/* Is this bond of the file's one of a molecule? Ions are held by the force field's charges instead. */
static bool is_covalent(const cardo_structure *s, const cardo_link *link)
{
    double longest =
        cardo_element_longest_bond(s->element[link->atom[0]], s->element[link->atom[1]]);
    return longest > 0 && distance(s, link->atom[0], link->atom[1]) <= longest;
}

/* The sulfur of a cysteine that has no thiol hydrogen, or -1. */
static int free_sulfur(const builder *b, int residue)
{
    bool cysteine = b->residue[residue] && strcmp(b->residue[residue]->name.text, "CYS") == 0;
    return cysteine && atom_called(b, residue, "HG") < 0 ? atom_called(b, residue, "SG") : -1;
}

static cardo_status add_crosslink(builder *b, int i, int j, cardo_error *error)
{
    cardo_status status =
        CARDO_RESERVE(&b->crosslink, &b->crosslink_capacity, b->ncrosslink + 1, error);
    if (status != CARDO_OK)
        return status;
    b->crosslink[b->ncrosslink][0] = i < j ? i : j;
    b->crosslink[b->ncrosslink++][1] = i < j ? j : i;
    b->linked[i] = b->linked[j] = true;
    return add_bond(b, i, j, error);
}

/* Is this the bond of a residue to the one after it? */
static bool is_sequential(const builder *b, const int atom[2])
{
    const cardo_structure *s = b->structure;
    int one = s->atom_residue[atom[0]], other = s->atom_residue[atom[1]];
    int before = one < other ? 0 : 1;
    const char *from = b->name[atom[before]].text, *to = b->name[atom[1 - before]].text;
    return abs(one - other) == 1 && s->residue_chain[one] == s->residue_chain[other] &&
           ((strcmp(from, "C") == 0 && strcmp(to, "N") == 0) ||
            (strcmp(from, "O3'") == 0 && strcmp(to, "P") == 0));
}

/* Hardly an atom has more than one crosslink, so that few are looked through. */
static bool is_crosslinked(const builder *b, const int atom[2])
{
    if (!b->linked[atom[0]] || !b->linked[atom[1]])
        return false;
    for (int k = 0; k < b->ncrosslink; ++k)
        if ((b->crosslink[k][0] == atom[0] && b->crosslink[k][1] == atom[1]) ||
            (b->crosslink[k][0] == atom[1] && b->crosslink[k][1] == atom[0]))
            return true;
    return false;
}

static cardo_status add_recorded_links(builder *b, cardo_error *error)
{
    const cardo_structure *s = b->structure;
    cardo_status status = CARDO_OK;
    for (int k = 0; k < s->nlink && status == CARDO_OK; ++k) {
        const int *atom = s->link[k].atom;
        bool inside = s->atom_residue[atom[0]] == s->atom_residue[atom[1]];
        if (!is_covalent(s, &s->link[k]) || (inside && b->residue[s->atom_residue[atom[0]]]))
            continue;
        if (inside || is_sequential(b, atom))
            status = add_bond(b, atom[0], atom[1], error);
        else if (!is_crosslinked(b, atom))
            status = add_crosslink(b, atom[0], atom[1], error);
    }
    return status;
}

/* Bonds of a molecule that neither a template nor the file tells: heavy atoms by distance, and each hydrogen to the atom
 * nearest to it. */
static cardo_status add_near_bonds_of(builder *b, int residue, cardo_error *error)
{
    const cardo_structure *s = b->structure;
    const int first = s->residue_first[residue], end = s->residue_first[residue + 1];
    cardo_status status = CARDO_OK;
    for (int i = first; i < end && status == CARDO_OK; ++i) {
        double least = HUGE_VAL;
        int nearest = -1;
        for (int j = first; j < end && status == CARDO_OK; ++j) {
            const double longest = cardo_element_longest_bond(s->element[i], s->element[j]);
            const double d = distance(s, i, j);
            if (j == i || !(longest > 0 && d <= longest) || s->element[j] == HYDROGEN)
                continue;
            if (s->element[i] != HYDROGEN && j < i)
                status = add_bond(b, i, j, error);
            if (d < least) {
                least = d;
                nearest = j;
            }
        }
        if (status == CARDO_OK && s->element[i] == HYDROGEN && nearest >= 0)
            status = add_bond(b, i, nearest, error);
    }
    return status;
}

static cardo_status add_near_bonds(builder *b, cardo_error *error)
{
    const cardo_structure *s = b->structure;
    cardo_status status;
    bool *told;
    CARDO_TRY(CARDO_ALLOCATE(&told, s->nresidue, error));
    for (int k = 0; k < s->nlink; ++k)
        if (s->atom_residue[s->link[k].atom[0]] == s->atom_residue[s->link[k].atom[1]])
            told[s->atom_residue[s->link[k].atom[0]]] = true;
    for (int r = 0; r < s->nresidue && status == CARDO_OK; ++r)
        if (s->hetero[r] && !b->residue[r] && !told[r])
            status = add_near_bonds_of(b, r, error);
    cardo_free(told);
done:
    return status;
}

static cardo_status add_recorded_disulfides(builder *b, cardo_error *error)
{
    for (int k = 0; k < b->structure->nbridge; ++k) {
        const int *residue = b->structure->bridge[k].residue;
        int i = free_sulfur(b, residue[0]), j = free_sulfur(b, residue[1]);
        if (i < 0 || j < 0 || i == j || b->linked[i] || b->linked[j] ||
            !(distance(b->structure, i, j) <= CARDO_LONGEST_RECORDED_DISULFIDE))
            continue;
        cardo_status status = add_crosslink(b, i, j, error);
        if (status != CARDO_OK)
            return status;
    }
    return CARDO_OK;
}

/* A sulfur that may be bridged, and its place along x. */
typedef struct sulfur {
    double x;
    int atom;
} sulfur;

static int compare_sulfurs(const void *a, const void *b)
{
    const sulfur *one = a, *other = b;
    return one->x != other->x ? (one->x > other->x) - (one->x < other->x)
                              : (one->atom > other->atom) - (one->atom < other->atom);
}

static int compare_atoms(const void *a, const void *b)
{
    const sulfur *const *one = a, *const *other = b;
    return ((*one)->atom > (*other)->atom) - ((*one)->atom < (*other)->atom);
}

/* The nearest earlier sulfur that is still free, the earliest of those equally near, or -1; list is sorted
 * by x. */
static int nearest_sulfur(const builder *b, const sulfur *list, int n, const sulfur *own)
{
    double nearest = CARDO_LONGEST_DISULFIDE;
    int partner = -1;
    for (int side = -1; side <= 1; side += 2)
        for (const sulfur *s = own + side; s >= list && s < list + n; s += side) {
            if (!(fabs(s->x - own->x) <= CARDO_LONGEST_DISULFIDE))
                break;
            double d = distance(b->structure, own->atom, s->atom);
            if (s->atom > own->atom || b->linked[s->atom] || d > nearest ||
                !(d < nearest || (partner >= 0 && s->atom < partner)))
                continue;
            nearest = d;
            partner = s->atom;
        }
    return partner;
}

/* Each free sulfur, in order, takes the nearest earlier one that is still free. */
static cardo_status add_near_disulfides(builder *b, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    int nresidue = b->structure->nresidue, n = 0;
    sulfur *list = NULL, **order = NULL;
    CARDO_TRY(CARDO_ALLOCATE(&list, nresidue, error));
    CARDO_TRY(CARDO_ALLOCATE(&order, nresidue, error));
    for (int r = 0; r < nresidue; ++r) {
        int atom = free_sulfur(b, r);
        if (atom >= 0 && !b->linked[atom])
            list[n++] = (sulfur){b->structure->position[3 * (size_t)atom], atom};
    }
    if (n < 2)
        goto done;
    qsort(list, (size_t)n, sizeof *list, compare_sulfurs);
    for (int k = 0; k < n; ++k)
        order[k] = &list[k];
    qsort(order, (size_t)n, sizeof *order, compare_atoms);
    for (int k = 1; k < n; ++k) {
        int partner = nearest_sulfur(b, list, n, order[k]);
        if (partner >= 0)
            CARDO_TRY(add_crosslink(b, partner, order[k]->atom, error));
    }
done:
    cardo_free(list);
    cardo_free(order);
    return status;
}

static int compare_pairs(const void *a, const void *b)
{
    const int *x = a, *y = b;
    return x[0] != y[0] ? (x[0] > y[0]) - (x[0] < y[0]) : (x[1] > y[1]) - (x[1] < y[1]);
}

static void sort_pairs(int (*pair)[2], int count)
{
    if (count > 1)
        qsort(pair, (size_t)count, sizeof *pair, compare_pairs);
}

static void drop_repeated(builder *b)
{
    int kept = 0;
    for (int k = 0; k < b->nbond; ++k)
        if (k == 0 || compare_pairs(b->bond[k], b->bond[kept - 1]) != 0) {
            b->bond[kept][0] = b->bond[k][0];
            b->bond[kept++][1] = b->bond[k][1];
        }
    b->nbond = kept;
}

/* Neighbours in compressed rows. Bonds are sorted, so filling them in order leaves every row
 * rising: first the smaller atoms, then the larger ones. */
static cardo_status link_neighbours(cardo_bonds *bonds, int natom, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    int *cursor = NULL;
    CARDO_TRY(CARDO_ALLOCATE(&bonds->neighbour_first, natom + 1, error));
    CARDO_TRY(CARDO_ALLOCATE(&bonds->neighbour, 2 * bonds->nbond, error));
    CARDO_TRY(CARDO_ALLOCATE(&cursor, natom, error));
    for (int k = 0; k < bonds->nbond; ++k)
        for (int side = 0; side < 2; ++side)
            ++bonds->neighbour_first[bonds->bond[k][side] + 1];
    for (int i = 0; i < natom; ++i) {
        bonds->neighbour_first[i + 1] += bonds->neighbour_first[i];
        cursor[i] = bonds->neighbour_first[i];
    }
    for (int k = 0; k < bonds->nbond; ++k)
        bonds->neighbour[cursor[bonds->bond[k][1]]++] = bonds->bond[k][0];
    for (int k = 0; k < bonds->nbond; ++k)
        bonds->neighbour[cursor[bonds->bond[k][0]]++] = bonds->bond[k][1];
done:
    cardo_free(cursor);
    return status;
}

cardo_status cardo_bonds_find(const cardo_structure *structure, const char *templates_path,
                              cardo_bonds **out, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    cardo_residue_templates templates = {0};
    builder b = {0};
    cardo_bonds *bonds = NULL;
    *out = NULL;
    CARDO_TRY(builder_start(&b, &templates, structure, templates_path, error));
    CARDO_TRY(add_template_bonds(&b, error));
    CARDO_TRY(add_recorded_links(&b, error));
    CARDO_TRY(add_near_bonds(&b, error));
    CARDO_TRY(add_recorded_disulfides(&b, error));
    CARDO_TRY(add_near_disulfides(&b, error));
    sort_pairs(b.bond, b.nbond);
    sort_pairs(b.crosslink, b.ncrosslink);
    drop_repeated(&b);
    CARDO_TRY(CARDO_ALLOCATE(&bonds, 1, error));
    bonds->nbond = b.nbond;
    bonds->bond = b.bond;
    bonds->ncrosslink = b.ncrosslink;
    bonds->crosslink = b.crosslink;
    b.bond = NULL;
    b.crosslink = NULL;
    CARDO_TRY(link_neighbours(bonds, structure->natom, error));
    *out = bonds;
    bonds = NULL;
done:
    cardo_bonds_destroy(bonds);
    builder_clear(&b);
    cardo_residue_templates_clear(&templates);
    return status;
}

void cardo_bonds_destroy(cardo_bonds *bonds)
{
    if (!bonds)
        return;
    cardo_free(bonds->bond);
    cardo_free(bonds->neighbour_first);
    cardo_free(bonds->neighbour);
    cardo_free(bonds->crosslink);
    cardo_free(bonds);
}

cardo_status cardo_normalise_names(cardo_structure *structure, const char *templates_path,
                                   cardo_error *error)
{
    cardo_status status = CARDO_OK;
    cardo_residue_templates templates = {0};
    builder b = {0};
    CARDO_TRY(builder_start(&b, &templates, structure, templates_path, error));
    for (int i = 0; i < structure->natom; ++i)
        structure->atom_name[i] = b.name[i];
    for (int r = 0; r < structure->nresidue; ++r)
        if (b.residue[r])
            structure->residue_name[r] = b.residue[r]->name;
done:
    builder_clear(&b);
    cardo_residue_templates_clear(&templates);
    return status;
}
