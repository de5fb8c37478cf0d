/* cardo modes: normal modes of a model in its own coordinates. */
#include "base/memory.h"
#include "base/number.h"
#include "cli/manifest.h"
#include "cli/mode_report.h"
#include "cli/mode_stiffness.h"
#include "cli/opening.h"
#include "cli/parallel.h"
#include "cli/start.h"
#include "study/session/judge.h"
#include "study/session/strain.h"
#include "study/session/study_options.h"

#include <string.h>

static cardo_status write_manifest(const cardo_mode_run *r, cardo_error *error)
{
    cardo_json *manifest = cardo_manifest_begin(&r->home, r->session),
               *chosen = cardo_json_object();
    cardo_manifest_options(chosen, cardo_mode_fields, &r->options);
    cardo_json_put(manifest, "options", chosen);
    return cardo_manifest_write(&r->home, manifest, error);
}

static cardo_status prepare(cardo_mode_run *r, cardo_error *error)
{
    cardo_status status;
    const cardo_option_target target = {cardo_mode_fields, &r->options};
    CARDO_TRY(cardo_command_open(r->command, false, &r->session, error));
    CARDO_TRY(cardo_study_options(r->session->model, "modes", 1, &target, NULL, error));
    CARDO_TRY(cardo_mode_methods_check(&r->options, error));
    if (r->options.stiffness == CARDO_MODES_FORCES && !r->session->provider) {
        *error = r->session->no_forces;
        return error->code;
    }
    if (r->options.joints)
        CARDO_TRY(cardo_session_free_joints(r->session, error));
    CARDO_TRY(cardo_choose_network_options(r->session, &r->options, error));
    CARDO_TRY(cardo_start_place(r->command, r->session, error));
    if (r->options.stiffness == CARDO_MODES_FORCES)
        status = cardo_strain_tell(r->session, "the start", false, error);
done:
    return status;
}

static cardo_status claim(cardo_mode_run *r, cardo_error *error)
{
    char *path;
    cardo_status status = cardo_run_folder_name(r->command, ".modes", &path, error);
    if (status != CARDO_OK)
        return status;
    status = cardo_run_folder_claim(&r->home, r->command, path, NULL, true, error);
    r->folder = r->home.path;
    return status;
}

/* The forces, where they make the modes; one member does it for all. */
static cardo_status judge(cardo_mode_run *r, const cardo_communicator *communicator,
                          cardo_error *error)
{
    const bool wanted =
        r->options.stiffness == CARDO_MODES_FORCES && cardo_communicator_rank(communicator) == 0;
    return wanted ? cardo_judge(r->session, error) : CARDO_OK;
}

/* What every member does; all but the first end with the stiffness. */
static cardo_status find_modes(cardo_communicator *communicator, void *run, cardo_error *error)
{
    cardo_status status;
    cardo_mode_run *r = run;
    if (cardo_communicator_rank(communicator) == 0)
        CARDO_TRY(claim(r, error));
    CARDO_TRY(prepare(r, error));
    CARDO_TRY(cardo_communicator_agree(communicator, judge(r, communicator, error), error));
    CARDO_TRY(cardo_force_provider_use_cores(
        r->session->provider,
        cardo_communicator_cores(communicator, cardo_communicator_size(communicator)), error));
    CARDO_TRY(cardo_mode_set_make(r->session, &r->options, communicator, &r->set, error));
    r->members = cardo_communicator_describe(communicator, r->members_text);
    if (cardo_communicator_rank(communicator) > 0)
        goto done;
    CARDO_TRY(cardo_mode_compare(r->session, &r->options, &r->set, &r->comparison, error));
    CARDO_TRY(cardo_run_folder_begin(&r->home, false, error));
    CARDO_TRY(cardo_result_create(&r->result, error));
    r->files = (cardo_mode_files){.session = r->session,
                                  .options = &r->options,
                                  .set = &r->set,
                                  .comparison = &r->comparison,
                                  .result = r->result,
                                  .members = r->members,
                                  .folder = r->folder};
    CARDO_TRY(cardo_mode_files_write(&r->files, error));
    CARDO_TRY(write_manifest(r, error));
    r->home.begun = true;
    status = cardo_mode_report(r, error);
done:
    return status;
}

static cardo_status count_processes(const cardo_command *command, int *n, cardo_error *error)
{
    const char *text = cardo_command_value(command, "processes");
    *n = 1;
    if (text && (!cardo_parse_int(text, (int)strlen(text), n) || *n < 0))
        return CARDO_FAIL(error, CARDO_ERROR_USAGE,
                          "--processes takes a number of processes, 0 for one a core, not '%s'",
                          text);
    return CARDO_OK;
}

static cardo_status run_verb(const cardo_command *command, cardo_error *error)
{
    int processes;
    cardo_mode_run r = {.command = command};
    cardo_status status = count_processes(command, &processes, error);
    if (status == CARDO_OK)
        status = cardo_parallel_run(processes, find_modes, &r, error);
    cardo_mode_files_clear(&r.files);
    cardo_result_destroy(r.result);
    cardo_mode_comparison_clear(&r.comparison);
    cardo_mode_set_clear(&r.set);
    cardo_session_close(r.session);
    cardo_run_folder_close(&r.home);
    return status;
}

static const cardo_option options[] = {
    {"out", 'o', "FOLDER",
     "folder for tables and animations (default: the model file's name with "
     ".modes)"},
    {"force", 'f', NULL, "replace what the folder holds"},
    {"processes", 'n', "N",
     "share differences of forces out over N processes (default 1; 0: one a core); under mpirun or "
     "srun its ranks do it. The bits of the result do not depend on it"},
    CARDO_START_OPTIONS,
    CARDO_MODEL_OPTIONS,
    {"json", 'j', NULL, "the table as JSON on standard output"},
    {"quiet", 'q', NULL, "print nothing"},
    {0},
};

static const cardo_option_group groups[] = {
    {"<modes> options", cardo_mode_fields},
    {NULL, NULL},
};

const cardo_verb cardo_verb_modes = {
    .name = "modes",
    .synopsis = "MODEL.xml [options]",
    .summary = "normal modes in the model's coordinates",
    .description =
        "Solves K v = lambda M v in the speeds of the model's joints, with K from an elastic "
        "network at rest where the model stands, or from the force field by differences of "
        "generalized forces, at the nearest minimum. Prints frequencies, thermal amplitudes, "
        "collectivities, hinge residues and, where the model has a second structure, overlaps with "
        "the displacement to it, beside those of other methods (modes.against=anm,rtb); writes "
        "tables, pictures, an .nmd file and animations along the joints.",
    .options = options,
    .groups = groups,
    .run = run_verb,
};
