/* The study "prepare": from a structure as deposited to one that runs. */
#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "study/prepare/prepared.h"
#include "study/session/inputs.h"
#include "study/session/study.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

typedef struct prepare_options {
    int model, numbering, pka;
    char ph[CARDO_FIELD_STRING_SIZE];
    bool hydrogens, relax, full;
    char chains[CARDO_FIELD_STRING_SIZE], altloc[CARDO_FIELD_STRING_SIZE],
        assembly[CARDO_FIELD_STRING_SIZE];
    char keep[CARDO_FIELD_STRING_SIZE], drop[CARDO_FIELD_STRING_SIZE], cap[CARDO_FIELD_STRING_SIZE],
        breaks[CARDO_FIELD_STRING_SIZE];
    char protonate[CARDO_FIELD_TEXT_SIZE], forcefield[CARDO_FIELD_TEXT_SIZE],
        output[CARDO_FIELD_TEXT_SIZE];
    cardo_study_inputs inputs;
    const cardo_writer *writer;
} prepare_options;

#define OPTION(member) offsetof(prepare_options, member)

enum { PKA_OF_PLACE };

static const char *const pka_words[] = {"place", "model", NULL};

static const cardo_field fields[] = {
    {"ph", CARDO_FIELD_STRING, OPTION(ph), "", "", 0, 0, NULL,
     "pH (-2 ... 16) for protonation states; none: 7, with model pKa values; hydrogens in the file "
     "come first"},
    {"pka", CARDO_FIELD_CHOICE, OPTION(pka), "", "place", 0, 0, pka_words,
     "pKa values for a pH that is given: in the residue's place, or of model compounds"},
    {"protonate", CARDO_FIELD_TEXT, OPTION(protonate), "", "", 0, 0, NULL,
     "protonation states of residues, before all else: A:48=HIP,A:26=ASH"},
    {"model", CARDO_FIELD_INT, OPTION(model), "", "0", 0, 1e6, NULL,
     "model of the file; 0: the first"},
    {"numbering", CARDO_FIELD_CHOICE, OPTION(numbering), "", "author", 0, 0, cardo_numbering_words,
     "chains and residue numbers of mmCIF files"},
    {"chains", CARDO_FIELD_STRING, OPTION(chains), "", "", 0, 0, NULL,
     "chains to keep, with commas between; none: all"},
    {"assembly", CARDO_FIELD_STRING, OPTION(assembly), "", "", 0, 0, NULL,
     "biological assembly to build by the file's own operators; none: the atoms that the file has"},
    {"altloc", CARDO_FIELD_STRING, OPTION(altloc), "", "", 0, 0, NULL,
     "alternate location to take where it is there; none: of highest occupancy"},
    {"keep", CARDO_FIELD_STRING, OPTION(keep), "", "", 0, 0, NULL,
     "water, ions, ligands, modified (residues), with commas between"},
    {"drop", CARDO_FIELD_STRING, OPTION(drop), "", "", 0, 0, NULL,
     "nucleic (acids), hydrogens of the file, which are then placed anew"},
    {"cap", CARDO_FIELD_STRING, OPTION(cap), "", "", 0, 0, NULL,
     "where ACE and NME go: ends, breaks, all; none: charged ends"},
    {"breaks", CARDO_FIELD_STRING, OPTION(breaks), "", "", 0, 0, NULL,
     "what becomes of breaks inside protein chains: report, cap, close; none: report"},
    {"hydrogens", CARDO_FIELD_BOOL, OPTION(hydrogens), "", "yes", 0, 0, NULL,
     "build hydrogens too"},
    {"forcefield", CARDO_FIELD_TEXT, OPTION(forcefield), "", "", 0, 0, NULL,
     "files of the force field to relax what was built with; none: the usual one"},
    {"relax", CARDO_FIELD_BOOL, OPTION(relax), "", "yes", 0, 0, NULL,
     "relax what was built; else it stays at ideal geometry"},
    {"full", CARDO_FIELD_BOOL, OPTION(full), "", "no", 0, 0, NULL,
     "an entry of the report for each hydrogen, water and protonation state"},
    {"output", CARDO_FIELD_TEXT, OPTION(output), "", "prepared", 0, 0, NULL,
     "name of the structure that is written: .pdb or .cif"},
    {0},
};

/* What a word of keep, drop, cap or breaks sets. */
typedef struct wish {
    const char *option, *word;
    size_t flag[2]; /* [1] 0: only one */
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

static cardo_status unknown_wish(const char *option, const char *list, const char *word,
                                 cardo_error *error)
{
    char known[128] = "";
    for (int k = 0; k < NWISH; ++k)
        if (strcmp(wishes[k].option, option) == 0) {
            const size_t used = strlen(known);
            snprintf(known + used, sizeof known - used, "%s%s", used ? ", " : "", wishes[k].word);
        }
    return CARDO_FAIL(error, CARDO_ERROR_USAGE, "%s=\"%s\": %s is none of %s", option, list, word,
                      known);
}

static cardo_status take_wishes(const char *option, const char *list,
                                cardo_prepare_options *options, cardo_error *error)
{
    char word[CARDO_FIELD_STRING_SIZE];
    for (const char *rest = list; cardo_next_word(&rest, word, sizeof word);) {
        int k = 0;
        while (k < NWISH &&
               (strcmp(wishes[k].option, option) != 0 || strcmp(wishes[k].word, word) != 0))
            ++k;
        if (k == NWISH)
            return unknown_wish(option, list, word, error);
        for (int f = 0; f < 2; ++f)
            if (f == 0 || wishes[k].flag[f])
                *(bool *)((char *)options + wishes[k].flag[f]) = true;
    }
    return CARDO_OK;
}

static cardo_status take_ph(const prepare_options *given, cardo_prepare_options *options,
                            cardo_error *error)
{
    const double lowest = -2, highest = 16;
    if (!given->ph[0])
        return CARDO_OK;
    char *end;
    options->ph = cardo_read_double(given->ph, &end);
    options->shifted_pka = given->pka == PKA_OF_PLACE;
    if (end == given->ph || *end || !(options->ph >= lowest && options->ph <= highest))
        return CARDO_FAIL(error, CARDO_ERROR_USAGE, "ph=\"%s\" is no number from %g to %g",
                          given->ph, lowest, highest);
    return CARDO_OK;
}

static cardo_status make_wanted(const prepare_options *given, cardo_wanted *wanted,
                                cardo_error *error)
{
    cardo_status status;
    cardo_prepare_options *options = &wanted->options;
    *wanted = (cardo_wanted){.options = cardo_prepare_options_default(),
                             .input = given->inputs.path[0],
                             .output = given->writer ? given->output : NULL,
                             .altloc = given->altloc[0] ? given->altloc : NULL,
                             .read = {.model = given->model,
                                      .label_numbering = given->numbering == 1,
                                      .assembly = given->assembly[0] ? given->assembly : NULL},
                             .relax = given->relax,
                             .forcefield = given->forcefield,
                             .full = given->full};
    options->chains = given->chains[0] ? given->chains : NULL;
    options->no_hydrogens = !given->hydrogens;
    CARDO_TRY(take_ph(given, options, error));
    options->protonate = given->protonate[0] ? given->protonate : NULL;
    CARDO_TRY(take_wishes("keep", given->keep, options, error));
    CARDO_TRY(take_wishes("drop", given->drop, options, error));
    CARDO_TRY(take_wishes("cap", given->cap, options, error));
    CARDO_TRY(take_wishes("breaks", given->breaks, options, error));
    if (options->report_breaks && (options->cap_breaks || options->close_breaks))
        status = CARDO_FAIL(error, CARDO_ERROR_USAGE,
                            "breaks=\"%s\": report leaves breaks open; cap or close besides it "
                            "make no sense",
                            given->breaks);
done:
    return status;
}

static cardo_status run(cardo_session *session, const void *given, cardo_result *into,
                        cardo_error *error)
{
    const prepare_options *options = given;
    cardo_status status;
    cardo_wanted wanted;
    cardo_prepared prepared = {0};
    CARDO_TRY(make_wanted(options, &wanted, error));
    wanted.listener = &session->listener;
    CARDO_TRY(cardo_prepared_make(&wanted, &prepared, error));
    const cardo_structure *made = prepared.preparation->structure;
    CARDO_TRY(
        cardo_writer_structure(options->writer, options->output, made, made->position, error));
    status = cardo_prepared_fill(&wanted, &prepared, into, error);
done:
    cardo_prepared_clear(&prepared);
    return status;
}

const cardo_study cardo_study_prepare = {
    .name = "prepare",
    .doc = "a structure as deposited becomes one that runs, and what was done",
    .needs = CARDO_STUDY_TAKES_FILES,
    .options_size = sizeof(prepare_options),
    .options = {{fields, 0}},
    .inputs = OPTION(inputs),
    .writer = OPTION(writer),
    .most_inputs = 1,
    .run = run,
};
