#include "study/conformations/pivots.h"

#include "base/memory.h"
#include "base/units.h"
#include "multibody/tree/state.h"

#include <math.h>
#include <string.h>

static const double small_turn = 15 * CARDO_DEGREE;
enum { MOST_CLASHES = 100000, MOST_TURNS = 8, STREAM = 0x70697600 };

static cardo_status check(const cardo_model *model, cardo_error *error)
{
    char one[40], other[40];
    const cardo_structure *s = model->structure[0].structure;
    for (int c = 0; c < model->ncut; ++c)
        if (model->cut[c].loop)
            return CARDO_FAIL(
                error, CARDO_ERROR_UNSUPPORTED,
                "%s: a strand is cut between %s and %s, since more than one ties the same two "
                "bodies: domains that hang on one linker each can be drawn freely, loops cannot. "
                "Let one domain be both bodies, or simulate the model",
                model->path, cardo_residue_label(s, model->cut[c].residue[0], one),
                cardo_residue_label(s, model->cut[c].residue[1], other));
    if (model->nconstraint > 0)
        return CARDO_FAIL(error, CARDO_ERROR_UNSUPPORTED,
                          "%s: has constraints, which moves of single torsions would break",
                          model->path);
    return CARDO_OK;
}

/* Torsions of a residue go together: the bonds' residue is that of the atom on the parent, but phi's, whose N may be counted with
 * either. */
static int residue_of(const cardo_model *model, int b)
{
    return model->structure[0].structure->atom_residue[model->body[b].bond[1]];
}

static cardo_status group_torsions(cardo_pivots *p, cardo_error *error)
{
    const cardo_model *model = p->model;
    cardo_status status;
    int count = 0, *turns = NULL;
    const int nresidue = model->structure[0].structure->nresidue;
    CARDO_TRY(CARDO_ALLOCATE(&turns, nresidue, error));
    for (int b = 0; b < model->nbody; ++b)
        if (model->body[b].torsion) {
            p->nresidue += turns[residue_of(model, b)]++ == 0;
            ++count;
        }
    if (count == 0)
        CARDO_TRY(CARDO_FAIL(error, CARDO_ERROR_UNSUPPORTED,
                             "%s: no torsion turns: give it <flexible residues=\"...\" "
                             "torsions=\"phi psi\"/>",
                             model->path));
    CARDO_TRY(CARDO_ALLOCATE(&p->first, p->nresidue + 1, error));
    CARDO_TRY(CARDO_ALLOCATE(&p->coordinate, count, error));
    int at = 0, group = 0;
    for (int r = 0; r < nresidue; ++r) {
        if (turns[r] == 0)
            continue;
        for (int b = 0; b < model->nbody; ++b)
            if (model->body[b].torsion && residue_of(model, b) == r) {
                cardo_body_info info;
                cardo_system_body(p->system, b + 1, &info);
                p->coordinate[at++] = info.q_first;
            }
        p->first[++group] = at;
    }
done:
    cardo_free(turns);
    return status;
}

cardo_status cardo_pivots_open(const cardo_model *model, double scale, uint64_t seed,
                               cardo_pivots *p, cardo_error *error)
{
    cardo_status status;
    p->model = model;
    p->random = cardo_random_start(seed, STREAM);
    CARDO_TRY(check(model, error));
    CARDO_TRY(cardo_model_compile(model, NULL, &p->system, error));
    CARDO_TRY(cardo_state_create(p->system, &p->state, error));
    CARDO_TRY(CARDO_ALLOCATE(&p->q, cardo_system_nq(p->system), error));
    CARDO_TRY(CARDO_ALLOCATE(&p->before, cardo_system_nq(p->system), error));
    cardo_model_initial_q(model, p->system, p->q);
    CARDO_TRY(group_torsions(p, error));
    CARDO_TRY(cardo_hard_spheres_create(model, p->system, scale, &p->spheres, error));
    cardo_state_set_q(p->state, p->q);
    status = cardo_realize(p->system, p->state, CARDO_STAGE_POSITION, error);
done:
    return status;
}

void cardo_pivots_clear(cardo_pivots *p)
{
    cardo_hard_spheres_destroy(p->spheres);
    cardo_state_destroy(p->state);
    cardo_system_destroy(p->system);
    cardo_free(p->first);
    cardo_free(p->coordinate);
    cardo_free(p->q);
    cardo_free(p->before);
    *p = (cardo_pivots){0};
}

static void propose(cardo_pivots *p)
{
    double which[2], drawn[MOST_TURNS];
    cardo_random_uniform(&p->random, 2, which);
    const int group = (int)(which[0] * p->nresidue);
    const bool wide = which[1] < 0.5;
    for (int at = p->first[group]; at < p->first[group + 1];) {
        const int left = p->first[group + 1] - at, n = left < MOST_TURNS ? left : MOST_TURNS;
        if (wide)
            cardo_random_uniform(&p->random, n, drawn);
        else
            cardo_random_normal(&p->random, n, drawn);
        for (int k = 0; k < n; ++k, ++at) {
            double *q = &p->q[p->coordinate[at]];
            *q = wide ? CARDO_PI * (2 * drawn[k] - 1)
                      : remainder(*q + small_turn * drawn[k], 2 * CARDO_PI);
        }
    }
}

/* One move, taken where no more than allowed clash then; *clashes: how many do, counted up to one more. */
static cardo_status move(cardo_pivots *p, int allowed, int *clashes, cardo_error *error)
{
    const size_t size = (size_t)cardo_system_nq(p->system) * sizeof *p->q;
    memcpy(p->before, p->q, size);
    propose(p);
    cardo_state_set_q(p->state, p->q);
    cardo_status status = cardo_realize(p->system, p->state, CARDO_STAGE_POSITION, error);
    if (status != CARDO_OK)
        return status;
    ++p->moves;
    const int found =
        cardo_hard_spheres_clashes(p->spheres, cardo_state_X_GB(p->state), allowed + 1, NULL);
    if (found <= allowed) {
        *clashes = found;
        ++p->taken;
    } else {
        memcpy(p->q, p->before, size);
    }
    return CARDO_OK;
}

/* The state where the chain stands: a move that was not taken has left it elsewhere. */
static cardo_status come_back(cardo_pivots *p, cardo_error *error)
{
    cardo_state_set_q(p->state, p->q);
    return cardo_realize(p->system, p->state, CARDO_STAGE_POSITION, error);
}

cardo_status cardo_pivots_settle(cardo_pivots *p, long long most, int *clashes,
                                 int excepted[CARDO_SPHERES_MOST_EXCEPTED][2], int *nexcepted,
                                 cardo_error *error)
{
    char one[40], other[40];
    int pair[2] = {0, 0};
    const cardo_structure *s = p->model->structure[0].structure;
    *clashes =
        cardo_hard_spheres_clashes(p->spheres, cardo_state_X_GB(p->state), MOST_CLASHES, NULL);
    int left = *clashes;
    cardo_status status = CARDO_OK;
    for (long long k = 0; k < most && left > 0 && status == CARDO_OK; ++k) {
        const int before = left;
        status = move(p, left, &left, error);
        k = left < before ? 0 : k;
    }
    if (status == CARDO_OK)
        status = come_back(p, error);
    *nexcepted = 0;
    if (status != CARDO_OK)
        return status;
    while (cardo_hard_spheres_clashes(p->spheres, cardo_state_X_GB(p->state), 1, pair) > 0 &&
           cardo_hard_spheres_except(p->spheres, pair))
        memcpy(excepted[(*nexcepted)++], pair, 2 * sizeof *pair);
    if (cardo_hard_spheres_clashes(p->spheres, cardo_state_X_GB(p->state), 1, pair) == 0)
        return CARDO_OK;
    return CARDO_FAIL(
        error, CARDO_ERROR_NUMERICAL,
        "%s: %d of %d clashes are left, and %lld moves made them no fewer, such as %s %s and %s "
        "%s: let "
        "more residues turn, or take conformations.scale below 1",
        p->model->path, left, *clashes, most, cardo_residue_label(s, s->atom_residue[pair[0]], one),
        s->atom_name[pair[0]].text, cardo_residue_label(s, s->atom_residue[pair[1]], other),
        s->atom_name[pair[1]].text);
}

cardo_status cardo_pivots_move(cardo_pivots *p, long long moves, cardo_error *error)
{
    int clashes;
    cardo_status status = CARDO_OK;
    for (long long k = 0; k < moves && status == CARDO_OK; ++k)
        status = move(p, 0, &clashes, error);
    return status == CARDO_OK ? come_back(p, error) : status;
}
