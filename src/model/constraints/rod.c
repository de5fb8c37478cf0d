#include "model/constraints/kind.h"
#include "model/constraints/parts.h"
#include "multibody/constraints/constraint.h"

typedef struct rod_words {
    constraint_words common;
    end_words end[2];
    double length;
} rod_words;

static const cardo_field fields[] = {
    CONSTRAINT_COMMON(rod_words),
    CONSTRAINT_END(rod_words, "1", end[0]),
    CONSTRAINT_END(rod_words, "2", end[1]),
    CONSTRAINT_NUMBER(rod_words, "length", length, "nm", "0",
                      "distance of the points; 0: as the reference has it"),
    {0},
};

static cardo_status make(const constraint_maker *maker, const void *words, cardo_error *error)
{
    const rod_words *w = words;
    constraint_end ends[2];
    cardo_rod *rod = &maker->into->parameters.rod;
    cardo_status status = cardo_constraint_ends(maker, w->end, ends, error);
    if (status != CARDO_OK)
        return status;
    *rod = (cardo_rod){ends[0].body, ends[1].body, ends[0].point, ends[1].point, w->length};
    if (rod->length == 0)
        rod->length = v3_norm(v3_sub(rod->point2, rod->point1));
    return CARDO_OK;
}

static void move(cardo_constraint_parameters *parameters, const cardo_vec3 *origins)
{
    cardo_rod *p = &parameters->rod;
    p->point1 = v3_sub(p->point1, origins[p->body1]);
    p->point2 = v3_sub(p->point2, origins[p->body2]);
}

const cardo_written_constraint cardo_written_rod = {
    .kind = &cardo_constraint_rod,
    .fields = fields,
    .size = sizeof(rod_words),
    .example = "<rod point1=\"A:10@CA\" point2=\"A:150@CA\" length=\"3 nm\"/>",
    .make = make,
    .move = move,
};
