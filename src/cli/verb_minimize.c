/* cardo minimize: the nearest minimum of a model's energy in its coordinates. */
#include "base/memory.h"
#include "base/number.h"
#include "cli/gnuplot.h"
#include "cli/interrupt.h"
#include "cli/manifest.h"
#include "cli/opening.h"
#include "cli/session_report.h"
#include "cli/start.h"
#include "forces/openmm/openmm.h"
#include "io/plots/plot.h"
#include "io/results/result_printer.h"
#include "io/results/result_text.h"
#include "io/tables/coordinate_file.h"
#include "io/tables/table.h"
#include "multibody/quantities/columns.h"
#include "multibody/tree/coordinate_names.h"
#include "multibody/tree/operators.h"
#include "structure/pdb/pdb.h"
#include "study/minimize.h"
#include "study/session/forces.h"
#include "study/session/strain.h"
#include "study/session/study.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { BEFORE_COORDINATES = 5 };

typedef struct run {
    cardo_session *session;
    cardo_minimize_options options;
    cardo_run_folder home;
    const char *folder; /* its path */
    cardo_table *table;
    cardo_column *columns;
    double *row;
    int ncolumn;
    long long rows;
    bool quiet, json, drawn, terminal;
    cardo_result *result;
} run;

static cardo_column column(const char *name, const char *unit, int digits)
{
    cardo_column c = {.unit = unit, .digits = digits};
    snprintf(c.name, sizeof c.name, "%s", name);
    return c;
}

static cardo_status open_table(run *r, cardo_error *error)
{
    cardo_status status;
    char *path = NULL;
    int nq = cardo_system_nq(r->session->system);
    r->ncolumn = BEFORE_COORDINATES + nq;
    CARDO_TRY(CARDO_ALLOCATE(&r->columns, r->ncolumn, error));
    CARDO_TRY(CARDO_ALLOCATE(&r->row, r->ncolumn, error));
    r->columns[0] = column("iteration", "", 0);
    r->columns[1] = column("stage", "", 0);
    r->columns[2] = column("potential", "kJ/mol", 12);
    r->columns[3] = column("largest force", "", 8);
    r->columns[4] = column("rms force", "", 8);
    cardo_coordinate_columns(r->session->system, r->columns + BEFORE_COORDINATES);
    CARDO_TRY(cardo_run_folder_path(r->folder, "minimization.csv", &path, error));
    CARDO_TRY(cardo_table_create(path, r->columns, r->ncolumn, &r->table, error));
done:
    cardo_free(path);
    return status;
}

/* Stages follow each other in one table, with the iterations counted on. */
static cardo_status observe(void *user, int stage, const cardo_minimization_frame *frame,
                            cardo_error *error)
{
    run *r = user;
    r->row[0] = (double)r->rows++;
    r->row[1] = stage;
    r->row[2] = frame->potential;
    r->row[3] = frame->largest_force;
    r->row[4] = frame->rms_force;
    for (int k = 0; k < r->ncolumn - BEFORE_COORDINATES; ++k)
        r->row[BEFORE_COORDINATES + k] = cardo_state_q(frame->state)[k];
    if (r->terminal)
        cardo_print(stderr, "\r  iteration %d: %.4f kJ/mol, largest force %.4g      ",
                    frame->iteration, frame->potential, frame->largest_force);
    return cardo_table_write(r->table, r->row, error);
}

static void end_line(const run *r)
{
    if (r->terminal)
        fprintf(stderr, "\r%70s\r", "");
}

static void tell_stage(void *user, int stage, double softness, double bonded,
                       const cardo_minimization_result *result)
{
    const run *r = user;
    (void)stage;
    if (r->quiet || r->json)
        return;
    end_line(r);
    cardo_print(stdout, "  soft %-4g bonds %-6g %.6g to %.6g kJ/mol in %d iterations\n", softness,
                bonded, result->first.potential, result->last.potential, result->last.iteration);
    fflush(stdout);
}

static void tell_start(void *user, const cardo_strain *before)
{
    const run *r = user;
    char text[CARDO_STRAINED_TEXT];
    if (!r->quiet && !r->json && before->contact.natom)
        printf("  worst contact        %s, at the start\n",
               cardo_strained_text(r->session, &before->contact, text));
}

static cardo_status write_structure(const run *r, cardo_error *error)
{
    cardo_status status;
    char name[16], *path = NULL;
    double *positions = NULL;
    const cardo_system *system = r->session->system;
    const cardo_structure *structure = r->session->model->structure[0].structure;
    CARDO_TRY(CARDO_ALLOCATE(&positions, 3 * (size_t)cardo_system_nstation(system), error));
    CARDO_TRY(cardo_station_positions(system, r->session->state, positions, error));
    snprintf(name, sizeof name, "minimized.%s", cardo_structure_extension(structure, positions));
    CARDO_TRY(cardo_run_folder_path(r->folder, name, &path, error));
    status = cardo_structure_write(path, structure, positions, error);
done:
    cardo_free(path);
    cardo_free(positions);
    return status;
}

static cardo_status write_manifest(const run *r, cardo_error *error)
{
    cardo_json *json = cardo_manifest_begin(&r->home, r->session), *options = cardo_json_object();
    cardo_manifest_options(options, cardo_minimization_fields, &r->options.minimization);
    cardo_manifest_options(options, cardo_overlap_fields, &r->options.overlaps);
    cardo_json_put(json, "options", options);
    return cardo_manifest_write(&r->home, json, error);
}

static long long iterations(const run *r)
{
    return cardo_result_as_integers(cardo_result_find(r->result, "iterations"))[0];
}

static cardo_status write_files(run *r, cardo_error *error)
{
    cardo_status status;
    char *path = NULL;
    status = cardo_table_close(r->table, error);
    r->table = NULL;
    CARDO_TRY(status);
    CARDO_TRY(write_structure(r, error));
    CARDO_TRY(cardo_run_folder_path(r->folder, "coordinates.csv", &path, error));
    CARDO_TRY(
        cardo_coordinates_write(path, r->session->system, cardo_state_q(r->session->state), error));
    if (iterations(r) > 0) { /* else there is no line to draw */
        CARDO_TRY(cardo_plot_write_minimization(r->folder, r->session->model->name, error));
        CARDO_TRY(cardo_gnuplot_run(r->folder, &r->drawn, error));
    }
done:
    cardo_free(path);
    return status;
}

static void announce(const run *r)
{
    const cardo_model_forcefield *f = &r->session->model->forcefield;
    char engine[64];
    cardo_print_size(r->session);
    printf("forces: %s%s%s, %s\n", cardo_session_engine(r->session, engine),
           f->solvent[0] ? ", " : "", f->solvent, f->method);
    cardo_print_choice(r->session);
    cardo_judgement_print(r->session);
    fflush(stdout);
}

static void conclude(const run *r)
{
    cardo_result_say(stdout, r->result,
                     "[  energy               {first_potential_kJ_per_mol} to "
                     "{potential_kJ_per_mol} kJ/mol in {iterations} iterations, {evaluations} "
                     "evaluations\n"
                     "  largest force        {largest_force} on {largest_force_on}, rms "
                     "{rms_force} kJ/mol per unit of the coordinates: {ending}\n]"
                     "[  worst contact        {worst_contact}\n]");
    cardo_result_say_places(stdout, cardo_result_find(r->result, "coordinates"),
                            "  {label:-20s} {value}\n");
    printf("%s/\n  minimized.%s      the structure there\n"
           "  coordinates.csv    its coordinates; cardo simulate ... --from %s/coordinates.csv "
           "begins there\n"
           "  minimization.csv   energy, forces and coordinates of every iteration\n"
           "%s",
           r->folder, cardo_run_folder_structure(r->folder, "minimized"), r->folder,
           r->drawn ? "  minimization.png   its picture (also .svg; drawn by plot.gp)\n"
           : iterations(r) > 0
               ? "  plot.gp            makes the picture where gnuplot is installed\n"
               : "");
}

static cardo_status report(const run *r, cardo_error *error)
{
    cardo_result_text(r->result, &(cardo_quantity){"folder"}, r->folder);
    cardo_status status = cardo_result_status(r->result, error);
    if (status == CARDO_OK && r->json)
        status = cardo_printer_json.print(r->result, stdout, error);
    else if (status == CARDO_OK && !r->quiet)
        conclude(r);
    return status;
}

/* The folder's files, and what is going to be done. */
static cardo_status begin(void *user, cardo_error *error)
{
    run *r = user;
    cardo_status status;
    CARDO_TRY(cardo_run_folder_begin(&r->home, false, error));
    CARDO_TRY(write_manifest(r, error));
    CARDO_TRY(open_table(r, error));
    if (!r->quiet && !r->json)
        announce(r);
    cardo_interrupt_catch();
done:
    return status;
}

static cardo_status claim(const cardo_command *command, run *r, cardo_error *error)
{
    char *path;
    cardo_status status = cardo_run_folder_name(command, ".minimized", &path, error);
    if (status != CARDO_OK)
        return status;
    status = cardo_run_folder_claim(&r->home, command, path, NULL, true, error);
    r->folder = r->home.path;
    return status;
}

static cardo_status minimize(const cardo_command *command, run *r, cardo_error *error)
{
    const cardo_minimize_observer observer = {r, begin, tell_start, tell_stage, observe};
    cardo_status status;
    r->quiet = cardo_command_has(command, "quiet");
    r->json = cardo_command_has(command, "json");
    r->terminal = !r->quiet && isatty(STDERR_FILENO);
    CARDO_TRY(claim(command, r, error));
    CARDO_TRY(cardo_command_open(command, true, &r->session, error));
    CARDO_TRY(
        cardo_study_read_options(&cardo_study_minimize, r->session, 0, NULL, &r->options, error));
    CARDO_TRY(cardo_start_place(command, r->session, error));
    CARDO_TRY(cardo_result_create(&r->result, error));
    r->options.observer = &observer;
    status = cardo_study_run(&cardo_study_minimize, r->session, &r->options, r->result, error);
    end_line(r);
    CARDO_TRY(status);
    CARDO_TRY(write_files(r, error));
    r->home.begun = true;
    CARDO_TRY(report(r, error));
    if (cardo_result_as_truths(cardo_result_find(r->result, "interrupted"))[0])
        status = CARDO_FAIL(error, CARDO_ERROR_INTERRUPTED,
                            "interrupted; what was reached is in %s", r->folder);
done:
    return status;
}

static cardo_status run_verb(const cardo_command *command, cardo_error *error)
{
    run r = {0};
    cardo_status status = minimize(command, &r, error);
    cardo_table_close(r.table, NULL);
    cardo_result_destroy(r.result);
    cardo_session_close(r.session);
    cardo_run_folder_close(&r.home);
    cardo_free(r.columns);
    cardo_free(r.row);
    return status;
}

static const cardo_option options[] = {
    {"out", 'o', "FOLDER", "results folder (default: the model file's name with .minimized)"},
    {"force", 'f', NULL, "overwrite earlier results there"},
    CARDO_START_OPTIONS,
    CARDO_MODEL_OPTIONS,
    {"json", 'j', NULL, "print JSON"},
    {"quiet", 'q', NULL, "no progress and no summary"},
    {0},
};

static const cardo_option_group groups[] = {
    {"<minimize> options", cardo_minimization_fields},
    {"<minimize> options for overlaps", cardo_overlap_fields},
    {NULL, NULL},
};

const cardo_verb cardo_verb_minimize = {
    .name = "minimize",
    .synopsis = "MODEL.xml [options]",
    .summary = "go to the nearest minimum of the energy, out of overlaps first",
    .description =
        "Minimizes the model's energy in its generalized coordinates by L-BFGS, with exact "
        "gradients and mass-weighted steps; orientations are turned in their tangent space. A "
        "start in which atoms overlap is made soft first: Lennard-Jones energies between bodies "
        "stay finite at contact, and are hardened in stages before the true energy takes over. "
        "Nothing inside a rigid body moves, so what overlaps there stays so.",
    .options = options,
    .groups = groups,
    .run = run_verb,
};
