#include "model/constraints/kind.h"
#include "model/constraints/parts.h"
#include "multibody/constraints/constraint.h"

typedef struct ball_words {
    constraint_words common;
    end_words end[2];
} ball_words;

static const cardo_field fields[] = {
    CONSTRAINT_COMMON(ball_words),
    CONSTRAINT_END(ball_words, "1", end[0]),
    CONSTRAINT_END(ball_words, "2", end[1]),
    {0},
};

static cardo_status make(const constraint_maker *maker, const void *words, cardo_error *error)
{
    const ball_words *w = words;
    constraint_end ends[2];
    cardo_coincident_points *ball = &maker->into->parameters.ball;
    cardo_status status = cardo_constraint_ends(maker, w->end, ends, error);
    if (status != CARDO_OK)
        return status;
    *ball = (cardo_coincident_points){ends[0].body, ends[1].body, ends[0].point, ends[1].point};
    return CARDO_OK;
}

static void move(cardo_constraint_parameters *parameters, const cardo_vec3 *origins)
{
    cardo_coincident_points *p = &parameters->ball;
    p->point1 = v3_sub(p->point1, origins[p->body1]);
    p->point2 = v3_sub(p->point2, origins[p->body2]);
}

const cardo_written_constraint cardo_written_ball = {
    .kind = &cardo_constraint_ball,
    .fields = fields,
    .size = sizeof(ball_words),
    .example = "<ball body1=\"lobe\" point2=\"A:192@CA\"/>",
    .make = make,
    .move = move,
};
