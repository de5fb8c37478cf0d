/* Reading files in the layout of shared/reference/multibody with jansson: a system, and arrays of
 * numbers. */
#ifndef CARDO_TESTS_REFERENCE_JSON_H
#define CARDO_TESTS_REFERENCE_JSON_H

#include "multibody/tree/system.h"

#include <jansson.h>

/* Flattens nested arrays of numbers, and transforms {R, p} as R then p, into out (room for
 * capacity); returns how many there were. */
int reference_flatten(const json_t *value, double *out, int capacity);
/* A new array of all numbers under a key; *count of them. NULL when the key is not there. The
 * caller frees it. */
double *reference_numbers(const json_t *object, const char *key, int *count);
cardo_vec3 reference_vec3(const json_t *array);
cardo_transform reference_transform(const json_t *object);

/* Builds and finalizes the system of a file, with its constraints and prescribed motions. CARDO_ERROR_UNSUPPORTED names what is not supported.
 */
cardo_status reference_system(const json_t *file, cardo_system **out, cardo_error *error);

#endif
