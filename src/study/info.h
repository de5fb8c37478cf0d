/* What a model is made of, and how well its hinges fit the structures. */
#ifndef CARDO_STUDY_INFO_H
#define CARDO_STUDY_INFO_H

#include "base/result.h"
#include "study/session.h"

/* Fills a group: "structures", "bodies" with the fit of each path, "cuts" (strands cut between bodies), with clashes
 * also those along the paths, and where there are forces "strain", "strain_along_paths" and the energies where the
 * session's state stands, otherwise "no_energies". */
cardo_status cardo_info_fill(cardo_session *session, bool clashes, cardo_result *into,
                             cardo_error *error);

#endif
