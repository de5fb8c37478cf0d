/* The files of study "minimize". */
#ifndef CARDO_STUDY_MINIMIZE_FILES_H
#define CARDO_STUDY_MINIMIZE_FILES_H

#include "study/minimize_options.h"

/* The table of all iterations. Zero-initialise. */
typedef struct cardo_minimize_table {
    const cardo_writer *writer; /* NULL: there is none */
    cardo_series *series;
    double *row;
    int nq;
    long long rows;
} cardo_minimize_table;

/* Records what is begun, and opens minimization.csv. Close the table, also after a failure. */
cardo_status cardo_minimize_begin(const cardo_session *session,
                                  const cardo_minimize_options *options,
                                  cardo_minimize_table *table, cardo_error *error);
/* Stages follow each other in one table, with the iterations counted on. */
cardo_status cardo_minimize_row(cardo_minimize_table *table, int stage,
                                const cardo_minimization_frame *frame, cardo_error *error);
cardo_status cardo_minimize_table_close(cardo_minimize_table *table, cardo_error *error);

/* The structure where the session's state stands, its coordinates, and where the result has iterations their picture. */
cardo_status cardo_minimize_write(const cardo_session *session, const cardo_writer *writer,
                                  const cardo_result *result, cardo_error *error);

#endif
