/* A hash of bytes: the same everywhere, for telling what is equal, not for keeping secrets. */
#ifndef CARDO_BASE_HASH_H
#define CARDO_BASE_HASH_H

#include <stddef.h>

/* 64-bit FNV-1a. start: 0, or the hash of what comes before these bytes. */
unsigned long long cardo_hash(const void *bytes, size_t length, unsigned long long start);

#endif
