#include "analysis/modes/modes.h"

#include "analysis/modes/constrained_modes.h"
#include "analysis/modes/rigid_motions.h"
#include "base/linalg.h"
#include "base/memory.h"
#include "base/units.h"
#include "dynamics/coordinates/constrained.h"
#include "multibody/tree/operators.h"

#include <math.h>
#include <string.h>

/* The largest eigenvalue is no less than this. */
static double largest_rate(int n, const double *K, const double *M)
{
    double most = 0;
    for (int k = 0; k < n; ++k)
        most =
            fmax(most, K[(size_t)k * (size_t)n + (size_t)k] / M[(size_t)k * (size_t)n + (size_t)k]);
    return most;
}

/* Rows and columns of A (n x n) that are in the list (m, rising), in place as m x m. */
static void compress(int n, int m, const int *list, double *A)
{
    for (size_t r = 0; r < (size_t)m; ++r)
        for (size_t c = 0; c < (size_t)m; ++c)
            A[r * (size_t)m + c] = A[(size_t)list[r] * (size_t)n + (size_t)list[c]];
}

/* Puts the m numbers of each row in their places among n, the others zero; last rows first. */
static void expand(int n, int m, const int *list, int rows, double *vectors)
{
    for (int v = rows - 1; v >= 0; --v) {
        const double *from = vectors + (size_t)v * (size_t)m;
        double *to = vectors + (size_t)v * (size_t)n;
        for (int k = n - 1, held = m - 1; k >= 0; --k)
            to[k] = held >= 0 && list[held] == k ? from[held--] : 0;
    }
}

/* What is solved for: the speeds in the list, with the first free body standing still where the whole
 * can move as one; that body's speeds follow, since no mode has any momentum. */
typedef struct reduction {
    int nu, nrigid, n;
    int *active;           /* speeds solved for                     (n of nu)      */
    double *rigid;         /* speeds of the whole's rigid motions   (nrigid x nu)  */
    double *rigid_momenta; /* M times these                         (nrigid x nu)  */
} reduction;

static void reduction_clear(reduction *r)
{
    cardo_free(r->active);
    cardo_free(r->rigid);
    cardo_free(r->rigid_momenta);
}

static cardo_status reduce(const cardo_system *system, const cardo_state *state, bool invariant,
                           const double *K, reduction *r, cardo_error *error)
{
    cardo_status status;
    double *diagonal = NULL;
    const size_t nu = (size_t)r->nu;
    r->nrigid = invariant ? cardo_rigid_motion_count(system) : 0;
    CARDO_TRY(CARDO_ALLOCATE(&diagonal, nu, error));
    CARDO_TRY(CARDO_ALLOCATE(&r->active, nu, error));
    for (size_t k = 0; k < nu; ++k)
        diagonal[k] = K[k * nu + k];
    r->n = cardo_modes_active_speeds(system, diagonal, r->active);
    if (r->nrigid > 0) {
        CARDO_TRY(CARDO_ALLOCATE(&r->rigid, (size_t)r->nrigid * nu, error));
        CARDO_TRY(CARDO_ALLOCATE(&r->rigid_momenta, (size_t)r->nrigid * nu, error));
        CARDO_TRY(cardo_rigid_motions(system, state, r->rigid, error));
        for (size_t k = 0; k < (size_t)r->nrigid; ++k)
            CARDO_TRY(cardo_multiply_m(system, state, r->rigid + k * nu, r->rigid_momenta + k * nu,
                                       error));
        const int base = cardo_rigid_motion_base(system);
        int kept = 0;
        for (int k = 0; k < r->n; ++k)
            if (r->active[k] < base || r->active[k] >= base + r->nrigid)
                r->active[kept++] = r->active[k];
        r->n = kept;
    }
done:
    cardo_free(diagonal);
    return status;
}

/* The mass that the speeds solved for meet when the whole keeps no momentum: M - (M R)(M R)^T with
 * M-orthonormal rigid motions R. M: n x n already. */
static void take_out_momentum(const reduction *r, double *M)
{
    for (size_t a = 0; a < (size_t)r->n; ++a)
        for (size_t b = 0; b < (size_t)r->n; ++b)
            for (size_t k = 0; k < (size_t)r->nrigid; ++k) {
                const double *p = r->rigid_momenta + k * (size_t)r->nu;
                M[a * (size_t)r->n + b] -= p[r->active[a]] * p[r->active[b]];
            }
}

/* Takes the rigid motions out of a mode of which the speeds solved for are given. */
static void let_follow(const reduction *r, double *speeds)
{
    for (size_t k = 0; k < (size_t)r->nrigid; ++k) {
        const double *rigid = r->rigid + k * (size_t)r->nu,
                     *p = r->rigid_momenta + k * (size_t)r->nu;
        double part = 0;
        for (int a = 0; a < r->nu; ++a)
            part += p[a] * speeds[a];
        for (int a = 0; a < r->nu; ++a)
            speeds[a] -= part * rigid[a];
    }
}

static cardo_status solve(const cardo_system *system, const cardo_state *state, double *K,
                          const reduction *r, cardo_modes *modes, cardo_error *error)
{
    cardo_status status;
    const int nu = modes->nu, n = r->n, wanted = modes->count - r->nrigid;
    const int inner = wanted < n ? wanted : n;
    double *M = NULL, *root = NULL, *first = modes->speed + (size_t)r->nrigid * (size_t)nu;
    CARDO_TRY(CARDO_ALLOCATE(&root, nu, error));
    CARDO_TRY(CARDO_ALLOCATE(&M, (size_t)nu * (size_t)nu, error));
    CARDO_TRY(cardo_mass_matrix(system, state, M, error));
    compress(nu, n, r->active, K);
    compress(nu, n, r->active, M);
    take_out_momentum(r, M);
    modes->nheld = nu - r->nrigid - n;
    modes->nrigid = r->nrigid;
    modes->count = r->nrigid + inner;
    if (r->nrigid > 0)
        memcpy(modes->speed, r->rigid, (size_t)r->nrigid * (size_t)nu * sizeof *first);
    if (inner == 0)
        goto done;
    const double scale = largest_rate(n, K, M);
    for (size_t a = 0; a < (size_t)n; ++a)
        root[a] = sqrt(fabs(K[a * (size_t)n + a]));
    CARDO_TRY(cardo_generalized_eigen(n, K, M, inner, modes->eigenvalue + r->nrigid, first, error));
    modes->nrigid +=
        cardo_modes_count_stiffless(n, inner, scale, root, modes->eigenvalue + r->nrigid, first);
    expand(nu, n, r->active, inner, first);
    for (int m = 0; m < inner; ++m)
        let_follow(r, first + (size_t)m * (size_t)nu);
done:
    cardo_free(root);
    cardo_free(M);
    return status;
}

cardo_status cardo_modes_create(const cardo_system *system, const cardo_state *state, double *K,
                                bool invariant, int count, cardo_modes **out, cardo_error *error)
{
    cardo_status status;
    cardo_modes *modes = NULL;
    const int nu = cardo_system_nu(system);
    reduction r = {.nu = nu};
    *out = NULL;
    if (cardo_constraint_row_count(system) > 0)
        return cardo_modes_create_constrained(system, state, K, invariant, count, out, error);
    if (count < 1 || count > nu)
        return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT,
                          "a system of %d degrees of freedom has 1 to %d modes, not %d", nu, nu,
                          count);
    CARDO_TRY(reduce(system, state, invariant, K, &r, error));
    if (count < r.nrigid)
        count = r.nrigid;
    CARDO_TRY(CARDO_ALLOCATE(&modes, 1, error));
    modes->nu = modes->freedoms = nu;
    modes->count = count;
    CARDO_TRY(CARDO_ALLOCATE(&modes->eigenvalue, count, error));
    CARDO_TRY(CARDO_ALLOCATE(&modes->speed, (size_t)count * (size_t)nu, error));
    CARDO_TRY(solve(system, state, K, &r, modes, error));
    *out = modes;
    modes = NULL;
done:
    reduction_clear(&r);
    cardo_modes_destroy(modes);
    return status;
}

double cardo_mode_frequency(double eigenvalue)
{
    return copysign(sqrt(fabs(eigenvalue)), eigenvalue) / (2 * CARDO_PI);
}

double cardo_mode_wavenumber(double eigenvalue)
{
    const double light = 2.99792458e-2; /* cm/ps */
    return cardo_mode_frequency(eigenvalue) / light;
}

cardo_status cardo_mode_displacement(const cardo_system *system, const cardo_state *state,
                                     const cardo_modes *modes, int mode, double *displacement,
                                     cardo_error *error)
{
    return cardo_multiply_station_j(system, state, modes->speed + (size_t)mode * (size_t)modes->nu,
                                    displacement, error);
}

/* Of displacements of n stations. */
static double dot(int n, const double *a, const double *b)
{
    return cardo_dot(3 * n, a, b);
}

double cardo_mode_collectivity(int n, const double *displacement)
{
    double total = dot(n, displacement, displacement), entropy = 0;
    for (int i = 0; i < n && total > 0; ++i) {
        double share = dot(1, displacement + 3 * (size_t)i, displacement + 3 * (size_t)i) / total;
        if (share > 0)
            entropy -= share * log(share);
    }
    return exp(entropy) / n;
}

double cardo_mode_overlap(int n, const double *a, const double *b)
{
    double size = sqrt(dot(n, a, a) * dot(n, b, b));
    return size > 0 ? fabs(dot(n, a, b)) / size : 0;
}

void cardo_mode_orthonormalize(int n, int count, double *displacement)
{
    const size_t row = 3 * (size_t)n;
    for (int m = 0; m < count; ++m) {
        double *own = displacement + row * (size_t)m, before = dot(n, own, own);
        /* Twice: once leaves the rounding of near-parallel rows. */
        for (int pass = 0; pass < 2; ++pass)
            for (int k = 0; k < m; ++k) {
                const double *other = displacement + row * (size_t)k;
                double part = dot(n, own, other);
                for (size_t i = 0; i < row; ++i)
                    own[i] -= part * other[i];
            }
        double after = dot(n, own, own), scale = after > 1e-20 * before ? 1 / sqrt(after) : 0;
        for (size_t i = 0; i < row; ++i)
            own[i] *= scale;
    }
}

double cardo_mode_subspace_overlap(int n, int count_a, const double *a, int count_b,
                                   const double *b)
{
    const size_t row = 3 * (size_t)n;
    const int fewer = count_a < count_b ? count_a : count_b;
    double sum = 0;
    for (int m = 0; m < count_a; ++m)
        for (int k = 0; k < count_b; ++k) {
            double part = dot(n, a + row * (size_t)m, b + row * (size_t)k);
            sum += part * part;
        }
    return fewer > 0 ? sqrt(sum / fewer) : 0;
}

void cardo_mode_cumulative_overlap(int n, int count, const double *displacement, const double *b,
                                   double *cumulative)
{
    const size_t row = 3 * (size_t)n;
    double size = dot(n, b, b), projected = 0;
    for (int m = 0; m < count; ++m) {
        double part = dot(n, displacement + row * (size_t)m, b);
        projected += part * part;
        cumulative[m] = size > 0 ? sqrt(projected / size) : 0;
    }
}
