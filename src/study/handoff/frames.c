/* Frames along q: domains are moved as the model moves them, and then everything but their C-alphas is relaxed, each frame from the
 * one before. C-alphas that stand keep q exactly what it is, whoever computes it. */
#include "study/handoff/job.h"

#include "base/memory.h"
#include "base/minimize.h"
#include "base/number.h"
#include "base/vec.h"
#include "cardo/operators.h"
#include "forces/relax/strain.h"
#include "study/reference/atom_forces.h"
#include "study/session/forces.h"
#include "study/session/strain.h"

#include <math.h>
#include <string.h>

typedef struct relaxation {
    cardo_handoff *handoff;
    int natom;
    cardo_force_provider *provider;
    cardo_atom_forces forces;
    cardo_strain_search *search;
    int *apart;            /* a body of its own for each atom                 (natom) */
    bool *stands;          /* C-alphas of domains                             (natom) */
    double *positions;     /* nm                                              (natom x 3) */
    double *placed;        /* where the frame was before it was relaxed       (natom x 3) */
    double *gradient;      /*                                                 (natom x 3) */
    cardo_transform *pose; /* of the model's bodies in the frame before   (nbody)     */
    cardo_minimize_result found;
    double energy;
} relaxation;

static void clear(relaxation *r)
{
    cardo_atom_forces_clear(&r->forces);
    cardo_force_provider_destroy(r->provider);
    cardo_strain_search_destroy(r->search);
    cardo_free(r->apart);
    cardo_free(r->stands);
    cardo_free(r->positions);
    cardo_free(r->placed);
    cardo_free(r->gradient);
    cardo_free(r->pose);
}

static cardo_status open(relaxation *r, cardo_error *error)
{
    cardo_status status;
    const cardo_session *session = r->handoff->session;
    const cardo_structure *s = session->model->structure[0].structure;
    const size_t size = 3 * (size_t)s->natom;
    r->natom = s->natom;
    CARDO_TRY(cardo_session_atoms_provider(session, &r->provider, error));
    CARDO_TRY(cardo_atom_forces_open(r->provider, s->natom, &r->forces, error));
    CARDO_TRY(CARDO_ALLOCATE(&r->apart, s->natom, error));
    CARDO_TRY(CARDO_ALLOCATE(&r->stands, s->natom, error));
    CARDO_TRY(CARDO_ALLOCATE(&r->positions, size, error));
    CARDO_TRY(CARDO_ALLOCATE(&r->placed, size, error));
    CARDO_TRY(CARDO_ALLOCATE(&r->gradient, size, error));
    CARDO_TRY(CARDO_ALLOCATE(&r->pose, cardo_system_nbody(session->system), error));
    CARDO_TRY(CARDO_ALLOCATE(&r->handoff->first, size, error));
    for (int i = 0; i < s->natom; ++i)
        r->apart[i] = i;
    for (int b = 0; b < session->model->nbody; ++b)
        cardo_domain_alphas(session->model, b, r->stands);
    status = cardo_strain_search_create(session->terms, r->apart, s->element, &r->search, error);
done:
    return status;
}

/* Puts all paths at q. */
static cardo_status set_paths(cardo_session *session, double q, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    cardo_body_info info;
    for (int b = 0; b < session->model->nbody && status == CARDO_OK; ++b) {
        cardo_system_body(session->system, b + 1, &info);
        if (session->model->body[b].fit && info.nq > 0)
            status = cardo_session_set_coordinate(session, info.q_first, q, error);
    }
    return status;
}

/* Takes the atoms of the frame before along with their bodies; the first frame is the model's. */
static cardo_status place(relaxation *r, bool first, cardo_error *error)
{
    cardo_session *session = r->handoff->session;
    const int nbody = cardo_system_nbody(session->system);
    cardo_status status = CARDO_OK;
    const cardo_transform *pose = cardo_state_X_GB(session->state);
    if (first)
        status = cardo_station_positions(session->system, session->state, r->positions, error);
    for (int i = 0; !first && i < r->natom; ++i) {
        const int body = session->model->atom_body[i] + 1;
        const cardo_transform way = xform_mul(pose[body], xform_inverse(r->pose[body]));
        v3_store(r->positions + 3 * (size_t)i,
                 xform_point(way, v3_load(r->positions + 3 * (size_t)i)));
    }
    memcpy(r->pose, pose, (size_t)nbody * sizeof *pose);
    return status;
}

static cardo_status evaluate(void *context, int n, const double *x, double *value, double *gradient,
                             cardo_error *error)
{
    const relaxation *r = context;
    (void)n;
    cardo_status status = cardo_atom_forces_compute(&r->forces, x, NULL, gradient, value, error);
    for (int i = 0; i < r->natom && status == CARDO_OK; ++i)
        if (r->stands[i])
            memset(gradient + 3 * (size_t)i, 0, 3 * sizeof *gradient);
    return status;
}

/* Who says stop is heard after each iteration. */
static cardo_status heed(void *context, int iteration, bool *stop, cardo_error *error)
{
    const relaxation *r = context;
    const cardo_listener *listener = &r->handoff->session->listener;
    (void)iteration, (void)error;
    *stop = listener->stop && *listener->stop;
    return CARDO_OK;
}

static cardo_status relax(relaxation *r, cardo_error *error)
{
    static const double unit = 0.002;
    const cardo_handoff_choices *how = r->handoff->how;
    const cardo_minimize_options options = {.most_iterations = how->iterations,
                                            .largest_gradient = how->gradient,
                                            .progress = heed,
                                            .unit = unit};
    cardo_status status;
    r->found = (cardo_minimize_result){0};
    memcpy(r->placed, r->positions, 3 * (size_t)r->natom * sizeof *r->placed);
    if (how->iterations > 0)
        CARDO_TRY(
            cardo_minimize(3 * r->natom, r->positions, evaluate, r, &options, &r->found, error));
    status = evaluate(r, 0, r->positions, &r->energy, r->gradient, error);
    r->found.largest_gradient = 0;
    for (int i = 0; i < 3 * r->natom; ++i)
        r->found.largest_gradient = fmax(r->found.largest_gradient, fabs(r->gradient[i]));
done:
    return status;
}

/* rms of all atoms, nm. */
static double moved(const relaxation *r)
{
    double sum = 0;
    for (int i = 0; i < 3 * r->natom; ++i)
        sum += (r->positions[i] - r->placed[i]) * (r->positions[i] - r->placed[i]);
    return sqrt(sum / r->natom);
}

static cardo_status add_frame(relaxation *r, int k, double q, cardo_result *table,
                              cardo_error *error)
{
    static const cardo_quantity file = {"frame", .style = "-14s"}, asked = {"q", .style = ".4f"},
                                energy = {"energy_kJ_per_mol", "energy", "kJ/mol", ".1f"},
                                gradient = {"gradient_kJ_per_mol_nm", "largest gradient",
                                            "kJ/mol/nm", ".4g"},
                                steps = {"iterations", .style = ".0f"},
                                way = {"moved_A", "moved by relaxing", "A", ".2f"},
                                strained = {"strained", "clashes and torn bonds", .style = ".0f"},
                                worst = {"worst", "the worst of them", .style = "s"};
    cardo_handoff *h = r->handoff;
    cardo_strain strain;
    char name[32], column[CARDO_FIELD_STRING_SIZE + 8], text[CARDO_STRAIN_TEXT];
    cardo_strain_look(r->search, r->positions, &strain);
    cardo_format(name, sizeof name, "frame-%02d", k + 1);
    cardo_status status = cardo_writer_structure(
        h->writer, name, h->session->model->structure[0].structure, r->positions, error);
    if (status == CARDO_OK)
        status = cardo_handoff_amber_frame(h, name, r->positions, error);
    cardo_result_row(table);
    cardo_result_text(table, &file, name);
    cardo_result_number(table, &asked, q);
    for (int b = 0; b < h->nhinge; ++b) {
        cardo_format(column, sizeof column, "q_%s", h->hinge[b].name);
        cardo_result_number(table, &(cardo_quantity){column, .style = ".6f"},
                            cardo_hinge_angle_q(&h->hinge[b], r->positions));
    }
    cardo_result_number(table, &energy, r->energy);
    cardo_result_number(table, &gradient, r->found.largest_gradient);
    cardo_result_integer(table, &steps, r->found.iterations);
    cardo_result_number(table, &way, 10 * moved(r));
    cardo_result_integer(table, &strained, strain.nimpossible);
    cardo_result_text(table, &worst,
                      strain.nimpossible > 0 ? cardo_strain_worst_text(h->session, &strain, text)
                                             : "none");
    return status;
}

static void judge(const cardo_result *table, cardo_result *into)
{
    const cardo_result *column = cardo_result_find(table, "strained");
    const long long *strained = column ? cardo_result_as_integers(column) : NULL;
    const long long n = cardo_result_rows(table);
    char text[200];
    long long bad = 0;
    for (long long k = 0; strained && k < n; ++k)
        bad += strained[k] > 0;
    if (bad > 0)
        cardo_format(
            text, sizeof text,
            "%lld of %lld frames hold clashes or torn bonds that relaxing did not take away: "
            "do not start from these",
            bad, n);
    else
        cardo_format(text, sizeof text, "%lld frames, none with a clash or a torn bond", n);
    cardo_result_remark(into, "verdict", bad > 0 ? CARDO_RESULT_WARNING : CARDO_RESULT_VERDICT,
                        text, NULL);
}

static cardo_status follow(relaxation *r, cardo_result *table, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    cardo_handoff *h = r->handoff;
    const cardo_handoff_choices *how = h->how;
    const cardo_listener *listener = &h->session->listener;
    for (int k = 0; k < how->places && !h->interrupted; ++k) {
        const double q = how->from + (how->to - how->from) * k / (how->places - 1);
        CARDO_TRY(set_paths(h->session, q, error));
        CARDO_TRY(place(r, k == 0, error));
        CARDO_TRY(relax(r, error));
        h->interrupted = listener->stop && *listener->stop;
        if (h->interrupted)
            break;
        if (k == 0)
            memcpy(h->first, r->positions, 3 * (size_t)r->natom * sizeof *h->first);
        CARDO_TRY(add_frame(r, k, q, table, error));
        if (listener->progress)
            listener->progress(listener->user, "frame", k + 1, how->places);
    }
done:
    return status;
}

cardo_status cardo_handoff_frames(cardo_handoff *handoff, cardo_result *into, cardo_error *error)
{
    cardo_status status;
    relaxation r = {.handoff = handoff};
    cardo_result *table = cardo_result_table(into, "frames", "frame");
    CARDO_TRY(open(&r, error));
    CARDO_TRY(follow(&r, table, error));
    if (cardo_result_rows(table) > 0)
        judge(table, into);
    status = cardo_writer_result(handoff->writer, table, "frames.csv", error);
done:
    clear(&r);
    return status;
}
