/* Force field and studies of a model file: what is kept as options. */
#ifndef CARDO_MODEL_FILE_OPTIONS_H
#define CARDO_MODEL_FILE_OPTIONS_H

#include "base/field.h"
#include "base/xml.h"
#include "model/definition.h"
#include "model/file/overrides.h"

/* The force field's options besides its files, for help texts: names, choices, defaults. */
extern const cardo_field cardo_model_forcefield_fields[];

/* Reads <forcefield> (element may be NULL: from overrides alone) into the definition. */
cardo_status cardo_model_read_forcefield(cardo_model_definition *definition,
                                         const cardo_xml *document,
                                         const cardo_xml_element *element,
                                         const cardo_overrides *overrides, cardo_error *error);

/* Appends a study; overrides of its verb replace or extend its options. element NULL: a study from
 * overrides alone. */
cardo_status cardo_model_read_study(cardo_model_definition *definition, const char *verb,
                                    const cardo_xml_element *element,
                                    const cardo_overrides *overrides, cardo_error *error);

#endif
