#include "model/constraints/numbers.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "multibody/mobilizers/descriptor.h"

#include <stdio.h>
#include <string.h>

static const char blanks[] = " ,\t\r\n";

/* A body and, of its coordinates or speeds, the one that the name says: by its number from 1 or its word; -1: says none. */
typedef struct named_number {
    int body, number;
    cardo_joint joint; /* of the body, to be released */
} named_number;

static int number_of(const cardo_joint *joint, bool speed, const char *word)
{
    const int n = speed ? joint->nu : joint->nq;
    int number;
    if (cardo_parse_int(word, (int)strlen(word), &number))
        return number - 1;
    for (int k = 0; k < n; ++k)
        if (strcmp(speed ? cardo_joint_u_name(joint, k) : cardo_joint_q_name(joint, k), word) == 0)
            return k;
    return n;
}

static cardo_status fail_unknown(const cardo_model *model, const char *attribute, const char *text,
                                 cardo_error *error)
{
    char hint[CARDO_NEAR_TEXT];
    cardo_near near = {.name = text};
    for (int b = 0; b < model->nbody; ++b)
        cardo_near_try(&near, model->body[b].name);
    return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                      "%s=\"%s\" is no body of this model, nor BODY.NUMBER%s", attribute, text,
                      cardo_near_hint(&near, hint));
}

static cardo_status look_up(const constraint_maker *maker, const char *attribute, const char *text,
                            bool speed, named_number *found, cardo_error *error)
{
    const cardo_model *model = maker->model;
    char name[CARDO_FIELD_STRING_SIZE];
    snprintf(name, sizeof name, "%s", text);
    char *dot = NULL;
    found->body = cardo_model_find_body(model, name);
    if (found->body < 0 && (dot = strrchr(name, '.'))) {
        *dot = '\0';
        found->body = cardo_model_find_body(model, name);
    }
    if (found->body < 0)
        return fail_unknown(model, attribute, text, error);
    const cardo_model_body *body = &model->body[found->body];
    cardo_status status =
        cardo_joint_compile(body->mobilizer, body->parameters, false, &found->joint, error);
    if (status != CARDO_OK)
        return status;
    const int n = speed ? found->joint.nu : found->joint.nq;
    found->number = dot ? number_of(&found->joint, speed, dot + 1) : n == 1 ? 0 : -1;
    if (found->number < 0 || found->number >= n)
        status = CARDO_FAIL(error, CARDO_ERROR_INPUT,
                            "%s=\"%s\": body '%s' (%s) has %d %s%s; choose one as %s.1%s",
                            attribute, text, name, cardo_mobilizer_name(body->mobilizer), n,
                            speed ? "speed" : "coordinate", n == 1 ? "" : "s", name,
                            n == 0 ? " (it has none)" : "");
    cardo_joint_release(&found->joint);
    return status;
}

cardo_status cardo_constraint_coordinate(const constraint_maker *maker, const char *attribute,
                                         const char *text, cardo_coordinate_of *coordinate,
                                         cardo_error *error)
{
    named_number found = {0};
    cardo_status status = look_up(maker, attribute, text, false, &found, error);
    *coordinate = (cardo_coordinate_of){found.body + 1, found.number};
    return status;
}

cardo_status cardo_constraint_mobility(const constraint_maker *maker, const char *attribute,
                                       const char *text, cardo_mobility_of *mobility,
                                       cardo_error *error)
{
    named_number found = {0};
    cardo_status status = look_up(maker, attribute, text, true, &found, error);
    *mobility = (cardo_mobility_of){found.body + 1, found.number};
    return status;
}

bool cardo_constraint_next_word(const char **text, char word[CARDO_FIELD_STRING_SIZE])
{
    *text += strspn(*text, blanks);
    const size_t length = strcspn(*text, blanks);
    snprintf(word, CARDO_FIELD_STRING_SIZE, "%.*s", (int)length, *text);
    *text += length;
    return length > 0;
}

cardo_status cardo_constraint_numbers(const constraint_maker *maker, int slot,
                                      const char *attribute, const char *text, double **numbers,
                                      int *n, cardo_error *error)
{
    char word[CARDO_FIELD_STRING_SIZE];
    double *list;
    cardo_status status = CARDO_ALLOCATE(&list, strlen(text) / 2 + 2, error);
    if (status != CARDO_OK)
        return status;
    maker->into->array[slot] = *numbers = list;
    *n = 0;
    while (cardo_constraint_next_word(&text, word))
        if (!cardo_parse_double(word, (int)strlen(word), &list[(*n)++]))
            return CARDO_FAIL(error, CARDO_ERROR_INPUT, "'%s' of %s=\"\" is no number", word,
                              attribute);
    return CARDO_OK;
}

const char *const cardo_constraint_function_words[] = {
    "linear", "polynomial",     "sinusoid",       "terms",
    "spline", "clamped-spline", "quintic-spline", NULL};

static const cardo_function_kind function_kinds[] = {
    CARDO_FUNCTION_LINEAR,         CARDO_FUNCTION_POLYNOMIAL, CARDO_FUNCTION_SINUSOID,
    CARDO_FUNCTION_MULTIPOLY,      CARDO_FUNCTION_SPLINE,     CARDO_FUNCTION_CLAMPED_SPLINE,
    CARDO_FUNCTION_QUINTIC_SPLINE,
};

/* Whole numbers, in place of the doubles that they were read as. */
static cardo_status read_exponents(const constraint_maker *maker, const char *text, int wanted,
                                   const int **exponents, cardo_error *error)
{
    double *numbers;
    int n, *whole;
    cardo_status status =
        cardo_constraint_numbers(maker, 1, "exponents", text, &numbers, &n, error);
    if (status != CARDO_OK)
        return status;
    if (n != wanted)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "exponents=\"\" has %d numbers: there must be one of every argument for "
                          "every coefficient, %d",
                          n, wanted);
    whole = (int *)numbers;
    for (int k = 0; k < n; ++k) {
        const double number = numbers[k];
        if (!(number >= 0 && number <= 100) || number != (int)number)
            return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                              "exponents=\"\": %g is no whole number from 0 to 100", number);
        whole[k] = (int)number;
    }
    *exponents = whole;
    return CARDO_OK;
}

cardo_status cardo_constraint_function(const constraint_maker *maker, const function_words *words,
                                       int narg, cardo_function *function, cardo_error *error)
{
    cardo_status status;
    double *coefficients, *knots, *values;
    int nvalue;
    *function = (cardo_function){.kind = function_kinds[words->kind], .narg = narg};
    for (int i = 0; i < narg; ++i)
        function->args[i] = i;
    CARDO_TRY(cardo_constraint_numbers(maker, 0, "coefficients", words->coefficients, &coefficients,
                                       &function->ncoefficient, error));
    function->coefficients = coefficients;
    if (function->kind == CARDO_FUNCTION_LINEAR && function->ncoefficient == narg)
        coefficients[function->ncoefficient++] = 0; /* no constant */
    if (function->kind == CARDO_FUNCTION_MULTIPOLY)
        CARDO_TRY(read_exponents(maker, words->exponents, narg * function->ncoefficient,
                                 &function->exponents, error));
    CARDO_TRY(
        cardo_constraint_numbers(maker, 2, "knots", words->knots, &knots, &function->nknot, error));
    CARDO_TRY(cardo_constraint_numbers(maker, 3, "values", words->values, &values, &nvalue, error));
    if (nvalue != function->nknot)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "knots=\"\" has %d numbers and values=\"\" %d: a value for each knot",
                          function->nknot, nvalue);
    function->knots = knots;
    function->values = values;
done:
    return status;
}
