#include "model/constraints/kind.h"
#include "model/constraints/parts.h"
#include "multibody/constraints/constraint.h"

typedef struct orientation_words {
    constraint_words common;
    frame_words frame[2];
} orientation_words;

static const cardo_field fields[] = {
    CONSTRAINT_COMMON(orientation_words),
    CONSTRAINT_FRAME(orientation_words, "1", frame[0]),
    CONSTRAINT_FRAME(orientation_words, "2", frame[1]),
    {0},
};

static cardo_status make(const constraint_maker *maker, const void *words, cardo_error *error)
{
    const orientation_words *w = words;
    constraint_frame frames[2];
    cardo_status status = cardo_constraint_frames(maker, w->frame, false, frames, error);
    if (status == CARDO_OK)
        maker->into->parameters.constant_orientation = (cardo_constant_orientation){
            frames[0].body, frames[1].body, frames[0].X.R, frames[1].X.R};
    return status;
}

const cardo_written_constraint cardo_written_constant_orientation = {
    .kind = &cardo_constraint_constant_orientation,
    .fields = fields,
    .size = sizeof(orientation_words),
    .example = "<constant-orientation body1=\"core\" body2=\"lobe\"/>",
    .make = make,
};
