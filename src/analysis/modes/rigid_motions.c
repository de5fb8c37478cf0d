#include "analysis/modes/rigid_motions.h"

#include "base/linalg.h"
#include "base/memory.h"
#include "cardo/manifold.h"
#include "multibody/algebra/reflections.h"
#include "multibody/tree/operators.h"

#include <math.h>
#include <string.h>

enum { MOTIONS = CARDO_RIGID_MOTIONS };

/* A row that a rigid motion of unit kinetic energy moves by less, in units of what free speeds of that energy could, does not
 * reach to ground; and of rows no less of their length is their own. */
static const double HINDERED = 1e-8;

int cardo_rigid_motion_count(const cardo_system *system)
{
    cardo_body_info info;
    cardo_system_body(system, 0, &info);
    if (info.nstation > 0)
        return 0;
    for (int b = 1; b < cardo_system_nbody(system); ++b) {
        cardo_system_body(system, b, &info);
        if (info.parent == 0 && info.mobilizer != &cardo_mobilizer_free)
            return 0;
    }
    return MOTIONS;
}

int cardo_rigid_motion_base(const cardo_system *system)
{
    cardo_body_info info;
    for (int b = 1; b < cardo_system_nbody(system); ++b) {
        cardo_system_body(system, b, &info);
        if (info.parent == 0)
            return info.u_first;
    }
    return 0;
}

/* Speeds of one free body on ground that turn it about, or move it along, an axis of ground. */
static cardo_status free_body_speeds(const cardo_system *system, const cardo_state *state, int body,
                                     int motion, double speeds[6], cardo_error *error)
{
    cardo_mobilizer_motion m;
    double columns[36];
    int rank;
    cardo_status status = cardo_body_mobilizer_motion(system, state, body, &m, error);
    if (status != CARDO_OK)
        return status;
    for (int k = 0; k < 6; ++k) {
        const cardo_spatial h = m.hinge_map[k];
        const double column[6] = {h.angular.x, h.angular.y, h.angular.z,
                                  h.linear.x,  h.linear.y,  h.linear.z};
        for (int r = 0; r < 6; ++r)
            columns[6 * r + k] = column[r];
    }
    const cardo_vec3 axis = v3(motion % 3 == 0, motion % 3 == 1, motion % 3 == 2);
    const bool turns = motion < 3;
    v3_store(speeds, turns ? axis : v3(0, 0, 0));
    v3_store(speeds + 3, turns ? v3_cross(axis, cardo_state_X_GB(state)[body].p) : axis);
    return cardo_least_squares(6, 6, columns, speeds, 1e-14, &rank, error);
}

/* Gram and Schmidt, twice, in the metric of M. */
static cardo_status make_orthonormal(const cardo_system *system, const cardo_state *state, int nu,
                                     double *speeds, cardo_error *error)
{
    double *momenta;
    cardo_status status = CARDO_ALLOCATE(&momenta, (size_t)MOTIONS * (size_t)nu, error);
    for (int r = 0; r < MOTIONS && status == CARDO_OK; ++r) {
        double *own = speeds + (size_t)r * (size_t)nu, *p = momenta + (size_t)r * (size_t)nu;
        for (int pass = 0; pass < 2; ++pass)
            for (int s = 0; s < r; ++s) {
                double part = cardo_dot(nu, own, momenta + (size_t)s * (size_t)nu);
                for (int k = 0; k < nu; ++k)
                    own[k] -= part * speeds[(size_t)s * (size_t)nu + (size_t)k];
            }
        status = cardo_multiply_m(system, state, own, p, error);
        double scale = 1 / sqrt(cardo_dot(nu, own, p));
        for (int k = 0; k < nu; ++k) {
            own[k] *= scale;
            p[k] *= scale;
        }
    }
    cardo_free(momenta);
    return status;
}

cardo_status cardo_rigid_motions(const cardo_system *system, const cardo_state *state,
                                 double *speeds, cardo_error *error)
{
    const size_t nu = (size_t)cardo_system_nu(system);
    memset(speeds, 0, MOTIONS * nu * sizeof *speeds);
    for (int b = 1; b < cardo_system_nbody(system); ++b) {
        cardo_body_info info;
        cardo_system_body(system, b, &info);
        for (int r = 0; info.parent == 0 && r < MOTIONS; ++r) {
            cardo_status status = free_body_speeds(system, state, b, r,
                                                   speeds + (size_t)r * nu + info.u_first, error);
            if (status != CARDO_OK)
                return status;
        }
    }
    return make_orthonormal(system, state, (int)nu, speeds, error);
}

/* What independent rows of constraints see of each rigid motion (nrow x 6), over what speeds could do to them at most. */
static cardo_status find_hindrance(const cardo_system *system, const cardo_state *state, int nrow,
                                   const double *motions, double *seen, cardo_error *error)
{
    cardo_status status;
    double *Y = NULL, *rows = NULL;
    int *redundant = NULL, rank;
    const size_t nu = (size_t)cardo_system_nu(system), n = (size_t)nrow;
    CARDO_TRY(CARDO_ALLOCATE(&Y, n * n, error));
    CARDO_TRY(CARDO_ALLOCATE(&rows, n, error));
    CARDO_TRY(CARDO_ALLOCATE(&redundant, n, error));
    CARDO_TRY(cardo_constraint_rank(system, state, &rank, redundant, error));
    CARDO_TRY(cardo_constraint_compliance(system, state, Y, error));
    for (size_t r = 0; r < MOTIONS; ++r) {
        CARDO_TRY(cardo_multiply_g(system, state, motions + r * nu, rows, error));
        for (size_t i = 0; i < n; ++i) {
            const double most = Y[i * n + i];
            const double share = most > 0 && !redundant[i] ? rows[i] / sqrt(most) : 0;
            seen[i * MOTIONS + r] = share;
        }
    }
    for (size_t i = 0; i < n; ++i)
        if (!(cardo_dot(MOTIONS, seen + i * MOTIONS, seen + i * MOTIONS) > HINDERED * HINDERED))
            memset(seen + i * MOTIONS, 0, MOTIONS * sizeof *seen);
done:
    cardo_free(Y);
    cardo_free(rows);
    cardo_free(redundant);
    return status;
}

cardo_status cardo_free_rigid_motions(const cardo_system *system, const cardo_state *state,
                                      double *speeds, int *count, cardo_error *error)
{
    cardo_status status;
    cardo_reflections basis = {0};
    cardo_constraint_counts counts;
    double *seen = NULL, *motions = NULL;
    const size_t nu = (size_t)cardo_system_nu(system);
    cardo_system_constraint_counts(system, &counts);
    *count = cardo_rigid_motion_count(system);
    if (*count == 0)
        return CARDO_OK;
    CARDO_TRY(cardo_rigid_motions(system, state, speeds, error));
    if (counts.nrow == 0)
        return CARDO_OK;
    CARDO_TRY(CARDO_ALLOCATE(&seen, (size_t)counts.nrow * MOTIONS, error));
    CARDO_TRY(CARDO_ALLOCATE(&motions, MOTIONS * nu, error));
    CARDO_TRY(cardo_reflections_open(&basis, MOTIONS, counts.nrow, error));
    CARDO_TRY(find_hindrance(system, state, counts.nrow, speeds, seen, error));
    cardo_reflections_factor(&basis, counts.nrow, seen, HINDERED);
    *count = MOTIONS - basis.rank;
    if (basis.rank == 0)
        goto done;
    memcpy(motions, speeds, MOTIONS * nu * sizeof *speeds);
    for (int m = 0; m < *count; ++m) {
        double share[MOTIONS] = {0}, *own = speeds + (size_t)m * nu;
        share[basis.rank + m] = 1;
        cardo_reflections_apply(&basis, share);
        memset(own, 0, nu * sizeof *own);
        for (size_t r = 0; r < MOTIONS; ++r)
            for (size_t k = 0; k < nu; ++k)
                own[k] += share[r] * motions[r * nu + k];
    }
done:
    cardo_reflections_clear(&basis);
    cardo_free(seen);
    cardo_free(motions);
    return status;
}
