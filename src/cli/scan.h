/* U along one coordinate: a table, a picture, a few words. */
#ifndef CARDO_CLI_SCAN_H
#define CARDO_CLI_SCAN_H

#include "study/session/session.h"

typedef struct cardo_scan {
    int coordinate; /* index of the q            */
    double from, to;
    int count;
    const char *folder; /* is there, for this scan alone */
    bool json;
} cardo_scan;

/* Evaluates count places from .. to, writes scan.csv (q, U, terms, generalized force) and scan.gp,
 * .png, .svg into the folder, and prints what they show. Places that cannot be evaluated are
 * written as nan and counted. */
cardo_status cardo_scan_run(cardo_session *session, const cardo_scan *scan, cardo_error *error);

#endif
