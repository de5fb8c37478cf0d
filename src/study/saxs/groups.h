/* Shares of many conformations, by groups that a curve cannot tell apart. */
#ifndef CARDO_STUDY_SAXS_GROUPS_H
#define CARDO_STUDY_SAXS_GROUPS_H

#include "experiment/saxs/groups.h"
#include "study/saxs/context.h"
#include "study/saxs/measured.h"

enum { CARDO_SAXS_MOST_GROUPS = 200 };

/* Closes the groups and fills a table "groups" and the group "ensemble": the distribution nearest to the conformations' own, and what the curve, and what
 * was measured beside it, say of their radius of gyration. measured: with room for CARDO_SAXS_MOST_GROUPS conformations, and gets those of the groups. */
cardo_status cardo_saxs_groups(cardo_saxs_context *context, cardo_profile_groups *groups,
                               cardo_saxs_measured *measured, cardo_result *into,
                               cardo_error *error);

#endif
