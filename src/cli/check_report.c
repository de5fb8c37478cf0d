#include "cli/check_report.h"

#include <cardo/result_text.h>

#include <limits.h>

static void say_kind(FILE *stream, const cardo_result *kind)
{
    cardo_result_say(stream, kind, "{residues} residue{residues#s} {heading}\n");
    cardo_result_say_rows(stream, cardo_result_find(kind, "entries"),
                          "  [{count} residues (]{residue}[{count#, ...)}][: {problem}]\n",
                          LLONG_MAX);
    cardo_result_say(stream, kind, "  -> {what_to_do}\n");
}

void cardo_checked_say(FILE *stream, const cardo_result *checked, bool full)
{
    const cardo_result *kinds = cardo_result_find(checked, "by_kind");
    if (full)
        cardo_result_say_rows(stream, cardo_result_find(checked, "coverage"),
                              "  {residue}: {template}\n", LLONG_MAX);
    cardo_result_say(stream, checked,
                     "{file}: {covered} of {residues} residues are covered by {forcefield}\n");
    for (int k = 0; k < cardo_result_count(kinds); ++k)
        say_kind(stream, cardo_result_part(kinds, k));
    cardo_result_say(stream, checked, "{no_remedy}\n");
    cardo_result_say(stream, cardo_result_find(checked, "remedy"),
                     "what to type:\n  cardo prepare {file} -o {prepared}\n"
                     "  cardo check {prepared} --forcefield {forcefield}\n");
}
