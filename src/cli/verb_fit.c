/* cardo fit: the coordinates of a model that best reproduce given atom positions. */
#include "analysis/fit/station_fit.h"
#include "base/lock.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/output.h"
#include "base/units.h"
#include "cli/fit_atoms.h"
#include "cli/reading.h"
#include "io/results/result_printer.h"
#include "io/results/result_text.h"
#include "io/tables/table.h"
#include "io/trajectory/frames.h"
#include "model/internal.h"
#include "multibody/tree/coordinate_names.h"
#include "multibody/tree/operators.h"
#include "structure/atoms/superpose.h"
#include "structure/mmcif/mmcif.h"
#include "structure/pdb/pdb.h"
#include "study/session/session.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const double angstroms = 1.0 / CARDO_ANGSTROM; /* in a nm */

/* TM-score from which on two folds are the same (structure/atoms/superpose.h). */
static const double SAME_FOLD = 0.5;

/* One run of the verb. */
typedef struct fitting {
    const cardo_command *command;
    cardo_model *model;
    cardo_system *system;
    cardo_state *state;
    double *start, *x, *row; /* (nq), (natom x 3), (nq + 2) */
    int nframe;
    bool json;
    double identity;               /* that is enough; negative: by the rule */
    cardo_result *result, *frames; /* of --json */
    cardo_table *table;
    char *part; /* name of the table while it is being written */
    cardo_output output;
    bool mmcif;          /* the output is, not PDB */
    cardo_lock *lock[2]; /* on both files */
} fitting;

/* A frame and how it was fitted. */
typedef struct frame {
    const char *file;
    int model;
    const cardo_structure *structure;
    cardo_fit_atoms atoms;
    cardo_station_fit fit;
} frame;

static void fitting_clear(fitting *f)
{
    cardo_table_close(f->table, NULL);
    if (f->part)
        unlink(f->part);
    cardo_free(f->part);
    cardo_output_abandon(&f->output);
    for (int k = 0; k < 2; ++k)
        cardo_lock_release(f->lock[k]);
    cardo_result_destroy(f->result);
    cardo_free(f->start);
    cardo_free(f->x);
    cardo_free(f->row);
    cardo_state_destroy(f->state);
    cardo_system_destroy(f->system);
    cardo_model_destroy(f->model);
}

/* What is fitted lies anywhere: a welded base is set free, and others welded to ground go with it. */
static void free_base(cardo_model *model)
{
    int base = -1;
    for (int b = 0; b < model->nbody; ++b) {
        cardo_model_body *body = &model->body[b];
        if (body->parent >= 0 || body->mobilizer != &cardo_mobilizer_weld)
            continue;
        if (base < 0) {
            body->mobilizer = &cardo_mobilizer_free;
            base = b;
        } else
            body->parent = base;
    }
}

static cardo_status open_table(fitting *f, const char *path, cardo_error *error)
{
    int nq = cardo_system_nq(f->system);
    cardo_column *columns;
    cardo_status status = CARDO_ALLOCATE(&columns, nq + 2, error);
    if (status != CARDO_OK)
        return status;
    snprintf(columns[0].name, sizeof columns[0].name, "frame");
    snprintf(columns[1].name, sizeof columns[1].name, "rmsd");
    columns[1].unit = "A";
    columns[1].digits = 8;
    for (int k = 0; k < nq; ++k) {
        char name[96];
        cardo_coordinate_name(f->system, k, name);
        snprintf(columns[k + 2].name, sizeof columns[k + 2].name, "q %.60s", name);
        columns[k + 2].digits = 17;
    }
    const size_t n = strlen(path) + sizeof CARDO_TEMPORARY_ENDING;
    status = cardo_allocate((void **)&f->part, n, 1, error);
    if (status == CARDO_OK) {
        snprintf(f->part, n, "%s%s", path, CARDO_TEMPORARY_ENDING);
        status = cardo_table_create(f->part, columns, nq + 2, &f->table, error);
    }
    cardo_free(columns);
    return status;
}

static cardo_status open_output(fitting *f, const char *path, cardo_error *error)
{
    f->mmcif = cardo_path_is_mmcif(path);
    if (!f->mmcif && !cardo_pdb_holds(f->model->structure[0].structure, NULL))
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "--output %s: a PDB file has no room for these chain names, or so many "
                          "atoms: name it .cif",
                          path);
    return cardo_output_open(&f->output, path, error);
}

static cardo_status write_frame(fitting *f, cardo_error *error)
{
    const cardo_structure *structure = f->model->structure[0].structure;
    return f->mmcif ? cardo_mmcif_write_model(f->output.stream, structure, f->x, f->nframe, error)
                    : cardo_pdb_write(f->output.stream, structure, f->x, f->nframe, error);
}

static cardo_status fitting_open(fitting *f, cardo_error *error)
{
    cardo_status status;
    const char *overrides[CARDO_MOST_GIVEN], *table = cardo_command_value(f->command, "table");
    const char *output = cardo_command_value(f->command, "output");
    int n = cardo_command_values(f->command, "set", overrides);
    f->json = cardo_command_has(f->command, "json");
    CARDO_TRY(cardo_reading_identity(f->command, &f->identity, error));
    status = cardo_model_read(f->command->argument[0], n, overrides, &f->model, error);
    if (status == CARDO_ERROR_USAGE)
        cardo_error_prefix(error, "--set ");
    CARDO_TRY(status);
    free_base(f->model);
    CARDO_TRY(cardo_model_compile(f->model, NULL, &f->system, error));
    CARDO_TRY(cardo_state_create(f->system, &f->state, error));
    CARDO_TRY(CARDO_ALLOCATE(&f->start, cardo_system_nq(f->system) + 1, error));
    CARDO_TRY(CARDO_ALLOCATE(&f->row, cardo_system_nq(f->system) + 2, error));
    CARDO_TRY(CARDO_ALLOCATE(&f->x, 3 * cardo_system_nstation(f->system), error));
    cardo_model_initial_q(f->model, f->system, f->start);
    if (table) {
        CARDO_TRY(cardo_output_check(table, error));
        CARDO_TRY(cardo_lock_file(table, "cardo fit", &f->lock[0], error));
        CARDO_TRY(open_table(f, table, error));
    }
    if (output) {
        CARDO_TRY(cardo_lock_file(output, "cardo fit", &f->lock[1], error));
        CARDO_TRY(open_output(f, output, error));
    }
    CARDO_TRY(cardo_result_create(&f->result, error));
    cardo_result_text(f->result, &(cardo_quantity){"model"}, f->model->name);
    f->frames = cardo_result_list(f->result, "frames");
done:
    return status;
}

static cardo_status find_coordinates(fitting *f, frame *one, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    const cardo_structure *reference = f->model->structure[0].structure;
    cardo_fit_atoms *atoms = &one->atoms;
    cardo_station_targets targets = {atoms->n, atoms->atom, atoms->position, NULL};
    for (int pass = 0; pass < 3; ++pass) {
        cardo_state_set_q(f->state, f->start);
        CARDO_TRY(cardo_station_fit_run(f->system, f->state, &targets, &one->fit, error));
        CARDO_TRY(cardo_station_positions(f->system, f->state, f->x, error));
        if (atoms->same || cardo_fit_atoms_exchange(atoms, reference, f->x) == 0)
            break;
    }
done:
    return status;
}

/* How well a domain's atoms are met, nm, and how well they could be met by the domain alone. */
typedef struct residual {
    int n;
    double here, alone, tm; /* tm: TM-score of the domain alone */
} residual;

static bool domain_residual(const fitting *f, const frame *one, int body, residual *out)
{
    const cardo_fit_atoms *atoms = &one->atoms;
    const cardo_structure *s = f->model->structure[0].structure;
    double *a = NULL, *b = NULL;
    cardo_transform X;
    *out = (residual){0};
    bool fine = CARDO_ALLOCATE(&a, 3 * atoms->n, NULL) == CARDO_OK &&
                CARDO_ALLOCATE(&b, 3 * atoms->n, NULL) == CARDO_OK;
    for (int k = 0; fine && k < atoms->n; ++k) {
        int atom = atoms->atom[k];
        if (!f->model->body[body].domain[s->atom_residue[atom]])
            continue;
        memcpy(a + 3 * out->n, f->x + 3 * atom, 3 * sizeof *a);
        memcpy(b + 3 * out->n++, atoms->position + 3 * k, 3 * sizeof *b);
    }
    fine = fine && out->n >= 3 &&
           cardo_superpose(out->n, a, b, NULL, &X, &out->alone, NULL) == CARDO_OK;
    if (fine) {
        out->here = cardo_rmsd(out->n, a, b, xform_identity());
        out->tm = cardo_tm_score(out->n, a, b, X);
    }
    cardo_free(a);
    cardo_free(b);
    return fine;
}

/* The domains' TM-scores, each superposed alone, over all their atoms. */
static double fold_likeness(const fitting *f, const frame *one)
{
    double sum = 0;
    int n = 0;
    for (int b = 0; b < f->model->nbody; ++b) {
        residual r;
        if (f->model->body[b].piece || !domain_residual(f, one, b, &r))
            continue;
        sum += r.n * r.tm;
        n += r.n;
    }
    return n ? sum / n : 0;
}

/* "homologue: 41 % of 230 residues alike, 97 % of the model covered, RMSD 1.9 A; ..." */
static char *verdict_of(const fitting *f, const frame *one, char text[512])
{
    const cardo_fit_atoms *atoms = &one->atoms;
    const cardo_likeness *alike = &atoms->likeness;
    const double rmsd = angstroms * one->fit.rmsd, tm = fold_likeness(f, one);
    int used;
    if (atoms->same) {
        cardo_format(text, 512, "the model's own atoms, RMSD %.4f A", rmsd);
        return text;
    }
    used = cardo_format(
        text, 512,
        "%s: %.0f %% of %d residues that pair alike, %.0f %% of the model's %s covered, "
        "RMSD %.2f A, TM-score of the domains %.2f",
        alike->identity >= 0.95  ? "the same protein"
        : alike->identity >= 0.3 ? "a relative"
                                 : "a stranger",
        100 * alike->identity, alike->paired, 100.0 * atoms->n / atoms->wanted, atoms->what, rmsd,
        tm);
    if (tm < SAME_FOLD)
        snprintf(text + used, 512 - (size_t)used,
                 "; NOT the same fold (0.5): the coordinates mean nothing");
    return text;
}

/* The coordinates; people see those of bodies on others, without the pieces of flexible ones. */
static void add_coordinates(const fitting *f, cardo_result *into)
{
    static const cardo_quantity q = {"q", .style = ".6f"};
    const int nq = cardo_system_nq(f->system);
    cardo_result *array;
    double *value = cardo_result_doubles(into, &q, 1, &(cardo_axis){"coordinate", nq}, &array);
    for (int k = 0; value && k < nq; ++k) {
        char name[CARDO_COORDINATE_NAME];
        value[k] = cardo_state_q(f->state)[k];
        cardo_result_label(array, 0, k, cardo_coordinate_name(f->system, k, name));
    }
    for (int b = 0; b < f->model->nbody; ++b) {
        cardo_body_info info;
        cardo_system_body(f->system, b + 1, &info);
        const bool hidden = f->model->body[b].piece || f->model->body[b].parent < 0;
        for (int k = info.q_first; hidden && k < info.q_first + info.nq; ++k)
            cardo_result_hide(array, k);
    }
}

/* How each domain is met, and how it would be by itself. */
static void add_domains(const fitting *f, const frame *one, cardo_result *into)
{
    static const cardo_quantity name = {"name", .style = "-24s"},
                                rmsd = {"rmsd_A", "RMSD", "A", ".4f"},
                                alone = {"rmsd_alone_A", "RMSD, superposed by itself", "A", ".4f"},
                                tm = {"tm_score_alone", .style = ".2f"};
    cardo_result *table = cardo_result_table(into, "domains", "domain");
    for (int b = 0; b < f->model->nbody; ++b) {
        residual r;
        if (f->model->body[b].piece || !domain_residual(f, one, b, &r))
            continue;
        cardo_result_row(table);
        cardo_result_text(table, &name, f->model->body[b].name);
        cardo_result_integer(table, &(cardo_quantity){"atoms"}, r.n);
        cardo_result_number(table, &rmsd, angstroms * r.here);
        cardo_result_number(table, &alone, angstroms * r.alone);
        cardo_result_number(table, &tm, r.tm);
    }
}

/* Adds a frame to "frames". */
static void add_frame(const fitting *f, const frame *one, cardo_result *frames)
{
    static const cardo_quantity rmsd = {"rmsd_A", "RMSD", "A", ".4f"},
                                identity = {"identity", .style = ".0p"},
                                coverage = {"coverage", .style = ".0p"},
                                tm = {"tm_score", .style = ".2f"};
    const cardo_fit_atoms *atoms = &one->atoms;
    char verdict[512];
    cardo_result *frame_of = cardo_result_group(frames, NULL);
    cardo_result_text(frame_of, &(cardo_quantity){"file"}, one->file);
    cardo_result_integer(frame_of, &(cardo_quantity){"model"}, one->model);
    cardo_result_integer(frame_of, &(cardo_quantity){"atoms"}, atoms->n);
    cardo_result_text(frame_of, &(cardo_quantity){"fitted"}, atoms->what);
    cardo_result_number(frame_of, &rmsd, angstroms * one->fit.rmsd);
    cardo_result_number(frame_of, &identity, atoms->same ? 1 : atoms->likeness.identity);
    cardo_result_integer(frame_of, &(cardo_quantity){"residues_paired"},
                         atoms->same ? one->structure->nresidue : atoms->likeness.paired);
    cardo_result_number(frame_of, &coverage, (double)atoms->n / atoms->wanted);
    cardo_result_number(frame_of, &tm, fold_likeness(f, one));
    cardo_result_remark(frame_of, "verdict", CARDO_RESULT_VERDICT, verdict_of(f, one, verdict),
                        NULL);
    cardo_result_truth(frame_of, &(cardo_quantity){"own_atoms"}, atoms->same);
    cardo_result_integer(frame_of, &(cardo_quantity){"steps"}, one->fit.iterations);
    cardo_result_truth(frame_of, &(cardo_quantity){"converged"}, one->fit.converged);
    add_coordinates(f, frame_of);
    add_domains(f, one, frame_of);
}

static void say_frame(FILE *stream, const cardo_result *one)
{
    cardo_result_say(stream, one,
                     "{file}, model {model}: {atoms} {fitted}, RMSD {rmsd_A} A"
                     "{converged?| (not settled)}\n");
    if (!cardo_result_as_truths(cardo_result_find(one, "own_atoms"))[0])
        cardo_result_say(stream, one, "  {verdict}\n");
    cardo_result_say_places(stream, cardo_result_find(one, "q"), "  {label:-24s} q = {value}\n");
    cardo_result_say_rows(stream, cardo_result_find(one, "domains"),
                          "  {name} RMSD {rmsd_A} A of {atoms} atoms; superposed by itself "
                          "{rmsd_alone_A} A\n",
                          LLONG_MAX);
}

/* A frame as text at once, so that nothing is kept of a long trajectory. */
static cardo_status tell_frame(const fitting *f, const frame *one, cardo_error *error)
{
    cardo_result *frames;
    cardo_status status = cardo_result_create(&frames, error);
    if (status == CARDO_OK) {
        cardo_result *list = cardo_result_list(frames, "frames");
        add_frame(f, one, list);
        status = cardo_result_status(frames, error);
        if (status == CARDO_OK)
            say_frame(stdout, cardo_result_part(list, 0));
    }
    cardo_result_destroy(frames);
    return status;
}

static cardo_status record_frame(fitting *f, const frame *one, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    int nq = cardo_system_nq(f->system);
    ++f->nframe;
    if (f->json)
        add_frame(f, one, f->frames);
    else
        CARDO_TRY(tell_frame(f, one, error));
    f->row[0] = f->nframe;
    f->row[1] = angstroms * one->fit.rmsd;
    memcpy(f->row + 2, cardo_state_q(f->state), (size_t)nq * sizeof *f->row);
    if (f->table)
        CARDO_TRY(cardo_table_write(f->table, f->row, error));
    if (f->output.stream)
        CARDO_TRY(write_frame(f, error));
done:
    return status;
}

static cardo_status fit_structure(fitting *f, const char *file, const cardo_structure *structure,
                                  cardo_error *error)
{
    cardo_status status;
    frame one = {.file = file, .model = structure->model, .structure = structure};
    CARDO_TRY(cardo_fit_atoms_find(f->model, structure, cardo_command_value(f->command, "atoms"),
                                   f->identity, &one.atoms, error));
    CARDO_TRY(find_coordinates(f, &one, error));
    CARDO_TRY(record_frame(f, &one, error));
done:
    cardo_fit_atoms_clear(&one.atoms);
    return status;
}

/* Leaves out chains that are not named; NULL: none. */
static cardo_status choose_chains(const char *chains, cardo_structure **structure,
                                  cardo_error *error)
{
    cardo_structure *all = *structure, *part = NULL;
    bool *keep;
    int kept = 0;
    if (!chains)
        return CARDO_OK;
    cardo_status status = CARDO_ALLOCATE(&keep, all->natom, error);
    for (int i = 0; status == CARDO_OK && i < all->natom; ++i) {
        const char *id = all->chain_id[all->residue_chain[all->atom_residue[i]]].text;
        keep[i] = cardo_model_chain_listed(id, chains);
        kept += keep[i];
    }
    if (status == CARDO_OK && kept == 0)
        status = CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s has no atoms in chains %s", all->source,
                            chains);
    if (status == CARDO_OK)
        status = cardo_structure_subset(all, keep, &part, error);
    cardo_free(keep);
    if (status == CARDO_OK) {
        cardo_structure_destroy(all);
        *structure = part;
    }
    return status;
}

/* Frames of a trajectory have the model's atoms: the reference structure, elsewhere. */
static cardo_status fit_trajectory(fitting *f, const char *file, int chosen, cardo_error *error)
{
    cardo_status status;
    cardo_structure structure = *f->model->structure[0].structure;
    cardo_frames *frames = NULL;
    structure.position = NULL;
    CARDO_TRY(CARDO_ALLOCATE(&structure.position, 3 * structure.natom, error));
    CARDO_TRY(cardo_frames_open(file, structure.natom, &frames, error));
    long long first = chosen ? chosen - 1 : 0;
    long long end = chosen ? chosen : cardo_frames_count(frames);
    for (long long k = first; k < end; ++k) {
        CARDO_TRY(cardo_frames_read(frames, k, structure.position, error));
        structure.model = (int)k + 1;
        CARDO_TRY(fit_structure(f, file, &structure, error));
    }
done:
    cardo_frames_close(frames);
    cardo_free(structure.position);
    return status;
}

/* Every model of a file, or the chosen one. */
static cardo_status fit_models(fitting *f, const char *file, int model, const char *chains,
                               cardo_error *error)
{
    int nmodel = 1;
    bool chosen = model > 0;
    for (int k = 0; k < nmodel; ++k) {
        cardo_structure *structure = NULL;
        cardo_status status = cardo_structure_read(file, model, &structure, error);
        if (status == CARDO_OK) {
            nmodel = chosen ? 1 : structure->nmodel;
            model = structure->model + 1;
            status = choose_chains(chains, &structure, error);
        }
        if (status == CARDO_OK)
            status = fit_structure(f, file, structure, error);
        cardo_structure_destroy(structure);
        if (status != CARDO_OK)
            return status;
    }
    return CARDO_OK;
}

/* FILE, FILE#CHAIN or FILE#MODEL:CHAIN. */
static cardo_status fit_file(fitting *f, const char *given, cardo_error *error)
{
    cardo_status status;
    char *path = NULL;
    cardo_structure_definition d = {0};
    const char *chosen = cardo_command_value(f->command, "model");
    CARDO_TRY(cardo_copy_string(&path, given, error));
    CARDO_TRY(cardo_model_split_path(path, &d, error));
    if (chosen && (!cardo_parse_int(chosen, (int)strlen(chosen), &d.model) || d.model < 1))
        CARDO_TRY(
            CARDO_FAIL(error, CARDO_ERROR_USAGE, "--model %s is no number of a model", chosen));
    if (!d.chains || !d.chains[0])
        d.chains = cardo_command_value(f->command, "chains");
    if (cardo_frames_detect(d.file))
        CARDO_TRY(fit_trajectory(f, d.file, d.model, error));
    else
        CARDO_TRY(fit_models(f, d.file, d.model, d.chains, error));
done:
    cardo_free(path);
    return status;
}

static cardo_status finish(fitting *f, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    if (f->table) {
        const char *path = cardo_command_value(f->command, "table");
        status = cardo_table_close(f->table, error);
        f->table = NULL;
        if (status == CARDO_OK && rename(f->part, path) != 0)
            status = CARDO_FAIL(error, CARDO_ERROR_FILE, "%s: cannot be written (%s)", path,
                                strerror(errno));
    }
    if (status == CARDO_OK && f->output.stream) {
        fputs(f->mmcif ? "#\n" : "END\n", f->output.stream);
        status = cardo_output_commit(&f->output, error);
    }
    if (status == CARDO_OK && f->json)
        status = cardo_result_status(f->result, error);
    if (status == CARDO_OK && f->json)
        status = cardo_printer_json.print(f->result, stdout, error);
    return status;
}

static cardo_status run(const cardo_command *command, cardo_error *error)
{
    fitting f = {.command = command};
    cardo_status status = CARDO_OK;
    if (command->nargument < 2)
        return CARDO_FAIL(error, CARDO_ERROR_USAGE,
                          "needs a model file and the structures to fit it to: cardo fit MODEL.xml "
                          "STRUCTURE...");
    CARDO_TRY(fitting_open(&f, error));
    for (int k = 1; k < command->nargument; ++k)
        CARDO_TRY(fit_file(&f, command->argument[k], error));
    status = finish(&f, error);
done:
    fitting_clear(&f);
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
    {"json", 'j', NULL, "print JSON"},
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
    .run = run,
};
