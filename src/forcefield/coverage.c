#include "forcefield/coverage.h"

#include "base/memory.h"
#include "forcefield/match.h"
#include "forcefield/match_patched.h"
#include "forcefield/templates.h"
#include "forcefield/unmatched.h"

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

/* What the message that names one residue alone says of it: on an indented line, behind its label.
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

/* What is wrong with one residue, told by the same words as when it stops an assignment. */
static cardo_status describe(cardo_assignment *assignment, int residue, char **out,
                             cardo_error *error)
{
    const cardo_structure *s = assignment->structure;
    const cardo_template **all = assignment->template_of, **alone = NULL;
    cardo_error message = {0};
    cardo_status status = CARDO_ALLOCATE(&alone, s->nresidue, error);
    if (status != CARDO_OK)
        return status;
    for (int r = 0; r < s->nresidue; ++r)
        alone[r] = r == residue ? NULL : &assignment->forcefield->templates.list[0];
    assignment->template_of = alone;
    cardo_report_unmatched(assignment, 1, &message);
    assignment->template_of = all;
    cardo_free(alone);
    char label[40];
    return take_words(message.message, cardo_residue_label(s, residue, label), out, error);
}

static cardo_status fill(cardo_assignment *assignment, cardo_coverage *coverage, cardo_error *error)
{
    for (int r = 0; r < coverage->nresidue; ++r) {
        cardo_residue_coverage *entry = &coverage->residue[r];
        const cardo_template *found = assignment->template_of[r];
        cardo_status status = found ? cardo_copy_string(&entry->template_name, found->name, error)
                                    : describe(assignment, r, &entry->problem, error);
        if (status != CARDO_OK)
            return status;
        coverage->nproblem += !found;
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
