/* Reading frames of AMBER NetCDF trajectories: Cardo's own, and those of other programs that follow
 * the convention. */
#ifndef CARDO_IO_TRAJECTORY_READ_H
#define CARDO_IO_TRAJECTORY_READ_H

#include "base/status.h"

#include <stdbool.h>

typedef struct cardo_frames cardo_frames;

/* Does the file begin as a NetCDF file does? False also when it cannot be read. */
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
