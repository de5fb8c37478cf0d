/* What may stand in a model file: checked with words that help, then against topologies/cardo.rng.
 */
#ifndef CARDO_MODEL_FILE_SCHEMA_H
#define CARDO_MODEL_FILE_SCHEMA_H

#include "base/xml.h"

#include <stdbool.h>

/* Checks elements and attributes of a model file (root "cardo") or annotation file (root
 * "annotation") by name, with file, line and the nearest known name on failure. */
cardo_status cardo_model_schema_names(const cardo_xml *document, const char *root,
                                      cardo_error *error);

/* Validates against the RELAX NG schema. */
cardo_status cardo_model_schema_validate(const cardo_xml *document, cardo_error *error);

/* Both, one after the other. */
cardo_status cardo_model_schema_check(const cardo_xml *document, const char *root,
                                      cardo_error *error);

/* Is this element a study, whose attributes are options of its own field tables? */
bool cardo_model_is_study(const char *element);

/* Words of the studies, NULL-terminated. */
extern const char *const cardo_model_studies[];

/* One element: its attributes and children as words. Behind an attribute's name: "!" when it must
 * be there, then what its value is: ":name" (no blanks or commas), ":count", ":number" or
 * "=one|of|these". "*": any attributes. */
typedef struct cardo_element_rule {
    const char *name;
    const char *attributes;
    const char *children;
} cardo_element_rule;

/* All elements but studies; ends with a NULL name. */
extern const cardo_element_rule cardo_model_rules[];

#endif
