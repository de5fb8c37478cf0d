/* Starts for fits, every body where its own stations lie best; and the better of two fits. */
#include "analysis/fit/station_fit.h"

#include "base/memory.h"
#include "multibody/quantities/fit.h"
#include "multibody/tree/operators.h"
#include "structure/atoms/superpose.h"

#include <string.h>

/* Stations of one body that have a place to go to. */
typedef struct pairs {
    int n;
    double *from, *to; /* in the body's frame, in ground (n x 3) */
    double *weight;
} pairs;

typedef struct starter {
    const cardo_system *system;
    cardo_state *state;
    const cardo_station_targets *targets;
    double *x; /* stations where the model stands (nstation x 3) */
    double *q; /* (nq) */
    cardo_body_info *info;
    int *first, *target;  /* targets of each body      (nbody + 1), (n) */
    int *child, *sibling; /* (nbody)                                   */
    pairs pairs;
} starter;

static void starter_clear(starter *s)
{
    cardo_free(s->x);
    cardo_free(s->q);
    cardo_free(s->info);
    cardo_free(s->first);
    cardo_free(s->target);
    cardo_free(s->child);
    cardo_free(s->sibling);
    cardo_free(s->pairs.from);
    cardo_free(s->pairs.to);
    cardo_free(s->pairs.weight);
}

static void sort_targets(starter *s, int nbody)
{
    for (int i = 0; i < s->targets->n; ++i)
        ++s->first[cardo_system_station_body(s->system, s->targets->station[i]) + 1];
    for (int b = 0; b < nbody; ++b)
        s->first[b + 1] += s->first[b];
    for (int i = s->targets->n - 1; i >= 0; --i) {
        int b = cardo_system_station_body(s->system, s->targets->station[i]);
        s->target[s->first[b + 1] - 1 - s->child[b]++] = i;
    }
    for (int b = nbody - 1; b >= 0; --b)
        s->child[b] = s->sibling[b] = -1;
    for (int b = nbody - 1; b > 0; --b) {
        s->sibling[b] = s->child[s->info[b].parent];
        s->child[s->info[b].parent] = b;
    }
}

static cardo_status starter_make(starter *s, cardo_error *error)
{
    cardo_status status;
    int nbody = cardo_system_nbody(s->system), n = s->targets->n;
    CARDO_TRY(CARDO_ALLOCATE(&s->x, 3 * cardo_system_nstation(s->system), error));
    CARDO_TRY(CARDO_ALLOCATE(&s->q, cardo_system_nq(s->system), error));
    CARDO_TRY(CARDO_ALLOCATE(&s->info, nbody, error));
    CARDO_TRY(CARDO_ALLOCATE(&s->first, nbody + 1, error));
    CARDO_TRY(CARDO_ALLOCATE(&s->target, n, error));
    CARDO_TRY(CARDO_ALLOCATE(&s->child, nbody, error));
    CARDO_TRY(CARDO_ALLOCATE(&s->sibling, nbody, error));
    CARDO_TRY(CARDO_ALLOCATE(&s->pairs.from, 3 * n, error));
    CARDO_TRY(CARDO_ALLOCATE(&s->pairs.to, 3 * n, error));
    CARDO_TRY(CARDO_ALLOCATE(&s->pairs.weight, n, error));
    for (int b = 0; b < nbody; ++b)
        cardo_system_body(s->system, b, &s->info[b]);
    sort_targets(s, nbody);
    CARDO_TRY(cardo_realize(s->system, s->state, CARDO_STAGE_POSITION, error));
    CARDO_TRY(cardo_station_positions(s->system, s->state, s->x, error));
done:
    return status;
}

static void add_pair(starter *s, int target, cardo_transform X_BG)
{
    pairs *p = &s->pairs;
    const double *x = s->x + 3 * s->targets->station[target];
    v3_store(p->from + 3 * p->n, xform_point(X_BG, v3_load(x)));
    memcpy(p->to + 3 * p->n, s->targets->position + 3 * target, 3 * sizeof *p->to);
    p->weight[p->n++] = s->targets->weight ? s->targets->weight[target] : 1.0;
}

/* The stations of body b, and those of its children that lie on their pins and so go with b. */
static void collect(starter *s, int b)
{
    const double on_axis = 1e-9;
    const cardo_transform *X_GB = cardo_state_X_GB(s->state);
    cardo_transform X_BG = xform_inverse(X_GB[b]);
    s->pairs.n = 0;
    for (int k = s->first[b]; k < s->first[b + 1]; ++k)
        add_pair(s, s->target[k], X_BG);
    for (int c = s->child[b]; c >= 0; c = s->sibling[c]) {
        if (s->info[c].mobilizer != &cardo_mobilizer_pin)
            continue;
        cardo_transform X_MG = xform_inverse(xform_mul(X_GB[c], s->info[c].X_BM));
        for (int k = s->first[c]; k < s->first[c + 1]; ++k) {
            const double *x = s->x + 3 * s->targets->station[s->target[k]];
            cardo_vec3 p = xform_point(X_MG, v3_load(x));
            if (hypot(p.x, p.y) < on_axis)
                add_pair(s, s->target[k], X_BG);
        }
    }
}

/* The angle of a pin that brings the pairs nearest: of the sum of w (f x t, f . t) about the axis,
 * f and t seen from F. */
static void turn_pin(starter *s, int b)
{
    const pairs *p = &s->pairs;
    const cardo_transform *X_GB = cardo_state_X_GB(s->state);
    const cardo_body_info *info = &s->info[b];
    cardo_transform X_FG = xform_inverse(xform_mul(X_GB[info->parent], info->X_PF));
    cardo_transform X_MB = xform_inverse(info->X_BM);
    double sine = 0, cosine = 0, size = 0;
    for (int i = 0; i < p->n; ++i) {
        cardo_vec3 f = xform_point(X_MB, v3_load(p->from + 3 * i));
        cardo_vec3 t = xform_point(X_FG, v3_load(p->to + 3 * i));
        sine += p->weight[i] * (f.x * t.y - f.y * t.x);
        cosine += p->weight[i] * (f.x * t.x + f.y * t.y);
        size += p->weight[i] * (f.x * f.x + f.y * f.y);
    }
    if (size > 1e-8 && hypot(sine, cosine) > 1e-8 * size)
        s->q[info->q_first] = info->reversed ? -atan2(sine, cosine) : atan2(sine, cosine);
}

/* Fits the joint to the pose that superposes the pairs. Too few of them, or all on a line: stays. */
static void fit_joint(starter *s, int b)
{
    const pairs *p = &s->pairs;
    const cardo_transform *X_GB = cardo_state_X_GB(s->state);
    const cardo_body_info *info = &s->info[b];
    cardo_transform X_target;
    if (p->n < 3 ||
        cardo_superpose(p->n, p->from, p->to, p->weight, &X_target, NULL, NULL) != CARDO_OK)
        return;
    cardo_transform X_GF = xform_mul(X_GB[info->parent], info->X_PF);
    cardo_transform X_FM = xform_mul(xform_inverse(X_GF), xform_mul(X_target, info->X_BM));
    double before[7];
    memcpy(before, s->q + info->q_first, (size_t)info->nq * sizeof *before);
    if (cardo_fit_q(s->system, b, &X_FM, s->q + info->q_first, NULL, NULL) != CARDO_OK)
        memcpy(s->q + info->q_first, before, (size_t)info->nq * sizeof *before);
}

cardo_status cardo_station_fit_start(const cardo_system *system, cardo_state *state,
                                     const cardo_station_targets *targets, cardo_error *error)
{
    cardo_status status;
    starter s = {.system = system, .state = state, .targets = targets};
    CARDO_TRY(starter_make(&s, error));
    memcpy(s.q, cardo_state_q(state), (size_t)cardo_system_nq(system) * sizeof *s.q);
    for (int b = 1; b < cardo_system_nbody(system); ++b) {
        if (s.info[b].nu == 0)
            continue;
        collect(&s, b);
        if (s.info[b].mobilizer == &cardo_mobilizer_pin)
            turn_pin(&s, b);
        else
            fit_joint(&s, b);
        cardo_state_set_q(state, s.q);
        CARDO_TRY(cardo_realize(system, state, CARDO_STAGE_POSITION, error));
        CARDO_TRY(cardo_station_positions(system, state, s.x, error));
    }
done:
    starter_clear(&s);
    return status;
}

cardo_status cardo_station_fit_run(const cardo_system *system, cardo_state *state,
                                   const cardo_station_targets *targets, cardo_station_fit *fit,
                                   cardo_error *error)
{
    cardo_status status;
    cardo_station_fit other;
    cardo_state *start = NULL;
    CARDO_TRY(cardo_state_create(system, &start, error));
    cardo_state_copy(start, state);
    CARDO_TRY(cardo_station_fit_start(system, start, targets, error));
    /* Constraints may find no way from where bodies lie best by themselves. */
    const cardo_status fitted = cardo_fit_stations(system, start, targets, &other, error);
    if (fitted != CARDO_ERROR_NUMERICAL)
        CARDO_TRY(fitted);
    CARDO_TRY(cardo_fit_stations(system, state, targets, fit, error));
    if (fitted == CARDO_OK && other.rmsd < fit->rmsd) {
        cardo_state_copy(state, start);
        *fit = other;
    }
done:
    cardo_state_destroy(start);
    return status;
}
