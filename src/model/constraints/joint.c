#include "base/memory.h"
#include "model/constraints/kind.h"
#include "model/constraints/parts.h"
#include "model/points.h"
#include "multibody/constraints/constraint.h"
#include "multibody/mobilizers/mobilizer.h"

#include <string.h>

typedef struct joint_words {
    constraint_words common;
    frame_words frame[2];
    char mobilizer[CARDO_FIELD_STRING_SIZE], radii[CARDO_FIELD_STRING_SIZE];
    double pitch;
    bool reversed, euler;
} joint_words;

static const cardo_field fields[] = {
    CONSTRAINT_COMMON(joint_words),
    CONSTRAINT_WORD(joint_words, "mobilizer", mobilizer,
                    "how frame 2 moves in frame 1: pin, slider, screw, universal, ball ..."),
    CONSTRAINT_FRAME(joint_words, "1", frame[0]),
    CONSTRAINT_FRAME(joint_words, "2", frame[1]),
    CONSTRAINT_NUMBER(joint_words, "pitch", pitch, "nm/rad", "0", "of a screw"),
    CONSTRAINT_WORD(joint_words, "radii", radii, "of an ellipsoid: three numbers (nm)"),
    CONSTRAINT_SWITCH(joint_words, "reversed", reversed, "no",
                      "coordinates are of frame 1 as seen from frame 2"),
    CONSTRAINT_SWITCH(joint_words, "euler", euler, "no", "orientations as angles, no quaternions"),
    {0},
};

/* The parameters of a mobilizer that has any. */
static cardo_status make_parameters(const constraint_maker *maker, const joint_words *w,
                                    const cardo_mobilizer *mobilizer, const void **out,
                                    cardo_error *error)
{
    union {
        cardo_screw_thread screw;
        cardo_ellipsoid ellipsoid;
        cardo_spherical spherical;
    } * own;
    double radii[3];
    *out = NULL;
    if (mobilizer == &cardo_mobilizer_path || mobilizer == &cardo_mobilizer_function_based)
        return CARDO_FAIL(error, CARDO_ERROR_UNSUPPORTED,
                          "mobilizer=\"%s\" closes loops in programs only: its parameters have no "
                          "words here",
                          w->mobilizer);
    cardo_status status = CARDO_ALLOCATE(&own, 1, error);
    if (status != CARDO_OK)
        return status;
    maker->into->array[0] = own;
    *out = own;
    if (mobilizer == &cardo_mobilizer_screw)
        own->screw.pitch = w->pitch;
    if (mobilizer != &cardo_mobilizer_ellipsoid)
        return CARDO_OK;
    if (!cardo_model_numbers(w->radii, 3, radii))
        return CARDO_FAIL(error, CARDO_ERROR_INPUT, "radii=\"%s\" is not three numbers (nm)",
                          w->radii);
    own->ellipsoid.radii = v3_load(radii);
    return CARDO_OK;
}

static cardo_status fail_unknown(const char *name, cardo_error *error)
{
    char hint[CARDO_NEAR_TEXT];
    cardo_near near = {.name = name};
    for (const cardo_mobilizer *const *m = cardo_mobilizer_list(); *m; ++m)
        cardo_near_try(&near, cardo_mobilizer_name(*m));
    return CARDO_FAIL(error, CARDO_ERROR_INPUT, "mobilizer=\"%s\" is no mobilizer%s", name,
                      cardo_near_hint(&near, hint));
}

static cardo_status make(const constraint_maker *maker, const void *words, cardo_error *error)
{
    const joint_words *w = words;
    cardo_joint_closure *p = &maker->into->parameters.joint;
    const cardo_mobilizer *mobilizer = cardo_mobilizer_find(w->mobilizer);
    constraint_frame frames[2];
    cardo_status status;
    if (!mobilizer)
        return fail_unknown(w->mobilizer, error);
    CARDO_TRY(cardo_constraint_frames(maker, w->frame, mobilizer == &cardo_mobilizer_slider, frames,
                                      error));
    *p = (cardo_joint_closure){.body1 = frames[0].body,
                               .body2 = frames[1].body,
                               .frame1 = frames[0].X,
                               .frame2 = frames[1].X,
                               .mobilizer = mobilizer,
                               .reversed = w->reversed,
                               .euler = w->euler};
    status = make_parameters(maker, w, mobilizer, &p->parameters, error);
done:
    return status;
}

static void move(cardo_constraint_parameters *parameters, const cardo_vec3 *origins)
{
    cardo_joint_closure *p = &parameters->joint;
    p->frame1.p = v3_sub(p->frame1.p, origins[p->body1]);
    p->frame2.p = v3_sub(p->frame2.p, origins[p->body2]);
}

const cardo_written_constraint cardo_written_joint = {
    .kind = &cardo_constraint_joint,
    .fields = fields,
    .size = sizeof(joint_words),
    .example = "<joint mobilizer=\"pin\" body1=\"lobe\" point2=\"A:192@C\" axis2=\"A:192@CA to "
               "A:192@C\"/>",
    .make = make,
    .move = move,
};
