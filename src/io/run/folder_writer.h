/* A writer (base/writer.h) of files in a folder. */
#ifndef CARDO_IO_RUN_FOLDER_WRITER_H
#define CARDO_IO_RUN_FOLDER_WRITER_H

#include "base/writer.h"

/* A folder that is there. What knows more of its folder begins with one of these. */
typedef struct cardo_folder {
    char *path;
} cardo_folder;

/* Writes whatever a study has into it, without a record of the run. folder is borrowed, and is the writer's user. */
cardo_writer cardo_folder_writer(cardo_folder *folder);

/* FOLDER/NAME, or FOLDER/NAME.EXTENSION; extension may be NULL. The caller owns *out. */
cardo_status cardo_folder_path(const char *folder, const char *name, const char *extension,
                               char **out, cardo_error *error);

/* The ending of STEM.cif or STEM.pdb, whichever is in the folder: as what a structure or trajectory was written. */
const char *cardo_folder_structure(const char *folder, const char *stem);

#endif
