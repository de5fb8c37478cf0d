/* Trajectory files: each format a const descriptor in a file of its own, listed in base/writer.h.
 *
 * A trajectory grows under its final name (the caller sees to it that nothing is overwritten) and
 * is whole after every flush. Positions come in nm and go out in angstrom. */
#ifndef CARDO_IO_TRAJECTORY_TRAJECTORY_H
#define CARDO_IO_TRAJECTORY_TRAJECTORY_H

#include "base/status.h"
#include "base/writer.h"
#include "cardo/files.h"
#include "structure/atoms/structure.h"

#include <stdbool.h>

/* What a file must know before its first frame. */
typedef struct cardo_trajectory_info {
    int natom;
    const cardo_structure
        *structure;     /* for formats that write names (pdb, cif); else may be NULL; borrowed */
    const char *title;  /* one line, or NULL                                            */
    double timestep;    /* ps                                                           */
    long long interval; /* steps between frames                                         */
    bool velocities;    /* wanted; formats without them leave them out                     */
} cardo_trajectory_info;

typedef struct cardo_trajectory cardo_trajectory;

struct cardo_trajectory_format {
    const char *name; /* "netcdf"                                                                */
    const char *extension; /* "nc" */
    const char *doc;
    bool velocities; /* can hold them */
    /* frames < 0: a new file; else goes on after that many frames and drops later ones. */
    cardo_status (*open)(const char *path, const cardo_trajectory_info *info, long long frames,
                         void **file, cardo_error *error);
    cardo_status (*write)(void *file, double time, const double *positions,
                          const double *velocities, cardo_error *error);
    cardo_status (*flush)(void *file, cardo_error *error);
    /* Releases everything, also on failure. */
    cardo_status (*close)(void *file, cardo_error *error);
};

#define CARDO_TRAJECTORY_FORMATS_DECLARE(name, ending)                                             \
    extern const cardo_trajectory_format cardo_trajectory_##name;
CARDO_TRAJECTORY_FORMATS(CARDO_TRAJECTORY_FORMATS_DECLARE)
#undef CARDO_TRAJECTORY_FORMATS_DECLARE

/* All formats in the order of base/writer.h, NULL-terminated; by name, or NULL. */
extern const cardo_trajectory_format *const cardo_trajectory_formats[];
const cardo_trajectory_format *cardo_trajectory_format_find(const char *name);

/* A new file (whatever was there is replaced), or with frames >= 0 an existing one that goes on
 * after that many frames: fewer in the file, or another number of atoms, is CARDO_ERROR_INPUT. The
 * caller owns *out. */
cardo_status cardo_trajectory_create(const cardo_trajectory_format *format, const char *path,
                                     const cardo_trajectory_info *info, cardo_trajectory **out,
                                     cardo_error *error);
cardo_status cardo_trajectory_continue(const cardo_trajectory_format *format, const char *path,
                                       const cardo_trajectory_info *info, long long frames,
                                       cardo_trajectory **out, cardo_error *error);

/* Adds a frame: time in ps, positions in nm, velocities in nm/ps or NULL (natom x 3 each). A disk
 * that is full is CARDO_ERROR_FILE with path and reason; frames flushed earlier stay readable. */
cardo_status cardo_trajectory_write(cardo_trajectory *trajectory, double time,
                                    const double *positions, const double *velocities,
                                    cardo_error *error);
/* Brings everything written to the disk. */
cardo_status cardo_trajectory_flush(cardo_trajectory *trajectory, cardo_error *error);
long long cardo_trajectory_frames(const cardo_trajectory *trajectory);
/* Flushes, closes and frees; the trajectory is gone even when this fails. NULL is fine. */
cardo_status cardo_trajectory_close(cardo_trajectory *trajectory, cardo_error *error);

#endif
