/* What cardo check says: residues that a force field does not cover, by what is wrong with them. */
#ifndef CARDO_CLI_CHECK_REPORT_H
#define CARDO_CLI_CHECK_REPORT_H

#include "forces/ffxml/coverage.h"
#include "structure/prepare/components.h"

typedef struct cardo_checked {
    const char *path;
    const char *forcefield; /* names of its files, for people */
    const cardo_structure *structure;
    const cardo_components *components;
    const cardo_coverage *coverage;
} cardo_checked;

/* All problems by kind, what to do about each, and the commands to type. full: one line a residue,
 * and covered residues with their templates. */
cardo_status cardo_checked_print(const cardo_checked *checked, bool full, cardo_error *error);

/* The same of every residue, for programs. */
void cardo_checked_json(const cardo_checked *checked);

#endif
