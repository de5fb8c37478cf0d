/* A model that runs, of the domains that were found: the model file, its annotation, and scripts that show them. */
#ifndef CARDO_STUDY_DOMAINS_MODEL_H
#define CARDO_STUDY_DOMAINS_MODEL_H

#include "analysis/domains/motions.h"
#include "study/domains/kept.h"
#include "study/domains/led_torsions.h"
#include "study/domains/reference.h"

/* All is borrowed. */
typedef struct cardo_domain_model {
    const cardo_domains_options *options;
    const cardo_domain_inputs *inputs;
    const cardo_domain_reference *reference;
    const cardo_domain_motions *motions;
    const char *joint; /* NULL: the usual one */
    bool predicted;
    bool strands;        /* domains hang on those that give way */
    const bool *giving;  /* residues whose backbone turns (of the reference), or NULL */
    const bool *turning; /* residues whose side chains turn, or NULL: those near other domains */
    const int *lead; /* of hinges that are copies (nhinge; analysis/domains/copies.h), or NULL */
    const cardo_kept *kept;        /* or NULL */
    const cardo_led_torsions *led; /* or NULL */
    const char *settled; /* file whose atoms take the first structure's place, or NULL         */
    int nstand;
    const cardo_domain_stand *stand; /* with it: where its paths' bodies are (nstand)             */
    const char
        *settled_note; /* with it: what a model shall say of it                                   */
    const char *start; /* file of the coordinates to begin at, beside the model's; NULL: none */
    const char
        *tried; /* what a trial of its motion came to, which runs of the model repeat, or NULL */
} cardo_domain_model;

/* Writes NAME.domains.xml, NAME.xml, NAME.pml and NAME.cxc. */
cardo_status cardo_domain_model_write(const cardo_domain_model *model, cardo_error *error);

#endif
