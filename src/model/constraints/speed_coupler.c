#include "model/constraints/kind.h"
#include "model/constraints/numbers.h"
#include "multibody/constraints/constraint.h"

typedef struct speeds_words {
    constraint_words common;
    char speeds[CARDO_FIELD_TEXT_SIZE], coefficients[CARDO_FIELD_TEXT_SIZE];
    double value;
} speeds_words;

static const cardo_field fields[] = {
    CONSTRAINT_COMMON(speeds_words),
    CONSTRAINT_LIST(speeds_words, "speeds", speeds,
                    "one to six: of BODY, or BODY.2 where it has several"),
    CONSTRAINT_LIST(speeds_words, "coefficients", coefficients, "one for each"),
    CONSTRAINT_NUMBER(speeds_words, "value", value, "", "0",
                      "what the sum of coefficients times speeds is, per ps"),
    {0},
};

static cardo_status make(const constraint_maker *maker, const void *words, cardo_error *error)
{
    const speeds_words *w = words;
    cardo_speed_coupler *p = &maker->into->parameters.speed_coupler;
    const char *text = w->speeds;
    char name[CARDO_FIELD_STRING_SIZE];
    double *coefficients;
    int n;
    cardo_status status;
    while (cardo_constraint_next_word(&text, name)) {
        if (p->nmobility == CARDO_FUNCTION_MAX_ARGS)
            return CARDO_FAIL(error, CARDO_ERROR_INPUT, "speeds=\"\" names more than %d speeds",
                              (int)CARDO_FUNCTION_MAX_ARGS);
        CARDO_TRY(
            cardo_constraint_mobility(maker, "speeds", name, &p->mobilities[p->nmobility], error));
        ++p->nmobility;
    }
    CARDO_TRY(cardo_constraint_numbers(maker, 0, "coefficients", w->coefficients, &coefficients, &n,
                                       error));
    if (p->nmobility == 0 || n != p->nmobility)
        return CARDO_FAIL(
            error, CARDO_ERROR_INPUT,
            "speeds=\"\" names %d and coefficients=\"\" has %d: one for each, and one "
            "at least",
            p->nmobility, n);
    for (int i = 0; i < n; ++i)
        p->coefficients[i] = coefficients[i];
    p->value = w->value;
done:
    return status;
}

const cardo_written_constraint cardo_written_speed_coupler = {
    .kind = &cardo_constraint_speed_coupler,
    .fields = fields,
    .size = sizeof(speeds_words),
    .example = "<speed-coupler speeds=\"lobe lid\" coefficients=\"1 -2\"/>",
    .make = make,
};
