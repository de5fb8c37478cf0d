#include "study/check/uncovered.h"

#include "base/memory.h"
#include "structure/pdb/pdb.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is wrong with a residue, in the order of the report. */
typedef enum kind {
    HYDROGENS,
    INCOMPLETE,
    TOO_LITTLE,
    MODIFIED,
    NUCLEIC,
    WATER,
    ION,
    OTHER,
    NKIND,
    COVERED = NKIND
} kind;

static const struct {
    const char *name, *heading, *advice;
} kinds[NKIND] = {
    [HYDROGENS] = {"hydrogens", "without hydrogens", "preparing adds them"},
    [INCOMPLETE] =
        {"atoms", "with atoms that are missing, too many or bonded otherwise",
         "preparing completes proteins and nucleic acids, and drops what does not belong"},
    [TOO_LITTLE] = {"too-little", "without N, CA or C: too little to build from",
                    "preparing leaves them out and reports a chain break"},
    [MODIFIED] =
        {"modified", "that are modified",
         "preparing makes them the standard residue; keep them (keep=modified) for a force "
         "field that has them"},
    [NUCLEIC] = {"nucleic", "of nucleic acids, which this force field does not have",
                 "name one that does: ff99SB.xml has proteins, DNA and RNA"},
    [WATER] = {"water", "of water",
               "preparing leaves water out; to keep it, name a force field with a water model too, "
               "such as OpenMM's tip3p.xml"},
    [ION] = {"ion", "of ions",
             "preparing leaves ions out; to keep them, name a file that has them too, such as "
             "tip3p-ions.xml beside ff14SB.xml"},
    [OTHER] =
        {"other", "that no template is like: ligands, sugars, cofactors",
         "preparing leaves them out; to keep them, name a force-field file with templates for them "
         "too"},
};

static bool lacks_backbone(const cardo_structure *s, int r)
{
    return cardo_structure_find_atom(s, r, "N") < 0 || cardo_structure_find_atom(s, r, "CA") < 0 ||
           cardo_structure_find_atom(s, r, "C") < 0;
}

static kind kind_of(const cardo_uncovered *c, int r)
{
    const cardo_structure *s = c->structure;
    const char *problem = c->coverage->residue[r].problem, *name = s->residue_name[r].text;
    const cardo_component *component = cardo_component_find(c->components, name);
    bool unlike = problem && strstr(problem, "like no template");
    if (!problem)
        return COVERED;
    if (cardo_residue_is_water(name))
        return WATER;
    if (cardo_modified_find(c->components, name))
        return MODIFIED;
    if (unlike && cardo_residue_is_nucleic(name))
        return NUCLEIC;
    if (!component && s->residue_first[r + 1] - s->residue_first[r] == 1)
        return ION;
    if (component && component->kind == CARDO_COMPONENT_PROTEIN && lacks_backbone(s, r))
        return TOO_LITTLE;
    if (unlike)
        return OTHER;
    return strcmp(problem, "lacks hydrogens only") == 0 ? HYDROGENS : INCOMPLETE;
}

/* A residue that is not covered, and what it shares with those that are said in one line. */
typedef struct entry {
    kind kind;
    const char *words; /* borrowed */
    int residue;
    int count; /* of the residues that this one stands for; 0: another does */
} entry;

static const char *words_of(const cardo_uncovered *c, int r, kind k)
{
    if (k == INCOMPLETE)
        return c->coverage->residue[r].problem;
    bool by_name = k == MODIFIED || k == ION || k == OTHER || k == NUCLEIC;
    return by_name ? c->structure->residue_name[r].text : "";
}

static int by_words(const void *a, const void *b)
{
    const entry *one = a, *other = b;
    int order = (int)one->kind - (int)other->kind;
    if (order == 0)
        order = strcmp(one->words, other->words);
    return order ? order : (one->residue > other->residue) - (one->residue < other->residue);
}

static int by_place(const void *a, const void *b)
{
    const entry *one = a, *other = b;
    int order = (int)one->kind - (int)other->kind;
    return order ? order : (one->residue > other->residue) - (one->residue < other->residue);
}

static void sort(entry *list, int n, int (*compare)(const void *, const void *))
{
    if (n > 1)
        qsort(list, (size_t)n, sizeof *list, compare);
}

/* Every residue that is not covered, by kind; with join the first of those that are alike stands for
 * all of them. The caller owns *out. */
static cardo_status list_entries(const cardo_uncovered *c, bool join, entry **out, int *n,
                                 cardo_error *error)
{
    cardo_status status = CARDO_ALLOCATE(out, c->coverage->nproblem, error);
    *n = 0;
    if (status != CARDO_OK)
        return status;
    for (int r = 0; r < c->coverage->nresidue; ++r) {
        kind k = c->coverage->residue[r].problem ? kind_of(c, r) : COVERED;
        if (k != COVERED)
            (*out)[(*n)++] = (entry){k, words_of(c, r, k), r, 1};
    }
    sort(*out, *n, by_words);
    for (int i = 1, first = 0; join && i < *n; ++i) {
        entry *one = &(*out)[first], *next = &(*out)[i];
        if (one->kind != next->kind || strcmp(one->words, next->words) != 0) {
            first = i;
            continue;
        }
        ++one->count;
        next->count = 0;
    }
    sort(*out, *n, by_place);
    return CARDO_OK;
}

/* What the residues of an entry have in common, for people. */
static const char *words_text(const cardo_uncovered *c, const entry *e, char text[96])
{
    if (e->kind != MODIFIED)
        return e->words;
    snprintf(text, 96, "%s, which is made from %s", e->words,
             cardo_modified_find(c->components, e->words)->parent.text);
    return text;
}

static const cardo_quantity residue = {"residue", .meaning = "chain, name and number"};
static const cardo_quantity what_kind = {"kind", .meaning = "what is wrong, as one word"};
static const cardo_quantity what_to_do = {"what_to_do", "what to do"};

static void add_entry(const cardo_uncovered *c, const entry *e, cardo_result *entries)
{
    static const cardo_quantity count = {"count", "residues",
                                         .meaning = "residues of which the same is to be said"};
    char label[40], text[96];
    if (e->count == 0)
        return;
    const char *words = words_text(c, e, text);
    cardo_result_row(entries);
    if (e->count > 1)
        cardo_result_integer(entries, &count, e->count);
    cardo_result_text(entries, &residue, cardo_residue_label(c->structure, e->residue, label));
    if (*words)
        cardo_result_text(entries, &(cardo_quantity){"problem"}, words);
}

/* What is wrong, by kind, from entries in order of their kinds. */
static void add_kinds(const cardo_uncovered *c, const entry *list, int n, cardo_result *into)
{
    cardo_result *by_kind = cardo_result_list(into, "by_kind");
    for (int i = 0, end; i < n; i = end) {
        cardo_result *one = cardo_result_group(by_kind, NULL);
        for (end = i + 1; end < n && list[end].kind == list[i].kind;)
            ++end;
        cardo_result_text(one, &what_kind, kinds[list[i].kind].name);
        cardo_result_integer(one, &(cardo_quantity){"residues"}, end - i);
        cardo_result_text(one, &(cardo_quantity){"heading"}, kinds[list[i].kind].heading);
        cardo_result *entries = cardo_result_table(one, "entries", "residues");
        for (int k = i; k < end; ++k)
            add_entry(c, &list[k], entries);
        cardo_result_text(one, &what_to_do, kinds[list[i].kind].advice);
    }
}

/* FILE without folder and ending, for a name beside it. */
static void stem_of(const char *path, char stem[128])
{
    const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    snprintf(stem, 128, "%s", name);
    stem[strcspn(stem, ".")] = '\0';
}

/* Whether anything of the structure can be prepared; nucleic: it has nucleic acids. */
static bool is_preparable(const cardo_uncovered *c, bool *nucleic)
{
    bool preparable = false;
    *nucleic = false;
    for (int r = 0; r < c->coverage->nresidue; ++r) {
        const char *name = c->structure->residue_name[r].text;
        const cardo_component *component = cardo_component_find(c->components, name);
        *nucleic = *nucleic || cardo_residue_is_nucleic(name);
        preparable = preparable || (component && component->kind != CARDO_COMPONENT_WATER &&
                                    kind_of(c, r) != TOO_LITTLE);
    }
    return preparable;
}

/* What would make a structure that is covered: a file beside this one, and the force field for it. */
static void add_remedy(const cardo_uncovered *c, cardo_result *into)
{
    char stem[128], path[160];
    bool nucleic;
    if (!is_preparable(c, &nucleic)) {
        cardo_result_remark(
            into, "no_remedy", CARDO_RESULT_NOTE,
            "nothing in this file can be prepared: no protein or nucleic acid with a "
            "backbone",
            NULL);
        return;
    }
    cardo_result *remedy = cardo_result_group(into, "remedy");
    stem_of(c->path, stem);
    snprintf(path, sizeof path, "%s_prepared.%s", stem,
             cardo_structure_extension(c->structure, NULL));
    cardo_result_text(remedy, &(cardo_quantity){"file"}, c->path);
    cardo_result_text(remedy, &(cardo_quantity){"prepared"}, path);
    cardo_result_text(remedy, &(cardo_quantity){"forcefield"},
                      nucleic ? "ff99SB.xml" : c->forcefield);
}

static void add_coverage(const cardo_uncovered *c, cardo_result *into)
{
    cardo_result *table = cardo_result_table(into, "coverage", "residue");
    for (int r = 0; r < c->coverage->nresidue; ++r) {
        char label[40];
        const cardo_residue_coverage *of = &c->coverage->residue[r];
        const kind k = kind_of(c, r);
        cardo_result_row(table);
        cardo_result_text(table, &residue, cardo_residue_label(c->structure, r, label));
        if (k == COVERED) {
            cardo_result_text(table, &(cardo_quantity){"template"}, of->template_name);
        } else {
            cardo_result_text(table, &what_kind, kinds[k].name);
            cardo_result_text(table, &(cardo_quantity){"problem"}, of->problem);
            cardo_result_text(table, &what_to_do, kinds[k].advice);
        }
    }
}

cardo_status cardo_uncovered_fill(const cardo_uncovered *c, bool apart, cardo_result *into,
                                  cardo_error *error)
{
    entry *list = NULL;
    int n;
    cardo_status status = list_entries(c, !apart, &list, &n, error);
    if (status != CARDO_OK)
        return status;
    cardo_result_text(into, &(cardo_quantity){"file"}, c->path);
    cardo_result_text(into, &(cardo_quantity){"forcefield"}, c->forcefield);
    cardo_result_integer(into, &(cardo_quantity){"residues"}, c->coverage->nresidue);
    cardo_result_integer(into, &(cardo_quantity){"problems"}, c->coverage->nproblem);
    cardo_result_integer(into, &(cardo_quantity){"covered"},
                         c->coverage->nresidue - c->coverage->nproblem);
    add_coverage(c, into);
    add_kinds(c, list, n, into);
    if (c->coverage->nproblem > 0)
        add_remedy(c, into);
    cardo_free(list);
    return cardo_result_status(into, error);
}
