/* Manual pages from the option tables. */
#include "cli/help/manual.h"

#include "cli/frame/version.h"
#include <cardo/cardo.h>

#include <stdio.h>

const char *cardo_field_note(const cardo_field *field)
{
    return field->may_change ? " (another value may be given on --continue)" : "";
}

/* A text in roff: dashes that may be copied, no line that begins with a control character. */
static void print_roff(const char *text)
{
    if (*text == '.' || *text == '\'')
        printf("\\&");
    for (; *text; ++text) {
        if (*text == '-')
            printf("\\-");
        else if (*text == '\\')
            printf("\\e");
        else
            putchar(*text);
    }
}

static void man_fields(const cardo_field *fields)
{
    for (const cardo_field *field = fields; field && field->name; ++field) {
        printf(".TP\n.BI ");
        print_roff(field->name);
        printf(" =\\(dq%s%s%s\\(dq\n", field->default_value,
               field->unit && *field->unit ? "\\ " : "", field->unit ? field->unit : "");
        print_roff(field->doc);
        print_roff(cardo_field_note(field));
        for (int k = 0; field->choices && field->choices[k]; ++k)
            printf("%s%s", k ? ", " : " (one of ", field->choices[k]);
        printf("%s\n", field->choices ? ")" : "");
    }
}

static void man_options(const cardo_verb *verb)
{
    if (verb->options->name)
        printf(".SH OPTIONS\n");
    for (const cardo_option *option = verb->options; option->name; ++option) {
        printf(".TP\n");
        if (option->letter)
            printf("\\fB\\-%c\\fR, ", option->letter);
        printf("\\fB\\-\\-");
        print_roff(option->name);
        printf("\\fR%s\\fI%s\\fR\n", option->argument ? " " : "",
               option->argument ? option->argument : "");
        print_roff(option->doc);
        printf("\n");
    }
    for (const cardo_option_group *group = cardo_verb_groups(verb); group->title; ++group) {
        if (group == cardo_verb_groups(verb))
            printf(".SH SETTINGS\n");
        printf(".SS ");
        print_roff(group->title);
        printf(" (with their defaults)\n");
        man_fields(group->fields);
    }
}

static void man_exit_status(void)
{
    printf(".SH EXIT STATUS\n0 done, 1 the input is wrong, 2 the command line is wrong, 3 "
           "numerical failure, or a process that took part was lost, 130 interrupted, 143 by "
           "SIGTERM, 129 by SIGHUP (a checkpoint is written).\n");
}

void cardo_print_verb_manual(const cardo_verb *verb)
{
    printf(".TH cardo\\-%s 1 \"\" \"cardo %s\" \"User Commands\"\n", verb->name, CARDO_VERSION);
    printf(".SH NAME\ncardo\\-%s \\- ", verb->name);
    print_roff(verb->summary);
    printf("\n.SH SYNOPSIS\n.B cardo %s\n", verb->name);
    print_roff(verb->synopsis);
    printf("\n.SH DESCRIPTION\n");
    print_roff(verb->description);
    printf("\n");
    man_options(verb);
    man_exit_status();
    printf(".SH SEE ALSO\n.BR cardo (1)\n");
}

void cardo_print_manual(const cardo_verb *const *verbs)
{
    printf(".TH cardo 1 \"\" \"cardo %s\" \"User Commands\"\n", CARDO_VERSION);
    printf(".SH NAME\ncardo \\- domain\\-hinge dynamics of proteins in internal coordinates\n");
    printf(".SH SYNOPSIS\n.B cardo\n.I command\n[arguments] [options]\n.SH DESCRIPTION\n"
           "Cardo reads crystal structures and a domain annotation, builds rigid domain bodies "
           "joined by mobilizers, takes atomistic forces from OpenMM, and simulates the motion of "
           "the domains in the few coordinates of their hinges.\n.SH COMMANDS\n");
    for (const cardo_verb *const *verb = verbs; *verb; ++verb) {
        printf(".TP\n.BR cardo\\-%s (1)\n", (*verb)->name);
        print_roff((*verb)->summary);
        printf("\n");
    }
    printf(".SH INTEGRATORS\n");
    for (const cardo_integrator *const *i = cardo_integrator_list(); *i; ++i) {
        printf(".SS %s\n", cardo_integrator_name(*i));
        print_roff(cardo_integrator_doc(*i));
        printf("\n");
        man_fields(cardo_integrator_options(*i));
    }
    man_exit_status();
    printf(".SH ENVIRONMENT\n.TP\n.B CARDO_DATA\nA folder that is searched for force fields, "
           "topologies and structures before the installed ones.\n"
           ".TP\n.B CARDO_KERNELS\navx512, avx2 or plain: the instructions that forces on rigid "
           "bodies are computed with where the model's forcefield.kernels is auto, for comparisons "
           "and reports of faults. Results differ in their last bits.\n");
}
