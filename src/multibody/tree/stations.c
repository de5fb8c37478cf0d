/* Stations (atoms): one pass a body over runs that are contiguous in memory. */
#include "multibody/tree/operators.h"
#include "multibody/tree/state_internal.h"

#include <assert.h>

static void place_run(const cardo_transform *X, int count, const double *restrict in,
                      double *restrict out)
{
    const cardo_mat33 R = X->R;
    const cardo_vec3 p = X->p;
    for (int i = 0; i < count; ++i) {
        const double x = in[3 * i], y = in[3 * i + 1], z = in[3 * i + 2];
        out[3 * i] = R.m[0][0] * x + R.m[0][1] * y + R.m[0][2] * z + p.x;
        out[3 * i + 1] = R.m[1][0] * x + R.m[1][1] * y + R.m[1][2] * z + p.y;
        out[3 * i + 2] = R.m[2][0] * x + R.m[2][1] * y + R.m[2][2] * z + p.z;
    }
}

cardo_status cardo_station_positions(const cardo_system *system, const cardo_state *state,
                                     double *positions, cardo_error *error)
{
    cardo_status status =
        cardo_require_stage(state, CARDO_STAGE_POSITION, "station positions", error);
    if (status != CARDO_OK)
        return status;
    const cardo_transform *X_GB = cardo_state_X_GB(state);
    for (int r = 0; r < system->nrun; ++r) {
        const station_run *run = &system->runs[r];
        assert(run->body < system->nbody && run->first + run->count <= system->nstation);
        place_run(&X_GB[run->body], run->count, system->positions + 3 * run->position_first,
                  positions + 3 * (size_t)run->first);
    }
    return CARDO_OK;
}

void cardo_station_positions_of(const cardo_system *system, const cardo_state *state, int first,
                                int count, double *positions)
{
    const cardo_transform *X_GB = cardo_state_X_GB(state);
    for (int r = 0; r < system->nrun; ++r) {
        const station_run *run = &system->runs[r];
        const int from = run->first > first ? run->first : first;
        const int end = run->first + run->count, last = first + count;
        const int to = end < last ? end : last;
        if (from < to)
            place_run(&X_GB[run->body], to - from,
                      system->positions + 3 * (run->position_first + (size_t)(from - run->first)),
                      positions + 3 * (size_t)(from - first));
    }
}

void cardo_station_velocity_pass(const cardo_system *system, const cardo_state *state,
                                 const cardo_spatial *V_GB, double *velocities)
{
    const cardo_transform *X_GB = cardo_state_X_GB(state);
    for (int r = 0; r < system->nrun; ++r) {
        const station_run *run = &system->runs[r];
        assert(run->body < system->nbody && run->first + run->count <= system->nstation);
        /* velocity is affine in the station: v + [w] R x */
        const cardo_spatial V = V_GB[run->body];
        const cardo_transform affine = {m33_cross_mul(V.angular, X_GB[run->body].R), V.linear};
        place_run(&affine, run->count, system->positions + 3 * run->position_first,
                  velocities + 3 * (size_t)run->first);
    }
}

cardo_status cardo_station_velocities(const cardo_system *system, const cardo_state *state,
                                      double *velocities, cardo_error *error)
{
    cardo_status status =
        cardo_require_stage(state, CARDO_STAGE_VELOCITY, "station velocities", error);
    if (status != CARDO_OK)
        return status;
    cardo_station_velocity_pass(system, state, cardo_state_V_GB(state), velocities);
    return CARDO_OK;
}

/* Sum of forces, and S = sum of x f^T with x in the body frame: the torque follows from R S. */
static void reduce_run(int count, const double *restrict x, const double *restrict f,
                       cardo_mat33 *S, cardo_vec3 *sum)
{
    double s[9] = {0}, t[3] = {0};
    for (int i = 0; i < count; ++i) {
        const double *xi = x + 3 * i, *fi = f + 3 * i;
        for (int a = 0; a < 3; ++a) {
            for (int b = 0; b < 3; ++b)
                s[3 * a + b] += xi[a] * fi[b];
            t[a] += fi[a];
        }
    }
    for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b)
            S->m[a][b] = s[3 * a + b];
    *sum = v3_load(t);
}

cardo_status cardo_station_forces_to_bodies(const cardo_system *system, const cardo_state *state,
                                            const double *station_forces,
                                            cardo_spatial *body_forces, cardo_error *error)
{
    cardo_status status = cardo_require_stage(state, CARDO_STAGE_POSITION, "station forces", error);
    if (status != CARDO_OK)
        return status;
    const cardo_transform *X_GB = cardo_state_X_GB(state);
    for (int r = 0; r < system->nrun; ++r) {
        const station_run *run = &system->runs[r];
        assert(run->body < system->nbody && run->first + run->count <= system->nstation);
        cardo_mat33 S;
        cardo_spatial F;
        reduce_run(run->count, system->positions + 3 * run->position_first,
                   station_forces + 3 * (size_t)run->first, &S, &F.linear);
        const cardo_mat33 T = m33_mul(X_GB[run->body].R, S);
        F.angular = v3(T.m[1][2] - T.m[2][1], T.m[2][0] - T.m[0][2], T.m[0][1] - T.m[1][0]);
        body_forces[run->body] = spatial_add(body_forces[run->body], F);
    }
    return CARDO_OK;
}
