/* Through whom a study writes its files, and reads trajectories: a host hands them in, or none. */
#ifndef CARDO_WRITER_H
#define CARDO_WRITER_H

#include <cardo/export.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cardo_writer cardo_writer;
typedef struct cardo_frame_reader cardo_frame_reader;

#ifdef __cplusplus
}
#endif

#endif
