#include "analysis/modes/rigid_motions.h"

#include "base/linalg.h"
#include "base/memory.h"
#include "multibody/tree/operators.h"

#include <math.h>
#include <string.h>

enum { MOTIONS = CARDO_RIGID_MOTIONS };

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
