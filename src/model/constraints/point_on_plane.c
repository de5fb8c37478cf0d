#include "model/constraints/kind.h"
#include "model/constraints/parts.h"
#include "multibody/constraints/constraint.h"

typedef struct plane_words {
    constraint_words common;
    end_words end[2];
    char normal[CARDO_FIELD_STRING_SIZE];
    double height;
} plane_words;

static const cardo_field fields[] = {
    CONSTRAINT_COMMON(plane_words),
    CONSTRAINT_END(plane_words, "1", end[0]),
    CONSTRAINT_WORD(plane_words, "normal1", normal,
                    "of the plane: three numbers, or \"POINT to POINT\""),
    CONSTRAINT_NUMBER(plane_words, "height", height, "nm", "0",
                      "of point 2 over the plane through point 1 (left out: through point 2)"),
    CONSTRAINT_END(plane_words, "2", end[1]),
    {0},
};

static cardo_status make(const constraint_maker *maker, const void *words, cardo_error *error)
{
    const plane_words *w = words;
    cardo_point_on_plane *p = &maker->into->parameters.point_on_plane;
    constraint_end ends[2];
    cardo_status status = cardo_constraint_ends(maker, w->end, ends, error);
    if (status != CARDO_OK)
        return status;
    if (!w->normal[0])
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "normal1=\"\" is missing: three numbers, or \"POINT to POINT\"");
    *p = (cardo_point_on_plane){
        .body1 = ends[0].body, .body2 = ends[1].body, .point2 = ends[1].point};
    status = cardo_constraint_direction(maker, "normal1", w->normal, &p->normal1, NULL, error);
    p->height = w->height + v3_dot(p->normal1, ends[0].point);
    return status;
}

static void move(cardo_constraint_parameters *parameters, const cardo_vec3 *origins)
{
    cardo_point_on_plane *p = &parameters->point_on_plane;
    p->point2 = v3_sub(p->point2, origins[p->body2]);
    p->height -= v3_dot(p->normal1, origins[p->body1]);
}

const cardo_written_constraint cardo_written_point_on_plane = {
    .kind = &cardo_constraint_point_on_plane,
    .fields = fields,
    .size = sizeof(plane_words),
    .example = "<point-on-plane body1=\"ground\" normal1=\"0 0 1\" point2=\"A:150@CA\"/>",
    .make = make,
    .move = move,
};
