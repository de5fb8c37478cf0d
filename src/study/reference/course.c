#include "study/reference/course.h"

#include "base/memory.h"
#include "dynamics/coordinates/constrained.h"
#include "dynamics/minimization.h"
#include "dynamics/motion_way.h"
#include "multibody/tree/motion.h"

#include <math.h>
#include <string.h>

typedef struct cooling {
    cardo_session *session;
    const cardo_course_options *options;
    cardo_course *out;
    cardo_function *motion; /* q of each path by the time, which is the fraction (nbody)      */
    double (*slope)[2];     /* (nbody) */
    int done;
} cooling;

void cardo_course_clear(cardo_course *course)
{
    cardo_free(course->q);
    cardo_free(course->coordinates);
    cardo_free(course->energy);
    *course = (cardo_course){0};
}

/* Prescribes the paths; returns how many there are. */
static int prescribe(cooling *c)
{
    cardo_model *model = c->session->model;
    int n = 0;
    for (int b = 0; b < model->nbody; ++b) {
        cardo_model_body *body = &model->body[b];
        if (!body->fit)
            continue;
        c->slope[b][0] = body->fit->nstructure - 1;
        c->motion[b] = (cardo_function){.kind = CARDO_FUNCTION_LINEAR,
                                        .narg = 1,
                                        .ncoefficient = 2,
                                        .coefficients = c->slope[b]};
        body->motion = &c->motion[b];
        body->driven = 1;
        ++n;
    }
    return n;
}

static void release(const cooling *c)
{
    cardo_model *model = c->session->model;
    for (int b = 0; b < model->nbody; ++b)
        if (model->body[b].fit) {
            model->body[b].motion = NULL;
            model->body[b].driven = 0;
        }
}

static cardo_status move(const cooling *c, double q, cardo_error *error)
{
    const cardo_session *session = c->session;
    cardo_status status = CARDO_OK;
    if (cardo_constraint_row_count(session->system) > 0)
        return cardo_follow_motions(session->system, session->state, q, error);
    cardo_state_set_time(session->state, q);
    cardo_state_prescribe(session->system, session->state);
    return status;
}

static cardo_status settle(cooling *c, int k, bool back, cardo_error *error)
{
    const cardo_session *session = c->session;
    cardo_course *out = c->out;
    cardo_minimization_result result;
    const cardo_minimization_options options = {.iterations = c->options->iterations,
                                                .tolerance = c->options->tolerance};
    const cardo_minimization_observer observer = {.interrupt = session->listener.stop};
    cardo_status status = cardo_minimization_run(
        session->system, session->state, session->evaluator, &options, &observer, &result, error);
    if (status != CARDO_OK)
        return cardo_error_prefix(error, "at q = %.3g of the paths: ", out->q[k]);
    out->freedoms = result.freedoms;
    out->interrupted = result.interrupted;
    out->force = fmax(out->force, result.last.largest_force);
    if (back)
        out->hysteresis = fmax(out->hysteresis, fabs(result.last.potential - out->energy[k]));
    if (!back || result.last.potential < out->energy[k]) {
        out->energy[k] = result.last.potential;
        memcpy(out->coordinates + (size_t)k * (size_t)out->nq, cardo_state_q(session->state),
               (size_t)out->nq * sizeof *out->coordinates);
    }
    ++c->done;
    if (session->listener.progress)
        session->listener.progress(session->listener.user, "conformation", c->done,
                                   out->freedoms > 0 ? 2LL * out->nplace : out->nplace);
    return CARDO_OK;
}

static cardo_status there_and_back(cooling *c, cardo_error *error)
{
    cardo_status status;
    cardo_course *out = c->out;
    cardo_state_set_time(c->session->state, 0);
    cardo_state_prescribe(c->session->system, c->session->state);
    for (int k = 0; k < out->nplace && !out->interrupted; ++k) {
        if (k > 0)
            CARDO_TRY(move(c, out->q[k], error));
        CARDO_TRY(settle(c, k, false, error));
    }
    for (int k = out->nplace - 1; k >= 0 && out->freedoms > 0 && !out->interrupted; --k) {
        CARDO_TRY(move(c, out->q[k], error));
        CARDO_TRY(settle(c, k, true, error));
    }
    status = CARDO_OK;
done:
    return status;
}

cardo_status cardo_course_cool(cardo_session *session, int n, const cardo_course_options *options,
                               cardo_course *out, cardo_error *error)
{
    cardo_status status;
    cooling c = {.session = session, .options = options, .out = out};
    double *before = NULL;
    const double time = cardo_state_time(session->state);
    out->nplace = n;
    out->nq = cardo_system_nq(session->system);
    CARDO_TRY(CARDO_ALLOCATE(&before, (size_t)out->nq + 1, error));
    CARDO_TRY(CARDO_ALLOCATE(&c.motion, session->model->nbody, error));
    CARDO_TRY(CARDO_ALLOCATE(&c.slope, session->model->nbody, error));
    CARDO_TRY(CARDO_ALLOCATE(&out->q, n, error));
    CARDO_TRY(CARDO_ALLOCATE(&out->energy, n, error));
    CARDO_TRY(CARDO_ALLOCATE(&out->coordinates, (size_t)n * (size_t)out->nq, error));
    memcpy(before, cardo_state_q(session->state), (size_t)out->nq * sizeof *before);
    for (int k = 0; k < n; ++k)
        out->q[k] = (double)k / (n - 1);
    if (prescribe(&c) == 0) {
        status =
            CARDO_FAIL(error, CARDO_ERROR_INPUT,
                       "%s: no body has a path between structures, along which all atoms could "
                       "be minimized",
                       session->model->path);
        goto done;
    }
    status = cardo_session_rebuild(session, error);
    if (status == CARDO_OK)
        status = there_and_back(&c, error);
    release(&c);
    const cardo_status again = cardo_session_rebuild(session, status == CARDO_OK ? error : NULL);
    status = status == CARDO_OK ? again : status;
    CARDO_TRY(status);
    cardo_state_set_time(session->state, time);
    cardo_state_set_q(session->state, before);
    status = cardo_realize(session->system, session->state, CARDO_STAGE_POSITION, error);
done:
    cardo_free(before);
    cardo_free(c.motion);
    cardo_free(c.slope);
    return status;
}
