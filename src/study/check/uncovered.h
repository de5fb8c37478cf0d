/* Residues that a force field does not cover, by what is wrong with them. */
#ifndef CARDO_STUDY_CHECK_UNCOVERED_H
#define CARDO_STUDY_CHECK_UNCOVERED_H

#include "base/result.h"
#include "forces/ffxml/coverage.h"
#include "structure/prepare/components.h"

typedef struct cardo_uncovered {
    const char *path;
    const char *forcefield; /* names of its files, for people */
    const cardo_structure *structure;
    const cardo_components *components;
    const cardo_coverage *coverage;
} cardo_uncovered;

/* Fills a group: how many residues are covered, every residue with its template or what is wrong with it
 * ("coverage"), the problems by kind with what to do about each ("by_kind"), and what would make a structure
 * that is covered ("remedy"). apart: an entry a residue; otherwise residues of which the same is to be said
 * share one. */
cardo_status cardo_uncovered_fill(const cardo_uncovered *checked, bool apart, cardo_result *into,
                                  cardo_error *error);

#endif
