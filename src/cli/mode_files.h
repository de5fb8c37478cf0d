/* What cardo modes writes: tables, animations, pictures. */
#ifndef CARDO_CLI_MODE_FILES_H
#define CARDO_CLI_MODE_FILES_H

#include "base/result.h"
#include "cli/mode_comparison.h"

typedef struct cardo_mode_files {
    const cardo_session *session; /* borrowed, like all up to folder */
    const cardo_mode_options *options;
    const cardo_mode_set *set;
    const cardo_mode_comparison *comparison;
    cardo_result *result; /* of these: filled, and its tables are written */
    const char *members;  /* who made K */
    const char *folder;
    char (*label)[40]; /* of every C-alpha's residue (set->nca)        */
    int nanimated;
    double *cut_length;       /* nm, of the model's cut bonds before a swing (model->ncut) */
    double stretch;           /* most that one of them changes in a swing, nm              */
    bool correlations, drawn; /* table and picture of them; pictures are there */
} cardo_mode_files;

/* Writes all files into the folder, which is there. Fill in what is borrowed, zero the rest;
 * cardo_mode_files_clear frees what is there, also after a failure. */
cardo_status cardo_mode_files_write(cardo_mode_files *files, cardo_error *error);
void cardo_mode_files_clear(cardo_mode_files *files);

#endif
