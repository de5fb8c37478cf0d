#include "base/memory.h"

#include <limits.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { ALIGNMENT = 64 };

static atomic_ulong allocation_count;

/* As good as none; differences with it do not overflow. */
#define NO_LIMIT (LLONG_MAX / 2)

/* Bytes that this thread has taken and not freed, and how many they may become. What another thread took and this one freed makes
 * them fewer than none. */
static _Thread_local long long in_use, most = NO_LIMIT;

long long cardo_memory_limit_begin(long long bytes)
{
    long long outer = most;
    if (bytes < outer - in_use)
        most = in_use + bytes;
    return outer;
}

void cardo_memory_limit_end(long long outer)
{
    most = outer;
}

cardo_status cardo_allocate(void **out, size_t count, size_t size, cardo_error *error)
{
    *out = NULL;
    if (count == 0 || size == 0)
        return CARDO_OK;
    if (count > (SIZE_MAX - ALIGNMENT) / size)
        return CARDO_FAIL(error, CARDO_ERROR_MEMORY,
                          "%zu elements of %zu bytes are more than this machine addresses", count,
                          size);
    size_t bytes = (count * size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (bytes > NO_LIMIT || in_use > most - (long long)bytes)
        return CARDO_FAIL(error, CARDO_ERROR_MEMORY,
                          "%zu bytes more are beyond the memory that this input may take", bytes);
    /* Of what is aligned as much again is lost between two. */
    const bool small = count * size < ALIGNMENT;
    void *memory = small ? calloc(count, size) : aligned_alloc(ALIGNMENT, bytes);
    if (!memory)
        return CARDO_FAIL(error, CARDO_ERROR_MEMORY, "no memory for %zu bytes", bytes);
    if (!small)
        memset(memory, 0, bytes);
    in_use += (long long)malloc_usable_size(memory);
    atomic_fetch_add_explicit(&allocation_count, 1, memory_order_relaxed);
    *out = memory;
    return CARDO_OK;
}

cardo_status cardo_reserve(void **array, int *capacity, int need, size_t size, cardo_error *error)
{
    if (need <= *capacity)
        return CARDO_OK;
    int grown = *capacity > INT_MAX / 2 ? INT_MAX : *capacity * 2;
    if (grown < 16)
        grown = 16;
    if (grown < need)
        grown = need;
    void *larger;
    cardo_status status = cardo_allocate(&larger, (size_t)grown, size, error);
    if (status != CARDO_OK)
        return status;
    if (*capacity > 0)
        memcpy(larger, *array, (size_t)*capacity * size);
    cardo_free(*array);
    *array = larger;
    *capacity = grown;
    return CARDO_OK;
}

cardo_status cardo_copy_string(char **out, const char *text, cardo_error *error)
{
    *out = NULL;
    if (!text)
        return CARDO_OK;
    size_t n = strlen(text) + 1;
    cardo_status status = cardo_allocate((void **)out, n, 1, error);
    if (status == CARDO_OK)
        memcpy(*out, text, n);
    return status;
}

void cardo_free(void *memory)
{
    if (memory)
        in_use -= (long long)malloc_usable_size(memory);
    free(memory);
}

unsigned long cardo_allocation_count(void)
{
    return atomic_load_explicit(&allocation_count, memory_order_relaxed);
}

cardo_status cardo_take_sized(const void *given, size_t given_size, void *own, size_t own_size,
                              const char *what, cardo_error *error)
{
    if (given_size < sizeof(size_t) || given_size > own_size)
        return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT,
                          "%s.size is %zu: set it to sizeof(%s), of this version of Cardo", what,
                          given_size, what);
    memcpy(own, given, given_size);
    return CARDO_OK;
}

cardo_status cardo_pages_take(cardo_pages *pages, size_t bytes, cardo_error *error)
{
    *pages = (cardo_pages){NULL, 0};
    if (bytes == 0)
        return CARDO_OK;
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        return CARDO_FAIL(error, CARDO_ERROR_MEMORY, "no memory for %zu bytes", bytes);
#ifdef MADV_NOHUGEPAGE
    (void)madvise(memory, bytes, MADV_NOHUGEPAGE); /* a touch would take two megabytes */
#endif
    *pages = (cardo_pages){memory, bytes};
    return CARDO_OK;
}

void cardo_pages_release(cardo_pages *pages)
{
    if (pages->memory)
        munmap(pages->memory, pages->bytes);
    *pages = (cardo_pages){NULL, 0};
}
