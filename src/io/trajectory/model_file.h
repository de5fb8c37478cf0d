/* Trajectories as text files with one model a frame: what PDB and mmCIF have in common. */
#ifndef CARDO_IO_TRAJECTORY_MODEL_FILE_H
#define CARDO_IO_TRAJECTORY_MODEL_FILE_H

#include "base/status.h"
#include "structure/atoms/structure.h"

#include <stdio.h>

typedef struct cardo_model_file_kind {
    const char *last; /* what ends the file                                                      */
    /* Byte after the count-th model of natom atoms, -1 where there are fewer. */
    long long (*find_end)(FILE *stream, long long count, int natom);
    cardo_status (*write)(FILE *stream, const cardo_structure *structure, const double *positions,
                          int model, cardo_error *error);
} cardo_model_file_kind;

/* The functions of a trajectory format (io/trajectory/trajectory.h); open also takes the kind and the structure, both
 * borrowed until close. frames: that are kept of a file that is there, below 0: it is made. */
cardo_status cardo_model_file_open(const cardo_model_file_kind *models, const char *path,
                                   const cardo_structure *structure, long long frames, void **file,
                                   cardo_error *error);
cardo_status cardo_model_file_write(void *file, double time, const double *positions,
                                    const double *velocities, cardo_error *error);
cardo_status cardo_model_file_flush(void *file, cardo_error *error);
cardo_status cardo_model_file_close(void *file, cardo_error *error);

#endif
