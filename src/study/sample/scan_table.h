/* The tables of a scan: energies, force, loads on hinges and the worst contact, place by place. */
#ifndef CARDO_STUDY_SAMPLE_SCAN_TABLE_H
#define CARDO_STUDY_SAMPLE_SCAN_TABLE_H

#include "study/sample/run.h"

/* Adds "scan" and, of a relaxed scan, "scan_down": the way back, and what they show. The session's state is moved. */
cardo_status cardo_scan_tables_fill(const sample_run *run, cardo_result *into, cardo_error *error);

#endif
