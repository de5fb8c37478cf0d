#include "model/constraints/kind.h"
#include "model/constraints/numbers.h"
#include "multibody/constraints/constraint.h"

typedef struct speed_words {
    constraint_words common;
    char speed[CARDO_FIELD_STRING_SIZE];
    double value;
} speed_words;

static const cardo_field fields[] = {
    CONSTRAINT_COMMON(speed_words),
    CONSTRAINT_WORD(speed_words, "speed", speed, "of BODY, or BODY.2 where it has several"),
    CONSTRAINT_NUMBER(speed_words, "value", value, "", "0", "its speed, per ps"),
    {0},
};

static cardo_status make(const constraint_maker *maker, const void *words, cardo_error *error)
{
    const speed_words *w = words;
    cardo_constant_speed *p = &maker->into->parameters.constant_speed;
    p->value = w->value;
    return cardo_constraint_mobility(maker, "speed", w->speed, &p->mobility, error);
}

const cardo_written_constraint cardo_written_constant_speed = {
    .kind = &cardo_constraint_constant_speed,
    .fields = fields,
    .size = sizeof(speed_words),
    .example = "<constant-speed speed=\"lobe\" value=\"0.001\"/>",
    .make = make,
};
