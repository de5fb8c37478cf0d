/* AMBER coordinates of any bytes, for three atoms. */
#include "fuzz/file.h"
#include "fuzz/fuzz.h"
#include "structure/amber/amber.h"

#include <math.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { ATOMS = 3 };
    double position[3 * ATOMS];
    cardo_error error = {0};
    cardo_status status =
        cardo_amber_coordinates_read(fuzz_file("m.rst7", data, size), ATOMS, position, &error);
    fuzz_require(status == CARDO_OK || error.message[0], "an error without words");
    for (int k = 0; status == CARDO_OK && k < 3 * ATOMS; ++k)
        fuzz_require(isfinite(position[k]), "a coordinate that is no number");
    return 0;
}
