/* cardo prepare: a structure as deposited becomes one that runs. */
#include "base/lock.h"
#include "base/memory.h"
#include "base/output.h"
#include "cli/prepared_report.h"
#include "cli/reading.h"
#include "cli/verb.h"
#include "io/results/result_printer.h"
#include "structure/pdb/pdb.h"
#include <cardo/text.h>

#include <stdio.h>
#include <string.h>

static bool next_word(const char **list, char word[32])
{
    if (!*list || !**list)
        return false;
    size_t length = strcspn(*list, ",");
    snprintf(word, 32, "%.*s", (int)(length < 31 ? length : 31), *list);
    *list += length + ((*list)[length] == ',');
    return true;
}

/* One of the words of --keep, --drop or --cap. */
typedef struct wish {
    const char *option, *word;
    size_t offset[2]; /* the flags that it sets; [1] 0: only one */
} wish;

#define FLAG(member) offsetof(cardo_prepare_options, member)

static const wish wishes[] = {
    {"keep", "water", {FLAG(keep_water)}},
    {"keep", "ions", {FLAG(keep_ions)}},
    {"keep", "ligands", {FLAG(keep_ligands)}},
    {"keep", "modified", {FLAG(keep_modified)}},
    {"drop", "nucleic", {FLAG(drop_nucleic)}},
    {"drop", "hydrogens", {FLAG(drop_hydrogens)}},
    {"cap", "ends", {FLAG(cap_ends)}},
    {"cap", "breaks", {FLAG(cap_breaks)}},
    {"cap", "all", {FLAG(cap_ends), FLAG(cap_breaks)}},
    {"breaks", "report", {FLAG(report_breaks)}},
    {"breaks", "cap", {FLAG(cap_breaks)}},
    {"breaks", "close", {FLAG(close_breaks)}},
};

enum { NWISH = sizeof wishes / sizeof *wishes };

static cardo_status unknown_wish(const char *option, const char *word, cardo_error *error)
{
    char known[128] = "";
    for (int k = 0; k < NWISH; ++k)
        if (strcmp(wishes[k].option, option) == 0) {
            strncat(known, known[0] ? ", " : "", sizeof known - strlen(known) - 1);
            strncat(known, wishes[k].word, sizeof known - strlen(known) - 1);
        }
    return CARDO_FAIL(error, CARDO_ERROR_USAGE, "--%s %s is none of %s", option, word, known);
}

static cardo_status read_wishes(const cardo_command *command, const char *option,
                                cardo_prepare_options *options, cardo_error *error)
{
    const char *given[CARDO_MOST_GIVEN];
    int n = cardo_command_values(command, option, given);
    char word[32];
    for (int i = 0; i < n; ++i)
        for (const char *list = given[i]; next_word(&list, word);) {
            int k = 0;
            while (k < NWISH &&
                   (strcmp(wishes[k].option, option) != 0 || strcmp(wishes[k].word, word) != 0))
                ++k;
            if (k == NWISH)
                return unknown_wish(option, word, error);
            *(bool *)((char *)options + wishes[k].offset[0]) = true;
            if (wishes[k].offset[1])
                *(bool *)((char *)options + wishes[k].offset[1]) = true;
        }
    return CARDO_OK;
}

static cardo_status read_number(const cardo_command *command, const char *option, double least,
                                double most, double *value, cardo_error *error)
{
    const char *text = cardo_command_value(command, option);
    if (!text)
        return CARDO_OK;
    if (!cardo_parse_double(text, (int)strlen(text), value) || !(*value >= least) ||
        !(*value <= most))
        return CARDO_FAIL(error, CARDO_ERROR_USAGE, "--%s %s is no number from %g to %g", option,
                          text, least, most);
    return CARDO_OK;
}

/* forcefield: room for the names that are given. */
static cardo_status read_wanted(const cardo_command *command, const char **forcefield,
                                cardo_wanted *wanted, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    double model = 0;
    *wanted = (cardo_wanted){.options = cardo_prepare_options_default(),
                             .input = command->nargument == 1 ? command->argument[0] : NULL,
                             .output = cardo_command_value(command, "out"),
                             .altloc = cardo_command_value(command, "altloc"),
                             .relax = !cardo_command_has(command, "no-relax")};
    if (!wanted->input || !wanted->output)
        return CARDO_FAIL(error, CARDO_ERROR_USAGE,
                          "one structure file and a place for the result are needed: cardo "
                          "prepare %s",
                          command->verb->synopsis);
    if (!cardo_command_has(command, "force") && cardo_file_exists(wanted->output))
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "%s is there already: choose another name or overwrite it with --force",
                          wanted->output);
    wanted->nforcefield = cardo_command_values(command, "forcefield", forcefield);
    wanted->forcefield = forcefield;
    wanted->options.chains = cardo_command_value(command, "chains");
    wanted->options.no_hydrogens = cardo_command_has(command, "no-hydrogens");
    CARDO_TRY(read_number(command, "ph", -2, 16, &wanted->options.ph, error));
    CARDO_TRY(read_number(command, "model", 0, 1e6, &model, error));
    wanted->read.model = (int)model;
    CARDO_TRY(cardo_reading_options(command, &wanted->read, error));
    CARDO_TRY(read_wishes(command, "keep", &wanted->options, error));
    CARDO_TRY(read_wishes(command, "drop", &wanted->options, error));
    CARDO_TRY(read_wishes(command, "cap", &wanted->options, error));
    CARDO_TRY(read_wishes(command, "breaks", &wanted->options, error));
    if (wanted->options.report_breaks &&
        (wanted->options.cap_breaks || wanted->options.close_breaks))
        status = CARDO_FAIL(error, CARDO_ERROR_USAGE,
                            "--breaks report leaves breaks open: cap or close besides it make no "
                            "sense");
done:
    return status;
}

static cardo_status print_json(const cardo_wanted *wanted, const cardo_prepared *prepared,
                               cardo_error *error)
{
    cardo_result *result;
    cardo_status status = cardo_result_create(&result, error);
    if (status == CARDO_OK)
        status = cardo_prepared_fill(wanted, prepared, result, error);
    if (status == CARDO_OK)
        status = cardo_printer_json.print(result, stdout, error);
    cardo_result_destroy(result);
    return status;
}

static cardo_status run(const cardo_command *command, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    cardo_wanted wanted;
    const char *forcefield[CARDO_MOST_GIVEN];
    cardo_prepared prepared = {0};
    cardo_lock *lock = NULL;
    CARDO_TRY(read_wanted(command, forcefield, &wanted, error));
    CARDO_TRY(cardo_lock_file(wanted.output, "cardo prepare", &lock, error));
    CARDO_TRY(cardo_prepared_make(&wanted, &prepared, error));
    CARDO_TRY(cardo_structure_write(wanted.output, prepared.preparation->structure, NULL, error));
    if (cardo_command_has(command, "json"))
        CARDO_TRY(print_json(&wanted, &prepared, error));
    else if (!cardo_command_has(command, "quiet"))
        cardo_prepared_print(&wanted, &prepared, cardo_command_has(command, "full"));
done:
    cardo_lock_release(lock);
    cardo_prepared_clear(&prepared);
    return status;
}

static const cardo_option options[] = {
    {"out", 'o', "FILE", "where the result goes: .pdb or .cif"},
    {"force", 'f', NULL, "overwrite it"},
    {"ph", 0, "PH", "pH for protonation states (default 7); hydrogens in the file come first"},
    {"chains", 'c', "A,B", "chains to keep (default: all)"},
    {"model", 'm', "N", "model of the file (default: the first)"},
    CARDO_NUMBERING_OPTION,
    {"altloc", 'a', "A",
     "alternate location to take where it is there (default: highest "
     "occupancy)"},
    {"keep", 'k', "WHAT", "keep water, ions, ligands, modified (residues); separated by commas"},
    {"drop", 'd', "WHAT",
     "leave out nucleic (acids), or the file's hydrogens, which are then placed anew; separated by "
     "commas"},
    {"cap", 0, "WHERE", "ACE and NME at protein chain ends, breaks or all (default: charged ends)"},
    {"breaks", 0, "WHAT",
     "breaks inside protein chains: report (default: open, with charged ends), cap (ACE and NME), "
     "close (build up to 8 residues that the file's sequence names; refused where they do not "
     "fit), "
     "or close,cap"},
    {"no-hydrogens", 0, NULL, "build heavy atoms only"},
    {"forcefield", 0, "FILE",
     "force field to relax what was built with (default ff14SB.xml, with nucleic acids "
     "ff99SB.xml); may be repeated"},
    {"no-relax", 0, NULL, "leave what was built at ideal geometry"},
    {"full", 0, NULL, "list hydrogens, waters and protonation states one by one too"},
    {"json", 0, NULL, "print the report as JSON: every atom"},
    {"quiet", 'q', NULL, "print no report"},
    {0},
};

const cardo_verb cardo_verb_prepare = {
    .name = "prepare",
    .synopsis = "FILE -o PREPARED.pdb [options]",
    .summary = "make a crystal structure ready for simulation, and say what was done",
    .description =
        "Reads a structure as deposited (PDB or mmCIF) and writes one that a force field covers: "
        "chooses model, alternates and chains, leaves out water, ions and ligands unless told to "
        "keep them, gives modified residues the name and atoms of their standard parent, rebuilds "
        "missing heavy atoms without clashes, finds disulfides, ends chains, and adds hydrogens "
        "for the pH. Atoms of the file stay where they are; what was built is relaxed with the "
        "force field while all else is held. Chain breaks are reported, with the residues that the "
        "file's sequence names, and capped or closed on request, never bridged silently: each side "
        "becomes a chain of its own. The report ends with what to look at: amides that fit better "
        "turned, links and metals that were left out, odd peptides and chirality. Preparing a "
        "prepared file changes nothing.",
    .options = options,
    .run = run,
};
