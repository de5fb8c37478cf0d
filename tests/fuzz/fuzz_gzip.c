/* Structure files of any bytes, which may be compressed: what the program opens. */
#include "fuzz/file.h"
#include "fuzz/fuzz.h"
#include "structure/pdb/pdb.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    cardo_structure *s = NULL;
    cardo_error error = {0};
    const char *path = fuzz_file("s.gz", data, size);
    cardo_status status = cardo_structure_read(path, 0, &s, &error);
    fuzz_require(status == CARDO_OK ? s->natom > 0 : strstr(error.message, path) != NULL,
                 "no atoms, or an error without the name of the file");
    cardo_structure_destroy(s);
    return 0;
}
