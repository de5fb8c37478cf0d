/* The report of study "prepare": a summary, then what was done by topic. */
#include "io/report/prepare.h"

#include "cardo/result_text.h"
#include "io/report/report.h"

#include <limits.h>

static void say_topic(FILE *stream, const cardo_result *topic)
{
    cardo_result_say(stream, topic, "\n{heading}\n");
    cardo_result_say_rows(stream, cardo_result_find(topic, "entries"),
                          "[  {count} residues ({first}, ...): {why}\n]"
                          "[  {residue:-12s}[ {atoms:104,15w}][[{atoms#:}] {why}]\n]"
                          "[  {residues:98,3w}:[ {atoms:104,15w}][[{atoms#:}] {why}]\n]",
                          LLONG_MAX);
}

void cardo_prepared_say(FILE *stream, const cardo_result *prepared)
{
    const cardo_result *topics = cardo_result_find(prepared, "by_topic");
    cardo_result_say(
        stream, prepared,
        "{input} -> {output}\n"
        "  {atoms} atoms in {residues} residues and {chains} chain{chains#s}: {atoms_of_file} of "
        "the "
        "file, {heavy_atoms_built} heavy atoms and {hydrogens_built} hydrogens built\n"
        "{changed?|  nothing was to be done\n}"
        "[  {share_of_heavy_atoms_built} % OF ALL HEAVY ATOMS ARE GUESSES: no more than {known} of "
        "this structure is known\n]"
        "  {residues_left_out} residues left out"
        "[; {alternates} residue{alternates#s} with alternates]"
        "[; {disulfides} disulfide{disulfides#s}]");
    if (cardo_result_number_at(prepared, "to_look_at") > 0)
        cardo_result_say(stream, prepared,
                         "; {to_look_at} thing{to_look_at#s} to look at (at the end)");
    cardo_result_say(
        stream, prepared,
        "\n[  relaxed: the {relaxation/atoms} atoms that were built moved by "
        "{relaxation/moved_rms_A} A RMS, {relaxation/moved_most_A} A at most, with "
        "{relaxation/forcefield}; all others stayed\n][  not relaxed: {relaxation/why_not}\n]");
    for (int k = 0; k < cardo_result_count(topics); ++k)
        say_topic(stream, cardo_result_part(topics, k));
}

void cardo_prepared_say_review(FILE *stream, const cardo_result *prepared)
{
    const cardo_result *topics = cardo_result_find(prepared, "by_topic");
    int said = 0;
    for (int k = 0; k < cardo_result_count(topics); ++k) {
        const cardo_result *topic = cardo_result_part(topics, k);
        if (!cardo_result_as_truths(cardo_result_find(topic, "open"))[0])
            continue;
        if (said++ == 0)
            cardo_result_say(stream, prepared, "{input}: as it is");
        say_topic(stream, topic);
    }
    if (said)
        fputc('\n', stream);
}

const cardo_report cardo_report_prepare = {"prepare", cardo_prepared_say};
