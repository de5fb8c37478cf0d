#include "analysis/modes/constrained_modes.h"

#include "analysis/modes/rigid_motions.h"
#include "base/linalg.h"
#include "base/memory.h"
#include "cardo/manifold.h"
#include "dynamics/coordinates/position_rows.h"
#include "multibody/algebra/reflections.h"
#include "multibody/tree/operators.h"

#include <math.h>
#include <string.h>

/* Of what modes may not have no less is left beside the rest of it. */
static const double LEAST_OWN = 1e-9;

/* What modes are made of: free speeds in which nothing is held and the whole has no momentum. */
typedef struct subspace {
    const cardo_system *system;
    const cardo_state *state;
    int nu, freedoms, nrigid, nheld, n;
    double *rigid;  /* rigid motions of the whole that constraints leave       (6 x nu)        */
    double *free;   /* the basis of free speeds                                (nu x freedoms) */
    double *speeds; /* the subspace's, M-orthonormal, in rows                  (n x nu)        */
    double *
        still; /* the same with the first body on ground at rest where the whole can move as one (n x nu) */
    int *held; /* speeds without resistance that no constraint acts on    (nheld of nu)   */
} subspace;

static void clear(subspace *s)
{
    cardo_free(s->rigid);
    cardo_free(s->free);
    cardo_free(s->speeds);
    cardo_free(s->still);
    cardo_free(s->held);
}

/* Speeds without resistance but those that constraints act on. */
static cardo_status find_held(subspace *s, const double *K, cardo_error *error)
{
    cardo_status status;
    const size_t nu = (size_t)s->nu;
    double *diagonal = NULL, *G = NULL;
    int *active = NULL;
    cardo_constraint_counts counts;
    cardo_system_constraint_counts(s->system, &counts);
    CARDO_TRY(CARDO_ALLOCATE(&diagonal, nu, error));
    CARDO_TRY(CARDO_ALLOCATE(&active, nu, error));
    CARDO_TRY(CARDO_ALLOCATE(&G, (size_t)counts.nrow * nu, error));
    CARDO_TRY(cardo_constraint_matrix(s->system, s->state, G, error));
    for (size_t k = 0; k < nu; ++k)
        diagonal[k] = K[k * nu + k];
    const int nactive = cardo_modes_active_speeds(s->system, diagonal, active);
    for (int k = 0, next = 0; k < s->nu; ++k) {
        bool tied = false;
        for (size_t i = 0; i < (size_t)counts.nrow; ++i)
            tied = tied || G[i * nu + (size_t)k] != 0;
        if (next < nactive && active[next] == k)
            ++next;
        else if (!tied)
            s->held[s->nheld++] = k;
    }
done:
    cardo_free(diagonal);
    cardo_free(active);
    cardo_free(G);
    return status;
}

/* What a combination of free speeds may not have, in rows: held speeds, and momentum of the whole. */
static cardo_status find_forbidden(const subspace *s, double *rows, cardo_error *error)
{
    double *momenta;
    const size_t nu = (size_t)s->nu, freedoms = (size_t)s->freedoms;
    cardo_status status = CARDO_ALLOCATE(&momenta, nu, error);
    for (int h = 0; h < s->nheld; ++h)
        memcpy(rows + (size_t)h * freedoms, s->free + (size_t)s->held[h] * freedoms,
               freedoms * sizeof *rows);
    for (int r = 0; r < s->nrigid && status == CARDO_OK; ++r) {
        double *row = rows + (size_t)(s->nheld + r) * freedoms;
        status = cardo_multiply_m(s->system, s->state, s->rigid + (size_t)r * nu, momenta, error);
        memset(row, 0, freedoms * sizeof *row);
        for (size_t k = 0; k < nu; ++k)
            for (size_t j = 0; j < freedoms; ++j)
                row[j] += momenta[k] * s->free[k * freedoms + j];
    }
    cardo_free(momenta);
    return status;
}

/* Speeds that are orthogonal to all that is forbidden. */
static cardo_status find_speeds(subspace *s, cardo_error *error)
{
    cardo_status status;
    cardo_reflections basis = {0};
    double *rows = NULL, *share = NULL;
    const int nforbidden = s->nheld + s->nrigid;
    const size_t nu = (size_t)s->nu, freedoms = (size_t)s->freedoms;
    CARDO_TRY(CARDO_ALLOCATE(&rows, (size_t)nforbidden * freedoms, error));
    CARDO_TRY(CARDO_ALLOCATE(&share, freedoms, error));
    CARDO_TRY(cardo_reflections_open(&basis, s->freedoms, nforbidden, error));
    CARDO_TRY(find_forbidden(s, rows, error));
    cardo_reflections_factor(&basis, nforbidden, rows, LEAST_OWN);
    s->n = s->freedoms - basis.rank;
    CARDO_TRY(CARDO_ALLOCATE(&s->speeds, (size_t)s->n * nu, error));
    for (int j = 0; j < s->n; ++j) {
        memset(share, 0, freedoms * sizeof *share);
        share[basis.rank + j] = 1;
        cardo_reflections_apply(&basis, share);
        for (size_t k = 0; k < nu; ++k)
            s->speeds[(size_t)j * nu + k] = cardo_dot(s->freedoms, s->free + k * freedoms, share);
    }
done:
    cardo_reflections_clear(&basis);
    cardo_free(rows);
    cardo_free(share);
    return status;
}

/* The stiffness of a motion is that of the same seen from the first body on ground, whose rows K need not have. */
static cardo_status let_stand(subspace *s, cardo_error *error)
{
    enum { ALL = CARDO_RIGID_MOTIONS };
    cardo_status status;
    const size_t nu = (size_t)s->nu;
    CARDO_TRY(CARDO_ALLOCATE(&s->still, (size_t)s->n * nu, error));
    if (s->n > 0)
        memcpy(s->still, s->speeds, (size_t)s->n * nu * sizeof *s->still);
    if (s->nrigid < ALL)
        return CARDO_OK;
    const size_t base = (size_t)cardo_rigid_motion_base(s->system);
    for (int j = 0; j < s->n; ++j) {
        double A[ALL * ALL], share[ALL], *own = s->still + (size_t)j * nu;
        int rank;
        for (size_t k = 0; k < ALL; ++k) {
            share[k] = own[base + k];
            for (size_t r = 0; r < ALL; ++r)
                A[k * ALL + r] = s->rigid[r * nu + base + k];
        }
        CARDO_TRY(cardo_least_squares(ALL, ALL, A, share, 1e-14, &rank, error));
        for (size_t r = 0; r < ALL; ++r)
            for (size_t k = 0; k < nu; ++k)
                own[k] -= share[r] * s->rigid[r * nu + k];
        memset(own + base, 0, ALL * sizeof *own);
    }
done:
    return status;
}

static cardo_status find_subspace(subspace *s, const double *K, bool invariant, cardo_error *error)
{
    cardo_status status;
    const size_t nu = (size_t)s->nu;
    CARDO_TRY(CARDO_ALLOCATE(&s->free, nu * nu, error));
    CARDO_TRY(CARDO_ALLOCATE(&s->rigid, CARDO_RIGID_MOTIONS * nu, error));
    CARDO_TRY(CARDO_ALLOCATE(&s->held, nu, error));
    CARDO_TRY(cardo_free_basis(s->system, s->state, s->free, &s->freedoms, error));
    if (invariant)
        CARDO_TRY(cardo_free_rigid_motions(s->system, s->state, s->rigid, &s->nrigid, error));
    CARDO_TRY(find_held(s, K, error));
    CARDO_TRY(find_speeds(s, error));
    status = let_stand(s, error);
done:
    return status;
}

/* k = S K S^T of the subspace (n x n). */
static cardo_status reduce(const subspace *s, const double *K, double *k, cardo_error *error)
{
    double *pull;
    const size_t nu = (size_t)s->nu, n = (size_t)s->n;
    cardo_status status = CARDO_ALLOCATE(&pull, nu, error);
    for (size_t i = 0; i < n && status == CARDO_OK; ++i) {
        for (size_t a = 0; a < nu; ++a)
            pull[a] = cardo_dot(s->nu, K + a * nu, s->still + i * nu);
        for (size_t j = 0; j <= i; ++j)
            k[i * n + j] = k[j * n + i] = cardo_dot(s->nu, s->still + j * nu, pull);
    }
    cardo_free(pull);
    return status;
}

/* Sums of the subspace's rows, with their entry of largest size in the speeds positive. */
static void expand(const subspace *s, int nmode, const double *share, const double *rows,
                   double *modes)
{
    const size_t nu = (size_t)s->nu, n = (size_t)s->n;
    for (size_t m = 0; m < (size_t)nmode; ++m) {
        double *own = modes + m * nu, largest = 0;
        memset(own, 0, nu * sizeof *own);
        for (size_t j = 0; j < n; ++j)
            for (size_t k = 0; k < nu; ++k)
                own[k] += share[m * n + j] * rows[j * nu + k];
        for (size_t k = 0; k < nu; ++k)
            if (fabs(own[k]) > fabs(largest))
                largest = own[k];
        for (size_t k = 0; k < nu && largest < 0; ++k)
            own[k] = -own[k];
    }
}

static cardo_status solve(const subspace *s, const double *K, int inner, cardo_modes *modes,
                          cardo_error *error)
{
    cardo_status status;
    const size_t nu = (size_t)s->nu, n = (size_t)s->n;
    double *k = NULL, *unit = NULL, *share = NULL, *still = NULL, *root = NULL, scale = 0;
    double *first = modes->speed + (size_t)s->nrigid * nu, *value = modes->eigenvalue + s->nrigid;
    CARDO_TRY(CARDO_ALLOCATE(&k, n * n, error));
    CARDO_TRY(CARDO_ALLOCATE(&unit, n * n, error));
    CARDO_TRY(CARDO_ALLOCATE(&share, (size_t)inner * n, error));
    CARDO_TRY(CARDO_ALLOCATE(&still, (size_t)inner * nu, error));
    CARDO_TRY(CARDO_ALLOCATE(&root, nu, error));
    CARDO_TRY(reduce(s, K, k, error));
    for (size_t i = 0; i < n; ++i) {
        unit[i * n + i] = 1;
        scale = fmax(scale, k[i * n + i]);
    }
    for (size_t a = 0; a < nu; ++a)
        root[a] = sqrt(fabs(K[a * nu + a]));
    CARDO_TRY(cardo_generalized_eigen(s->n, k, unit, inner, value, share, error));
    expand(s, inner, share, s->speeds, first);
    expand(s, inner, share, s->still, still);
    modes->nrigid += cardo_modes_count_stiffless(s->nu, inner, scale, root, value, still);
done:
    cardo_free(k);
    cardo_free(unit);
    cardo_free(share);
    cardo_free(still);
    cardo_free(root);
    return status;
}

cardo_status cardo_modes_create_constrained(const cardo_system *system, const cardo_state *state,
                                            const double *K, bool invariant, int count,
                                            cardo_modes **out, cardo_error *error)
{
    cardo_status status;
    cardo_modes *modes = NULL;
    subspace s = {.system = system, .state = state, .nu = cardo_system_nu(system)};
    const size_t nu = (size_t)s.nu;
    CARDO_TRY(cardo_require_position_rows(system, state, "a normal mode", error));
    CARDO_TRY(find_subspace(&s, K, invariant, error));
    if (s.freedoms == 0) {
        status = CARDO_FAIL(error, CARDO_ERROR_ARGUMENT,
                            "constraints leave no degree of freedom: there are no modes");
        goto done;
    }
    if (count < 1 || count > s.freedoms) {
        status = CARDO_FAIL(error, CARDO_ERROR_ARGUMENT,
                            "constraints leave %d degrees of freedom: there are 1 to %d modes, not "
                            "%d",
                            s.freedoms, s.freedoms, count);
        goto done;
    }
    const int wanted = count > s.nrigid ? count - s.nrigid : 0, inner = wanted < s.n ? wanted : s.n;
    CARDO_TRY(CARDO_ALLOCATE(&modes, 1, error));
    modes->nu = s.nu;
    modes->freedoms = s.freedoms;
    modes->nheld = s.nheld;
    modes->nrigid = s.nrigid;
    modes->count = s.nrigid + inner;
    CARDO_TRY(CARDO_ALLOCATE(&modes->eigenvalue, modes->count, error));
    CARDO_TRY(CARDO_ALLOCATE(&modes->speed, (size_t)modes->count * nu, error));
    if (s.nrigid > 0)
        memcpy(modes->speed, s.rigid, (size_t)s.nrigid * nu * sizeof *s.rigid);
    if (inner > 0)
        CARDO_TRY(solve(&s, K, inner, modes, error));
    *out = modes;
    modes = NULL;
done:
    cardo_modes_destroy(modes);
    clear(&s);
    return status;
}
