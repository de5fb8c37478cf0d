/* Frames of trajectories that hold positions alone, from whoever reads them (io/trajectory). Which atoms they are is for a
 * structure to say. */
#ifndef CARDO_STRUCTURE_ATOMS_FRAME_READER_H
#define CARDO_STRUCTURE_ATOMS_FRAME_READER_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

/* An open trajectory. */
typedef struct cardo_frames cardo_frames;

typedef struct cardo_frame_reader {
    size_t size; /* sizeof(cardo_frame_reader): it may grow */
    /* Does the file begin as a trajectory does? False also when it cannot be read. */
    bool (*detect)(const char *path);
    /* Opens a trajectory that must have natom atoms. The caller owns *out. Errors name the path and what is wrong. */
    cardo_status (*open)(const char *path, int natom, cardo_frames **out, cardo_error *error);
    /* How many frames it has. */
    long long (*count)(const cardo_frames *frames);
    /* Positions of frame k, from 0: natom x 3, nm. */
    cardo_status (*read)(cardo_frames *frames, long long k, double *positions, cardo_error *error);
    /* NULL is fine. */
    void (*close)(cardo_frames *frames);
} cardo_frame_reader;

#endif
