/* Distances between labels that were measured beside a curve: averages over the same ensemble. */
#ifndef CARDO_STUDY_SAXS_MEASURED_H
#define CARDO_STUDY_SAXS_MEASURED_H

#include "experiment/saxs/ensemble_fit.h"
#include "study/distances/labelled.h"
#include "study/saxs/context.h"

typedef struct cardo_saxs_measured {
    cardo_label_table table;
    int n;            /* pairs of the table that were measured; 0: no table was named */
    int *pair;        /* their numbers (n)                                            */
    double *value;    /* over their standard errors (n)                               */
    double *property; /* of conformations, likewise (conformations x n)               */
} cardo_saxs_measured;

/* The table that the options name (experiment/labels/label_table.h), if they do, with room for so many conformations. One without a measured pair is
 * CARDO_ERROR_INPUT. Zero-initialise; cardo_saxs_measured_clear also after a failure. */
cardo_status cardo_saxs_measured_open(const cardo_saxs_context *context, int conformations,
                                      cardo_saxs_measured *out, cardo_error *error);
void cardo_saxs_measured_clear(cardo_saxs_measured *measured);

/* The labels' clouds on a structure, whose atoms ride on bodies (atom_body, or NULL: on one). The table is borrowed. */
cardo_status cardo_saxs_measured_label(const cardo_saxs_measured *measured,
                                       const cardo_structure *structure, const int *atom_body,
                                       cardo_labelled *labelled, cardo_error *error);

/* What would be measured of conformation k, whose atoms are at positions (natom x 3, nm): transfer efficiencies with labels that stand still,
 * and mean distances. without: the number of a label that has no room there, else -1; NULL: that is CARDO_ERROR_INPUT. */
cardo_status cardo_saxs_measured_find(cardo_saxs_measured *measured, cardo_labelled *labelled,
                                      const double *positions, int k, int *without,
                                      cardo_error *error);

/* That of conformation k (n). */
const double *cardo_saxs_measured_row(const cardo_saxs_measured *measured, int k);

/* Joins them to conformations; chi^2 of conformation k alone. */
void cardo_saxs_measured_join(const cardo_saxs_measured *measured, cardo_conformations *all);
double cardo_saxs_measured_chi_square(const cardo_saxs_measured *measured, int k);

/* A table "measured": each pair as it was measured and as shares of the conformations that it joined have it. */
void cardo_saxs_measured_fill(const cardo_saxs_measured *measured, const cardo_conformations *all,
                              const double *weight, cardo_result *into);

#endif
