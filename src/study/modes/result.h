/* Modes as a result: what is printed, and the tables of its files. */
#ifndef CARDO_STUDY_MODES_RESULT_H
#define CARDO_STUDY_MODES_RESULT_H

#include "base/result.h"
#include "study/modes/comparison.h"

typedef struct cardo_mode_findings {
    const cardo_session *session; /* all is borrowed */
    const cardo_mode_options *options;
    const cardo_mode_set *set;
    const cardo_mode_comparison *comparison;
    const char (*label)[40]; /* of every C-alpha's residue                         (set->nca) */
    const char *members;     /* who made K                                                    */
    bool correlations;       /* of all pairs of residues are wanted                           */
} cardo_mode_findings;

/* Fills a group: "modes" with the hinges of each, "comparison" with other methods, and what lies aside in files:
 * "speeds", "residues", "correlations", "overlaps_by_rank". */
cardo_status cardo_modes_fill(const cardo_mode_findings *findings, cardo_result *into,
                              cardo_error *error);

#endif
