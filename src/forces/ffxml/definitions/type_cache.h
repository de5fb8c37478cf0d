/* Remembers a result for four atom types: most bonded terms of a molecule repeat a few type
 * patterns. */
#ifndef CARDO_FORCES_FFXML_DEFINITIONS_TYPE_CACHE_H
#define CARDO_FORCES_FFXML_DEFINITIONS_TYPE_CACHE_H

#include "base/status.h"

#include <stdbool.h>

/* What is remembered: the definition (-1: none applies) and, for impropers, which position of the
 * (centre, neighbour, neighbour, neighbour) quadruple comes first, second, third and fourth. */
typedef struct cardo_cached_match {
    int definition;
    int order[4];
} cardo_cached_match;

typedef struct cardo_type_cache_entry {
    int type[4];
    bool used;
    cardo_cached_match match;
} cardo_type_cache_entry;

/* Zero-initialise. */
typedef struct cardo_type_cache {
    int capacity, count;
    cardo_type_cache_entry *entry;
} cardo_type_cache;

/* The match stored for these types, or NULL; valid until the next store. */
const cardo_cached_match *cardo_type_cache_find(const cardo_type_cache *cache, const int type[4]);

/* Stores a match for types that are not in the cache yet. */
cardo_status cardo_type_cache_store(cardo_type_cache *cache, const int type[4],
                                    cardo_cached_match match, cardo_error *error);

void cardo_type_cache_clear(cardo_type_cache *cache);

#endif
