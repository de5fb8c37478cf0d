#include "study/dynamics/driven_bodies.h"

#include "base/memory.h"
#include "cardo/manifold.h"
#include "dynamics/coordinates/constrained.h"
#include "dynamics/motion_way.h"
#include "multibody/mobilizers/descriptor.h"
#include "multibody/tree/coordinate_names.h"
#include "multibody/tree/motion.h"

#include <string.h>

void cardo_driven_bodies_clear(cardo_driven_bodies *self)
{
    cardo_free(self->coordinate);
    *self = (cardo_driven_bodies){0};
}

static cardo_status find(cardo_driven_bodies *self, const char *name, cardo_error *error)
{
    const cardo_model *model = self->session->model;
    char hint[CARDO_NEAR_TEXT];
    cardo_near near = {.name = name};
    for (int b = 0; b < model->nbody; ++b) {
        cardo_near_try(&near, model->body[b].name);
        if (name[0] ? strcmp(model->body[b].name, name) == 0 : model->body[b].fit != NULL)
            self->coordinate[self->n++] = (cardo_driven_coordinate){.body = b};
    }
    if (self->n > 0)
        return CARDO_OK;
    if (name[0])
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "%s: <drive> there is no body '%s' in the model%s", model->path, name,
                          cardo_near_hint(&near, hint));
    return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                      "%s: <drive> no body has a path: choose what is led (drive.body=NAME)",
                      model->path);
}

/* How many coordinates a body's joint has. */
static cardo_status count_coordinates(const cardo_model_body *body, int *n, cardo_error *error)
{
    cardo_joint joint;
    *n = 0;
    if (!body->mobilizer)
        return CARDO_OK;
    cardo_status status =
        cardo_joint_compile(body->mobilizer, body->parameters, false, &joint, error);
    if (status != CARDO_OK)
        return status;
    *n = joint.nu;
    cardo_joint_release(&joint);
    return CARDO_OK;
}

static cardo_status check_counts(const cardo_driven_bodies *self, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    const cardo_model *model = self->session->model;
    for (int i = 0; i < self->n; ++i) {
        const cardo_model_body *body = &model->body[self->coordinate[i].body];
        int most;
        CARDO_TRY(count_coordinates(body, &most, error));
        if (self->which >= most)
            CARDO_TRY(
                CARDO_FAIL(error, CARDO_ERROR_INPUT,
                           "%s: <drive> body '%s' has %d coordinate%s, so coordinate=%d is none",
                           model->path, body->name, most, most == 1 ? "" : "s", self->which + 1));
    }
done:
    return status;
}

cardo_status cardo_driven_bodies_choose(cardo_session *session, const char *name, int coordinate,
                                        cardo_driven_bodies *out, cardo_error *error)
{
    cardo_status status;
    out->session = session;
    out->which = coordinate - 1;
    CARDO_TRY(CARDO_ALLOCATE(&out->coordinate, session->model->nbody, error));
    CARDO_TRY(find(out, name, error));
    status = check_counts(out, error);
done:
    return status;
}

cardo_status cardo_driven_bodies_start(const cardo_driven_bodies *self, double *start,
                                       cardo_error *error)
{
    const cardo_model *model = self->session->model;
    const cardo_model_body *first = &model->body[self->coordinate[0].body];
    *start = first->fit ? first->start : 0;
    for (int i = 1; i < self->n; ++i) {
        const cardo_model_body *body = &model->body[self->coordinate[i].body];
        if (body->start != *start)
            return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                              "%s: <drive> '%s' starts at %.6g and '%s' at %.6g: say from where "
                              "they are led together (drive.from), or lead one (drive.body=NAME)",
                              model->path, first->name, *start, body->name, body->start);
    }
    return CARDO_OK;
}

/* Whether what is not yet led can be, where bodies are that are. */
static cardo_status look_whether_free(const cardo_driven_bodies *self, int mobility, bool *is_free,
                                      int *row, cardo_error *error)
{
    cardo_status status;
    const cardo_system *system = self->session->system;
    cardo_state *state = self->session->state;
    cardo_state_prescribe(system, state);
    CARDO_TRY(cardo_begin_on_constraints(system, state, error));
    CARDO_TRY(cardo_realize(system, state, CARDO_STAGE_DYNAMICS, error));
    status = cardo_mobility_is_free(system, state, mobility, is_free, row, error);
done:
    return status;
}

static cardo_status build(cardo_driven_bodies *self, cardo_error *error)
{
    self->built = self->n;
    return cardo_session_rebuild(self->session, error);
}

/* *follows: constraints make the body follow those that are led. */
static cardo_status look_whether_follows(cardo_driven_bodies *self, int body, bool *follows,
                                         cardo_error *error)
{
    cardo_status status = CARDO_OK;
    int row;
    bool is_free;
    cardo_body_info info;
    char name[CARDO_COORDINATE_NAME], which[CARDO_CONSTRAINT_ROW_NAME];
    *follows = false;
    if (cardo_constraint_row_count(self->session->system) == 0)
        return CARDO_OK;
    if (self->built < self->n)
        CARDO_TRY(build(self, error));
    const cardo_system *system = self->session->system;
    cardo_system_body(system, body + 1, &info);
    const int mobility = info.u_first + self->which;
    CARDO_TRY(look_whether_free(self, mobility, &is_free, &row, error));
    *follows = !is_free && self->n > 0;
    if (!is_free && self->n == 0)
        status = CARDO_FAIL(error, CARDO_ERROR_INPUT,
                            "%s: <drive> %s cannot be driven: the constraints hold it, %s first of "
                            "all. Drive another coordinate, or take that constraint out",
                            self->session->model->path, cardo_mobility_name(system, mobility, name),
                            cardo_constraint_row_name(system, row, which));
done:
    return status;
}

cardo_status cardo_driven_bodies_prescribe(cardo_driven_bodies *self, const cardo_drive *drive,
                                           cardo_error *error)
{
    cardo_status status = CARDO_OK;
    cardo_model *model = self->session->model;
    const int chosen = self->n;
    self->functions[self->which] = cardo_drive_function(drive);
    self->n = 0;
    for (int i = 0; i < chosen; ++i) {
        const int body = self->coordinate[i].body;
        bool follows;
        CARDO_TRY(look_whether_follows(self, body, &follows, error));
        if (follows)
            continue;
        model->body[body].motion = self->functions;
        model->body[body].driven = 1U << self->which;
        self->coordinate[self->n++].body = body;
    }
    if (self->built < self->n)
        CARDO_TRY(build(self, error));
    for (int i = 0; i < self->n; ++i) {
        cardo_body_info info;
        cardo_system_body(self->session->system, self->coordinate[i].body + 1, &info);
        self->coordinate[i].q = info.q_first + self->which;
        self->coordinate[i].u = info.u_first + self->which;
    }
done:
    return status;
}

cardo_status cardo_driven_bodies_release(cardo_driven_bodies *self, cardo_error *error)
{
    if (!self->session)
        return CARDO_OK;
    cardo_model_drop_motions(self->session->model);
    return self->built > 0 ? cardo_session_rebuild(self->session, error) : CARDO_OK;
}
