/* Hydrogens by geometry: where the other neighbours of their atom leave no choice, first; then the
 * tautomers of histidine; then those that can turn, by hydrogen bonds and least clash. */
#include "base/memory.h"
#include "structure/atoms/name_text.h"
#include "structure/prepare/geometry.h"
#include "structure/prepare/nearby.h"

#include <stdio.h>
#include <string.h>

enum {
    CARBON = 6,
    NITROGEN = 7,
    OXYGEN = 8,
    SULFUR = 16,
    MOST_HYDROGENS = 4,
    MOST_OTHERS = 6,
    SWEEPS = 3
};

static const double tetrahedral = 109.5 * CARDO_DEGREE;
static const double half_pair = 54.0 * CARDO_DEGREE; /* half of H-C-H */
static const double reach = 0.6;                     /* nm around a hydrogen that can turn */

/* A heavy atom, what is bonded to it, and the hydrogens that it lacks. */
typedef struct site {
    const cardo_draft *draft;
    int residue, atom; /* draft residue; index in the component              */
    bool planar;
    cardo_vec3 centre;
    int nother; /* neighbours that are there, hydrogens too           */
    cardo_vec3 other[MOST_OTHERS];
    int nheavy;                  /* the first of them are heavy                        */
    int heavy_atom[MOST_OTHERS]; /* of the component; -1: in another residue    */
    int nwanted;
    int wanted[MOST_HYDROGENS]; /* hydrogens of the component                   */
    double length;
} site;

static bool is_state(const cardo_component_hydrogen *h, const cardo_name *variant)
{
    if (h->nvariant == 0)
        return true;
    for (int k = 0; k < h->nvariant; ++k)
        if (name_equal(&h->variant[k], variant))
            return true;
    return false;
}

static bool is_wanted(const cardo_draft_residue *r, const cardo_component_hydrogen *h)
{
    if ((h->end == CARDO_FIRST && !r->first) || (h->end == CARDO_LAST && !r->last))
        return false;
    return is_state(h, &r->variant);
}

static double bond_length(int element, bool planar)
{
    switch (element) {
    case NITROGEN:
        return 0.101;
    case OXYGEN:
        return 0.096;
    case SULFUR:
        return 0.1336;
    default:
        return planar ? 0.108 : 0.109;
    }
}

static void add_other(site *s, cardo_vec3 position)
{
    if (s->nother < MOST_OTHERS)
        s->other[s->nother++] = position;
}

static void add_heavy(site *s, int atom, const cardo_draft_atom *at)
{
    if (!at || s->nother == MOST_OTHERS)
        return;
    s->heavy_atom[s->nheavy++] = atom;
    add_other(s, at->position);
}

static bool is_chain_atom(const cardo_draft_atom *atom)
{
    return strcmp(atom->name.text, "N") == 0 || strcmp(atom->name.text, "C") == 0;
}

/* How many of its hydrogens an atom gives for a bond of a link: an ammonium group becomes an amide. */
static int replaced_hydrogens(int element, int expected)
{
    int given = element == NITROGEN && expected == 3 ? 2 : 1;
    return given < expected ? given : expected;
}

/* Looks at an atom of the component: false when it is not there or lacks no hydrogen. again:
 * hydrogens that were built count as lacking. */
static bool look(const cardo_draft *draft, int residue, int atom, bool again, site *s)
{
    const cardo_draft_residue *r = &draft->residue[residue];
    const cardo_component *c = r->component;
    const cardo_draft_atom *centre = cardo_draft_atom_called(r, c->atom[atom].name.text);
    *s = (site){.draft = draft, .residue = residue, .atom = atom};
    if (!centre)
        return false;
    s->centre = centre->position;
    s->planar = cardo_component_is_planar(c, atom);
    if (r->first && strcmp(centre->name.text, "N") == 0 && c->kind == CARDO_COMPONENT_PROTEIN)
        s->planar = false;
    s->length = bond_length(centre->element, s->planar);
    for (int k = 0; k < c->atom[atom].nneighbour; ++k) {
        int other = c->atom[atom].neighbour[k];
        add_heavy(s, other, cardo_draft_atom_called(r, c->atom[other].name.text));
    }
    add_heavy(s, -1, cardo_draft_linked_atom(draft, residue, centre->name.text));
    int expected = 0, there = 0;
    const cardo_draft_atom *partner = cardo_draft_partner(draft, centre);
    if (partner)
        add_heavy(s, -1, partner);
    if (partner && centre->element == NITROGEN)
        s->planar = true;
    for (int k = 0; k < c->nhydrogen; ++k) {
        if (c->hydrogen[k].parent != atom)
            continue;
        const cardo_draft_atom *h = cardo_draft_atom_called(r, c->hydrogen[k].name.text);
        h = h && again && h->source < 0 ? NULL : h;
        expected += is_wanted(r, &c->hydrogen[k]);
        there += h != NULL;
        if (h)
            add_other(s, h->position);
        else if (is_wanted(r, &c->hydrogen[k]) && s->nwanted < MOST_HYDROGENS)
            s->wanted[s->nwanted++] = k;
    }
    if (partner && !is_chain_atom(centre))
        expected -= replaced_hydrogens(centre->element, expected);
    s->nwanted = s->nwanted < expected - there ? s->nwanted : expected - there;
    return s->nwanted > 0;
}

/* Does a torsion decide where they go? */
static bool can_turn(const site *s)
{
    return s->nother < 2;
}

/* Two neighbours and two hydrogens, or one of them: on both sides of the plane. */
static int place_beside_two(const site *s, cardo_vec3 *out)
{
    cardo_mat33 frame = frame_of(s->centre, s->other[0], s->other[1]);
    cardo_vec3 back = v3_neg(m33_column(frame, 0)), side = m33_column(frame, 2);
    for (int k = 0; k < 2; ++k)
        out[k] = v3_add_scaled(v3_add_scaled(s->centre, s->length * cos(half_pair), back),
                               (k == 0 ? s->length : -s->length) * sin(half_pair), side);
    return 2;
}

/* Fixed places; the number of them. */
static int place_fixed(const site *s, cardo_vec3 *out)
{
    if (s->nother == 2 && !s->planar)
        return place_beside_two(s, out);
    cardo_vec3 sum = sum_of_directions(s->centre, s->nother, s->other);
    if (v3_norm(sum) < 1e-6)
        return 0;
    out[0] = v3_add_scaled(s->centre, -s->length, v3_unit(sum));
    return 1;
}

/* A reference for torsions about the bond to the one neighbour: an atom bonded to that one, and
 * whether the neighbour is planar. */
static cardo_vec3 torsion_reference(const site *s, bool *planar, bool *found)
{
    const cardo_draft_residue *r = &s->draft->residue[s->residue];
    const cardo_component *c = r->component;
    int b = s->heavy_atom[0];
    *found = false;
    *planar = true;
    if (b < 0)
        return s->centre;
    *planar = cardo_component_is_planar(c, b);
    for (int k = 0; k < c->atom[b].nneighbour; ++k) {
        int other = c->atom[b].neighbour[k];
        const cardo_draft_atom *atom = cardo_draft_atom_called(r, c->atom[other].name.text);
        if (other != s->atom && atom) {
            *found = true;
            return atom->position;
        }
    }
    const cardo_draft_atom *linked =
        cardo_draft_linked_atom(s->draft, s->residue, c->atom[b].name.text);
    *found = linked != NULL;
    return linked ? linked->position : s->centre;
}

/* The hydrogens of a rotor at a torsion; the number of them. */
static int place_rotor(const site *s, cardo_vec3 reference, double torsion, cardo_vec3 *out)
{
    int element = s->draft->residue[s->residue].component->atom[s->atom].element;
    double angle = s->planar           ? 120 * CARDO_DEGREE
                   : element == SULFUR ? 96 * CARDO_DEGREE
                   : element == OXYGEN ? 108.5 * CARDO_DEGREE
                                       : tetrahedral;
    int n = s->planar ? 2 : element == OXYGEN || element == SULFUR ? 1 : 3;
    for (int k = 0; k < n; ++k)
        out[k] = point_by_torsion(s->centre, s->other[0], reference, s->length, angle,
                                  torsion + 2 * CARDO_PI * k / n);
    return n;
}

/* Energy of a hydrogen at a place, kJ/mol: rough charges and clashes. */
static double energy_at(const cardo_nearby *near, const site *s, int element, double charge,
                        cardo_vec3 at)
{
    double energy = 0;
    for (int k = 0; k < near->count; ++k) {
        const cardo_nearby_atom *other = &near->atom[k];
        double d = distance_of(other->position, at);
        /* The atom itself and those bonded to it are at fixed distances or nearly so. */
        if (distance_of(other->position, s->centre) < 0.165 || d > reach)
            continue;
        energy += 138.9 / 4.0 * charge * other->charge / fmax(d, 0.12);
        energy += cardo_clash_cost(element, other->element, d);
        /* A methyl's hydrogen is no partner of a hydrogen bond. */
        if (charge < 0.1 && (other->element == NITROGEN || other->element == OXYGEN))
            energy += cardo_clash_cost(element, CARBON, d + 0.03);
    }
    return energy;
}

static double torsion_energy(const site *s, bool planar_neighbour, double torsion)
{
    int element = s->draft->residue[s->residue].component->atom[s->atom].element;
    if (planar_neighbour)
        return element == OXYGEN ? 7.0 * (1 - cos(2 * torsion)) : 0.0;
    return 3.0 * (1 + cos(3 * torsion));
}

/* The k-th wanted hydrogen takes the k-th place; one that was built before moves there. */
static cardo_status add_hydrogens(cardo_draft *draft, const site *s, const cardo_vec3 *place,
                                  int nplace, cardo_error *error)
{
    cardo_draft_residue *r = &draft->residue[s->residue];
    const cardo_component *c = r->component;
    int at = cardo_draft_find(r, c->atom[s->atom].name.text);
    float b_factor = r->atom[at].b_factor;
    while (at + 1 < r->natom && r->atom[at + 1].element == CARDO_HYDROGEN)
        ++at;
    for (int k = 0; k < s->nwanted && k < nplace; ++k) {
        int there = cardo_draft_find(r, c->hydrogen[s->wanted[k]].name.text);
        if (there >= 0) {
            r->atom[there].position = place[k];
            continue;
        }
        cardo_draft_atom atom = {.name = c->hydrogen[s->wanted[k]].name,
                                 .element = CARDO_HYDROGEN,
                                 .position = place[k],
                                 .source = -1,
                                 .occupancy = 1,
                                 .b_factor = b_factor};
        cardo_status status = cardo_draft_add_atom(r, ++at, &atom, error);
        if (status == CARDO_OK)
            status = cardo_draft_note(draft, CARDO_CHANGE_ADDED, s->residue, &atom.name, error,
                                      "hydrogen");
        if (status != CARDO_OK)
            return status;
    }
    return CARDO_OK;
}

/* Places that hydrogens in the file have taken already are left out. */
static int leave_out_taken(const site *s, cardo_vec3 *place, int n)
{
    int kept = 0;
    for (int k = 0; k < n; ++k) {
        bool taken = false;
        for (int i = s->nheavy; i < s->nother; ++i)
            taken = taken || distance_of(s->other[i], place[k]) < 0.08;
        if (!taken)
            place[kept++] = place[k];
    }
    return kept;
}

static cardo_status add_fixed(cardo_draft *draft, cardo_error *error)
{
    for (int r = 0; r < draft->count; ++r) {
        const cardo_component *c = draft->residue[r].component;
        for (int i = 0; c && i < c->natom; ++i) {
            site s;
            cardo_vec3 place[MOST_HYDROGENS];
            if (!look(draft, r, i, false, &s) || can_turn(&s))
                continue;
            cardo_status status = add_hydrogens(draft, &s, place, place_fixed(&s, place), error);
            if (status != CARDO_OK)
                return status;
        }
    }
    return CARDO_OK;
}

/* The torsion of least energy, in steps of 10 degrees. */
static double best_torsion(const cardo_nearby *near, const site *s, cardo_vec3 reference,
                           bool planar_neighbour)
{
    int element = s->draft->residue[s->residue].component->atom[s->atom].element;
    double charge = element == OXYGEN || element == NITROGEN ? 0.35
                    : element == SULFUR                      ? 0.2
                                                             : 0.05;
    double best = CARDO_PI, least = 1e30;
    for (int k = 0; k < 36; ++k) {
        double torsion = CARDO_PI + k * 10 * CARDO_DEGREE;
        cardo_vec3 place[MOST_HYDROGENS];
        int n = place_rotor(s, reference, torsion, place);
        double energy = torsion_energy(s, planar_neighbour, torsion);
        for (int h = 0; h < n; ++h)
            energy += energy_at(near, s, CARDO_HYDROGEN, charge, place[h]);
        if (energy < least - 1e-9) {
            least = energy;
            best = torsion;
        }
    }
    return best;
}

/* The best of 26 directions for one hydrogen of a water and 12 torsions for the other. */
static cardo_status add_water(cardo_draft *draft, const site *s, cardo_nearby *near,
                              cardo_error *error)
{
    const double length = 0.09572, angle = 104.52 * CARDO_DEGREE, charge = 0.4;
    cardo_vec3 best[2] = {s->centre, s->centre};
    double least = 1e30;
    cardo_status status = cardo_nearby_collect(near, draft, s->centre, reach + 0.1, error);
    for (int k = 0; status == CARDO_OK && k < 27; ++k) {
        cardo_vec3 direction = v3(k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1), place[2];
        if (k == 13)
            continue;
        place[0] = v3_add_scaled(s->centre, length, v3_unit(direction));
        double first = energy_at(near, s, CARDO_HYDROGEN, charge, place[0]);
        cardo_vec3 reference = v3_add(place[0], v3_perpendicular(v3_unit(direction)));
        for (int turn = 0; turn < 12; ++turn) {
            place[1] = point_by_torsion(s->centre, place[0], reference, length, angle,
                                        turn * 30 * CARDO_DEGREE);
            double energy = first + energy_at(near, s, CARDO_HYDROGEN, charge, place[1]);
            if (energy < least) {
                least = energy;
                memcpy(best, place, sizeof best);
            }
        }
    }
    return status == CARDO_OK ? add_hydrogens(draft, s, best, 2, error) : status;
}

static cardo_status add_rotor(cardo_draft *draft, const site *s, cardo_nearby *near,
                              cardo_error *error)
{
    bool planar, found;
    cardo_vec3 place[MOST_HYDROGENS], reference = torsion_reference(s, &planar, &found);
    if (s->nother == 0)
        return add_water(draft, s, near, error);
    if (!found)
        reference = v3_add(s->other[0], v3_perpendicular(v3_unit(v3_sub(s->centre, s->other[0]))));
    /* Planar groups lie in their neighbour's plane; the others turn. */
    double torsion = 0;
    if (!s->planar) {
        cardo_status status = cardo_nearby_collect(near, draft, s->centre, reach + 0.1, error);
        if (status != CARDO_OK)
            return status;
        torsion = best_torsion(near, s, reference, planar);
    }
    int n = place_rotor(s, reference, torsion, place);
    return add_hydrogens(draft, s, place, leave_out_taken(s, place, n), error);
}

static cardo_status add_rotors(cardo_draft *draft, bool planar, bool again, cardo_nearby *near,
                               cardo_error *error)
{
    for (int r = 0; r < draft->count; ++r) {
        const cardo_component *c = draft->residue[r].component;
        for (int i = 0; c && i < c->natom; ++i) {
            site s;
            if (!look(draft, r, i, again, &s) || !can_turn(&s) || s.planar != planar)
                continue;
            cardo_status status = add_rotor(draft, &s, near, error);
            if (status != CARDO_OK)
                return status;
        }
    }
    return CARDO_OK;
}

/* More hydrogens on an atom than its state has: those whose names the state has not go first. */
static cardo_status drop_surplus_at(cardo_draft *draft, int r, int atom, cardo_error *error)
{
    cardo_draft_residue *residue = &draft->residue[r];
    const cardo_component *c = residue->component;
    int expected = 0, there = 0;
    for (int k = 0; k < c->nhydrogen; ++k)
        if (c->hydrogen[k].parent == atom) {
            expected += is_wanted(residue, &c->hydrogen[k]);
            there += cardo_draft_find(residue, c->hydrogen[k].name.text) >= 0;
        }
    for (int k = c->nhydrogen - 1; k >= 0 && there > expected; --k) {
        int at = c->hydrogen[k].parent == atom && !is_wanted(residue, &c->hydrogen[k])
                     ? cardo_draft_find(residue, c->hydrogen[k].name.text)
                     : -1;
        if (at < 0)
            continue;
        cardo_status status = cardo_draft_note(
            draft, CARDO_CHANGE_DROPPED, r, &residue->atom[at].name, error,
            "the residue has no such hydrogen %s%s",
            residue->variant.text[0] ? "as " : "in this place", residue->variant.text);
        if (status != CARDO_OK)
            return status;
        cardo_draft_remove_atom(residue, at);
        --there;
    }
    return CARDO_OK;
}

static cardo_status drop_surplus(cardo_draft *draft, cardo_error *error)
{
    for (int r = 0; r < draft->count; ++r)
        for (int i = 0; draft->residue[r].component && i < draft->residue[r].component->natom;
             ++i) {
            cardo_status status = drop_surplus_at(draft, r, i, error);
            if (status != CARDO_OK)
                return status;
        }
    return CARDO_OK;
}

cardo_status cardo_prepare_hydrogens(cardo_draft *draft, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    cardo_nearby near = {0};
    CARDO_TRY(add_fixed(draft, error));
    CARDO_TRY(add_rotors(draft, true, false, &near, error));
    draft->topic = CARDO_TOPIC_STATES;
    CARDO_TRY(cardo_prepare_tautomers(draft, error));
    draft->topic = CARDO_TOPIC_HYDROGENS;
    CARDO_TRY(add_fixed(draft, error));
    CARDO_TRY(drop_surplus(draft, error));
    for (int sweep = 0; sweep < SWEEPS; ++sweep)
        CARDO_TRY(add_rotors(draft, false, sweep > 0, &near, error));
done:
    cardo_nearby_clear(&near);
    return status;
}
