#include "cli/processes/gnuplot.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NO_PROGRAM = 127 };

/* In the child: becomes gnuplot in the folder, with everything that it says going to the pipe. */
static void become_gnuplot(const char *folder, int pipe_end)
{
    char program[] = "gnuplot", script[] = "plot.gp";
    char *const words[] = {program, script, NULL};
    if (chdir(folder) == 0 && dup2(pipe_end, STDOUT_FILENO) >= 0 &&
        dup2(pipe_end, STDERR_FILENO) >= 0)
        execvp(program, words);
    _exit(NO_PROGRAM);
}

/* Keeps the first words and lets the rest go by, so that the child never waits for us. */
static void read_words(int descriptor, char *words, size_t size)
{
    size_t used = 0;
    char buffer[512];
    for (;;) {
        ssize_t n = read(descriptor, buffer, sizeof buffer);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            break;
        size_t room = size - 1 - used, take = (size_t)n < room ? (size_t)n : room;
        memcpy(words + used, buffer, take);
        used += take;
    }
    while (used > 0 && (unsigned char)words[used - 1] <= ' ')
        used--;
    words[used] = '\0';
}

cardo_status cardo_gnuplot_run(const char *folder, bool *drawn, cardo_error *error)
{
    int ends[2], result;
    char words[600];
    *drawn = false;
    if (pipe(ends) != 0)
        return CARDO_FAIL(error, CARDO_ERROR_FILE, "no pipe to gnuplot (%s)", strerror(errno));
    pid_t child = fork();
    if (child == 0)
        become_gnuplot(folder, ends[1]);
    close(ends[1]);
    if (child > 0)
        read_words(ends[0], words, sizeof words);
    close(ends[0]);
    if (child < 0)
        return CARDO_FAIL(error, CARDO_ERROR_FILE, "gnuplot cannot be started (%s)",
                          strerror(errno));
    while (waitpid(child, &result, 0) < 0 && errno == EINTR)
        ;
    if (WIFEXITED(result) && WEXITSTATUS(result) == NO_PROGRAM)
        return CARDO_OK;
    if (!WIFEXITED(result) || WEXITSTATUS(result) != 0)
        return CARDO_FAIL(error, CARDO_ERROR_FILE, "%s/plot.gp: gnuplot failed: %s", folder, words);
    *drawn = true;
    return CARDO_OK;
}
