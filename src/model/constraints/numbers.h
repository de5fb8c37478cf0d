/* Coordinates, lists of numbers and functions as constraints have them. */
#ifndef CARDO_MODEL_CONSTRAINTS_NUMBERS_H
#define CARDO_MODEL_CONSTRAINTS_NUMBERS_H

#include "model/constraints/kind.h"

/* A coordinate ("lobe", "core.4", "core.x"), or a speed, of a body that has it; attribute: for messages. */
cardo_status cardo_constraint_coordinate(const constraint_maker *maker, const char *attribute,
                                         const char *text, cardo_coordinate_of *coordinate,
                                         cardo_error *error);
cardo_status cardo_constraint_mobility(const constraint_maker *maker, const char *attribute,
                                       const char *text, cardo_mobility_of *mobility,
                                       cardo_error *error);
/* The next word of a list with blanks or commas between; *text goes on behind it. False: there is none. */
bool cardo_constraint_next_word(const char **text, char word[CARDO_FIELD_STRING_SIZE]);

/* Numbers of a list, kept by the constraint as its array number `slot`, with room for one more. */
cardo_status cardo_constraint_numbers(const constraint_maker *maker, int slot,
                                      const char *attribute, const char *text, double **numbers,
                                      int *n, cardo_error *error);

typedef struct function_words {
    int kind;
    char coefficients[CARDO_FIELD_TEXT_SIZE], exponents[CARDO_FIELD_TEXT_SIZE];
    char knots[CARDO_FIELD_TEXT_SIZE], values[CARDO_FIELD_TEXT_SIZE];
} function_words;

extern const char *const cardo_constraint_function_words[];

#define CONSTRAINT_FUNCTION(type, member)                                                          \
    {"function",                                                                                   \
     CARDO_FIELD_CHOICE,                                                                           \
     offsetof(type, member.kind),                                                                  \
     "",                                                                                           \
     "linear",                                                                                     \
     0,                                                                                            \
     0,                                                                                            \
     cardo_constraint_function_words,                                                              \
     "linear: sum of coefficients times arguments, and a constant; polynomial: of one argument, "  \
     "highest power first; sinusoid: amplitude, frequency, phase; terms: coefficients times "      \
     "powers (exponents); splines: through values at knots",                                       \
     false},                                                                                       \
        CONSTRAINT_LIST(type, "coefficients", member.coefficients,                                 \
                        "of the function; of a clamped spline its slopes at both ends"),           \
        CONSTRAINT_LIST(type, "exponents", member.exponents,                                       \
                        "of function terms: of every argument for every coefficient"),             \
        CONSTRAINT_LIST(type, "knots", member.knots, "of splines, rising"),                        \
        CONSTRAINT_LIST(type, "values", member.values, "of splines at the knots")

/* The function of narg arguments, argument i the i-th; its arrays are the constraint's. Arrays 0 to 3 are used. */
cardo_status cardo_constraint_function(const constraint_maker *maker, const function_words *words,
                                       int narg, cardo_function *function, cardo_error *error);

#endif
