/* The structures of cardo domains: files and models as they are given, and the two that are compared.
 */
#ifndef CARDO_CLI_DOMAIN_INPUTS_H
#define CARDO_CLI_DOMAIN_INPUTS_H

#include "topology/model_internal.h"

typedef struct cardo_domain_inputs {
    int n, capacity;
    cardo_structure_definition *definition; /* what was given; ids name members in the report   */
    char **text;                            /* file names and ids that definitions borrow       */
    int ntext, text_capacity;
    cardo_model *all; /* every structure, matched to the first                                  */
    int pair[2];      /* of the members, the two that differ most; 0 and 0 when there is one    */
    cardo_model *two; /* the reference and the target, matched                                  */
} cardo_domain_inputs;

/* Lists the files; FILE#CHAIN and FILE#MODEL:CHAIN choose. A single file with several models and no
 * choice stands for all of them. Reads everything and chooses the pair. Zero-initialise *inputs;
 * cardo_domain_inputs_clear also after a failure. */
cardo_status cardo_domain_inputs_read(int count, const char *const *given,
                                      cardo_domain_inputs *inputs, cardo_error *error);
void cardo_domain_inputs_clear(cardo_domain_inputs *inputs);

/* Reads the pair again with another file in place of the reference: one that was prepared from it. */
cardo_status cardo_domain_inputs_replace(cardo_domain_inputs *inputs, const char *prepared,
                                         cardo_error *error);

#endif
