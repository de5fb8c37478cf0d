#include "study/domains/shared_energy.h"

#include "base/memory.h"
#include "base/vec.h"
#include "multibody/tree/operators.h"
#include "study/reference/atom_forces.h"
#include "study/reference/atom_scaling.h"
#include "study/reference/poses.h"
#include "study/session/forces.h"
#include "topology/bonds.h"
#include "topology/rotatable_bonds.h"

#include <assert.h>
#include <string.h>

enum { FIRST = 0, MOST = CARDO_SHARED_MOST };

struct cardo_shared_energy {
    cardo_session *session;
    int nplace, natom, nown;
    int *body; /* that an atom rides on (natom)                                                 */
    int *
        own; /* an atom's number among those of a place after the first, or -1: it is shared (natom) */
    cardo_transform *lead[MOST]; /* from the first place, of bodies (nbody)                    */
    cardo_force_provider *provider;
    cardo_atom_forces forces;
    cardo_held_poses *poses;
    double *at[MOST], *slope[MOST]; /* positions and gradients (natom x 3)                      */
    double *x; /* variables ((natom + (nplace - 1) nown) x 3)                                     */
    double energy[MOST];
    double weight[MOST]; /* in the sum                                                     */
    double springs;      /* kJ/mol, of the last evaluation                                 */
    cardo_shared_scaling *scaling;
    cardo_minimize_scaling together; /* by it */
    int nalike;
    cardo_alike *alike; /* what stays so in the model */
};

typedef cardo_shared_energy sharing;

void cardo_shared_energy_destroy(cardo_shared_energy *s)
{
    if (!s)
        return;
    for (int k = 0; k < MOST; ++k) {
        cardo_free(s->at[k]);
        cardo_free(s->slope[k]);
        cardo_free(s->lead[k]);
    }
    cardo_free(s->own);
    cardo_free(s->body);
    cardo_free(s->x);
    cardo_free(s->alike);
    cardo_shared_scaling_destroy(s->scaling);
    cardo_held_poses_destroy(s->poses);
    cardo_atom_forces_clear(&s->forces);
    cardo_force_provider_destroy(s->provider);
    cardo_free(s);
}

/* Of an atom that is not shared, where a place after the first has its variables. */
static size_t variable_of(const sharing *s, int place, int atom)
{
    return 3 * ((size_t)s->natom + (size_t)(place - 1) * (size_t)s->nown + (size_t)s->own[atom]);
}

static void spread(sharing *s, const double *x)
{
    memcpy(s->at[FIRST], x, 3 * (size_t)s->natom * sizeof *x);
    for (int place = 1; place < s->nplace; ++place)
        for (int i = 0; i < s->natom; ++i) {
            double *to = s->at[place] + 3 * (size_t)i;
            if (s->own[i] >= 0)
                memcpy(to, x + variable_of(s, place, i), 3 * sizeof *x);
            else
                v3_store(to, xform_point(s->lead[place][s->body[i]], v3_load(x + 3 * (size_t)i)));
        }
}

static void gather(const sharing *s, double *gradient)
{
    memcpy(gradient, s->slope[FIRST], 3 * (size_t)s->natom * sizeof *gradient);
    for (int place = 1; place < s->nplace; ++place)
        for (int i = 0; i < s->natom; ++i) {
            const double *from = s->slope[place] + 3 * (size_t)i;
            double *to = gradient + 3 * (size_t)i;
            if (s->own[i] >= 0)
                memcpy(gradient + variable_of(s, place, i), from, 3 * sizeof *from);
            else
                v3_store(to, v3_add(v3_load(to),
                                    m33_tmul_v3(s->lead[place][s->body[i]].R, v3_load(from))));
        }
    cardo_held_poses_project(s->poses, gradient);
}

/* Draws what a place has to what the first one has, the more firmly the more either counts. */
static double draw_alike(sharing *s, int place, const cardo_alike *alike)
{
    const double stiffness = alike->stiffness * fmax(1, fmax(s->weight[FIRST], s->weight[place]));
    const int where[2] = {FIRST, place};
    cardo_vec3 slope[2][CARDO_ALIKE_ATOMS];
    double value[2];
    for (int w = 0; w < 2; ++w)
        value[w] = cardo_alike_measure(alike, s->at[where[w]], slope[w]);
    const double off = value[1] - value[0];
    for (int w = 0; w < 2; ++w)
        for (int k = 0; k < alike->natom; ++k) {
            double *to = s->slope[where[w]] + 3 * (size_t)alike->atom[k];
            const double force = (w == 1 ? 1 : -1) * stiffness * off;
            v3_store(to, v3_add(v3_load(to), v3_scale(force, slope[w][k])));
        }
    return 0.5 * stiffness * off * off;
}

static double draw_all_alike(sharing *s)
{
    double sum = 0;
    for (int place = 1; place < s->nplace; ++place)
        for (int k = 0; k < s->nalike; ++k)
            sum += draw_alike(s, place, &s->alike[k]);
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
    for (int p = 0; p < s->nplace; ++p) {
        CARDO_TRY(cardo_atom_forces_compute(&s->forces, s->at[p], NULL, s->slope[p], &s->energy[p],
                                            error));
        *value += s->weight[p] * s->energy[p];
        for (size_t k = 0; k < 3 * (size_t)s->natom; ++k)
            s->slope[p][k] *= s->weight[p];
    }
    s->springs = draw_all_alike(s);
    *value += s->springs;
    gather(s, gradient);
done:
    return status;
}

/* Positions and bodies' poses at coordinates. */
static cardo_status stand(sharing *s, int place, const double *q, cardo_error *error)
{
    cardo_status status;
    const cardo_session *session = s->session;
    cardo_state_set_q(session->state, q);
    CARDO_TRY(cardo_realize(session->system, session->state, CARDO_STAGE_POSITION, error));
    CARDO_TRY(cardo_station_positions(session->system, session->state, s->at[place], error));
    for (int b = 0; b < session->model->nbody; ++b) {
        const cardo_transform X_GB = cardo_state_X_GB(session->state)[b + 1];
        s->lead[place][b] =
            place == FIRST ? X_GB : xform_mul(X_GB, xform_inverse(s->lead[FIRST][b]));
    }
done:
    return status;
}

/* What carries the whole does not move at the first place. */
static cardo_status stand_everywhere(sharing *s, const double *coordinates, cardo_error *error)
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
        if (session->model->body[b].torsion || session->model->body[b].fit)
            memcpy(q + info.q_first, coordinates + info.q_first, (size_t)info.nq * sizeof *q);
    }
    status = stand(s, FIRST, q, error);
    for (int p = 1; p < s->nplace && status == CARDO_OK; ++p)
        status = stand(s, p, coordinates + (size_t)p * nq, error);
    cardo_state_set_q(session->state, before);
    CARDO_TRY(status);
    status = cardo_realize(session->system, session->state, CARDO_STAGE_POSITION, error);
done:
    cardo_free(before);
    cardo_free(q);
    return status;
}

/* The body on which one rides that hangs by a bond of a residue that is not to turn. */
static int rides_on(const sharing *s, const bool *turning, int b)
{
    const cardo_model *model = s->session->model;
    while (turning && model->body[b].torsion && model->body[b].parent >= 0 &&
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

static cardo_status find_alike(sharing *s, cardo_error *error)
{
    cardo_status status;
    char *templates = NULL;
    cardo_bonds *bonds = NULL;
    cardo_alike_atoms atoms = {
        .model = s->session->model, .body = s->body, .own = s->own, .positions = s->at[FIRST]};
    CARDO_TRY(cardo_find_data("residues.xml", NULL, "topologies", &templates, error));
    CARDO_TRY(cardo_bonds_find(atoms.model->structure[0].structure, templates, &bonds, error));
    atoms.bonds = bonds;
    status = cardo_alike_list(&atoms, &s->alike, &s->nalike, error);
done:
    cardo_bonds_destroy(bonds);
    cardo_free(templates);
    return status;
}

static cardo_status prepare_scaling(sharing *s, cardo_error *error)
{
    const cardo_shared_atoms atoms = {.terms = s->session->terms,
                                      .poses = s->poses,
                                      .nplace = s->nplace,
                                      .own = s->own,
                                      .nown = s->nown,
                                      .body = s->body,
                                      .lead = (const cardo_transform *const *)s->lead,
                                      .at = (const double *const *)s->at,
                                      .nalike = s->nalike,
                                      .alike = s->alike};
    return cardo_shared_scaling_create(&atoms, &s->scaling, error);
}

static cardo_status prepare(sharing *s, const double *coordinates, const bool *turning,
                            cardo_error *error)
{
    cardo_status status;
    const cardo_session *session = s->session;
    s->natom = session->model->structure[0].structure->natom;
    if (!session->terms)
        CARDO_TRY(CARDO_FAIL(error, CARDO_ERROR_UNSUPPORTED,
                             "%s: without energy terms no atoms can be moved inside bodies",
                             session->model->path));
    CARDO_TRY(CARDO_ALLOCATE(&s->own, s->natom, error));
    CARDO_TRY(CARDO_ALLOCATE(&s->body, s->natom, error));
    for (int p = 0; p < s->nplace; ++p) {
        CARDO_TRY(CARDO_ALLOCATE(&s->lead[p], session->model->nbody, error));
        CARDO_TRY(CARDO_ALLOCATE(&s->at[p], 3 * (size_t)s->natom, error));
        CARDO_TRY(CARDO_ALLOCATE(&s->slope[p], 3 * (size_t)s->natom, error));
    }
    find_own(s, turning);
    CARDO_TRY(CARDO_ALLOCATE(&s->x, cardo_shared_energy_size(s), error));
    CARDO_TRY(cardo_session_atoms_provider(session, &s->provider, error));
    CARDO_TRY(cardo_atom_forces_open(s->provider, s->natom, &s->forces, error));
    CARDO_TRY(cardo_held_poses_create(session->model, &s->poses, error));
    CARDO_TRY(stand_everywhere(s, coordinates, error));
    CARDO_TRY(find_alike(s, error));
    cardo_held_poses_place(s->poses, s->at[FIRST]);
    memcpy(s->x, s->at[FIRST], 3 * (size_t)s->natom * sizeof *s->x);
    for (int p = 1; p < s->nplace; ++p)
        for (int i = 0; i < s->natom; ++i)
            if (s->own[i] >= 0)
                memcpy(s->x + variable_of(s, p, i), s->at[p] + 3 * (size_t)i, 3 * sizeof *s->x);
    status = prepare_scaling(s, error);
done:
    return status;
}

cardo_status cardo_shared_energy_create(cardo_session *session, int nplace,
                                        const double *coordinates, const bool *turning,
                                        cardo_shared_energy **out, cardo_error *error)
{
    cardo_status status;
    sharing *s = NULL;
    *out = NULL;
    assert(nplace >= 2 && nplace <= MOST);
    CARDO_TRY(CARDO_ALLOCATE(&s, 1, error));
    s->session = session;
    s->nplace = nplace;
    for (int p = 0; p < nplace; ++p)
        s->weight[p] = 1;
    CARDO_TRY(prepare(s, coordinates, turning, error));
    *out = s;
    s = NULL;
done:
    cardo_shared_energy_destroy(s);
    return status;
}

double cardo_shared_energy_springs(const cardo_shared_energy *s)
{
    return s->springs;
}

void cardo_shared_energy_weigh(cardo_shared_energy *s, const double *weight)
{
    memcpy(s->weight, weight, (size_t)s->nplace * sizeof *weight);
}

void cardo_shared_energy_stiffen(cardo_shared_energy *s, double times)
{
    for (int k = 0; k < s->nalike; ++k)
        s->alike[k].stiffness *= times;
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

int cardo_shared_energy_size(const cardo_shared_energy *s)
{
    return 3 * (s->natom + (s->nplace - 1) * s->nown);
}

double *cardo_shared_energy_variables(cardo_shared_energy *s)
{
    return s->x;
}

const double *cardo_shared_energy_positions(const cardo_shared_energy *s, int place)
{
    return s->at[place];
}

double cardo_shared_energy_of(const cardo_shared_energy *s, int place)
{
    return s->energy[place];
}
