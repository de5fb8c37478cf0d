/* cardo energy: energies by term and generalized forces, at one place or along a coordinate. */
#include "base/memory.h"
#include "base/number.h"
#include "cli/info_report.h"
#include "cli/opening.h"
#include "cli/run_folder.h"
#include "cli/scan.h"
#include "cli/start.h"
#include "cli/study_verb.h"
#include "multibody/tree/coordinate_names.h"
#include "study/session/judge.h"
#include "study/session/strain.h"

#include <stdio.h>
#include <string.h>

static cardo_status parse_scan(const cardo_session *session, const char *text, cardo_scan *scan,
                               cardo_error *error)
{
    const char *equals = strchr(text, '='), *first = equals ? strchr(equals, ':') : NULL,
               *second = first ? strchr(first + 1, ':') : NULL;
    bool fine = second && cardo_parse_double(equals + 1, (int)(first - equals - 1), &scan->from) &&
                cardo_parse_double(first + 1, (int)(second - first - 1), &scan->to) &&
                cardo_parse_int(second + 1, (int)strlen(second + 1), &scan->count) &&
                scan->count >= 2 && scan->count <= 1000000;
    if (!fine)
        return CARDO_FAIL(error, CARDO_ERROR_USAGE,
                          "--scan %s is not BODY=FROM:TO:COUNT, such as mobile=0:1:41", text);
    return cardo_find_coordinate(session->system, text, (size_t)(equals - text), &scan->coordinate,
                                 error);
}

static cardo_status claim(const cardo_command *command, cardo_run_folder *home, cardo_error *error)
{
    char *path;
    const char *given = cardo_command_value(command, "out");
    if (given && !*given)
        return CARDO_FAIL(error, CARDO_ERROR_USAGE, "--out needs the name of a folder");
    cardo_status status = cardo_copy_string(&path, given ? given : "scan", error);
    return status == CARDO_OK ? cardo_run_folder_claim(home, command, path, NULL, true, error)
                              : status;
}

static cardo_status scan_coordinate(const cardo_command *command, cardo_error *error)
{
    cardo_session *session = NULL;
    cardo_run_folder home = {0};
    cardo_scan scan;
    cardo_status status;
    CARDO_TRY(claim(command, &home, error));
    CARDO_TRY(cardo_command_open(command, true, &session, error));
    CARDO_TRY(cardo_start_place(command, session, error));
    CARDO_TRY(cardo_strain_tell(session, "this place", false, error));
    CARDO_TRY(cardo_judge(session, error));
    scan = (cardo_scan){.folder = home.path, .json = cardo_command_has(command, "json")};
    CARDO_TRY(parse_scan(session, cardo_command_value(command, "scan"), &scan, error));
    CARDO_TRY(cardo_run_folder_begin(&home, false, error));
    status = cardo_scan_run(session, &scan, error);
    home.begun = status == CARDO_OK;
done:
    cardo_run_folder_close(&home);
    cardo_session_close(session);
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
