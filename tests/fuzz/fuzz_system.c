/* Serialized Systems of any bytes: our own look at them, and what OpenMM makes of those that pass. */
#include "forces/openmm/openmm.h"
#include "fuzz/file.h"
#include "fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { ATOMS = 2 };
    cardo_force_provider *provider = NULL;
    cardo_openmm_options options = cardo_openmm_options_default();
    cardo_error error = {0};
    double masses[ATOMS];
    options.platform[0] = '\0';
    cardo_status status = cardo_openmm_provider_from_system(
        fuzz_file("system.xml", data, size), ATOMS, &options, masses, &provider, &error);
    fuzz_require(status == CARDO_OK || error.message[0], "an error without words");
    cardo_force_provider_destroy(provider);
    return 0;
}
