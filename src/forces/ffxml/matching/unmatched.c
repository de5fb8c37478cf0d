#include "forces/ffxml/matching/unmatched.h"

#include "forces/ffxml/matching/match_search.h"

#include <stdio.h>
#include <string.h>

enum {
    MAX_RESIDUES = 20,   /* residues listed one by one                                       */
    MAX_UNKNOWN = 6,     /* names of unknown residues listed                                 */
    MAX_COMPARED = 3000, /* residues compared with every template: bounds the time           */
    MAX_NAMES = 8,       /* atoms named in each list                                         */
    TEXT_SIZE = 1150,    /* of the list: leaves room for the rest in the error record        */
    HYDROGEN = 1
};

/* What a difference to a template weighs when the nearest is sought: hydrogens are often all
 * missing, atoms that a template lacks speak against it, and so do bonds to other residues, which
 * tell chain ends. A template of the residue's own name is preferred unless it is far worse. */
enum {
    WEIGHT_MISSING_HYDROGEN = 1,
    WEIGHT_MISSING = 6,
    WEIGHT_SURPLUS_HYDROGEN = 6,
    WEIGHT_SURPLUS = 12,
    WEIGHT_EXTERNAL = 40,
    WEIGHT_NAME = 100,
    WEIGHT_VARIANT = 97 /* another protonation state of that residue */
};

/* How a residue compares with a template, by atom names. */
typedef struct comparison {
    const cardo_template *template; /* NULL: none is alike */
    bool same_name;
    int missing, missing_hydrogens, surplus, surplus_hydrogens, common_heavy, score;
    int external, external_off; /* bonds to other residues: too few, and in the wrong place */
} comparison;

/* Residues of a name that no template is like. */
typedef struct unknown_name {
    const char *name;
    int count, first;
} unknown_name;

/* What the residues have in common: decides the advice. */
typedef struct tally {
    bool bare; /* the structure has no hydrogens: their lack is said once, not for every residue */
    int compared, listed, only_hydrogens, missing_hydrogens, missing_heavy, surplus, bonds,
        virtual_sites;
    int nunknown, other_unknown;
    unknown_name unknown[MAX_UNKNOWN];
} tally;

typedef struct text {
    char words[TEXT_SIZE];
    size_t length;
    bool full;
} text;

static void append(text *t, const char *word)
{
    size_t n = strlen(word);
    if (t->length + n + 1 > sizeof t->words) {
        t->full = true;
        return;
    }
    memcpy(t->words + t->length, word, n + 1);
    t->length += n;
}

static bool template_has(const cardo_template *t, const char *name)
{
    for (int j = 0; j < t->natom; ++j)
        if (strcmp(t->atom[j].name, name) == 0)
            return true;
    return false;
}

/* Names in AMBER's templates, and the PDB's for the same atom. H1 is the first of three amine
 * hydrogens. */
static const char *const other_names[][2] = {
    {"H1", "H"},     {"O1P", "OP1"},   {"O2P", "OP2"},   {"H5'1", "H5'"}, {"H5'2", "H5''"},
    {"H2'1", "H2'"}, {"H2'2", "H2''"}, {"HO'2", "HO2'"}, {"H5T", "HO5'"}, {"H3T", "HO3'"},
};

enum { NOTHER = sizeof other_names / sizeof *other_names };

static bool template_has_alike(const cardo_template *t, const char *name)
{
    if (template_has(t, name))
        return true;
    for (int k = 0; k < NOTHER; ++k)
        if (strcmp(other_names[k][1], name) == 0 && template_has(t, other_names[k][0]))
            return true;
    return false;
}

/* The residue's atom for a name of the template, or -1. */
static int alike_in_residue(const cardo_structure *s, int residue, const cardo_template *t,
                            const char *name)
{
    int i = cardo_structure_find_atom(s, residue, name);
    for (int k = 0; i < 0 && k < NOTHER; ++k)
        if (strcmp(other_names[k][0], name) == 0 && !template_has(t, other_names[k][1]))
            i = cardo_structure_find_atom(s, residue, other_names[k][1]);
    return i;
}

/* Names of AMBER's templates for residues that the PDB gives one name. */
static const char *const variants[][2] = {
    {"ASP", "ASH"}, {"GLU", "GLH"}, {"LYS", "LYN"}, {"CYS", "CYX"},
    {"CYS", "CYM"}, {"HIS", "HID"}, {"HIS", "HIE"}, {"HIS", "HIP"},
};

/* Weight of a template's name: is it for residues of that name (ALA, NALA, CALA; DA5 for DA; HIE
 * for HIS), or 0. */
static int name_weight(const char *template, const char *residue)
{
    size_t n = strlen(residue), length = strlen(template);
    const char *inner =
        length == n + 1 && (template[0] == 'N' || template[0] == 'C') ? template + 1 : template;
    if (strcmp(inner, residue) == 0 ||
        (length == n + 1 && strncmp(template, residue, n) == 0 && strchr("35N", template[n])))
        return WEIGHT_NAME;
    for (size_t k = 0; k < sizeof variants / sizeof *variants; ++k)
        if (strcmp(variants[k][0], residue) == 0 && strcmp(variants[k][1], inner) == 0)
            return WEIGHT_VARIANT;
    return 0;
}

static comparison compare(const cardo_assignment *assignment, int residue, const cardo_template *t)
{
    const cardo_structure *s = assignment->structure;
    int by_name = name_weight(t->name, s->residue_name[residue].text);
    comparison c = {.template = t, .same_name = by_name > 0};
    for (int j = 0; j < t->natom; ++j) {
        int i = alike_in_residue(s, residue, t, t->atom[j].name);
        if (i >= 0) {
            int off = t->atom[j].external - cardo_external_bonds(assignment, i);
            c.external += off;
            c.external_off += off < 0 ? -off : off;
            continue;
        }
        ++c.missing;
        c.missing_hydrogens += t->atom[j].element == HYDROGEN;
    }
    for (int i = s->residue_first[residue]; i < s->residue_first[residue + 1]; ++i) {
        if (template_has_alike(t, s->atom_name[i].text)) {
            c.common_heavy += s->element[i] != HYDROGEN;
            continue;
        }
        ++c.surplus;
        c.surplus_hydrogens += s->element[i] == HYDROGEN;
    }
    c.score = WEIGHT_MISSING_HYDROGEN * c.missing_hydrogens +
              WEIGHT_MISSING * (c.missing - c.missing_hydrogens) +
              WEIGHT_SURPLUS_HYDROGEN * c.surplus_hydrogens +
              WEIGHT_SURPLUS * (c.surplus - c.surplus_hydrogens) +
              WEIGHT_EXTERNAL * c.external_off - by_name;
    return c;
}

static int heavy_atoms(const cardo_structure *s, int residue)
{
    int count = 0;
    for (int i = s->residue_first[residue]; i < s->residue_first[residue + 1]; ++i)
        count += s->element[i] != HYDROGEN;
    return count;
}

/* The comparison with the nearest template. A template of another name is alike only when it has
 * most of the heavy atoms. */
static comparison nearest_template(const cardo_assignment *assignment, int residue)
{
    const cardo_templates *templates = &assignment->forcefield->templates;
    comparison nearest = {0};
    for (int k = 0; k < templates->count; ++k) {
        comparison c = compare(assignment, residue, &templates->list[k]);
        if (!nearest.template || c.score < nearest.score)
            nearest = c;
    }
    bool alike = nearest.same_name ||
                 (nearest.common_heavy >= 4 &&
                  4 * nearest.common_heavy >= 3 * heavy_atoms(assignment->structure, residue));
    if (!alike)
        nearest.template = NULL;
    return nearest;
}

/* Appends at most MAX_NAMES of count names: the n-th that next returns. */
static void append_name(text *t, const char *name, int n, int count)
{
    char word[24];
    if (n < MAX_NAMES)
        snprintf(word, sizeof word, " %.12s", name);
    else if (n == MAX_NAMES)
        snprintf(word, sizeof word, " +%d more", count - MAX_NAMES);
    else
        return;
    append(t, word);
}

/* Missing heavy atoms are named first: they say which part of the residue is not there. */
static void append_missing(text *t, const cardo_assignment *assignment, int residue,
                           const comparison *c, bool bare)
{
    const cardo_template *template = c->template;
    int n = 0, count = c->missing - (bare ? c->missing_hydrogens : 0);
    if (count == 0)
        return;
    append(t, "; lacks");
    for (int hydrogens = 0; hydrogens < (bare ? 1 : 2); ++hydrogens)
        for (int j = 0; j < template->natom; ++j) {
            const cardo_template_atom *atom = &template->atom[j];
            if ((atom->element == HYDROGEN) == hydrogens &&
                alike_in_residue(assignment->structure, residue, template, atom->name) < 0)
                append_name(t, atom->name, n++, count);
        }
}

static void append_surplus(text *t, const cardo_structure *s, int residue,
                           const cardo_template *template, int count)
{
    int n = 0;
    append(t, "; has beyond it");
    for (int i = s->residue_first[residue]; i < s->residue_first[residue + 1]; ++i)
        if (!template_has_alike(template, s->atom_name[i].text))
            append_name(t, s->atom_name[i].text, n++, count);
}

static void append_bonds(text *t, const cardo_assignment *assignment, int residue,
                         const comparison *c)
{
    const cardo_structure *s = assignment->structure;
    for (int i = s->residue_first[residue]; i < s->residue_first[residue + 1]; ++i)
        if (s->element[i] == 0) {
            append(t, "; the element of ");
            append(t, s->atom_name[i].text);
            append(t, " is unknown");
            return;
        }
    append(t, c->external > 0       ? "; lacks a bond to another residue"
              : c->external < 0     ? "; has a bond too many to other residues"
              : c->external_off > 0 ? "; is bonded to other residues by another atom"
                                    : "; has other bonds or elements");
}

/* "; NZ is bonded to CG of A:ASP37": crosslinks where the template is bonded otherwise. */
static void append_crosslinks(text *t, const cardo_assignment *assignment, int residue)
{
    const cardo_structure *s = assignment->structure;
    for (int k = 0; k < assignment->bonds->ncrosslink; ++k)
        for (int side = 0; side < 2; ++side) {
            int here = assignment->bonds->crosslink[k][side];
            int there = assignment->bonds->crosslink[k][1 - side];
            char label[40], word[128];
            if (s->atom_residue[here] != residue)
                continue;
            snprintf(word, sizeof word, "; %s is bonded to %s of %s", s->atom_name[here].text,
                     s->atom_name[there].text,
                     cardo_residue_label(s, s->atom_residue[there], label));
            append(t, word);
        }
}

static void append_residue(text *t, const cardo_assignment *assignment, int residue,
                           const comparison *c, bool bare)
{
    char label[40], word[128];
    snprintf(word, sizeof word, "\n  %s: nearest template %.40s",
             cardo_residue_label(assignment->structure, residue, label), c->template->name);
    append(t, word);
    append_missing(t, assignment, residue, c, bare);
    if (c->surplus)
        append_surplus(t, assignment->structure, residue, c->template, c->surplus);
    if (!c->surplus && c->missing == (bare ? c->missing_hydrogens : 0))
        append_bonds(t, assignment, residue, c);
    if (c->external_off)
        append_crosslinks(t, assignment, residue);
    if (!c->template->virtual_site_line)
        return;
    snprintf(word, sizeof word, "; %.80s:%d: <VirtualSite> is not supported yet",
             c->template->place.path, c->template->virtual_site_line);
    append(t, word);
}

/* Counts a residue whose name is among the unknown ones; false when it is not. */
static bool count_known_unknown(tally *counts, const char *name)
{
    for (int k = 0; k < counts->nunknown; ++k)
        if (strcmp(counts->unknown[k].name, name) == 0) {
            ++counts->unknown[k].count;
            return true;
        }
    return false;
}

static void count_unknown(tally *counts, const char *name, int residue)
{
    if (counts->nunknown < MAX_UNKNOWN)
        counts->unknown[counts->nunknown++] = (unknown_name){name, 1, residue};
    else
        ++counts->other_unknown;
}

/* Puts a residue that is like a template into the counts, and into the list while there is room. */
static void list_residue(text *t, const cardo_assignment *assignment, int residue,
                         const comparison *c, tally *counts)
{
    bool only_hydrogens =
        c->missing && c->missing == c->missing_hydrogens && !c->surplus && !c->external_off;
    counts->only_hydrogens += only_hydrogens;
    counts->missing_hydrogens += c->missing_hydrogens > 0;
    counts->missing_heavy += c->missing > c->missing_hydrogens && !c->template->virtual_site_line;
    counts->virtual_sites += c->template->virtual_site_line > 0;
    counts->surplus += c->surplus > 0;
    counts->bonds += !c->surplus && c->missing == c->missing_hydrogens && !only_hydrogens;
    if ((counts->bare && only_hydrogens) || counts->listed == MAX_RESIDUES || t->full)
        return;
    size_t length = t->length;
    append_residue(t, assignment, residue, c, counts->bare);
    if (t->full) {
        t->length = length;
        t->words[length] = '\0';
    } else {
        ++counts->listed;
    }
}

static void list_residues(text *t, const cardo_assignment *assignment, int first, int end,
                          tally *counts)
{
    const cardo_structure *s = assignment->structure;
    for (int r = first; r < end && counts->compared < MAX_COMPARED; ++r) {
        if (assignment->template_of[r] || count_known_unknown(counts, s->residue_name[r].text))
            continue;
        comparison c = nearest_template(assignment, r);
        ++counts->compared;
        if (c.template)
            list_residue(t, assignment, r, &c, counts);
        else
            count_unknown(counts, s->residue_name[r].text, r);
    }
}

static void append_unknown(text *t, const cardo_structure *s, const tally *counts)
{
    char word[96], label[40];
    for (int k = 0; k < counts->nunknown; ++k) {
        const unknown_name *u = &counts->unknown[k];
        snprintf(word, sizeof word, "%s %.15s (%d, first %s)",
                 k == 0 ? "\n  like no template:" : ",", u->name, u->count,
                 cardo_residue_label(s, u->first, label));
        append(t, word);
    }
    if (counts->other_unknown)
        append(t, ", and others");
}

bool cardo_has_hydrogens(const cardo_structure *s)
{
    for (int i = 0; i < s->natom; ++i)
        if (s->element[i] == HYDROGEN)
            return true;
    return false;
}

static void append_advice(text *t, const tally *counts)
{
    if (counts->bare)
        append(t, "\nthe structure has no hydrogen atoms: add them (the study prepare does)");
    else if (counts->missing_hydrogens)
        append(t, "\nadd the missing hydrogens (the study prepare does)");
    if (counts->missing_heavy)
        append(t, "\ncomplete the missing atoms (the study prepare does)");
    if (counts->surplus)
        append(t, "\nremove or rename atoms that a template has not");
    if (counts->nunknown)
        append(
            t,
            "\nleave out what is like no template (a model's ligands: model.ligands=none), or add "
            "what a program makes of it:\n  acpype -i LIGAND.mol2 or antechamber with tleap "
            "(GAFF): system=\"complex.prmtop\" of the model's force field;\n  OpenFF by "
            "openmmforcefields' SystemGenerator: its serialized System, system=\"system.xml\";\n"
            "  CGenFF's stream by ParmEd as a ForceField XML, or one from elsewhere: "
            "files=\"ff14SB.xml ligand.xml\"\nThese programs add hydrogens; the structure must "
            "have them "
            "too");
    if (counts->bonds)
        append(t, "\ncheck TER records and chain breaks where only bonds differ");
}

/* Of the residues first ... end - 1. */
static cardo_status report(const cardo_assignment *assignment, int first, int end, int unmatched,
                           bool bare, cardo_error *error)
{
    const cardo_structure *s = assignment->structure;
    text list = {.words = ""}, rest = {.words = ""};
    tally counts = {.bare = bare};
    list_residues(&list, assignment, first, end, &counts);
    int others = unmatched - counts.listed - counts.other_unknown;
    for (int k = 0; k < counts.nunknown; ++k)
        others -= counts.unknown[k].count;
    if (others > 0) {
        char word[96];
        snprintf(word, sizeof word, "\n  %s%d%s%s", counts.listed ? "and " : "", others,
                 counts.listed ? " more" : "",
                 counts.bare && others == counts.only_hydrogens ? " that lack hydrogens only" : "");
        append(&rest, word);
    }
    append_unknown(&rest, s, &counts);
    append_advice(&rest, &counts);
    bool unsupported = counts.virtual_sites > 0;
    return CARDO_FAIL(error, unsupported ? CARDO_ERROR_UNSUPPORTED : CARDO_ERROR_INPUT,
                      "%s: %d of %d residues match no template of the force field%s%s",
                      s->source ? s->source : "structure", unmatched, s->nresidue, list.words,
                      rest.words);
}

cardo_status cardo_report_unmatched(const cardo_assignment *assignment, int unmatched,
                                    cardo_error *error)
{
    const cardo_structure *s = assignment->structure;
    return report(assignment, 0, s->nresidue, unmatched, !cardo_has_hydrogens(s), error);
}

cardo_status cardo_report_unmatched_residue(const cardo_assignment *assignment, int residue,
                                            bool bare, cardo_error *error)
{
    return report(assignment, residue, residue + 1, 1, bare, error);
}
