/* Chain breaks: what is missing by the sequence, and closing those that can be closed. */
#include "base/memory.h"
#include "base/number.h"
#include "structure/prepare/geometry.h"
#include "structure/prepare/loop.h"

#include <stdio.h>
#include <string.h>

enum { MOST_NAMED = 8, REFUSALS = 2048 };

/* The residues that are missing at a break. */
typedef struct gap {
    int count;                    /* by the sequence, else by the numbers; 0: none, or unknown */
    const cardo_monomer *monomer; /* NULL: no sequence tells                                 */
} gap;

/* Index of the monomer that each residue of the file is, -1: none. */
static cardo_status find_monomers(const cardo_structure *s, int **out, cardo_error *error)
{
    cardo_status status = CARDO_ALLOCATE(out, s->nresidue, error);
    for (int r = 0; status == CARDO_OK && r < s->nresidue; ++r)
        (*out)[r] = -1;
    for (int m = 0; status == CARDO_OK && m < s->nmonomer; ++m)
        if (s->monomer[m].residue >= 0)
            (*out)[s->monomer[m].residue] = m;
    return status;
}

static const cardo_polymer *polymer_of(const cardo_structure *s, int monomer)
{
    for (int p = 0; monomer >= 0 && p < s->npolymer; ++p)
        if (monomer >= s->polymer[p].first && monomer < s->polymer[p].first + s->polymer[p].count)
            return &s->polymer[p];
    return NULL;
}

static gap find_gap(const cardo_draft *draft, const int *monomer_of, int r)
{
    const cardo_structure *s = draft->structure;
    const cardo_draft_residue *one = &draft->residue[r - 1], *other = &draft->residue[r];
    int before = monomer_of[one->source], after = monomer_of[other->source];
    const cardo_polymer *polymer = polymer_of(s, before);
    if (polymer && polymer == polymer_of(s, after) && after > before)
        return (gap){after - before - 1, &s->monomer[before + 1]};
    int by_number = other->number - one->number - 1;
    return (gap){by_number > 0 ? by_number : 0, NULL};
}

/* "GLY324 SER325": at most MOST_NAMED, from the right when they come before a chain. */
static void name_monomers(const cardo_monomer *monomer, int n, char *text, size_t size)
{
    text[0] = '\0';
    for (int k = 0; k < n && k < MOST_NAMED; ++k)
        cardo_append(text, size, "%s%s%d%.1s", k ? " " : "", monomer[k].name.text,
                     monomer[k].number, &monomer[k].insertion);
    if (n > MOST_NAMED)
        cardo_append(text, size, " and %d more", n - MOST_NAMED);
}

static double link_distance(const cardo_draft *draft, int r)
{
    const cardo_draft_residue *one = &draft->residue[r - 1], *other = &draft->residue[r];
    bool nucleic = one->component->kind == CARDO_COMPONENT_NUCLEIC;
    const cardo_draft_atom *a = cardo_draft_atom_called(one, nucleic ? "O3'" : "C");
    const cardo_draft_atom *b = cardo_draft_atom_called(other, nucleic ? "P" : "N");
    return a && b ? distance_of(a->position, b->position) / CARDO_ANGSTROM : -1;
}

static cardo_status note_break(cardo_draft *draft, int r, const gap *g, const char *what,
                               cardo_error *error)
{
    const cardo_draft_residue *one = &draft->residue[r - 1];
    char names[112] = "", missing[160] = "not bonded", apart[40] = "an atom of the link is missing";
    double distance = link_distance(draft, r);
    if (distance > 0)
        cardo_format(apart, sizeof apart, "%.2f A apart", distance);
    if (g->monomer)
        name_monomers(g->monomer, g->count, names, sizeof names);
    if (g->count > 0)
        snprintf(missing, sizeof missing, "%d residue%s missing%s%s%s", g->count,
                 g->count == 1 ? " is" : "s are", names[0] ? " (" : " by the numbers", names,
                 names[0] ? ")" : "");
    cardo_status status = cardo_draft_note(
        draft, CARDO_CHANGE_NOTED, r, NULL, error, "chain break after %s%d%.1s: %s, %s%s%s",
        one->name.text, one->number, &one->insertion, missing, apart, what[0] ? ": " : "", what);
    if (status == CARDO_OK && distance > 0)
        cardo_draft_measure(draft, "distance_A", distance);
    return status;
}

static const cardo_component *component_of(const cardo_draft *draft, const cardo_name *name)
{
    const cardo_modified *modified = cardo_modified_find(draft->components, name->text);
    const cardo_component *c =
        cardo_component_find(draft->components, modified ? modified->parent.text : name->text);
    return c && c->kind == CARDO_COMPONENT_PROTEIN ? c : NULL;
}

/* Why a break cannot be closed, or "". */
static void refuse(const cardo_draft *draft, int r, const gap *g, char why[128])
{
    why[0] = '\0';
    if (draft->residue[r].component->kind != CARDO_COMPONENT_PROTEIN)
        snprintf(why, 128, "only protein chains can be closed");
    else if (!g->monomer)
        snprintf(why, 128, "the file has no sequence that tells what is missing");
    else if (g->count == 0)
        snprintf(why, 128,
                 "nothing is missing between them, but they are not bonded: joining them "
                 "would move atoms of the file");
    else if (g->count > CARDO_MOST_CLOSED)
        snprintf(why, 128, "%d residues are too many to model: %d at most", g->count,
                 CARDO_MOST_CLOSED);
    for (int k = 0; !why[0] && k < g->count; ++k)
        if (g->monomer[k].residue >= 0 || !component_of(draft, &g->monomer[k].name))
            snprintf(why, 128, "%s%d cannot be built", g->monomer[k].name.text,
                     g->monomer[k].number);
}

static cardo_status insert_residue(cardo_draft *draft, int at, const cardo_monomer *monomer,
                                   const cardo_component *component, const cardo_vec3 *position,
                                   cardo_error *error)
{
    static const char *const names[] = {"N", "CA", "C"};
    const cardo_draft_residue *before = &draft->residue[at - 1];
    float b_factor = before->natom ? before->atom[0].b_factor : 0;
    cardo_draft_residue residue = {.component = component,
                                   .name = component->name,
                                   .chain = before->chain,
                                   .number = monomer->number,
                                   .insertion = monomer->insertion,
                                   .group = before->group,
                                   .source = -1,
                                   .linked = true,
                                   .bridge = -1};
    cardo_status status = cardo_draft_insert(draft, at, &residue, error);
    for (int k = 0; status == CARDO_OK && k < 3; ++k) {
        int i = cardo_component_atom_find(component, names[k]);
        cardo_draft_atom atom = {.name = component->atom[i].name,
                                 .element = component->atom[i].element,
                                 .position = position[k],
                                 .source = -1,
                                 .occupancy = 1,
                                 .b_factor = b_factor};
        cardo_draft_residue *to = &draft->residue[at];
        status = cardo_draft_add_atom(to, to->natom, &atom, error);
        if (status == CARDO_OK)
            status = cardo_draft_note(draft, CARDO_CHANGE_ADDED, at, &atom.name, error,
                                      "of a residue that closes a chain break");
    }
    return status;
}

/* Closes the break before *r, which moves after what is inserted, or tells why not. */
static cardo_status close_break(cardo_draft *draft, int *r, const gap *g, char why[128],
                                cardo_error *error)
{
    const cardo_component *component[CARDO_MOST_CLOSED];
    cardo_vec3 position[3 * CARDO_MOST_CLOSED];
    cardo_status status = CARDO_OK;
    bool found = false;
    refuse(draft, *r, g, why);
    for (int k = 0; !why[0] && k < g->count; ++k)
        component[k] = component_of(draft, &g->monomer[k].name);
    if (!why[0])
        CARDO_TRY(cardo_loop_find(draft, *r, g->count, component, position, &found, why, error));
    if (!found)
        goto done;
    CARDO_TRY(note_break(draft, *r, g, "closed, see to it that the model makes sense", error));
    draft->residue[*r - 1].last = draft->residue[*r].first = draft->residue[*r].broken = false;
    draft->residue[*r].linked = true;
    for (int k = 0; k < g->count; ++k, ++*r)
        CARDO_TRY(insert_residue(draft, *r, &g->monomer[k], component[k], position + 3 * k, error));
done:
    return status;
}

/* Are there n monomers from first on, none of them in the file? */
static bool all_missing(const cardo_structure *s, int first, int n)
{
    for (int m = first; m < first + n; ++m)
        if (s->monomer[m].residue >= 0)
            return false;
    return n > 0;
}

/* What a chain lacks before its first and after its last residue by its sequence. */
static cardo_status note_missing_ends(cardo_draft *draft, const int *monomer_of, cardo_error *error)
{
    const cardo_structure *s = draft->structure;
    cardo_status status = CARDO_OK;
    char names[112];
    for (int r = 0; r < draft->count; ++r) {
        int at = draft->residue[r].source < 0 ? -1 : monomer_of[draft->residue[r].source];
        const cardo_polymer *polymer = polymer_of(s, at);
        int before = polymer ? at - polymer->first : 0;
        int after = polymer ? polymer->first + polymer->count - 1 - at : 0;
        if (all_missing(s, at - before, before)) {
            name_monomers(s->monomer + at - before, before, names, sizeof names);
            CARDO_TRY(cardo_draft_note(draft, CARDO_CHANGE_NOTED, r, NULL, error,
                                       "%d residue%s before it by the sequence (%s): not built",
                                       before, before == 1 ? "" : "s", names));
        }
        if (all_missing(s, at + 1, after)) {
            name_monomers(s->monomer + at + 1, after, names, sizeof names);
            CARDO_TRY(cardo_draft_note(draft, CARDO_CHANGE_NOTED, r, NULL, error,
                                       "%d residue%s after it by the sequence (%s): not built",
                                       after, after == 1 ? "" : "s", names));
        }
    }
done:
    return status;
}

/* ACE begins and NME ends a chain: neither breaks it. */
static bool is_cap(const cardo_draft_residue *r, const char *name)
{
    return r->component->kind == CARDO_COMPONENT_CAP && strcmp(r->name.text, name) == 0;
}

static bool is_break(const cardo_draft *draft, int r)
{
    const cardo_draft_residue *other = &draft->residue[r];
    return other->broken && !is_cap(other - 1, "NME") && !is_cap(other, "ACE") &&
           other->source >= 0 && other[-1].source >= 0;
}

static void add_refusal(const cardo_draft *draft, int r, const char *why, char *text, size_t size)
{
    const cardo_draft_residue *one = &draft->residue[r - 1], *other = &draft->residue[r];
    cardo_append(text, size, "\n  %s:%s%d%.1s to %s%d%.1s: %s", one->chain.text, one->name.text,
                 one->number, &one->insertion, other->name.text, other->number, &other->insertion,
                 why);
}

/* One break: closed if that is wanted and can be, else noted. */
static cardo_status treat_break(cardo_draft *draft, int *r, const int *monomer_of, char *refusals,
                                cardo_error *error)
{
    const cardo_prepare_options *options = draft->options;
    cardo_status status = CARDO_OK;
    gap g = find_gap(draft, monomer_of, *r);
    char why[128] = "", what[160] = "";
    if (options->close_breaks) {
        CARDO_TRY(close_break(draft, r, &g, why, error));
        if (!why[0])
            goto done;
        if (!options->cap_breaks)
            add_refusal(draft, *r, why, refusals, REFUSALS);
        snprintf(what, sizeof what, "not closed, %s", why);
    }
    CARDO_TRY(note_break(draft, *r, &g, what, error));
done:
    return status;
}

cardo_status cardo_prepare_breaks(cardo_draft *draft, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    int *monomer_of = NULL;
    char refusals[REFUSALS] = "";
    CARDO_TRY(find_monomers(draft->structure, &monomer_of, error));
    CARDO_TRY(note_missing_ends(draft, monomer_of, error));
    for (int r = 1; r < draft->count; ++r)
        if (is_break(draft, r))
            CARDO_TRY(treat_break(draft, &r, monomer_of, refusals, error));
    if (refusals[0])
        status =
            CARDO_FAIL(error, CARDO_ERROR_INPUT,
                       "%s: chain breaks that cannot be closed:%s\nleave them open "
                       "(breaks=report), or cap those that cannot be closed (breaks=close,cap)",
                       draft->structure->source ? draft->structure->source : "structure", refusals);
done:
    cardo_free(monomer_of);
    return status;
}
