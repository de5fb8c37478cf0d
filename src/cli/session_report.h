/* What a session knows of itself, as lines on standard output and as JSON. */
#ifndef CARDO_CLI_SESSION_REPORT_H
#define CARDO_CLI_SESSION_REPORT_H

#include "io/results/json.h"
#include "io/tables/table.h"
#include "study/session/hinge_loads.h"
#include "study/session/session.h"
#include "study/session/strain.h"

/* Prints the model's name and how many atoms, bodies and degrees of freedom it has, and its notes. */
void cardo_print_size(const cardo_session *session);
/* Prints which provider auto took and why; nothing where the user named one. */
void cardo_print_choice(const cardo_session *session);

/* The one line about the judgement (study/session/judge.h) on standard output, and the same as JSON (an object; the caller
 * owns it). Nothing, or NULL, where nothing was to be judged. */
void cardo_judgement_print(const cardo_session *session);
cardo_json *cardo_judgement_json(const cardo_session *session);

/* Where the paths become impossible, under a title; nothing without paths. */
cardo_status cardo_strain_print_course(const cardo_session *session, cardo_error *error);

/* Columns of the loads of hinges (6 x count). */
void cardo_hinge_load_columns(const cardo_hinge_loads *loads, cardo_column *columns);

#endif
