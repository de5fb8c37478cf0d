#include "model/constraints/kind.h"
#include "model/constraints/parts.h"
#include "multibody/constraints/constraint.h"

typedef struct weld_words {
    constraint_words common;
    frame_words frame[2];
} weld_words;

static const cardo_field fields[] = {
    CONSTRAINT_COMMON(weld_words),
    CONSTRAINT_FRAME(weld_words, "1", frame[0]),
    CONSTRAINT_FRAME(weld_words, "2", frame[1]),
    {0},
};

static cardo_status make(const constraint_maker *maker, const void *words, cardo_error *error)
{
    const weld_words *w = words;
    constraint_frame frames[2];
    cardo_welded_frames *weld = &maker->into->parameters.weld;
    cardo_status status = cardo_constraint_frames(maker, w->frame, false, frames, error);
    if (status != CARDO_OK)
        return status;
    *weld = (cardo_welded_frames){frames[0].body, frames[1].body, frames[0].X, frames[1].X};
    return CARDO_OK;
}

static void move(cardo_constraint_parameters *parameters, const cardo_vec3 *origins)
{
    cardo_welded_frames *p = &parameters->weld;
    p->frame1.p = v3_sub(p->frame1.p, origins[p->body1]);
    p->frame2.p = v3_sub(p->frame2.p, origins[p->body2]);
}

const cardo_written_constraint cardo_written_weld = {
    .kind = &cardo_constraint_weld,
    .fields = fields,
    .size = sizeof(weld_words),
    .example = "<weld body1=\"lobe\" body2=\"A:192.psi\" point2=\"A:192@C\"/>",
    .make = make,
    .move = move,
};
