/* What of a structure is kept, and under which names. */
#include "structure/atoms/residue.h"
#include "structure/prepare/draft.h"

#include <stdio.h>
#include <string.h>

static const double longest_link = 0.25; /* nm: as the bond graph has it */

static double between(const cardo_structure *s, int a, int b)
{
    return v3_norm(
        v3_sub(v3_load(s->position + 3 * (size_t)a), v3_load(s->position + 3 * (size_t)b)));
}

/* Are two residues that follow each other bonded by a peptide or a phosphodiester? */
static bool are_linked(const cardo_structure *s, int one, int other)
{
    static const char *const links[][2] = {{"C", "N"}, {"O3'", "P"}};
    if (one < 0 || other >= s->nresidue || s->residue_chain[one] != s->residue_chain[other])
        return false;
    for (int k = 0; k < 2; ++k) {
        int a = cardo_structure_find_atom(s, one, links[k][0]);
        int b = cardo_structure_find_atom(s, other, links[k][1]);
        if (a >= 0 && b >= 0 && between(s, a, b) <= longest_link)
            return true;
    }
    return false;
}

static bool is_listed(const char *list, const char *id)
{
    size_t n = strlen(id);
    while (list) {
        size_t length = strcspn(list, ",");
        if (length == n && strncmp(list, id, n) == 0)
            return true;
        list = list[length] ? list + length + 1 : NULL;
    }
    return false;
}

/* What a residue is to a simulation. */
typedef struct choice {
    const cardo_component *component;
    const cardo_modified *modified;
    const char *reason; /* to leave it out, or NULL */
    bool free;          /* a kept molecule that is no part of a chain */
} choice;

static bool is_ion(const cardo_structure *s, int r)
{
    return s->residue_first[r + 1] - s->residue_first[r] == 1;
}

static const char *reason_of_other(const cardo_draft *draft, int r, bool in_chain)
{
    const cardo_structure *s = draft->structure;
    const cardo_prepare_options *options = draft->options;
    if (in_chain)
        return options->keep_modified ? NULL
                                      : "modified residue without a known standard parent: it is "
                                        "left out and leaves a gap";
    if (is_ion(s, r))
        return options->keep_ions ? NULL : "ion (keep=ions keeps them)";
    return options->keep_ligands ? NULL : "ligand (keep=ligands keeps them)";
}

/* Files of before 2007 call DNA's residues as RNA's: a sugar without its hydroxyl tells. */
static const cardo_component *true_nucleotide(const cardo_draft *draft, int r,
                                              const cardo_component *component)
{
    static const char *const names[][2] = {{"A", "DA"}, {"C", "DC"}, {"G", "DG"}};
    const cardo_structure *s = draft->structure;
    if (!component || component->kind != CARDO_COMPONENT_NUCLEIC ||
        cardo_structure_find_atom(s, r, "C2'") < 0 || cardo_structure_find_atom(s, r, "O2'") >= 0)
        return component;
    for (int k = 0; k < 3; ++k)
        if (strcmp(component->name.text, names[k][0]) == 0)
            return cardo_component_find(draft->components, names[k][1]);
    return component;
}

/* An amino acid that is no part of a chain has a component to be completed by: both of its ends are charged. */
static bool is_free_amino_acid(const choice *c, const cardo_structure *s, int r)
{
    return c->component && !c->modified && c->component->kind == CARDO_COMPONENT_PROTEIN &&
           cardo_structure_find_atom(s, r, "N") >= 0 && cardo_structure_find_atom(s, r, "C") >= 0;
}

static choice choose(const cardo_draft *draft, int r)
{
    const cardo_structure *s = draft->structure;
    const cardo_prepare_options *options = draft->options;
    choice c = {.component = cardo_component_find(draft->components, s->residue_name[r].text)};
    bool in_chain = are_linked(s, r - 1, r) || are_linked(s, r, r + 1);
    c.component = true_nucleotide(draft, r, c.component);
    if (options->chains && !is_listed(options->chains, s->chain_id[s->residue_chain[r]].text)) {
        c.reason = "chain that was not asked for";
        return c;
    }
    if (!c.component && !options->keep_modified) {
        c.modified = cardo_modified_find(draft->components, s->residue_name[r].text);
        if (c.modified && (in_chain || !s->hetero[r]))
            c.component = cardo_component_find(draft->components, c.modified->parent.text);
        else
            c.modified = NULL;
    }
    if (c.component && c.component->kind == CARDO_COMPONENT_WATER) {
        c.reason = options->keep_water ? NULL : "water (keep=water keeps it)";
    } else if (!c.component || (s->hetero[r] && !in_chain)) {
        c.reason = reason_of_other(draft, r, in_chain);
        c.free = !in_chain;
        if (c.reason || !is_free_amino_acid(&c, s, r))
            c.component = NULL;
    } else if (c.component->kind == CARDO_COMPONENT_NUCLEIC && options->drop_nucleic) {
        c.reason = "nucleic acid, which was not wanted";
    }
    return c;
}

static bool is_rebuilt(const cardo_modified *modified, const char *atom)
{
    for (int k = 0; modified && k < modified->nrebuild; ++k)
        if (strcmp(modified->rebuild[k].text, atom) == 0)
            return true;
    return false;
}

static cardo_name standard_name(const cardo_modified *modified, cardo_name name)
{
    for (int k = 0; modified && k < modified->nrename; ++k)
        if (strcmp(modified->rename[k][0].text, name.text) == 0)
            return modified->rename[k][1];
    return name;
}

static bool belongs(const cardo_component *component, const char *name)
{
    return cardo_component_atom_find(component, name) >= 0 ||
           cardo_component_hydrogen_find(component, name) >= 0 ||
           (component->kind == CARDO_COMPONENT_PROTEIN && strcmp(name, "OXT") == 0);
}

/* Atoms of modified residues are that topic's, others are oddities of the file's names. */
static void set_topic(cardo_draft *draft, const choice *c)
{
    draft->topic = c->modified ? CARDO_TOPIC_MODIFIED : CARDO_TOPIC_NAMES;
}

static cardo_status take_atom(cardo_draft *draft, int i, const choice *c, cardo_error *error)
{
    const cardo_structure *s = draft->structure;
    cardo_draft_residue *residue = &draft->residue[draft->count - 1];
    cardo_draft_atom atom = {.name = standard_name(c->modified, s->atom_name[i]),
                             .element = s->element[i],
                             .position = v3_load(s->position + 3 * (size_t)i),
                             .source = i,
                             .occupancy = s->occupancy[i],
                             .b_factor = s->b_factor[i]};
    bool rebuilt = is_rebuilt(c->modified, s->atom_name[i].text);
    if (c->component && (rebuilt || !belongs(c->component, atom.name.text))) {
        char reason[128];
        snprintf(reason, sizeof reason,
                 rebuilt ? "in a ring that %s has not: built anew"
                 : cardo_is_deuterium(atom.element, atom.name.text)
                     ? "deuterium for which no hydrogen of %s is free"
                     : "not part of %s",
                 c->component->name.text);
        return cardo_draft_note_source(draft, rebuilt ? CARDO_CHANGE_MOVED : CARDO_CHANGE_DROPPED,
                                       s->atom_residue[i], i, reason, error);
    }
    if (strcmp(atom.name.text, s->atom_name[i].text) != 0) {
        int k = cardo_component_atom_find(c->component, atom.name.text);
        atom.element = c->component->atom[k].element;
        char reason[128];
        snprintf(reason, sizeof reason, "stands for %s of %s", atom.name.text,
                 c->component->name.text);
        cardo_status status = cardo_draft_note_source(draft, CARDO_CHANGE_RENAMED,
                                                      s->atom_residue[i], i, reason, error);
        if (status != CARDO_OK)
            return status;
    }
    return cardo_draft_add_atom(residue, residue->natom, &atom, error);
}

static cardo_status take_residue(cardo_draft *draft, int r, const choice *c, cardo_error *error)
{
    const cardo_structure *s = draft->structure;
    cardo_status status = CARDO_OK;
    cardo_draft_residue residue = {.component = c->component,
                                   .name = c->component ? c->component->name : s->residue_name[r],
                                   .chain = s->chain_id[s->residue_chain[r]],
                                   .number = s->residue_number[r],
                                   .insertion = s->insertion[r],
                                   .hetero = s->hetero[r] && !c->modified,
                                   .free = c->free,
                                   .group = s->residue_chain[r],
                                   .source = r,
                                   .bridge = -1};
    CARDO_TRY(cardo_draft_insert(draft, draft->count, &residue, error));
    set_topic(draft, c);
    if (c->modified) {
        char reason[128];
        snprintf(reason, sizeof reason, "modified residue becomes its parent %s",
                 c->component->name.text);
        CARDO_TRY(cardo_draft_note_source(draft, CARDO_CHANGE_RENAMED, r, -1, reason, error));
    }
    if (c->component && c->component->kind == CARDO_COMPONENT_NUCLEIC && !c->modified &&
        strcmp(c->component->name.text, s->residue_name[r].text) != 0)
        CARDO_TRY(cardo_draft_note_source(draft, CARDO_CHANGE_RENAMED, r, -1,
                                          "its sugar has no O2': a nucleotide of DNA under an old "
                                          "name",
                                          error));
    for (int i = s->residue_first[r]; i < s->residue_first[r + 1]; ++i)
        if (!(draft->options->drop_hydrogens && c->component && s->element[i] == 1))
            CARDO_TRY(take_atom(draft, i, c, error));
done:
    return status;
}

cardo_status cardo_prepare_choose(cardo_draft *draft, cardo_error *error)
{
    const cardo_structure *s = draft->structure;
    for (int r = 0; r < s->nresidue; ++r) {
        choice c = choose(draft, r);
        draft->topic = CARDO_TOPIC_LEFT_OUT;
        cardo_status status =
            c.reason ? cardo_draft_note_source(draft, CARDO_CHANGE_DROPPED, r, -1, c.reason, error)
                     : take_residue(draft, r, &c, error);
        if (status != CARDO_OK)
            return status;
    }
    return CARDO_OK;
}
