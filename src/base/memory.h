/* Checked allocation. Memory has one owner; cardo_free accepts NULL. */
#ifndef CARDO_BASE_MEMORY_H
#define CARDO_BASE_MEMORY_H

#include "base/status.h"
#include "cardo/memory.h"

#include <stddef.h>

/* Zeroed memory for count elements of size bytes, 64-byte aligned where it is 64 bytes or more; *out is NULL on failure and also
 * when count is 0. The caller owns it and releases it with cardo_free. Overflow of count*size is an
 * error like any other lack of memory. */
cardo_status cardo_allocate(void **out, size_t count, size_t size, cardo_error *error);

/* Typed form: CARDO_TRY(CARDO_ALLOCATE(&array, n, error)); */
#define CARDO_ALLOCATE(pointer, count, error)                                                      \
    cardo_allocate((void **)(pointer), (size_t)(count), sizeof **(pointer), (error))

/* Grows *array so that it holds at least need elements of size bytes, doubling *capacity; old
 * contents are kept, new ones are zero. On failure the old array is untouched. */
cardo_status cardo_reserve(void **array, int *capacity, int need, size_t size, cardo_error *error);

#define CARDO_RESERVE(pointer, capacity, need, error)                                              \
    cardo_reserve((void **)(pointer), (capacity), (need), sizeof **(pointer), (error))

/* Memory that takes room only where it is touched: large arrays of which each user needs an unknown small part. */
typedef struct cardo_pages {
    void *memory; /* zeroed, page-aligned; NULL: none */
    size_t bytes;
} cardo_pages;

/* Takes bytes from the system; 0 takes none. The caller owns them: cardo_pages_release. CARDO_ERROR_MEMORY where there is no room in the
 * address space; what is touched beyond the machine's memory ends the process, as of any other memory that the system promised. */
cardo_status cardo_pages_take(cardo_pages *pages, size_t bytes, cardo_error *error);
void cardo_pages_release(cardo_pages *pages);

/* A copy of a string (NULL gives NULL); the caller owns it. */
cardo_status cardo_copy_string(char **out, const char *text, cardo_error *error);

/* Copies a struct that begins with its size, of which a host's version may be shorter than ours: what it does not have
 * stays. Another size is CARDO_ERROR_ARGUMENT; what: the struct's name. */
cardo_status cardo_take_sized(const void *given, size_t given_size, void *own, size_t own_size,
                              const char *what, cardo_error *error);

/* Until the limit ends, cardo_allocate fails with CARDO_ERROR_MEMORY in this thread where what it has
 * taken since, less what was freed, would exceed that many bytes: what stands around the reading of
 * a file that may have been made to fill the memory. Limits nest, and the tightest holds; what begin
 * returns goes to end. */
long long cardo_memory_limit_begin(long long bytes);
void cardo_memory_limit_end(long long outer);

/* Number of calls that took memory from the heap through this module since the program started,
 * over all threads: benchmarks and tests take differences to prove that a step allocates nothing.
 */
unsigned long cardo_allocation_count(void);

#endif
