#include "cli/check_report.h"

#include "base/memory.h"
#include "io/results/json.h"
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
    [HYDROGENS] = {"hydrogens", "without hydrogens", "cardo prepare adds them"},
    [INCOMPLETE] = {"atoms", "with atoms that are missing, too many or bonded otherwise",
                    "cardo prepare completes proteins and nucleic acids, and drops what does not "
                    "belong"},
    [TOO_LITTLE] = {"too-little", "without N, CA or C: too little to build from",
                    "cardo prepare leaves them out and reports a chain break"},
    [MODIFIED] = {"modified", "that are modified",
                  "cardo prepare makes them the standard residue; keep them with --keep modified "
                  "and a force field that has them"},
    [NUCLEIC] = {"nucleic", "of nucleic acids, which this force field does not have",
                 "name one that does: --forcefield ff99SB.xml has proteins, DNA and RNA"},
    [WATER] = {"water", "of water",
               "cardo prepare leaves water out; to keep it, name a force field with a water model "
               "too, such as OpenMM's tip3p.xml"},
    [ION] = {"ion", "of ions",
             "cardo prepare leaves ions out; to keep them, name a force field that has them too, "
             "such as OpenMM's amber14/tip3p.xml"},
    [OTHER] =
        {"other", "that no template is like: ligands, sugars, cofactors",
         "cardo prepare leaves them out; to keep them, name a force-field file with templates "
         "for them too"},
};

static bool lacks_backbone(const cardo_structure *s, int r)
{
    return cardo_structure_find_atom(s, r, "N") < 0 || cardo_structure_find_atom(s, r, "CA") < 0 ||
           cardo_structure_find_atom(s, r, "C") < 0;
}

static kind kind_of(const cardo_checked *c, int r)
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

static const char *words_of(const cardo_checked *c, int r, kind k)
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
static cardo_status list_entries(const cardo_checked *c, bool join, entry **out, int *n,
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

static void print_entry(const cardo_checked *c, const entry *e)
{
    char label[40], text[96];
    const char *words = e->words;
    if (e->count == 0)
        return;
    if (e->kind == MODIFIED) {
        snprintf(text, sizeof text, "%s, which is made from %s", words,
                 cardo_modified_find(c->components, words)->parent.text);
        words = text;
    }
    cardo_residue_label(c->structure, e->residue, label);
    if (e->count > 1)
        printf("  %d residues (%s, ...)%s%s\n", e->count, label, words[0] ? ": " : "", words);
    else
        printf("  %s%s%s\n", label, words[0] ? ": " : "", words);
}

/* The entries of one kind, count of them. */
static void print_kind(const cardo_checked *c, const entry *list, int count)
{
    printf("%d residue%s %s\n", count, count == 1 ? "" : "s", kinds[list->kind].heading);
    for (int i = 0; i < count; ++i)
        print_entry(c, &list[i]);
    printf("  -> %s\n", kinds[list->kind].advice);
}

static void print_kinds(const cardo_checked *c, const entry *list, int n)
{
    for (int i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && list[end].kind == list[i].kind;)
            ++end;
        print_kind(c, &list[i], end - i);
    }
}

/* FILE without folder and ending, for a name beside it. */
static void stem_of(const char *path, char stem[128])
{
    const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    snprintf(stem, 128, "%s", name);
    stem[strcspn(stem, ".")] = '\0';
}

static void print_commands(const cardo_checked *c)
{
    bool nucleic = false, preparable = false;
    char stem[128];
    for (int r = 0; r < c->coverage->nresidue; ++r) {
        const cardo_component *component =
            cardo_component_find(c->components, c->structure->residue_name[r].text);
        nucleic = nucleic || cardo_residue_is_nucleic(c->structure->residue_name[r].text);
        preparable = preparable || (component && component->kind != CARDO_COMPONENT_WATER &&
                                    kind_of(c, r) != TOO_LITTLE);
    }
    stem_of(c->path, stem);
    if (!preparable) {
        puts("nothing in this file can be prepared: no protein or nucleic acid with a backbone");
        return;
    }
    puts("what to type:");
    const char *ending = cardo_structure_extension(c->structure, NULL);
    printf("  cardo prepare %s -o %s_prepared.%s\n", c->path, stem, ending);
    printf("  cardo check %s_prepared.%s --forcefield %s\n", stem, ending,
           nucleic ? "ff99SB.xml" : c->forcefield);
}

cardo_status cardo_checked_print(const cardo_checked *c, bool full, cardo_error *error)
{
    char label[40];
    entry *list = NULL;
    int n;
    cardo_status status = list_entries(c, !full, &list, &n, error);
    if (status != CARDO_OK)
        return status;
    for (int r = 0; full && r < c->coverage->nresidue; ++r)
        if (!c->coverage->residue[r].problem)
            printf("  %s: %s\n", cardo_residue_label(c->structure, r, label),
                   c->coverage->residue[r].template_name);
    printf("%s: %d of %d residues are covered by %s\n", c->path,
           c->coverage->nresidue - c->coverage->nproblem, c->coverage->nresidue, c->forcefield);
    print_kinds(c, list, n);
    if (c->coverage->nproblem > 0)
        print_commands(c);
    cardo_free(list);
    return CARDO_OK;
}

void cardo_checked_json(const cardo_checked *c)
{
    cardo_json *object = cardo_json_object(), *list = cardo_json_array();
    cardo_json_string(object, "file", c->path);
    cardo_json_string(object, "forcefield", c->forcefield);
    cardo_json_integer(object, "residues", c->coverage->nresidue);
    cardo_json_integer(object, "problems", c->coverage->nproblem);
    for (int r = 0; r < c->coverage->nresidue; ++r) {
        char label[40];
        const cardo_residue_coverage *of = &c->coverage->residue[r];
        kind k = kind_of(c, r);
        cardo_json *one = cardo_json_object();
        cardo_json_string(one, "residue", cardo_residue_label(c->structure, r, label));
        if (k == COVERED) {
            cardo_json_string(one, "template", of->template_name);
        } else {
            cardo_json_string(one, "kind", kinds[k].name);
            cardo_json_string(one, "problem", of->problem);
            cardo_json_string(one, "what_to_do", kinds[k].advice);
        }
        cardo_json_put(list, NULL, one);
    }
    cardo_json_put(object, "coverage", list);
    cardo_json_print(object, stdout);
}
