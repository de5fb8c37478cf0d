#include "study/domains/shared_alike.h"

#include "base/memory.h"

#include <math.h>

/* kJ/mol/nm^2, as stiff as bonds are: angles of strands differ by some degrees then between both ends, and by tenths with ten times as much. */
static const double stiff = 1e6;
/* nm^2: of three atoms almost in a line. */
static const double least_area = 0.005;

typedef struct listing {
    const cardo_alike_atoms *atoms;
    cardo_alike *list; /* NULL: they are only counted */
    int n;
} listing;

double cardo_alike_measure(const cardo_alike *alike, const double *positions,
                           cardo_vec3 slope[CARDO_ALIKE_ATOMS])
{
    cardo_vec3 from_first[CARDO_ALIKE_ATOMS];
    const cardo_vec3 first = v3_load(positions + 3 * (size_t)alike->atom[0]);
    for (int k = 1; k < alike->natom; ++k)
        from_first[k] = v3_sub(v3_load(positions + 3 * (size_t)alike->atom[k]), first);
    if (alike->natom == 2) {
        const double length = v3_norm(from_first[1]);
        slope[1] = length > 0 ? v3_scale(1 / length, from_first[1]) : (cardo_vec3){0};
        slope[0] = v3_neg(slope[1]);
        return length;
    }
    slope[1] = v3_cross(from_first[2], from_first[3]);
    slope[2] = v3_cross(from_first[3], from_first[1]);
    slope[3] = v3_cross(from_first[1], from_first[2]);
    slope[0] = v3_neg(v3_add(slope[1], v3_add(slope[2], slope[3])));
    return v3_dot(from_first[1], slope[1]);
}

static bool is_shared(const listing *l, int n, const int *atom)
{
    for (int k = 0; k < n; ++k)
        if (l->atoms->own[atom[k]] >= 0)
            return false;
    return true;
}

static void add(listing *l, int n, const int *atom, double stiffness)
{
    if (is_shared(l, n, atom))
        return;
    if (l->list) {
        cardo_alike *to = &l->list[l->n];
        to->natom = n;
        to->stiffness = stiffness;
        for (int k = 0; k < n; ++k)
            to->atom[k] = atom[k];
    }
    ++l->n;
}

static void add_pair(listing *l, int a, int b)
{
    if (a < b)
        add(l, 2, (const int[]){a, b}, stiff);
}

/* As stiff against the fourth atom's leaving the plane of the first three as pairs are. */
static void add_volume(listing *l, const int atom[4])
{
    cardo_vec3 slope[CARDO_ALIKE_ATOMS];
    const cardo_alike volume = {.natom = 4, .atom = {atom[0], atom[1], atom[2], atom[3]}};
    cardo_alike_measure(&volume, l->atoms->positions, slope);
    const double area = fmax(v3_norm(slope[3]), least_area);
    add(l, 4, atom, stiff / (area * area));
}

/* May what hangs by a bond turn about it? */
static bool turns(const listing *l, int a, int b)
{
    const cardo_model *model = l->atoms->model;
    const int *body = l->atoms->body;
    if (body[a] == body[b])
        return false;
    for (int k = 0; k < 2; ++k) {
        const cardo_model_body *hangs = &model->body[body[k ? a : b]];
        const int on = k ? b : a, by = k ? a : b;
        if (hangs->torsion && hangs->bond[0] == on && hangs->bond[1] == by)
            return true;
    }
    return false;
}

static int neighbour_besides(const cardo_bonds *bonds, int atom, int besides)
{
    for (int k = bonds->neighbour_first[atom]; k < bonds->neighbour_first[atom + 1]; ++k)
        if (bonds->neighbour[k] != besides)
            return bonds->neighbour[k];
    return -1;
}

/* Bonds and angles, and how atoms lie about one that has three neighbours. */
static void list_about(listing *l, int a)
{
    const cardo_bonds *bonds = l->atoms->bonds;
    const int first = bonds->neighbour_first[a], end = bonds->neighbour_first[a + 1];
    for (int k = first; k < end; ++k) {
        const int middle = bonds->neighbour[k];
        add_pair(l, a, middle);
        for (int j = bonds->neighbour_first[middle]; j < bonds->neighbour_first[middle + 1]; ++j)
            add_pair(l, a, bonds->neighbour[j]);
    }
    if (end - first == 3)
        add_volume(l, (const int[]){a, bonds->neighbour[first], bonds->neighbour[first + 1],
                                    bonds->neighbour[first + 2]});
}

/* Torsions about bonds that do not turn, closed ones as well. */
static void list_across(listing *l, int a)
{
    const cardo_bonds *bonds = l->atoms->bonds;
    for (int k = bonds->neighbour_first[a]; k < bonds->neighbour_first[a + 1]; ++k) {
        const int b = bonds->neighbour[k];
        if (a >= b || turns(l, a, b))
            continue;
        const int before = neighbour_besides(bonds, a, b), after = neighbour_besides(bonds, b, a);
        if (before < 0 || after < 0 || before == after)
            continue;
        add_pair(l, before < after ? before : after, before < after ? after : before);
        add_volume(l, (const int[]){before, a, b, after});
    }
}

/* All distances in a piece. */
static void list_inside(listing *l, int a)
{
    const cardo_structure *structure = l->atoms->model->structure[0].structure;
    const int r = structure->atom_residue[a];
    const int end = r + 1 < structure->nresidue ? r + 2 : r + 1;
    for (int b = a + 1; b < structure->residue_first[end]; ++b)
        if (l->atoms->body[a] == l->atoms->body[b])
            add_pair(l, a, b);
}

static void list_all(listing *l)
{
    const int natom = l->atoms->model->structure[0].structure->natom;
    l->n = 0;
    for (int a = 0; a < natom; ++a) {
        list_about(l, a);
        list_across(l, a);
        list_inside(l, a);
    }
}

cardo_status cardo_alike_list(const cardo_alike_atoms *atoms, cardo_alike **list, int *n,
                              cardo_error *error)
{
    listing l = {.atoms = atoms};
    list_all(&l);
    const cardo_status status = CARDO_ALLOCATE(&l.list, l.n + 1, error);
    if (status == CARDO_OK)
        list_all(&l);
    *list = l.list;
    *n = l.n;
    return status;
}
