#include "forces/ffxml/definitions/type_cache.h"

#include "base/memory.h"

#include <stdint.h>
#include <string.h>

static int slot_of(const cardo_type_cache *cache, const int type[4])
{
    uint64_t h = 0x9e3779b97f4a7c15u;
    for (int k = 0; k < 4; ++k) {
        h = (h ^ (uint64_t)type[k]) * 0xff51afd7ed558ccdu;
        h ^= h >> 32;
    }
    int mask = cache->capacity - 1;
    int slot = (int)(h & (uint64_t)mask);
    while (cache->entry[slot].used &&
           memcmp(cache->entry[slot].type, type, sizeof cache->entry[slot].type) != 0)
        slot = (slot + 1) & mask;
    return slot;
}

const cardo_cached_match *cardo_type_cache_find(const cardo_type_cache *cache, const int type[4])
{
    if (cache->capacity == 0)
        return NULL;
    const cardo_type_cache_entry *entry = &cache->entry[slot_of(cache, type)];
    return entry->used ? &entry->match : NULL;
}

static cardo_status grow(cardo_type_cache *cache, cardo_error *error)
{
    cardo_type_cache larger = {.capacity = cache->capacity ? 2 * cache->capacity : 256,
                               .count = cache->count};
    cardo_status status = CARDO_ALLOCATE(&larger.entry, larger.capacity, error);
    if (status != CARDO_OK)
        return status;
    for (int i = 0; i < cache->capacity; ++i)
        if (cache->entry[i].used)
            larger.entry[slot_of(&larger, cache->entry[i].type)] = cache->entry[i];
    cardo_free(cache->entry);
    *cache = larger;
    return CARDO_OK;
}

cardo_status cardo_type_cache_store(cardo_type_cache *cache, const int type[4],
                                    cardo_cached_match match, cardo_error *error)
{
    if (2 * cache->count >= cache->capacity) {
        cardo_status status = grow(cache, error);
        if (status != CARDO_OK)
            return status;
    }
    cardo_type_cache_entry *entry = &cache->entry[slot_of(cache, type)];
    memcpy(entry->type, type, sizeof entry->type);
    entry->used = true;
    entry->match = match;
    ++cache->count;
    return CARDO_OK;
}

void cardo_type_cache_clear(cardo_type_cache *cache)
{
    cardo_free(cache->entry);
    *cache = (cardo_type_cache){0};
}
