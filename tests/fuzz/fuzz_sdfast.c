/* Texts in the manner of SD/FAST: a description or an error with words, and what is read is written as a text that reads the same; systems of it are made or refused. */
#include "fuzz/file.h"
#include "fuzz/fuzz.h"

#include "base/memory.h"
#include "cardo/sdfast.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    cardo_error error = {0};
    cardo_sdfast first, second;
    cardo_system *system;
    char *written, *again;
    if (cardo_sdfast_read((const char *)data, size, "fuzz", &first, &error) != CARDO_OK) {
        fuzz_require(error.message[0] && first.nbody == 0, "an error without words");
        return 0;
    }
    fuzz_require(cardo_sdfast_write(&first, &written, &error) == CARDO_OK, error.message);
    fuzz_require(cardo_sdfast_read(written, strlen(written), "again", &second, &error) == CARDO_OK,
                 error.message);
    fuzz_require(cardo_sdfast_write(&second, &again, &error) == CARDO_OK, error.message);
    fuzz_require(strcmp(written, again) == 0, "another text");
    if (cardo_sdfast_system(&first, &system, &error) == CARDO_OK)
        cardo_system_destroy(system);
    else
        fuzz_require(error.message[0] != '\0', "an error without words");
    cardo_free(written);
    cardo_free(again);
    cardo_sdfast_free(&first);
    cardo_sdfast_free(&second);
    return 0;
}
