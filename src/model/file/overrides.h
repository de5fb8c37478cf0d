/* Settings that stand in for attributes of a model file: "element.attribute=value". */
#ifndef CARDO_MODEL_FILE_OVERRIDES_H
#define CARDO_MODEL_FILE_OVERRIDES_H

#include "base/status.h"

/* The texts are borrowed. */
typedef struct cardo_overrides {
    int count;
    const char *const *text;
} cardo_overrides;

/* Every text must be element.attribute=value with an element and attribute that can be set: those
 * of the model, paths, the force field, and any option of a study. CARDO_ERROR_USAGE with a
 * suggestion otherwise. */
cardo_status cardo_overrides_check(const cardo_overrides *overrides, cardo_error *error);

/* The last value given for element.attribute, or NULL. */
const char *cardo_overrides_value(const cardo_overrides *overrides, const char *element,
                                  const char *attribute);

/* Does text k name this element? Then *attribute and its length, and *value, are set. */
int cardo_overrides_of(const cardo_overrides *overrides, int k, const char *element,
                       const char **attribute, const char **value);

#endif
