/* Tables of a model's forces, made once and kept in the run folder. */
#ifndef CARDO_CLI_TABULATE_H
#define CARDO_CLI_TABULATE_H

#include "study/session.h"

#include <signal.h>

/* Where the model asks for a table (forcefield.table), makes session->table: read from forces.table in
 * folder when one of these forces, ranges and errors is there, else evaluated and written there.
 * identity: what else the forces depend on (platform, solvent, ...), as text. continues: a table that
 * does not fit is an error instead of made anew. stop (may be NULL): nonzero interrupts. Tells on the
 * screen what it does unless quiet. */
cardo_status cardo_session_tabulate(cardo_session *session, const char *folder,
                                    const char *identity, bool continues,
                                    const volatile sig_atomic_t *stop, bool quiet,
                                    cardo_error *error);

#endif
