/* The tables that grow with a study, as PLUMED writes them: samples in COLVAR, hills in HILLS. */
#ifndef CARDO_STUDY_SAMPLE_SERIES_H
#define CARDO_STUDY_SAMPLE_SERIES_H

#include "base/writer.h"
#include "sampling/methods/metadynamics.h"

enum { CARDO_SERIES_COLVAR, CARDO_SERIES_HILLS, CARDO_SERIES_LENGTHS };

/* Zero-initialise. */
typedef struct cardo_sample_series {
    const cardo_sampling *sampling;
    const cardo_writer *writer;
    cardo_series
        *table[CARDO_SERIES_LENGTHS]; /* NULL: the method or the writer has none          */
    cardo_hill *hills;                /* of the last round                (walkers)       */
} cardo_sample_series;

/* Opens the tables of a study that has its walkers, of replica 0 COLVAR and HILLS, of the next one
 * COLVAR.2 and HILLS.2: anew, or after the lengths (bytes) that a checkpoint has, dropping what
 * follows. A scan, which does not sample, has none. */
cardo_status cardo_sample_series_open(cardo_sample_series *series, const cardo_sampling *sampling,
                                      int replica, const cardo_writer *writer,
                                      const double *lengths, cardo_error *error);
/* Adds the rows of the last round: samples in the order of time, then walkers. */
cardo_status cardo_sample_series_add(cardo_sample_series *series, cardo_error *error);
/* Brings the rows to the disk; lengths: of the tables in bytes, for the checkpoint. */
cardo_status cardo_sample_series_save(cardo_sample_series *series,
                                      double lengths[CARDO_SERIES_LENGTHS], cardo_error *error);
/* Closes what is open; also after a failure. */
cardo_status cardo_sample_series_close(cardo_sample_series *series, cardo_error *error);

#endif
