#include "structure/prepare/nearby.h"

#include "base/memory.h"

#include <string.h>

enum { CARBON = 6, NITROGEN = 7, OXYGEN = 8 };

/* kJ/mol/nm2: an overlap of 0.05 nm costs 25 kJ/mol, one of a hydrogen ten times as much, since the
 * positions of hydrogens are known better than those of side chains. */
static const double stiffness = 1e4, hydrogen_stiffness = 1e5;

void cardo_nearby_clear(cardo_nearby *near)
{
    cardo_free(near->atom);
    cardo_residue_cells_clear(&near->cells);
    *near = (cardo_nearby){0};
}

/* No residue reaches farther than this from its first atom, nm: arginine and guanine are 1 nm long.
 */
static const double residue_reach = 1.4;
/* Nor does what becomes its first atom, when one is built or dropped, stand farther from that which was. */
static const double first_atom_moves = 0.3;

cardo_status cardo_nearby_collect(cardo_nearby *near, const cardo_draft *draft, cardo_vec3 centre,
                                  double reach, cardo_error *error)
{
    cardo_status found = cardo_residue_cells_search(
        &near->cells, draft, centre, reach + residue_reach + first_atom_moves, error);
    near->count = 0;
    if (found != CARDO_OK)
        return found;
    for (int k = 0; k < near->cells.nfound; ++k) {
        const int r = near->cells.found[k];
        const cardo_draft_residue *residue = &draft->residue[r];
        if (residue->natom == 0 ||
            (residue->component &&
             v3_norm(v3_sub(residue->atom[0].position, centre)) > reach + residue_reach))
            continue;
        for (int i = 0; i < residue->natom; ++i) {
            if (v3_norm(v3_sub(residue->atom[i].position, centre)) > reach)
                continue;
            cardo_status status =
                CARDO_RESERVE(&near->atom, &near->capacity, near->count + 1, error);
            if (status != CARDO_OK)
                return status;
            near->atom[near->count++] = (cardo_nearby_atom){
                .position = residue->atom[i].position,
                .element = residue->atom[i].element,
                .charge = cardo_rough_charge(residue, i),
                .residue = r,
                .atom = i,
            };
        }
    }
    return CARDO_OK;
}

/* Does a hydrogen sit on an atom that makes it polar? */
static bool is_polar_hydrogen(const cardo_draft_residue *residue, int atom)
{
    const cardo_component *component = residue->component;
    const char *name = residue->atom[atom].name.text;
    int k = component ? cardo_component_hydrogen_find(component, name) : -1;
    if (k >= 0) {
        int parent = component->atom[component->hydrogen[k].parent].element;
        return parent == NITROGEN || parent == OXYGEN;
    }
    return false;
}

double cardo_rough_charge(const cardo_draft_residue *residue, int atom)
{
    const cardo_component *component = residue->component;
    const cardo_draft_atom *a = &residue->atom[atom];
    int k = component ? cardo_component_atom_find(component, a->name.text) : -1;
    switch (a->element) {
    case CARDO_HYDROGEN:
        return is_polar_hydrogen(residue, atom) ? 0.35 : 0.05;
    case OXYGEN:
        return -0.6;
    case NITROGEN:
        return -0.45;
    case CARBON:
        break;
    default:
        return 0;
    }
    for (int n = 0; k >= 0 && n < component->atom[k].nneighbour; ++n)
        if (component->atom[component->atom[k].neighbour[n]].element == OXYGEN &&
            cardo_component_is_planar(component, k))
            return 0.55;
    return 0;
}

static bool shares_hydrogen(int element)
{
    return element == NITROGEN || element == OXYGEN;
}

/* Radii that add up to contact distances: of heavy atoms with the hydrogens that they carry, and of
 * hydrogens that are there. */
static double radius_of(int element)
{
    switch (element) {
    case CARDO_HYDROGEN:
        return 0.105;
    case CARBON:
        return 0.172;
    case NITROGEN:
    case OXYGEN:
        return 0.150;
    default:
        return 0.185;
    }
}

double cardo_clash_distance(int element, int other)
{
    if (shares_hydrogen(element) && shares_hydrogen(other))
        return 0.27;
    if ((element == CARDO_HYDROGEN && shares_hydrogen(other)) ||
        (other == CARDO_HYDROGEN && shares_hydrogen(element)))
        return 0.18;
    double sum = radius_of(element) + radius_of(other);
    return element == CARDO_HYDROGEN || other == CARDO_HYDROGEN ? 0.97 * sum : sum;
}

double cardo_clash_cost(int element, int other, double distance)
{
    double overlap = cardo_clash_distance(element, other) - distance;
    bool hydrogen = element == CARDO_HYDROGEN || other == CARDO_HYDROGEN;
    return overlap > 0 ? (hydrogen ? hydrogen_stiffness : stiffness) * overlap * overlap : 0;
}
