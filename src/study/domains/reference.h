/* The structure that a model of domains begins with, made ready for the model's force field. */
#ifndef CARDO_STUDY_DOMAINS_REFERENCE_H
#define CARDO_STUDY_DOMAINS_REFERENCE_H

#include "study/domains/domains.h"
#include "study/domains/inputs.h"

typedef struct cardo_domain_reference {
    const cardo_listener *listener; /* borrowed, like all up to file                              */
    const cardo_domains_options *options;
    cardo_domain_inputs *inputs;
    const char
        *file;      /* in the writer's place, for a structure that is prepared: "lao_start.pdb"  */
    bool coarse;    /* the force field is a coarse-grained energy                               */
    char *prepared; /* path of that file, where it was written, else NULL                       */
    char note[256]; /* what a model shall say of it, or ""                                      */
} cardo_domain_reference;

/* Whether the options' force field is a coarse-grained energy, which needs no preparation. */
cardo_status cardo_domain_reference_look(cardo_domain_reference *reference, cardo_error *error);

/* Where the force field does not cover the first structure, it is prepared, written, and taken in place of the given one;
 * else what there is to look at in it is told. "preparation" of the result says both. A structure most of whose atoms
 * would be guesses is CARDO_ERROR_INPUT. */
cardo_status cardo_domain_reference_prepare(cardo_domain_reference *reference, cardo_result *into,
                                            cardo_error *error);

/* Path of a file in a writer's place; the caller owns *out. */
cardo_status cardo_domain_place(const cardo_writer *writer, const char *name, char **out,
                                cardo_error *error);

#endif
