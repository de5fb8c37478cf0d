/* cardo domains: from structures to domains, hinges and a model that runs. */
#include "cli/domain_report.h"
#include "cli/opening.h"
#include "cli/session_report.h"
#include "io/report/prepare.h"
#include "io/results/result_printer.h"
#include "io/run/model_files.h"
#include "io/trajectory/frames.h"
#include "study/domains/domains.h"
#include "study/session/strain.h"
#include <cardo/text.h>

#include <stdio.h>
#include <string.h>

typedef struct run {
    const cardo_command *command;
    bool json, quiet;
    cardo_session *session;
    cardo_domains_options options;
    cardo_model_files files;
    cardo_result *result;
} run;

/* --set window=7 or --set domains.window=7 */
static cardo_status read_search(run *r, cardo_error *error)
{
    const char *given[CARDO_MOST_GIVEN];
    const int n = cardo_command_values(r->command, "set", given);
    for (int k = 0; k < n; ++k) {
        char name[64];
        const char *text = strncmp(given[k], "domains.", 8) == 0 ? given[k] + 8 : given[k];
        const char *equals = strchr(text, '=');
        if (!equals || equals - text >= (int)sizeof name)
            return CARDO_FAIL(error, CARDO_ERROR_USAGE, "--set %s is not NAME=VALUE", given[k]);
        snprintf(name, sizeof name, "%.*s", (int)(equals - text), text);
        cardo_status status = cardo_fields_set(cardo_domain_option_fields, &r->options.search, name,
                                               equals + 1, error);
        if (status != CARDO_OK)
            return cardo_error_prefix(error, "--set %s: ", given[k]);
    }
    return CARDO_OK;
}

/* Options that are called like the study's. */
static cardo_status read_choices(run *r, cardo_error *error)
{
    static const char *const names[] = {"stride", "cutoff", "joint", "base"};
    for (size_t k = 0; k < sizeof names / sizeof *names; ++k) {
        const char *value = cardo_command_value(r->command, names[k]);
        if (!value)
            continue;
        const cardo_status status =
            cardo_fields_set(cardo_domains_fields, &r->options.how, names[k], value, error);
        if (status != CARDO_OK) {
            error->code = CARDO_ERROR_USAGE;
            return cardo_error_prefix(error, "--%s %s: ", names[k], value);
        }
    }
    return CARDO_OK;
}

static cardo_status read_options(run *r, cardo_error *error)
{
    cardo_status status;
    double identity;
    CARDO_TRY(
        cardo_study_read_options(&cardo_study_domains, r->session, 0, NULL, &r->options, error));
    CARDO_TRY(read_search(r, error));
    CARDO_TRY(read_choices(r, error));
    CARDO_TRY(cardo_reading_identity(r->command, &identity, error));
    if (cardo_command_has(r->command, "stride") && r->options.how.stride < 1)
        CARDO_TRY(CARDO_FAIL(error, CARDO_ERROR_USAGE, "--stride takes a number from 1"));
    r->options.how.identity = identity > 0 ? identity : 0;
    r->options.how.prepare = !cardo_command_has(r->command, "no-prepare");
    r->options.how.allow_guesses = cardo_command_has(r->command, "allow-guesses");
    r->options.forcefield = cardo_command_value(r->command, "forcefield");
    r->options.frames = &cardo_frame_files;
    r->options.inputs = (cardo_study_inputs){r->command->nargument, r->command->argument};
done:
    return status;
}

static cardo_status open_files(run *r, cardo_error *error)
{
    const char *out = cardo_command_value(r->command, "out");
    const cardo_model_files_request request = {.path = out,
                                               .holder = "cardo domains",
                                               .replace = cardo_command_has(r->command, "force"),
                                               .how_to_replace = "overwrite with --force",
                                               .ninput = r->command->nargument,
                                               .input = r->command->argument};
    if (!out)
        return CARDO_OK;
    const cardo_status status = cardo_model_files_open(&r->files, &request, error);
    r->options.name = r->files.name;
    r->options.writer = &r->files.writer;
    return status == CARDO_ERROR_USAGE ? cardo_error_prefix(error, "--out ") : status;
}

static void say_prepared(const cardo_result *result)
{
    const cardo_result *prepared = cardo_result_find(result, "preparation");
    if (prepared && !cardo_result_text_at(prepared, "output")) {
        cardo_prepared_say_review(stdout, prepared);
    } else if (prepared) {
        printf("Prepared ");
        cardo_prepared_say(stdout, prepared);
        putchar('\n');
    }
}

static cardo_status print_found(void *user, const cardo_result *result, cardo_error *error)
{
    const run *r = user;
    if (r->json)
        return cardo_printer_json.print(result, stdout, error);
    if (!r->quiet) {
        say_prepared(result);
        cardo_domains_say(stdout, result);
    }
    return CARDO_OK;
}

static void print_written(const run *r)
{
    static const struct {
        const char *ending, *says;
    } kinds[] = {
        {"_frame1.", "the frame that is the first structure"},
        {"_frame2.", "the frame that is the second structure"},
        {"_start.", "the first structure, prepared for the force field"},
        {".domains.xml", "domains and hinge residues"},
        {".pml", "PyMOL: domains in colour, axes as arrows"},
        {".cxc", "the same for ChimeraX"},
    };
    char path[4096];
    const char *out = r->files.request.path;
    printf("\nWritten\n");
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; ++k)
        if (cardo_model_files_written(&r->files, kinds[k].ending, path, sizeof path))
            printf("  %-24s %s\n", path, kinds[k].says);
    printf("  %-24s the model: cardo info %s, cardo simulate %s\n", out, out, out);
}

/* Of the model file that was written: what is strained at its start and, unless quiet, along its paths. */
static cardo_status tell_strain(const char *path, bool quiet, cardo_error *error)
{
    const cardo_session_options options = {.size = sizeof options, .forces_optional = true};
    cardo_session *session = NULL;
    cardo_ear ear = {.quiet = quiet};
    const cardo_listener listener = cardo_program_listener(&ear);
    cardo_status status = cardo_session_open(path, &options, &listener, &session, error);
    if (status == CARDO_OK)
        status = cardo_strain_tell(session, "the model's start", false, error);
    if (status == CARDO_OK && !quiet && session->terms)
        status = cardo_strain_print_course(session, error);
    cardo_session_close(session);
    return status;
}

static cardo_status find(run *r, cardo_error *error)
{
    cardo_status status;
    const cardo_domains_observer observer = {r, NULL, print_found};
    const cardo_listener listener = cardo_program_listener(r->command->ear);
    CARDO_TRY(cardo_result_create(&r->result, error));
    CARDO_TRY(cardo_session_create(&listener, &r->session, error));
    CARDO_TRY(read_options(r, error));
    CARDO_TRY(open_files(r, error));
    r->options.observer = &observer;
    CARDO_TRY(cardo_study_run(&cardo_study_domains, r->session, &r->options, r->result, error));
    if (!r->options.writer)
        goto done;
    cardo_model_files_commit(&r->files);
    if (!r->quiet && !r->json)
        print_written(r);
    status = tell_strain(r->files.request.path, r->quiet || r->json, error);
done:
    return status;
}

static cardo_status run_verb(const cardo_command *command, cardo_error *error)
{
    run r = {.command = command,
             .json = cardo_command_has(command, "json"),
             .quiet = cardo_command_has(command, "quiet")};
    if (command->nargument < 1)
        return CARDO_FAIL(error, CARDO_ERROR_USAGE,
                          "two structure files are needed, or more, or one to predict from: cardo "
                          "domains %s",
                          command->verb->synopsis);
    cardo_status status = find(&r, error);
    cardo_model_files_close(&r.files);
    cardo_result_destroy(r.result);
    cardo_session_close(r.session);
    return status;
}

static const cardo_option options[] = {
    {"out", 'o', "MODEL.xml",
     "write a model that runs, its annotation, and scripts for PyMOL and ChimeraX; the first "
     "structure is prepared where the force field does not cover it"},
    {"force", 'f', NULL, "overwrite them"},
    {"no-prepare", 0, NULL, "write the model for the first structure as it is"},
    {"allow-guesses", 0, NULL,
     "write an all-atom model although more than a quarter of its heavy atoms is guessed, as of a "
     "backbone"},
    {"forcefield", 0, "FILE",
     "force field of the model (default: ff14SB.xml; with nucleic acids ff99SB.xml), or a "
     "coarse-grained energy, "
     "which needs no preparation and C-alpha atoms alone: double-basin.xml, elastic-network.xml, "
     "kim-hummer.xml"},
    CARDO_IDENTITY_OPTION,
    {"joint", 0, "KIND",
     "how domains hang on each other in the model: path (default), hinge (a path that may twist "
     "and "
     "bend too), pin about the found axis, ball, free"},
    {"base", 0, "HOW", "the root in the model: free (default) or welded to ground"},
    {"set", 's', "NAME=VALUE", "an option of the search, such as domains.smallest=30"},
    {"stride", 0, "N",
     "of a trajectory, take every N-th frame (default: so that 100 at most are looked at)"},
    {"cutoff", 0, "NM", "of the elastic network, when there is one structure (default 1.5)"},
    {"json", 0, NULL, "print JSON"},
    {"quiet", 'q', NULL, "print nothing"},
    {0},
};

const cardo_verb cardo_verb_domains = {
    .name = "domains",
    .synopsis = "FIRST SECOND ... | ENSEMBLE | TOPOLOGY TRAJECTORY | STRUCTURE [-o MODEL.xml] "
                "[options]",
    .summary = "find rigid domains and hinges between structures, and write a model that runs",
    .description =
        "Aligns the chains of two structures of one protein, finds the parts that move as rigid "
        "bodies, and describes how they do: screw axes, bending residues, the strands that cross, "
        "and what rigid domains leave unexplained, with a verdict in words. Two methods look: "
        "clustering of the rotations of short windows of backbone (Hayward & Berendsen 1998), and "
        "recursive rigid fitting; a hinge is what both see. FILE#CHAIN and FILE#MODEL:CHAIN choose "
        "a chain and a model. Of more than two structures, or the models of one file, the two that "
        "differ most are compared and all are placed between them. A trajectory (AMBER NetCDF, "
        "DCD) "
        "stands for its frames, with the atoms of the structure before it; FILE#N: chooses one. "
        "From one structure domains are "
        "predicted by the softest modes of its elastic network.",
    .options = options,
    .tables = "domains",
    .run = run_verb,
};
