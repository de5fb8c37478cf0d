/* What the user should look at: nothing is done about it. */
#include "structure/prepare/geometry.h"
#include "structure/prepare/nearby.h"

#include <stdio.h>
#include <string.h>

static cardo_vec3 position_of(const cardo_draft_residue *r, const char *name, bool *there)
{
    const cardo_draft_atom *atom = cardo_draft_atom_called(r, name);
    *there = *there && atom;
    return atom ? atom->position : v3(0, 0, 0);
}

/* Bonds of the file to what is left out: metals, sugars, ligands. */
static cardo_status look_at_links(cardo_draft *draft, cardo_error *error)
{
    const cardo_structure *s = draft->structure;
    for (int k = 0; k < s->nlink; ++k)
        for (int side = 0; side < 2; ++side) {
            int here = s->link[k].atom[side], there = s->link[k].atom[1 - side];
            int r = cardo_draft_of_source(draft, s->atom_residue[here]);
            if (r < 0 || cardo_draft_of_source(draft, s->atom_residue[there]) >= 0)
                continue;
            char label[40];
            cardo_status status = cardo_draft_note(
                draft, CARDO_CHANGE_NOTED, r, NULL, error,
                "%s is bonded to %s of %s, which was left out", s->atom_name[here].text,
                s->atom_name[there].text, cardo_residue_label(s, s->atom_residue[there], label));
            if (status != CARDO_OK)
                return status;
        }
    return CARDO_OK;
}

/* Atoms of the draft that hold a metal at this place, as words; how many they are. */
static int name_holders(const cardo_draft *draft, cardo_vec3 metal, cardo_nearby *near, char *text,
                        size_t size, cardo_error *error)
{
    const double longest = 0.28; /* nm */
    int n = 0;
    size_t used = 0;
    text[0] = '\0';
    if (cardo_nearby_collect(near, draft, metal, longest, error) != CARDO_OK)
        return 0;
    for (int k = 0; k < near->count && used < size; ++k) {
        const cardo_draft_residue *r = &draft->residue[near->atom[k].residue];
        int element = near->atom[k].element;
        if (!r->component || (element != 7 && element != 8 && element != 16))
            continue;
        used +=
            (size_t)snprintf(text + used, size - used, "%s%s:%s%d %s", n ? ", " : "", r->chain.text,
                             r->name.text, r->number, r->atom[near->atom[k].atom].name.text);
        ++n;
    }
    return n;
}

/* Metals that are left out although the protein holds them: their place falls apart. */
static cardo_status look_at_metals(cardo_draft *draft, cardo_nearby *near, cardo_error *error)
{
    const cardo_structure *s = draft->structure;
    for (int r = 0; r < s->nresidue; ++r) {
        int atom = s->residue_first[r];
        char holders[160], words[200];
        if (s->residue_first[r + 1] - atom != 1 || s->element[atom] < 11 ||
            cardo_draft_of_source(draft, r) >= 0)
            continue;
        cardo_vec3 at = v3_load(s->position + 3 * (size_t)atom);
        if (name_holders(draft, at, near, holders, sizeof holders, error) < 2)
            continue;
        snprintf(words, sizeof words, "left out, though it is held by %s", holders);
        cardo_status status =
            cardo_draft_note_source(draft, CARDO_CHANGE_NOTED, r, -1, words, error);
        if (status != CARDO_OK)
            return status;
    }
    return CARDO_OK;
}

/* Signed volume of a centre and three of its neighbours, nm3; 0 when one is missing. */
static double volume_of(const cardo_draft_residue *r, const char *const names[4])
{
    bool there = true;
    cardo_vec3 p[4];
    for (int k = 0; k < 4; ++k)
        p[k] = position_of(r, names[k], &there);
    return there ? v3_dot(v3_sub(p[1], p[0]), v3_cross(v3_sub(p[2], p[0]), v3_sub(p[3], p[0]))) : 0;
}

static cardo_status look_at_chirality(cardo_draft *draft, int r, cardo_error *error)
{
    static const struct {
        const char *residue, *atoms[4];
    } centres[] = {
        {NULL, {"CA", "N", "C", "CB"}},
        {"THR", {"CB", "CA", "OG1", "CG2"}},
        {"ILE", {"CB", "CA", "CG1", "CG2"}},
    };
    const cardo_draft_residue *residue = &draft->residue[r];
    for (int k = 0; k < 3; ++k) {
        if (centres[k].residue && strcmp(centres[k].residue, residue->name.text) != 0)
            continue;
        if (volume_of(residue, centres[k].atoms) >= 0)
            continue;
        cardo_status status = cardo_draft_note(draft, CARDO_CHANGE_NOTED, r, NULL, error,
                                               "%s has the mirror image of what an L residue has",
                                               centres[k].atoms[0]);
        if (status != CARDO_OK)
            return status;
    }
    return CARDO_OK;
}

static cardo_status look_at_peptide(cardo_draft *draft, int r, cardo_error *error)
{
    const cardo_draft_residue *one = &draft->residue[r - 1], *other = &draft->residue[r];
    bool there = true;
    cardo_vec3 ca = position_of(one, "CA", &there), c = position_of(one, "C", &there),
               n = position_of(other, "N", &there), next = position_of(other, "CA", &there);
    if (!there || !other->linked)
        return CARDO_OK;
    double length = distance_of(c, n) / CARDO_ANGSTROM;
    double omega = torsion_of(ca, c, n, next) / CARDO_DEGREE;
    cardo_status status = CARDO_OK;
    if (length > 1.6 || length < 1.15)
        status = cardo_draft_note(draft, CARDO_CHANGE_NOTED, r, NULL, error,
                                  "its peptide bond to %s%d is %.2f A long instead of 1.33 A",
                                  one->name.text, one->number, length);
    if (status == CARDO_OK && fabs(omega) < 30 && strcmp(other->name.text, "PRO") != 0)
        status = cardo_draft_note(draft, CARDO_CHANGE_NOTED, r, NULL, error,
                                  "cis peptide with %s%d (omega %.0f degrees)", one->name.text,
                                  one->number, omega);
    else if (status == CARDO_OK && fabs(omega) >= 30 && fabs(omega) < 140)
        status = cardo_draft_note(draft, CARDO_CHANGE_NOTED, r, NULL, error,
                                  "twisted peptide with %s%d (omega %.0f degrees)", one->name.text,
                                  one->number, omega);
    return status;
}

/* The amide of asparagine or glutamine. */
typedef struct amide {
    const char *residue, *centre, *before, *oxygen, *nitrogen, *hydrogen[2];
} amide;

static const amide amides[] = {
    {"ASN", "CG", "CB", "OD1", "ND2", {"HD21", "HD22"}},
    {"GLN", "CD", "CG", "OE1", "NE2", {"HE21", "HE22"}},
};

/* Energy (kJ/mol, about) of the group's atoms with the other residues. */
static double group_energy(const cardo_nearby *near, int residue, const cardo_vec3 at[4])
{
    static const double charge[4] = {-0.6, -0.9, 0.42, 0.42};
    static const int element[4] = {8, 7, CARDO_HYDROGEN, CARDO_HYDROGEN};
    double energy = 0;
    for (int k = 0; k < near->count; ++k)
        for (int i = 0; i < 4 && near->atom[k].residue != residue; ++i) {
            double d = distance_of(near->atom[k].position, at[i]);
            bool clash = element[i] != CARDO_HYDROGEN || near->atom[k].charge >= 0;
            energy += d < 0.5 ? 138.9 / 4 * charge[i] * near->atom[k].charge / fmax(d, 0.15) : 0;
            energy += clash ? 0.3 * cardo_clash_cost(element[i], near->atom[k].element, d) : 0;
        }
    return energy;
}

/* Crystallography tells nitrogen and oxygen of an amide apart only by what is around. */
static cardo_status look_at_amide(cardo_draft *draft, int r, cardo_nearby *near, cardo_error *error)
{
    const cardo_draft_residue *residue = &draft->residue[r];
    const amide *a = strcmp(residue->name.text, "ASN") == 0 ? &amides[0] : &amides[1];
    const double worth_telling = 30; /* kJ/mol */
    bool there = strcmp(residue->name.text, a->residue) == 0;
    cardo_vec3 centre = position_of(residue, a->centre, &there),
               before = position_of(residue, a->before, &there), now[4], turned[4];
    now[0] = position_of(residue, a->oxygen, &there);
    now[1] = position_of(residue, a->nitrogen, &there);
    for (int k = 0; k < 2; ++k)
        now[2 + k] = position_of(residue, a->hydrogen[k], &there);
    if (!there || cardo_draft_atom_called(residue, a->oxygen)->source < 0)
        return CARDO_OK;
    cardo_mat33 half_turn = m33_rotation(v3_unit(v3_sub(centre, before)), CARDO_PI);
    for (int k = 0; k < 4; ++k)
        turned[k] = v3_add(centre, m33_mul_v3(half_turn, v3_sub(now[k], centre)));
    cardo_status status = cardo_nearby_collect(near, draft, centre, 0.8, error);
    if (status != CARDO_OK)
        return status;
    double gain = group_energy(near, r, now) - group_energy(near, r, turned);
    if (gain < worth_telling)
        return CARDO_OK;
    return cardo_draft_note(draft, CARDO_CHANGE_NOTED, r, NULL, error,
                            "%s and %s fit what is around better when exchanged (turned by 180 "
                            "degrees); they were left as they are",
                            a->oxygen, a->nitrogen);
}

static cardo_status look_at_occupancies(cardo_draft *draft, int r, cardo_error *error)
{
    const cardo_draft_residue *residue = &draft->residue[r];
    int zero = 0;
    for (int i = 0; i < residue->natom; ++i)
        zero += residue->atom[i].source >= 0 && residue->atom[i].occupancy <= 0 &&
                residue->atom[i].element != CARDO_HYDROGEN;
    if (zero == 0)
        return CARDO_OK;
    return cardo_draft_note(draft, CARDO_CHANGE_NOTED, r, NULL, error,
                            "%d atom%s with occupancy 0: a guess of the crystallographer's", zero,
                            zero == 1 ? "" : "s");
}

cardo_status cardo_prepare_review(cardo_draft *draft, cardo_error *error)
{
    cardo_nearby near = {0};
    cardo_status status = CARDO_OK;
    CARDO_TRY(look_at_links(draft, error));
    CARDO_TRY(look_at_metals(draft, &near, error));
    for (int r = 0; r < draft->count; ++r) {
        const cardo_draft_residue *residue = &draft->residue[r];
        if (!residue->component || residue->component->kind != CARDO_COMPONENT_PROTEIN)
            continue;
        CARDO_TRY(look_at_chirality(draft, r, error));
        if (r > 0)
            CARDO_TRY(look_at_peptide(draft, r, error));
        CARDO_TRY(look_at_amide(draft, r, &near, error));
        CARDO_TRY(look_at_occupancies(draft, r, error));
    }
done:
    cardo_nearby_clear(&near);
    return status;
}
