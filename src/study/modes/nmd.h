/* Normal modes for NMWiz of VMD: the .nmd format, one text line a field. */
#ifndef CARDO_STUDY_MODES_NMD_H
#define CARDO_STUDY_MODES_NMD_H

#include "structure/atoms/structure.h"

#include <stdio.h>

/* What is written; all is borrowed. */
typedef struct cardo_nmd {
    const char *title;
    const cardo_structure *structure;
    int natom, nmode;
    const int *atom; /* of the structure                                  (natom)             */
    const double
        *position;       /* where they are, nm                                (natom x 3)         */
    const int *number;   /* what the modes are called                         (nmode)             */
    const double *scale; /* size of each mode, A                              (nmode)             */
    const double
        *displacement; /* written with unit length, after scale             (nmode x natom x 3) */
} cardo_nmd;

/* A cardo_print_file (base/writer.h) of a cardo_nmd. */
cardo_status cardo_nmd_print(const void *nmd, FILE *stream, cardo_error *error);

#endif
