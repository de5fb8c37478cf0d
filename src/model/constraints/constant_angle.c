#include "model/constraints/kind.h"
#include "model/constraints/parts.h"
#include "multibody/constraints/constraint.h"

#include <math.h>

typedef struct angle_words {
    constraint_words common;
    char body[2][CARDO_FIELD_STRING_SIZE], axis[2][CARDO_FIELD_STRING_SIZE];
    double angle;
} angle_words;

static const char body_doc[] = "a body, \"ground\", or atoms that are all in one body",
                  axis_doc[] =
                      "a direction that is fixed on it: three numbers, or \"POINT to POINT\"";

static const cardo_field fields[] = {
    CONSTRAINT_COMMON(angle_words),
    CONSTRAINT_WORD(angle_words, "body1", body[0], body_doc),
    CONSTRAINT_WORD(angle_words, "axis1", axis[0], axis_doc),
    CONSTRAINT_WORD(angle_words, "body2", body[1], body_doc),
    CONSTRAINT_WORD(angle_words, "axis2", axis[1], axis_doc),
    CONSTRAINT_NUMBER(angle_words, "angle", angle, "rad", "0",
                      "between the directions; 0: as the reference has it"),
    {0},
};

static cardo_status make(const constraint_maker *maker, const void *words, cardo_error *error)
{
    static const char *const bodies[2] = {"body1", "body2"}, *const axes[2] = {"axis1", "axis2"};
    const angle_words *w = words;
    cardo_constant_angle *p = &maker->into->parameters.constant_angle;
    cardo_vec3 axis[2];
    int body[2], of_atoms;
    cardo_status status = CARDO_OK;
    for (int k = 0; k < 2; ++k) {
        if (!w->axis[k][0])
            return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                              "%s=\"\" is missing: three numbers, or \"POINT to POINT\"", axes[k]);
        CARDO_TRY(
            cardo_constraint_direction(maker, axes[k], w->axis[k], &axis[k], &of_atoms, error));
        body[k] = of_atoms + 1;
        if (w->body[k][0])
            CARDO_TRY(cardo_constraint_body(maker, bodies[k], w->body[k], &body[k], error));
        else if (of_atoms < 0)
            return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                              "%s=\"\" is missing: name a body, or \"ground\"", bodies[k]);
    }
    const double angle = acos(fmax(-1, fmin(1, v3_dot(axis[0], axis[1]))));
    *p = (cardo_constant_angle){body[0], body[1], axis[0], axis[1], w->angle ? w->angle : angle};
done:
    return status;
}

const cardo_written_constraint cardo_written_constant_angle = {
    .kind = &cardo_constraint_constant_angle,
    .fields = fields,
    .size = sizeof(angle_words),
    .example = "<constant-angle axis1=\"A:10@CA to A:20@CA\" axis2=\"A:100@CA to A:110@CA\" "
               "angle=\"60 deg\"/>",
    .make = make,
};
