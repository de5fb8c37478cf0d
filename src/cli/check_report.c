#include "cli/check_report.h"

#include "cli/json.h"

#include <stdio.h>
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

/* The words that residues of a kind share when they are said in one line. */
static const char *words_of(const cardo_checked *c, int r, kind k, char text[96])
{
    const char *name = c->structure->residue_name[r].text;
    const cardo_modified *modified = cardo_modified_find(c->components, name);
    if (k == MODIFIED)
        snprintf(text, 96, "%s, which is made from %s", name, modified->parent.text);
    else if (k == INCOMPLETE)
        return c->coverage->residue[r].problem;
    else if (k == ION || k == OTHER || k == NUCLEIC)
        snprintf(text, 96, "%s", name);
    else
        text[0] = '\0';
    return text;
}

static void print_line(const cardo_checked *c, int r, kind k, bool full)
{
    char label[40], text[96], other[96];
    const char *words = words_of(c, r, k, text);
    int count = 0;
    for (int i = 0; i < c->coverage->nresidue && !full; ++i) {
        bool alike = kind_of(c, i) == k && strcmp(words_of(c, i, k, other), words) == 0;
        if (alike && i < r)
            return;
        count += alike;
    }
    cardo_residue_label(c->structure, r, label);
    if (count > 1)
        printf("  %d residues (%s, ...)%s%s\n", count, label, words[0] ? ": " : "", words);
    else
        printf("  %s%s%s\n", label, words[0] ? ": " : "", words);
}

static void print_kind(const cardo_checked *c, kind k, bool full)
{
    int count = 0;
    for (int r = 0; r < c->coverage->nresidue; ++r)
        count += kind_of(c, r) == k;
    if (count == 0)
        return;
    printf("%d residue%s %s\n", count, count == 1 ? "" : "s", kinds[k].heading);
    for (int r = 0; r < c->coverage->nresidue; ++r)
        if (kind_of(c, r) == k)
            print_line(c, r, k, full);
    printf("  -> %s\n", kinds[k].advice);
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
    printf("  cardo prepare %s -o %s_prepared.pdb\n", c->path, stem);
    printf("  cardo check %s_prepared.pdb --forcefield %s\n", stem,
           nucleic ? "ff99SB.xml" : c->forcefield);
}

void cardo_checked_print(const cardo_checked *c, bool full)
{
    char label[40];
    for (int r = 0; full && r < c->coverage->nresidue; ++r)
        if (!c->coverage->residue[r].problem)
            printf("  %s: %s\n", cardo_residue_label(c->structure, r, label),
                   c->coverage->residue[r].template_name);
    printf("%s: %d of %d residues are covered by %s\n", c->path,
           c->coverage->nresidue - c->coverage->nproblem, c->coverage->nresidue, c->forcefield);
    for (int k = 0; k < NKIND; ++k)
        print_kind(c, (kind)k, full);
    if (c->coverage->nproblem > 0)
        print_commands(c);
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
        cardo_json *entry = cardo_json_object();
        cardo_json_string(entry, "residue", cardo_residue_label(c->structure, r, label));
        if (k == COVERED) {
            cardo_json_string(entry, "template", of->template_name);
        } else {
            cardo_json_string(entry, "kind", kinds[k].name);
            cardo_json_string(entry, "problem", of->problem);
            cardo_json_string(entry, "what_to_do", kinds[k].advice);
        }
        cardo_json_put(list, NULL, entry);
    }
    cardo_json_put(object, "coverage", list);
    cardo_json_print(object, stdout);
}
