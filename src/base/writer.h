/* Through whom a study writes its files and finds again where a run stood. Who knows files makes one (io/run: of a run
 * folder), a host may make its own, and hands it to the study; a study without one (NULL) writes none.
 *
 * Studies call the functions below, which do nothing without a writer (or where it has no such function), and with
 * NULL in place of an open file. What a function of the writer is for stands with the function that calls it.
 *
 * In order: cardo_writer_check, _claim, _begin, then files, and _keep once there is something worth keeping. */
#ifndef CARDO_BASE_WRITER_H
#define CARDO_BASE_WRITER_H

#include "cardo/writer.h"

#include "base/column.h"
#include "base/field.h"
#include "base/result.h"

#include <stdio.h>

struct cardo_structure;
struct cardo_table_store;

/* An open file that grows: rows of a table, or frames of a trajectory. */
typedef struct cardo_series cardo_series;

/* A table of fields and the struct that it describes. */
typedef struct cardo_record_options {
    const cardo_field *fields; /* NULL: none */
    const void *object;
} cardo_record_options;

/* What a run was begun with, as it is kept with its files. All is borrowed. */
typedef struct cardo_record {
    const char
        *study; /* its name, which is also that of its element in model files               */
    const cardo_result
        *facts; /* a group: what else there is to know, model, forces, seed; "start": the
                                  coordinates at which the run starts                                      */
    int noption;
    const cardo_record_options
        *options; /*                                        (noption)                */
} cardo_record;

/* What stands in front of the rows of a table. */
typedef struct cardo_table_head {
    int ncolumn;
    const cardo_column
        *columns; /*                                                 (ncolumn)               */
    bool
        plumed; /* as PLUMED has them (COLVAR, HILLS), not as CSV; digits of the columns count for nothing */
    int nset;
    const char *const
        *sets; /* of PLUMED: "key value", such as "min_phi -pi"       (nset)                  */
} cardo_table_head;

/* A run of its own in a part of a place, as a study that runs others wants it. All is borrowed until it is closed. */
typedef struct cardo_part {
    const char *name;       /* of the part: "modes"                                              */
    const char *study;      /* whose run it is                                                   */
    const char *checkpoint; /* the file that its runs go on from; NULL: they cannot              */
    const char *command;    /* what repeats it; NULL: nothing                                    */
    bool
        go_on; /* with what a run has left there, from its checkpoint where there is one; else it starts over */
} cardo_part;

/* The trajectory formats that a writer may be asked for, by name and the ending of their files: a new one is a line here
 * and a file in io/trajectory. */
// clang-format off
#define CARDO_TRAJECTORY_FORMATS(X) \
    X(netcdf, "nc") \
    X(dcd, "dcd") \
    X(pdb, "pdb") \
    X(cif, "cif")
// clang-format on

/* What a trajectory must know before its first frame. */
typedef struct cardo_trajectory_head {
    int format; /* of CARDO_TRAJECTORY_FORMATS, in its order; -1: text with the structure's names (pdb, or cif
                   where that has no room)                                                                 */
    int natom;
    const struct cardo_structure
        *structure;     /* for formats that write names; borrowed until it is closed  */
    const char *title;  /* one line, or NULL                                          */
    double timestep;    /* ps                                                         */
    long long interval; /* steps between frames                                       */
    bool
        velocities; /* wanted; formats without them leave them out                                        */
} cardo_trajectory_head;

/* Prints a file's text. */
typedef cardo_status (*cardo_print_file)(const void *self, FILE *stream, cardo_error *error);

/* Functions may be NULL: then there are no such files. */
struct cardo_writer {
    size_t size; /* sizeof(cardo_writer): it may grow                                          */
    void *user;  /* handed to every function                                                   */
    const char
        *place;   /* where the files are, for messages: "lao.run"                               */
    bool goes_on; /* the run goes on from what was saved; else it begins                        */
    const struct cardo_table_store
        *force_tables; /* where a table of forces is kept, or NULL        */

    cardo_status (*check)(void *user, const cardo_record *record, cardo_error *error);
    cardo_status (*claim)(void *user, cardo_error *error);
    cardo_status (*begin)(void *user, const cardo_record *record, cardo_error *error);
    void (*keep)(void *user, bool worth);

    cardo_status (*open_table)(void *user, const char *name, const cardo_table_head *head,
                               long long extent, cardo_series **out, cardo_error *error);
    cardo_status (*open_trajectory)(void *user, const char *stem, const cardo_trajectory_head *head,
                                    long long extent, cardo_series **out, cardo_error *error);
    cardo_status (*add)(cardo_series *series, double time, const double *values,
                        const double *velocities, cardo_error *error);
    cardo_status (*flush)(cardo_series *series, cardo_error *error);
    long long (*extent)(const cardo_series *series);
    cardo_status (*close)(cardo_series *series, cardo_error *error);

    cardo_status (*print)(void *user, const char *name, cardo_print_file print, const void *self,
                          cardo_error *error);
    cardo_status (*structure)(void *user, const char *stem, const struct cardo_structure *structure,
                              const double *positions, cardo_error *error);
    cardo_status (*result)(void *user, const cardo_result *part, const char *nested,
                           const char *name, cardo_error *error);
    cardo_status (*picture)(void *user, const char *kind, const cardo_result *result,
                            cardo_error *error);

    cardo_status (*save)(void *user, const char *name, const char *text, size_t length,
                         const double *values, size_t nvalue, cardo_error *error);
    cardo_status (*recall)(void *user, const char *name, char **text, double **values,
                           size_t *nvalue, cardo_error *error);

    cardo_status (*open_part)(void *user, const cardo_part *part, const struct cardo_writer **out,
                              cardo_error *error);
    void (*close_part)(const struct cardo_writer *part);
};

/* Whether there is a run that goes on from what was saved. */
bool cardo_writer_goes_on(const cardo_writer *writer);

/* Of a run that goes on: what its record has, and may not change on the way (cardo_field.may_change, the forces), must be
 * what it is now; CARDO_ERROR_INPUT that names it. */
cardo_status cardo_writer_check(const cardo_writer *writer, const cardo_record *record,
                                cardo_error *error);
/* Makes the place this run's, before preparations that take long. */
cardo_status cardo_writer_claim(const cardo_writer *writer, cardo_error *error);
/* Called when nothing but the work itself can fail any more, before the first file: what a former run has left goes,
 * and the record is written. */
cardo_status cardo_writer_begin(const cardo_writer *writer, const cardo_record *record,
                                cardo_error *error);
/* Whether the files stay when the study fails from here on; said last holds, unsaid: they do not. */
void cardo_writer_keep(const cardo_writer *writer, bool worth);

/* Opens a table under a name ("trajectory.csv"), or a trajectory under a stem, to which its format adds the ending. extent
 * below 0: a new one, in place of what was there. Else the one that is there goes on after that extent, and what
 * follows is dropped: bytes of a table, frames of a trajectory; too little, another header or another number of atoms
 * is CARDO_ERROR_INPUT. The caller closes *out, which is NULL without a writer. */
cardo_status cardo_writer_table(const cardo_writer *writer, const char *name,
                                const cardo_table_head *head, long long extent, cardo_series **out,
                                cardo_error *error);
cardo_status cardo_writer_trajectory(const cardo_writer *writer, const char *stem,
                                     const cardo_trajectory_head *head, long long extent,
                                     cardo_series **out, cardo_error *error);
/* Adds a row of values, as many as there are columns. */
cardo_status cardo_writer_add(const cardo_writer *writer, cardo_series *table, const double *values,
                              cardo_error *error);
/* Adds a frame: time in ps, positions in nm, velocities in nm/ps or NULL (natom x 3 each). */
cardo_status cardo_writer_add_frame(const cardo_writer *writer, cardo_series *trajectory,
                                    double time, const double *positions, const double *velocities,
                                    cardo_error *error);
/* Brings what was added to the disk. */
cardo_status cardo_writer_flush(const cardo_writer *writer, cardo_series *series,
                                cardo_error *error);
/* How far it goes: what opening it again wants. */
long long cardo_writer_extent(const cardo_writer *writer, const cardo_series *series);
/* Flushes and closes; *series is NULL afterwards, also when this fails. */
cardo_status cardo_writer_close(const cardo_writer *writer, cardo_series **series,
                                cardo_error *error);

/* Files that appear whole or not at all. Text, printed by a function to which self is handed: */
cardo_status cardo_writer_print(const cardo_writer *writer, const char *name,
                                cardo_print_file print, const void *self, cardo_error *error);
/* the atoms of a structure at positions (natom x 3, nm), as STEM.pdb, or .cif where that has no room, unless
 * the stem ends in one of the two; */
cardo_status cardo_writer_structure(const cardo_writer *writer, const char *stem,
                                    const struct cardo_structure *structure,
                                    const double *positions, cardo_error *error);
/* a part of a result, in the form that the name's ending says (csv, npy, json); name NULL: every part below it that was
 * given a file (cardo_result_file); */
cardo_status cardo_writer_result(const cardo_writer *writer, const cardo_result *part,
                                 const char *name, cardo_error *error);
/* the tables that each row of a table holds under a name, below each other ("hinges" of all modes); */
cardo_status cardo_writer_nested(const cardo_writer *writer, const cardo_result *table,
                                 const char *nested, const char *name, cardo_error *error);
/* the script of a study's pictures, which finds in the result what it needs (io/plots). */
cardo_status cardo_writer_picture(const cardo_writer *writer, const char *kind,
                                  const cardo_result *result, cardo_error *error);

/* A text and numbers, to the bit, in place of what was under this name; and back. Without a writer nothing is
 * saved, and *text is NULL. What is damaged is CARDO_ERROR_INPUT. The caller owns *text and *values. */
cardo_status cardo_writer_save(const cardo_writer *writer, const char *name, const char *text,
                               size_t length, const double *values, size_t nvalue,
                               cardo_error *error);
cardo_status cardo_writer_recall(const cardo_writer *writer, const char *name, char **text,
                                 double **values, size_t *nvalue, cardo_error *error);

/* Makes a part of the place that of a run of its own, and a writer for it; *out is NULL without a writer. The caller closes it
 * after that run; NULL is fine. */
cardo_status cardo_writer_open_part(const cardo_writer *writer, const cardo_part *part,
                                    const cardo_writer **out, cardo_error *error);
void cardo_writer_close_part(const cardo_writer *writer, const cardo_writer *part);

#endif
