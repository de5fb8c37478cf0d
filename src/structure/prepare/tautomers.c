/* Which ring nitrogen of a neutral histidine carries the proton: the one that has something to give
 * it to. */
#include "base/number.h"
#include "structure/atoms/name_text.h"
#include "structure/prepare/geometry.h"
#include "structure/prepare/nearby.h"

#include <stdio.h>
#include <string.h>

enum { NITROGEN = 7, OXYGEN = 8 };

/* The ring nitrogens, their neighbours in the ring, and the state that has the proton there. */
static const struct {
    const char *name, *beside[2], *state;
} nitrogens[2] = {{"ND1", {"CG", "CE1"}, "HID"}, {"NE2", {"CD2", "CE1"}, "HIE"}};

enum { HID, HIE };

/* Where a nitrogen's proton or lone pair is. */
static bool place_of_proton(const cardo_draft_residue *residue, int which, cardo_vec3 *place)
{
    const double length = 0.101; /* nm */
    const cardo_draft_atom *atom = cardo_draft_atom_called(residue, nitrogens[which].name);
    cardo_vec3 beside[2];
    for (int k = 0; k < 2; ++k) {
        const cardo_draft_atom *other =
            cardo_draft_atom_called(residue, nitrogens[which].beside[k]);
        if (!atom || !other)
            return false;
        beside[k] = other->position;
    }
    cardo_vec3 sum = sum_of_directions(atom->position, 2, beside);
    if (v3_norm(sum) < 1e-6)
        return false;
    *place = v3_add_scaled(atom->position, -length, v3_unit(sum));
    return true;
}

/* Hydroxyls and waters give a hydrogen as well as they take one. */
static bool does_both(const cardo_draft *draft, const cardo_nearby_atom *other)
{
    static const char *const hydroxyls[] = {"OG", "OG1", "OH", "O2'", "HG", "HG1", "HH", "HO2'"};
    const cardo_draft_residue *r = &draft->residue[other->residue];
    const char *name = r->atom[other->atom].name.text;
    bool cysteine = r->component && strcmp(r->component->name.text, "CYS") == 0;
    if (!r->component || r->component->kind == CARDO_COMPONENT_WATER)
        return other->element != 6;
    for (size_t k = 0; k < sizeof hydroxyls / sizeof *hydroxyls; ++k)
        if (strcmp(name, hydroxyls[k]) == 0)
            return !cysteine;
    return false;
}

/* Energy of a proton (charge > 0) or of a lone pair at a place of residue r. */
static double energy_at(const cardo_draft *draft, int r, const cardo_nearby *near, cardo_vec3 place,
                        double charge)
{
    const double farthest = 0.4; /* nm */
    double energy = 0;
    for (int k = 0; k < near->count; ++k) {
        const cardo_nearby_atom *other = &near->atom[k];
        double d = distance_of(other->position, place);
        if (other->residue == r)
            continue;
        /* Zero at the end of its reach, so that no carbonyl is there with its oxygen alone. */
        if (d < farthest && !does_both(draft, other))
            energy += 138.9 / 4.0 * charge * other->charge * (1 / fmax(d, 0.15) - 1 / farthest);
        /* Short hydrogen bonds, and the carbon behind an acceptor, are no clash. */
        if (charge > 0)
            energy += cardo_clash_cost(CARDO_HYDROGEN, other->element, d + 0.03);
    }
    return energy;
}

/* What holds a nitrogen's lone pair: a metal of the file, left out or not, or an atom that the file
 * links to it; "": nothing. */
static void name_holder(const cardo_draft *draft, int r, int which, char text[64])
{
    const double longest = 0.28; /* nm, to a metal */
    const cardo_structure *s = draft->structure;
    const cardo_draft_atom *atom =
        cardo_draft_atom_called(&draft->residue[r], nitrogens[which].name);
    int holder = -1;
    char label[40];
    text[0] = '\0';
    for (int i = 0; atom && i < s->natom; ++i)
        if (cardo_element_is_metal(s->element[i]) &&
            distance_of(v3_load(s->position + 3 * (size_t)i), atom->position) < longest)
            holder = i;
    if (holder < 0 && atom && cardo_draft_partner(draft, atom))
        holder = draft->partner[atom->source];
    if (holder >= 0)
        snprintf(text, 64, "%s of %s", s->atom_name[holder].text,
                 cardo_residue_label(s, s->atom_residue[holder], label));
}

/* May this atom take a hydrogen from a ring nitrogen, or give one to it? */
static bool may_bond(const cardo_draft *draft, const cardo_nearby_atom *other, bool give)
{
    if (other->element != NITROGEN && other->element != OXYGEN)
        return false;
    return does_both(draft, other) || other->element == (give ? NITROGEN : OXYGEN);
}

/* The nearest atom of another residue that could share a hydrogen with a ring nitrogen. */
static const cardo_nearby_atom *partner_of(const cardo_draft *draft, int r, const char *name,
                                           bool give, cardo_nearby *near, double *distance,
                                           cardo_error *error)
{
    const cardo_nearby_atom *nearest = NULL;
    const cardo_draft_atom *atom = cardo_draft_atom_called(&draft->residue[r], name);
    *distance = 0.34;
    if (!atom || cardo_nearby_collect(near, draft, atom->position, *distance, error) != CARDO_OK)
        return NULL;
    for (int k = 0; k < near->count; ++k) {
        const cardo_nearby_atom *other = &near->atom[k];
        double d = distance_of(other->position, atom->position);
        if (other->residue != r && d < *distance && may_bond(draft, other, give)) {
            *distance = d;
            nearest = other;
        }
    }
    return nearest;
}

/* "; ND1 to A:ASP72 OD1 2.79 A": what a ring nitrogen is bonded to by hydrogen. */
static bool describe_partner(const cardo_draft *draft, int r, const char *name, bool give,
                             cardo_nearby *near, char *text, size_t size, cardo_error *error)
{
    double distance;
    const cardo_nearby_atom *partner = partner_of(draft, r, name, give, near, &distance, error);
    if (!partner)
        return false;
    const cardo_draft_residue *of = &draft->residue[partner->residue];
    cardo_append(text, size, "; %s %s %s:%s%d %s %.2f A", name, give ? "from" : "to",
                 of->chain.text, of->name.text, of->number, of->atom[partner->atom].name.text,
                 distance / CARDO_ANGSTROM);
    return true;
}

static cardo_status note_state(cardo_draft *draft, int r, int state, cardo_error *error,
                               const char *why, const char *more)
{
    cardo_status status = cardo_draft_note(draft, CARDO_CHANGE_CHOSEN, r, NULL, error, "%s%s%s",
                                           nitrogens[state].state, why, more);
    if (status == CARDO_OK)
        cardo_draft_measure(draft, "model_pKa", 6.5);
    return status;
}

/* Says what decided, and asks the user to look where little did or where both nitrogens want a
 * proton. */
static cardo_status note_tautomer(cardo_draft *draft, int r, int state, double margin, bool both,
                                  cardo_nearby *near, cardo_error *error)
{
    const double close = 4; /* kJ/mol */
    char bonds[160] = "";
    bool any =
        describe_partner(draft, r, nitrogens[state].name, false, near, bonds, sizeof bonds, error);
    any = describe_partner(draft, r, nitrogens[1 - state].name, true, near, bonds, sizeof bonds,
                           error) ||
          any;
    cardo_status status = note_state(draft, r, state, error,
                                     any            ? " by hydrogen bonds"
                                     : state == HIE ? ", the usual form: no hydrogen bond tells"
                                                    : ", which fits what is around better: no "
                                                      "hydrogen bond tells",
                                     bonds);
    if (status != CARDO_OK)
        return status;
    draft->topic = CARDO_TOPIC_REVIEW;
    if (both)
        status =
            cardo_draft_note(draft, CARDO_CHANGE_NOTED, r, NULL, error,
                             "both ring nitrogens have acceptors: it may carry two protons (to "
                             "have it so, name it HIP in the file)");
    else if (any && margin < close)
        status = cardo_draft_note(draft, CARDO_CHANGE_NOTED, r, NULL, error,
                                  "HID and HIE fit alike, %s was taken (to have the other, name it "
                                  "%s in the file)",
                                  nitrogens[state].state, nitrogens[1 - state].state);
    draft->topic = CARDO_TOPIC_STATES;
    return status;
}

static void set_state(cardo_draft *draft, int r, int state)
{
    name_set(&draft->residue[r].variant, nitrogens[state].state, 3);
}

/* A nitrogen that something holds has no proton; otherwise HIE unless the hydrogen bonds of HID are
 * better. */
static cardo_status choose_tautomer(cardo_draft *draft, int r, cardo_nearby *near,
                                    cardo_error *error)
{
    double proton[2] = {0, 0}, pair[2] = {0, 0};
    char holder[2][64], why[96];
    const double good_bond = -10; /* kJ/mol: of a proton and an acceptor */
    const double reach = 0.6;     /* nm */
    for (int k = 0; k < 2; ++k)
        name_holder(draft, r, k, holder[k]);
    if ((holder[HID][0] != '\0') != (holder[HIE][0] != '\0')) {
        int held = holder[HID][0] ? HID : HIE;
        set_state(draft, r, 1 - held);
        snprintf(why, sizeof why, ": %s is held by %s", nitrogens[held].name, holder[held]);
        return note_state(draft, r, 1 - held, error, why, "");
    }
    for (int k = 0; k < 2; ++k) {
        cardo_vec3 place;
        if (!place_of_proton(&draft->residue[r], k, &place))
            continue;
        cardo_status status = cardo_nearby_collect(near, draft, place, reach, error);
        if (status != CARDO_OK)
            return status;
        proton[k] = energy_at(draft, r, near, place, 0.35);
        pair[k] = energy_at(draft, r, near, place, -0.35);
    }
    double hid = proton[HID] + pair[HIE], hie = proton[HIE] + pair[HID];
    int state = hid < hie - 1.0 ? HID : HIE;
    set_state(draft, r, state);
    return note_tautomer(draft, r, state, fabs(hid - hie),
                         proton[HID] < good_bond && proton[HIE] < good_bond, near, error);
}

cardo_status cardo_prepare_tautomers(cardo_draft *draft, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    cardo_nearby near = {0};
    for (int r = 0; r < draft->count && status == CARDO_OK; ++r) {
        const cardo_draft_residue *residue = &draft->residue[r];
        if (residue->component && strcmp(residue->component->name.text, "HIS") == 0 &&
            !residue->variant.text[0])
            status = choose_tautomer(draft, r, &near, error);
    }
    cardo_nearby_clear(&near);
    return status;
}
