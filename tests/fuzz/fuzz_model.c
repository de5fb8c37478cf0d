/* Model files of any bytes, beside structures that they may name. */
#include "fuzz/file.h"
#include "fuzz/fuzz.h"
#include "fuzz/models.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static bool ready;
    if (!ready)
        fuzz_write_structures();
    ready = true;
    fuzz_read_model(fuzz_file("model.xml", data, size));
    return 0;
}
