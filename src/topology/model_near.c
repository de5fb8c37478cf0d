#include "base/memory.h"
#include "topology/model_internal.h"

/* Points of the paths at which distances are looked at. */
enum { NEAR_SAMPLES = 21 };

/* What comes near what: heavy atoms of residues with their bodies. */
typedef struct neighbourhood {
    const cardo_structure *structure;
    const int *body_of_residue;
    double distance;
    bool *near;                   /* residues found so far (nresidue) */
    double (*low)[3], (*high)[3]; /* box of each residue where it stands (nresidue) */
} neighbourhood;

static bool is_heavy(const cardo_structure *s, int atom)
{
    return s->element[atom] != 1;
}

/* Positions and boxes of all residues with their bodies at X. */
static void place(const neighbourhood *n, const cardo_transform *X, double *position)
{
    const cardo_structure *s = n->structure;
    for (int r = 0; r < s->nresidue; ++r) {
        int body = n->body_of_residue[r];
        for (int d = 0; d < 3; ++d) {
            n->low[r][d] = HUGE_VAL;
            n->high[r][d] = -HUGE_VAL;
        }
        for (int i = s->residue_first[r]; i < s->residue_first[r + 1]; ++i) {
            double *p = position + 3 * i;
            cardo_vec3 x = v3_load(s->position + 3 * i);
            v3_store(p, body < 0 ? x : xform_point(X[body], x));
            for (int d = 0; d < 3; ++d) {
                n->low[r][d] = fmin(n->low[r][d], p[d]);
                n->high[r][d] = fmax(n->high[r][d], p[d]);
            }
        }
    }
}

static bool boxes_near(const neighbourhood *n, int r, int t)
{
    for (int d = 0; d < 3; ++d)
        if (n->low[r][d] > n->high[t][d] + n->distance ||
            n->low[t][d] > n->high[r][d] + n->distance)
            return false;
    return true;
}

static bool residues_near(const neighbourhood *n, const double *position, int r, int t)
{
    const cardo_structure *s = n->structure;
    for (int i = s->residue_first[r]; i < s->residue_first[r + 1]; ++i)
        for (int j = s->residue_first[t]; is_heavy(s, i) && j < s->residue_first[t + 1]; ++j) {
            cardo_vec3 d = v3_sub(v3_load(position + 3 * i), v3_load(position + 3 * j));
            if (is_heavy(s, j) && v3_dot(d, d) <= n->distance * n->distance)
                return true;
        }
    return false;
}

/* Marks residues that are near one of another body here. Neighbours along the chain do not count:
 * they are near by their bond. */
static void mark(const neighbourhood *n, const double *position)
{
    const int *body = n->body_of_residue;
    for (int r = 0; r < n->structure->nresidue; ++r)
        for (int t = r + 1; t < n->structure->nresidue; ++t) {
            bool linked = t == r + 1 && cardo_residues_adjacent(n->structure, r);
            if (body[r] < 0 || body[t] < 0 || body[r] == body[t] || linked ||
                (n->near[r] && n->near[t]) || !boxes_near(n, r, t))
                continue;
            if (residues_near(n, position, r, t))
                n->near[r] = n->near[t] = true;
        }
}

cardo_status cardo_model_near(const cardo_model *model, const int *body_of_residue, double distance,
                              bool *near, cardo_error *error)
{
    cardo_status status;
    const cardo_structure *s = model->structure[0].structure;
    neighbourhood n = {
        .structure = s, .body_of_residue = body_of_residue, .distance = distance, .near = near};
    cardo_transform *X = NULL;
    double *position = NULL;
    CARDO_TRY(CARDO_ALLOCATE(&X, model->nbody, error));
    CARDO_TRY(CARDO_ALLOCATE(&position, 3 * s->natom, error));
    CARDO_TRY(CARDO_ALLOCATE(&n.low, s->nresidue, error));
    CARDO_TRY(CARDO_ALLOCATE(&n.high, s->nresidue, error));
    for (int r = 0; r < s->nresidue; ++r)
        near[r] = false;
    for (int k = 0; k < NEAR_SAMPLES; ++k) {
        CARDO_TRY(cardo_model_poses(model, (double)k / (NEAR_SAMPLES - 1), true, X, error));
        place(&n, X, position);
        mark(&n, position);
    }
done:
    cardo_free(X);
    cardo_free(position);
    cardo_free(n.low);
    cardo_free(n.high);
    return status;
}
