/* Covalent links that the file records between residues that stay: they take the place of hydrogens,
 * of a carboxylate's oxygen, or of chain ends. */
#include "base/memory.h"
#include "structure/prepare/draft.h"
#include "structure/prepare/geometry.h"

#include <string.h>

static const cardo_draft_atom *atom_of_source(const cardo_draft *draft, int atom, int *residue)
{
    *residue = cardo_draft_of_source(draft, draft->structure->atom_residue[atom]);
    for (int i = 0; *residue >= 0 && i < draft->residue[*residue].natom; ++i)
        if (draft->residue[*residue].atom[i].source == atom)
            return &draft->residue[*residue].atom[i];
    return NULL;
}

/* Disulfides are found for themselves. */
static bool is_disulfide(const cardo_draft *draft, const int residue[2],
                         const cardo_draft_atom *const atom[2])
{
    bool sulfurs = true;
    for (int k = 0; k < 2; ++k)
        sulfurs = sulfurs && strcmp(draft->residue[residue[k]].name.text, "CYS") == 0 &&
                  strcmp(atom[k]->name.text, "SG") == 0;
    return sulfurs;
}

/* Is the link one that the chain has anyway? */
static bool is_of_chain(const cardo_draft *draft, const int residue[2],
                        const cardo_draft_atom *const atom[2])
{
    for (int k = 0; k < 2; ++k)
        if (cardo_draft_linked_atom(draft, residue[k], atom[k]->name.text) == atom[1 - k])
            return true;
    return false;
}

/* A carbonyl carbon or an amide nitrogen that is bonded to something ends no chain. */
static void join_ends(cardo_draft_residue *residue, const cardo_draft_atom *atom)
{
    if (!residue->component || residue->component->kind != CARDO_COMPONENT_PROTEIN)
        return;
    if (strcmp(atom->name.text, "C") == 0)
        residue->last = false;
    if (strcmp(atom->name.text, "N") == 0)
        residue->first = false;
}

static cardo_status note_link(cardo_draft *draft, const int residue[2],
                              const cardo_draft_atom *const atom[2], cardo_error *error)
{
    const cardo_draft_residue *other = &draft->residue[residue[1]];
    char insertion[2] = {other->insertion, '\0'};
    bool peptide = (strcmp(atom[0]->name.text, "C") == 0 && strcmp(atom[1]->name.text, "N") == 0) ||
                   (strcmp(atom[0]->name.text, "N") == 0 && strcmp(atom[1]->name.text, "C") == 0);
    draft->topic = peptide ? CARDO_TOPIC_ENDS : CARDO_TOPIC_STATES;
    return cardo_draft_note(
        draft, CARDO_CHANGE_CHOSEN, residue[0], NULL, error,
        "%s is bonded to %s of %s:%s%d%s by the links of the file: %s", atom[0]->name.text,
        atom[1]->name.text, other->chain.text, other->name.text, other->number, insertion,
        peptide ? "no chain ends there"
                : "both lack the hydrogens of that, and a force field needs templates for them");
}

static cardo_status note_far(cardo_draft *draft, const int residue[2],
                             const cardo_draft_atom *const atom[2], cardo_error *error)
{
    const cardo_draft_residue *other = &draft->residue[residue[1]];
    char insertion[2] = {other->insertion, '\0'};
    draft->topic = CARDO_TOPIC_REVIEW;
    return cardo_draft_note(draft, CARDO_CHANGE_NOTED, residue[0], NULL, error,
                            "the file links its %s to %s of %s:%s%d%s, %.2f A away: too far for a "
                            "bond, none is made",
                            atom[0]->name.text, atom[1]->name.text, other->chain.text,
                            other->name.text, other->number, insertion,
                            distance_of(atom[0]->position, atom[1]->position) / CARDO_ANGSTROM);
}

cardo_status cardo_prepare_partners(cardo_draft *draft, cardo_error *error)
{
    const cardo_structure *s = draft->structure;
    if (s->nlink == 0)
        return CARDO_OK;
    cardo_status status = CARDO_ALLOCATE(&draft->partner, s->natom, error);
    if (status != CARDO_OK)
        return status;
    for (int i = 0; i < s->natom; ++i)
        draft->partner[i] = -1;
    for (int k = 0; k < s->nlink && status == CARDO_OK; ++k) {
        const int *end = s->link[k].atom;
        int residue[2];
        const cardo_draft_atom *atom[2] = {atom_of_source(draft, end[0], &residue[0]),
                                           atom_of_source(draft, end[1], &residue[1])};
        if (!atom[0] || !atom[1] || residue[0] == residue[1] || draft->partner[end[0]] >= 0 ||
            draft->partner[end[1]] >= 0 || is_disulfide(draft, residue, atom) ||
            is_of_chain(draft, residue, atom))
            continue;
        double most = cardo_element_longest_bond(atom[0]->element, atom[1]->element);
        if (distance_of(atom[0]->position, atom[1]->position) > most) {
            status = most > 0 ? note_far(draft, residue, atom, error) : CARDO_OK;
            continue;
        }
        draft->partner[end[0]] = end[1];
        draft->partner[end[1]] = end[0];
        for (int i = 0; i < 2; ++i)
            join_ends(&draft->residue[residue[i]], atom[i]);
        status = note_link(draft, residue, atom, error);
    }
    return status;
}
