/* cardo simulate: dynamics of a model, with its files in a run folder. */
#include "base/memory.h"
#include "base/output.h"
#include "base/units.h"
#include "cli/json.h"
#include "cli/progress.h"
#include "cli/setup.h"
#include "cli/study.h"
#include "cli/tabulate.h"
#include "cli/version.h"
#include "dynamics/simulation.h"
#include "dynamics/table_provider.h"
#include "forcefield/openmm.h"
#include "io/checkpoint.h"
#include "io/plot.h"
#include "io/recorder.h"
#include "io/trajectory.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

enum { MOST_INTEGRATOR_OPTIONS = 1024 };

/* All that one run needs, with one owner. */
typedef struct run {
    cardo_setup setup;
    const cardo_integrator *integrator;
    cardo_simulation_options options;
    cardo_recorder_options files;
    union {
        max_align_t align;
        char bytes[MOST_INTEGRATOR_OPTIONS];
    } integrator_options;
    cardo_simulation *simulation;
    cardo_recorder *recorder;
    char *folder;
    char *extra;
} run;

static volatile sig_atomic_t interrupted;

static void interrupt(int signal_number)
{
    interrupted = signal_number;
}

/* What the run showed, gathered step by step. */
typedef struct tally {
    long long count;
    double temperature, first_conserved, last_conserved, lowest_potential, highest_potential;
    int ncoordinate;
    int coordinate[16];
    double low[16], high[16], sum[16];
} tally;

static cardo_status count_step(void *user, const cardo_frame *frame, cardo_error *error)
{
    (void)error;
    tally *t = user;
    const double *q = cardo_state_q(frame->state);
    bool first = t->count++ == 0;
    if (first) {
        t->first_conserved = frame->conserved;
        t->lowest_potential = t->highest_potential = frame->potential;
    }
    t->last_conserved = frame->conserved;
    t->temperature += frame->temperature;
    t->lowest_potential = fmin(t->lowest_potential, frame->potential);
    t->highest_potential = fmax(t->highest_potential, frame->potential);
    for (int k = 0; k < t->ncoordinate; ++k) {
        double value = q[t->coordinate[k]];
        t->low[k] = first ? value : fmin(t->low[k], value);
        t->high[k] = first ? value : fmax(t->high[k], value);
        t->sum[k] += value;
    }
    return CARDO_OK;
}

static void choose_coordinates(const cardo_system *system, tally *t)
{
    for (int b = 1; b < cardo_system_nbody(system); ++b) {
        cardo_body_info info;
        cardo_system_body(system, b, &info);
        for (int k = 0; k < info.nq && info.nq == info.nu && t->ncoordinate < 16; ++k)
            t->coordinate[t->ncoordinate++] = info.q_first + k;
    }
}

/* Options of the integrators that were not chosen: they may stay in the model file, so that another
 * one can be tried with
 * --set alone. */
static void list_other_options(const char **names, int most)
{
    int n = 0;
    names[n++] = "integrator";
    for (const cardo_integrator *const *i = cardo_integrators; *i; ++i)
        for (const cardo_field *field = (*i)->fields; field && field->name && n < most - 1; ++field)
            names[n++] = field->name;
    names[n] = NULL;
}

static cardo_status read_options(run *r, cardo_error *error)
{
    const char *skip[128];
    list_other_options(skip, 128);
    const cardo_model *model = r->setup.model;
    const char *name = cardo_study_value(model, "simulate", "integrator");
    r->integrator = cardo_integrator_find(name ? name : "langevin");
    if (!r->integrator)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "%s: there is no integrator '%s'; cardo list integrators shows them",
                          model->path, name);
    if (r->integrator->options_size > sizeof r->integrator_options)
        return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT, "the options of %s take more than %d bytes",
                          r->integrator->name, MOST_INTEGRATOR_OPTIONS);
    const cardo_option_target targets[] = {
        {cardo_simulation_fields, &r->options},
        {cardo_recorder_fields, &r->files},
        {r->integrator->fields, r->integrator_options.bytes},
    };
    return cardo_study_options(model, "simulate", r->integrator->fields ? 3 : 2, targets, skip,
                               error);
}

/* The folder is --out, or the model file's name with .run in place of .xml, where the command runs.
 */
static cardo_status name_folder(const cardo_command *command, run *r, cardo_error *error)
{
    const char *given = cardo_command_value(command, "out");
    if (given)
        return cardo_copy_string(&r->folder, given, error);
    const char *path = r->setup.model->path;
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    size_t n = strlen(name);
    if (n > 4 && strcmp(name + n - 4, ".xml") == 0)
        n -= 4;
    cardo_status status = cardo_allocate((void **)&r->folder, n + 5, 1, error);
    if (status == CARDO_OK)
        snprintf(r->folder, n + 5, "%.*s.run", (int)n, name);
    return status;
}

static cardo_status join_path(const run *r, const char *name, char **out, cardo_error *error)
{
    size_t n = strlen(r->folder) + strlen(name) + 2;
    cardo_status status = cardo_allocate((void **)out, n, 1, error);
    if (status == CARDO_OK)
        snprintf(*out, n, "%s/%s", r->folder, name);
    return status;
}

static cardo_status check_folder(const cardo_command *command, const run *r, cardo_error *error)
{
    char *checkpoint, *table;
    cardo_status status = join_path(r, CARDO_CHECKPOINT_NAME, &checkpoint, error);
    if (status != CARDO_OK)
        return status;
    status = join_path(r, "trajectory.csv", &table, error);
    if (status == CARDO_OK) {
        bool there = cardo_file_exists(checkpoint) || cardo_file_exists(table);
        bool go_on = cardo_command_has(command, "continue");
        if (go_on && !cardo_file_exists(checkpoint))
            status = CARDO_FAIL(error, CARDO_ERROR_INPUT,
                                "%s: holds no checkpoint to continue from; run without --continue",
                                r->folder);
        else if (there && !go_on && !cardo_command_has(command, "force"))
            status = CARDO_FAIL(
                error, CARDO_ERROR_INPUT,
                "%s: holds a run already; --continue goes on with it, --force starts over, --out "
                "FOLDER goes elsewhere",
                r->folder);
        else if (!go_on)
            status = cardo_make_folder(r->folder, error);
    }
    cardo_free(checkpoint);
    cardo_free(table);
    return status;
}

static cardo_status describe_provider(run *r, cardo_error *error)
{
    const cardo_model_forcefield *f = &r->setup.model->forcefield;
    size_t n = 1024;
    cardo_status status = cardo_allocate((void **)&r->extra, n, 1, error);
    if (status == CARDO_OK)
        snprintf(r->extra, n,
                 "platform %s\nsolvent %s\nmethod %s\ncutoff %.17g\ntable %s\n"
                 "table-error %.17g\ntable-relative %.17g\n",
                 cardo_openmm_provider_platform(r->setup.provider),
                 f->solvent[0] ? f->solvent : "none", f->method, f->cutoff,
                 f->table[0] ? f->table : "none", f->table_error, f->table_relative);
    return status;
}

static void put_options(cardo_json *json, const cardo_field *fields, const void *object)
{
    for (const cardo_field *field = fields; field && field->name; ++field) {
        char text[CARDO_FIELD_STRING_SIZE];
        cardo_field_print(field, object, text, sizeof text);
        cardo_json_string(json, field->name, text);
    }
}

static cardo_status write_manifest(const cardo_command *command, const run *r, cardo_error *error)
{
    char *path, *openmm = NULL;
    cardo_output output = {0};
    cardo_status status = join_path(r, "run.json", &path, error);
    if (status != CARDO_OK)
        return status;
    status = cardo_output_open(&output, path, error);
    cardo_free(path);
    if (status != CARDO_OK)
        return status;
    cardo_json *json = cardo_json_object(), *options = cardo_json_object(),
               *given = cardo_json_array();
    cardo_json_string(json, "program", "cardo");
    cardo_json_string(json, "version", cardo_version_text());
    if (cardo_openmm_describe(&openmm, NULL) == CARDO_OK)
        cardo_json_string(json, "openmm", openmm);
    cardo_free(openmm);
    cardo_json_string(json, "platform", cardo_openmm_provider_platform(r->setup.provider));
    cardo_json_string(json, "model", r->setup.model->path);
    cardo_json_string(json, "integrator", r->integrator->name);
    put_options(options, cardo_simulation_fields, &r->options);
    put_options(options, cardo_recorder_fields, &r->files);
    put_options(options, r->integrator->fields, r->integrator_options.bytes);
    cardo_json_put(json, "options", options);
    for (int k = 0; k < command->ngiven; ++k) {
        char text[600];
        snprintf(text, sizeof text, "--%s%s%s", command->given[k].option->name,
                 command->given[k].value ? "=" : "",
                 command->given[k].value ? command->given[k].value : "");
        cardo_json_string(given, NULL, text);
    }
    cardo_json_put(json, "command_line_options", given);
    cardo_json_print(json, output.stream);
    return cardo_output_commit(&output, error);
}

static void announce(const run *r)
{
    printf("%s: %d atoms in %d bodies, %d degrees of freedom\n", r->setup.model->name,
           cardo_system_nstation(r->setup.system), r->setup.model->nbody,
           cardo_system_nu(r->setup.system));
    printf("forces: OpenMM, %s platform%s%s, %s; %s, step %g ps, %lld steps = %g ns",
           cardo_openmm_provider_platform(r->setup.provider),
           r->setup.model->forcefield.solvent[0] ? ", " : "", r->setup.model->forcefield.solvent,
           r->setup.model->forcefield.method, r->integrator->name, r->options.timestep,
           r->options.steps, 1e-3 * r->options.timestep * (double)r->options.steps);
    if (r->integrator->traits & CARDO_INTEGRATOR_THERMOSTAT)
        printf(", %g K, seed %lld", r->options.temperature, r->options.seed);
    printf("\n");
    if (!(r->setup.provider->traits & CARDO_FORCE_DETERMINISTIC))
        printf("note: with several threads, a cutoff or a GPU the last bits of OpenMM's forces "
               "vary, so a "
               "continued run will not be bitwise the same\n");
    printf("results go to %s/\n", r->folder);
    fflush(stdout);
}

/* The angle by which a unit of this coordinate turns its body, where it runs along one screw; else 0. */
static double path_turn(const run *r, int coordinate)
{
    for (int b = 0; b < r->setup.model->nbody; ++b) {
        const cardo_model_body *body = &r->setup.model->body[b];
        cardo_body_info info;
        cardo_system_body(r->setup.system, b + 1, &info);
        const cardo_path *path = body->parameters;
        if (body->fit && info.q_first == coordinate && path->kind == CARDO_PATH_SCREW)
            return body->fit->angle;
    }
    return 0;
}

static void conclude(const run *r, const tally *t, cardo_end end, long long steps, double seconds,
                     bool drawn)
{
    cardo_frame frame;
    cardo_simulation_frame(r->simulation, &frame);
    double n = (double)(t->count > 0 ? t->count : 1);
    printf("%s after %lld steps (%g ps): %.1f s, %.3g ns/day, %.3g ms a step\n",
           end == CARDO_END_INTERRUPTED ? "interrupted" : "done", frame.step, frame.time, seconds,
           cardo_ns_per_day(steps, r->options.timestep, seconds),
           steps > 0 ? 1e3 * seconds / (double)steps : 0.0);
    for (int k = 0; k < t->ncoordinate; ++k) {
        char name[96];
        printf("  %-14s mean %8.4f, from %8.4f to %8.4f",
               cardo_setup_coordinate_name(r->setup.system, t->coordinate[k], name), t->sum[k] / n,
               t->low[k], t->high[k]);
        double turn = path_turn(r, t->coordinate[k]) / CARDO_DEGREE;
        if (turn > 0)
            printf(" (%.1f to %.1f degrees of %.1f)", turn * t->low[k], turn * t->high[k], turn);
        printf("\n");
    }
    printf("  %-14s mean %8.1f K over %d degrees of freedom\n", "temperature", t->temperature / n,
           cardo_simulation_degrees(r->simulation));
    printf("  %-14s from %.2f to %.2f kJ/mol\n", "potential", t->lowest_potential,
           t->highest_potential);
    printf("  %-14s changed by %+.4g kJ/mol\n", "conserved",
           t->last_conserved - t->first_conserved);
    if (r->setup.table && cardo_table_provider_outside(r->setup.table) > 0)
        printf("  %-14s %lld forces lay outside its range and were evaluated in full\n",
               "force table", cardo_table_provider_outside(r->setup.table));
    char report[256];
    if (cardo_simulation_report(r->simulation, report, sizeof report))
        printf("  %-14s %s\n", r->integrator->name, report);
    const char *extension = cardo_trajectory_formats[r->files.trajectory]
                                ? cardo_trajectory_formats[r->files.trajectory]->extension
                                : NULL;
    printf("%s/\n  trajectory.csv     every coordinate, energy and force against time\n",
           r->folder);
    if (extension)
        printf(
            "  trajectory.%-7s the motion; open it with topology.pdb in VMD, PyMOL or ChimeraX\n",
            extension);
    printf("  checkpoint.cardo   to go on: cardo simulate ... --continue\n");
    printf("  run.json           versions and options of this run\n");
    if (drawn)
        printf("  trajectory.png     pictures (also .svg; drawn by plot.gp)\n");
    else
        printf("  plot.gp            makes the pictures where gnuplot is installed\n");
}

static cardo_status start(const cardo_command *command, run *r, cardo_error *error)
{
    const cardo_structure *structure = r->setup.model->structure[0].structure;
    if (cardo_command_has(command, "continue"))
        return cardo_recorder_continue(r->folder, r->simulation, structure, &r->files, r->extra,
                                       &r->recorder, error);
    cardo_status status = cardo_recorder_open(r->folder, r->simulation, structure, &r->files,
                                              r->extra, &r->recorder, error);
    return status == CARDO_OK ? cardo_simulation_start(r->simulation, error) : status;
}

static cardo_status draw(const run *r, bool *drawn, cardo_error *error)
{
    cardo_status status = cardo_plot_write(r->folder, r->setup.model->name, error);
    return status == CARDO_OK ? cardo_plot_draw(r->folder, drawn, error) : status;
}

static cardo_status simulate(const cardo_command *command, run *r, cardo_error *error)
{
    cardo_status status;
    tally t = {0};
    cardo_progress progress;
    cardo_end end = CARDO_END_FAILED;
    bool quiet = cardo_command_has(command, "quiet"), drawn = false;

    CARDO_TRY(cardo_setup_build(command, true, &r->setup, error));
    CARDO_TRY(read_options(r, error));
    CARDO_TRY(name_folder(command, r, error));
    CARDO_TRY(check_folder(command, r, error));
    CARDO_TRY(describe_provider(r, error));
    if (!quiet)
        announce(r);
    signal(SIGINT, interrupt);
    signal(SIGTERM, interrupt);
    CARDO_TRY(cardo_setup_tabulate(&r->setup, r->folder, r->extra,
                                   cardo_command_has(command, "continue"), &interrupted, quiet,
                                   error));
    CARDO_TRY(cardo_simulation_create(r->setup.system, r->setup.state,
                                      cardo_setup_forces(&r->setup), r->integrator, &r->options,
                                      r->integrator_options.bytes, &r->simulation, error));
    CARDO_TRY(write_manifest(command, r, error));
    CARDO_TRY(start(command, r, error));

    choose_coordinates(r->setup.system, &t);
    long long first = cardo_simulation_step(r->simulation);
    cardo_progress_start(&progress, first, r->options.steps, r->options.timestep, quiet);
    CARDO_TRY(cardo_simulation_add_observer(
        r->simulation, &(cardo_observer){.user = &t, .interval = 1, .observe = count_step}, error));
    CARDO_TRY(cardo_simulation_add_observer(
        r->simulation,
        &(cardo_observer){.user = &progress, .interval = 1, .observe = cardo_progress_observe},
        error));
    status = cardo_simulation_run(r->simulation, -1, &interrupted, &end, error);
    double seconds = cardo_progress_finish(&progress);
    long long steps = cardo_simulation_step(r->simulation) - first;

    /* The files are closed in any case; the first failure is the one that is told. */
    cardo_status finished = cardo_recorder_finish(r->recorder, status == CARDO_OK ? error : NULL);
    r->recorder = NULL;
    if (status == CARDO_OK)
        status = finished;
    if (status != CARDO_OK)
        goto done;
    CARDO_TRY(draw(r, &drawn, error));
    if (!quiet)
        conclude(r, &t, end, steps, seconds, drawn);
    if (end == CARDO_END_INTERRUPTED)
        status = CARDO_FAIL(error, CARDO_ERROR_INTERRUPTED,
                            "interrupted at step %lld; a checkpoint is written, --continue goes on",
                            cardo_simulation_step(r->simulation));
done:
    return status;
}

static cardo_status run_verb(const cardo_command *command, cardo_error *error)
{
    run r = {0};
    cardo_status status = simulate(command, &r, error);
    cardo_recorder_destroy(r.recorder);
    cardo_simulation_destroy(r.simulation);
    cardo_setup_clear(&r.setup);
    cardo_free(r.folder);
    cardo_free(r.extra);
    return status;
}

static const cardo_option options[] = {
    {"out", 'o', "FOLDER", "run folder (default: the model file's name with .run)"},
    {"continue", 'c', NULL, "go on from the folder's checkpoint, bitwise as if never stopped"},
    {"force", 'f', NULL, "start over although the folder holds a run"},
    CARDO_MODEL_OPTIONS,
    {"quiet", 'q', NULL, "no progress and no summary"},
    {0},
};

static const cardo_option_group groups[] = {
    {"<simulate> options", cardo_simulation_fields},
    {"<simulate> options for output", cardo_recorder_fields},
    {NULL, NULL},
};

const cardo_verb cardo_verb_simulate = {
    .name = "simulate",
    .synopsis = "MODEL.xml [options]",
    .summary = "run dynamics of a model under atomistic forces",
    .description = "Runs the model's <simulate> study: one evaluation of the atomistic forces a "
                   "step, mapped to the "
                   "generalized coordinates. The run folder receives trajectory.csv (time, "
                   "energies by term, temperature, every q and u, "
                   "generalized forces on path coordinates), the trajectory with topology.pdb, a "
                   "checkpoint, run.json and the pictures. "
                   "integrator=\"...\" chooses the integrator (cardo list integrators).",
    .options = options,
    .groups = groups,
    .run = run_verb,
};
