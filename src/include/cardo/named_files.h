/* Files that their user named, for a study that writes no run folder: a table, structures, a model with what lies beside it. */
#ifndef CARDO_NAMED_FILES_H
#define CARDO_NAMED_FILES_H

#include <cardo/status.h>
#include <cardo/writer.h>

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The names. Zero-initialise and set size. All is borrowed until the files are closed; what is NULL is not written. */
typedef struct cardo_file_names {
    size_t
        size; /* sizeof(cardo_file_names): it may grow                                          */
    const char
        *table; /* CSV: coordinates of fit                                                        */
    const char *
        structures; /* PDB or, by its ending, mmCIF: models of fit, what prepare has made              */
    const char *
        model; /* MODEL.xml, of domains: its other files lie beside it and are called after it    */
    const char *
        holder; /* who writes them, for whoever finds them locked: "cardo fit"; for the call alone */
    bool
        replace; /* what is there; else that is CARDO_ERROR_INPUT                                  */
    const char *
        how_to_replace; /* in the user's words: "overwrite with --force"                              */
    int ninput;
    const char *const
        *input; /* of a model: files that may stand there and stay, FILE#CHAIN too     (ninput) */
} cardo_file_names;

typedef struct cardo_named_files cardo_named_files;

/* Takes the names for one process. A model file that does not end in .xml is CARDO_ERROR_USAGE. The caller closes *out after the
 * study. */
CARDO_API cardo_status cardo_named_files_open(const cardo_file_names *names,
                                              cardo_named_files **out, cardo_error *error);
/* What to hand to the study (cardo_run_options); it belongs to the files. */
CARDO_API const cardo_writer *cardo_named_files_writer(const cardo_named_files *files);
/* Of a study that has succeeded: puts in its place what it has written. */
CARDO_API cardo_status cardo_named_files_keep(cardo_named_files *files, cardo_error *error);
/* Gives all back, and removes what was not kept. NULL is fine. */
CARDO_API void cardo_named_files_close(cardo_named_files *files);

#ifdef __cplusplus
}
#endif

#endif
