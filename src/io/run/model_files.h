/* A writer (base/writer.h) of files that are named after a model file and lie beside it: lao.xml, lao.domains.xml,
 * lao_start.pdb. One process at a time writes them; a study that fails leaves none. */
#ifndef CARDO_IO_RUN_MODEL_FILES_H
#define CARDO_IO_RUN_MODEL_FILES_H

#include "base/lock.h"
#include "io/run/folder_writer.h"

enum { CARDO_MODEL_FILES = 10 }; /* names that there may be */

typedef struct cardo_model_files_request {
    const char *path;   /* of the model file, which ends in .xml                                 */
    const char *holder; /* of the lock on it: "cardo domains"                                    */
    bool replace;       /* what is there                                                         */
    const char *how_to_replace; /* in the user's words: "overwrite with --force"                 */
    int ninput;
    const char *const *input; /* files that may stand there and stay, FILE#CHAIN too  (ninput)    */
} cardo_model_files_request;

/* Zero-initialise. Not to be moved while its writer is used. */
typedef struct cardo_model_files {
    cardo_folder folder; /* first: the writer's user                                       */
    cardo_model_files_request request; /* borrowed                                          */
    char *name;                        /* of the model, without folder and .xml             */
    bool there[CARDO_MODEL_FILES];     /* before                                            */
    bool written[CARDO_MODEL_FILES];
    bool complete; /* what was written stays                                                */
    cardo_lock *lock;
    cardo_writer folder_writer, writer; /* the second is for a study */
} cardo_model_files;

/* Takes the names. What is there, where nothing is to be replaced, is CARDO_ERROR_INPUT; a path without .xml
 * CARDO_ERROR_USAGE. */
cardo_status cardo_model_files_open(cardo_model_files *self,
                                    const cardo_model_files_request *request, cardo_error *error);

/* Keeps what was written; structures that a former study has left there and this one has not written go, unless they are
 * inputs. Call it when the study has succeeded. */
void cardo_model_files_commit(cardo_model_files *self);

/* Whether a file with this ending (".xml"; "_start.", with the format's after it) was written; its path then is in path. */
bool cardo_model_files_written(const cardo_model_files *self, const char *ending, char *path,
                               size_t size);

void cardo_model_files_close(cardo_model_files *self);

#endif
