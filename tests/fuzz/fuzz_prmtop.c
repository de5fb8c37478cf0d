/* AMBER topologies of any bytes. */
#include "forces/terms/prmtop.h"
#include "fuzz/file.h"
#include "fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    cardo_terms *terms = NULL;
    cardo_structure *structure = NULL;
    cardo_error error = {0};
    cardo_status status =
        cardo_prmtop_read(fuzz_file("m.prmtop", data, size), "obc2", &terms, &structure, &error);
    fuzz_require(status == CARDO_OK || error.message[0], "an error without words");
    for (int k = 0; status == CARDO_OK && k < terms->nexception; ++k) {
        const cardo_exception_term x = cardo_terms_exception(terms, k);
        fuzz_require(x.a < terms->natom && x.b < terms->natom, "an exception without its atom");
    }
    cardo_terms_destroy(terms);
    cardo_structure_destroy(structure);
    return 0;
}
