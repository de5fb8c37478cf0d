/* The folder that a study writes into, and what stands in it about the run itself. */
#ifndef CARDO_CLI_RUN_FOLDER_H
#define CARDO_CLI_RUN_FOLDER_H

#include "base/output.h"
#include "cli/json.h"
#include "cli/setup.h"

/* --out, or the model file's name with the suffix in place of .xml, where the command runs. Makes
 * the folder. Without --continue or --force an existing marker (a file of earlier runs) is an error;
 * with --continue a missing checkpoint (NULL: the study has none) is. The caller owns *folder. */
cardo_status cardo_run_folder_open(const cardo_command *command, const cardo_model *model,
                                   const char *suffix, const char *marker, const char *checkpoint,
                                   char **folder, cardo_error *error);

/* The folder's name alone, touching nothing. The caller owns *folder. */
cardo_status cardo_run_folder_name(const cardo_command *command, const cardo_model *model,
                                   const char *suffix, char **folder, cardo_error *error);

/* FOLDER/NAME; the caller owns *out. */
cardo_status cardo_run_folder_path(const char *folder, const char *name, char **out,
                                   cardo_error *error);

/* "cif" where STEM.cif is in the folder, and else "pdb": as what a study has written a structure. */
const char *cardo_run_folder_structure(const char *folder, const char *stem);

/* Opens FOLDER/NAME for writing, as cardo_output_open does. */
cardo_status cardo_run_folder_output(const char *folder, const char *name, cardo_output *output,
                                     cardo_error *error);

/* run.json begins with versions, platform, model and its hash, and the command that repeats the run;
 * the study puts its options under "options" (cardo_manifest_options) and writes it. */
cardo_json *cardo_manifest_begin(const cardo_command *command, const cardo_setup *setup);
void cardo_manifest_options(cardo_json *options, const cardo_field *fields, const void *object);
/* Writes FOLDER/run.json and frees the manifest. */
cardo_status cardo_manifest_write(const char *folder, cardo_json *manifest, cardo_error *error);

/* Lines for checkpoints about what the forces depend on besides the model's bodies: platform,
 * solvent, method, cutoff. The caller owns *text. */
cardo_status cardo_describe_forces(const cardo_setup *setup, char **text, cardo_error *error);

#endif
