#include "study/sample/mixed_hinges.h"

#include "base/memory.h"

/* A screw that turns by less is a slide. radian */
static const double least_turn = 1e-6;

/* The frame with a screw's axis as z, or, for a slider, as x. */
static cardo_transform axis_frame(cardo_vec3 axis, cardo_vec3 point, bool slides)
{
    const cardo_vec3 a = v3_unit(axis), b = v3_perpendicular(a), c = v3_cross(a, b);
    return (cardo_transform){slides ? m33_from_columns(a, b, c) : m33_from_columns(b, c, a), point};
}

static void screw_hinge(const cardo_path_fit *fit, cardo_hinge *hinge)
{
    const bool slides = fit->angle < least_turn;
    hinge->mobilizer = slides ? &cardo_mobilizer_slider : &cardo_mobilizer_screw;
    hinge->pitch = slides ? 0 : fit->translation / fit->angle;
    hinge->frame = axis_frame(fit->axis, fit->point, slides);
}

static cardo_status make_hinge(const cardo_model *model, int b, cardo_hinge *hinge,
                               cardo_error *error)
{
    const cardo_model_body *body = &model->body[b];
    *hinge = (cardo_hinge){.name = body->name,
                           .parent = body->parent,
                           .mobilizer = body->mobilizer,
                           .bond = {-1, -1},
                           .frame = body->X_GF};
    if (body->motion)
        return CARDO_FAIL(error, CARDO_ERROR_UNSUPPORTED,
                          "%s:%d: body '%s' has a prescribed motion, which is no sampling",
                          model->path, body->line, body->name);
    if (body->torsion) {
        hinge->bond[0] = body->bond[0];
        hinge->bond[1] = body->bond[1];
    }
    const cardo_path *path = body->parameters;
    if (body->mobilizer == &cardo_mobilizer_path && path->kind == CARDO_PATH_SCREW)
        screw_hinge(body->fit, hinge);
    return CARDO_OK;
}

cardo_status cardo_mixed_hinges_make(const cardo_session *session, cardo_mixed_hinges *out,
                                     cardo_error *error)
{
    cardo_status status;
    const cardo_model *model = session->model;
    *out = (cardo_mixed_hinges){.hinges = {.nbody = 0}};
    CARDO_TRY(CARDO_ALLOCATE(&out->body, model->nbody, error));
    for (int b = 0; b < model->nbody; ++b)
        CARDO_TRY(make_hinge(model, b, &out->body[b], error));
    out->hinges = (cardo_hinges){.nbody = model->nbody,
                                 .body = out->body,
                                 .nstation = model->structure[0].structure->natom,
                                 .station_body = model->atom_body,
                                 .mass = session->masses,
                                 .reference = model->structure[0].structure->position};
    status = cardo_hinges_check(&out->hinges, error);
    if (status != CARDO_OK)
        cardo_error_prefix(error, "%s: ", model->path);
done:
    if (status != CARDO_OK)
        cardo_mixed_hinges_clear(out);
    return status;
}

void cardo_mixed_hinges_clear(cardo_mixed_hinges *hinges)
{
    cardo_free(hinges->body);
    *hinges = (cardo_mixed_hinges){.hinges = {.nbody = 0}};
}
