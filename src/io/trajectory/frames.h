/* Reading frames of trajectories that hold positions alone, Cardo's own and other programs': each
 * format a const descriptor, listed in frame_formats.c. Which atoms they are is for a structure to
 * say. */
#ifndef CARDO_IO_TRAJECTORY_FRAMES_H
#define CARDO_IO_TRAJECTORY_FRAMES_H

#include "structure/atoms/frame_reader.h"

enum { CARDO_FRAMES_START = 8 }; /* bytes at a file's beginning that tell its format */

typedef struct cardo_frames_format {
    const char *name; /* "DCD" */
    /* Is this how such a file begins? start: CARDO_FRAMES_START bytes. */
    bool (*detect)(const unsigned char *start);
    /* path stays there as long as the file is open. */
    cardo_status (*open)(const char *path, int natom, void **file, long long *count,
                         cardo_error *error);
    /* Frame k, which is there; positions: natom x 3, nm. */
    cardo_status (*read)(void *file, long long k, double *positions, cardo_error *error);
    void (*close)(void *file);
} cardo_frames_format;

extern const cardo_frames_format cardo_frames_netcdf, cardo_frames_dcd;

/* What is below, to be handed to who may not know files. */
extern const cardo_frame_reader cardo_frame_files;

/* Does the file begin as a trajectory of one of the formats does? False also when it cannot be read.
 */
bool cardo_frames_detect(const char *path);
/* Opens a trajectory that must have natom atoms, in angstrom. The caller owns *out. Errors name the
 * path and what is wrong. */
cardo_status cardo_frames_open(const char *path, int natom, cardo_frames **out, cardo_error *error);
/* How many frames it has. */
long long cardo_frames_count(const cardo_frames *frames);
/* Positions of frame k, from 0: natom x 3, nm. */
cardo_status cardo_frames_read(cardo_frames *frames, long long k, double *positions,
                               cardo_error *error);
void cardo_frames_close(cardo_frames *frames);

#endif
