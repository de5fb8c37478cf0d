/* Input for readers that take the name of a file. */
#ifndef CARDO_TESTS_FUZZ_FILE_H
#define CARDO_TESTS_FUZZ_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Writes data to a file of that name in a folder that is removed when the process ends, and returns
 * its path, which stays good. Ends the process when that cannot be done. */
const char *fuzz_file(const char *name, const uint8_t *data, size_t size);
const char *fuzz_text_file(const char *name, const char *text);

/* Ends the process when something that must hold does not. */
void fuzz_require(bool holds, const char *what);

#endif
