#include "base/hash.h"

#define HASH_START 14695981039346656037ULL

unsigned long long cardo_hash(const void *bytes, size_t length, unsigned long long start)
{
    const unsigned char *byte = bytes;
    unsigned long long hash = start ? start : HASH_START;
    for (size_t k = 0; k < length; ++k)
        hash = (hash ^ byte[k]) * 1099511628211ULL;
    return hash;
}
