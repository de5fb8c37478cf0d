/* Which residues carry labels, and between which of them distances are asked for: a small table, or a JSON file of FPS. */
#ifndef CARDO_EXPERIMENT_LABELS_LABEL_TABLE_H
#define CARDO_EXPERIMENT_LABELS_LABEL_TABLE_H

#include "experiment/labels/accessible_volume.h"

enum { CARDO_LABEL_NAME = 64 };

typedef struct cardo_label {
    char name[CARDO_LABEL_NAME];
    char residue
        [CARDO_LABEL_NAME]; /* as selections name it: "A:29"; ":29" of a chain without name */
    char atom[8];           /* that it hangs on: "CB" */
    char *rotamers;         /* a file of them in place of a linker (rotamers.h), or NULL */
    char spin[8];           /* their atom that counts */
    cardo_label_shape shape;
    int line;
} cardo_label;

enum { CARDO_PAIR_FRET, CARDO_PAIR_DEER };

typedef struct cardo_label_pair {
    char name[CARDO_LABEL_NAME];
    int label[2]; /* indices */
    int kind;     /* CARDO_PAIR_... */
    double R0;    /* of FRET, nm */
    bool measured;
    double value, sigma; /* of <E>; of DEER's mean distance, nm */
    int line;
} cardo_label_pair;

typedef struct cardo_label_table {
    int nlabel, npair;
    cardo_label *label;
    cardo_label_pair *pair;
} cardo_label_table;

/* Reads a file. A text has lines (lengths in angstrom; # begins a comment)
 *     label NAME RESIDUE ATOM LENGTH WIDTH RADIUS [RADIUS RADIUS]
 *     label NAME RESIDUE rotamers FILE ATOM        (FILE: beside the table)
 *     pair NAME LABEL LABEL fret R0 [E SIGMA]
 *     pair NAME LABEL LABEL deer [DISTANCE SIGMA]
 * A file that begins with { is FPS's JSON: "Positions" (simulation_type AV1 or AV3) and "Distances" (Forster_radius; measured ones as
 * RDAMeanE become an efficiency). What is wrong is CARDO_ERROR_INPUT with its line. Zero-initialise; clear also after a failure. */
cardo_status cardo_label_table_read(const char *path, cardo_label_table *out, cardo_error *error);
void cardo_label_table_clear(cardo_label_table *table);

#endif
