/* cardo energy: energies by term and generalized forces, at one place or along a coordinate. */
#include "cli/frame/opening.h"
#include "cli/frame/start.h"
#include "cli/frame/study_verb.h"

#include <stdio.h>
#include <string.h>

static const char *const names[] = {"coordinate", "from", "to", "places"};

/* --scan BODY=FROM:TO:COUNT. */
static cardo_status adopt_scan(const cardo_command *command, cardo_setting_list *texts,
                               cardo_error *error)
{
    static const char ends[] = "=::";
    const char *text = cardo_command_value(command, "scan"), *at = text;
    char word[CARDO_FIELD_STRING_SIZE];
    for (int k = 0; k < 4; ++k) {
        const char *end = k < 3 ? strchr(at, ends[k]) : at + strlen(at);
        if (!end)
            return CARDO_FAIL(error, CARDO_ERROR_USAGE,
                              "--scan %s is not BODY=FROM:TO:COUNT, such as mobile=0:1:41", text);
        snprintf(word, sizeof word, "%.*s", (int)(end - at), at);
        cardo_status status = cardo_setting_list_add(texts, names[k], word, error);
        if (status != CARDO_OK)
            return status;
        at = end + 1;
    }
    return CARDO_OK;
}

#define FOLDER_OPTION                                                                              \
    {                                                                                              \
        "out", 'o', "FOLDER", "folder for --scan (default: scan)"                                  \
    }
static const cardo_option folder_option = FOLDER_OPTION;

static const cardo_option options[] = {
    CARDO_START_OPTIONS,
    {"scan", 0, "BODY=FROM:TO:COUNT", "energies along a coordinate, as a table and a picture"},
    FOLDER_OPTION,
    {"force", 'f', NULL, "overwrite an earlier scan there"},
    CARDO_MODEL_OPTIONS,
    {"json", 0, NULL, "print JSON"},
    {0},
};

static const cardo_study_verb of_study = {.study = "energy"};

static const cardo_study_file files[] = {
    {"scan.csv", "q, energy by term and generalized force"},
    {"scan.png", "U(q) and the force (also .svg; drawn by plot.gp)"},
    {"plot.gp", "makes the picture where gnuplot is installed"},
    {NULL, NULL},
};

static const cardo_study_verb of_scan = {
    .study = "scan",
    .suffix = ".scan",
    .adopt = adopt_scan,
    .sentence = "{model}: {places} points along {coordinate} from {from} to {to}\n[  reached       "
                "   {places_reached} of them before the interruption\n]  lowest energy    "
                "{lowest_kJ_per_mol} kJ/mol at q = {lowest_at_q}\n  at the ends      "
                "{first_end_kJ_per_mol} and {last_end_kJ_per_mol} kJ/mol above it\n  within "
                "{reach_kJ_per_mol} kJ/mol q = {reach_from_q} to {reach_to_q}\n[  "
                "{places_not_evaluated} places could not be evaluated: atoms overlap there\n]",
    .files = files,
};

/* The same command about the other study; its folder is "scan" where no other is named. */
static cardo_status run(const cardo_command *command, cardo_error *error)
{
    if (!cardo_command_has(command, "scan"))
        return cardo_study_verb_run(command, error);
    cardo_verb verb = *command->verb;
    cardo_command scan = *command;
    verb.study = &of_scan;
    scan.verb = &verb;
    if (!cardo_command_has(command, "out") && scan.ngiven < CARDO_MOST_GIVEN) {
        scan.given[scan.ngiven].option = &folder_option;
        scan.given[scan.ngiven++].value = "scan";
    }
    const cardo_status status = cardo_study_verb_run(&scan, error);
    for (int k = 0; k < 4 && status != CARDO_OK; ++k)
        if (strncmp(error->message, names[k], strlen(names[k])) == 0)
            return cardo_error_prefix(error, "--scan %s: ", cardo_command_value(command, "scan"));
    return status;
}

const cardo_verb cardo_verb_energy = {
    .name = "energy",
    .synopsis = "MODEL.xml [options]",
    .summary =
        "energies by term and generalized forces, of one configuration or along a coordinate",
    .description = "Evaluates the atomistic energy of a model by term and the generalized force on "
                   "every coordinate. With --scan it does so along one coordinate and writes "
                   "scan.csv with U(q), its terms and the generalized force, and a picture.",
    .options = options,
    .study = &of_study,
    .run = run,
};
