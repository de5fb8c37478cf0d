/* Selections of any text: marks or an error with words, and what is marked prints to a text that
 * means the same. */
#include "fuzz/file.h"
#include "fuzz/fuzz.h"

#include "base/memory.h"
#include "structure/atoms/selection.h"
#include "structure/pdb/pdb.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Two polymers, one named 2, insertion codes that run backwards, a negative number, waters in the
 * first chain. */
static const char structure_text[] = "ATOM      1  N   ALA A  -1       1.000   2.000   3.000\n"
                                     "ATOM      2  CA  ALA A  -1       1.000   2.000   3.000\n"
                                     "ATOM      3  CA  LYS A   1       1.000   2.000   3.000\n"
                                     "ATOM      4  CA  GLY A   3B      1.000   2.000   3.000\n"
                                     "ATOM      5  CA  GLY A   3A      1.000   2.000   3.000\n"
                                     "ATOM      6  CA  GLY A   3       1.000   2.000   3.000\n"
                                     "TER\n"
                                     "ATOM      7  CA  ALA 2   1       1.000   2.000   3.000\n"
                                     "ATOM      8  CB  ALA 2   1       1.000   2.000   3.000\n"
                                     "ATOM      9  CA  MET 2   2       1.000   2.000   3.000\n"
                                     "HETATM   10  O   HOH A 101       1.000   2.000   3.000\n"
                                     "HETATM   11  O   HOH   102       1.000   2.000   3.000\n";

static void try_text(const cardo_structure *s, const char *text, bool strict)
{
    bool atoms[16], residues[16];
    cardo_error error = {0};
    cardo_status status = cardo_select_residues(s, text, strict, residues, &error);
    fuzz_require(cardo_select_atoms(s, text, strict, atoms, NULL) == status,
                 "atoms and residues differ");
    if (status != CARDO_OK) {
        fuzz_require(status == CARDO_ERROR_INPUT && error.message[0], "an error without words");
        return;
    }
    for (int i = 0; i < s->natom; ++i)
        fuzz_require(!atoms[i] || residues[s->atom_residue[i]], "an atom outside of the residues");
    char *printed;
    fuzz_require(cardo_selection_text(s, residues, &printed, &error) == CARDO_OK, error.message);
    cardo_free(printed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static cardo_structure *s;
    cardo_error error;
    if (!s)
        fuzz_require(cardo_pdb_parse(structure_text, sizeof structure_text - 1, "fuzz", 0, &s,
                                     &error) == CARDO_OK,
                     "the structure");
    char *text = malloc(size + 1);
    if (!text)
        return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    try_text(s, text, true);
    try_text(s, text, false);
    free(text);
    return 0;
}
