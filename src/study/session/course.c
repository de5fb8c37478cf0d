#include "study/session/course.h"

#include "base/memory.h"
#include "study/session/assembly.h"

#include <math.h>
#include <string.h>

static const double longest_step = 0.05;

bool cardo_session_has_course(const cardo_session *session)
{
    for (int b = 0; b < session->model->nbody; ++b)
        if (session->model->body[b].fit)
            return true;
    return false;
}

/* Puts every path at a fraction of its way, and marks its coordinate; false: there is none. */
static void place_paths(const cardo_session *session, double fraction, double *q, bool *is_path)
{
    for (int b = 0; b < session->model->nbody; ++b) {
        const cardo_model_body *body = &session->model->body[b];
        cardo_body_info info;
        if (!body->fit)
            continue;
        cardo_system_body(session->system, b + 1, &info);
        q[info.q_first] = fraction * (body->fit->nstructure - 1);
        is_path[info.q_first] = true;
    }
}

/* From one place to the next, *there: whether constraints let the paths get there. */
static cardo_status go(const cardo_session *session, double from, double to, double *q,
                       bool *is_path, bool *there, cardo_error *error)
{
    const int nstep = (int)ceil(fmax(fabs(to - from) / longest_step - 1e-9, 1));
    *there = true;
    for (int step = 1; step <= nstep; ++step) {
        cardo_error problem;
        place_paths(session, from + (to - from) * step / nstep, q, is_path);
        cardo_state_set_q(session->state, q);
        const cardo_status status = cardo_session_close_loops(session, is_path, &problem);
        *there = status == CARDO_OK;
        if (status == CARDO_ERROR_NUMERICAL)
            return CARDO_OK;
        if (status != CARDO_OK && error)
            *error = problem;
        if (status != CARDO_OK)
            return status;
        memcpy(q, cardo_state_q(session->state),
               (size_t)cardo_system_nq(session->system) * sizeof *q);
    }
    return CARDO_OK;
}

cardo_status cardo_session_course(const cardo_session *session, int n, const double *fraction,
                                  cardo_course_visitor visit, void *context, int *reached,
                                  cardo_error *error)
{
    cardo_status status;
    double *q = NULL, *before = NULL;
    bool *is_path = NULL;
    const size_t nq = (size_t)cardo_system_nq(session->system);
    *reached = 0;
    CARDO_TRY(CARDO_ALLOCATE(&q, nq + 1, error));
    CARDO_TRY(CARDO_ALLOCATE(&before, nq + 1, error));
    CARDO_TRY(CARDO_ALLOCATE(&is_path, nq + 1, error));
    memcpy(before, cardo_state_q(session->state), nq * sizeof *q);
    memcpy(q, before, nq * sizeof *q);
    for (int k = 0; k < n && cardo_session_has_course(session); ++k) {
        bool there;
        CARDO_TRY(go(session, fraction[k > 0 ? k - 1 : 0], fraction[k], q, is_path, &there, error));
        if (!there)
            break;
        CARDO_TRY(visit(context, k, error));
        *reached = k + 1;
    }
    cardo_state_set_q(session->state, before);
    status = cardo_realize(session->system, session->state, CARDO_STAGE_POSITION, error);
done:
    cardo_free(q);
    cardo_free(before);
    cardo_free(is_path);
    return status;
}
