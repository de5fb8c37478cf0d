/* What a run of study "sample" is known by, and how it stands between two rounds. */
#ifndef CARDO_STUDY_SAMPLE_CHECKPOINT_H
#define CARDO_STUDY_SAMPLE_CHECKPOINT_H

#include "study/sample/run.h"

/* Tells the writer (cardo_writer_check, cardo_writer_begin) what the run is known by. */
typedef cardo_status (*cardo_tell_record)(const cardo_writer *writer, const cardo_record *record,
                                          cardo_error *error);
cardo_status cardo_sample_record(const sample_run *run, cardo_tell_record tell, cardo_error *error);

/* Makes run->identity, which a checkpoint must agree with. */
cardo_status cardo_sample_identify(sample_run *run, cardo_error *error);
/* The checkpoint: lengths of the tables that grow, none before the study is prepared, then the study. Recalling opens the
 * tables where they were. */
cardo_status cardo_sample_save(sample_run *run, cardo_error *error);
cardo_status cardo_sample_recall(sample_run *run, cardo_error *error);

#endif
