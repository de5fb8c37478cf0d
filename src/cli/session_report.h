/* The strain of a session's model, as lines on standard output. */
#ifndef CARDO_CLI_SESSION_REPORT_H
#define CARDO_CLI_SESSION_REPORT_H

#include "study/session/strain.h"

/* Where the paths become impossible, under a title; nothing without paths. */
cardo_status cardo_strain_print_course(const cardo_session *session, cardo_error *error);

#endif
