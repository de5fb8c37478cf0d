/* Files as structures that come one after the other: models of PDB and mmCIF files, frames of trajectories. */
#ifndef CARDO_IO_TRAJECTORY_STRUCTURE_FILES_H
#define CARDO_IO_TRAJECTORY_STRUCTURE_FILES_H

#include "structure/atoms/structure_source.h"

typedef struct cardo_structure_files cardo_structure_files;

typedef struct cardo_structure_files_choice {
    int count;
    const char *const
        *path; /* FILE, FILE#CHAIN or FILE#MODEL:CHAIN; borrowed, like all here     (count) */
    const char
        *chains; /* where a path names none: these alone, with commas between; NULL: all     */
    int model;   /* this model or frame of each file; 0: what the path says, else all        */
    const cardo_structure
        *atoms; /* those of the trajectories' frames, in their order                   */
} cardo_structure_files_choice;

/* The caller owns *out: cardo_structure_files_close (NULL is fine). The choice is copied. */
cardo_status cardo_structure_files_open(const cardo_structure_files_choice *choice,
                                        cardo_structure_files **out, cardo_error *error);
void cardo_structure_files_close(cardo_structure_files *self);

/* A view of it. */
cardo_structure_source cardo_structure_files_source(cardo_structure_files *self);

#endif
