/* cardo check: does a force field cover a structure, and what is wrong where it does not. */
#include "base/memory.h"
#include "base/text.h"
#include "cli/check_report.h"
#include "cli/reading.h"
#include "cli/verb.h"
#include "forces/ffxml/coverage.h"
#include "io/results/result_printer.h"
#include "structure/pdb/pdb.h"
#include "study/check.h"

#include <stdio.h>
#include <string.h>

/* What the run works on. */
typedef struct check {
    const char *path;
    char *templates;
    cardo_structure *structure;
    cardo_bonds *bonds;
    cardo_components components;
    cardo_forcefield *forcefield;
    char names[256]; /* of its files */
    cardo_coverage *coverage;
} check;

static void clear(check *c)
{
    cardo_coverage_destroy(c->coverage);
    cardo_forcefield_destroy(c->forcefield);
    cardo_bonds_destroy(c->bonds);
    cardo_structure_destroy(c->structure);
    cardo_components_clear(&c->components);
    cardo_free(c->templates);
}

static cardo_status read_components(check *c, cardo_error *error)
{
    char *path = NULL;
    cardo_status status = cardo_find_data("components.xml", NULL, "topologies", &path, error);
    if (status == CARDO_OK)
        status = cardo_components_read(&c->components, path, error);
    cardo_free(path);
    return status;
}

static cardo_status read_forcefield(const cardo_command *command, check *c, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    const char *given[CARDO_MOST_GIVEN] = {"ff14SB.xml"}, *read[CARDO_MOST_GIVEN];
    char *paths[CARDO_MOST_GIVEN] = {NULL};
    int n = cardo_command_values(command, "forcefield", given), found = 0;
    n = n ? n : 1;
    for (; found < n; ++found) {
        CARDO_TRY(cardo_find_data(given[found], NULL, "forcefields", &paths[found], error));
        read[found] = paths[found];
        size_t used = strlen(c->names);
        snprintf(c->names + used, sizeof c->names - used, "%s%s", used ? " --forcefield " : "",
                 given[found]);
    }
    status = cardo_forcefield_read(n, read, &c->forcefield, error);
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
    CARDO_TRY(read_components(c, error));
    CARDO_TRY(read_forcefield(command, c, error));
    CARDO_TRY(cardo_coverage_find(c->forcefield, c->structure, c->bonds, &c->coverage, error));
done:
    return status;
}

static cardo_status report(const cardo_command *command, const check *c, cardo_error *error)
{
    const cardo_checked checked = {c->path, c->names, c->structure, &c->components, c->coverage};
    const bool full = cardo_command_has(command, "full");
    cardo_result *result;
    cardo_status status = cardo_result_create(&result, error);
    if (status == CARDO_OK)
        status = cardo_checked_fill(&checked, full, result, error);
    if (status == CARDO_OK && cardo_command_has(command, "json"))
        status = cardo_printer_json.print(result, stdout, error);
    else if (status == CARDO_OK)
        cardo_checked_say(stdout, result, full);
    cardo_result_destroy(result);
    return status;
}

static cardo_status run(const cardo_command *command, cardo_error *error)
{
    check c = {.path = command->argument[0]};
    cardo_status status = CARDO_OK;
    if (command->nargument != 1)
        return CARDO_FAIL(error, CARDO_ERROR_USAGE, "one structure file is needed: cardo check %s",
                          command->verb->synopsis);
    CARDO_TRY(make(command, &c, error));
    CARDO_TRY(report(command, &c, error));
    if (c.coverage->nproblem > 0)
        status = CARDO_FAIL(error, CARDO_ERROR_INPUT,
                            "%d of %d residues are not covered by the force field",
                            c.coverage->nproblem, c.coverage->nresidue);
done:
    clear(&c);
    return status;
}

static const cardo_option options[] = {
    {"forcefield", 0, "FILE", "force field (default ff14SB.xml); may be repeated"},
    {"full", 0, NULL, "list covered residues too, with their templates"},
    CARDO_NUMBERING_OPTION,
    {"json", 0, NULL, "print JSON: every residue"},
    {0},
};

const cardo_verb cardo_verb_check = {
    .name = "check",
    .synopsis = "FILE [options]",
    .summary = "does a force field cover every residue of a structure, and if not, what is wrong",
    .description =
        "Matches every residue of a structure file to the force field's templates and "
        "lists all that match none, each with the nearest template and the atoms that "
        "are missing or too many, by what is wrong, with what to do about it and what to "
        "type. The exit status is 1 when there are any.",
    .options = options,
    .run = run,
};
