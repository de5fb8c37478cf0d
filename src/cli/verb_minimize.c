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
#include "io/tables/columns.h"
#include "io/tables/coordinate_file.h"
#include "io/tables/table.h"
#include "multibody/tree/coordinate_names.h"
#include "multibody/tree/operators.h"
#include "structure/pdb/pdb.h"
#include "study/judge.h"
#include "study/session_forces.h"
#include "study/session_result.h"
#include "study/session_strain.h"
#include "study/soft_start.h"
#include "study/study_options.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { SOFT_AUTO, SOFT_YES, SOFT_NO };
enum { BEFORE_COORDINATES = 5 };

typedef struct soft_options {
    int soft_start;
    double clash_energy; /* kJ/mol */
} soft_options;

static const char *const soft_choices[] = {"auto", "yes", "no", NULL};

static const cardo_field soft_fields[] = {
    {"soft-start", CARDO_FIELD_CHOICE, offsetof(soft_options, soft_start), "", "auto", 0, 0,
     soft_choices,
     "take overlaps away first, with soft-core Lennard-Jones energies; auto: when atoms clash"},
    {"clash-energy", CARDO_FIELD_DOUBLE, offsetof(soft_options, clash_energy), "kJ/mol", "100", 0,
     1e300, NULL, "Lennard-Jones energy of a pair of atoms from which on it is a clash"},
    {0},
};

typedef struct run {
    cardo_session *session;
    cardo_minimization_options options;
    soft_options soft;
    cardo_run_folder home;
    const char *folder; /* its path */
    cardo_table *table;
    cardo_column *columns;
    double *row;
    int ncolumn, stage; /* stage 0: the true energy                                      */
    long long rows;
    bool quiet, json, drawn, terminal;
    bool softened;
    cardo_strain before, after;
    cardo_minimization_result result;
} run;

static cardo_status read_options(run *r, cardo_error *error)
{
    const cardo_option_target targets[] = {
        {cardo_minimization_fields, &r->options},
        {soft_fields, &r->soft},
    };
    return cardo_study_options(r->session->model, "minimize", 2, targets, NULL, error);
}

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
static cardo_status observe(void *user, const cardo_minimization_frame *frame, cardo_error *error)
{
    run *r = user;
    r->row[0] = (double)r->rows++;
    r->row[1] = r->stage;
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
    run *r = user;
    r->stage = stage;
    if (!result || r->quiet || r->json)
        return;
    end_line(r);
    cardo_print(stdout, "  soft %-4g bonds %-6g %.6g to %.6g kJ/mol in %d iterations\n", softness,
                bonded, result->first.potential, result->last.potential, result->last.iteration);
    fflush(stdout);
}

/* Whether to begin softly; an energy that cannot be evaluated at all is a clash too. */
static cardo_status choose_start(run *r, bool *soft, cardo_error *error)
{
    *soft = false;
    if (!r->session->terms)
        return r->soft.soft_start == SOFT_YES
                   ? CARDO_FAIL(error, CARDO_ERROR_UNSUPPORTED,
                                "a soft start needs the force field's parameters, which a "
                                "serialized System does not give: set soft-start to no")
                   : CARDO_OK;
    cardo_status status = cardo_session_strain(r->session, &r->before, error);
    bool clash = r->before.contact.energy > r->soft.clash_energy;
    *soft = r->soft.soft_start == SOFT_YES || (r->soft.soft_start == SOFT_AUTO && clash);
    return status;
}

static cardo_status descend(run *r, cardo_error *error)
{
    cardo_status status;
    bool interrupted = false;
    char text[CARDO_STRAINED_TEXT];
    const cardo_minimization_observer observer = {r, observe, &cardo_interrupted};
    bool talk = !r->quiet && !r->json;
    CARDO_TRY(cardo_strain_tell(r->session, "the start", false, error));
    CARDO_TRY(choose_start(r, &r->softened, error));
    if (talk && r->before.contact.natom)
        printf("  worst contact        %s, at the start\n",
               cardo_strained_text(r->session, &r->before.contact, text));
    if (r->softened) {
        CARDO_TRY(
            cardo_soft_start(r->session, &r->options, &observer, tell_stage, &interrupted, error));
    }
    r->stage = 0;
    r->result.interrupted = interrupted;
    if (!interrupted)
        status =
            cardo_minimization_run(r->session->system, r->session->state, r->session->evaluator,
                                   &r->options, &observer, &r->result, error);
    end_line(r);
    if (status == CARDO_OK && r->session->terms)
        status = cardo_session_strain(r->session, &r->after, error);
done:
    return status;
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
    cardo_manifest_options(options, cardo_minimization_fields, &r->options);
    cardo_manifest_options(options, soft_fields, &r->soft);
    cardo_json_put(json, "options", options);
    return cardo_manifest_write(&r->home, json, error);
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
    if (r->result.last.iteration > 0) { /* else there is no line to draw */
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

static const char *ending(const run *r)
{
    return r->result.converged     ? "converged"
           : r->result.interrupted ? "interrupted"
           : r->result.last.iteration >= r->options.iterations
               ? "iterations ran out"
               : "no lower place is found within the energy's rounding";
}

/* Coordinates but those of orientations without angles; people see the first dozen. */
static void add_coordinates(const run *r, cardo_result *into)
{
    enum { SHOWN = 12 };
    static const cardo_quantity coordinates = {"coordinates", "coordinate", .style = ".6g"};
    const cardo_system *system = r->session->system;
    cardo_body_info info;
    cardo_result *array;
    int n = 0;
    for (int b = 1; b < cardo_system_nbody(system); ++b) {
        cardo_system_body(system, b, &info);
        n += info.nq == info.nu ? info.nq : 0;
    }
    double *value =
        cardo_result_doubles(into, &coordinates, 1, &(cardo_axis){"coordinate", n}, &array);
    for (int b = 1, at = 0; value && b < cardo_system_nbody(system); ++b) {
        char name[CARDO_COORDINATE_NAME];
        const bool hidden = at >= SHOWN;
        cardo_system_body(system, b, &info);
        for (int k = info.q_first; info.nq == info.nu && k < info.q_first + info.nq; ++k, ++at) {
            value[at] = cardo_state_q(r->session->state)[k];
            cardo_result_label(array, 0, at, cardo_coordinate_name(system, k, name));
            if (hidden)
                cardo_result_hide(array, at);
        }
    }
}

static void add_contact(const run *r, const char *name, const cardo_strained *contact,
                        cardo_result *into)
{
    char text[CARDO_STRAINED_TEXT];
    if (contact->natom)
        cardo_result_text(into, &(cardo_quantity){name},
                          cardo_strained_text(r->session, contact, text));
}

static cardo_status fill(const run *r, cardo_result *into, cardo_error *error)
{
    static const cardo_quantity begun = {"first_potential_kJ_per_mol", "potential at the start",
                                         "kJ/mol", ".4f"},
                                potential = {"potential_kJ_per_mol", "potential", "kJ/mol", ".4f"},
                                largest = {"largest_force", .style = ".4g",
                                           .meaning = "kJ/mol per unit of the coordinate"},
                                rms = {"rms_force", .style = ".4g"};
    char name[CARDO_COORDINATE_NAME];
    const cardo_minimization_frame *first = &r->result.first, *last = &r->result.last;
    cardo_result_text(into, &(cardo_quantity){"model"}, r->session->model->name);
    cardo_result_truth(into, &(cardo_quantity){"soft_start"}, r->softened);
    add_contact(r, "worst_contact_before", &r->before.contact, into);
    add_contact(r, "worst_contact", &r->after.contact, into);
    cardo_strain_fill(r->session, &r->after, into);
    cardo_result_truth(into, &(cardo_quantity){"converged"}, r->result.converged);
    if (last->system)
        cardo_result_remark(into, "ending", CARDO_RESULT_VERDICT, ending(r), NULL);
    cardo_result_number(into, &begun, first->potential);
    cardo_result_number(into, &potential, last->potential);
    cardo_result_number(into, &largest, last->largest_force);
    if (last->system)
        cardo_result_text(into, &(cardo_quantity){"largest_force_on"},
                          last->largest >= 0
                              ? cardo_mobility_name(r->session->system, last->largest, name)
                              : "nothing");
    cardo_result_number(into, &rms, last->rms_force);
    cardo_result_integer(into, &(cardo_quantity){"iterations"}, last->iteration);
    cardo_result_integer(into, &(cardo_quantity){"evaluations"}, last->evaluations);
    add_coordinates(r, into);
    cardo_result_text(into, &(cardo_quantity){"folder"}, r->folder);
    return cardo_result_status(into, error);
}

static void conclude(const run *r, const cardo_result *result)
{
    cardo_result_say(stdout, result,
                     "[  energy               {first_potential_kJ_per_mol} to "
                     "{potential_kJ_per_mol} kJ/mol in {iterations} iterations, {evaluations} "
                     "evaluations\n"
                     "  largest force        {largest_force} on {largest_force_on}, rms "
                     "{rms_force} kJ/mol per unit of the coordinates: {ending}\n]"
                     "[  worst contact        {worst_contact}\n]");
    cardo_result_say_places(stdout, cardo_result_find(result, "coordinates"),
                            "  {label:-20s} {value}\n");
    printf("%s/\n  minimized.%s      the structure there\n"
           "  coordinates.csv    its coordinates; cardo simulate ... --from %s/coordinates.csv "
           "begins there\n"
           "  minimization.csv   energy, forces and coordinates of every iteration\n"
           "%s",
           r->folder, cardo_run_folder_structure(r->folder, "minimized"), r->folder,
           r->drawn ? "  minimization.png   its picture (also .svg; drawn by plot.gp)\n"
           : r->result.last.iteration > 0
               ? "  plot.gp            makes the picture where gnuplot is installed\n"
               : "");
}

static cardo_status report(const run *r, cardo_error *error)
{
    cardo_result *result;
    cardo_status status = cardo_result_create(&result, error);
    if (status == CARDO_OK)
        status = fill(r, result, error);
    if (status == CARDO_OK && r->json)
        status = cardo_printer_json.print(result, stdout, error);
    else if (status == CARDO_OK && !r->quiet)
        conclude(r, result);
    cardo_result_destroy(result);
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
    cardo_status status;
    r->quiet = cardo_command_has(command, "quiet");
    r->json = cardo_command_has(command, "json");
    r->terminal = !r->quiet && isatty(STDERR_FILENO);
    CARDO_TRY(claim(command, r, error));
    CARDO_TRY(cardo_command_open(command, true, &r->session, error));
    CARDO_TRY(read_options(r, error));
    CARDO_TRY(cardo_start_place(command, r->session, error));
    CARDO_TRY(cardo_judge(r->session, error));
    CARDO_TRY(cardo_run_folder_begin(&r->home, false, error));
    CARDO_TRY(write_manifest(r, error));
    CARDO_TRY(open_table(r, error));
    if (!r->quiet && !r->json)
        announce(r);
    cardo_interrupt_catch();
    CARDO_TRY(descend(r, error));
    CARDO_TRY(cardo_strain_tell_change(r->session, "what minimizing came to", &r->before, error));
    CARDO_TRY(write_files(r, error));
    r->home.begun = true;
    CARDO_TRY(report(r, error));
    if (r->result.interrupted)
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
    {"<minimize> options for overlaps", soft_fields},
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
