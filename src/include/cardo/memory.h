/* Memory that a function of Cardo hands over. */
#ifndef CARDO_MEMORY_H
#define CARDO_MEMORY_H

#include <cardo/export.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Frees what a comment says that the caller frees with it: texts, arrays. NULL is fine. */
CARDO_API void cardo_free(void *memory);

#ifdef __cplusplus
}
#endif

#endif
