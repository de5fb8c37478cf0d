/* The lowest modes of systems with many thousand speeds. */
#include "analysis/modes.h"
#include "analysis/network_stiffness.h"
#include "base/linalg.h"
#include "base/memory.h"
#include "multibody/operators.h"

#include <math.h>
#include <string.h>

enum { MOST_ROUNDS = 60, GUARD = 12 /* vectors beside those wanted, at least */ };

/* An eigenvalue is good when the last round changed it by less than this share. */
static const double CONVERGED = 1e-10;

/* A speed without resistance is held by so many times the largest one. */
static const double HOLD = 1e12;

/* Speeds are base speeds (drop of them), then n inner ones. Without forces on the base it follows
 * from the inner speeds: M_bb u_b + M_bi u_i = 0; so K v = lambda M v of the whole becomes K_ii v =
 * lambda M' v of the inner ones, M' = M_ii - M_ib M_bb^-1 M_bi. */
typedef struct problem {
    const cardo_system *system;
    const cardo_state *state;
    int nu, drop, n, width;   /* width: vectors in the subspace */
    double *K;                /* packed, then its factor                     */
    double base_factor[36];   /* M_bb                                        */
    double *x, *mx, *ritz;    /* (width x n) each, vectors in rows            */
    double *speeds, *momenta; /* (nu) each                                  */
    double *values, *last;    /* (width)                                     */
} problem;

static cardo_status allocate(problem *p, cardo_error *error)
{
    cardo_status status;
    const size_t n = (size_t)p->n, width = (size_t)p->width;
    CARDO_TRY(CARDO_ALLOCATE(&p->K, n * (n + 1) / 2, error));
    CARDO_TRY(CARDO_ALLOCATE(&p->x, n * width, error));
    CARDO_TRY(CARDO_ALLOCATE(&p->mx, n * width, error));
    CARDO_TRY(CARDO_ALLOCATE(&p->ritz, n * width, error));
    CARDO_TRY(CARDO_ALLOCATE(&p->speeds, p->nu, error));
    CARDO_TRY(CARDO_ALLOCATE(&p->momenta, p->nu, error));
    CARDO_TRY(CARDO_ALLOCATE(&p->values, width, error));
    CARDO_TRY(CARDO_ALLOCATE(&p->last, width, error));
done:
    return status;
}

static void clear(problem *p)
{
    cardo_free(p->K);
    cardo_free(p->x);
    cardo_free(p->mx);
    cardo_free(p->ritz);
    cardo_free(p->speeds);
    cardo_free(p->momenta);
    cardo_free(p->values);
    cardo_free(p->last);
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

static cardo_status multiply_mass(problem *p, const double *x, double *mx, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    for (int w = 0; w < p->width && status == CARDO_OK; ++w) {
        status = follow(p, x + (size_t)w * (size_t)p->n, error);
        memcpy(mx + (size_t)w * (size_t)p->n, p->momenta + p->drop, (size_t)p->n * sizeof *mx);
    }
    return status;
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
    for (int k = p->drop, next = p->drop; k < p->nu; ++k) {
        if (next < n && active[next] == k)
            ++next;
        else
            p->K[cardo_packed_index(p->n, k - p->drop, k - p->drop)] = HOLD * largest;
    }
    *nheld = p->nu - n;
    cardo_free(active);
    return CARDO_OK;
}

static double dot(int n, const double *a, const double *b)
{
    double sum = 0;
    for (int k = 0; k < n; ++k)
        sum += a[k] * b[k];
    return sum;
}

/* Gram and Schmidt, twice, over x; K x (in ritz) goes along. Solutions lean towards the softest modes so
 * far that products of them as they are would be singular to rounding. */
static void part(problem *p)
{
    const int n = p->n;
    for (int w = 0; w < p->width; ++w) {
        double *x = p->x + (size_t)w * (size_t)n, *kx = p->ritz + (size_t)w * (size_t)n;
        for (int pass = 0; pass < 2; ++pass) {
            for (int v = 0; v < w; ++v) {
                const double *other = p->x + (size_t)v * (size_t)n;
                const double *kother = p->ritz + (size_t)v * (size_t)n;
                double share = dot(n, x, other);
                for (int k = 0; k < n; ++k) {
                    x[k] -= share * other[k];
                    kx[k] -= share * kother[k];
                }
            }
            double scale = 1 / sqrt(dot(n, x, x));
            for (int k = 0; k < n; ++k) {
                x[k] *= scale;
                kx[k] *= scale;
            }
        }
    }
}

/* The best combinations of x, given K x (in ritz) and M x: ritz and values. */
static cardo_status combine(problem *p, cardo_error *error)
{
    cardo_status status;
    const int n = p->n, width = p->width;
    double *K = NULL, *M = NULL, *y = NULL;
    CARDO_TRY(CARDO_ALLOCATE(&K, (size_t)width * (size_t)width, error));
    CARDO_TRY(CARDO_ALLOCATE(&M, (size_t)width * (size_t)width, error));
    CARDO_TRY(CARDO_ALLOCATE(&y, (size_t)width * (size_t)width, error));
    for (int v = 0; v < width; ++v)
        for (int w = 0; w < width; ++w) {
            const double *x = p->x + (size_t)v * (size_t)n;
            K[v * width + w] = dot(n, x, p->ritz + (size_t)w * (size_t)n);
            M[v * width + w] = dot(n, x, p->mx + (size_t)w * (size_t)n);
        }
    CARDO_TRY(cardo_generalized_eigen(width, K, M, width, p->values, y, error));
    for (int v = 0; v < width; ++v) {
        double *out = p->ritz + (size_t)v * (size_t)n;
        memset(out, 0, (size_t)n * sizeof *out);
        for (int w = 0; w < width; ++w) {
            const double *x = p->x + (size_t)w * (size_t)n, part = y[v * width + w];
            for (int k = 0; k < n; ++k)
                out[k] += part * x[k];
        }
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

/* Rounds of K x' = M x with Rayleigh and Ritz's combination, until the wanted values stand. */
static cardo_status iterate(problem *p, int count, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    const size_t size = (size_t)p->n * (size_t)p->width * sizeof *p->x;
    guess(p);
    for (int round = 0; round < MOST_ROUNDS; ++round) {
        memcpy(p->x, p->ritz, size);
        CARDO_TRY(multiply_mass(p, p->x, p->mx, error));
        memcpy(p->ritz, p->mx, size); /* K x' once x' is found */
        memcpy(p->x, p->mx, size);
        CARDO_TRY(cardo_packed_solve(p->n, p->K, p->width, p->x, error));
        part(p);
        CARDO_TRY(multiply_mass(p, p->x, p->mx, error));
        CARDO_TRY(combine(p, error));
        double change = 0;
        for (int m = 0; m < count; ++m)
            change = fmax(change, fabs(p->values[m] - p->last[m]) / p->values[m]);
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
        double scale = 1 / sqrt(dot(p->nu, p->speeds, p->momenta));
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
    const int wanted = count - p.drop;
    p.width = 2 * wanted > wanted + GUARD ? 2 * wanted : wanted + GUARD;
    if (wanted < 1 || p.width > p.n)
        return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT,
                          "%d modes of %d speeds are not for subspace iteration", count, p.nu);
    CARDO_TRY(CARDO_ALLOCATE(&modes, 1, error));
    modes->nu = p.nu;
    modes->count = count;
    CARDO_TRY(CARDO_ALLOCATE(&modes->eigenvalue, count, error));
    CARDO_TRY(CARDO_ALLOCATE(&modes->speed, (size_t)count * (size_t)p.nu, error));
    CARDO_TRY(allocate(&p, error));
    CARDO_TRY(find_base_inertia(&p, error));
    CARDO_TRY(cardo_network_stiffness_packed(system, state, network, station, p.drop, p.K, error));
    CARDO_TRY(hold(&p, &modes->nheld, error));
    CARDO_TRY(cardo_packed_cholesky(p.n, p.K, error));
    CARDO_TRY(iterate(&p, wanted, error));
    CARDO_TRY(deliver(&p, modes, error));
    *out = modes;
    modes = NULL;
done:
    cardo_modes_destroy(modes);
    clear(&p);
    return status;
}
