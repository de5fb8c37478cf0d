/* The constraints of a model file become those of a model. */
#ifndef CARDO_MODEL_CONSTRAINTS_CONSTRAINTS_H
#define CARDO_MODEL_CONSTRAINTS_CONSTRAINTS_H

#include "base/xml.h"
#include "model/model.h"

/* Makes what stands in <constraints> (NULL: nothing; its names were checked), once the model has its bodies. Errors say file, line and element. */
cardo_status cardo_model_read_constraints(cardo_model *model, const cardo_xml *document,
                                          const cardo_xml_element *constraints, cardo_error *error);

/* Ties strands that close loops, and are to be rigid, by the joints that their cut bonds are: a pin about each. */
cardo_status cardo_model_close_strands(cardo_model *model, cardo_error *error);

#endif
