/* The mmCIF reader on any bytes. */
#include "fuzz/fuzz.h"
#include "fuzz/read.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_read(&cardo_format_mmcif, data, size);
    return 0;
}
