/* Through whom a study writes its files: a host hands one in, or none. */
#ifndef CARDO_WRITER_H
#define CARDO_WRITER_H

#include <cardo/export.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cardo_writer cardo_writer;

#ifdef __cplusplus
}
#endif

#endif
