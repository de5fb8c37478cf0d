/* Locks on what is being written: one process at a time has a folder or a file, and nobody has it once that
 * process has ended, however it ended.
 *
 * A lock is a small hidden file beside what it guards, on which the process holds an advisory lock of POSIX
 * (fcntl: of the process alone, so processes forked from it neither have nor keep it, and over NFS too). It
 * says who holds it, and goes with the lock; one that a killed process left behind locks nothing. */
#ifndef CARDO_BASE_LOCK_H
#define CARDO_BASE_LOCK_H

#include "base/status.h"

typedef struct cardo_lock cardo_lock;

/* Takes a folder, which exists; or a file, which need not, in a folder that exists. holder: what is told to
 * others who want it too ("cardo simulate"). Taken already, by another process or this one: CARDO_ERROR_FILE
 * with the holder's process and host and what to do. The caller owns *out. */
cardo_status cardo_lock_folder(const char *folder, const char *holder, cardo_lock **out,
                               cardo_error *error);
cardo_status cardo_lock_file(const char *path, const char *holder, cardo_lock **out,
                             cardo_error *error);

/* Gives it back and removes the lock file. NULL is fine. */
void cardo_lock_release(cardo_lock *lock);

/* The lock file inside a folder. */
#define CARDO_FOLDER_LOCK_NAME ".cardo.lock"

#endif
