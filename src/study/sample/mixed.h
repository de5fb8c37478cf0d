/* Study "sample" by method "mixed". */
#ifndef CARDO_STUDY_SAMPLE_MIXED_H
#define CARDO_STUDY_SAMPLE_MIXED_H

#include "study/sample/run.h"

/* By one member: cycles from the start or the checkpoint, the files, and the result. */
cardo_status cardo_sample_mixed(sample_run *run, cardo_result *into, cardo_error *error);

#endif
