#include "model/near.h"

#include "base/memory.h"
#include "model/internal.h"

/* Points of the paths at which distances are looked at. */
enum { NEAR_SAMPLES = 21 };

/* Boxes of residues where they stand. */
typedef struct residue_boxes {
    double (*low)[3], (*high)[3]; /* (nresidue) */
} residue_boxes;

static void place(const cardo_model *model, const cardo_near_walk *walk, const cardo_transform *X,
                  double *position, residue_boxes *boxes)
{
    const cardo_structure *s = model->structure[0].structure;
    const double *from = walk->position ? walk->position : s->position;
    for (int r = 0; r < s->nresidue; ++r) {
        int body = walk->body_of_residue[r];
        for (int d = 0; d < 3; ++d) {
            boxes->low[r][d] = HUGE_VAL;
            boxes->high[r][d] = -HUGE_VAL;
        }
        for (int i = s->residue_first[r]; i < s->residue_first[r + 1]; ++i) {
            double *p = position + 3 * i;
            cardo_vec3 x = v3_load(from + 3 * i);
            const int carrier = walk->pose ? model->atom_body[i] : body;
            v3_store(p, carrier < 0 ? x : xform_point(X[carrier], x));
            for (int d = 0; d < 3; ++d) {
                boxes->low[r][d] = fmin(boxes->low[r][d], p[d]);
                boxes->high[r][d] = fmax(boxes->high[r][d], p[d]);
            }
        }
    }
}

static bool are_near(const residue_boxes *boxes, int r, int t, double distance)
{
    for (int d = 0; d < 3; ++d)
        if (boxes->low[r][d] > boxes->high[t][d] + distance ||
            boxes->low[t][d] > boxes->high[r][d] + distance)
            return false;
    return true;
}

cardo_status cardo_model_walk_near(const cardo_model *model, const cardo_near_walk *walk,
                                   cardo_error *error)
{
    cardo_status status;
    const cardo_structure *s = model->structure[0].structure;
    const int *body = walk->body_of_residue;
    cardo_transform *X = NULL;
    double *position = NULL;
    residue_boxes boxes = {0};
    CARDO_TRY(CARDO_ALLOCATE(&X, model->nbody, error));
    CARDO_TRY(CARDO_ALLOCATE(&position, 3 * s->natom, error));
    CARDO_TRY(CARDO_ALLOCATE(&boxes.low, s->nresidue, error));
    CARDO_TRY(CARDO_ALLOCATE(&boxes.high, s->nresidue, error));
    for (int k = 0; k < walk->nsample; ++k) {
        if (!walk->pose)
            CARDO_TRY(cardo_model_poses(model, walk->fraction[k], true, X, error));
        place(model, walk, walk->pose ? walk->pose + (size_t)k * (size_t)model->nbody : X, position,
              &boxes);
        for (int r = 0; r < s->nresidue; ++r)
            for (int t = r + 1; t < s->nresidue; ++t) {
                bool linked = t <= r + 2 && s->residue_chain[r] == s->residue_chain[t];
                if (body[r] >= 0 && body[t] >= 0 && body[r] != body[t] && !linked &&
                    are_near(&boxes, r, t, walk->distance))
                    walk->visit(walk->user, k, r, t, position);
            }
    }
done:
    cardo_free(X);
    cardo_free(position);
    cardo_free(boxes.low);
    cardo_free(boxes.high);
    return status;
}

typedef struct marking {
    const cardo_structure *structure;
    double distance;
    bool *near;
} marking;

static void mark(void *user, int sample, int r, int t, const double *position)
{
    const marking *m = user;
    const cardo_structure *s = m->structure;
    (void)sample;
    for (int i = s->residue_first[r]; i < s->residue_first[r + 1]; ++i)
        for (int j = s->residue_first[t]; j < s->residue_first[t + 1]; ++j) {
            cardo_vec3 d = v3_sub(v3_load(position + 3 * i), v3_load(position + 3 * j));
            if (s->element[i] != 1 && s->element[j] != 1 &&
                v3_dot(d, d) <= m->distance * m->distance)
                m->near[r] = m->near[t] = true;
        }
}

cardo_status cardo_model_near(const cardo_model *model, const int *body_of_residue, double distance,
                              bool *near, cardo_error *error)
{
    const cardo_structure *s = model->structure[0].structure;
    double fraction[NEAR_SAMPLES];
    marking m = {s, distance, near};
    cardo_near_walk walk = {.body_of_residue = body_of_residue,
                            .distance = distance,
                            .nsample = NEAR_SAMPLES,
                            .fraction = fraction,
                            .visit = mark,
                            .user = &m};
    for (int k = 0; k < NEAR_SAMPLES; ++k)
        fraction[k] = (double)k / (NEAR_SAMPLES - 1);
    for (int r = 0; r < s->nresidue; ++r)
        near[r] = false;
    return cardo_model_walk_near(model, &walk, error);
}

void cardo_model_riders(const cardo_model *model, int *body_of_residue)
{
    const cardo_structure *s = model->structure[0].structure;
    for (int r = 0; r < s->nresidue; ++r) {
        int atom = cardo_structure_find_atom(s, r, "CA");
        int body = model->atom_body[atom >= 0 ? atom : s->residue_first[r]];
        while (model->body[body].piece && model->body[body].parent >= 0)
            body = model->body[body].parent;
        body_of_residue[r] = body;
    }
}
