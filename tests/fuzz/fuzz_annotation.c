/* Domain annotations of any bytes, which a model names. */
#include "fuzz/file.h"
#include "fuzz/fuzz.h"
#include "fuzz/models.h"

static const char model[] =
    "<cardo version=\"1\"><model><structure id=\"open\" file=\"open.pdb\"/>"
    "<structure id=\"closed\" file=\"closed.pdb\"/><annotation file=\"a.domains.xml\"/>"
    "<body name=\"stationary\" domains=\"stationary\" base=\"free\"/>"
    "<body name=\"mobile\" domains=\"mobile\" parent=\"stationary\">"
    "<path structures=\"open closed\"/></body></model></cardo>";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *path;
    if (!path) {
        fuzz_write_structures();
        path = fuzz_text_file("model.xml", model);
    }
    fuzz_file("a.domains.xml", data, size);
    fuzz_read_model(path);
    return 0;
}
