/* What every reader must do with any bytes: a structure that is consistent and survives writing, or
 * an error with words. */
#ifndef CARDO_TESTS_FUZZ_READ_H
#define CARDO_TESTS_FUZZ_READ_H

#include "structure/records/format.h"

#include <stdint.h>

/* Reads data in this format; ends the process when the outcome is wrong. */
void fuzz_read(const cardo_structure_format *format, const uint8_t *data, size_t size);

#endif
