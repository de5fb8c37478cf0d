#include "forces/ffxml/coverage.h"

#include "base/memory.h"
#include "forces/ffxml/definitions/templates.h"
#include "forces/ffxml/matching/match.h"
#include "forces/ffxml/matching/match_patched.h"
#include "forces/ffxml/matching/unmatched.h"

#include <string.h>

void cardo_coverage_destroy(cardo_coverage *coverage)
{
    if (!coverage)
        return;
    for (int r = 0; r < coverage->nresidue; ++r) {
        cardo_free(coverage->residue[r].template_name);
        cardo_free(coverage->residue[r].problem);
    }
    cardo_free(coverage->residue);
    cardo_free(coverage);
}

/* What the message that names one residue alone says of it: on an indented line, after its label.
 * Residues that lack all hydrogens, and those like no template, stand there as numbers. */
static cardo_status take_words(const char *message, const char *label, char **out,
                               cardo_error *error)
{
    const char *line = strstr(message, "\n  ");
    line = line ? line + 3 : message;
    size_t n = strlen(label);
    if (strncmp(line, label, n) == 0 && line[n] == ':')
        line += n + 2;
    else if (strstr(line, "lack hydrogens only"))
        line = "lacks hydrogens only";
    else if (strstr(line, "like no template"))
        line = "like no template of the force field";
    cardo_status status = cardo_copy_string(out, line, error);
    if (status == CARDO_OK)
        (*out)[strcspn(*out, "\n")] = '\0';
    return status;
}

/* Nothing of the words but these tells residues apart: their names, and those and the elements of their
 * atoms, where none is bonded to another residue. */
static bool is_alike(const cardo_assignment *assignment, int one, int other)
{
    const cardo_structure *s = assignment->structure;
    int first = s->residue_first[one], there = s->residue_first[other];
    int natom = s->residue_first[one + 1] - first;
    if (natom != s->residue_first[other + 1] - there ||
        memcmp(&s->residue_name[one], &s->residue_name[other], sizeof *s->residue_name) != 0)
        return false;
    for (int i = 0; i < natom; ++i)
        if (memcmp(&s->atom_name[first + i], &s->atom_name[there + i], sizeof *s->atom_name) != 0 ||
            s->element[first + i] != s->element[there + i] ||
            cardo_degree(assignment->bonds, first + i) !=
                cardo_degree(assignment->bonds, there + i) ||
            cardo_external_bonds(assignment, first + i) > 0 ||
            cardo_external_bonds(assignment, there + i) > 0)
            return false;
    return true;
}

/* What is wrong with one residue, told by the same words as when it stops an assignment. */
static cardo_status describe(const cardo_assignment *assignment, int residue, bool bare, char **out,
                             cardo_error *error)
{
    cardo_error message = {0};
    char label[40];
    cardo_report_unmatched_residue(assignment, residue, bare, &message);
    return take_words(message.message, cardo_residue_label(assignment->structure, residue, label),
                      out, error);
}

enum { RECENT = 256 };

/* Where among the recent descriptions those of residues like this one stand. */
static unsigned recent_place(const cardo_structure *s, int residue)
{
    unsigned hash = (unsigned)(s->residue_first[residue + 1] - s->residue_first[residue]);
    for (const char *p = s->residue_name[residue].text; *p; ++p)
        hash = 31 * hash + (unsigned char)*p;
    return hash % RECENT;
}

/* Waters and ions by the thousand are described once. */
static cardo_status fill(cardo_assignment *assignment, cardo_coverage *coverage, cardo_error *error)
{
    bool bare = !cardo_has_hydrogens(assignment->structure);
    int recent[RECENT]; /* residue + 1 that was described, 0: none */
    memset(recent, 0, sizeof recent);
    for (int r = 0; r < coverage->nresidue; ++r) {
        cardo_residue_coverage *entry = &coverage->residue[r];
        const cardo_template *found = assignment->template_of[r];
        int *like = &recent[recent_place(assignment->structure, r)];
        cardo_status status;
        if (found)
            status = cardo_copy_string(&entry->template_name, found->name, error);
        else if (*like > 0 && is_alike(assignment, *like - 1, r))
            status =
                cardo_copy_string(&entry->problem, coverage->residue[*like - 1].problem, error);
        else
            status = describe(assignment, r, bare, &entry->problem, error);
        if (status != CARDO_OK)
            return status;
        if (!found) {
            *like = r + 1;
            ++coverage->nproblem;
        }
    }
    return CARDO_OK;
}

cardo_status cardo_coverage_find(const cardo_forcefield *forcefield,
                                 const cardo_structure *structure, const cardo_bonds *bonds,
                                 cardo_coverage **out, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    cardo_assignment a = {.forcefield = forcefield, .structure = structure, .bonds = bonds};
    cardo_coverage *coverage = NULL;
    int unmatched;
    *out = NULL;
    CARDO_TRY(CARDO_ALLOCATE(&a.template_of, structure->nresidue, error));
    CARDO_TRY(CARDO_ALLOCATE(&a.template_atom, structure->natom, error));
    CARDO_TRY(CARDO_ALLOCATE(&a.type, structure->natom, error));
    CARDO_TRY(CARDO_ALLOCATE(&coverage, 1, error));
    CARDO_TRY(CARDO_ALLOCATE(&coverage->residue, structure->nresidue, error));
    coverage->nresidue = structure->nresidue;
    CARDO_TRY(cardo_match_templates(&a, &unmatched, error));
    CARDO_TRY(fill(&a, coverage, error));
    *out = coverage;
    coverage = NULL;
done:
    cardo_coverage_destroy(coverage);
    cardo_free(a.template_of);
    cardo_patched_templates_clear(&a);
    cardo_free(a.template_atom);
    cardo_free(a.type);
    return status;
}
