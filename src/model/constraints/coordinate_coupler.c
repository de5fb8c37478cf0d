#include "model/constraints/kind.h"
#include "model/constraints/numbers.h"
#include "multibody/constraints/constraint.h"

typedef struct coupler_words {
    constraint_words common;
    char coordinates[CARDO_FIELD_TEXT_SIZE], equals[CARDO_FIELD_STRING_SIZE];
    function_words function;
} coupler_words;

static const cardo_field fields[] = {
    CONSTRAINT_COMMON(coupler_words),
    CONSTRAINT_LIST(coupler_words, "coordinates", coordinates,
                    "arguments of the function, one to six: BODY, or BODY.2 where it has several"),
    CONSTRAINT_FUNCTION(coupler_words, function),
    CONSTRAINT_WORD(coupler_words, "equals", equals,
                    "the coordinate that the function gives; left out: the function is zero"),
    {0},
};

/* f(x0, x1, ...) - x_last */
static void less_last(void *user, int narg, const double *x, double *value, double *gradient,
                      double *hessian)
{
    const cardo_compiled_function *function = user;
    const int n = narg - 1;
    double inner[CARDO_FUNCTION_MAX_ARGS * CARDO_FUNCTION_MAX_ARGS];
    cardo_function_evaluate(function, x, value, gradient, inner);
    *value -= x[n];
    gradient[n] = -1;
    for (int i = 0; i < narg; ++i)
        for (int j = 0; j < narg; ++j)
            hessian[i * narg + j] = i < n && j < n ? inner[i * n + j] : 0;
}

static cardo_status add_equal(const constraint_maker *maker, const char *name,
                              cardo_coordinate_coupler *p, cardo_error *error)
{
    cardo_status status;
    const int n = p->ncoordinate;
    if (n == CARDO_FUNCTION_MAX_ARGS)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "equals=\"%s\": with this one there are more than %d coordinates", name,
                          (int)CARDO_FUNCTION_MAX_ARGS);
    CARDO_TRY(cardo_constraint_coordinate(maker, "equals", name, &p->coordinates[n], error));
    CARDO_TRY(cardo_function_compile(&p->function, &maker->into->function, error));
    p->ncoordinate = n + 1;
    p->function = (cardo_function){.kind = CARDO_FUNCTION_CALLBACK,
                                   .narg = n + 1,
                                   .callback = less_last,
                                   .user = maker->into->function};
    for (int i = 0; i <= n; ++i)
        p->function.args[i] = i;
done:
    return status;
}

static cardo_status make(const constraint_maker *maker, const void *words, cardo_error *error)
{
    const coupler_words *w = words;
    cardo_coordinate_coupler *p = &maker->into->parameters.coordinate_coupler;
    const char *text = w->coordinates;
    char name[CARDO_FIELD_STRING_SIZE];
    cardo_status status;
    while (cardo_constraint_next_word(&text, name)) {
        if (p->ncoordinate == CARDO_FUNCTION_MAX_ARGS)
            return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                              "coordinates=\"\" names more than %d coordinates",
                              (int)CARDO_FUNCTION_MAX_ARGS);
        CARDO_TRY(cardo_constraint_coordinate(maker, "coordinates", name,
                                              &p->coordinates[p->ncoordinate], error));
        ++p->ncoordinate;
    }
    if (p->ncoordinate == 0)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "coordinates=\"\" names none: BODY, or BODY.2 where it has several");
    CARDO_TRY(cardo_constraint_function(maker, &w->function, p->ncoordinate, &p->function, error));
    if (w->equals[0])
        CARDO_TRY(add_equal(maker, w->equals, p, error));
done:
    return status;
}

const cardo_written_constraint cardo_written_coordinate_coupler = {
    .kind = &cardo_constraint_coordinate_coupler,
    .fields = fields,
    .size = sizeof(coupler_words),
    .example = "<coordinate-coupler coordinates=\"lobe\" coefficients=\"0.5 0\" equals=\"lid\"/>",
    .make = make,
};
