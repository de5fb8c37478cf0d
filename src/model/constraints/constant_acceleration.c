#include "model/constraints/kind.h"
#include "model/constraints/numbers.h"
#include "multibody/constraints/constraint.h"

typedef struct acceleration_words {
    constraint_words common;
    char speed[CARDO_FIELD_STRING_SIZE];
    double value;
} acceleration_words;

static const cardo_field fields[] = {
    CONSTRAINT_COMMON(acceleration_words),
    CONSTRAINT_WORD(acceleration_words, "speed", speed, "of BODY, or BODY.2 where it has several"),
    CONSTRAINT_NUMBER(acceleration_words, "value", value, "", "0", "its acceleration, per ps^2"),
    {0},
};

static cardo_status make(const constraint_maker *maker, const void *words, cardo_error *error)
{
    const acceleration_words *w = words;
    cardo_constant_acceleration *p = &maker->into->parameters.constant_acceleration;
    p->value = w->value;
    return cardo_constraint_mobility(maker, "speed", w->speed, &p->mobility, error);
}

const cardo_written_constraint cardo_written_constant_acceleration = {
    .kind = &cardo_constraint_constant_acceleration,
    .fields = fields,
    .size = sizeof(acceleration_words),
    .example = "<constant-acceleration speed=\"lobe\" value=\"0.001\"/>",
    .make = make,
};
