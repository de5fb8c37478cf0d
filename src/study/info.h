/* What a model is made of, and how well its hinges fit the structures: the options of study "info".
 *
 * Its result has "structures", "bodies" with the fit of each path, "cuts" (strands cut between bodies), "loops" (what rows leave of strands that are closed), with clashes also
 * those along the paths, and where there are forces "strain", "strain_along_paths" and the energies where the session's
 * state stands, otherwise "no_energies". */
#ifndef CARDO_STUDY_INFO_H
#define CARDO_STUDY_INFO_H

#include <stdbool.h>

typedef struct cardo_info_options {
    bool clashes;
} cardo_info_options;

#endif
