#include "study/domains/freezing.h"

#include "analysis/modes/force_stiffness.h"
#include "analysis/modes/mode_motion.h"
#include "base/linalg.h"
#include "base/memory.h"
#include "base/units.h"
#include "cardo/constraints.h"
#include "dynamics/coordinates/constrained.h"
#include "study/session/assembly.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* Of the largest stiffness: what stands still is held by so much. */
static const double held_by = 1e7;
/* kJ/mol/rad^2: what is softer, or bends down as minima that were not quite reached do in some direction, counts as no softer. */
static const double softest = 1;
/* rad^2 mol/kJ: what a torsion has no less of, so that one that cannot move by itself is held at a cost rather than singular. */
static const double no_compliance = 1e-12;

/* Torsions of one residue: phi, psi, five of a side chain, and what a modified one has more. */
enum { MOST_TORSIONS = 12 };

struct cardo_freezing {
    cardo_session *session;
    int nplace, nq, nu;
    double *coordinates; /* (nplace x nq)       */
    double *compliance;  /* (nplace x nu x nu)  */
};

/* As residues are held. */
typedef struct choosing {
    const cardo_freezing *f;
    double *compliance; /* of what is left free (nplace x nu x nu)      */
    double *moved;      /* by speeds, from the coordinates (nplace x nu) */
    double *cost;       /* (nplace) */
    int nlevel;
    const cardo_frozen_level *level;
    bool *held; /* coordinates (nq) */
    const bool *giving, *turning;
} choosing;

typedef struct torsions {
    int n, q[MOST_TORSIONS], u[MOST_TORSIONS];
} torsions;

/* What it would be to hold some torsions, for each place. */
typedef struct holding {
    torsions of;
    double value[MOST_TORSIONS];      /* rad */
    double cost[CARDO_FROZEN_PLACES]; /* kJ/mol (nplace) */
    double share;                     /* of the level that comes nearest to its bound */
} holding;

void cardo_freezing_destroy(cardo_freezing *f)
{
    if (!f)
        return;
    cardo_free(f->coordinates);
    cardo_free(f->compliance);
    cardo_free(f);
}

/* A row of constraints, whatever its units are, holds what is along it. */
static void hold_row(const cardo_freezing *f, const double *row, double by, double *K)
{
    const double square = cardo_dot(f->nu, row, row);
    for (int a = 0; a < f->nu && square > 0; ++a)
        if (row[a] != 0)
            for (int b = 0; b < f->nu; ++b)
                K[a * f->nu + b] += by / square * row[a] * row[b];
}

static cardo_status hold_constraints(const cardo_freezing *f, double by, double *K,
                                     cardo_error *error)
{
    cardo_status status;
    const cardo_system *system = f->session->system;
    const int nrow = cardo_constraint_row_count(system);
    double *G = NULL;
    CARDO_TRY(CARDO_ALLOCATE(&G, (size_t)nrow * (size_t)f->nu + 1, error));
    CARDO_TRY(cardo_constraint_matrix(system, f->session->state, G, error));
    for (int row = 0; row < nrow; ++row)
        hold_row(f, G + (size_t)row * (size_t)f->nu, by, K);
done:
    cardo_free(G);
    return status;
}

/* Has a body of the model a path, and where is its coordinate? */
static bool has_path(const cardo_freezing *f, int b, cardo_body_info *info)
{
    cardo_system_body(f->session->system, b + 1, info);
    return f->session->model->body[b].fit != NULL;
}

/* Paths, and what has no stiffness at all, as a free molecule's place. */
static void hold_paths(const cardo_freezing *f, double by, double *K)
{
    cardo_body_info info;
    for (int b = 0; b < f->session->model->nbody; ++b)
        if (has_path(f, b, &info))
            K[info.u_first * (f->nu + 1)] += by;
    for (int k = 0; k < f->nu; ++k)
        if (K[k * (f->nu + 1)] == 0)
            K[k * (f->nu + 1)] = by;
}

/* The inverse of K, which is destroyed, by the size of its curvatures. */
static cardo_status invert(int n, double *K, double *inverse, cardo_error *error)
{
    cardo_status status;
    double *curvature = NULL;
    CARDO_TRY(CARDO_ALLOCATE(&curvature, n, error));
    CARDO_TRY(cardo_symmetric_eigen_repeatable(n, K, curvature, error));
    memset(inverse, 0, (size_t)n * (size_t)n * sizeof *inverse);
    for (int k = 0; k < n; ++k)
        for (int a = 0; a < n; ++a) {
            const double by = K[a * n + k] / fmax(fabs(curvature[k]), softest);
            for (int b = 0; b < n; ++b)
                inverse[a * n + b] += by * K[b * n + k];
        }
done:
    cardo_free(curvature);
    return status;
}

static cardo_status find_compliance(const cardo_freezing *f, int place, cardo_error *error)
{
    cardo_status status;
    const cardo_session *session = f->session;
    const size_t nu = (size_t)f->nu;
    const bool invariant = (session->provider->traits & CARDO_FORCE_INVARIANT) != 0;
    cardo_stiffness_quality quality;
    double *K = NULL, *G = f->compliance + (size_t)place * nu * nu, largest = 0;
    CARDO_TRY(CARDO_ALLOCATE(&K, nu * nu, error));
    cardo_state_set_q(session->state, f->coordinates + place * f->nq);
    CARDO_TRY(cardo_realize(session->system, session->state, CARDO_STAGE_DYNAMICS, error));
    CARDO_TRY(cardo_force_stiffness(session->system, session->state, session->evaluator, 0,
                                    invariant, NULL, K, &quality, error));
    for (size_t k = 0; k < nu; ++k)
        largest = fmax(largest, K[k * (nu + 1)]);
    hold_paths(f, held_by * largest, K);
    CARDO_TRY(hold_constraints(f, held_by * largest, K, error));
    status = invert(f->nu, K, G, error);
done:
    cardo_free(K);
    return status;
}

static cardo_status find_compliances(const cardo_freezing *f, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    const cardo_listener *listener = &f->session->listener;
    for (int k = 0; k < f->nplace; ++k) {
        if (listener->stop && *listener->stop)
            CARDO_TRY(CARDO_FAIL(error, CARDO_ERROR_INTERRUPTED, "interrupted"));
        if (listener->progress)
            listener->progress(listener->user, "stiffness at a place", k + 1, f->nplace);
        CARDO_TRY(find_compliance(f, k, error));
    }
done:
    return status;
}

cardo_status cardo_freezing_create(cardo_session *session, int nplace, const double *coordinates,
                                   cardo_freezing **out, cardo_error *error)
{
    cardo_status status;
    cardo_freezing *f = NULL;
    double *before = NULL;
    const size_t nq = (size_t)cardo_system_nq(session->system),
                 nu = (size_t)cardo_system_nu(session->system), n = (size_t)nplace;
    *out = NULL;
    assert(nplace > 0 && nplace <= CARDO_FROZEN_PLACES);
    CARDO_TRY(CARDO_ALLOCATE(&f, 1, error));
    *f = (cardo_freezing){.session = session, .nplace = nplace, .nq = (int)nq, .nu = (int)nu};
    CARDO_TRY(CARDO_ALLOCATE(&before, nq, error));
    CARDO_TRY(CARDO_ALLOCATE(&f->coordinates, n * nq, error));
    CARDO_TRY(CARDO_ALLOCATE(&f->compliance, n * nu * nu, error));
    memcpy(f->coordinates, coordinates, n * nq * sizeof *coordinates);
    memcpy(before, cardo_state_q(session->state), nq * sizeof *before);
    status = find_compliances(f, error);
    cardo_state_set_q(session->state, before);
    CARDO_TRY(status);
    CARDO_TRY(cardo_realize(session->system, session->state, CARDO_STAGE_POSITION, error));
    *out = f;
    f = NULL;
done:
    cardo_freezing_destroy(f);
    cardo_free(before);
    return status;
}

static torsions find_torsions(const cardo_freezing *f, int residue)
{
    const cardo_model *model = f->session->model;
    torsions found = {0};
    for (int b = 0; b < model->nbody; ++b) {
        cardo_body_info info;
        if (!model->body[b].torsion || found.n == MOST_TORSIONS ||
            model->structure[0].structure->atom_residue[model->body[b].bond[1]] != residue)
            continue;
        cardo_system_body(f->session->system, b + 1, &info);
        found.q[found.n] = info.q_first;
        found.u[found.n++] = info.u_first;
    }
    return found;
}

/* May it be held? Of backbones those next to a domain, of which they become a part. */
static bool is_candidate(const choosing *c, int residue)
{
    const cardo_structure *s = c->f->session->model->structure[0].structure;
    if (c->turning[residue])
        return true;
    if (!c->giving[residue])
        return false;
    for (int side = -1; side <= 1; side += 2) {
        const int beside = residue + side;
        if (beside >= 0 && beside < s->nresidue &&
            s->residue_chain[beside] == s->residue_chain[residue] && !c->giving[beside])
            return true;
    }
    return false;
}

/* Where torsion k of a residue stands at a place, in the turn that it has at the first one. */
static double stands(const choosing *c, const torsions *of, int k, int place)
{
    const cardo_freezing *f = c->f;
    const double first = f->coordinates[of->q[k]];
    return first + remainder(f->coordinates[place * f->nq + of->q[k]] - first, 2 * CARDO_PI) +
           c->moved[place * f->nu + of->u[k]];
}

/* (G_SS)^-1 of a place. */
static cardo_status find_stiffness(const choosing *c, const torsions *of, int place,
                                   double *inverse, cardo_error *error)
{
    const int nu = c->f->nu;
    const double *G = c->compliance + (size_t)place * (size_t)nu * (size_t)nu;
    double block[MOST_TORSIONS * MOST_TORSIONS];
    memset(inverse, 0, (size_t)of->n * (size_t)of->n * sizeof *inverse);
    for (int a = 0; a < of->n; ++a) {
        for (int b = 0; b < of->n; ++b)
            block[a * of->n + b] = G[of->u[a] * nu + of->u[b]];
        block[a * (of->n + 1)] += no_compliance;
        inverse[a * (of->n + 1)] = 1;
    }
    return cardo_cholesky_solve(of->n, block, of->n, inverse, error);
}

/* The values that cost least in all. */
static cardo_status find_values(const choosing *c, holding *h, const double *stiffness,
                                cardo_error *error)
{
    const torsions *of = &h->of;
    double sum[MOST_TORSIONS * MOST_TORSIONS] = {0};
    memset(h->value, 0, sizeof h->value);
    for (int k = 0; k < c->f->nplace; ++k)
        for (int a = 0; a < of->n; ++a)
            for (int b = 0; b < of->n; ++b) {
                const double by = stiffness[(k * of->n + a) * of->n + b];
                sum[a * of->n + b] += by;
                h->value[a] += by * stands(c, of, b, k);
            }
    return cardo_cholesky_solve(of->n, sum, 1, h->value, error);
}

/* The largest of the levels' rises, as shares of their bounds, with what more costs. */
static double share_of_bounds(const choosing *c, const double *more)
{
    double share = 0;
    for (int j = 0; j < c->nlevel; ++j) {
        double low = HUGE_VAL, high = -HUGE_VAL;
        for (int k = 0; k < c->f->nplace; ++k) {
            const double at = c->level[j].at[k] + c->cost[k] + more[k];
            low = fmin(low, at);
            high = fmax(high, at);
        }
        share = fmax(share, (high - low) / c->level[j].bound);
    }
    return share;
}

/* Where torsions stand at the first place. */
static void take_first_values(const choosing *c, holding *h)
{
    for (int a = 0; a < h->of.n; ++a)
        h->value[a] = stands(c, &h->of, a, 0);
}

/* At the values that cost least, or those of the first place. *known is false where torsions cannot be held by themselves, as those of a loop that has no
 * others left. */
static cardo_status weigh_holding(const choosing *c, int residue, bool as_first, holding *h,
                                  bool *known, cardo_error *error)
{
    cardo_status status;
    double *stiffness = NULL;
    h->of = find_torsions(c->f, residue);
    const int n = h->of.n;
    *known = false;
    CARDO_TRY(CARDO_ALLOCATE(&stiffness, c->f->nplace * n * n + 1, error));
    memset(h->cost, 0, sizeof h->cost);
    for (int k = 0; k < c->f->nplace; ++k)
        if (find_stiffness(c, &h->of, k, stiffness + (size_t)k * (size_t)(n * n), NULL) != CARDO_OK)
            goto done;
    if (as_first)
        take_first_values(c, h);
    else if (n > 0 && find_values(c, h, stiffness, NULL) != CARDO_OK)
        goto done;
    for (int k = 0; k < c->f->nplace; ++k)
        for (int a = 0; a < n; ++a)
            for (int b = 0; b < n; ++b)
                h->cost[k] += 0.5 * (h->value[a] - stands(c, &h->of, a, k)) *
                              stiffness[(k * n + a) * n + b] *
                              (h->value[b] - stands(c, &h->of, b, k));
    h->share = share_of_bounds(c, h->cost);
    *known = isfinite(h->share);
done:
    cardo_free(stiffness);
    return status;
}

/* All else follows, and is stiffer from now on. */
static cardo_status hold(choosing *c, const holding *h, cardo_error *error)
{
    cardo_status status;
    const torsions *of = &h->of;
    const size_t nu = (size_t)c->f->nu, n = (size_t)of->n;
    double stiffness[MOST_TORSIONS * MOST_TORSIONS], load[MOST_TORSIONS], *rows = NULL;
    CARDO_TRY(CARDO_ALLOCATE(&rows, 2 * n * nu + 1, error));
    double *stiffer = rows + n * nu;
    for (int k = 0; k < c->f->nplace; ++k) {
        double *G = c->compliance + (size_t)k * nu * nu, *moved = c->moved + (size_t)k * nu;
        CARDO_TRY(find_stiffness(c, of, k, stiffness, error));
        memset(stiffer, 0, n * nu * sizeof *stiffer);
        for (size_t a = 0; a < n; ++a) {
            memcpy(rows + a * nu, G + (size_t)of->u[a] * nu, nu * sizeof *rows);
            load[a] = 0;
            for (size_t b = 0; b < n; ++b)
                load[a] += stiffness[a * n + b] * (h->value[b] - stands(c, of, (int)b, k));
        }
        for (size_t a = 0; a < n; ++a)
            for (size_t b = 0; b < n; ++b)
                for (size_t j = 0; j < nu; ++j)
                    stiffer[a * nu + j] += stiffness[a * n + b] * rows[b * nu + j];
        for (size_t a = 0; a < n; ++a)
            for (size_t i = 0; i < nu; ++i) {
                moved[i] += load[a] * rows[a * nu + i];
                for (size_t j = 0; j < nu; ++j)
                    G[i * nu + j] -= rows[a * nu + i] * stiffer[a * nu + j];
            }
        c->cost[k] += h->cost[k];
    }
    for (size_t a = 0; a < n; ++a)
        c->held[of->q[a]] = true;
done:
    cardo_free(rows);
    return status;
}

/* The residue that leaves most room, or -1. */
static cardo_status find_next(const choosing *c, holding *best, int *residue, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    const int nresidue = c->f->session->model->structure[0].structure->nresidue;
    *residue = -1;
    best->share = 1;
    for (int r = 0; r < nresidue; ++r) {
        holding h;
        bool known;
        if (!is_candidate(c, r))
            continue;
        CARDO_TRY(weigh_holding(c, r, false, &h, &known, error));
        if (known && h.share <= best->share) {
            *best = h;
            *residue = r;
        }
    }
done:
    return status;
}

static void mark_paths(const cardo_freezing *f, bool *held)
{
    cardo_body_info info;
    for (int b = 0; b < f->session->model->nbody; ++b)
        if (has_path(f, b, &info))
            held[info.q_first] = true;
}

/* The coordinates of a place after what is held has moved all else, with loops closed if they can be. */
static cardo_status follow(const choosing *c, int place, double *q, cardo_error *error)
{
    cardo_status status;
    const cardo_freezing *f = c->f;
    const cardo_session *session = f->session;
    cardo_error found = {0};
    cardo_state_set_q(session->state, f->coordinates + place * f->nq);
    CARDO_TRY(
        cardo_move_along(session->system, session->state, c->moved + place * f->nu, 1, error));
    memcpy(q, cardo_state_q(session->state), (size_t)f->nq * sizeof *q);
    status = cardo_session_close_loops(session, c->held, &found);
    if (status == CARDO_OK)
        memcpy(q, cardo_state_q(session->state), (size_t)f->nq * sizeof *q);
    else if (status == CARDO_ERROR_NUMERICAL)
        status = CARDO_OK;
    else if (error)
        *error = found;
done:
    return status;
}

static cardo_status follow_all(const choosing *c, double *coordinates, cardo_error *error)
{
    cardo_status status;
    const cardo_freezing *f = c->f;
    double *before = NULL;
    CARDO_TRY(CARDO_ALLOCATE(&before, f->nq, error));
    memcpy(before, cardo_state_q(f->session->state), (size_t)f->nq * sizeof *before);
    for (int k = 0; k < f->nplace && status == CARDO_OK; ++k)
        status = follow(c, k, coordinates + (size_t)k * (size_t)f->nq, error);
    cardo_state_set_q(f->session->state, before);
    CARDO_TRY(status);
    status = cardo_realize(f->session->system, f->session->state, CARDO_STAGE_POSITION, error);
done:
    cardo_free(before);
    return status;
}

static void end(choosing *c)
{
    cardo_free(c->compliance);
    cardo_free(c->moved);
    cardo_free(c->cost);
    cardo_free(c->held);
}

static cardo_status begin(choosing *c, cardo_error *error)
{
    cardo_status status;
    const cardo_freezing *f = c->f;
    const size_t nu = (size_t)f->nu, n = (size_t)f->nplace;
    CARDO_TRY(CARDO_ALLOCATE(&c->compliance, n * nu * nu, error));
    CARDO_TRY(CARDO_ALLOCATE(&c->moved, n * nu, error));
    CARDO_TRY(CARDO_ALLOCATE(&c->cost, n, error));
    CARDO_TRY(CARDO_ALLOCATE(&c->held, f->nq, error));
    memcpy(c->compliance, f->compliance, n * nu * nu * sizeof *c->compliance);
    mark_paths(f, c->held);
done:
    return status;
}

cardo_status cardo_freezing_choose(const cardo_freezing *f, int nlevel,
                                   const cardo_frozen_level *level, int most, bool *giving,
                                   bool *turning, cardo_frozen *out, cardo_error *error)
{
    cardo_status status;
    choosing c = {.f = f, .nlevel = nlevel, .level = level, .giving = giving, .turning = turning};
    int residue = 0;
    *out = (cardo_frozen){0};
    assert(nlevel <= CARDO_FROZEN_LEVELS);
    CARDO_TRY(begin(&c, error));
    while (out->n < most && residue >= 0) {
        holding h;
        CARDO_TRY(find_next(&c, &h, &residue, error));
        if (residue < 0)
            break;
        CARDO_TRY(hold(&c, &h, error));
        giving[residue] = turning[residue] = false;
        ++out->n;
    }
    memcpy(out->cost, c.cost, (size_t)f->nplace * sizeof *c.cost);
    CARDO_TRY(CARDO_ALLOCATE(&out->coordinates, (size_t)f->nplace * (size_t)f->nq, error));
    status = follow_all(&c, out->coordinates, error);
done:
    end(&c);
    return status;
}

cardo_status cardo_freezing_weigh(const cardo_freezing *f, int nlevel,
                                  const cardo_frozen_level *level, const bool *giving,
                                  const bool *turning, double *share, cardo_error *error)
{
    cardo_status status;
    choosing c = {.f = f, .nlevel = nlevel, .level = level, .giving = giving, .turning = turning};
    const int nresidue = f->session->model->structure[0].structure->nresidue;
    assert(nlevel <= CARDO_FROZEN_LEVELS);
    CARDO_TRY(begin(&c, error));
    for (int r = 0; r < nresidue; ++r) {
        holding h;
        bool known = false;
        if (giving[r] || turning[r])
            CARDO_TRY(weigh_holding(&c, r, true, &h, &known, error));
        share[r] = known ? h.share : HUGE_VAL;
    }
done:
    end(&c);
    return status;
}
