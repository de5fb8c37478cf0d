#include "base/lock.h"

#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { NOTE_SIZE = 256, HOST_SIZE = 65, MOST_ATTEMPTS = 16 };

struct cardo_lock {
    char *path;
    int descriptor;
    pid_t owner; /* a process forked from it has a copy of this record, but not the lock */
    dev_t device;
    ino_t inode;
    cardo_lock *next;
};

/* Locks of POSIX belong to the process: it would be given one twice, and would lose both by closing either. So
 * those that this process has are listed. */
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static cardo_lock *held;

static bool is_held(const struct stat *info)
{
    bool found = false;
    for (const cardo_lock *lock = held; lock && !found; lock = lock->next)
        found =
            lock->owner == getpid() && lock->device == info->st_dev && lock->inode == info->st_ino;
    return found;
}

static void host_name(char host[HOST_SIZE])
{
    if (gethostname(host, HOST_SIZE) != 0)
        snprintf(host, HOST_SIZE, "this machine");
    host[HOST_SIZE - 1] = '\0';
}

/* What the lock file says of its holder. */
static void read_note(int descriptor, char note[NOTE_SIZE])
{
    ssize_t n = pread(descriptor, note, NOTE_SIZE - 1, 0);
    note[n > 0 ? n : 0] = '\0';
    note[strcspn(note, "\n")] = '\0';
}

static void write_note(int descriptor, const char *holder)
{
    char note[NOTE_SIZE], host[HOST_SIZE], now[32] = "";
    time_t t = time(NULL);
    struct tm local;
    host_name(host);
    if (localtime_r(&t, &local))
        strftime(now, sizeof now, "%Y-%m-%d %H:%M:%S", &local);
    int n = snprintf(note, sizeof note, "process %ld on %.64s (%.64s, since %s)\n", (long)getpid(),
                     host, holder, now);
    /* Words for others: the lock holds without them. */
    if (ftruncate(descriptor, 0) == 0 && pwrite(descriptor, note, (size_t)n, 0) != n)
        errno = 0;
}

static cardo_status taken(const char *what, const char *note, cardo_error *error)
{
    return CARDO_FAIL(error, CARDO_ERROR_FILE,
                      "%s: is being written by %s: wait for it or end it, or choose another place",
                      what, *note ? note : "another process");
}

/* Where the file system has no locks, the note is all that there is: of a process that lives, or of another
 * machine, it counts. */
static bool note_counts(const char *note)
{
    static const char before[] = "process ", between[] = " on ";
    char host[HOST_SIZE], *theirs;
    if (strncmp(note, before, strlen(before)) != 0)
        return false;
    long process = strtol(note + strlen(before), &theirs, 10);
    if (process <= 0 || strncmp(theirs, between, strlen(between)) != 0)
        return false;
    theirs += strlen(between);
    host_name(host);
    size_t length = strcspn(theirs, " ");
    bool elsewhere = strlen(host) != length || strncmp(host, theirs, length) != 0;
    return elsewhere || kill((pid_t)process, 0) == 0 || errno == EPERM;
}

/* Locks the open file; who has it already, into note. */
static cardo_status lock_open_file(int descriptor, const char *what, cardo_error *error)
{
    char note[NOTE_SIZE];
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    if (fcntl(descriptor, F_SETLK, &whole) == 0)
        return CARDO_OK;
    const int reason = errno;
    read_note(descriptor, note);
    if (reason == EAGAIN || reason == EACCES)
        return taken(what, note, error);
    if (reason != ENOLCK && reason != ENOSYS && reason != EOPNOTSUPP && reason != EINVAL)
        return CARDO_FAIL(error, CARDO_ERROR_FILE, "%s: cannot be locked for writing (%s)", what,
                          strerror(reason));
    if (!note_counts(note))
        return CARDO_OK;
    taken(what, note, error);
    return cardo_error_prefix(error, "its file system has no locks, but a note says that ");
}

/* Opens and locks the file at path; *descriptor is -1 where it was taken away meanwhile by a holder that
 * ended. */
static cardo_status try_lock(const char *path, const char *what, int *descriptor, struct stat *info,
                             cardo_error *error)
{
    struct stat there;
    cardo_status status = CARDO_OK;
    /* Closing a second descriptor of a file would give the process's lock away. */
    if (lstat(path, &there) == 0 && is_held(&there)) {
        *descriptor = -1;
        return CARDO_FAIL(error, CARDO_ERROR_FILE, "%s: is being written by this process already",
                          what);
    }
    *descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (*descriptor < 0)
        return CARDO_FAIL(error, CARDO_ERROR_FILE,
                          "%s: cannot be written (%s); choose another place", what,
                          strerror(errno));
    status = lock_open_file(*descriptor, what, error);
    const bool same = status == CARDO_OK && fstat(*descriptor, info) == 0 &&
                      stat(path, &there) == 0 && there.st_dev == info->st_dev &&
                      there.st_ino == info->st_ino;
    if (!same) {
        close(*descriptor);
        *descriptor = -1;
    }
    return status;
}

static cardo_status take(cardo_lock *self, const char *what, const char *holder, cardo_error *error)
{
    struct stat info = {0};
    cardo_status status = CARDO_OK;
    self->descriptor = -1;
    for (int k = 0; k < MOST_ATTEMPTS && status == CARDO_OK && self->descriptor < 0; ++k)
        status = try_lock(self->path, what, &self->descriptor, &info, error);
    if (status == CARDO_OK && self->descriptor < 0)
        status = taken(what, "", error);
    if (status != CARDO_OK)
        return status;
    write_note(self->descriptor, holder);
    self->owner = getpid();
    self->device = info.st_dev;
    self->inode = info.st_ino;
    self->next = held;
    held = self;
    return CARDO_OK;
}

static cardo_status lock_at(char *path, const char *what, const char *holder, cardo_lock **out,
                            cardo_error *error)
{
    cardo_lock *self = NULL;
    *out = NULL;
    cardo_status status = CARDO_ALLOCATE(&self, 1, error);
    if (status == CARDO_OK) {
        self->path = path;
        pthread_mutex_lock(&guard);
        status = take(self, what, holder, error);
        pthread_mutex_unlock(&guard);
    }
    if (status == CARDO_OK) {
        *out = self;
        return CARDO_OK;
    }
    cardo_free(self);
    cardo_free(path);
    return status;
}

cardo_status cardo_lock_folder(const char *folder, const char *holder, cardo_lock **out,
                               cardo_error *error)
{
    char *path;
    const size_t n = strlen(folder) + sizeof "/" CARDO_FOLDER_LOCK_NAME;
    *out = NULL;
    cardo_status status = cardo_allocate((void **)&path, n, 1, error);
    if (status != CARDO_OK)
        return status;
    snprintf(path, n, "%s/%s", folder, CARDO_FOLDER_LOCK_NAME);
    return lock_at(path, folder, holder, out, error);
}

cardo_status cardo_lock_file(const char *file, const char *holder, cardo_lock **out,
                             cardo_error *error)
{
    char *path;
    const char *slash = strrchr(file, '/'), *name = slash ? slash + 1 : file;
    const size_t n = strlen(file) + sizeof "." CARDO_FOLDER_LOCK_NAME;
    *out = NULL;
    cardo_status status = cardo_allocate((void **)&path, n, 1, error);
    if (status != CARDO_OK)
        return status;
    snprintf(path, n, "%.*s.%s%s", (int)(name - file), file, name, CARDO_FOLDER_LOCK_NAME);
    return lock_at(path, file, holder, out, error);
}

void cardo_lock_release(cardo_lock *self)
{
    if (!self)
        return;
    pthread_mutex_lock(&guard);
    for (cardo_lock **at = &held; *at; at = &(*at)->next)
        if (*at == self) {
            *at = self->next;
            break;
        }
    /* While it is still held: who opens the file after this makes another one. */
    if (self->owner == getpid())
        unlink(self->path);
    close(self->descriptor);
    pthread_mutex_unlock(&guard);
    cardo_free(self->path);
    cardo_free(self);
}
