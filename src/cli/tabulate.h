/* The force table of a run, kept in its folder. */
#ifndef CARDO_CLI_TABULATE_H
#define CARDO_CLI_TABULATE_H

#include "study/session/session.h"

/* cardo_session_tabulate with forces.table of folder. A folder that is empty after a failure goes. */
cardo_status cardo_run_tabulate(cardo_session *session, const char *folder, const char *identity,
                                bool continues, cardo_error *error);

#endif
