#include "structure/atoms/file_kinds.h"
#include "study/distances/options.h"

#include "base/letters.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/output.h"
#include "base/text.h"
#include "base/units.h"
#include "experiment/labels/dipolar.h"
#include "experiment/labels/dipolar_inverse.h"
#include "multibody/tree/coordinate_names.h"
#include "multibody/tree/operators.h"
#include "study/distances/labelled.h"
#include "study/fit/structures.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

static const double angstroms = 1.0 / CARDO_ANGSTROM; /* in a nm */

#define OPTION(member) offsetof(cardo_distances_options, member)
static const cardo_field fields[] = {
    {"spacing", CARDO_FIELD_DOUBLE, OPTION(spacing), "nm", "0.09", 0.02, 0.5, NULL,
     "of the grid on which a label's room is found"},
    {"points", CARDO_FIELD_INT, OPTION(points), "", "2000", 50, 100000, NULL,
     "places of a label that averages are taken over"},
    {"bin", CARDO_FIELD_DOUBLE, OPTION(bin), "nm", "0.05", 0.005, 1, NULL,
     "of distributions of distances"},
    {"coordinate", CARDO_FIELD_STRING, OPTION(coordinate), "", "", 0, 0, NULL,
     "BODY or BODY.K of a model; none: the first of a body that hangs on another"},
    {"from", CARDO_FIELD_DOUBLE, OPTION(from), "", "0", 0, 0, NULL,
     "first value of the coordinate"},
    {"to", CARDO_FIELD_DOUBLE, OPTION(to), "", "1", 0, 0, NULL, "last value"},
    {"places", CARDO_FIELD_INT, OPTION(places), "", "11", 1, 100000, NULL,
     "how many values of the coordinate"},
    {"depth", CARDO_FIELD_DOUBLE, OPTION(depth), "", "0.3", 0, 1, NULL,
     "modulation depth of DEER's signal"},
    {"background", CARDO_FIELD_DOUBLE, OPTION(rate), "", "0", 0, 1e3, NULL,
     "k of DEER's background exp(-(k t)^(d/3)), 1/us"},
    {"dimension", CARDO_FIELD_DOUBLE, OPTION(dimension), "", "3", 1, 3, NULL,
     "d of that background"},
    {"time", CARDO_FIELD_DOUBLE, OPTION(time), "", "4", 0.1, 100, NULL,
     "how long DEER's signal is, us"},
    {"times", CARDO_FIELD_INT, OPTION(times), "", "251", 2, 100000, NULL, "how many values it has"},
    {"signal", CARDO_FIELD_TEXT, OPTION(signal), "", "", 0, 0, NULL,
     "file of a measured DEER signal, t (us) and V, from which a distribution is found; it stands "
     "beside the first pair of DEER"},
    {"replicates", CARDO_FIELD_INT, OPTION(replicates), "", "100", 2, 10000, NULL,
     "signals with noise from which the errors of that are taken"},
    {0},
};

typedef struct measuring {
    cardo_session *session;
    const cardo_distances_options *options;
    const char *label_path, *model_path;
    const char **structure; /* structures and trajectories (inputs.count) */
    int nstructure, ntrajectory;
    char (*found)[CARDO_FIELD_STRING_SIZE]; /* names of trajectories (inputs.count) */
    const char *atoms_path; /* what the atoms of trajectories are; NULL: the model's */
    char *beside;           /* its name, where it stands beside a trajectory         */
    cardo_label_table table;
    cardo_result *into, *rows;
    int nbin, conformations;
    double *histogram;                   /* of one conformation (nbin) */
    double *sum;                         /* of all (npair x nbin)      */
    double *efficiency, *mean, *counted; /* sums over conformations (npair) */
    bool interrupted;
} measuring;

/* Without a model the first structure says what a trajectory's atoms are, and is none of the conformations; or it is the topology that runs leave beside
 * their trajectory. */
static cardo_status name_atoms(measuring *m, cardo_error *error)
{
    int first = 0;
    if (m->model_path || m->ntrajectory == 0)
        return CARDO_OK;
    if (m->nstructure == m->ntrajectory) {
        const cardo_status status =
            cardo_path_beside(m->structure[0], "topology.pdb", &m->beside, error);
        if (status == CARDO_OK && !cardo_file_exists(m->beside))
            return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                              "%s is a trajectory, which does not say what its atoms are: name the "
                              "structure that does, or the model",
                              m->structure[0]);
        m->atoms_path = m->beside;
        return status;
    }
    while (m->options->frames->detect(m->structure[first]))
        ++first;
    m->atoms_path = m->structure[first];
    memmove((void *)(m->structure + first), (const void *)(m->structure + first + 1),
            (size_t)(m->nstructure - first - 1) * sizeof *m->structure);
    --m->nstructure;
    return CARDO_OK;
}

static cardo_status sort_inputs(measuring *m, cardo_error *error)
{
    const cardo_study_inputs *inputs = &m->options->inputs;
    for (int k = 0; k < inputs->count; ++k) {
        const char *path = inputs->path[k];
        const bool structure = cardo_file_is_structure(path);
        const bool trajectory =
            !structure &&
            cardo_file_find_frames(m->options->frames, path, m->found[k], sizeof m->found[k]);
        if (structure || trajectory) {
            m->structure[m->nstructure++] = trajectory ? m->found[k] : path;
            m->ntrajectory += trajectory;
            continue;
        }
        const bool model = cardo_file_ends_with(path, ".xml");
        const char **place = model ? &m->model_path : &m->label_path;
        if (*place)
            return CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s and %s are both %s: one at a time",
                              *place, path, model ? "models" : "tables of labels");
        *place = path;
    }
    if (!m->label_path)
        return CARDO_FAIL(
            error, CARDO_ERROR_INPUT,
            "no table of labels was named: a text of labels and pairs, or FPS's JSON");
    if (m->nstructure == 0 && !m->model_path)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "no structure (.pdb, .cif), model (.xml) or trajectory was named for %s",
                          m->label_path);
    if (m->model_path && m->nstructure > m->ntrajectory)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "%s is a model: it goes with trajectories of its atoms, or alone, and "
                          "structures without it",
                          m->model_path);
    return name_atoms(m, error);
}

static void fill_pair(measuring *m, const char *name, int k, const cardo_label_distance *d)
{
    static const cardo_quantity conformation = {"conformation", NULL, NULL, "-20s", "conformation"},
                                pair = {"pair", NULL, NULL, "-10s", "pair"},
                                between = {"between_means_A", "R_mp", "A", "7.2f",
                                           "R_mp (A)",        ".6g"},
                                mean = {"mean_A", "<R>", "A", "7.2f", "<R> (A)", ".6g"},
                                spread = {"spread_A", "spread", "A", "6.2f", "spread (A)", ".6g"},
                                efficiency = {"efficiency", "<E>", "", "6.4f", "<E>", ".6g"},
                                fast = {"efficiency_fast", "E fast", "", "6.4f", "E fast", ".6g"},
                                apparent = {"apparent_A", "<R>_E", "A", "7.2f", "<R>_E (A)", ".6g"},
                                measured = {"measured", "measured", "", "8.4g", "measured", ".6g"},
                                deviation = {"deviation_sigma", "off by (sigma)", "",
                                             "+14.2f",          "off by (sigma)", ".6g"};
    const cardo_label_pair *p = &m->table.pair[k];
    const bool fret = p->kind == CARDO_PAIR_FRET;
    cardo_result_row(m->rows);
    cardo_result_text(m->rows, &conformation, name);
    cardo_result_text(m->rows, &pair, p->name);
    if (!d)
        return;
    cardo_result_number(m->rows, &between, angstroms * d->between_means);
    cardo_result_number(m->rows, &mean, angstroms * d->mean);
    cardo_result_number(m->rows, &spread, angstroms * d->spread);
    if (fret) {
        cardo_result_number(m->rows, &efficiency, d->efficiency);
        cardo_result_number(m->rows, &fast, d->efficiency_fast);
        cardo_result_number(m->rows, &apparent, angstroms * d->apparent);
    }
    if (p->measured) {
        cardo_result_number(m->rows, &measured, fret ? p->value : angstroms * p->value);
        cardo_result_number(m->rows, &deviation,
                            ((fret ? d->efficiency : d->mean) - p->value) / p->sigma);
    }
}

/* One conformation: positions of all atoms of the labelled structure. */
static cardo_status visit(measuring *m, cardo_labelled *labelled, const char *name,
                          const double *positions, cardo_error *error)
{
    const cardo_listener *listener = &m->session->listener;
    cardo_status status = cardo_labelled_place(labelled, positions, error);
    for (int k = 0; k < m->table.npair && status == CARDO_OK; ++k) {
        const cardo_label_pair *p = &m->table.pair[k];
        const cardo_label_places one = cardo_labelled_places(labelled, p->label[0]),
                                 other = cardo_labelled_places(labelled, p->label[1]);
        cardo_label_distance d;
        if (one.n == 0 || other.n == 0) { /* another body leaves a label no room */
            cardo_tell(listener, CARDO_SAID_WARNING, name, "label %s has no room here",
                       m->table.label[p->label[one.n > 0]].name);
            fill_pair(m, name, k, NULL);
            continue;
        }
        cardo_label_distance_find(&one, &other, p->kind == CARDO_PAIR_FRET ? p->R0 : 0,
                                  m->options->bin, m->nbin, m->histogram, &d);
        for (int b = 0; b < m->nbin; ++b)
            m->sum[k * m->nbin + b] += m->histogram[b];
        m->efficiency[k] += d.efficiency;
        m->mean[k] += d.mean;
        ++m->counted[k];
        fill_pair(m, name, k, &d);
    }
    ++m->conformations;
    if (listener->progress)
        listener->progress(listener->user, "conformation", m->conformations, 0);
    m->interrupted = listener->stop && *listener->stop;
    return status;
}

static void add_labels(measuring *m, const cardo_labelled *labelled)
{
    static const cardo_quantity name = {"label", NULL, NULL, "-8s", "label"},
                                residue = {"residue", NULL, NULL, "-8s", "residue"},
                                volume = {"volume_nm3", "volume",        "nm^3",
                                          "13.2f",      "volume (nm^3)", ".6g"},
                                places = {"places", "places", "", "6d", "places"};
    if (cardo_result_find(m->into, "labels"))
        return;
    cardo_result *table = cardo_result_table(m->into, "labels", "label");
    for (int k = 0; k < m->table.nlabel; ++k) {
        cardo_result_row(table);
        cardo_result_text(table, &name, m->table.label[k].name);
        cardo_result_text(table, &residue, m->table.label[k].residue);
        cardo_result_number(table, &volume, labelled->cloud[k].volume);
        cardo_result_integer(table, &places, labelled->cloud[k].n);
    }
}

static cardo_status make(measuring *m, const cardo_structure *s, const int *atom_body,
                         cardo_labelled *labelled, cardo_error *error)
{
    cardo_status status = cardo_labelled_make(&m->table, s, atom_body, m->options->spacing,
                                              m->options->points, labelled, error);
    if (status == CARDO_OK)
        add_labels(m, labelled);
    return status;
}

/* Structures, and frames, each by itself; with a model its bodies carry the clouds. */
static cardo_status visit_structures(measuring *m, const cardo_structure *atoms,
                                     cardo_labelled *of_model, cardo_error *error)
{
    cardo_status status;
    cardo_fit_structures *structures = NULL;
    CARDO_TRY(cardo_fit_structures_open(
        &(cardo_fit_structures_choice){
            .inputs = {m->nstructure, m->structure}, .frames = m->options->frames, .atoms = atoms},
        &structures, error));
    while (!m->interrupted) {
        const cardo_structure *s = NULL;
        const char *file = "";
        char name[200];
        cardo_labelled own = {0};
        CARDO_TRY(cardo_fit_structures_next(structures, &file, &s, error));
        if (!s)
            break;
        const char *slash = strrchr(file, '/');
        snprintf(name, sizeof name, "%.150s", slash ? slash + 1 : file);
        if (s->nmodel > 1 || m->ntrajectory > 0)
            snprintf(name + strlen(name), 24, "#%d", s->model);
        status = of_model ? CARDO_OK : make(m, s, NULL, &own, error);
        if (status == CARDO_OK)
            status = visit(m, of_model ? of_model : &own, name, s->position, error);
        cardo_labelled_clear(&own);
        CARDO_TRY(status);
    }
done:
    cardo_fit_structures_close(structures);
    return status;
}

static cardo_status visit_plain(measuring *m, cardo_error *error)
{
    cardo_structure *atoms = NULL;
    cardo_status status = CARDO_OK;
    if (m->atoms_path)
        status = cardo_structure_read(m->atoms_path, 0, &atoms, error);
    if (status == CARDO_OK)
        status = visit_structures(m, atoms, NULL, error);
    cardo_structure_destroy(atoms);
    return status;
}

/* The first coordinate of a body that hangs on another, where none is named; -1: nothing moves. */
static cardo_status find_coordinate(const measuring *m, const cardo_model *model,
                                    const cardo_system *system, int *coordinate, cardo_error *error)
{
    const char *wanted = m->options->coordinate;
    *coordinate = -1;
    if (wanted[0])
        return cardo_find_coordinate(system, wanted, strlen(wanted), coordinate, error);
    for (int b = 0; b < model->nbody && *coordinate < 0; ++b) {
        cardo_body_info info;
        cardo_system_body(system, b + 1, &info);
        if (model->body[b].parent >= 0 && !model->body[b].piece && !model->body[b].torsion &&
            info.nq > 0)
            *coordinate = info.q_first;
    }
    return CARDO_OK;
}

static cardo_status go_along(measuring *m, const cardo_model *model, cardo_labelled *labelled,
                             cardo_error *error)
{
    cardo_status status;
    cardo_system *system = NULL;
    cardo_state *state = NULL;
    double *q = NULL, *x = NULL;
    int coordinate;
    char name[CARDO_COORDINATE_NAME + 40], of[CARDO_COORDINATE_NAME] = "";
    CARDO_TRY(cardo_model_compile(model, NULL, &system, error));
    CARDO_TRY(cardo_state_create(system, &state, error));
    CARDO_TRY(CARDO_ALLOCATE(&q, cardo_system_nq(system) + 1, error));
    CARDO_TRY(CARDO_ALLOCATE(&x, 3 * (size_t)cardo_system_nstation(system), error));
    cardo_model_initial_q(model, system, q);
    CARDO_TRY(find_coordinate(m, model, system, &coordinate, error));
    if (coordinate >= 0)
        cardo_coordinate_name(system, coordinate, of);
    const int places = coordinate < 0 ? 1 : m->options->places;
    for (int k = 0; k < places && !m->interrupted; ++k) {
        snprintf(name, sizeof name, "the model's start");
        if (coordinate >= 0) {
            const cardo_distances_options *o = m->options;
            q[coordinate] = places > 1 ? o->from + (o->to - o->from) * k / (places - 1) : o->from;
            cardo_format(name, sizeof name, "%.60s = %.4g", of, q[coordinate]);
        }
        cardo_state_set_q(state, q);
        CARDO_TRY(cardo_realize(system, state, CARDO_STAGE_POSITION, error));
        CARDO_TRY(cardo_station_positions(system, state, x, error));
        CARDO_TRY(visit(m, labelled, name, x, error));
    }
done:
    cardo_free(q);
    cardo_free(x);
    cardo_state_destroy(state);
    cardo_system_destroy(system);
    return status;
}

static cardo_status visit_model(measuring *m, cardo_error *error)
{
    const cardo_session_options options = {.size = sizeof options, .model_alone = true};
    cardo_session *opened = NULL;
    cardo_labelled labelled = {0};
    cardo_status status;
    CARDO_TRY(cardo_session_open(m->model_path, &options, &m->session->listener, &opened, error));
    const cardo_model *model = opened->model;
    const cardo_structure *reference = model->structure[0].structure;
    CARDO_TRY(make(m, reference, model->atom_body, &labelled, error));
    CARDO_TRY(m->ntrajectory > 0 ? visit_structures(m, reference, &labelled, error)
                                 : go_along(m, model, &labelled, error));
done:
    cardo_labelled_clear(&labelled);
    cardo_session_close(opened);
    return status;
}

/* What all conformations together give. */
static void fill_pairs(measuring *m)
{
    static const cardo_quantity pair = {"pair", "pair", .style = "-12s"},
                                kind = {"kind", "kind", .style = "-4s"},
                                mean = {"mean_A", "<R>", "A", "7.2f"},
                                efficiency = {"efficiency", "<E>", "", "6.4f"},
                                apparent = {"apparent_A", "<R>_E", "A", "7.2f"},
                                measured = {"measured", "measured", "", ".4g"},
                                from = {"measured_apparent_A", "measured R_E", "A", "7.2f"},
                                deviation = {"deviation_sigma", "off by (sigma)", "", "+.2f"};
    cardo_result *table = cardo_result_table(m->into, "pairs", "pair");
    for (int k = 0; k < m->table.npair; ++k) {
        const cardo_label_pair *p = &m->table.pair[k];
        const bool fret = p->kind == CARDO_PAIR_FRET;
        cardo_result_row(table);
        cardo_result_text(table, &pair, p->name);
        cardo_result_text(table, &kind, fret ? "FRET" : "DEER");
        if (m->counted[k] == 0)
            continue;
        const double E = m->efficiency[k] / m->counted[k], R = m->mean[k] / m->counted[k];
        cardo_result_number(table, &mean, angstroms * R);
        if (fret) {
            cardo_result_number(table, &efficiency, E);
            cardo_result_number(table, &apparent, angstroms * cardo_transfer_distance(E, p->R0));
        }
        if (!p->measured)
            continue;
        cardo_result_number(table, &measured, fret ? p->value : angstroms * p->value);
        if (fret)
            cardo_result_number(table, &from, angstroms * cardo_transfer_distance(p->value, p->R0));
        cardo_result_number(table, &deviation, ((fret ? E : R) - p->value) / p->sigma);
    }
}

static void fill_distributions(measuring *m)
{
    static const cardo_quantity distance = {"distance_A", "r", "A", .stored = ".6g"};
    char name[CARDO_LABEL_NAME + 16];
    cardo_result *table = cardo_result_table(m->into, "distributions", "bin");
    cardo_result_file(table, "distributions.csv", true);
    int last = 0;
    for (int b = 0; b < m->nbin; ++b)
        for (int k = 0; k < m->table.npair; ++k)
            if (m->sum[k * m->nbin + b] > 0)
                last = b;
    for (int b = 0; b <= last; ++b) {
        cardo_result_row(table);
        cardo_result_number(table, &distance, angstroms * m->options->bin * (b + 0.5));
        for (int k = 0; k < m->table.npair; ++k) {
            snprintf(name, sizeof name, "%s_per_A", m->table.pair[k].name);
            cardo_result_number(table, &(cardo_quantity){name, name, "1/A", .stored = ".6g"},
                                m->counted[k] > 0 ? m->sum[k * m->nbin + b] / m->counted[k] /
                                                        (angstroms * m->options->bin)
                                                  : 0);
        }
    }
}

static cardo_status fill_signals(measuring *m, cardo_error *error)
{
    static const cardo_quantity time = {"time_us", "t", "us", .stored = ".6g"};
    const cardo_distances_options *o = m->options;
    double *distance, *share;
    bool any = false;
    for (int k = 0; k < m->table.npair; ++k)
        any |= m->table.pair[k].kind == CARDO_PAIR_DEER && m->counted[k] > 0;
    if (!any)
        return CARDO_OK;
    cardo_status status = CARDO_ALLOCATE(&distance, 2 * m->nbin, error);
    if (status != CARDO_OK)
        return status;
    share = distance + m->nbin;
    for (int b = 0; b < m->nbin; ++b)
        distance[b] = o->bin * (b + 0.5);
    cardo_result *table = cardo_result_table(m->into, "signals", "time");
    cardo_result_file(table, "signals.csv", true);
    for (int t = 0; t < o->times; ++t) {
        const double at = o->time * t / (o->times - 1);
        cardo_result_row(table);
        cardo_result_number(table, &time, at);
        for (int k = 0; k < m->table.npair; ++k) {
            if (m->table.pair[k].kind != CARDO_PAIR_DEER || m->counted[k] == 0)
                continue;
            for (int b = 0; b < m->nbin; ++b)
                share[b] = m->sum[k * m->nbin + b] / m->counted[k];
            cardo_result_number(table,
                                &(cardo_quantity){m->table.pair[k].name, NULL, "", .stored = ".8g"},
                                cardo_dipolar_signal(at, m->nbin, distance, share, o->depth,
                                                     o->rate, o->dimension));
        }
    }
    cardo_free(distance);
    return CARDO_OK;
}

/* The first pair of DEER, or -1. */
static int deer_pair(const measuring *m)
{
    for (int k = 0; k < m->table.npair; ++k)
        if (m->table.pair[k].kind == CARDO_PAIR_DEER && m->counted[k] > 0)
            return k;
    return -1;
}

/* Density of a pair's distances at one, 1/nm. */
static double density_at(const measuring *m, int pair, double distance)
{
    const int b = (int)(distance / m->options->bin);
    return b < m->nbin ? m->sum[pair * m->nbin + b] / m->counted[pair] / m->options->bin : 0;
}

static void fill_inverse(measuring *m, const cardo_dipolar_inverse *f)
{
    static const cardo_quantity depth = {"depth", "modulation depth", "", ".3f"},
                                rate = {"background_per_us", "background", "1/us", ".3f"},
                                noise = {"noise", "noise", "", ".4f"},
                                alpha = {"alpha", NULL, "", ".3g"},
                                mean = {"mean_A", "mean distance", "A", ".2f"},
                                mean_sigma = {"mean_sigma_A", NULL, "A", ".2f"},
                                width = {"width_A", "width", "A", ".2f"},
                                width_sigma = {"width_sigma_A", NULL, "A", ".2f"},
                                reach = {"reach_A", NULL, "A", ".0f"},
                                overlap = {"overlap", "overlap with the pair's distribution", "",
                                           ".2f"},
                                r = {"distance_A", "r", "A", .stored = ".6g"},
                                P = {"density_per_A", "P", "1/A", .stored = ".6g"},
                                sigma = {"density_sigma_per_A", "sigma of P", "1/A",
                                         .stored = ".4g"},
                                model = {"model_per_A", "P of the model", "1/A", .stored = ".6g"};
    char text[400];
    double shared = 0;
    const int pair = deer_pair(m);
    cardo_result *group = cardo_result_group(m->into, "from_signal");
    cardo_result_text(group, &(cardo_quantity){"file"}, m->options->signal);
    cardo_result_number(group, &depth, f->depth);
    cardo_result_number(group, &rate, f->rate);
    cardo_result_number(group, &noise, f->noise);
    cardo_result_number(group, &alpha, f->alpha);
    cardo_result_number(group, &mean, angstroms * f->mean);
    cardo_result_number(group, &mean_sigma, angstroms * f->mean_sigma);
    cardo_result_number(group, &width, angstroms * f->width);
    cardo_result_number(group, &width_sigma, angstroms * f->width_sigma);
    cardo_result_number(group, &reach, angstroms * f->reach);
    cardo_result *table = cardo_result_table(m->into, "inverse", "distance");
    cardo_result_file(table, "inverse.csv", true);
    for (int j = 0; j < f->n; ++j) {
        cardo_result_row(table);
        cardo_result_number(table, &r, angstroms * f->distance[j]);
        cardo_result_number(table, &P, f->density[j] / angstroms);
        cardo_result_number(table, &sigma, f->sigma[j] / angstroms);
        if (pair < 0)
            continue;
        const double of_model = density_at(m, pair, f->distance[j]);
        cardo_result_number(table, &model, of_model / angstroms);
        shared += f->step * fmin(of_model, f->density[j]);
    }
    if (pair >= 0) {
        cardo_result_text(group, &(cardo_quantity){"pair"}, m->table.pair[pair].name);
        cardo_result_number(group, &overlap, shared);
    }
    const bool beyond = f->mean + f->mean_sigma > f->reach, noisy = f->noise > 0.3 * f->depth;
    int used =
        cardo_format(text, sizeof text, "the noise is %.2g of the modulation", f->noise / f->depth);
    if (noisy)
        snprintf(text + used, sizeof text - (size_t)used,
                 ": the signal CANNOT tell a distribution");
    else
        cardo_format(text + used, sizeof text - (size_t)used,
                     beyond ? "; the mean is beyond the %.0f A that a signal of this length can "
                              "tell: measure for longer"
                            : "; mean distances up to %.0f A can be told from a signal of this "
                              "length",
                     angstroms * f->reach);
    cardo_result_remark(group, "verdict",
                        noisy || beyond ? CARDO_RESULT_WARNING : CARDO_RESULT_VERDICT, text, NULL);
}

static cardo_status invert_signal(measuring *m, cardo_error *error)
{
    cardo_dipolar_trace trace = {0};
    cardo_dipolar_inverse found = {0};
    cardo_status status;
    if (!m->options->signal[0])
        return CARDO_OK;
    CARDO_TRY(cardo_dipolar_trace_read(m->options->signal, &trace, error));
    status =
        cardo_dipolar_invert(&trace, m->options->dimension, m->options->replicates, &found, error);
    if (status != CARDO_OK)
        cardo_error_prefix(error, "%s: ", m->options->signal);
    else
        fill_inverse(m, &found);
done:
    cardo_dipolar_trace_clear(&trace);
    cardo_dipolar_inverse_clear(&found);
    return status;
}

static cardo_status prepare(measuring *m, cardo_error *error)
{
    cardo_status status;
    double reach = 0;
    CARDO_TRY(cardo_allocate((void **)&m->structure, (size_t)m->options->inputs.count + 1,
                             sizeof *m->structure, error));
    CARDO_TRY(CARDO_ALLOCATE(&m->found, m->options->inputs.count, error));
    CARDO_TRY(sort_inputs(m, error));
    CARDO_TRY(cardo_label_table_read(m->label_path, &m->table, error));
    for (int k = 0; k < m->table.nlabel; ++k)
        reach = fmax(reach, m->table.label[k].shape.length);
    /* Whole molecules fit into 30 nm. */
    m->nbin = (int)((30 + 2 * reach) / m->options->bin);
    const size_t npair = (size_t)m->table.npair;
    CARDO_TRY(CARDO_ALLOCATE(&m->histogram, m->nbin, error));
    CARDO_TRY(CARDO_ALLOCATE(&m->sum, npair * (size_t)m->nbin, error));
    CARDO_TRY(CARDO_ALLOCATE(&m->efficiency, 3 * npair, error));
    m->mean = m->efficiency + npair;
    m->counted = m->mean + npair;
    m->rows = cardo_result_table(m->into, "distances", "distance");
    cardo_result_file(m->rows, "distances.csv", false);
done:
    return status;
}

static cardo_status run(cardo_session *session, const void *given, cardo_result *into,
                        cardo_error *error)
{
    measuring m = {.session = session, .options = given, .into = into};
    cardo_status status;
    CARDO_TRY(prepare(&m, error));
    CARDO_TRY(m.model_path ? visit_model(&m, error) : visit_plain(&m, error));
    cardo_result_integer(into, &(cardo_quantity){"conformations"}, m.conformations);
    cardo_result_truth(into, &(cardo_quantity){"interrupted"}, m.interrupted);
    fill_pairs(&m);
    fill_distributions(&m);
    CARDO_TRY(fill_signals(&m, error));
    CARDO_TRY(invert_signal(&m, error));
    CARDO_TRY(cardo_result_status(into, error));
    CARDO_TRY(cardo_writer_begin(m.options->writer, NULL, error));
    CARDO_TRY(cardo_writer_result(m.options->writer, into, NULL, error));
    cardo_writer_keep(m.options->writer, true);
done:
    cardo_label_table_clear(&m.table);
    cardo_free((void *)m.structure);
    cardo_free(m.found);
    cardo_free(m.beside);
    cardo_free(m.histogram);
    cardo_free(m.sum);
    cardo_free(m.efficiency);
    return status;
}

static const cardo_option_group groups[] = {
    {"<distances> options", fields},
    {NULL, NULL},
};

const cardo_study cardo_study_distances = {
    .name = "distances",
    .doc = "distances between labelled residues, as FRET and DEER see them",
    .needs = CARDO_STUDY_TAKES_FILES,
    .options_size = sizeof(cardo_distances_options),
    .groups = groups,
    .options = {{fields, 0}},
    .inputs = OPTION(inputs),
    .frames = OPTION(frames),
    .writer = OPTION(writer),
    .run = run,
};
