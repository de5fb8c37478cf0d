/* Figures of other programs that are part of the source tree, tests/reference. */
#ifndef CARDO_TESTS_SUPPORT_REFERENCE_H
#define CARDO_TESTS_SUPPORT_REFERENCE_H

#include <jansson.h>

/* The JSON of a compressed file; NULL, after saying why, where it cannot be read. The caller calls
 * json_decref. */
json_t *support_json(const char *path);

/* The number (0 where there is none) and the text (NULL) of a key. */
double support_number(const json_t *object, const char *key);
const char *support_text(const json_t *object, const char *key);

#endif
