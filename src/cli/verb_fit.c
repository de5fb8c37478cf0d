/* cardo fit: the coordinates of a model that best reproduce given atom positions. */
#include "cli/reading.h"
#include "io/results/result_printer.h"
#include "io/run/named_files.h"
#include "io/trajectory/structure_files.h"
#include "study/fit/fit.h"
#include "study/session/study.h"
#include <cardo/result_text.h>
#include <cardo/text.h>

#include <limits.h>
#include <string.h>

typedef struct run {
    const cardo_command *command;
    cardo_session *session;
    cardo_structure_files *structures;
    cardo_named_files files;
    cardo_result *result;
} run;

/* At once, so that one sees how far a long trajectory has come. */
static cardo_status say_frame(void *user, const cardo_result *one, cardo_error *error)
{
    (void)user;
    (void)error;
    cardo_result_say(stdout, one,
                     "{file}, model {model}: {atoms} {fitted}, RMSD {rmsd_A} A"
                     "{converged?| (not settled)}\n");
    if (!cardo_result_as_truths(cardo_result_find(one, "own_atoms"))[0])
        cardo_result_say(stdout, one, "  {verdict}\n");
    cardo_result_say_places(stdout, cardo_result_find(one, "q"), "  {label:-24s} q = {value}\n");
    cardo_result_say_rows(stdout, cardo_result_find(one, "domains"),
                          "  {name} RMSD {rmsd_A} A of {atoms} atoms; superposed by itself "
                          "{rmsd_alone_A} A\n",
                          LLONG_MAX);
    return CARDO_OK;
}

static cardo_status open_model(run *r, cardo_error *error)
{
    const char *setting[CARDO_MOST_GIVEN];
    const cardo_session_options options = {.size = sizeof options,
                                           .nsetting =
                                               cardo_command_values(r->command, "set", setting),
                                           .setting = setting,
                                           .model_alone = true};
    const cardo_status status =
        cardo_session_open(r->command->argument[0], &options, NULL, &r->session, error);
    return status == CARDO_ERROR_USAGE ? cardo_error_prefix(error, "--set ") : status;
}

static cardo_status open_structures(run *r, cardo_error *error)
{
    const char *model = cardo_command_value(r->command, "model");
    cardo_structure_files_choice choice = {.count = r->command->nargument - 1,
                                           .path = r->command->argument + 1,
                                           .chains = cardo_command_value(r->command, "chains"),
                                           .atoms = r->session->model->structure[0].structure};
    if (model && (!cardo_parse_int(model, (int)strlen(model), &choice.model) || choice.model < 1))
        return CARDO_FAIL(error, CARDO_ERROR_USAGE, "--model %s is no number of a model", model);
    return cardo_structure_files_open(&choice, &r->structures, error);
}

static cardo_status fit(run *r, cardo_error *error)
{
    cardo_status status;
    const bool json = cardo_command_has(r->command, "json");
    const cardo_fit_observer observer = {NULL, say_frame};
    cardo_structure_source source;
    cardo_fit_options options = {.atoms = cardo_command_value(r->command, "atoms"),
                                 .structures = &source,
                                 .observer = json ? NULL : &observer,
                                 .writer = &r->files.writer};
    CARDO_TRY(cardo_reading_identity(r->command, &options.identity, error));
    CARDO_TRY(open_model(r, error));
    CARDO_TRY(open_structures(r, error));
    source = cardo_structure_files_source(r->structures);
    r->files.table = cardo_command_value(r->command, "table");
    r->files.trajectory = cardo_command_value(r->command, "output");
    r->files.holder = "cardo fit";
    CARDO_TRY(cardo_named_files_open(&r->files, error));
    CARDO_TRY(cardo_result_create(&r->result, error));
    CARDO_TRY(cardo_study_run(&cardo_study_fit, r->session, &options, r->result, error));
    CARDO_TRY(cardo_named_files_commit(&r->files, error));
    if (json)
        status = cardo_printer_json.print(r->result, stdout, error);
done:
    return status;
}

static cardo_status run_verb(const cardo_command *command, cardo_error *error)
{
    run r = {.command = command};
    if (command->nargument < 2)
        return CARDO_FAIL(error, CARDO_ERROR_USAGE,
                          "needs a model file and the structures to fit it to: cardo fit MODEL.xml "
                          "STRUCTURE...");
    cardo_status status = fit(&r, error);
    cardo_named_files_close(&r.files);
    cardo_result_destroy(r.result);
    cardo_structure_files_close(r.structures);
    cardo_session_close(r.session);
    return status;
}

static const cardo_option options[] = {
    {"atoms", 'a', "SELECTION",
     "fit these atoms of the model, such as A:1-238@CA (default: all when the structure has just "
     "the model's atoms; heavy atoms when the model has torsions; else C-alpha of the domains)"},
    {"chains", 'c', "IDS", "use these chains of the structures alone, with commas between"},
    {"model", 'm', "N",
     "fit this model or frame of a file with several (default: all, one after the other)"},
    CARDO_IDENTITY_OPTION,
    {"output", 'o', "FILE", "write the model where it was fitted, one model a frame: .pdb or .cif"},
    {"table", 0, "FILE.csv", "write every coordinate of every frame"},
    {"set", 's', "NAME=VALUE", "override the model file, as with cardo info"},
    {"json", 0, NULL, "print JSON"},
    {0},
};

const cardo_verb cardo_verb_fit = {
    .name = "fit",
    .synopsis = "MODEL.xml STRUCTURE[#CHAIN]... [options]",
    .summary = "find the coordinates that best reproduce given atom positions",
    .description =
        "Finds the coordinates at which the model's atoms lie nearest to those of a structure, by "
        "least squares over all mobilizers: where a crystal structure, an NMR model or a frame "
        "of a trajectory (AMBER NetCDF, DCD, or a PDB file of several models) stands on the "
        "model's "
        "coordinates. Prints the RMSD and, for every "
        "domain, what is left of it and what superposing that domain alone would leave. The base "
        "is placed freely. Atoms of Phe, Tyr, Asp, Glu and Arg that differ by name alone are "
        "exchanged where that fits better.",
    .options = options,
    .run = run_verb,
};
