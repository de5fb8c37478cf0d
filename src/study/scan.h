/* Energies along one coordinate, all else as it stands: the options of study "scan". */
#ifndef CARDO_STUDY_SCAN_H
#define CARDO_STUDY_SCAN_H

#include "base/writer.h"

/* The table "scan" has a row for each place: q, energies and the generalized force; of a place that cannot be evaluated,
 * since atoms overlap, they are NaN. Who said stop has the rows that were reached, and "interrupted" is true. */
typedef struct cardo_scan_course {
    char coordinate[CARDO_FIELD_STRING_SIZE]; /* BODY or BODY.K */
    double from, to;
    int places;
    const cardo_writer *writer; /* scan.csv and its picture; NULL: no files */
} cardo_scan_course;

extern const cardo_field cardo_scan_course_fields[];

#endif
