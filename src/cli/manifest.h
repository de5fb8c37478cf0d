/* run.json: what stands in a run folder about the run itself. */
#ifndef CARDO_CLI_MANIFEST_H
#define CARDO_CLI_MANIFEST_H

#include "cli/run_folder.h"
#include "io/results/json.h"
#include "study/session/facts.h"

#define CARDO_MANIFEST_NAME CARDO_RUN_RECORD

/* run.json begins with versions, platform, model and its hash, the force field, and the command that repeats the
 * run; the study puts its options under "options" (cardo_manifest_options) and writes it. */
cardo_json *cardo_manifest_begin(const cardo_run_folder *folder, const cardo_session *session);
void cardo_manifest_options(cardo_json *options, const cardo_field *fields, const void *object);
/* The coordinates at which the study starts: where the session stands, or of a run that goes on, where it stood then. */
void cardo_manifest_start(cardo_json *manifest, const cardo_run_folder *folder,
                          const cardo_session *session);
/* Writes FOLDER/run.json and frees the manifest. */
cardo_status cardo_manifest_write(const cardo_run_folder *folder, cardo_json *manifest,
                                  cardo_error *error);

/* What the forces of a session come from, for run.json. */
cardo_json *cardo_manifest_forcefield(const cardo_session *session);

/* The verb whose run a folder holds, by its run.json; empty where there is none that can be read. */
cardo_status cardo_manifest_verb(const char *folder, char verb[32], cardo_error *error);

#endif
