#include "model/constraints/kind.h"
#include "model/constraints/parts.h"
#include "multibody/constraints/constraint.h"

typedef struct slip_words {
    constraint_words common;
    end_words at;
    char direction[CARDO_FIELD_STRING_SIZE];
    char body[2][CARDO_FIELD_STRING_SIZE];
} slip_words;

static const char body_doc[] = "has no velocity there against the other along the direction";

static const cardo_field fields[] = {
    CONSTRAINT_COMMON(slip_words),
    CONSTRAINT_END(slip_words, "0", at),
    CONSTRAINT_WORD(slip_words, "direction0", direction,
                    "that is fixed on body 0: three numbers, or \"POINT to POINT\""),
    CONSTRAINT_WORD(slip_words, "body1", body[0], body_doc),
    CONSTRAINT_WORD(slip_words, "body2", body[1], body_doc),
    {0},
};

static cardo_status make(const constraint_maker *maker, const void *words, cardo_error *error)
{
    const slip_words *w = words;
    cardo_no_slip *p = &maker->into->parameters.no_slip;
    constraint_end at = {0, {0, 0, 0}};
    cardo_status status;
    if (!w->at.point[0] || !w->direction[0] || !w->body[0][0] || !w->body[1][0])
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "point0=\"\", direction0=\"\", body1=\"\" and body2=\"\" must be there");
    CARDO_TRY(cardo_constraint_end(maker, "0", &w->at, &at, error));
    p->body0 = at.body;
    p->point0 = at.point;
    CARDO_TRY(
        cardo_constraint_direction(maker, "direction0", w->direction, &p->direction0, NULL, error));
    CARDO_TRY(cardo_constraint_body(maker, "body1", w->body[0], &p->body1, error));
    CARDO_TRY(cardo_constraint_body(maker, "body2", w->body[1], &p->body2, error));
done:
    return status;
}

static void move(cardo_constraint_parameters *parameters, const cardo_vec3 *origins)
{
    cardo_no_slip *p = &parameters->no_slip;
    p->point0 = v3_sub(p->point0, origins[p->body0]);
}

const cardo_written_constraint cardo_written_no_slip = {
    .kind = &cardo_constraint_no_slip,
    .fields = fields,
    .size = sizeof(slip_words),
    .example = "<no-slip body0=\"core\" point0=\"A:90@CA\" direction0=\"1 0 0\" body1=\"core\" "
               "body2=\"lobe\"/>",
    .make = make,
    .move = move,
};
