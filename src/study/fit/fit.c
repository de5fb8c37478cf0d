#include "study/fit/fit.h"

#include "analysis/fit/station_fit.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/units.h"
#include "cardo/constraints.h"
#include "multibody/tree/coordinate_names.h"
#include "multibody/tree/operators.h"
#include "structure/atoms/superpose.h"
#include "study/fit/atoms.h"
#include "study/fit/structures.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

static const double angstroms = 1.0 / CARDO_ANGSTROM; /* in a nm */

/* TM-score from which on two folds are the same (structure/atoms/superpose.h). */
static const double SAME_FOLD = 0.5;

#define OPTION(member) offsetof(cardo_fit_options, member)

static const cardo_field fields[] = {
    {"identity", CARDO_FIELD_DOUBLE, OPTION(identity), "", "0", 0, 1, NULL,
     "share of equal residues, among those that pair, that is enough; 0: by their number"},
    {"model", CARDO_FIELD_INT, OPTION(model), "", "0", 0, 1e9, NULL,
     "model or frame of a file with several; 0: all, one after the other"},
    {"chains", CARDO_FIELD_STRING, OPTION(chains), "", "", 0, 0, NULL,
     "of the structures, with commas between; none: all"},
    {"atoms", CARDO_FIELD_TEXT, OPTION(atoms), "", "", 0, 0, NULL,
     "of the model, such as A:1-238@CA; none: all where the structure has just the model's"},
    {"keep", CARDO_FIELD_BOOL, OPTION(keep), "", "yes", 0, 0, NULL,
     "frames stay in the result; else they are told one by one"},
    {0},
};

enum { BEFORE_COORDINATES = 2 };

typedef struct fitting {
    const cardo_fit_options *options;
    const cardo_listener *listener;
    const cardo_model *model;
    cardo_fit_structures *structures;
    cardo_system *system;
    cardo_state *state;
    double *start, *x, *row; /* (nq), (natom x 3), (BEFORE_COORDINATES + nq) */
    int nframe;
    bool constrained;
    cardo_result *frames; /* a list, where they are kept */
    cardo_series *table, *trajectory;
} fitting;

/* A frame and how it was fitted. */
typedef struct frame {
    const char *file;
    const cardo_structure *structure;
    cardo_fit_atoms atoms;
    cardo_station_fit fit;
} frame;

/* How a body hangs on its parent. */
typedef struct hanging {
    const cardo_mobilizer *mobilizer;
    int parent;
} hanging;

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

/* What is fitted lies anywhere, which is not for a molecule that constraints hold to ground. */
static cardo_status check_constraints(const fitting *f, cardo_error *error)
{
    cardo_constraint_info info;
    int roots = 0;
    for (int b = 0; b < f->model->nbody; ++b)
        roots += f->model->body[b].parent < 0;
    for (int i = 0; roots == 1 && cardo_system_constraint(f->system, i, &info, NULL) == CARDO_OK;
         ++i)
        if (info.ancestor == 0 && info.nposition > 0 && cardo_state_has_constraint(f->state, i))
            return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                              "constraint %d%s%s (%s) holds the molecule to ground, where a fit "
                              "lets it lie anywhere: write on=\"no\"",
                              i, info.name ? " " : "", info.name ? info.name : "",
                              cardo_constraint_name(info.constraint));
    return CARDO_OK;
}

/* The model as a system of its own, with a base that is free; the session's stays. */
static cardo_status compile(fitting *f, cardo_model *model, cardo_error *error)
{
    hanging *before;
    cardo_status status = CARDO_ALLOCATE(&before, model->nbody, error);
    if (status != CARDO_OK)
        return status;
    for (int b = 0; b < model->nbody; ++b)
        before[b] = (hanging){model->body[b].mobilizer, model->body[b].parent};
    free_base(model);
    CARDO_TRY(cardo_model_compile(model, NULL, &f->system, error));
    CARDO_TRY(cardo_state_create(f->system, &f->state, error));
    CARDO_TRY(CARDO_ALLOCATE(&f->start, cardo_system_nq(f->system) + 1, error));
    cardo_model_initial_q(model, f->system, f->start);
    cardo_constraint_counts counts;
    cardo_system_constraint_counts(f->system, &counts);
    f->constrained = counts.nposition > 0;
    status = check_constraints(f, error);
done:
    for (int b = 0; b < model->nbody; ++b) {
        model->body[b].mobilizer = before[b].mobilizer;
        model->body[b].parent = before[b].parent;
    }
    cardo_free(before);
    return status;
}

static cardo_status open_files(fitting *f, cardo_error *error)
{
    cardo_status status;
    const int nq = cardo_system_nq(f->system), ncolumn = BEFORE_COORDINATES + nq;
    const cardo_trajectory_head head = {.format = -1,
                                        .natom = cardo_system_nstation(f->system),
                                        .structure = f->model->structure[0].structure,
                                        .title = f->model->name,
                                        .timestep = 1,
                                        .interval = 1};
    cardo_column *columns;
    CARDO_TRY(CARDO_ALLOCATE(&columns, ncolumn, error));
    columns[0] = cardo_column_of("frame", "", 0);
    columns[1] = cardo_column_of("rmsd", "A", 8);
    for (int k = 0; k < nq; ++k) {
        char coordinate[96], name[64];
        cardo_coordinate_name(f->system, k, coordinate);
        snprintf(name, sizeof name, "q %.60s", coordinate);
        columns[BEFORE_COORDINATES + k] = cardo_column_of(name, "", 17);
    }
    status = cardo_writer_table(f->options->writer, "fit.csv",
                                &(cardo_table_head){.ncolumn = ncolumn, .columns = columns}, -1,
                                &f->table, error);
    cardo_free(columns);
    CARDO_TRY(status);
    status = cardo_writer_trajectory(f->options->writer, "fit", &head, -1, &f->trajectory, error);
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
                                tm = {"tm_score", .style = ".2f"},
                                violation = {"constraint_violation",
                                             "largest error of the constraints", .style = ".1e"};
    const cardo_fit_atoms *atoms = &one->atoms;
    char verdict[512];
    cardo_result *frame_of = cardo_result_group(frames, NULL);
    cardo_result_text(frame_of, &(cardo_quantity){"file"}, one->file);
    cardo_result_integer(frame_of, &(cardo_quantity){"model"}, one->structure->model);
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
    if (f->constrained)
        cardo_result_number(frame_of, &violation, one->fit.violation);
    add_coordinates(f, frame_of);
    add_domains(f, one, frame_of);
}

/* A frame in the result, or to the listener alone, so that nothing is kept of a long trajectory. */
static cardo_status hand_over(const fitting *f, const frame *one, cardo_error *error)
{
    cardo_result *root = NULL;
    cardo_status status = f->options->keep ? CARDO_OK : cardo_result_create(&root, error);
    if (status != CARDO_OK)
        return status;
    cardo_result *list = root ? cardo_result_list(root, "frames") : f->frames;
    add_frame(f, one, list);
    status = cardo_result_status(list, error);
    if (status == CARDO_OK && f->listener->part)
        f->listener->part(f->listener->user, cardo_result_part(list, cardo_result_count(list) - 1));
    cardo_result_destroy(root);
    return status;
}

static cardo_status record(fitting *f, const frame *one, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    const int nq = cardo_system_nq(f->system);
    ++f->nframe;
    CARDO_TRY(hand_over(f, one, error));
    f->row[0] = f->nframe;
    f->row[1] = angstroms * one->fit.rmsd;
    memcpy(f->row + BEFORE_COORDINATES, cardo_state_q(f->state), (size_t)nq * sizeof *f->row);
    CARDO_TRY(cardo_writer_add(f->options->writer, f->table, f->row, error));
    status =
        cardo_writer_add_frame(f->options->writer, f->trajectory, f->nframe, f->x, NULL, error);
done:
    return status;
}

static cardo_status fit_structure(fitting *f, const char *file, const cardo_structure *structure,
                                  cardo_error *error)
{
    cardo_status status;
    const double identity = f->options->identity;
    frame one = {.file = file, .structure = structure};
    CARDO_TRY(cardo_fit_atoms_find(f->model, structure,
                                   f->options->atoms[0] ? f->options->atoms : NULL,
                                   identity > 0 ? identity : -1, &one.atoms, error));
    CARDO_TRY(find_coordinates(f, &one, error));
    status = record(f, &one, error);
done:
    cardo_fit_atoms_clear(&one.atoms);
    return status;
}

static cardo_status fit_all(fitting *f, cardo_error *error)
{
    for (;;) {
        const cardo_structure *structure = NULL;
        const char *file = "";
        cardo_status status = cardo_fit_structures_next(f->structures, &file, &structure, error);
        if (status == CARDO_OK && structure)
            status = fit_structure(f, file, structure, error);
        if (status != CARDO_OK || !structure)
            return status;
    }
}

static cardo_status open_structures(fitting *f, cardo_error *error)
{
    const cardo_fit_options *options = f->options;
    return cardo_fit_structures_open(
        &(cardo_fit_structures_choice){.inputs = options->inputs,
                                       .frames = options->frames,
                                       .chains = options->chains[0] ? options->chains : NULL,
                                       .model = options->model,
                                       .atoms = f->model->structure[0].structure},
        &f->structures, error);
}

static cardo_status close_files(fitting *f, cardo_status status, cardo_error *error)
{
    cardo_series **series[] = {&f->table, &f->trajectory};
    for (int k = 0; k < 2; ++k) {
        cardo_status closed =
            cardo_writer_close(f->options->writer, series[k], status == CARDO_OK ? error : NULL);
        status = status == CARDO_OK ? closed : status;
    }
    return status;
}

static cardo_status run(cardo_session *session, const void *given, cardo_result *into,
                        cardo_error *error)
{
    fitting f = {.options = given, .listener = &session->listener, .model = session->model};
    cardo_status status;
    CARDO_TRY(open_structures(&f, error));
    CARDO_TRY(compile(&f, session->model, error));
    CARDO_TRY(CARDO_ALLOCATE(&f.row, BEFORE_COORDINATES + cardo_system_nq(f.system), error));
    CARDO_TRY(CARDO_ALLOCATE(&f.x, 3 * cardo_system_nstation(f.system), error));
    CARDO_TRY(open_files(&f, error));
    cardo_result_text(into, &(cardo_quantity){"model"}, f.model->name);
    f.frames = cardo_result_list(into, "frames");
    CARDO_TRY(fit_all(&f, error));
    cardo_writer_keep(f.options->writer, true);
done:
    status = close_files(&f, status, error);
    cardo_fit_structures_close(f.structures);
    cardo_free(f.start);
    cardo_free(f.x);
    cardo_free(f.row);
    cardo_state_destroy(f.state);
    cardo_system_destroy(f.system);
    return status;
}

const cardo_study cardo_study_fit = {
    .name = "fit",
    .doc = "the coordinates that best reproduce given atom positions",
    .needs = CARDO_STUDY_TAKES_MODEL,
    .options_size = sizeof(cardo_fit_options),
    .options = {{fields, 0}},
    .inputs = OPTION(inputs),
    .frames = OPTION(frames),
    .writer = OPTION(writer),
    .run = run,
};
