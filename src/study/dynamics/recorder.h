/* The files of a simulation, written through a writer, as one observer: trajectory.csv, trajectory.nc (or .dcd,
 * .pdb, .cif), topology.pdb (the first frame; .cif where a PDB file has no room for it), checkpoint.cardo; events.csv (event, counted from 1, step,
 * time, direction 1 rising or -1 falling, every q and u then) where the simulation watches for
 * events, which are added before.
 *
 * Use: cardo_recorder_open, then cardo_simulation_start and _run, then
 * cardo_recorder_finish. To continue: cardo_recorder_continue instead of _open and _start. */
#ifndef CARDO_STUDY_DYNAMICS_RECORDER_H
#define CARDO_STUDY_DYNAMICS_RECORDER_H

#include "base/writer.h"
#include "dynamics/simulation.h"
#include "structure/atoms/structure.h"

typedef struct cardo_recorder_options {
    long long report_interval; /* steps between rows of the table                              */
    long long trajectory_interval; /* steps between frames */
    long long checkpoint_interval; /* steps between checkpoints */
    int trajectory;                /* of CARDO_TRAJECTORY_FORMATS, or the last: none       */
    bool velocities; /* in the trajectory, where the format holds them                */
} cardo_recorder_options;

extern const cardo_field cardo_recorder_fields[];

/* More columns for the table, after its own. */
typedef struct cardo_recorder_columns {
    int count;
    const cardo_column *columns; /* (count) */
    /* Writes the values (count) of a frame. */
    cardo_status (*measure)(void *user, const cardo_frame *frame, double *values,
                            cardo_error *error);
    void *user;
} cardo_recorder_columns;

typedef struct cardo_recorder cardo_recorder;

/* Opens new files; anything of the same names is replaced (the caller
 * decides whether that may be). writer (NULL: none are written, but columns are measured), simulation and structure (stations are its atoms, in order; NULL:
 * no pdb) are borrowed, and so is columns (NULL: none). extra as in cardo_checkpoint_write; copied. The recorder adds itself to the
 * simulation's observers. */
cardo_status cardo_recorder_open(const cardo_writer *writer, cardo_simulation *simulation,
                                 const cardo_structure *structure,
                                 const cardo_recorder_options *options,
                                 const cardo_recorder_columns *columns, const char *extra,
                                 cardo_recorder **out, cardo_error *error);

/* Reads the checkpoint, restores the simulation from it, and continues the files where it
 * left them. */
cardo_status cardo_recorder_continue(const cardo_writer *writer, cardo_simulation *simulation,
                                     const cardo_structure *structure,
                                     const cardo_recorder_options *options,
                                     const cardo_recorder_columns *columns, const char *extra,
                                     cardo_recorder **out, cardo_error *error);

/* Numbers of the caller's that go into every checkpoint from now on, under a short name of theirs, and come back
 * with the run: after cardo_recorder_continue the checkpoint's are put there, where it has so many under this name
 * (*restored); else they stay as they are. Called before the run goes on, at most 8 times; values is borrowed. */
cardo_status cardo_recorder_remember(cardo_recorder *recorder, const char *name, double *values,
                                     int count, bool *restored, cardo_error *error);

/* Flushes the files and writes a checkpoint of the simulation's last good step. */
cardo_status cardo_recorder_checkpoint(cardo_recorder *recorder, cardo_error *error);

/* Checkpoint, close everything, free; the recorder is gone even when this fails. Also right after a
 * failed or interrupted run. */
cardo_status cardo_recorder_finish(cardo_recorder *recorder, cardo_error *error);
/* Closes and frees without a checkpoint, before the simulation is destroyed. NULL is fine. */
void cardo_recorder_destroy(cardo_recorder *recorder);

/* Adds the table "trajectory_columns", what stands in which column of trajectory.csv, of those that have a key: "what" and "of" as
 * cardo_column has them, "label" with unit, and "column", the number, from 1. */
void cardo_recorder_fill(const cardo_recorder *recorder, cardo_result *into);

/* The header words of the table's columns: "q mobile", ... */
int cardo_recorder_ncolumn(const cardo_recorder *recorder);
const char *cardo_recorder_column(const cardo_recorder *recorder, int column);

/* Name of the checkpoint among the files. */
#define CARDO_CHECKPOINT_NAME "checkpoint.cardo"

#endif
