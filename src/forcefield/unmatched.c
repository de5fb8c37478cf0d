#include "forcefield/unmatched.h"

#include "forcefield/match.h"

#include <stdio.h>
#include <string.h>

enum {
    MAX_RESIDUES = 20, /* residues listed one by one */
    MAX_NAMES = 8,     /* atoms named in each list   */
    TEXT_SIZE = 1500,  /* of the list: leaves room for advice in the error record */
    HYDROGEN = 1
};

/* A difference in the bonds that leave the residue weighs as much as this many atoms: a chain end
 * is recognized even where its extra hydrogens are missing. */
static const int external_weight = 3;

/* How a residue compares with a template, by atom names. */
typedef struct comparison {
    int missing, missing_hydrogens, surplus, common_heavy, external;
} comparison;

/* What the listed residues have in common: decides the advice. */
typedef struct tally {
    int only_hydrogens, missing_heavy, surplus, unknown, bonds;
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

static int natom_of(const cardo_structure *s, int residue)
{
    return s->residue_first[residue + 1] - s->residue_first[residue];
}

static bool template_has(const cardo_template *t, const char *name)
{
    for (int j = 0; j < t->natom; ++j)
        if (strcmp(t->atom[j].name, name) == 0)
            return true;
    return false;
}

/* The PDB calls the first of three amine hydrogens H, AMBER's templates H1. */
static bool template_has_alike(const cardo_template *t, const char *name)
{
    return template_has(t, name) ||
           (strcmp(name, "H") == 0 && template_has(t, "H2") && template_has(t, "H1"));
}

static bool residue_has_alike(const cardo_structure *s, int residue, const cardo_template *t,
                              const char *name)
{
    return cardo_structure_find_atom(s, residue, name) >= 0 ||
           (strcmp(name, "H1") == 0 && !template_has(t, "H") &&
            cardo_structure_find_atom(s, residue, "H") >= 0);
}

static comparison compare(const cardo_assignment *assignment, int residue, const cardo_template *t)
{
    const cardo_structure *s = assignment->structure;
    comparison c = {0};
    for (int j = 0; j < t->natom; ++j) {
        c.external += t->atom[j].external;
        if (residue_has_alike(s, residue, t, t->atom[j].name))
            continue;
        ++c.missing;
        c.missing_hydrogens += t->atom[j].element == HYDROGEN;
    }
    for (int i = s->residue_first[residue]; i < s->residue_first[residue + 1]; ++i) {
        c.external -= cardo_external_bonds(assignment, i);
        if (!template_has_alike(t, s->atom_name[i].text))
            ++c.surplus;
        else
            c.common_heavy += s->element[i] != HYDROGEN;
    }
    return c;
}

static int heavy_atoms(const cardo_structure *s, int residue)
{
    int count = 0;
    for (int i = s->residue_first[residue]; i < s->residue_first[residue + 1]; ++i)
        count += s->element[i] != HYDROGEN;
    return count;
}

/* The template with the fewest missing and surplus atoms, those of the residue's own name first
 * among equals; NULL when it shares less than half of the residue's heavy atoms: then nothing is
 * alike. */
static const cardo_template *nearest_template(const cardo_assignment *assignment, int residue,
                                              comparison *nearest)
{
    const cardo_templates *templates = &assignment->forcefield->templates;
    const char *name = assignment->structure->residue_name[residue].text;
    const cardo_template *found = NULL;
    int least = 0;
    for (int k = 0; k < templates->count; ++k) {
        const cardo_template *t = &templates->list[k];
        comparison c = compare(assignment, residue, t);
        int off = c.external < 0 ? -c.external : c.external;
        int score = 4 * (c.missing + c.surplus + external_weight * off) -
                    2 * (strcmp(t->name, name) == 0) - (strstr(t->name, name) != NULL);
        if (!found || score < least) {
            found = t;
            least = score;
            *nearest = c;
        }
    }
    bool alike = found && nearest->common_heavy > 0 &&
                 2 * nearest->common_heavy >= heavy_atoms(assignment->structure, residue);
    return alike ? found : NULL;
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
                           const cardo_template *template, int count)
{
    int n = 0;
    append(t, "; lacks");
    for (int hydrogens = 0; hydrogens < 2; ++hydrogens)
        for (int j = 0; j < template->natom; ++j) {
            const cardo_template_atom *atom = &template->atom[j];
            if ((atom->element == HYDROGEN) == hydrogens &&
                !residue_has_alike(assignment->structure, residue, template, atom->name))
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
            append(t, "; has all atoms, but the element of ");
            append(t, s->atom_name[i].text);
            append(t, " is unknown");
            return;
        }
    append(t, c->external > 0   ? "; has all atoms, but lacks a bond to another residue"
              : c->external < 0 ? "; has all atoms, but one bond too many to other residues"
                                : "; has all atoms, but other bonds or elements");
}

static void append_residue(text *t, const cardo_assignment *assignment, int residue, tally *counts)
{
    const cardo_structure *s = assignment->structure;
    char label[40], word[96];
    comparison c = {0};
    const cardo_template *template = nearest_template(assignment, residue, &c);
    snprintf(word, sizeof word, "\n  %s", cardo_residue_label(s, residue, label));
    append(t, word);
    if (!template) {
        snprintf(word, sizeof word, ": unknown (%d atoms)", natom_of(s, residue));
        append(t, word);
        ++counts->unknown;
        return;
    }
    snprintf(word, sizeof word, ": nearest template %.40s", template->name);
    append(t, word);
    if (c.missing)
        append_missing(t, assignment, residue, template, c.missing);
    if (c.surplus)
        append_surplus(t, s, residue, template, c.surplus);
    if (!c.missing && !c.surplus)
        append_bonds(t, assignment, residue, &c);
    counts->only_hydrogens += c.missing && c.missing == c.missing_hydrogens;
    counts->missing_heavy += c.missing > c.missing_hydrogens;
    counts->surplus += c.surplus > 0;
    counts->bonds += !c.missing && !c.surplus;
}

/* Lists residues until the text or their number is full; returns how many. */
static int append_residues(text *t, const cardo_assignment *assignment, tally *counts)
{
    int listed = 0;
    for (int r = 0; r < assignment->structure->nresidue && listed < MAX_RESIDUES; ++r) {
        if (assignment->template_of[r] >= 0)
            continue;
        size_t length = t->length;
        append_residue(t, assignment, r, counts);
        if (t->full) {
            t->length = length;
            t->words[length] = '\0';
            break;
        }
        ++listed;
    }
    return listed;
}

static bool has_hydrogens(const cardo_structure *s)
{
    for (int i = 0; i < s->natom; ++i)
        if (s->element[i] == HYDROGEN)
            return true;
    return false;
}

static void append_advice(text *t, const cardo_assignment *assignment, const tally *counts)
{
    bool bare = !has_hydrogens(assignment->structure);
    if (counts->missing_heavy)
        append(t, "\ncomplete the missing atoms (pdbfixer does), or cut the chain there");
    if (bare)
        append(
            t,
            "\nthe structure has no hydrogen atoms: add them (pdbfixer, or Modeller.addHydrogens)");
    else if (counts->only_hydrogens)
        append(t, "\nadd the missing hydrogens (pdbfixer, or Modeller.addHydrogens)");
    if (counts->surplus)
        append(t, "\nremove or rename atoms that do not belong");
    if (counts->unknown)
        append(t, "\nleave unknown residues out, or add a force-field file that has them");
    if (counts->bonds)
        append(t, "\ncheck atom names, TER records and chain breaks where only bonds differ");
}

static void append_patches(text *t, const cardo_forcefield *ff)
{
    char word[300];
    if (!ff->patches.path)
        return;
    snprintf(word, sizeof word,
             "\n%.200s:%d: <Patches> are not supported yet and may be what is needed",
             ff->patches.path, ff->patches.line);
    append(t, word);
}

cardo_status cardo_report_unmatched(const cardo_assignment *assignment, int unmatched,
                                    cardo_error *error)
{
    text list = {.words = ""}, advice = {.words = ""};
    tally counts = {0};
    char rest[64] = "";
    int listed = append_residues(&list, assignment, &counts);
    if (listed < unmatched)
        snprintf(rest, sizeof rest, "\n  and %d more", unmatched - listed);
    append_advice(&advice, assignment, &counts);
    append_patches(&advice, assignment->forcefield);
    return CARDO_FAIL(
        error, assignment->forcefield->patches.path ? CARDO_ERROR_UNSUPPORTED : CARDO_ERROR_INPUT,
        "%s: %d of %d residues match no template of the force field%s%s%s",
        assignment->structure->source ? assignment->structure->source : "structure", unmatched,
        assignment->structure->nresidue, list.words, rest, advice.words);
}
