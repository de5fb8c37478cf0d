/* cardo info: what a model is made of, and how well its hinges fit the structures. */
#include "cli/info_report.h"
#include "cli/opening.h"
#include "io/results/result_printer.h"
#include "study/info.h"
#include "study/session/study.h"

static cardo_status report(const cardo_command *command, cardo_session *session, cardo_error *error)
{
    cardo_result *result;
    const cardo_info_options chosen = {.clashes = cardo_command_has(command, "clashes")};
    cardo_status status = cardo_result_create(&result, error);
    if (status == CARDO_OK)
        status = cardo_study_run(&cardo_study_info, session, &chosen, result, error);
    if (status == CARDO_OK && cardo_command_has(command, "json"))
        status = cardo_printer_json.print(result, stdout, error);
    else if (status == CARDO_OK)
        cardo_info_say(stdout, result);
    cardo_result_destroy(result);
    return status;
}

static cardo_status run(const cardo_command *command, cardo_error *error)
{
    cardo_session *session = NULL;
    cardo_status status = cardo_command_open(command, false, &session, error);
    if (status == CARDO_OK)
        status = report(command, session, error);
    cardo_session_close(session);
    return status;
}

static const cardo_option options[] = {
    {"stationary", 0, "RESIDUES",
     "with two structures: the stationary domain, such as A:1-89,A:194-238"},
    {"mobile", 0, "RESIDUES", "with two structures: the mobile domain"},
    {"hinge", 0, "RESIDUES", "with two structures: residues between the domains"},
    {"interpolation", 0, "KIND", "with two structures: screw (default) or euler"},
    CARDO_MODEL_OPTIONS,
    {"clashes", 0, NULL,
     "how near heavy atoms of different bodies come along the paths, with the side chains of each "
     "structure and with the best of them"},
    {"json", 'j', NULL, "print JSON"},
    {0},
};

const cardo_verb cardo_verb_info = {
    .name = "info",
    .synopsis = "MODEL.xml | OPEN CLOSED --stationary RESIDUES --mobile RESIDUES [options]",
    .summary = "show a model's bodies, hinges, fit and energies",
    .description = "Prints the structures of a model, its rigid bodies and mobilizers, how well "
                   "each path fits the "
                   "structures (C-alpha atoms: rotation, screw axis, translation, residuals), the "
                   "chain bonds that the "
                   "hinges cut, and the energy where the model starts. Instead of a model file, "
                   "two structure files and the "
                   "residues of their domains may be given; FILE#CHAIN and FILE#MODEL:CHAIN choose "
                   "a chain and a model.",
    .options = options,
    .run = run,
};
