/* The files that studies leave in their folders, by name: what of a former run goes, and nothing else. */
#ifndef CARDO_IO_RUN_RUN_FILES_H
#define CARDO_IO_RUN_RUN_FILES_H

#include <stdbool.h>

/* What stands in a folder about its run. */
#define CARDO_RUN_RECORD "run.json"

enum { CARDO_MOST_RUN_FILES = 128 };

/* Which files of such names are in a folder. */
typedef struct cardo_run_files_noted {
    bool there[CARDO_MOST_RUN_FILES];
} cardo_run_files_noted;

/* Whether a folder holds a run: its run.json, checkpoint, or main table. */
bool cardo_run_files_found(const char *folder);

void cardo_run_files_note(const char *folder, cardo_run_files_noted *noted);

/* Removes the plain files that two studies make (other may be NULL), but for those that were noted
 * (NULL: none) and, where that is said, for a force table. */
void cardo_run_files_remove(const char *folder, const char *study, const char *other,
                            bool keeps_table, const cardo_run_files_noted *noted);

/* Removes what killed processes left of files that were not whole yet. The folder is locked by the caller, so nobody
 * is writing them. */
void cardo_run_files_tidy(const char *folder);

#endif
