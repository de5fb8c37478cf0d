/* A table of a session's forces, in place of evaluating them: made once and, where there is a store, kept. */
#ifndef CARDO_STUDY_SESSION_TABLE_H
#define CARDO_STUDY_SESSION_TABLE_H

#include "dynamics/tables/table_store.h"
#include "study/session/session.h"

/* Where the model asks for a table (forcefield.table), makes session->table, which cardo_session_forces gives from then
 * on: read from the store where one of these forces, ranges and errors is kept there, else evaluated and kept. store
 * NULL: it lives as long as the session. identity (may be NULL): what else the forces depend on (platform, solvent,
 * ...), as lines. continues: a table that does not fit is an error instead of made anew. The listener hears of
 * evaluations, and of the table as a note about forcefield.table; its stop interrupts. */
cardo_status cardo_session_tabulate(cardo_session *session, const char *identity, bool continues,
                                    const cardo_table_store *store, cardo_error *error);

#endif
