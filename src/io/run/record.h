/* run.json: what stands in a run's folder about the run itself, to know it by and to go on with it. */
#ifndef CARDO_IO_RUN_RECORD_H
#define CARDO_IO_RUN_RECORD_H

#include "base/json/json.h"
#include "base/writer.h"

/* How a run is repeated, by whom and from where: texts of whoever runs studies, NULL where there is none. */
typedef struct cardo_repetition {
    const char *program, *version;
    const char *command, *folder; /* what repeats the run there */
} cardo_repetition;

/* FOLDER/run.json, or NULL where there is none that can be read. The caller frees it. */
cardo_json *cardo_record_read(const char *folder);

/* Writes FOLDER/run.json. before: what stood there of a run that goes on (its start stays that of the run), or NULL. */
cardo_status cardo_record_write(const char *folder, const cardo_record *record,
                                const cardo_repetition *repetition, const cardo_json *before,
                                cardo_error *error);

/* CARDO_ERROR_INPUT for the first thing that a run which goes on has otherwise and may not: an option that is not
 * free to change, integrator, method, what the forces come from. elsewhere: how another run is begun ("--out"). */
cardo_status cardo_record_check(const cardo_json *before, const cardo_record *record,
                                const char *elsewhere, cardo_error *error);

#endif
