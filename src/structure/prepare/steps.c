#include "structure/prepare/prepare.h"

#include "base/memory.h"
#include "structure/atoms/allocate.h"
#include "structure/prepare/draft.h"
#include "structure/records/conect.h"
#include "structure/records/copies.h"
#include "structure/records/records.h"

#include <math.h>
#include <string.h>

cardo_prepare_options cardo_prepare_options_default(void)
{
    return (cardo_prepare_options){.ph = 7.0};
}

const char *cardo_change_word(cardo_change_kind kind)
{
    static const char *const words[] = {"added", "moved", "dropped", "renamed", "chosen", "noted"};
    return words[kind];
}

const char *cardo_topic_words(cardo_change_topic topic)
{
    static const char *const words[CARDO_NTOPIC] = {
        "file",       "alternate locations", "left out",  "modified residues",
        "atoms",      "chain breaks",        "rebuilt",   "chain ends",
        "disulfides", "protonation",         "hydrogens", "to look at"};
    return words[topic];
}

void cardo_preparation_destroy(cardo_preparation *preparation)
{
    if (!preparation)
        return;
    cardo_structure_destroy(preparation->structure);
    cardo_free(preparation->built);
    cardo_free(preparation->change);
    cardo_free(preparation->titration);
    cardo_free(preparation);
}

static void clear_draft(cardo_draft *draft)
{
    for (int r = 0; r < draft->count; ++r)
        cardo_free(draft->residue[r].atom);
    cardo_free(draft->residue);
    cardo_free(draft->partner);
}

/* Chains of the file, and what follows a break: other programs join what stands in one chain. */
static bool begins_chain(const cardo_draft *draft, int r)
{
    const cardo_draft_residue *residue = &draft->residue[r];
    return r == 0 || residue->broken || residue->group != residue[-1].group;
}

/* Sizes of the structure that a draft becomes. */
static void count(const cardo_draft *draft, int *natom, int *nchain, int *nbridge)
{
    *natom = *nchain = *nbridge = 0;
    for (int r = 0; r < draft->count; ++r) {
        *natom += draft->residue[r].natom;
        *nchain += begins_chain(draft, r);
        *nbridge += draft->residue[r].bridge > r;
    }
}

static void fill_atom(const cardo_draft_atom *from, const cardo_draft *draft, int r, int i,
                      cardo_preparation *to)
{
    cardo_structure *s = to->structure;
    v3_store(s->position + 3 * (size_t)i, from->position);
    s->atom_name[i] = from->name;
    s->element[i] = from->element;
    s->atom_residue[i] = r;
    s->serial[i] = i + 1;
    s->atom_line[i] = from->source >= 0 ? draft->structure->atom_line[from->source] : 0;
    s->occupancy[i] = from->occupancy;
    s->b_factor[i] = from->b_factor;
    to->built[i] = from->source < 0;
}

static void fill_residue(const cardo_draft *draft, int r, int *natom, int *nchain,
                         cardo_preparation *to)
{
    cardo_structure *s = to->structure;
    const cardo_draft_residue *from = &draft->residue[r];
    if (begins_chain(draft, r)) {
        s->chain_id[*nchain] = from->chain;
        s->chain_first[(*nchain)++] = r;
    }
    s->residue_name[r] = from->name;
    s->residue_number[r] = from->number;
    s->insertion[r] = from->insertion;
    s->hetero[r] = from->hetero;
    s->residue_chain[r] = *nchain - 1;
    s->residue_first[r] = *natom;
    for (int i = 0; i < from->natom; ++i)
        fill_atom(&from->atom[i], draft, r, (*natom)++, to);
}

/* Links of the file between atoms that are still there. */
static cardo_status copy_links(const cardo_draft *draft, cardo_error *error)
{
    const cardo_structure *from = draft->structure;
    cardo_structure *to = draft->preparation->structure;
    int *atom = NULL, next = 0;
    cardo_status status = CARDO_OK;
    CARDO_TRY(CARDO_ALLOCATE(&to->link, from->nlink, error));
    CARDO_TRY(CARDO_ALLOCATE(&atom, from->natom, error));
    for (int r = 0; r < draft->count; ++r)
        for (int i = 0; i < draft->residue[r].natom; ++i) {
            ++next;
            if (draft->residue[r].atom[i].source >= 0)
                atom[draft->residue[r].atom[i].source] = next;
        }
    for (int k = 0; k < from->nlink; ++k) {
        int one = atom[from->link[k].atom[0]] - 1, other = atom[from->link[k].atom[1]] - 1;
        if (one >= 0 && other >= 0)
            to->link[to->nlink++] = (cardo_link){{one, other}};
    }
done:
    cardo_free(atom);
    return status;
}

static cardo_status make_structure(const cardo_draft *draft, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    cardo_preparation *to = draft->preparation;
    int natom, nchain, nbridge;
    count(draft, &natom, &nchain, &nbridge);
    CARDO_TRY(cardo_structure_allocate(draft->structure->source, natom, draft->count, nchain,
                                       nbridge, &to->structure, error));
    CARDO_TRY(CARDO_ALLOCATE(&to->built, natom, error));
    cardo_structure *s = to->structure;
    natom = nchain = nbridge = 0;
    for (int r = 0; r < draft->count; ++r) {
        fill_residue(draft, r, &natom, &nchain, to);
        if (draft->residue[r].bridge > r)
            s->bridge[nbridge++] = (cardo_bridge){{r, draft->residue[r].bridge}};
    }
    s->residue_first[draft->count] = natom;
    s->chain_first[nchain] = draft->count;
    s->has_cell = draft->structure->has_cell;
    memcpy(s->cell, draft->structure->cell, sizeof s->cell);
    s->model = draft->structure->model;
    s->nmodel = 1;
    s->nrecord = natom;
    if (draft->structure->nlink > 0)
        status = copy_links(draft, error);
done:
    return status;
}

/* The first residue that was left out tells best what is wrong with the file or the options. */
static cardo_status check_not_empty(cardo_draft *draft, cardo_error *error)
{
    const cardo_preparation *p = draft->preparation;
    const char *source = draft->structure->source ? draft->structure->source : "structure";
    if (draft->count > 0)
        return CARDO_OK;
    for (int k = p->nchange - 1; k >= 0; --k)
        if (p->change[k].topic == CARDO_TOPIC_LEFT_OUT)
            return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                              "%s: nothing is left to prepare: no residue is a whole part of a "
                              "protein or nucleic acid that was asked for (%s: %s)",
                              source, p->change[k].residue, p->change[k].reason);
    return CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s: nothing is left to prepare", source);
}

/* Atoms of the file that lie on top of each other leave no direction to build in. */
static cardo_status check_finite(const cardo_structure *s, cardo_error *error)
{
    char label[40];
    for (int i = 0; i < s->natom; ++i)
        for (int axis = 0; axis < 3; ++axis)
            if (!isfinite(s->position[3 * (size_t)i + (size_t)axis]))
                return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                                  "%s: %s: %s cannot be placed: the atoms that it is bonded to lie "
                                  "on top of each other or in one line; correct or leave out the "
                                  "residue",
                                  s->source ? s->source : "structure",
                                  cardo_residue_label(s, s->atom_residue[i], label),
                                  s->atom_name[i].text);
    return CARDO_OK;
}

/* What reading has decided already. */
static cardo_status note_reading(cardo_draft *draft, cardo_error *error)
{
    const cardo_structure *s = draft->structure;
    cardo_status status = CARDO_OK;
    char text[224];
    if (s->nmodel > 1)
        CARDO_TRY(
            cardo_draft_note_file(draft, error, "model %d of %d is taken", s->model, s->nmodel));
    if (cardo_offered_words(s, text, sizeof text))
        CARDO_TRY(cardo_draft_note_file(draft, error, "%s", text));
    for (int k = 0; cardo_copied_words(s, k, text, sizeof text); ++k)
        CARDO_TRY(cardo_draft_note_file(draft, error, "%s", text));
    if (s->nduplicate > 0)
        CARDO_TRY(cardo_draft_note_file(
            draft, error, "%d records repeat an atom that is there already", s->nduplicate));
    if (draft->options->ndeuterium > 0)
        CARDO_TRY(
            cardo_draft_note_file(draft, error,
                                  "%d atoms of deuterium are hydrogens from here on, and stay "
                                  "where they are",
                                  draft->options->ndeuterium));
    if (cardo_conect_far_words(s, text, sizeof text))
        CARDO_TRY(cardo_draft_note_file(draft, error, "%s", text));
    if (cardo_conect_unclear_words(s, text, sizeof text))
        CARDO_TRY(cardo_draft_note_file(draft, error, "%s", text));
done:
    return status;
}

static const struct {
    cardo_status (*run)(cardo_draft *draft, cardo_error *error);
    cardo_change_topic topic;
    bool hydrogens;
} steps[] = {
    {note_reading, CARDO_TOPIC_FILE, false},
    {cardo_prepare_choose, CARDO_TOPIC_LEFT_OUT, false},
    {cardo_prepare_alternates, CARDO_TOPIC_ALTERNATES, false},
    {cardo_prepare_links, CARDO_TOPIC_BREAKS, false},
    {check_not_empty, CARDO_TOPIC_FILE, false},
    {cardo_prepare_breaks, CARDO_TOPIC_BREAKS, false},
    {cardo_prepare_partners, CARDO_TOPIC_REVIEW, false},
    {cardo_prepare_lone, CARDO_TOPIC_LEFT_OUT, false},
    {check_not_empty, CARDO_TOPIC_FILE, false},
    {cardo_prepare_heavy, CARDO_TOPIC_HEAVY, false},
    {cardo_prepare_ends, CARDO_TOPIC_ENDS, false},
    {cardo_prepare_bridges, CARDO_TOPIC_DISULFIDES, false},
    {cardo_prepare_asked, CARDO_TOPIC_STATES, false},
    {cardo_prepare_states, CARDO_TOPIC_STATES, false},
    {cardo_prepare_hydrogens, CARDO_TOPIC_HYDROGENS, true},
    {cardo_prepare_review, CARDO_TOPIC_REVIEW, false},
};

cardo_status cardo_prepare(const cardo_structure *structure, const cardo_components *components,
                           const cardo_prepare_options *options, cardo_preparation **out,
                           cardo_error *error)
{
    cardo_status status = CARDO_OK;
    cardo_preparation *preparation = NULL;
    cardo_draft draft = {.structure = structure, .components = components, .options = options};
    *out = NULL;
    CARDO_TRY(CARDO_ALLOCATE(&preparation, 1, error));
    draft.preparation = preparation;
    for (size_t k = 0; k < sizeof steps / sizeof *steps; ++k) {
        if (steps[k].hydrogens && options->no_hydrogens)
            continue;
        draft.topic = steps[k].topic;
        CARDO_TRY(steps[k].run(&draft, error));
    }
    CARDO_TRY(make_structure(&draft, error));
    CARDO_TRY(check_finite(preparation->structure, error));
    *out = preparation;
    preparation = NULL;
done:
    clear_draft(&draft);
    cardo_preparation_destroy(preparation);
    return status;
}
