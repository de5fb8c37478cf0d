#include "base/text.h"

#include "base/memory.h"
#include "base/number.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

long long cardo_input_memory(long long bytes)
{
    static const long long ratio = 34, constant = 8 << 20;
    return bytes > LLONG_MAX / 2 / ratio ? LLONG_MAX : ratio * bytes + constant;
}

long long cardo_file_size(const char *path, long long otherwise)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode) ? info.st_size : otherwise;
}

long long cardo_file_limit_begin(const char *path)
{
    return cardo_memory_limit_begin(cardo_input_memory(cardo_file_size(path, LLONG_MAX)));
}

cardo_status cardo_file_limit_end(long long outer, const char *path, cardo_status status,
                                  cardo_error *error)
{
    cardo_memory_limit_end(outer);
    if (status != CARDO_ERROR_MEMORY)
        return status;
    return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                      "%s: takes more memory than a file of its size may; unpack it if it is "
                      "compressed",
                      path);
}

/* What a file of that size will probably hold: a gzip file says so in its last four bytes, which is
 * believed only where it is likely. */
static size_t likely_length(const char *path, size_t size)
{
    enum { USUAL_RATIO = 4, LARGEST_RATIO = 16 };
    unsigned char head[2] = {0}, tail[4] = {0};
    FILE *file = fopen(path, "rb");
    if (!file)
        return size;
    bool packed = fread(head, 1, 2, file) == 2 && head[0] == 0x1f && head[1] == 0x8b &&
                  fseek(file, -4, SEEK_END) == 0 && fread(tail, 1, 4, file) == 4;
    fclose(file);
    size_t claim =
        (size_t)tail[0] | (size_t)tail[1] << 8 | (size_t)tail[2] << 16 | (size_t)tail[3] << 24;
    if (!packed)
        return size;
    return claim > LARGEST_RATIO * size ? USUAL_RATIO * size : claim;
}

/* Opens a file and takes memory for what it seems to hold. */
static cardo_status open_file(const char *path, size_t max_bytes, gzFile *file, char **bytes,
                              size_t *room, cardo_error *error)
{
    struct stat info;
    if (stat(path, &info) != 0)
        return CARDO_FAIL(error, CARDO_ERROR_FILE, "%s: cannot be opened (%s)", path,
                          strerror(errno));
    if (!S_ISREG(info.st_mode) && !S_ISFIFO(info.st_mode))
        return CARDO_FAIL(error, CARDO_ERROR_FILE, "%s: is a %s, not a file", path,
                          S_ISDIR(info.st_mode) ? "folder" : "device");
    if (max_bytes && S_ISREG(info.st_mode) && (size_t)info.st_size > max_bytes)
        return CARDO_FAIL(error, CARDO_ERROR_FILE, "%s: holds more than %zu bytes", path,
                          max_bytes);
    *file = gzopen(path, "rb");
    if (!*file)
        return CARDO_FAIL(error, CARDO_ERROR_FILE, "%s: cannot be opened (%s)", path,
                          strerror(errno));
    gzbuffer(*file, 1 << 17);
    size_t size = S_ISREG(info.st_mode) ? likely_length(path, (size_t)info.st_size) : 0;
    if (max_bytes && size > max_bytes)
        size = max_bytes;
    *room = size + 2;
    return cardo_allocate((void **)bytes, *room, 1, error);
}

static cardo_status double_room(char **bytes, size_t used, size_t *room, cardo_error *error)
{
    char *larger;
    cardo_status status = cardo_allocate((void **)&larger, *room * 2, 1, error);
    if (status != CARDO_OK)
        return status;
    memcpy(larger, *bytes, used);
    cardo_free(*bytes);
    *bytes = larger;
    *room *= 2;
    return CARDO_OK;
}

cardo_status cardo_read_file(const char *path, size_t max_bytes, char **text, size_t *length,
                             cardo_error *error)
{
    cardo_status status = CARDO_OK;
    char *bytes = NULL;
    gzFile file = NULL;
    size_t n = 0, room = 0;
    *text = NULL;
    *length = 0;
    CARDO_TRY(open_file(path, max_bytes, &file, &bytes, &room, error));
    for (;;) {
        if (n + 1 >= room)
            CARDO_TRY(double_room(&bytes, n, &room, error));
        size_t want = room - 1 - n;
        int got = gzread(file, bytes + n, want > INT_MAX / 2 ? INT_MAX / 2 : (unsigned)want);
        if (got < 0) {
            int code;
            status = CARDO_FAIL(error, CARDO_ERROR_FILE, "%s: cannot be read (%s)", path,
                                gzerror(file, &code));
            goto done;
        }
        if (got == 0)
            break;
        n += (size_t)got;
        if (max_bytes && n > max_bytes) {
            status = CARDO_FAIL(error, CARDO_ERROR_FILE, "%s: holds more than %zu bytes", path,
                                max_bytes);
            goto done;
        }
    }
    status = gzclose(file) == Z_OK
                 ? CARDO_OK
                 : CARDO_FAIL(error, CARDO_ERROR_FILE, "%s: ends early or is damaged", path);
    file = NULL;
    if (status != CARDO_OK)
        goto done;
    bytes[n] = '\0';
    *text = bytes;
    *length = n;
    bytes = NULL;
done:
    if (file)
        gzclose(file);
    cardo_free(bytes);
    return status;
}

bool cardo_file_begins(const char *path, const char *word)
{
    char head[64];
    size_t length = strlen(word);
    gzFile file = length < sizeof head && cardo_file_size(path, 0) > 0 ? gzopen(path, "rb") : NULL;
    if (!file)
        return false;
    bool same =
        gzread(file, head, (unsigned)length) == (int)length && memcmp(head, word, length) == 0;
    gzclose(file);
    return same;
}

/* The first line end, or end. It is looked for in growing windows: one memchr over all that
 * follows, for LF and for CR, would take quadratic time on files that have only one of them. */
static const char *find_line_end(const char *p, const char *end)
{
    for (size_t window = 128; p < end; window *= 2) {
        size_t n = (size_t)(end - p) < window ? (size_t)(end - p) : window;
        const char *newline = memchr(p, '\n', n);
        const char *cr = memchr(p, '\r', newline ? (size_t)(newline - p) : n);
        if (cr || newline)
            return cr ? cr : newline;
        p += n;
    }
    return end;
}

bool cardo_next_line(const char **next, const char *end, cardo_line *line)
{
    const char *p = *next;
    if (p >= end)
        return false;
    const char *stop = find_line_end(p, end);
    const char *after = stop < end ? stop + 1 : end;
    /* CR alone ends the lines of old Macintosh files. */
    if (after < end && *stop == '\r' && *after == '\n')
        ++after;
    line->text = p;
    line->length = stop - p > INT_MAX ? INT_MAX : (int)(stop - p);
    line->number++;
    *next = after;
    return true;
}

enum { LONGEST_NAME = 63 };

static int edit_distance(const char *a, const char *b)
{
    int row[LONGEST_NAME + 1];
    int n = (int)strlen(b);
    for (int j = 0; j <= n; ++j)
        row[j] = j;
    for (int i = 1; a[i - 1]; ++i) {
        int diagonal = row[0];
        row[0] = i;
        for (int j = 1; j <= n; ++j) {
            int change = diagonal + (a[i - 1] != b[j - 1]);
            int least = row[j] < row[j - 1] ? row[j] + 1 : row[j - 1] + 1;
            diagonal = row[j];
            row[j] = change < least ? change : least;
        }
    }
    return row[n];
}

void cardo_near_try(cardo_near *self, const char *candidate)
{
    const size_t length = strlen(self->name);
    if (length > LONGEST_NAME || strlen(candidate) > LONGEST_NAME)
        return;
    const int limit = length <= 3 ? 1 : length <= 6 ? 2 : 3;
    const int distance = edit_distance(self->name, candidate);
    if (distance < (self->nearest ? self->distance : limit + 1)) {
        self->distance = distance;
        self->nearest = candidate;
    }
}

const char *cardo_near_hint(const cardo_near *self, char text[CARDO_NEAR_TEXT])
{
    text[0] = '\0';
    if (self->nearest)
        snprintf(text, CARDO_NEAR_TEXT, "; did you mean '%s'?", self->nearest);
    return text;
}

const char *cardo_nearest_name(const char *name, const char *const *names)
{
    cardo_near near = {.name = name};
    for (int k = 0; names[k]; ++k)
        cardo_near_try(&near, names[k]);
    return near.nearest;
}

static cardo_status join(const char *folder, size_t n, const char *between, const char *name,
                         char **out, cardo_error *error)
{
    size_t total = n + strlen(between) + strlen(name) + 1;
    cardo_status status = cardo_allocate((void **)out, total, 1, error);
    if (status == CARDO_OK)
        snprintf(*out, total, "%.*s%s%s", (int)n, folder, between, name);
    return status;
}

static bool is_same_file(const char *a, const char *b)
{
    struct stat of_a, of_b;
    return stat(a, &of_a) == 0 && stat(b, &of_b) == 0 && of_a.st_dev == of_b.st_dev &&
           of_a.st_ino == of_b.st_ino;
}

/* "runs/one/../two" becomes "runs/two", where that is the same file: after a link it need not be. */
static void leave_out_detours(char *path)
{
    char shorter[PATH_MAX];
    for (char *up = strstr(path, "/../"); up; up = strstr(up + 1, "/../")) {
        char *folder = up;
        while (folder > path && folder[-1] != '/')
            --folder;
        const size_t length = (size_t)(up - folder), before = (size_t)(folder - path);
        if (length == 0 || (length == 2 && strncmp(folder, "..", 2) == 0) ||
            (length == 1 && *folder == '.') || strlen(path) >= sizeof shorter)
            continue;
        memcpy(shorter, path, before);
        strcpy(shorter + before, up + 4);
        if (!is_same_file(path, shorter))
            return;
        strcpy(path, shorter);
        up = path;
    }
}

cardo_status cardo_path_beside(const char *path, const char *name, char **out, cardo_error *error)
{
    const char *slash = path ? strrchr(path, '/') : NULL;
    if (name[0] == '/' || !slash)
        return cardo_copy_string(out, name, error);
    const cardo_status status = join(path, (size_t)(slash - path), "/", name, out, error);
    if (status == CARDO_OK)
        leave_out_detours(*out);
    return status;
}

/* share/cardo of a copy that was installed anywhere, by where the library is (or the program that it is linked into); "": not known. */
static void data_of_this_copy(char folder[PATH_MAX + 32])
{
    static const char here = 0;
    Dl_info of_library;
    char path[PATH_MAX];
    folder[0] = '\0';
    if (dladdr(&here, &of_library) == 0 || !of_library.dli_fname ||
        !realpath(of_library.dli_fname, path))
        return;
    char *slash = strrchr(path, '/');
    *slash = '\0';
    snprintf(folder, PATH_MAX + 32, "%s/../share/cardo", path);
}

cardo_status cardo_find_data(const char *name, const char *beside, const char *subfolder,
                             char **out, cardo_error *error)
{
    cardo_status status = cardo_path_beside(beside, name, out, error);
    if (status != CARDO_OK || access(*out, R_OK) == 0)
        return status;
    char tried[1024];
    snprintf(tried, sizeof tried, "%s", *out);
    char of_this_copy[PATH_MAX + 32];
    data_of_this_copy(of_this_copy);
    static const char source[] = CARDO_SOURCE_DATA;
    const char *folders[] = {getenv("CARDO_DATA"), *of_this_copy ? of_this_copy : NULL,
                             CARDO_INSTALLED_DATA, *source ? source : NULL};
    for (size_t k = 0; k < sizeof folders / sizeof *folders && name[0] != '/'; ++k)
        for (int inside = 1; folders[k] && inside >= 0; --inside) {
            char between[64];
            snprintf(between, sizeof between, inside ? "/%s/" : "/", subfolder);
            cardo_free(*out);
            status = join(folders[k], strlen(folders[k]), between, name, out, error);
            if (status != CARDO_OK || access(*out, R_OK) == 0)
                return status;
            cardo_append(tried, sizeof tried, ", %s", *out);
        }
    cardo_free(*out);
    *out = NULL;
    return CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s is not there; looked for %s", name, tried);
}
