/* Kinds of coarse-grained energies: one descriptor each, in a file of its own, listed below. */
#ifndef CARDO_FORCES_COARSE_KIND_H
#define CARDO_FORCES_COARSE_KIND_H

#include "base/field.h"
#include "base/xml.h"
#include "cardo/forces.h"
#include "forces/coarse/energy.h"
#include "model/model.h"

enum { CARDO_COARSE_PARAMETERS_SIZE = 2048 };

/* What an energy is made of. */
typedef struct cardo_coarse_source {
    const cardo_model *model;
    const void *parameters; /* the kind's own struct, filled from its fields */
    const cardo_xml *document;
    const cardo_xml_element *root;
} cardo_coarse_source;

struct cardo_coarse_kind {
    const char *name; /* kind="" of a data file's root  */
    const char *file; /* the one in forcefields/        */
    const char *doc;
    const char *citation;
    const cardo_field *fields; /* parameters: attributes of the root, or forcefield.parameters */
    /* Adds terms to an energy that has its sites and rows, and says in its summary what they are. */
    cardo_status (*build)(const cardo_coarse_source *source, cardo_coarse_energy *energy,
                          cardo_error *error);
};

/* The kinds, in the order of the table: a new one is a file beside this one and a line here. */
// clang-format off
#define CARDO_COARSE_KINDS(X) \
    X(double_basin) \
    X(elastic_network) \
    X(kim_hummer)
// clang-format on
#define CARDO_COARSE_KINDS_DECLARE(name) extern const cardo_coarse_kind cardo_coarse_##name;
CARDO_COARSE_KINDS(CARDO_COARSE_KINDS_DECLARE)
#undef CARDO_COARSE_KINDS_DECLARE

/* All of them, NULL at the end. */
extern const cardo_coarse_kind *const cardo_coarse_kinds[];

#endif
