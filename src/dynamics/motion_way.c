#include "dynamics/motion_way.h"

#include "base/memory.h"
#include "cardo/manifold.h"
#include "dynamics/coordinates/constrained.h"
#include "multibody/tree/coordinate_names.h"
#include "multibody/tree/motion.h"
#include "multibody/tree/operators.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { PARTS = 32 };

/* Parts of the way are not cut any shorter than this share of the time, or of the way. */
static const double SHORTEST = 8 * DBL_EPSILON;

/* Of a mobility's response to a force on it no less is left where it is free. */
static const double HELD = 1e-12;

static int largest_of(int n, const double *rows)
{
    int worst = 0;
    for (int i = 1; i < n; ++i)
        if (fabs(rows[i]) > fabs(rows[worst]))
            worst = i;
    return worst;
}

/* The first prescribed mobility, and its coordinate. */
static void find_prescribed(const cardo_system *system, int *q, int *u)
{
    cardo_body_info info;
    int body = 1, k = 0;
    while (!cardo_system_is_prescribed(system, body))
        ++body;
    cardo_system_body(system, body, &info);
    while (!(cardo_system_prescribed(system, body) >> k & 1U))
        ++k;
    *q = info.q_first + k;
    *u = info.u_first + k;
}

/* At its end rows bear all the more of a motion of the prescribed mobility, the more they are in its way. */
static cardo_status fail_at_end(const cardo_system *system, cardo_state *state, double *work,
                                cardo_error *error)
{
    cardo_status status;
    int q, u;
    const int nu = cardo_system_nu(system), nrow = cardo_constraint_row_count(system);
    char row[CARDO_CONSTRAINT_ROW_NAME], name[CARDO_COORDINATE_NAME];
    double *speeds = work, *rows = work + nu;
    find_prescribed(system, &q, &u);
    memset(speeds, 0, (size_t)nu * sizeof *speeds);
    speeds[u] = 1;
    CARDO_TRY(cardo_realize(system, state, CARDO_STAGE_DYNAMICS, error));
    CARDO_TRY(cardo_multiply_g(system, state, speeds, rows, error));
    CARDO_TRY(cardo_solve_y(system, state, rows, rows, error));
    return CARDO_FAIL(error, CARDO_ERROR_NUMERICAL,
                      "the constraints let %s go no farther than %.9g (t = %.6g ps): beyond, no "
                      "configuration fulfils them; %s would have to give way",
                      cardo_coordinate_name(system, q, name), cardo_state_q(state)[q],
                      cardo_state_time(state),
                      cardo_constraint_row_name(system, largest_of(nrow, rows), row));
done:
    return status;
}

static void put(cardo_state *state, double time, const double *q)
{
    cardo_state_set_time(state, time);
    cardo_state_set_q(state, q);
}

cardo_status cardo_follow_motions(const cardo_system *system, cardo_state *state, double until,
                                  cardo_error *error)
{
    cardo_status status = CARDO_OK;
    double *work = NULL, time = cardo_state_time(state);
    /* Time may go back, too: the way is the same one. */
    const double way = until - time, longest = way / PARTS,
                 shortest = SHORTEST * fmax(fabs(until), fabs(time));
    const int nq = cardo_system_nq(system), nrow = cardo_constraint_row_count(system);
    if (nrow == 0 || cardo_system_nprescribed(system) == 0 || !(fabs(way) > 0)) {
        cardo_state_set_time(state, until);
        cardo_state_prescribe(system, state);
        return cardo_return_to_constraints(system, state, CARDO_POSITION_TOLERANCE, error);
    }
    CARDO_TRY(CARDO_ALLOCATE(&work, nq + cardo_system_nu(system) + nrow, error));
    for (double part = longest; time != until;) {
        const double next = fabs(until - time) > fabs(part) ? time + part : until;
        memcpy(work, cardo_state_q(state), (size_t)nq * sizeof *work);
        cardo_state_set_time(state, next);
        cardo_state_prescribe(system, state);
        status = cardo_project_q(system, state, CARDO_POSITION_TOLERANCE, error);
        if (status == CARDO_OK) {
            time = next;
            part = fabs(2 * part) < fabs(longest) ? 2 * part : longest;
            continue;
        }
        put(state, time, work);
        if (status != CARDO_ERROR_NUMERICAL)
            goto done;
        part *= 0.5;
        if (fabs(part) < shortest) {
            status = fail_at_end(system, state, work + nq, error);
            goto done;
        }
    }
    status = cardo_realize(system, state, CARDO_STAGE_POSITION, error);
done:
    cardo_free(work);
    return status;
}

cardo_status cardo_mobility_is_free(const cardo_system *system, const cardo_state *state,
                                    int mobility, bool *is_free, int *row, cardo_error *error)
{
    cardo_status status;
    double *force = NULL, *alone = NULL, *rows = NULL;
    const int nu = cardo_system_nu(system), nrow = cardo_constraint_row_count(system);
    *is_free = true;
    if (nrow == 0)
        return CARDO_OK;
    CARDO_TRY(CARDO_ALLOCATE(&force, nu, error));
    CARDO_TRY(CARDO_ALLOCATE(&alone, nu, error));
    CARDO_TRY(CARDO_ALLOCATE(&rows, nrow, error));
    force[mobility] = 1;
    CARDO_TRY(cardo_multiply_minv(system, state, force, alone, error));
    CARDO_TRY(cardo_multiply_g(system, state, alone, rows, error));
    CARDO_TRY(cardo_solve_y(system, state, rows, rows, error));
    if (row)
        *row = largest_of(nrow, rows);
    const double most = alone[mobility];
    CARDO_TRY(cardo_induced_accelerations(system, state, NULL, force, alone, error));
    *is_free = alone[mobility] > HELD * most;
done:
    cardo_free(force);
    cardo_free(alone);
    cardo_free(rows);
    return status;
}
