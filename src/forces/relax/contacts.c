#include "forces/relax/contacts.h"

#include "base/memory.h"
#include "base/vec.h"

#include <stdlib.h>

enum { HYDROGEN = 1, NITROGEN = 7, OXYGEN = 8, PHOSPHORUS = 15, SULFUR = 16 };

/* kJ/mol/nm2: about twice that of an angle at a hydrogen; more where a torsion gives way, which
 * costs little. */
static const double stiffness = 80000, stiffness_of_turning = 240000;
static const double inner_stiffness = 480000;
static const double fraction = 0.85; /* of the sum of the radii                               */
static const double inner_fraction = 0.81;
static const double margin = 0.2; /* nm: how much nearer a pair may come while relaxing    */
static const double reach = 0.5;  /* nm: the largest limit and the margin                  */

typedef struct place {
    double x;
    int atom;
} place;

typedef struct finder {
    const cardo_structure *structure;
    const cardo_bonds *bonds;
    const bool *movable;
    place *sorted; /* atoms by their x                              (natom) */
    int *mark;     /* the last atom that has this one within three bonds (natom) */
} finder;

static double radius_of(int element)
{
    switch (element) {
    case HYDROGEN:
        return 0.120;
    case NITROGEN:
        return 0.155;
    case OXYGEN:
        return 0.152;
    case SULFUR:
    case PHOSPHORUS:
        return 0.180;
    default:
        return 0.170;
    }
}

static int neighbours_of(const cardo_bonds *bonds, int atom, const int **list)
{
    *list = bonds->neighbour + bonds->neighbour_first[atom];
    return bonds->neighbour_first[atom + 1] - bonds->neighbour_first[atom];
}

/* N, O and S, and the hydrogens on them. */
static bool is_polar(const finder *f, int atom)
{
    const int *parent;
    int element = f->structure->element[atom];
    if (element == HYDROGEN && neighbours_of(f->bonds, atom, &parent) == 1)
        element = f->structure->element[parent[0]];
    return element == NITROGEN || element == OXYGEN || element == SULFUR;
}

static bool may_share_hydrogen(const finder *f, int a, int b)
{
    const unsigned char *element = f->structure->element;
    return (element[a] == HYDROGEN) != (element[b] == HYDROGEN) && is_polar(f, a) && is_polar(f, b);
}

/* Can a torsion move this atom? All heavy atoms that were built, and hydrogens on a last atom. */
static bool can_turn(const finder *f, int atom)
{
    const int *parent, *around;
    int heavy = 0;
    if (!f->movable[atom] || f->structure->element[atom] != HYDROGEN ||
        neighbours_of(f->bonds, atom, &parent) != 1)
        return f->movable[atom];
    int n = neighbours_of(f->bonds, parent[0], &around);
    for (int k = 0; k < n; ++k)
        heavy += f->structure->element[around[k]] != HYDROGEN;
    return heavy < 2 || f->movable[parent[0]];
}

static int compare_places(const void *a, const void *b)
{
    const place *one = a, *other = b;
    if (one->x != other->x)
        return one->x < other->x ? -1 : 1;
    return one->atom - other->atom;
}

/* Marks the atoms within three bonds of one. */
static void mark_bonded(const finder *f, int atom)
{
    const int *first, *second, *third;
    f->mark[atom] = atom;
    int n = neighbours_of(f->bonds, atom, &first);
    for (int i = 0; i < n; ++i) {
        f->mark[first[i]] = atom;
        int m = neighbours_of(f->bonds, first[i], &second);
        for (int j = 0; j < m; ++j) {
            f->mark[second[j]] = atom;
            int l = neighbours_of(f->bonds, second[j], &third);
            for (int k = 0; k < l; ++k)
                f->mark[third[k]] = atom;
        }
    }
}

static cardo_status add_pair(cardo_contacts *contacts, const finder *f, int a, int b,
                             cardo_error *error)
{
    const cardo_structure *s = f->structure;
    double sum = radius_of(s->element[a]) + radius_of(s->element[b]), limit = fraction * sum;
    double distance =
        v3_norm(v3_sub(v3_load(s->position + 3 * (size_t)a), v3_load(s->position + 3 * (size_t)b)));
    if (distance > limit + margin || f->mark[b] == a || may_share_hydrogen(f, a, b))
        return CARDO_OK;
    bool turns = can_turn(f, a) || can_turn(f, b);
    cardo_status status =
        CARDO_RESERVE(&contacts->contact, &contacts->capacity, contacts->count + 1, error);
    if (status == CARDO_OK)
        contacts->contact[contacts->count++] =
            (cardo_contact){.atom = {a, b},
                            .limit = limit,
                            .stiffness = turns ? stiffness_of_turning : stiffness,
                            .inner_limit = inner_fraction * sum,
                            .inner_stiffness = turns ? inner_stiffness : 0};
    return status;
}

/* The pairs of a movable atom, those with other movable atoms from one side only. */
static cardo_status add_pairs_of(cardo_contacts *contacts, const finder *f, int at,
                                 cardo_error *error)
{
    int atom = f->sorted[at].atom, n = f->structure->natom;
    mark_bonded(f, atom);
    for (int step = -1; step <= 1; step += 2)
        for (int k = at + step; k >= 0 && k < n && fabs(f->sorted[k].x - f->sorted[at].x) < reach;
             k += step) {
            int other = f->sorted[k].atom;
            if (f->movable[other] && step < 0)
                continue;
            cardo_status status = add_pair(contacts, f, atom, other, error);
            if (status != CARDO_OK)
                return status;
        }
    return CARDO_OK;
}

cardo_status cardo_contacts_find(cardo_contacts *contacts, const cardo_structure *structure,
                                 const cardo_bonds *bonds, const bool *movable, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    finder f = {.structure = structure, .bonds = bonds, .movable = movable};
    int n = structure->natom;
    CARDO_TRY(CARDO_ALLOCATE(&f.sorted, n, error));
    CARDO_TRY(CARDO_ALLOCATE(&f.mark, n, error));
    for (int i = 0; i < n; ++i) {
        f.sorted[i] = (place){structure->position[3 * (size_t)i], i};
        f.mark[i] = -1;
    }
    qsort(f.sorted, (size_t)n, sizeof *f.sorted, compare_places);
    for (int k = 0; k < n; ++k)
        if (movable[f.sorted[k].atom])
            CARDO_TRY(add_pairs_of(contacts, &f, k, error));
done:
    cardo_free(f.sorted);
    cardo_free(f.mark);
    return status;
}

void cardo_contacts_clear(cardo_contacts *contacts)
{
    cardo_free(contacts->contact);
    *contacts = (cardo_contacts){0};
}

double cardo_contacts_energy(const cardo_contacts *contacts, const double *positions,
                             double *gradient)
{
    double energy = 0;
    for (int k = 0; k < contacts->count; ++k) {
        size_t a = 3 * (size_t)contacts->contact[k].atom[0],
               b = 3 * (size_t)contacts->contact[k].atom[1];
        const cardo_contact *contact = &contacts->contact[k];
        cardo_vec3 between = v3_sub(v3_load(positions + a), v3_load(positions + b));
        double distance = v3_norm(between), overlap = contact->limit - distance,
               inner = fmax(contact->inner_limit - distance, 0);
        if (overlap <= 0 || distance < 1e-6)
            continue;
        energy += 0.5 * contact->stiffness * overlap * overlap +
                  0.5 * contact->inner_stiffness * inner * inner;
        double force = contact->stiffness * overlap + contact->inner_stiffness * inner;
        cardo_vec3 slope = v3_scale(-force / distance, between);
        v3_store(gradient + a, v3_add(v3_load(gradient + a), slope));
        v3_store(gradient + b, v3_sub(v3_load(gradient + b), slope));
    }
    return energy;
}
