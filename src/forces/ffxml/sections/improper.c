/* Improper torsions: which definition applies to a centre and three of its neighbours, and in which
 * order the atoms enter the dihedral angle. The definitions leave the order open where they have
 * wildcards or atoms of equal type; each family of force fields closes it by its own rule. */
#include "forces/ffxml/definitions/atom_types.h"
#include "forces/ffxml/definitions/type_cache.h"
#include "forces/ffxml/sections/torsion_definitions.h"

#include <stddef.h>

/* The neighbours' permutations in lexicographic order: positions 1, 2, 3 of the quadruple (centre,
 * n, n, n). */
static const int permutations[6][3] = {{1, 2, 3}, {1, 3, 2}, {2, 1, 3},
                                       {2, 3, 1}, {3, 1, 2}, {3, 2, 1}};

/* The quadruple that is being matched: atoms, and what the ordering rules look at. */
typedef struct quadruple {
    int atom[4], type[4], element[4], residue[4], template_atom[4];
    double mass[4];
} quadruple;

enum { CARBON = 6 };

static void swap(int *a, int *b)
{
    int t = *a;
    *a = *b;
    *b = t;
}

/* The rule of AMBER's older files: of the two outer neighbours named first, the lower index goes
 * first when their elements are equal, else carbon, else the heavier one. */
static void order_default(const quadruple *t, int *a, int *b)
{
    if (t->element[*a] == t->element[*b]) {
        if (t->atom[*a] > t->atom[*b])
            swap(a, b);
    } else if (t->element[*a] != CARBON &&
               (t->element[*b] == CARBON || t->mass[*a] < t->mass[*b])) {
        swap(a, b);
    }
}

/* Is position a after position b by residue, then by index in the template? */
static bool after(const quadruple *t, int a, int b)
{
    return t->residue[a] > t->residue[b] ||
           (t->residue[a] == t->residue[b] && t->template_atom[a] > t->template_atom[b]);
}

/* The rule of LEaP, as OpenMM's files for AMBER 14 and later ask for. With a definition free of
 * wildcards only atoms that had equal types at their places in the definition are put in order. */
static void order_amber(const quadruple *t, bool has_wildcard, int p[3])
{
    const int original[3] = {t->type[p[0]], t->type[p[1]], t->type[p[2]]};
    const int element[3] = {t->element[p[0]], t->element[p[1]], t->element[p[2]]};
    if (!has_wildcard) {
        if (original[0] == original[2] && after(t, p[0], p[2]))
            swap(&p[0], &p[2]);
        if (original[1] == original[2] && after(t, p[1], p[2]))
            swap(&p[1], &p[2]);
        if (original[0] == original[1] && after(t, p[0], p[1]))
            swap(&p[0], &p[1]);
        return;
    }
    if (element[0] == element[2] && after(t, p[0], p[2]))
        swap(&p[0], &p[2]);
    if (element[1] == element[2] && after(t, p[1], p[2]))
        swap(&p[1], &p[2]);
    if (after(t, p[0], p[1]))
        swap(&p[0], &p[1]);
}

/* Positions of the quadruple in the order of the dihedral angle. */
static void order_positions(const cardo_torsion_definition *definition, const quadruple *t,
                            const int permutation[3], int order[4])
{
    int p[3] = {permutation[0], permutation[1], permutation[2]};
    bool centre_first =
        definition->ordering == CARDO_ORDERING_SMIRNOFF ||
        (definition->ordering == CARDO_ORDERING_CHARMM && !definition->has_wildcard);
    if (definition->ordering == CARDO_ORDERING_AMBER)
        order_amber(t, definition->has_wildcard, p);
    else if (!centre_first)
        order_default(t, &p[0], &p[1]);
    order[0] = centre_first ? 0 : p[0];
    order[1] = centre_first ? p[0] : p[1];
    order[2] = centre_first ? p[1] : 0;
    order[3] = p[2];
}

/* The first permutation whose types fit places 2, 3 and 4 of the definition, or NULL. */
static const int *fitting_permutation(const cardo_atom_types *types,
                                      const cardo_torsion_definition *definition,
                                      const quadruple *t)
{
    for (int k = 0; k < 6; ++k) {
        const int *p = permutations[k];
        if (cardo_selector_matches(types, definition->atom[1], t->type[p[0]]) &&
            cardo_selector_matches(types, definition->atom[2], t->type[p[1]]) &&
            cardo_selector_matches(types, definition->atom[3], t->type[p[2]]))
            return p;
    }
    return NULL;
}

/* A definition without wildcards displaces any earlier match, one with wildcards displaces none. */
static cardo_cached_match match_definition(const cardo_forcefield *ff,
                                           const cardo_torsion_definitions *definitions,
                                           const quadruple *t)
{
    cardo_cached_match match = {.definition = -1};
    for (int i = 0; i < definitions->count; ++i) {
        const cardo_torsion_definition *definition = &definitions->list[i];
        if (match.definition >= 0 && definition->has_wildcard)
            continue;
        if (!cardo_selector_matches(&ff->types, definition->atom[0], t->type[0]))
            continue;
        const int *permutation = fitting_permutation(&ff->types, definition, t);
        if (!permutation)
            continue;
        match.definition = i;
        order_positions(definition, t, permutation, match.order);
    }
    return match;
}

static quadruple describe(const cardo_assignment *assignment, const int atom[4])
{
    quadruple t;
    for (int k = 0; k < 4; ++k) {
        const cardo_atom_type *type =
            &assignment->forcefield->types.type[assignment->type[atom[k]]];
        t.atom[k] = atom[k];
        t.type[k] = assignment->type[atom[k]];
        t.element[k] = type->element;
        t.mass[k] = cardo_element_mass(type->element);
        t.residue[k] = assignment->structure->atom_residue[atom[k]];
        t.template_atom[k] = assignment->template_atom[atom[k]];
    }
    return t;
}

/* What the impropers of one section are looked up with. */
typedef struct torsion_lookup {
    const cardo_torsion_definitions *definitions;
    cardo_torsion_add add;
    bool remembers_order;
    cardo_type_cache cache;
} torsion_lookup;

/* OpenMM's PeriodicTorsionForce remembers, for each pattern of types, the order of positions that
 * its rule gave the first time, and applies it to every later centre with that pattern, even where
 * the rule would order the atoms otherwise. Energies equal OpenMM's only when that is done here
 * too.
 */
static cardo_status find_match(cardo_assignment *assignment, torsion_lookup *lookup,
                               const int atom[4], cardo_cached_match *match, cardo_error *error)
{
    int type[4];
    for (int k = 0; k < 4; ++k)
        type[k] = assignment->type[atom[k]];
    const cardo_cached_match *cached =
        lookup->remembers_order ? cardo_type_cache_find(&lookup->cache, type) : NULL;
    if (cached) {
        *match = *cached;
        return CARDO_OK;
    }
    quadruple t = describe(assignment, atom);
    *match = match_definition(assignment->forcefield, lookup->definitions, &t);
    return lookup->remembers_order ? cardo_type_cache_store(&lookup->cache, type, *match, error)
                                   : CARDO_OK;
}

static cardo_status add_improper(cardo_assignment *assignment, torsion_lookup *lookup,
                                 const int atom[4], cardo_error *error)
{
    cardo_cached_match match;
    cardo_status status = find_match(assignment, lookup, atom, &match, error);
    if (status != CARDO_OK || match.definition < 0)
        return status;
    int ordered[4];
    for (int k = 0; k < 4; ++k)
        ordered[k] = atom[match.order[k]];
    return lookup->add(assignment, &lookup->definitions->list[match.definition], ordered, error);
}

static cardo_status add_about_centre(cardo_assignment *assignment, torsion_lookup *lookup,
                                     int centre, cardo_error *error)
{
    const cardo_bonds *bonds = assignment->bonds;
    int degree = cardo_degree(bonds, centre);
    for (int i = 0; i < degree; ++i)
        for (int j = i + 1; j < degree; ++j)
            for (int k = j + 1; k < degree; ++k) {
                const int atom[4] = {centre, cardo_neighbour(bonds, centre, i),
                                     cardo_neighbour(bonds, centre, j),
                                     cardo_neighbour(bonds, centre, k)};
                cardo_status status = add_improper(assignment, lookup, atom, error);
                if (status != CARDO_OK)
                    return status;
            }
    return CARDO_OK;
}

cardo_status cardo_impropers_assign(cardo_assignment *assignment,
                                    const cardo_torsion_definitions *definitions,
                                    bool remembers_order, cardo_torsion_add add, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    torsion_lookup lookup = {
        .definitions = definitions, .add = add, .remembers_order = remembers_order};
    for (int centre = 0; definitions->count > 0 && centre < assignment->structure->natom; ++centre)
        CARDO_TRY(add_about_centre(assignment, &lookup, centre, error));
done:
    cardo_type_cache_clear(&lookup.cache);
    return status;
}
