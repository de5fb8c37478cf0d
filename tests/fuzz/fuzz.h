/* A fuzz target defines LLVMFuzzerTestOneInput: libFuzzer drives it, or replay.c does as an
 * ordinary test. */
#ifndef CARDO_TESTS_FUZZ_H
#define CARDO_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
