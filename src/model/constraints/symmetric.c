#include "model/constraints/kind.h"
#include "model/constraints/numbers.h"
#include "multibody/constraints/constraint.h"

/* Copies of a hinge that go as the first of them does: a coupler each for the others. */
typedef struct symmetric_words {
    constraint_words common;
    char coordinates[CARDO_FIELD_TEXT_SIZE];
} symmetric_words;

static const cardo_field fields[] = {
    CONSTRAINT_COMMON(symmetric_words),
    CONSTRAINT_LIST(symmetric_words, "coordinates", coordinates,
                    "two or more that are all equal: BODY, or BODY.2 where it has several"),
    {0},
};

static int count(const void *words)
{
    const char *text = ((const symmetric_words *)words)->coordinates;
    char name[CARDO_FIELD_STRING_SIZE];
    int n = 0;
    while (cardo_constraint_next_word(&text, name))
        ++n;
    return n > 2 ? n - 1 : 1;
}

static cardo_status make(const constraint_maker *maker, const void *words, cardo_error *error)
{
    const function_words difference = {.coefficients = "1 -1 0"};
    const symmetric_words *w = words;
    cardo_coordinate_coupler *p = &maker->into->parameters.coordinate_coupler;
    const char *text = w->coordinates;
    char first[CARDO_FIELD_STRING_SIZE], other[CARDO_FIELD_STRING_SIZE];
    bool there = cardo_constraint_next_word(&text, first);
    cardo_status status;
    for (int k = 0; k <= maker->number && there; ++k)
        there = cardo_constraint_next_word(&text, other);
    if (!there)
        return CARDO_FAIL(
            error, CARDO_ERROR_INPUT,
            "coordinates=\"%s\": name two or more, BODY or BODY.2, with blanks between",
            w->coordinates);
    p->ncoordinate = 2;
    CARDO_TRY(cardo_constraint_coordinate(maker, "coordinates", first, &p->coordinates[0], error));
    CARDO_TRY(cardo_constraint_coordinate(maker, "coordinates", other, &p->coordinates[1], error));
    if (p->coordinates[0].body == p->coordinates[1].body &&
        p->coordinates[0].coordinate == p->coordinates[1].coordinate)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT, "coordinates=\"%s\" names '%s' twice",
                          w->coordinates, other);
    CARDO_TRY(cardo_constraint_function(maker, &difference, 2, &p->function, error));
done:
    return status;
}

const cardo_written_constraint cardo_written_symmetric = {
    .kind = &cardo_constraint_coordinate_coupler,
    .name = "symmetric",
    .fields = fields,
    .size = sizeof(symmetric_words),
    .doc = "copies of a hinge go by one coordinate: all are equal",
    .example = "<symmetric coordinates=\"lobe lobe2 lobe3\"/>",
    .count = count,
    .make = make,
};
