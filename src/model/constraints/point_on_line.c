#include "model/constraints/kind.h"
#include "model/constraints/parts.h"
#include "multibody/constraints/constraint.h"

typedef struct line_words {
    constraint_words common;
    end_words end[2];
    char direction[CARDO_FIELD_STRING_SIZE];
} line_words;

static const cardo_field fields[] = {
    CONSTRAINT_COMMON(line_words),
    CONSTRAINT_END(line_words, "1", end[0]),
    CONSTRAINT_WORD(line_words, "direction1", direction,
                    "of the line through point 1 (left out: through point 2): three numbers, or "
                    "\"POINT to POINT\""),
    CONSTRAINT_END(line_words, "2", end[1]),
    {0},
};

static cardo_status make(const constraint_maker *maker, const void *words, cardo_error *error)
{
    const line_words *w = words;
    cardo_point_on_line *p = &maker->into->parameters.point_on_line;
    constraint_end ends[2];
    cardo_status status = cardo_constraint_ends(maker, w->end, ends, error);
    if (status != CARDO_OK)
        return status;
    if (!w->direction[0])
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "direction1=\"\" is missing: three numbers, or \"POINT to POINT\"");
    *p = (cardo_point_on_line){.body1 = ends[0].body,
                               .body2 = ends[1].body,
                               .point1 = ends[0].point,
                               .point2 = ends[1].point};
    return cardo_constraint_direction(maker, "direction1", w->direction, &p->direction1, NULL,
                                      error);
}

static void move(cardo_constraint_parameters *parameters, const cardo_vec3 *origins)
{
    cardo_point_on_line *p = &parameters->point_on_line;
    p->point1 = v3_sub(p->point1, origins[p->body1]);
    p->point2 = v3_sub(p->point2, origins[p->body2]);
}

const cardo_written_constraint cardo_written_point_on_line = {
    .kind = &cardo_constraint_point_on_line,
    .fields = fields,
    .size = sizeof(line_words),
    .example =
        "<point-on-line body1=\"core\" direction1=\"A:10@CA to A:20@CA\" point2=\"A:150@CA\"/>",
    .make = make,
    .move = move,
};
