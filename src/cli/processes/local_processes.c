#include "cli/processes/parallel_kind.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* Rank 0 has a socket to each of the others, they have one to it. */
typedef struct processes {
    int rank, size;
    int *socket;  /* by peer; -1: none                           (size) */
    pid_t *child; /* in rank 0; 0: none, or its end is known     (size) */
    int *ending;  /* what waitpid said                           (size) */
} processes;

static void release(processes *self)
{
    if (!self)
        return;
    for (int k = 0; self->socket && k < self->size; ++k)
        if (self->socket[k] >= 0)
            close(self->socket[k]);
    free(self->socket);
    free(self->child);
    free(self->ending);
    free(self);
}

void cardo_silence_output(void)
{
    int nowhere = open("/dev/null", O_WRONLY);
    fflush(stdout);
    if (nowhere >= 0) {
        dup2(nowhere, fileno(stdout));
        close(nowhere);
    }
}

static void wait_for(processes *self, int peer)
{
    if (self->child[peer] == 0)
        return;
    while (waitpid(self->child[peer], &self->ending[peer], 0) < 0 && errno == EINTR)
        continue;
    self->child[peer] = 0;
}

/* In a child just forked: of the sockets only the one to rank 0 stays, and standard output leads
 * nowhere. */
static void settle(processes *self, int rank, int to_first)
{
    for (int k = 0; k < self->size; ++k) {
        if (self->socket[k] >= 0)
            close(self->socket[k]);
        self->socket[k] = -1;
        self->child[k] = 0;
    }
    self->rank = rank;
    self->socket[0] = to_first;
    cardo_silence_output();
}

static cardo_status fork_one(processes *self, int rank, bool *is_child, cardo_error *error)
{
    int pair[2];
    *is_child = false;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
        return CARDO_FAIL(error, CARDO_ERROR_MEMORY, "no socket for process %d: %s", rank + 1,
                          strerror(errno));
    pid_t child = fork();
    if (child < 0) {
        int reason = errno;
        close(pair[0]);
        close(pair[1]);
        return CARDO_FAIL(error, CARDO_ERROR_MEMORY,
                          "process %d of %d cannot be started: %s; ask for fewer", rank + 1,
                          self->size, strerror(reason));
    }
    if (child == 0) {
        *is_child = true;
        close(pair[0]);
        settle(self, rank, pair[1]);
        return CARDO_OK;
    }
    close(pair[1]);
    self->socket[rank] = pair[0];
    self->child[rank] = child;
    return CARDO_OK;
}

static bool put(void *state, int peer, const void *bytes, size_t size)
{
    const processes *self = state;
    const char *from = bytes;
    while (size > 0) {
        ssize_t n = send(self->socket[peer], from, size, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        from += n;
        size -= (size_t)n;
    }
    return true;
}

static bool take(void *state, int peer, void *bytes, size_t size)
{
    const processes *self = state;
    char *to = bytes;
    while (size > 0) {
        ssize_t n = recv(self->socket[peer], to, size, 0);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        to += n;
        size -= (size_t)n;
    }
    return true;
}

static void describe_end(void *state, int peer, char *text, size_t size)
{
    processes *self = state;
    wait_for(self, peer);
    int ending = self->ending[peer];
    if (WIFSIGNALED(ending))
        snprintf(text, size, "was killed by signal %d (%s)", WTERMSIG(ending),
                 strsignal(WTERMSIG(ending)));
    else
        snprintf(text, size, "ended with status %d", WEXITSTATUS(ending));
}

static const cardo_communicator_kind local_processes = {
    .one = "process",
    .many = "processes",
    .put = put,
    .take = take,
    .describe_end = describe_end,
};

static cardo_status make_room(int nprocess, processes **out, cardo_error *error)
{
    processes *self = *out = calloc(1, sizeof *self);
    const size_t n = (size_t)nprocess;
    if (self) {
        self->size = nprocess;
        self->socket = calloc(n, sizeof *self->socket);
        self->child = calloc(n, sizeof *self->child);
        self->ending = calloc(n, sizeof *self->ending);
    }
    if (!self || !self->socket || !self->child || !self->ending)
        return CARDO_FAIL(error, CARDO_ERROR_MEMORY, "no memory for %d processes", nprocess);
    for (int k = 0; k < nprocess; ++k)
        self->socket[k] = -1;
    return CARDO_OK;
}

static cardo_status open_processes(int nprocess, void **state, cardo_communicator **communicator,
                                   cardo_error *error)
{
    cardo_status status;
    processes *self = NULL;
    bool is_child = false;
    *communicator = NULL;
    CARDO_TRY(make_room(nprocess, &self, error));
    /* What is still in buffers would be written once by every process. */
    fflush(NULL);
    for (int k = 1; k < nprocess && !is_child; ++k)
        CARDO_TRY(fork_one(self, k, &is_child, error));
    *state = self;
    status = cardo_communicator_create(&local_processes, self, self->rank, self->size, self->size,
                                       communicator, error);
    if (status == CARDO_OK)
        return CARDO_OK;
done:
    if (is_child)
        _exit(1);
    /* Children already there find their socket closed and end. */
    release(self);
    return status;
}

static cardo_status close_processes(void *state, cardo_error *error)
{
    processes *self = state;
    cardo_status status = CARDO_OK;
    if (self->rank > 0) {
        release(self);
        fflush(NULL);
        _exit(0);
    }
    for (int k = 1; k < self->size; ++k) {
        wait_for(self, k);
        if (status == CARDO_OK && self->ending[k] != 0) {
            char fate[128];
            describe_end(self, k, fate, sizeof fate);
            status =
                CARDO_FAIL(error, CARDO_ERROR_LOST, "process %d of %d %s", k + 1, self->size, fate);
        }
    }
    release(self);
    return status;
}

const cardo_parallel_kind cardo_local_processes = {
    .open = open_processes,
    .close = close_processes,
};
