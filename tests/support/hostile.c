#include "support/support.h"

#include "support/hostile.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <zlib.h>

enum { LONGEST_SECONDS = 60, CONSTANT = 20 << 20 };

/* Largest resident memory in bytes of a process that reads path (NULL: that reads nothing). */
static double read_elsewhere(const char *name, support_reader *read, const char *path)
{
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        alarm(LONGEST_SECONDS);
        _exit(!path || read(path) ? 0 : 1);
    }
    struct rusage usage;
    int status;
    assert_int_equal(wait4(child, &status, 0, &usage), child);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        fail_msg("%s: reading ended with status %d (signal %d: 14 is a timeout)", name, status,
                 WIFSIGNALED(status) ? WTERMSIG(status) : 0);
    return 1024.0 * (double)usage.ru_maxrss;
}

void support_check_hostile(const char *name, support_reader *read, const char *path)
{
    support_check_hostile_within(50, name, read, path);
}

void support_check_hostile_within(int times, const char *name, support_reader *read,
                                  const char *path)
{
    struct timespec start, end;
    struct stat info;
    assert_int_equal(stat(path, &info), 0);
    double idle = read_elsewhere(name, read, NULL);
    clock_gettime(CLOCK_MONOTONIC, &start);
    double bytes = read_elsewhere(name, read, path) - idle, size = (double)info.st_size;
    clock_gettime(CLOCK_MONOTONIC, &end);
    double seconds =
        (double)(end.tv_sec - start.tv_sec) + 1e-9 * (double)(end.tv_nsec - start.tv_nsec);
    print_message("%-28s %6.3f s, %6.1f MB of %9.3f MB\n", name, seconds, 1e-6 * bytes,
                  1e-6 * size);
#ifdef __SANITIZE_ADDRESS__
    (void)times;
#else
    assert_true(bytes < times * size + CONSTANT);
    /* Of a plain file that is large enough to tell. */
    assert_true(size < 1e6 || bytes < times * size);
#endif
}

const char *support_write_pieces(const char *name, support_piece *print, int size, bool compressed)
{
    static char path[300];
    char piece[4096];
    snprintf(path, sizeof path, "%s/%s", support_scratch(), name);
    gzFile file = gzopen(path, compressed ? "wb6" : "wbT");
    assert_non_null(file);
    for (int written = 0, k = 0; written < size; ++k) {
        int n = print(piece, sizeof piece, k);
        assert_int_equal(gzwrite(file, piece, (unsigned)n), n);
        written += n;
    }
    assert_int_equal(gzclose(file), Z_OK);
    return path;
}
