#include "study/domains/shared_energy.h"

#include "base/memory.h"
#include "base/vec.h"
#include "multibody/tree/operators.h"
#include "study/domains/shared_scaling.h"
#include "study/reference/atom_forces.h"
#include "study/reference/atom_scaling.h"
#include "study/reference/poses.h"
#include "study/session/forces.h"
#include "topology/bonds.h"
#include "topology/rotatable_bonds.h"

#include <string.h>

enum { FIRST = CARDO_SHARED_FIRST, LAST = CARDO_SHARED_LAST, ENDS = CARDO_SHARED_ENDS };

struct cardo_shared_energy {
    cardo_session *session;
    int natom, nown;
    int *body; /* that an atom rides on (natom)                                                 */
    int *
        own; /* of an atom's place at the last end among the variables, or -1: it is shared (natom) */
    cardo_transform *lead; /* from the first end to the last, of bodies (nbody)                 */
    cardo_force_provider *provider;
    cardo_atom_forces forces;
    cardo_held_poses *poses;
    double *at[ENDS], *slope[ENDS]; /* positions and gradients (natom x 3)                      */
    double *x;                      /* variables ((natom + nown) x 3)                           */
    double energy[ENDS];
    double weight[ENDS]; /* of ends in the sum                                            */
    cardo_bonds *bonds;
    cardo_shared_scaling *scaling;
    cardo_minimize_scaling together; /* by it */
    cardo_atom_scaling alone;        /* of one end by itself */
    int npair;
    int (*pair)
        [2]; /* of atoms that stay as far apart in the model, while one of them is no part of a domain */
};

typedef cardo_shared_energy sharing;

/* kJ/mol/nm^2, stiffer than bonds are: what the model holds rigid is held at both ends alike. */
static const double alike = 1e6;

void cardo_shared_energy_destroy(cardo_shared_energy *s)
{
    if (!s)
        return;
    for (int end = 0; end < ENDS; ++end) {
        cardo_free(s->at[end]);
        cardo_free(s->slope[end]);
    }
    cardo_free(s->own);
    cardo_free(s->body);
    cardo_free(s->lead);
    cardo_free(s->x);
    cardo_free(s->pair);
    cardo_shared_scaling_destroy(s->scaling);
    cardo_atom_scaling_clear(&s->alone);
    cardo_held_poses_destroy(s->poses);
    cardo_atom_forces_clear(&s->forces);
    cardo_force_provider_destroy(s->provider);
    cardo_bonds_destroy(s->bonds);
    cardo_free(s);
}

static void spread(sharing *s, const double *x)
{
    memcpy(s->at[FIRST], x, 3 * (size_t)s->natom * sizeof *x);
    for (size_t i = 0; i < (size_t)s->natom; ++i) {
        double *to = s->at[LAST] + 3 * i;
        if (s->own[i] >= 0)
            memcpy(to, x + 3 * (size_t)(s->natom + s->own[i]), 3 * sizeof *x);
        else
            v3_store(to, xform_point(s->lead[s->body[i]], v3_load(x + 3 * i)));
    }
}

static void gather(const sharing *s, double *gradient)
{
    memcpy(gradient, s->slope[FIRST], 3 * (size_t)s->natom * sizeof *gradient);
    for (size_t i = 0; i < (size_t)s->natom; ++i) {
        const double *from = s->slope[LAST] + 3 * i;
        double *to = gradient + 3 * i;
        if (s->own[i] >= 0)
            memcpy(gradient + 3 * (size_t)(s->natom + s->own[i]), from, 3 * sizeof *from);
        else
            v3_store(to, v3_add(v3_load(to), m33_tmul_v3(s->lead[s->body[i]].R, v3_load(from))));
    }
    cardo_held_poses_project(s->poses, gradient);
}

/* Distances that do not change while the model moves are drawn to the same at both ends. */
static double draw_alike(sharing *s)
{
    double sum = 0;
    for (int k = 0; k < s->npair; ++k) {
        const size_t a = 3 * (size_t)s->pair[k][0], b = 3 * (size_t)s->pair[k][1];
        cardo_vec3 d[ENDS];
        double length[ENDS];
        for (int end = 0; end < ENDS; ++end) {
            d[end] = v3_sub(v3_load(s->at[end] + b), v3_load(s->at[end] + a));
            length[end] = v3_norm(d[end]);
        }
        const double off = length[LAST] - length[FIRST];
        sum += 0.5 * alike * off * off;
        for (int end = 0; end < ENDS; ++end) {
            const cardo_vec3 g =
                v3_scale((end == LAST ? 1 : -1) * alike * off / length[end], d[end]);
            v3_store(s->slope[end] + b, v3_add(v3_load(s->slope[end] + b), g));
            v3_store(s->slope[end] + a, v3_sub(v3_load(s->slope[end] + a), g));
        }
    }
    return sum;
}

cardo_status cardo_shared_energy_evaluate(void *context, int n, const double *x, double *value,
                                          double *gradient, cardo_error *error)
{
    sharing *s = context;
    cardo_status status = CARDO_OK;
    (void)n;
    spread(s, x);
    *value = 0;
    for (int end = 0; end < ENDS; ++end) {
        CARDO_TRY(cardo_atom_forces_compute(&s->forces, s->at[end], NULL, s->slope[end],
                                            &s->energy[end], error));
        *value += s->weight[end] * s->energy[end];
        for (size_t k = 0; k < 3 * (size_t)s->natom; ++k)
            s->slope[end][k] *= s->weight[end];
    }
    *value += draw_alike(s);
    gather(s, gradient);
done:
    return status;
}

/* Positions and bodies' poses at coordinates. */
static cardo_status place(sharing *s, int end, const double *q, cardo_error *error)
{
    cardo_status status;
    const cardo_session *session = s->session;
    cardo_state_set_q(session->state, q);
    CARDO_TRY(cardo_realize(session->system, session->state, CARDO_STAGE_POSITION, error));
    CARDO_TRY(cardo_station_positions(session->system, session->state, s->at[end], error));
    for (int b = 0; b < session->model->nbody; ++b) {
        const cardo_transform X_GB = cardo_state_X_GB(session->state)[b + 1];
        s->lead[b] = end == FIRST ? X_GB : xform_mul(X_GB, xform_inverse(s->lead[b]));
    }
done:
    return status;
}

static cardo_status place_ends(sharing *s, const double *first, const double *last,
                               cardo_error *error)
{
    cardo_status status;
    const cardo_session *session = s->session;
    const size_t nq = (size_t)cardo_system_nq(session->system);
    double *before = NULL, *q = NULL;
    CARDO_TRY(CARDO_ALLOCATE(&before, nq + 1, error));
    CARDO_TRY(CARDO_ALLOCATE(&q, nq + 1, error));
    memcpy(before, cardo_state_q(session->state), nq * sizeof *q);
    memcpy(q, before, nq * sizeof *q);
    for (int b = 0; b < session->model->nbody; ++b) {
        cardo_body_info info;
        cardo_system_body(session->system, b + 1, &info);
        if (session->model->body[b].torsion)
            q[info.q_first] = first[info.q_first];
        else if (session->model->body[b].fit)
            memset(q + info.q_first, 0, (size_t)info.nq * sizeof *q);
    }
    status = place(s, FIRST, q, error);
    if (status == CARDO_OK)
        status = place(s, LAST, last, error);
    cardo_state_set_q(session->state, before);
    CARDO_TRY(status);
    status = cardo_realize(session->system, session->state, CARDO_STAGE_POSITION, error);
done:
    cardo_free(before);
    cardo_free(q);
    return status;
}

/* The body on which one rides that hangs by a bond of a side chain that is not to turn. */
static int rides_on(const sharing *s, const bool *turning, int b)
{
    const cardo_model *model = s->session->model;
    while (turning && model->body[b].torsion == CARDO_TURN_CHI && model->body[b].parent >= 0 &&
           !turning[model->structure[0].structure->atom_residue[model->body[b].bond[1]]])
        b = model->body[b].parent;
    return b;
}

/* What hangs by a bond that turns, and pieces of strands, are no part of a domain. */
static void find_own(sharing *s, const bool *turning)
{
    const cardo_model *model = s->session->model;
    for (int i = 0; i < s->natom; ++i) {
        s->body[i] = rides_on(s, turning, model->atom_body[i]);
        const cardo_model_body *body = &model->body[s->body[i]];
        s->own[i] = body->piece || body->torsion ? s->nown++ : -1;
    }
}

static void add_pair(sharing *s, int a, int b)
{
    if (a >= b || (s->own[a] < 0 && s->own[b] < 0))
        return;
    if (s->pair) {
        s->pair[s->npair][0] = a;
        s->pair[s->npair][1] = b;
    }
    ++s->npair;
}

/* Bonds, angles, and all distances inside a piece. */
static void list_pairs(sharing *s)
{
    const cardo_structure *structure = s->session->model->structure[0].structure;
    const cardo_bonds *bonds = s->bonds;
    s->npair = 0;
    for (int a = 0; a < s->natom; ++a) {
        for (int k = bonds->neighbour_first[a]; k < bonds->neighbour_first[a + 1]; ++k) {
            const int middle = bonds->neighbour[k];
            add_pair(s, a, middle);
            for (int j = bonds->neighbour_first[middle]; j < bonds->neighbour_first[middle + 1];
                 ++j)
                add_pair(s, a, bonds->neighbour[j]);
        }
        const int r = structure->atom_residue[a];
        const int end = r + 1 < structure->nresidue ? r + 2 : r + 1;
        for (int b = a + 1; b < structure->residue_first[end]; ++b)
            if (s->body[a] == s->body[b])
                add_pair(s, a, b);
    }
}

static cardo_status find_pairs(sharing *s, cardo_error *error)
{
    list_pairs(s);
    const cardo_status status = CARDO_ALLOCATE(&s->pair, s->npair + 1, error);
    if (status == CARDO_OK)
        list_pairs(s);
    return status;
}

static cardo_status prepare_scaling(sharing *s, cardo_error *error)
{
    const cardo_terms *terms = s->session->terms;
    const cardo_shared_atoms atoms = {.terms = terms,
                                      .poses = s->poses,
                                      .own = s->own,
                                      .body = s->body,
                                      .lead = s->lead,
                                      .first = s->at[FIRST],
                                      .last = s->at[LAST],
                                      .npair = s->npair,
                                      .pair = (const int(*)[2])s->pair,
                                      .alike = alike};
    const cardo_status status = cardo_shared_scaling_create(&atoms, s->nown, &s->scaling, error);
    return status == CARDO_OK ? cardo_atom_scaling_open(terms, s->poses, &s->alone, error) : status;
}

static cardo_status prepare(sharing *s, const double *first, const double *last,
                            const bool *turning, cardo_error *error)
{
    cardo_status status;
    const cardo_session *session = s->session;
    char *templates = NULL;
    s->natom = session->model->structure[0].structure->natom;
    if (!session->terms)
        CARDO_TRY(CARDO_FAIL(error, CARDO_ERROR_UNSUPPORTED,
                             "%s: without energy terms no atoms can be moved inside bodies",
                             session->model->path));
    CARDO_TRY(CARDO_ALLOCATE(&s->own, s->natom, error));
    CARDO_TRY(CARDO_ALLOCATE(&s->body, s->natom, error));
    CARDO_TRY(CARDO_ALLOCATE(&s->lead, session->model->nbody, error));
    for (int end = 0; end < ENDS; ++end) {
        CARDO_TRY(CARDO_ALLOCATE(&s->at[end], 3 * (size_t)s->natom, error));
        CARDO_TRY(CARDO_ALLOCATE(&s->slope[end], 3 * (size_t)s->natom, error));
    }
    find_own(s, turning);
    CARDO_TRY(CARDO_ALLOCATE(&s->x, 3 * (size_t)(s->natom + s->nown), error));
    CARDO_TRY(cardo_session_atoms_provider(session, &s->provider, error));
    CARDO_TRY(cardo_atom_forces_open(s->provider, s->natom, &s->forces, error));
    CARDO_TRY(cardo_held_poses_create(session->model, &s->poses, error));
    CARDO_TRY(cardo_find_data("residues.xml", NULL, "topologies", &templates, error));
    CARDO_TRY(
        cardo_bonds_find(session->model->structure[0].structure, templates, &s->bonds, error));
    CARDO_TRY(find_pairs(s, error));
    CARDO_TRY(place_ends(s, first, last, error));
    cardo_held_poses_place(s->poses, s->at[FIRST]);
    memcpy(s->x, s->at[FIRST], 3 * (size_t)s->natom * sizeof *s->x);
    for (size_t i = 0; i < (size_t)s->natom; ++i)
        if (s->own[i] >= 0)
            memcpy(s->x + 3 * (size_t)(s->natom + s->own[i]), s->at[LAST] + 3 * i,
                   3 * sizeof *s->x);
    status = prepare_scaling(s, error);
done:
    cardo_free(templates);
    return status;
}

cardo_status cardo_shared_energy_create(cardo_session *session, const double *first,
                                        const double *last, const bool *turning,
                                        cardo_shared_energy **out, cardo_error *error)
{
    cardo_status status;
    sharing *s = NULL;
    *out = NULL;
    CARDO_TRY(CARDO_ALLOCATE(&s, 1, error));
    s->session = session;
    cardo_shared_energy_lean(s, 0);
    CARDO_TRY(prepare(s, first, last, turning, error));
    *out = s;
    s = NULL;
done:
    cardo_shared_energy_destroy(s);
    return status;
}

void cardo_shared_energy_lean(cardo_shared_energy *s, double to_last)
{
    s->weight[FIRST] = 1 - to_last;
    s->weight[LAST] = 1 + to_last;
}

static cardo_status make(void *context, const double *x, const double *gradient, cardo_error *error)
{
    sharing *s = context;
    spread(s, x);
    return cardo_shared_scaling_make(s->scaling, gradient, error);
}

static void forth(void *context, double *v)
{
    cardo_shared_scaling_forth(((sharing *)context)->scaling, v);
}

static void back(void *context, double *v)
{
    cardo_shared_scaling_back(((sharing *)context)->scaling, v);
}

void cardo_shared_energy_scale(cardo_shared_energy *s, cardo_minimize_options *options)
{
    s->together = (cardo_minimize_scaling){s, CARDO_ATOM_SCALING_ITERATIONS, make, forth, back};
    options->scaling = &s->together;
    options->unit = CARDO_ATOM_SCALING_STEP;
}

void cardo_shared_energy_scale_alone(cardo_shared_energy *s, cardo_minimize_options *options)
{
    cardo_atom_scaling_choose(&s->alone, options);
}

void cardo_shared_energy_hold(cardo_shared_energy *s, int end)
{
    cardo_held_poses_place(s->poses, s->at[end]);
}

cardo_status cardo_shared_energy_evaluate_alone(void *context, int n, const double *x,
                                                double *value, double *gradient, cardo_error *error)
{
    const sharing *s = context;
    (void)n;
    const cardo_status status =
        cardo_atom_forces_compute(&s->forces, x, NULL, gradient, value, error);
    if (status == CARDO_OK)
        cardo_held_poses_project(s->poses, gradient);
    return status;
}

int cardo_shared_energy_size(const cardo_shared_energy *s)
{
    return 3 * (s->natom + s->nown);
}

double *cardo_shared_energy_variables(cardo_shared_energy *s)
{
    return s->x;
}

const double *cardo_shared_energy_positions(const cardo_shared_energy *s, int end)
{
    return s->at[end];
}

double cardo_shared_energy_of(const cardo_shared_energy *s, int end)
{
    return s->energy[end];
}
