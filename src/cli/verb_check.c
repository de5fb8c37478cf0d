/* cardo check: does a force field cover a structure, and what is wrong where it does not. */
#include "base/memory.h"
#include "base/text.h"
#include "cli/json.h"
#include "cli/reading.h"
#include "cli/verb.h"
#include "forcefield/coverage.h"
#include "structure/pdb.h"

#include <stdio.h>
#include <string.h>

/* What the run works on. */
typedef struct check {
    const char *path;
    char *templates;
    cardo_structure *structure;
    cardo_bonds *bonds;
    cardo_forcefield *forcefield;
    cardo_coverage *coverage;
} check;

static void clear(check *c)
{
    cardo_coverage_destroy(c->coverage);
    cardo_forcefield_destroy(c->forcefield);
    cardo_bonds_destroy(c->bonds);
    cardo_structure_destroy(c->structure);
    cardo_free(c->templates);
}

static cardo_status read_forcefield(const cardo_command *command, cardo_forcefield **out,
                                    cardo_error *error)
{
    cardo_status status = CARDO_OK;
    const char *given[CARDO_MOST_GIVEN] = {"ff14SB.xml"}, *read[CARDO_MOST_GIVEN];
    char *paths[CARDO_MOST_GIVEN] = {NULL};
    int n = cardo_command_values(command, "forcefield", given), found = 0;
    n = n ? n : 1;
    for (; found < n; ++found) {
        CARDO_TRY(cardo_find_data(given[found], NULL, "forcefields", &paths[found], error));
        read[found] = paths[found];
    }
    status = cardo_forcefield_read(n, read, out, error);
done:
    for (int k = 0; k < found; ++k)
        cardo_free(paths[k]);
    return status;
}

static cardo_status make(const cardo_command *command, check *c, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    cardo_read_options read = {.model = 0};
    CARDO_TRY(cardo_find_data("residues.xml", NULL, "topologies", &c->templates, error));
    CARDO_TRY(cardo_reading_options(command, &read, error));
    CARDO_TRY(cardo_structure_read_as(c->path, &read, &c->structure, error));
    cardo_reading_remarks(c->structure);
    CARDO_TRY(cardo_normalise_names(c->structure, c->templates, error));
    CARDO_TRY(cardo_bonds_find(c->structure, c->templates, &c->bonds, error));
    CARDO_TRY(read_forcefield(command, &c->forcefield, error));
    CARDO_TRY(cardo_coverage_find(c->forcefield, c->structure, c->bonds, &c->coverage, error));
done:
    return status;
}

/* Residues with this one's problem, if it is the first of them; else 0. */
static int count_alike(const cardo_coverage *coverage, int residue)
{
    const char *problem = coverage->residue[residue].problem;
    int count = 0;
    for (int r = 0; r < coverage->nresidue; ++r) {
        bool alike =
            coverage->residue[r].problem && strcmp(coverage->residue[r].problem, problem) == 0;
        if (alike && r < residue)
            return 0;
        count += alike;
    }
    return count;
}

static void print_problem(const check *c, int residue, bool full)
{
    char label[40];
    const char *problem = c->coverage->residue[residue].problem;
    int count = full ? 1 : count_alike(c->coverage, residue);
    cardo_residue_label(c->structure, residue, label);
    if (count == 1)
        printf("  %s: %s\n", label, problem);
    else if (count > 1)
        printf("  %d residues (%s, ...): %s\n", count, label, problem);
}

static void print_text(const check *c, bool full)
{
    char label[40];
    for (int r = 0; r < c->coverage->nresidue; ++r)
        if (c->coverage->residue[r].problem)
            print_problem(c, r, full);
        else if (full)
            printf("  %s: %s\n", cardo_residue_label(c->structure, r, label),
                   c->coverage->residue[r].template_name);
    printf("%s: %d of %d residues are covered\n", c->path,
           c->coverage->nresidue - c->coverage->nproblem, c->coverage->nresidue);
}

static void print_json(const check *c)
{
    cardo_json *object = cardo_json_object(), *list = cardo_json_array();
    cardo_json_string(object, "file", c->path);
    cardo_json_integer(object, "residues", c->coverage->nresidue);
    cardo_json_integer(object, "problems", c->coverage->nproblem);
    for (int r = 0; r < c->coverage->nresidue; ++r) {
        char label[40];
        const cardo_residue_coverage *of = &c->coverage->residue[r];
        cardo_json *entry = cardo_json_object();
        cardo_json_string(entry, "residue", cardo_residue_label(c->structure, r, label));
        if (of->problem)
            cardo_json_string(entry, "problem", of->problem);
        else
            cardo_json_string(entry, "template", of->template_name);
        cardo_json_put(list, NULL, entry);
    }
    cardo_json_put(object, "coverage", list);
    cardo_json_print(object, stdout);
}

static cardo_status run(const cardo_command *command, cardo_error *error)
{
    check c = {.path = command->argument[0]};
    cardo_status status = CARDO_OK;
    if (command->nargument != 1)
        return CARDO_FAIL(error, CARDO_ERROR_USAGE, "one structure file is needed: cardo check %s",
                          command->verb->synopsis);
    CARDO_TRY(make(command, &c, error));
    if (cardo_command_has(command, "json"))
        print_json(&c);
    else
        print_text(&c, cardo_command_has(command, "full"));
    if (c.coverage->nproblem > 0)
        status = CARDO_FAIL(error, CARDO_ERROR_INPUT,
                            "%d of %d residues are not covered by the force field\n"
                            "cardo prepare %s -o prepared.pdb completes proteins and nucleic acids "
                            "and leaves out the rest",
                            c.coverage->nproblem, c.coverage->nresidue, c.path);
done:
    clear(&c);
    return status;
}

static const cardo_option options[] = {
    {"forcefield", 0, "FILE", "force field (default ff14SB.xml); may be repeated"},
    {"full", 0, NULL, "list covered residues too, with their templates"},
    CARDO_NUMBERING_OPTION,
    {"json", 'j', NULL, "print JSON: every residue"},
    {0},
};

const cardo_verb cardo_verb_check = {
    .name = "check",
    .synopsis = "FILE [options]",
    .summary = "does a force field cover every residue of a structure, and if not, what is wrong",
    .description = "Matches every residue of a structure file to the force field's templates and "
                   "lists all that match none, each with the nearest template and the atoms that "
                   "are missing or too many. The exit status is 1 when there are any.",
    .options = options,
    .run = run,
};
