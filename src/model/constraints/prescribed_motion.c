#include "model/constraints/kind.h"
#include "model/constraints/numbers.h"
#include "multibody/constraints/constraint.h"

typedef struct motion_words {
    constraint_words common;
    char coordinate[CARDO_FIELD_STRING_SIZE];
    function_words function;
} motion_words;

static const cardo_field fields[] = {
    CONSTRAINT_COMMON(motion_words),
    CONSTRAINT_WORD(motion_words, "coordinate", coordinate,
                    "what is a function of time (ps): BODY, or BODY.2 where it has several"),
    CONSTRAINT_FUNCTION(motion_words, function),
    {0},
};

static cardo_status make(const constraint_maker *maker, const void *words, cardo_error *error)
{
    const motion_words *w = words;
    cardo_prescribed_coordinate *p = &maker->into->parameters.prescribed_motion;
    cardo_status status =
        cardo_constraint_coordinate(maker, "coordinate", w->coordinate, &p->coordinate, error);
    return status == CARDO_OK
               ? cardo_constraint_function(maker, &w->function, 1, &p->function, error)
               : status;
}

const cardo_written_constraint cardo_written_prescribed_motion = {
    .kind = &cardo_constraint_prescribed_motion,
    .fields = fields,
    .size = sizeof(motion_words),
    .example = "<prescribed-motion coordinate=\"lobe\" coefficients=\"0.001 0\"/>",
    .make = make,
};
