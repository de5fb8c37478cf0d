/* Files: the folder that a study writes its run into, and results in the forms that others read. */
#ifndef CARDO_FILES_H
#define CARDO_FILES_H

#include <cardo/result.h>
#include <cardo/status.h>
#include <cardo/system.h>
#include <cardo/writer.h>

#include <stdbool.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A run's folder: one process at a time has it, and a study that could not begin leaves nothing there. */
typedef struct cardo_files cardo_files;

/* Takes a folder, which is made when the study begins to write, for one run of this study. start_over: what another run has
 * left there goes when this one begins; else it is CARDO_ERROR_INPUT. The caller closes *out after the study. */
CARDO_API cardo_status cardo_files_open(const char *path, const char *study, bool start_over,
                                        cardo_files **out, cardo_error *error);
/* The same in all its ways. Zero-initialise and set size. Texts are borrowed until the folder is closed. */
typedef struct cardo_files_options {
    size_t size;            /* sizeof(cardo_files_options): it may grow                         */
    const char *checkpoint; /* of the study (cardo_study_checkpoint), NULL: it cannot go on     */
    bool
        go_on; /* with the run that is there, from its checkpoint; one that ended before its first is begun again */
    bool start_over; /* as in cardo_files_open                                                  */
    bool
        reads; /* another process writes: this one learns what a run goes on from, and writes nothing */
    /* How the host's user says these things, for messages: "--continue", "--force", "--out FOLDER". NULL: in words of ours. */
    const char *go_on_words, *start_over_words, *elsewhere_words;
} cardo_files_options;
CARDO_API cardo_status cardo_files_open_as(const char *path, const char *study,
                                           const cardo_files_options *options, cardo_files **out,
                                           cardo_error *error);
/* What to hand to the study (cardo_run_options); it belongs to the folder. */
CARDO_API const cardo_writer *cardo_files_writer(const cardo_files *folder);
CARDO_API const char *cardo_files_path(const cardo_files *folder);

/* What the record of the run that goes on, or is begun again, has under a name ("command", "command_folder", "version"), or NULL.
 * Borrowed. */
CARDO_API const char *cardo_files_said(const cardo_files *folder, const char *name);
/* The coordinates (nq) at which the run that goes on started; false where nobody knows: q is as it was then. */
CARDO_API bool cardo_files_start(const cardo_files *folder, int nq, double *q);
/* By whom and how this run is repeated, for its record: the program and its version, the command and the folder that it
 * was given in. NULL: it is not told. Borrowed until the folder is closed. */
CARDO_API void cardo_files_repeat(cardo_files *folder, const char *program, const char *version,
                                  const char *command, const char *command_folder);
/* Whether what is there stays when the study fails from here on, since it has saved what a run may go on from. */
CARDO_API bool cardo_files_kept(const cardo_files *folder);
/* Gives the folder back. NULL is fine. */
CARDO_API void cardo_files_close(cardo_files *folder);

/* Prints a result, or a part of it, to a stream, as "text", "json", "csv" (tables, arrays) or "npy" (arrays, columns). An unknown
 * form is CARDO_ERROR_ARGUMENT, a part that has no such form CARDO_ERROR_UNSUPPORTED. */
CARDO_API cardo_status cardo_result_print(const cardo_result *part, const char *form, FILE *stream,
                                          cardo_error *error);
/* The same into a whole file, which appears when it is complete, in the form that its ending says (txt, json, csv, npy). */
CARDO_API cardo_status cardo_result_store(const cardo_result *part, const char *path,
                                          cardo_error *error);

/* Reads coordinates of a system to begin at, q (cardo_system_nq numbers), from coordinates.csv, a header and a line "name,value" for each
 * coordinate, or from the last row of a trajectory.csv. Names must be those of the system:
 * CARDO_ERROR_INPUT says which line or column is of another one. q may be half filled after a failure. */
CARDO_API cardo_status cardo_coordinates_read(const char *path, const cardo_system *system,
                                              double *q, cardo_error *error);

/* What reads frames of trajectories (AMBER NetCDF, DCD): to hand to a study whose files may be some (cardo_run_options). */
CARDO_API const cardo_frame_reader *cardo_trajectory_reader(void);

/* Formats of trajectories, NULL-terminated: name, ending of the files ("nc"), and one line of help. */
typedef struct cardo_trajectory_format cardo_trajectory_format;
CARDO_API const cardo_trajectory_format *const *cardo_trajectory_format_list(void);
CARDO_API const char *cardo_trajectory_format_name(const cardo_trajectory_format *format);
CARDO_API const char *cardo_trajectory_format_ending(const cardo_trajectory_format *format);
CARDO_API const char *cardo_trajectory_format_doc(const cardo_trajectory_format *format);

#ifdef __cplusplus
}
#endif

#endif
