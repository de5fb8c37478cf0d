/* The lowest modes of systems with many thousand speeds. */
#include "analysis/modes/modes.h"
#include "analysis/modes/network_stiffness.h"
#include "analysis/modes/rigid_motions.h"
#include "base/linalg.h"
#include "base/memory.h"
#include "cardo/manifold.h"
#include "dynamics/coordinates/constrained.h"
#include "dynamics/coordinates/position_rows.h"
#include "multibody/tree/operators.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum {
    MOST_ROUNDS = 30,
    DEPTH = 6, /* blocks of vectors in a round, each the last one times K^-1 M */
    GUARD = 4, /* vectors in a block beside those wanted                       */
};

/* An eigenvalue is good when the last round changed it by less than this share of itself, or of a
 * hundredth of the highest one wanted: far softer ones are rounding of the stiffest springs. */
static const double CONVERGED = 1e-8, SOFT = 1e-2;

/* Of a new vector no less may be left when the basis is taken out. */
static const double LEAST_LEFT = 1e-6;

/* A speed without resistance is held by so many times the largest one. */
static const double HOLD = 1e12;

/* Speeds are base speeds (drop of them), then n inner ones. Without forces on the base it follows
 * from the inner speeds: M_bb u_b + M_bi u_i = 0; so K v = lambda M v of the whole becomes K_ii v =
 * lambda M' v of the inner ones, M' = M_ii - M_ib M_bb^-1 M_bi. */
typedef struct problem {
    const cardo_system *system;
    const cardo_state *state;
    int nu, drop, n, width;   /* width: vectors in a block */
    int size;                 /* vectors in the basis so far */
    double *K;                /* packed, then its factor                     */
    double base_factor[36];   /* M_bb                                        */
    double *x, *kx, *mx;      /* the basis, times K, times M (DEPTH width x n), vectors in rows */
    double *block;            /* a block as it comes from K^-1 M (width x n) */
    double *ritz;             /* best vectors so far (width x n)             */
    double *speeds, *momenta; /* (nu) each                                  */
    double *values, *last;    /* (DEPTH width), (width)                      */
    int nrow, rank;           /* rows of constraints, and the independent ones of them */
    double *tied, *ktied;     /* K^-1 G^T of these made K-orthonormal, and times K (nrow x n) */
} problem;

static cardo_status allocate(problem *p, cardo_error *error)
{
    cardo_status status;
    const size_t n = (size_t)p->n, width = (size_t)p->width;
    CARDO_TRY(CARDO_ALLOCATE(&p->K, n * (n + 1) / 2, error));
    CARDO_TRY(CARDO_ALLOCATE(&p->x, n * width * DEPTH, error));
    CARDO_TRY(CARDO_ALLOCATE(&p->kx, n * width * DEPTH, error));
    CARDO_TRY(CARDO_ALLOCATE(&p->mx, n * width * DEPTH, error));
    CARDO_TRY(CARDO_ALLOCATE(&p->block, n * width, error));
    CARDO_TRY(CARDO_ALLOCATE(&p->ritz, n * width, error));
    CARDO_TRY(CARDO_ALLOCATE(&p->speeds, p->nu, error));
    CARDO_TRY(CARDO_ALLOCATE(&p->momenta, p->nu, error));
    CARDO_TRY(CARDO_ALLOCATE(&p->values, width * DEPTH, error));
    CARDO_TRY(CARDO_ALLOCATE(&p->last, width, error));
    CARDO_TRY(CARDO_ALLOCATE(&p->tied, (size_t)p->nrow * n, error));
    CARDO_TRY(CARDO_ALLOCATE(&p->ktied, (size_t)p->nrow * n, error));
done:
    return status;
}

static void clear(problem *p)
{
    cardo_free(p->K);
    cardo_free(p->x);
    cardo_free(p->kx);
    cardo_free(p->mx);
    cardo_free(p->block);
    cardo_free(p->ritz);
    cardo_free(p->speeds);
    cardo_free(p->momenta);
    cardo_free(p->values);
    cardo_free(p->last);
    cardo_free(p->tied);
    cardo_free(p->ktied);
}

static cardo_status find_base_inertia(problem *p, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    for (int b = 0; b < p->drop && status == CARDO_OK; ++b) {
        memset(p->speeds, 0, (size_t)p->nu * sizeof *p->speeds);
        p->speeds[b] = 1;
        status = cardo_multiply_m(p->system, p->state, p->speeds, p->momenta, error);
        memcpy(p->base_factor + b * p->drop, p->momenta, (size_t)p->drop * sizeof *p->momenta);
    }
    return status;
}

/* The whole's speeds (p->speeds) for inner ones, and their momenta (p->momenta). */
static cardo_status follow(problem *p, const double *inner, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    memset(p->speeds, 0, (size_t)p->nu * sizeof *p->speeds);
    memcpy(p->speeds + p->drop, inner, (size_t)p->n * sizeof *inner);
    CARDO_TRY(cardo_multiply_m(p->system, p->state, p->speeds, p->momenta, error));
    if (p->drop > 0) {
        double M[36], base[6];
        memcpy(M, p->base_factor, sizeof M);
        memcpy(base, p->momenta, (size_t)p->drop * sizeof *base);
        CARDO_TRY(cardo_cholesky_solve(p->drop, M, 1, base, error));
        for (int b = 0; b < p->drop; ++b)
            p->speeds[b] = -base[b];
        CARDO_TRY(cardo_multiply_m(p->system, p->state, p->speeds, p->momenta, error));
    }
done:
    return status;
}

static cardo_status multiply_mass(problem *p, int count, const double *x, double *mx,
                                  cardo_error *error)
{
    cardo_status status = CARDO_OK;
    for (int w = 0; w < count && status == CARDO_OK; ++w) {
        status = follow(p, x + (size_t)w * (size_t)p->n, error);
        memcpy(mx + (size_t)w * (size_t)p->n, p->momenta + p->drop, (size_t)p->n * sizeof *mx);
    }
    return status;
}

/* Rows of constraints that do not depend on others, by the inner speeds, in ktied for now. */
static cardo_status find_rows(problem *p, cardo_error *error)
{
    cardo_status status;
    double *G = NULL, *motions = NULL;
    int *redundant = NULL, count, rank;
    if (p->nrow == 0)
        return CARDO_OK;
    CARDO_TRY(CARDO_ALLOCATE(&motions, CARDO_RIGID_MOTIONS * (size_t)p->nu, error));
    CARDO_TRY(cardo_free_rigid_motions(p->system, p->state, motions, &count, error));
    if (p->drop > 0 && count < CARDO_RIGID_MOTIONS) {
        status = CARDO_FAIL(error, CARDO_ERROR_ARGUMENT,
                            "constraints that hold a free body to ground are not for subspace "
                            "iteration");
        goto done;
    }
    CARDO_TRY(CARDO_ALLOCATE(&G, (size_t)p->nrow * (size_t)p->nu, error));
    CARDO_TRY(cardo_constraint_matrix(p->system, p->state, G, error));
    CARDO_TRY(CARDO_ALLOCATE(&redundant, p->nrow, error));
    CARDO_TRY(cardo_constraint_rank(p->system, p->state, &rank, redundant, error));
    for (int i = 0; i < p->nrow; ++i)
        if (!redundant[i])
            memcpy(p->ktied + (size_t)i * (size_t)p->n, G + (size_t)i * (size_t)p->nu + p->drop,
                   (size_t)p->n * sizeof *G);
done:
    cardo_free(G);
    cardo_free(motions);
    cardo_free(redundant);
    return status;
}

/* Which inner speeds constraints act on. */
static bool is_tied(const problem *p, int inner)
{
    for (int i = 0; i < p->nrow; ++i)
        if (p->ktied[(size_t)i * (size_t)p->n + (size_t)inner] != 0)
            return true;
    return false;
}

/* Holds speeds that move no spring; returns how many. */
static cardo_status hold(problem *p, int *nheld, cardo_error *error)
{
    int *active;
    double largest = 0;
    cardo_status status = CARDO_ALLOCATE(&active, p->nu, error);
    if (status != CARDO_OK)
        return status;
    memset(p->speeds, 0, (size_t)p->nu * sizeof *p->speeds);
    for (int k = 0; k < p->n; ++k) {
        p->speeds[p->drop + k] = p->K[cardo_packed_index(p->n, k, k)];
        largest = fmax(largest, p->speeds[p->drop + k]);
    }
    int n = cardo_modes_active_speeds(p->system, p->speeds, active);
    *nheld = p->nu - n;
    for (int k = p->drop, next = p->drop; k < p->nu; ++k) {
        if (next < n && active[next] == k)
            ++next;
        else if (is_tied(p, k - p->drop))
            --*nheld;
        else
            p->K[cardo_packed_index(p->n, k - p->drop, k - p->drop)] = HOLD * largest;
    }
    cardo_free(active);
    return CARDO_OK;
}

static double *row(const problem *p, double *vectors, int which)
{
    return vectors + (size_t)which * (size_t)p->n;
}

/* Takes out of x what constraints forbid, and out of kx what bears that: G x = 0 of x = K^-1 (kx - G^T l). */
static void untie(const problem *p, double *restrict x, double *restrict kx)
{
    for (int pass = 0; pass < 2; ++pass)
        for (int i = 0; i < p->rank; ++i) {
            const double *restrict tied = row(p, p->tied, i), *restrict ktied = row(p, p->ktied, i);
            const double share = cardo_dot(p->n, x, ktied);
            for (int k = 0; k < p->n; ++k) {
                x[k] -= share * tied[k];
                kx[k] -= share * ktied[k];
            }
        }
}

/* K^-1 G^T of the rows in ktied, K-orthonormal; rows that depend on others are dropped. */
static cardo_status tie(problem *p, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    const size_t bytes = (size_t)p->n * sizeof *p->tied;
    for (int i = 0; i < p->nrow; ++i) {
        double *x = row(p, p->tied, p->rank), *kx = row(p, p->ktied, p->rank);
        memmove(kx, row(p, p->ktied, i), bytes);
        memcpy(x, kx, bytes);
        CARDO_TRY(cardo_packed_solve(p->n, p->K, 1, x, error));
        const double before = cardo_dot(p->n, x, kx);
        untie(p, x, kx);
        const double left = cardo_dot(p->n, x, kx);
        if (!(left > LEAST_LEFT * LEAST_LEFT * before))
            continue;
        for (int k = 0; k < p->n; ++k) {
            x[k] /= sqrt(left);
            kx[k] /= sqrt(left);
        }
        ++p->rank;
    }
done:
    return status;
}

/* Takes the basis out of a vector and of its product with K alike, twice, and makes it a unit. False
 * where so little is left that it would be rounding. */
static bool part_from_basis(const problem *p, double *restrict x, double *restrict kx)
{
    const int n = p->n;
    double size = 1;
    for (int pass = 0; pass < 2; ++pass) {
        const double before = sqrt(cardo_dot(n, x, x));
        for (int v = 0; v < p->size; ++v) {
            const double *restrict other = row(p, p->x, v), *restrict kother = row(p, p->kx, v);
            double share = cardo_dot(n, x, other);
            for (int k = 0; k < n; ++k) {
                x[k] -= share * other[k];
                kx[k] -= share * kother[k];
            }
        }
        const double after = sqrt(cardo_dot(n, x, x));
        size *= after / before;
        if (!(size > LEAST_LEFT))
            return false;
        for (int k = 0; k < n; ++k) {
            x[k] /= after;
            kx[k] /= after;
        }
    }
    return true;
}

/* The best combinations of the basis, after Rayleigh and Ritz: ritz and values. */
static cardo_status combine(problem *p, cardo_error *error)
{
    cardo_status status;
    const int n = p->n, size = p->size;
    double *K = NULL, *M = NULL, *y = NULL;
    CARDO_TRY(CARDO_ALLOCATE(&K, (size_t)size * (size_t)size, error));
    CARDO_TRY(CARDO_ALLOCATE(&M, (size_t)size * (size_t)size, error));
    CARDO_TRY(CARDO_ALLOCATE(&y, (size_t)size * (size_t)size, error));
    for (int v = 0; v < size; ++v)
        for (int w = 0; w <= v; ++w) {
            K[v * size + w] = K[w * size + v] = cardo_dot(n, row(p, p->x, v), row(p, p->kx, w));
            M[v * size + w] = M[w * size + v] = cardo_dot(n, row(p, p->x, v), row(p, p->mx, w));
        }
    CARDO_TRY(cardo_generalized_eigen(size, K, M, size, p->values, y, error));
    memset(p->ritz, 0, (size_t)n * (size_t)p->width * sizeof *p->ritz);
    for (int v = 0; v < p->width && v < size; ++v)
        for (int w = 0; w < size; ++w) {
            double *restrict out = row(p, p->ritz, v);
            const double *restrict x = row(p, p->x, w);
            const double share = y[v * size + w];
            for (int k = 0; k < n; ++k)
                out[k] += share * x[k];
        }
done:
    cardo_free(K);
    cardo_free(M);
    cardo_free(y);
    return status;
}

/* Smooth waves along the chain of coordinates, and some noise: any start that is no eigenvector. */
static void guess(problem *p)
{
    unsigned long long seed = 12345;
    for (int w = 0; w < p->width; ++w)
        for (int k = 0; k < p->n; ++k) {
            seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
            double noise = (double)(seed >> 40) / (1 << 24) - 0.5;
            p->ritz[(size_t)w * (size_t)p->n + (size_t)k] =
                cos(3.141592653589793 * w * (k + 0.5) / p->n) + noise;
        }
}

/* Adds what K^-1 M makes of count vectors, of which the products with M are given, to the basis. */
static cardo_status add_block(problem *p, int count, const double *m_from, cardo_error *error)
{
    cardo_status status;
    const size_t bytes = (size_t)p->n * sizeof *p->x;
    const int first = p->size;
    memcpy(p->block, m_from, bytes * (size_t)count);
    CARDO_TRY(cardo_packed_solve(p->n, p->K, count, p->block, error));
    for (int w = 0; w < count; ++w) {
        double *x = row(p, p->x, p->size), *kx = row(p, p->kx, p->size);
        memcpy(x, row(p, p->block, w), bytes);
        memcpy(kx, m_from + (size_t)w * (size_t)p->n, bytes);
        untie(p, x, kx);
        p->size += part_from_basis(p, x, kx);
    }
    status = multiply_mass(p, p->size - first, row(p, p->x, first), row(p, p->mx, first), error);
done:
    return status;
}

/* Rounds of a few blocks (a short block Krylov space of K^-1 M) from the best vectors so far, until the
 * wanted values stand. */
static cardo_status iterate(problem *p, int count, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    guess(p);
    for (int round = 0; round < MOST_ROUNDS; ++round) {
        p->size = 0;
        /* The place of the last block's products is still free. */
        double *start = row(p, p->mx, (DEPTH - 1) * p->width);
        CARDO_TRY(multiply_mass(p, p->width, p->ritz, start, error));
        CARDO_TRY(add_block(p, p->width, start, error));
        for (int depth = 1, first = 0; depth < DEPTH && p->size > first; ++depth) {
            int latest = p->size - first;
            first = p->size;
            CARDO_TRY(add_block(p, latest, row(p, p->mx, first - latest), error));
        }
        CARDO_TRY(combine(p, error));
        double change = 0;
        for (int m = 0; m < count && m < p->size; ++m)
            change = fmax(change, fabs(p->values[m] - p->last[m]) /
                                      fmax(fabs(p->values[m]), SOFT * p->values[count - 1]));
        memcpy(p->last, p->values, (size_t)p->width * sizeof *p->last);
        if (change < CONVERGED)
            return CARDO_OK;
    }
    status = CARDO_FAIL(error, CARDO_ERROR_NUMERICAL,
                        "the lowest %d modes of %d speeds do not stand after %d rounds of subspace "
                        "iteration: ask for a few more or fewer",
                        count, p->n, MOST_ROUNDS);
done:
    return status;
}

static cardo_status deliver(problem *p, cardo_modes *modes, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    modes->nrigid = p->drop;
    for (int b = 0; b < p->drop; ++b)
        modes->speed[(size_t)b * (size_t)p->nu + (size_t)b] = 1;
    for (int m = p->drop; m < modes->count; ++m) {
        double *speed = modes->speed + (size_t)m * (size_t)p->nu;
        CARDO_TRY(follow(p, p->ritz + (size_t)(m - p->drop) * (size_t)p->n, error));
        double scale = 1 / sqrt(cardo_dot(p->nu, p->speeds, p->momenta));
        for (int k = 0; k < p->nu; ++k)
            speed[k] = scale * p->speeds[k];
        modes->eigenvalue[m] = p->values[m - p->drop];
    }
done:
    return status;
}

static int base_speeds(const cardo_system *system)
{
    cardo_body_info info;
    cardo_system_body(system, 1, &info);
    return info.mobilizer == &cardo_mobilizer_free ? info.nu : 0;
}

cardo_status cardo_modes_create_large(const cardo_system *system, const cardo_state *state,
                                      const cardo_spring_network *network, const int *station,
                                      int count, cardo_modes **out, cardo_error *error)
{
    cardo_status status;
    cardo_modes *modes = NULL;
    problem p = {.system = system, .state = state, .nu = cardo_system_nu(system)};
    *out = NULL;
    p.drop = base_speeds(system);
    p.n = p.nu - p.drop;
    p.nrow = cardo_constraint_row_count(system);
    CARDO_TRY(cardo_require_position_rows(system, state, "a normal mode", error));
    const int wanted = count - p.drop;
    p.width = wanted + GUARD;
    if (wanted < 1 || DEPTH * p.width > p.n - p.nrow)
        return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT,
                          "%d modes of %d speeds are not for subspace iteration", count, p.nu);
    CARDO_TRY(CARDO_ALLOCATE(&modes, 1, error));
    modes->nu = p.nu;
    CARDO_TRY(cardo_mode_freedoms(system, state, &modes->freedoms, error));
    modes->count = count;
    CARDO_TRY(CARDO_ALLOCATE(&modes->eigenvalue, count, error));
    CARDO_TRY(CARDO_ALLOCATE(&modes->speed, (size_t)count * (size_t)p.nu, error));
    CARDO_TRY(allocate(&p, error));
    CARDO_TRY(find_base_inertia(&p, error));
    CARDO_TRY(cardo_network_stiffness_packed(system, state, network, station, p.drop, p.K, error));
    CARDO_TRY(find_rows(&p, error));
    CARDO_TRY(hold(&p, &modes->nheld, error));
    CARDO_TRY(cardo_packed_cholesky(p.n, p.K, error));
    CARDO_TRY(tie(&p, error));
    CARDO_TRY(iterate(&p, wanted, error));
    CARDO_TRY(deliver(&p, modes, error));
    *out = modes;
    modes = NULL;
done:
    cardo_modes_destroy(modes);
    clear(&p);
    return status;
}
