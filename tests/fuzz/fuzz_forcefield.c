/* Force-field files of any bytes: read, and laid on a molecule of two residues. */
#include "base/memory.h"
#include "base/text.h"
#include "forces/ffxml/forcefield.h"
#include "fuzz/file.h"
#include "fuzz/fuzz.h"
#include "structure/pdb/pdb.h"
#include "topology/bonds.h"

#include <string.h>

static const char molecule[] = "ATOM      1  N   GLY A   1       0.000   0.000   0.000\n"
                               "ATOM      2  CA  GLY A   1       1.450   0.000   0.000\n"
                               "ATOM      3  C   GLY A   1       2.000   1.420   0.000\n"
                               "ATOM      4  O   GLY A   1       1.250   2.400   0.000\n"
                               "ATOM      5  N   GLY A   2       3.330   1.500   0.000\n"
                               "ATOM      6  CA  GLY A   2       4.000   2.800   0.000\n"
                               "ATOM      7  C   GLY A   2       5.500   2.700   0.000\n"
                               "ATOM      8  O   GLY A   2       6.100   1.600   0.000\n";

static cardo_structure *structure;
static cardo_bonds *bonds;

static void make_molecule(void)
{
    char *templates;
    cardo_error error = {0};
    fuzz_require(cardo_pdb_parse(molecule, strlen(molecule), "fuzz", 0, &structure, &error) ==
                     CARDO_OK,
                 error.message);
    fuzz_require(cardo_find_data("residues.xml", NULL, "topologies", &templates, &error) ==
                     CARDO_OK,
                 error.message);
    fuzz_require(cardo_bonds_find(structure, templates, &bonds, &error) == CARDO_OK, error.message);
    cardo_free(templates);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    cardo_forcefield *forcefield = NULL;
    cardo_terms *terms = NULL;
    cardo_error error = {0};
    if (!structure)
        make_molecule();
    const char *path = fuzz_file("ff.xml", data, size);
    cardo_status status = cardo_forcefield_read(1, &path, &forcefield, &error);
    if (status == CARDO_OK)
        status = cardo_forcefield_assign(forcefield, structure, bonds, &terms, &error);
    fuzz_require(status == CARDO_OK || error.message[0], "an error without words");
    cardo_terms_destroy(terms);
    cardo_forcefield_destroy(forcefield);
    return 0;
}
