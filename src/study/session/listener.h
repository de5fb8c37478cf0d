/* Telling a listener (cardo/listener.h). */
#ifndef CARDO_STUDY_SESSION_LISTENER_H
#define CARDO_STUDY_SESSION_LISTENER_H

#include "cardo/listener.h"

/* printf's text to a listener; NULL hears nothing. Longer than 8 KB is cut. */
void cardo_tell(const cardo_listener *listener, cardo_severity severity, const char *about,
                const char *format, ...) __attribute__((format(printf, 4, 5)));

#endif
