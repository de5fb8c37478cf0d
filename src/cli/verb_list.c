/* cardo list: the tables of what there is. */
#include "cli/frame/verb.h"
#include <cardo/dynamics.h>
#include <cardo/files.h>
#include <cardo/forces.h>
#include <cardo/memory.h>
#include <cardo/mobilizers.h>
#include <cardo/model.h>

#include <stdio.h>
#include <string.h>

static void size_text(const char *varies, int n, char text[16])
{
    if (varies)
        snprintf(text, 16, "%s", varies);
    else
        snprintf(text, 16, "%d", n);
}

static cardo_status list_mobilizers(const cardo_command *command, cardo_error *error)
{
    (void)command;
    (void)error;
    printf("%-24s %-8s %-8s %s\n", "mobilizer", "q", "u", "what it does");
    for (const cardo_mobilizer *const *m = cardo_mobilizer_list(); *m; ++m) {
        char nq[16], nu[16];
        int q, u;
        const char *varies = cardo_mobilizer_sizes(*m, &q, &u);
        size_text(varies, q, nq);
        size_text(varies, u, nu);
        printf("%-24s %-8s %-8s %s\n", cardo_mobilizer_name(*m), nq, nu, cardo_mobilizer_doc(*m));
    }
    return CARDO_OK;
}

static void print_fields(const cardo_field *fields)
{
    for (const cardo_field *field = fields; field && field->name; ++field)
        printf("%-24s   %s=\"%s\"%s%s: %s\n", "", field->name, field->default_value,
               field->unit && *field->unit ? " " : "", field->unit ? field->unit : "", field->doc);
}

static bool is_written(const char *kind)
{
    cardo_model_constraint_words element;
    for (int k = 0; cardo_model_constraint_element(k, &element); ++k)
        if (strcmp(element.name, kind) == 0)
            return true;
    return false;
}

static cardo_status list_constraints(const cardo_command *command, cardo_error *error)
{
    (void)command;
    (void)error;
    printf("Constraints: in <constraints> of a model file (cardo help constraints)\n");
    cardo_model_constraint_words element;
    for (int k = 0; cardo_model_constraint_element(k, &element); ++k) {
        printf("%-24s %s\n%-24s %s\n", element.name, element.doc, "", element.example);
        print_fields(element.attributes);
    }
    printf("In programs only:\n");
    for (const cardo_constraint *const *c = cardo_constraint_list(); *c; ++c)
        if (!is_written(cardo_constraint_name(*c)))
            printf("%-24s %s\n", cardo_constraint_name(*c), cardo_constraint_doc(*c));
    return CARDO_OK;
}

static cardo_status list_integrators(const cardo_command *command, cardo_error *error)
{
    (void)command;
    (void)error;
    for (const cardo_integrator *const *i = cardo_integrator_list(); *i; ++i) {
        printf("%-24s %s\n%-24s %s\n", cardo_integrator_name(*i), cardo_integrator_doc(*i), "",
               cardo_integrator_citation(*i));
        print_fields(cardo_integrator_options(*i));
    }
    return CARDO_OK;
}

static cardo_status list_energies(const cardo_command *command, cardo_error *error)
{
    (void)command;
    (void)error;
    printf(
        "Coarse-grained energies: <forcefield files=\"FILE\" parameters=\"name=value, ...\"/>\n");
    for (const cardo_coarse_kind *const *k = cardo_coarse_kind_list(); *k; ++k) {
        printf("%-24s %s\n%-24s %s\n", cardo_coarse_kind_file(*k), cardo_coarse_kind_doc(*k), "",
               cardo_coarse_kind_citation(*k));
        print_fields(cardo_coarse_kind_options(*k));
    }
    return CARDO_OK;
}

static cardo_status list_formats(const cardo_command *command, cardo_error *error)
{
    (void)command;
    (void)error;
    for (const cardo_trajectory_format *const *f = cardo_trajectory_format_list(); *f; ++f)
        printf("%-10s .%-5s %s\n", cardo_trajectory_format_name(*f),
               cardo_trajectory_format_ending(*f), cardo_trajectory_format_doc(*f));
    return CARDO_OK;
}

static cardo_status list_platforms(const cardo_command *command, cardo_error *error)
{
    (void)command;
    char *text;
    cardo_status status = cardo_platforms_describe(&text, error);
    if (status == CARDO_OK)
        printf("%s", text);
    cardo_free(text);
    return status;
}

static cardo_status list_commands(const cardo_command *command, cardo_error *error)
{
    (void)error;
    for (const cardo_verb *const *verb = command->verbs; *verb; ++verb)
        printf("%-12s %s\n", (*verb)->name, (*verb)->summary);
    return CARDO_OK;
}

static const struct {
    const char *name, *doc;
    cardo_status (*print)(const cardo_command *command, cardo_error *error);
} lists[] = {
    {"mobilizers", "joints of the multibody engine", list_mobilizers},
    {"constraints", "what ties bodies besides joints, with its attributes", list_constraints},
    {"integrators", "ways to advance a simulation, with their options", list_integrators},
    {"energies", "coarse-grained energies, with their parameters", list_energies},
    {"formats", "trajectory formats", list_formats},
    {"platforms", "OpenMM's platforms on this machine", list_platforms},
    {"commands", "commands of this program", list_commands},
};

static cardo_status run(const cardo_command *command, cardo_error *error)
{
    size_t n = sizeof lists / sizeof *lists;
    if (command->nargument == 0) {
        for (size_t k = 0; k < n; ++k)
            printf("cardo list %-12s %s\n", lists[k].name, lists[k].doc);
        return CARDO_OK;
    }
    for (size_t k = 0; k < n; ++k)
        if (strcmp(command->argument[0], lists[k].name) == 0)
            return lists[k].print(command, error);
    return CARDO_FAIL(
        error, CARDO_ERROR_USAGE,
        "there is no list of '%s'; there are mobilizers, constraints, integrators, energies, "
        "formats, platforms, commands",
        command->argument[0]);
}

static const cardo_option options[] = {{0}};

const cardo_verb cardo_verb_list = {
    .name = "list",
    .synopsis = "[mobilizers|constraints|integrators|energies|formats|platforms|commands]",
    .summary = "list what there is to choose from",
    .description = "Prints the program's own tables.",
    .options = options,
    .run = run,
};
