#include "study/conformations/options.h"

#include "analysis/free_energy/statistics.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/units.h"
#include "multibody/tree/operators.h"
#include "study/conformations/pivots.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>

static const double angstroms = 1 / CARDO_ANGSTROM; /* in a nm */

/* Moves that may make clashes at the start no fewer before these are left out, and those of the chain before its first conformation, in steps between two. */
enum { SETTLING = 20000, BEFORE = 20, MOVES_A_RESIDUE = 20, LEAST_MOVES = 100 };

#define FORMAT(name, ending) #name,
static const char *const formats[] = {CARDO_TRAJECTORY_FORMATS(FORMAT) NULL};
#undef FORMAT

#define OPTION(member) offsetof(cardo_conformations_options, member)
static const cardo_field fields[] = {
    {"count", CARDO_FIELD_INT, OPTION(count), "", "2000", 1, 1e8, NULL,
     "conformations that are kept"},
    {"moves", CARDO_FIELD_LONG, OPTION(moves), "", "0", 0, 1e12, NULL,
     "moves between two of them; 0: 20 for each residue that turns, and 100 at least"},
    {"seed", CARDO_FIELD_LONG, OPTION(seed), "", "1", 0, 1e15, NULL,
     "of the random numbers: another makes another ensemble"},
    {"scale", CARDO_FIELD_DOUBLE, OPTION(scale), "", "1", 0.1, 2, NULL,
     "of the distances below which heavy atoms clash (3.0 A between carbons, 2.6 between "
     "nitrogen and oxygen)"},
    {"trajectory", CARDO_FIELD_CHOICE, OPTION(format), "", "netcdf", 0, 0, formats,
     "format of the conformations"},
    {0},
};

typedef struct drawing {
    cardo_session *session;
    const cardo_conformations_options *options;
    const cardo_model *model;
    cardo_pivots pivots;
    long long moves;
    int clashes;                                             /* at the start */
    int nexcepted, excepted[CARDO_SPHERES_MOST_EXCEPTED][2]; /* pairs that no torsion parts */
    double *x;                                               /* (natom x 3) */
    double *mass;                                            /* (natom) */
    double *gyration;                                        /* of each conformation, nm (count) */
    int count;                                               /* so far */
    bool interrupted;
    cardo_series *trajectory;
} drawing;

/* Of all atoms, by mass, nm. */
static double gyration_of(const drawing *d)
{
    const int n = cardo_system_nstation(d->pivots.system);
    double mass = 0, square = 0;
    cardo_vec3 centre = v3(0, 0, 0);
    for (int i = 0; i < n; ++i) {
        mass += d->mass[i];
        centre = v3_add_scaled(centre, d->mass[i], v3_load(d->x + 3 * (size_t)i));
    }
    centre = v3_scale(1 / mass, centre);
    for (int i = 0; i < n; ++i) {
        const cardo_vec3 off = v3_sub(v3_load(d->x + 3 * (size_t)i), centre);
        square += d->mass[i] * v3_dot(off, off);
    }
    return sqrt(square / mass);
}

/* Bodies' origins are their centres of mass. */
static void add_row(const drawing *d, cardo_result *table)
{
    static const cardo_quantity number = {"conformation", "conformation"},
                                gyration = {"gyration_A", "Rg", "A", .stored = ".6g"};
    const cardo_transform *X = cardo_state_X_GB(d->pivots.state);
    char name[160];
    cardo_result_row(table);
    cardo_result_integer(table, &number, d->count + 1);
    cardo_result_number(table, &gyration, angstroms * d->gyration[d->count]);
    for (int b = 0, root = -1; b < d->model->nbody; ++b) {
        const cardo_model_body *body = &d->model->body[b];
        if (body->piece)
            continue;
        if (root < 0) {
            root = b;
            continue;
        }
        snprintf(name, sizeof name, "%.64s_from_%.64s_A", body->name, d->model->body[root].name);
        cardo_result_number(table, &(cardo_quantity){name, NULL, "A", .stored = ".6g"},
                            angstroms * v3_norm(v3_sub(X[b + 1].p, X[root + 1].p)));
    }
}

static cardo_status keep(drawing *d, cardo_result *table, cardo_error *error)
{
    cardo_status status;
    CARDO_TRY(cardo_station_positions(d->pivots.system, d->pivots.state, d->x, error));
    d->gyration[d->count] = gyration_of(d);
    add_row(d, table);
    CARDO_TRY(
        cardo_writer_add_frame(d->options->writer, d->trajectory, d->count + 1, d->x, NULL, error));
    ++d->count;
done:
    return status;
}

static cardo_status open_files(drawing *d, cardo_error *error)
{
    const cardo_structure *structure = d->model->structure[0].structure;
    const cardo_trajectory_head head = {.format = d->options->format,
                                        .natom = structure->natom,
                                        .structure = structure,
                                        .title = d->model->name,
                                        .timestep = 1,
                                        .interval = 1};
    cardo_status status;
    CARDO_TRY(cardo_writer_begin(d->options->writer, NULL, error));
    CARDO_TRY(cardo_writer_structure(d->options->writer, "topology", structure, structure->position,
                                     error));
    status =
        cardo_writer_trajectory(d->options->writer, "trajectory", &head, -1, &d->trajectory, error);
done:
    return status;
}

static void tell_excepted(const drawing *d)
{
    char one[40], other[40];
    const cardo_structure *s = d->model->structure[0].structure;
    for (int k = 0; k < d->nexcepted; ++k) {
        const int i = d->excepted[k][0], j = d->excepted[k][1];
        cardo_tell(&d->session->listener, CARDO_SAID_REMARK, "conformations",
                   "%s %s and %s %s overlap at the start, and no torsion parts them: this pair is "
                   "left out",
                   cardo_residue_label(s, s->atom_residue[i], one), s->atom_name[i].text,
                   cardo_residue_label(s, s->atom_residue[j], other), s->atom_name[j].text);
    }
}

static cardo_status prepare(drawing *d, cardo_error *error)
{
    cardo_status status;
    const cardo_structure *s = d->model->structure[0].structure;
    CARDO_TRY(cardo_pivots_open(d->model, d->options->scale, (uint64_t)d->options->seed, &d->pivots,
                                error));
    d->moves =
        d->options->moves > 0 ? d->options->moves : MOVES_A_RESIDUE * (long long)d->pivots.nresidue;
    if (d->options->moves == 0 && d->moves < LEAST_MOVES)
        d->moves = LEAST_MOVES;
    CARDO_TRY(CARDO_ALLOCATE(&d->x, 3 * (size_t)s->natom, error));
    CARDO_TRY(CARDO_ALLOCATE(&d->mass, s->natom, error));
    CARDO_TRY(CARDO_ALLOCATE(&d->gyration, d->options->count, error));
    for (int i = 0; i < s->natom; ++i)
        d->mass[i] = cardo_element_mass(s->element[i]);
    CARDO_TRY(
        cardo_pivots_settle(&d->pivots, SETTLING, &d->clashes, d->excepted, &d->nexcepted, error));
    tell_excepted(d);
done:
    return status;
}

static cardo_status draw(drawing *d, cardo_result *into, cardo_error *error)
{
    const cardo_listener *listener = &d->session->listener;
    cardo_result *table = cardo_result_table(into, "conformations", "conformation");
    cardo_status status;
    cardo_result_file(table, "conformations.csv", true);
    CARDO_TRY(cardo_pivots_move(&d->pivots, BEFORE * d->moves, error));
    d->pivots.moves = d->pivots.taken = 0;
    while (d->count < d->options->count && !d->interrupted) {
        CARDO_TRY(cardo_pivots_move(&d->pivots, d->moves, error));
        CARDO_TRY(keep(d, table, error));
        if (listener->progress)
            listener->progress(listener->user, "conformation", d->count, d->options->count);
        d->interrupted = d->count < d->options->count && listener->stop && *listener->stop;
    }
done:
    return status;
}

static cardo_status fill(const drawing *d, cardo_result *into, cardo_error *error)
{
    static const cardo_quantity mean = {"gyration_mean_A", "mean Rg", "A", ".2f"},
                                sigma = {"gyration_mean_sigma_A", NULL, "A", ".2g"},
                                spread = {"gyration_spread_A", "standard deviation of Rg", "A",
                                          ".2f"},
                                least = {"gyration_least_A", NULL, "A", ".2f"},
                                most = {"gyration_most_A", NULL, "A", ".2f"},
                                acceptance = {"acceptance", "moves taken", "", ".0p"},
                                independent = {"independent", "independent conformations", "",
                                               ".0f", .meaning = "of so many, by Rg"};
    cardo_series_mean series;
    double low = HUGE_VAL, high = 0, squares = 0;
    char text[300];
    if (d->count == 0)
        return CARDO_OK;
    cardo_status status = cardo_series_statistics(d->count, d->gyration, &series, error);
    if (status != CARDO_OK)
        return status;
    for (int k = 0; k < d->count; ++k) {
        low = fmin(low, d->gyration[k]);
        high = fmax(high, d->gyration[k]);
        squares += pow(d->gyration[k] - series.mean, 2);
    }
    const double effective = fmin(series.effective, d->count);
    cardo_result_text(into, &(cardo_quantity){"model"}, d->model->name);
    cardo_result_integer(into, &(cardo_quantity){"count"}, d->count);
    cardo_result_integer(into, &(cardo_quantity){"residues"}, d->pivots.nresidue);
    cardo_result_integer(into, &(cardo_quantity){"torsions"}, d->pivots.first[d->pivots.nresidue]);
    cardo_result_integer(into, &(cardo_quantity){"moves"}, d->moves);
    cardo_result_integer(into, &(cardo_quantity){"clashes_at_start"}, d->clashes);
    cardo_result_integer(into, &(cardo_quantity){"pairs_left_out"}, d->nexcepted);
    cardo_result_number(into, &acceptance, (double)d->pivots.taken / (double)d->pivots.moves);
    cardo_result_number(into, &mean, angstroms * series.mean);
    cardo_result_number(into, &sigma, angstroms * series.sigma);
    cardo_result_number(into, &spread, angstroms * sqrt(squares / d->count));
    cardo_result_number(into, &least, angstroms * low);
    cardo_result_number(into, &most, angstroms * high);
    cardo_result_number(into, &independent, effective);
    cardo_result_truth(into, &(cardo_quantity){"interrupted"}, d->interrupted);
    const bool few = effective < 100 || effective < 0.1 * d->count;
    cardo_format(text, sizeof text,
                 few ? "the %d conformations are worth only %.0f independent ones (by Rg): take "
                       "more moves between them (conformations.moves)"
                     : "%d conformations without a clash, worth %.0f independent ones (by Rg)",
                 d->count, effective);
    cardo_result_remark(into, "verdict", few ? CARDO_RESULT_WARNING : CARDO_RESULT_VERDICT, text,
                        NULL);
    return cardo_result_status(into, error);
}

static void tell_free(const drawing *d)
{
    for (int b = 0; b < d->model->nbody; ++b) {
        const cardo_model_body *body = &d->model->body[b];
        if (body->parent >= 0 && !body->torsion && body->mobilizer != &cardo_mobilizer_weld)
            cardo_tell(&d->session->listener, CARDO_SAID_WARNING, body->name,
                       "hangs on no strand that turns, and stays where it is");
    }
}

static cardo_status run(cardo_session *session, const void *given, cardo_result *into,
                        cardo_error *error)
{
    drawing d = {.session = session, .options = given, .model = session->model};
    cardo_status status;
    CARDO_TRY(prepare(&d, error));
    tell_free(&d);
    CARDO_TRY(open_files(&d, error));
    CARDO_TRY(draw(&d, into, error));
    CARDO_TRY(fill(&d, into, error));
    CARDO_TRY(cardo_writer_close(d.options->writer, &d.trajectory, error));
    CARDO_TRY(cardo_writer_result(d.options->writer, into, NULL, error));
    cardo_writer_keep(d.options->writer, true);
done:
    cardo_writer_close(d.options->writer, &d.trajectory, NULL);
    cardo_pivots_clear(&d.pivots);
    cardo_free(d.x);
    cardo_free(d.mass);
    cardo_free(d.gyration);
    return status;
}

static const cardo_option_group groups[] = {
    {"<conformations> options", fields},
    {NULL, NULL},
};

const cardo_study cardo_study_conformations = {
    .name = "conformations",
    .doc = "shapes of a model on strands that turn, drawn evenly from all without a clash",
    .needs = CARDO_STUDY_TAKES_MODEL,
    .options_size = sizeof(cardo_conformations_options),
    .groups = groups,
    .options = {{fields, 0}},
    .writer = OPTION(writer),
    .run = run,
};
