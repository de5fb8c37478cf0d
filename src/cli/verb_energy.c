/* cardo energy: energies by term and generalized forces, at one place or along a coordinate. */
#include "cli/gnuplot.h"
#include "cli/info_report.h"
#include "cli/interrupt.h"
#include "cli/opening.h"
#include "cli/start.h"
#include "cli/study_verb.h"
#include "io/results/result_printer.h"
#include "io/results/result_text.h"
#include "io/run/run.h"
#include "study/scan.h"

#include <stdio.h>
#include <string.h>

static cardo_status open_run(const cardo_command *command, cardo_run *run, cardo_error *error)
{
    const char *given = cardo_command_value(command, "out");
    const cardo_run_request request = {.path = given ? given : "scan",
                                       .study = command->verb->name,
                                       .start_over = cardo_command_has(command, "force"),
                                       .writes = true,
                                       .words = {"--continue", "--force", "--out"}};
    if (given && !*given)
        return CARDO_FAIL(error, CARDO_ERROR_USAGE, "--out needs the name of a folder");
    return cardo_run_claim(run, &request, error);
}

/* --scan BODY=FROM:TO:COUNT, as texts of the study's options. */
static cardo_status read_scan(const char *text, const cardo_session *session,
                              cardo_scan_course *course, cardo_error *error)
{
    const char *equals = strchr(text, '='), *first = equals ? strchr(equals, ':') : NULL,
               *second = first ? strchr(first + 1, ':') : NULL;
    char words[4][CARDO_FIELD_STRING_SIZE];
    const char *const option[] = {words[0], words[1], words[2], words[3]};
    if (!second)
        return CARDO_FAIL(error, CARDO_ERROR_USAGE,
                          "--scan %s is not BODY=FROM:TO:COUNT, such as mobile=0:1:41", text);
    snprintf(words[0], sizeof words[0], "coordinate=%.*s", (int)(equals - text), text);
    snprintf(words[1], sizeof words[1], "from=%.*s", (int)(first - equals - 1), equals + 1);
    snprintf(words[2], sizeof words[2], "to=%.*s", (int)(second - first - 1), first + 1);
    snprintf(words[3], sizeof words[3], "places=%s", second + 1);
    cardo_status status =
        cardo_study_read_options(&cardo_study_scan, session, 4, option, course, error);
    return status == CARDO_OK ? status : cardo_error_prefix(error, "--scan %s: ", text);
}

static cardo_status report_scan(const cardo_command *command, const cardo_run *run,
                                cardo_result *result, cardo_error *error)
{
    bool drawn;
    cardo_result_text(result, &(cardo_quantity){"folder"}, run->folder.path);
    cardo_status status = cardo_gnuplot_run(run->folder.path, &drawn, error);
    if (status != CARDO_OK)
        return status;
    if (cardo_command_has(command, "json"))
        return cardo_printer_json.print(result, stdout, error);
    cardo_result_say(stdout, result,
                     "{model}: {places} places along {coordinate} from {from} to {to}\n"
                     "[  reached          {places_reached} of them before the interruption\n]"
                     "  lowest energy    {lowest_kJ_per_mol} kJ/mol at q = {lowest_at_q}\n"
                     "  at the ends      {first_end_kJ_per_mol} and {last_end_kJ_per_mol} kJ/mol "
                     "above it\n"
                     "  within {reach_kJ_per_mol} kJ/mol q = {reach_from_q} to {reach_to_q}\n"
                     "[  {places_not_evaluated} places could not be evaluated: atoms overlap "
                     "there\n]"
                     "{folder}/\n"
                     "  scan.csv           q, energy by term and generalized force\n");
    fputs(drawn ? "  scan.png           U(q) and the force (also .svg; drawn by plot.gp)\n"
                : "  plot.gp            makes the picture where gnuplot is installed\n",
          stdout);
    return CARDO_OK;
}

static cardo_status scan_coordinate(const cardo_command *command, cardo_error *error)
{
    cardo_session *session = NULL;
    cardo_result *result = NULL;
    cardo_run run = {0};
    cardo_scan_course course = {.places = 0};
    cardo_status status;
    CARDO_TRY(open_run(command, &run, error));
    CARDO_TRY(cardo_command_open(command, true, &session, error));
    CARDO_TRY(cardo_start_place(command, session, error));
    CARDO_TRY(read_scan(cardo_command_value(command, "scan"), session, &course, error));
    course.writer = &run.writer;
    CARDO_TRY(cardo_result_create(&result, error));
    cardo_interrupt_catch();
    CARDO_TRY(cardo_study_run(&cardo_study_scan, session, &course, result, error));
    CARDO_TRY(report_scan(command, &run, result, error));
    if (cardo_result_as_truths(cardo_result_find(result, "interrupted"))[0])
        status = CARDO_FAIL(error, CARDO_ERROR_INTERRUPTED,
                            "interrupted; the places that were reached are in %s/scan.csv",
                            run.folder.path);
done:
    cardo_result_destroy(result);
    cardo_session_close(session);
    cardo_run_close(&run);
    return status;
}

static cardo_status run(const cardo_command *command, cardo_error *error)
{
    return cardo_command_has(command, "scan") ? scan_coordinate(command, error)
                                              : cardo_study_verb_run(command, error);
}

static void say(const cardo_command *command, const cardo_result *energies)
{
    (void)command;
    cardo_energies_say(stdout, energies);
}

static const cardo_option options[] = {
    CARDO_START_OPTIONS,
    {"scan", 0, "BODY=FROM:TO:COUNT", "energies along a coordinate, as a table and a picture"},
    {"out", 'o', "FOLDER", "folder for --scan (default: scan)"},
    {"force", 'f', NULL, "overwrite an earlier scan there"},
    CARDO_MODEL_OPTIONS,
    {"json", 'j', NULL, "print JSON"},
    {0},
};

static const cardo_study_verb of_study = {
    .study = &cardo_study_energy,
    .sentence = "{model}\n[{forces_judged/verdict}\n]",
    .say = say,
};

const cardo_verb cardo_verb_energy = {
    .name = "energy",
    .synopsis = "MODEL.xml [options]",
    .summary = "energies by term and generalized forces, at one place or along a coordinate",
    .description = "Evaluates the atomistic energy of a model by term and the generalized force on "
                   "every coordinate. With "
                   "--scan it does so along one coordinate and writes scan.csv with U(q), its "
                   "terms and the generalized force, "
                   "and a picture.",
    .options = options,
    .study = &of_study,
    .run = run,
};
