/* Which residues are bonded along a chain, where chains end and break, and what ends them. */
#include "base/memory.h"
#include "structure/atoms/name_text.h"
#include "structure/prepare/draft.h"
#include "structure/prepare/geometry.h"

#include <stdio.h>
#include <string.h>

static const double longest_link = 0.25;     /* nm: as the bond graph has it        */
static const double carbonyl_length = 0.125; /* nm: of a carboxylate, Engh & Huber 1991 */
static const double peptide_length = 0.1329; /* nm: C-N, Engh & Huber 1991              */

static bool is_kind(const cardo_draft_residue *r, cardo_component_kind kind)
{
    return r->component && r->component->kind == kind;
}

static bool is_polymer(const cardo_draft_residue *r)
{
    return r->component && r->component->kind != CARDO_COMPONENT_WATER;
}

/* Distance of the atoms that would link two residues; beyond any link when one is missing. */
static double link_distance(const cardo_draft_residue *one, const cardo_draft_residue *other)
{
    bool nucleic = is_kind(one, CARDO_COMPONENT_NUCLEIC);
    const cardo_draft_atom *a = cardo_draft_atom_called(one, nucleic ? "O3'" : "C");
    const cardo_draft_atom *b = cardo_draft_atom_called(other, nucleic ? "P" : "N");
    return a && b ? distance_of(a->position, b->position) : 1e9;
}

/* May this residue follow that one in a chain, if they are near? */
static bool can_follow(const cardo_draft_residue *one, const cardo_draft_residue *other)
{
    return is_polymer(one) && is_polymer(other) && one->group == other->group &&
           is_kind(one, CARDO_COMPONENT_NUCLEIC) == is_kind(other, CARDO_COMPONENT_NUCLEIC);
}

/* The atoms without which a residue tells too little to build from; NULL: it has them. */
static const char *lacks_backbone(const cardo_draft_residue *r)
{
    static const char *const protein[] = {"N", "CA", "C", NULL}, *const nucleic[] = {"C1'", "C3'",
                                                                                     "C4'", NULL};
    const char *const *needed = is_kind(r, CARDO_COMPONENT_PROTEIN)   ? protein
                                : is_kind(r, CARDO_COMPONENT_NUCLEIC) ? nucleic
                                                                      : NULL;
    for (; needed && *needed; ++needed)
        if (cardo_draft_find(r, *needed) < 0)
            return *needed;
    return NULL;
}

static cardo_status remove_residue(cardo_draft *draft, int r, const char *reason,
                                   cardo_error *error)
{
    cardo_status status = cardo_draft_note_source(draft, CARDO_CHANGE_DROPPED,
                                                  draft->residue[r].source, -1, reason, error);
    if (status != CARDO_OK)
        return status;
    cardo_free(draft->residue[r].atom);
    --draft->count;
    memmove(draft->residue + r, draft->residue + r + 1,
            (size_t)(draft->count - r) * sizeof *draft->residue);
    return CARDO_OK;
}

static cardo_status drop_incomplete(cardo_draft *draft, cardo_error *error)
{
    for (int r = draft->count - 1; r >= 0; --r) {
        const char *atom = lacks_backbone(&draft->residue[r]);
        if (!atom)
            continue;
        char reason[128];
        snprintf(reason, sizeof reason,
                 "without %s there is too little to build from: it is left out and leaves a gap",
                 atom);
        cardo_status status = remove_residue(draft, r, reason, error);
        if (status != CARDO_OK)
            return status;
    }
    return CARDO_OK;
}

/* Force fields have no template for a first nucleotide with a phosphate. */
static cardo_status drop_first_phosphates(cardo_draft *draft, cardo_error *error)
{
    static const char *const phosphate[] = {"P", "OP1", "OP2", "OP3"};
    for (int r = 0; r < draft->count; ++r) {
        cardo_draft_residue *residue = &draft->residue[r];
        if (!is_kind(residue, CARDO_COMPONENT_NUCLEIC) || !residue->first)
            continue;
        for (int k = 0; k < 4; ++k) {
            int at = cardo_draft_find(residue, phosphate[k]);
            if (at < 0)
                continue;
            cardo_status status =
                cardo_draft_note(draft, CARDO_CHANGE_DROPPED, r, &residue->atom[at].name, error,
                                 "5' phosphate, for which force fields have no template");
            if (status != CARDO_OK)
                return status;
            cardo_draft_remove_atom(residue, at);
        }
    }
    return CARDO_OK;
}

static void find_links(cardo_draft *draft)
{
    for (int r = 0; r < draft->count; ++r) {
        cardo_draft_residue *other = &draft->residue[r], *one = r ? other - 1 : NULL;
        if (!is_polymer(other))
            continue;
        other->first = other->last = true;
        if (!one || one->free || other->free || !can_follow(one, other))
            continue;
        other->linked = link_distance(one, other) <= longest_link;
        other->first = other->broken = !other->linked;
        one->last = !other->linked;
    }
}

cardo_status cardo_prepare_links(cardo_draft *draft, cardo_error *error)
{
    draft->topic = CARDO_TOPIC_LEFT_OUT;
    cardo_status status = drop_incomplete(draft, error);
    if (status != CARDO_OK)
        return status;
    find_links(draft);
    draft->topic = CARDO_TOPIC_ENDS;
    return drop_first_phosphates(draft, error);
}

static cardo_draft_atom built_atom(const char *name, int element, cardo_vec3 position,
                                   const cardo_draft_atom *like)
{
    cardo_draft_atom atom = {.element = (unsigned char)element,
                             .position = position,
                             .source = -1,
                             .occupancy = 1,
                             .b_factor = like->b_factor};
    name_set(&atom.name, name, (int)strlen(name));
    return atom;
}

/* Where the carbonyl of a last residue has its third neighbour: in its plane, opposite the others.
 */
static cardo_vec3 beyond_carbonyl(const cardo_draft_residue *r, double length)
{
    const cardo_draft_atom *c = cardo_draft_atom_called(r, "C");
    cardo_vec3 others[2] = {cardo_draft_atom_called(r, "CA")->position,
                            cardo_draft_atom_called(r, "O")->position};
    return v3_add_scaled(c->position, -length, v3_unit(sum_of_directions(c->position, 2, others)));
}

static cardo_status add_terminal_oxygen(cardo_draft *draft, int r, cardo_error *error)
{
    cardo_draft_residue *residue = &draft->residue[r];
    const cardo_draft_atom *c = cardo_draft_atom_called(residue, "C");
    cardo_draft_atom oxygen = built_atom("OXT", 8, beyond_carbonyl(residue, carbonyl_length), c);
    cardo_status status = cardo_draft_add_atom(residue, residue->natom, &oxygen, error);
    if (status == CARDO_OK)
        status = cardo_draft_note(draft, CARDO_CHANGE_ADDED, r, &oxygen.name, error,
                                  "carboxylate of a chain end");
    return status;
}

/* Is the number free beside a residue? Else its caps get an insertion code. */
static void number_cap(const cardo_draft *draft, int beside, int step, cardo_draft_residue *cap)
{
    const cardo_draft_residue *of = &draft->residue[beside];
    int neighbour = beside + step;
    cap->number = of->number + step;
    cap->insertion = '\0';
    bool taken = neighbour >= 0 && neighbour < draft->count &&
                 draft->residue[neighbour].group == of->group &&
                 draft->residue[neighbour].number == cap->number;
    if (taken || cap->number < -999) {
        cap->number = of->number;
        cap->insertion = step < 0 ? 'Y' : 'Z';
    }
}

static cardo_status insert_cap(cardo_draft *draft, int beside, const char *name, int step,
                               cardo_error *error)
{
    const cardo_draft_residue *of = &draft->residue[beside];
    cardo_draft_residue cap = {.component = cardo_component_find(draft->components, name),
                               .chain = of->chain,
                               .group = of->group,
                               .source = -1,
                               .first = step<0, .last = step> 0,
                               .linked = step > 0,
                               .bridge = -1};
    if (!cap.component)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT, "components.xml has no cap %s", name);
    cap.name = cap.component->name;
    number_cap(draft, beside, step, &cap);
    return cardo_draft_insert(draft, step > 0 ? beside + 1 : beside, &cap, error);
}

static cardo_status add_cap_atoms(cardo_draft *draft, int r, int n, const char *const *names,
                                  const cardo_vec3 *positions, const cardo_draft_atom *like,
                                  cardo_error *error)
{
    for (int k = 0; k < n; ++k) {
        int element = names[k][0] == 'C' ? 6 : names[k][0] == 'N' ? 7 : 8;
        cardo_draft_atom atom = built_atom(names[k], element, positions[k], like);
        cardo_draft_residue *cap = &draft->residue[r];
        cardo_status status = cardo_draft_add_atom(cap, cap->natom, &atom, error);
        if (status == CARDO_OK)
            status = cardo_draft_note(draft, CARDO_CHANGE_ADDED, r, &atom.name, error,
                                      "the cap %s of a chain end", cap->name.text);
        if (status != CARDO_OK)
            return status;
    }
    return CARDO_OK;
}

static cardo_status cap_last(cardo_draft *draft, int r, cardo_error *error)
{
    static const char *const names[] = {"N", "C"};
    cardo_draft_residue *residue = &draft->residue[r];
    int oxygen = cardo_draft_find(residue, "OXT");
    cardo_status status = CARDO_OK;
    if (oxygen >= 0) {
        CARDO_TRY(cardo_draft_note(draft, CARDO_CHANGE_DROPPED, r, &residue->atom[oxygen].name,
                                   error, "gives place to the cap NME"));
        cardo_draft_remove_atom(residue, oxygen);
    }
    const cardo_draft_atom *c = cardo_draft_atom_called(residue, "C"),
                           *ca = cardo_draft_atom_called(residue, "CA");
    cardo_draft_atom like = *c;
    cardo_vec3 position[2];
    position[0] = beyond_carbonyl(residue, peptide_length);
    position[1] = point_by_torsion(position[0], c->position, ca->position, 0.145,
                                   122.0 * CARDO_DEGREE, CARDO_PI);
    residue->last = false;
    CARDO_TRY(insert_cap(draft, r, "NME", 1, error));
    CARDO_TRY(add_cap_atoms(draft, r + 1, 2, names, position, &like, error));
done:
    return status;
}

/* The torsion about N-CA at which ACE is farthest from everything else. */
static double roomiest_torsion(const cardo_draft *draft, int r, cardo_vec3 n, cardo_vec3 ca,
                               cardo_vec3 c)
{
    double best = 0, best_room = -1;
    for (int degrees = -180; degrees < 180; degrees += 15) {
        cardo_vec3 carbonyl = point_by_torsion(n, ca, c, peptide_length, 121.7 * CARDO_DEGREE,
                                               degrees * CARDO_DEGREE);
        cardo_vec3 methyl =
            point_by_torsion(carbonyl, n, ca, 0.1503, 116.6 * CARDO_DEGREE, CARDO_PI);
        cardo_vec3 oxygen = point_by_torsion(carbonyl, n, ca, 0.1231, 123.0 * CARDO_DEGREE, 0);
        double room = 1e9;
        for (int k = 0; k < draft->count; ++k)
            for (int i = 0; i < draft->residue[k].natom; ++i) {
                const cardo_draft_atom *atom = &draft->residue[k].atom[i];
                if (k == r &&
                    (strcmp(atom->name.text, "N") == 0 || strcmp(atom->name.text, "CA") == 0))
                    continue;
                room = fmin(room, distance_of(atom->position, methyl));
                room = fmin(room, distance_of(atom->position, oxygen));
                room = fmin(room, distance_of(atom->position, carbonyl));
            }
        if (room > best_room) {
            best_room = room;
            best = degrees * CARDO_DEGREE;
        }
    }
    return best;
}

static cardo_status cap_first(cardo_draft *draft, int r, cardo_error *error)
{
    static const char *const names[] = {"CH3", "C", "O"};
    cardo_draft_residue *residue = &draft->residue[r];
    cardo_vec3 n = cardo_draft_atom_called(residue, "N")->position,
               ca = cardo_draft_atom_called(residue, "CA")->position,
               c = cardo_draft_atom_called(residue, "C")->position;
    cardo_draft_atom like = *cardo_draft_atom_called(residue, "N");
    double phi = roomiest_torsion(draft, r, n, ca, c);
    cardo_vec3 position[3];
    position[1] = point_by_torsion(n, ca, c, peptide_length, 121.7 * CARDO_DEGREE, phi);
    position[0] = point_by_torsion(position[1], n, ca, 0.1503, 116.6 * CARDO_DEGREE, CARDO_PI);
    position[2] = point_by_torsion(position[1], n, ca, 0.1231, 123.0 * CARDO_DEGREE, 0);
    bool broken = residue->broken;
    residue->first = residue->broken = false;
    residue->linked = true;
    cardo_status status = insert_cap(draft, r, "ACE", -1, error);
    if (status == CARDO_OK)
        draft->residue[r].broken = broken;
    if (status == CARDO_OK)
        status = add_cap_atoms(draft, r, 3, names, position, &like, error);
    return status;
}

/* Is an end of a polymer inside a chain of the file? */
static bool is_break(const cardo_draft *draft, int r, int step)
{
    int neighbour = r + step;
    return neighbour >= 0 && neighbour < draft->count &&
           (step > 0 ? can_follow(&draft->residue[r], &draft->residue[neighbour])
                     : can_follow(&draft->residue[neighbour], &draft->residue[r]));
}

static bool wants_cap(const cardo_draft *draft, int r, int step)
{
    if (draft->residue[r].free)
        return false;
    return is_break(draft, r, step) ? draft->options->cap_breaks : draft->options->cap_ends;
}

static cardo_status end_chain(cardo_draft *draft, int *r, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    bool cap_after = wants_cap(draft, *r, 1), cap_before = wants_cap(draft, *r, -1);
    if (draft->residue[*r].last) {
        if (cap_after)
            CARDO_TRY(cap_last(draft, *r, error));
        else if (cardo_draft_find(&draft->residue[*r], "OXT") < 0)
            CARDO_TRY(add_terminal_oxygen(draft, *r, error));
    }
    if (draft->residue[*r].first && cap_before) {
        CARDO_TRY(cap_first(draft, *r, error));
        ++*r;
    }
done:
    return status;
}

/* Pieces of chains that are one amino acid: force fields have no template for them. Ligands stay. */
cardo_status cardo_prepare_lone(cardo_draft *draft, cardo_error *error)
{
    for (int r = draft->count - 1; r >= 0; --r) {
        const cardo_draft_residue *residue = &draft->residue[r];
        if (!is_kind(residue, CARDO_COMPONENT_PROTEIN) || residue->free || !residue->first ||
            !residue->last || wants_cap(draft, r, 1) || wants_cap(draft, r, -1))
            continue;
        cardo_status status =
            remove_residue(draft, r,
                           "a single amino acid, for which force fields have no template "
                           "(cap=all or breaks=cap keeps it, capped)",
                           error);
        if (status != CARDO_OK)
            return status;
    }
    return CARDO_OK;
}

static cardo_status drop_inner_terminal_oxygen(cardo_draft *draft, int r, cardo_error *error)
{
    cardo_draft_residue *residue = &draft->residue[r];
    int at = cardo_draft_find(residue, "OXT");
    if (at < 0)
        return CARDO_OK;
    cardo_status status = cardo_draft_note(draft, CARDO_CHANGE_DROPPED, r, &residue->atom[at].name,
                                           error, "the residue is bonded to the next one");
    cardo_draft_remove_atom(residue, at);
    return status;
}

cardo_status cardo_prepare_ends(cardo_draft *draft, cardo_error *error)
{
    for (int r = 0; r < draft->count; ++r) {
        if (!is_kind(&draft->residue[r], CARDO_COMPONENT_PROTEIN))
            continue;
        cardo_status status = CARDO_OK;
        if (!draft->residue[r].last)
            status = drop_inner_terminal_oxygen(draft, r, error);
        if (status == CARDO_OK && (draft->residue[r].first || draft->residue[r].last))
            status = end_chain(draft, &r, error);
        if (status != CARDO_OK)
            return status;
    }
    return CARDO_OK;
}
