/* The cases of a reference folder (reference.json): structure, force-field files, and the terms
 * that Cardo makes of them. */
#ifndef CARDO_TESTS_REFERENCE_CASE_H
#define CARDO_TESTS_REFERENCE_CASE_H

#include "support/support.h"

#include "forces/ffxml/forcefield.h"

#include <jansson.h>

/* A folder in the layout of shared/reference/openmm. */
typedef struct reference_folder {
    char path[4096];
    json_t *json;
    cardo_structure *structure; /* with standard names      */
    cardo_bonds *bonds;
    double *position; /* positions.npy, or the structure's    (natom x 3) */
} reference_folder;

/* Reads reference.json, the PDB file that it names, its bonds, and positions.npy. */
cardo_status reference_folder_read(const char *path, reference_folder *folder, cardo_error *error);
void reference_folder_clear(reference_folder *folder);

/* Numbers of a .npy file of little-endian doubles after its 128-byte header; the caller frees *out.
 */
cardo_status reference_numbers(const char *path, int count, double **out, cardo_error *error);

/* Why a case cannot be built here, or NULL: a solvent or force field that this version lacks, or
 * files that are not installed. */
const char *reference_case_unsupported(const json_t *item);

/* The terms of a case. */
cardo_status reference_case_terms(const reference_folder *folder, const json_t *item,
                                  cardo_terms **out, cardo_error *error);

/* Where OpenMM keeps its force-field files ($CARDO_OPENMM_DATA, or python3's packages), or NULL. */
const char *reference_openmm_data(void);

/* Of functions that need both these files and the reference folder. */
extern const support_need reference_files;

#endif
