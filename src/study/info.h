/* What a model is made of, and how well its hinges fit the structures: the options of study "info".
 *
 * Its result has "structures", "bodies" with the fit of each path, "cuts" (strands cut between bodies), "loops" (what rows leave of strands that are closed), with clashes also
 * those along the paths, with all_atom "all_atoms", and where there are forces "strain", "strain_along_paths" and the energies where the session's
 * state stands, otherwise "no_energies". */
#ifndef CARDO_STUDY_INFO_H
#define CARDO_STUDY_INFO_H

#include <stdbool.h>

typedef struct cardo_info_options {
    bool clashes;
    bool all_atom; /* judge the model by the reference of all atoms (study/reference) */
    int places, iterations,
        sweeps; /* of the reference: along the paths, most at a place each way, there and back */
} cardo_info_options;

#endif
