/* cardo check: does a force field cover a structure, and what is wrong where it does not. */
#include "cli/frame/reading.h"
#include "cli/frame/study_verb.h"
#include <cardo/result_text.h>

#include <limits.h>

static void say_kind(const cardo_result *kind)
{
    cardo_result_say(stdout, kind, "{residues} residue{residues#s} {heading}\n");
    cardo_result_say_rows(stdout, cardo_result_find(kind, "entries"),
                          "  [{count} residues (]{residue}[{count#, ...)}][: {problem}]\n",
                          LLONG_MAX);
    cardo_result_say(stdout, kind, "  -> {what_to_do}\n");
}

static void say(const cardo_command *command, const cardo_result *checked)
{
    const cardo_result *kinds = cardo_result_find(checked, "by_kind");
    if (cardo_command_has(command, "full"))
        cardo_result_say_rows(stdout, cardo_result_find(checked, "coverage"),
                              "  {residue}: {template}\n", LLONG_MAX);
    cardo_result_say(stdout, checked,
                     "{file}: {covered} of {residues} residues are covered by {forcefield}\n");
    for (int k = 0; k < cardo_result_count(kinds); ++k)
        say_kind(cardo_result_part(kinds, k));
    cardo_result_say(stdout, checked, "{no_remedy}\n");
    cardo_result_say(stdout, cardo_result_find(checked, "remedy"),
                     "what to type:\n  cardo prepare {file} -o {prepared}\n"
                     "  cardo check {prepared} --forcefield {forcefield}\n");
}

static cardo_status judge(const cardo_result *checked, cardo_error *error)
{
    const double n = cardo_result_number_at(checked, "problems");
    return n > 0 ? CARDO_FAIL(error, CARDO_ERROR_INPUT,
                              "%.0f of %.0f residues are not covered by the force field", n,
                              cardo_result_number_at(checked, "residues"))
                 : CARDO_OK;
}

static const cardo_option options[] = {
    {"forcefield", 0, "FILE", "force field (default ff14SB.xml); may be repeated", "forcefield+"},
    {"full", 0, NULL, "list covered residues too, with their templates", "full"},
    CARDO_NUMBERING_OPTION_OF("numbering"),
    {"json", 0, NULL, "print JSON: every residue"},
    {0},
};

static const cardo_study_verb of_study = {
    .study = "check", .wants = "one structure file is needed", .say = say, .judge = judge};

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
    .study = &of_study,
    .run = cardo_study_verb_run,
};
