#include "base/team_link.h"

#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
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

static void release(processes *team)
{
    if (!team)
        return;
    for (int k = 0; team->socket && k < team->size; ++k)
        if (team->socket[k] >= 0)
            close(team->socket[k]);
    cardo_free(team->socket);
    cardo_free(team->child);
    cardo_free(team->ending);
    cardo_free(team);
}

static void wait_for(processes *team, int peer)
{
    if (team->child[peer] == 0)
        return;
    while (waitpid(team->child[peer], &team->ending[peer], 0) < 0 && errno == EINTR)
        continue;
    team->child[peer] = 0;
}

/* In a child just forked: of the sockets only the one to rank 0 stays, and standard output leads
 * nowhere. */
static void settle(processes *team, int rank, int to_first)
{
    for (int k = 0; k < team->size; ++k) {
        if (team->socket[k] >= 0)
            close(team->socket[k]);
        team->socket[k] = -1;
        team->child[k] = 0;
    }
    team->rank = rank;
    team->socket[0] = to_first;
    int nowhere = open("/dev/null", O_WRONLY);
    if (nowhere >= 0) {
        dup2(nowhere, STDOUT_FILENO);
        close(nowhere);
    }
}

static cardo_status fork_one(processes *team, int rank, bool *is_child, cardo_error *error)
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
                          team->size, strerror(reason));
    }
    if (child == 0) {
        *is_child = true;
        close(pair[0]);
        settle(team, rank, pair[1]);
        return CARDO_OK;
    }
    close(pair[1]);
    team->socket[rank] = pair[0];
    team->child[rank] = child;
    return CARDO_OK;
}

static cardo_status open_processes(int nprocess, void **state, int *rank, int *size, int *beside,
                                   cardo_error *error)
{
    cardo_status status;
    processes *team = NULL;
    bool is_child = false;
    CARDO_TRY(CARDO_ALLOCATE(&team, 1, error));
    team->size = nprocess;
    CARDO_TRY(CARDO_ALLOCATE(&team->socket, nprocess, error));
    for (int k = 0; k < nprocess; ++k)
        team->socket[k] = -1;
    CARDO_TRY(CARDO_ALLOCATE(&team->child, nprocess, error));
    CARDO_TRY(CARDO_ALLOCATE(&team->ending, nprocess, error));
    /* What is still in buffers would be written once by every process. */
    fflush(NULL);
    for (int k = 1; k < nprocess && !is_child; ++k)
        CARDO_TRY(fork_one(team, k, &is_child, error));
    *state = team;
    *rank = team->rank;
    *size = *beside = team->size;
    return CARDO_OK;
done:
    /* Children already there find their socket closed and end. */
    release(team);
    return status;
}

static bool put(void *state, int peer, const void *bytes, size_t size)
{
    const processes *team = state;
    const char *from = bytes;
    while (size > 0) {
        ssize_t n = send(team->socket[peer], from, size, MSG_NOSIGNAL);
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
    const processes *team = state;
    char *to = bytes;
    while (size > 0) {
        ssize_t n = recv(team->socket[peer], to, size, 0);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        to += n;
        size -= (size_t)n;
    }
    return true;
}

static void obituary(void *state, int peer, char *text, size_t size)
{
    processes *team = state;
    wait_for(team, peer);
    int ending = team->ending[peer];
    if (WIFSIGNALED(ending))
        snprintf(text, size, "was killed by signal %d (%s)", WTERMSIG(ending),
                 strsignal(WTERMSIG(ending)));
    else
        snprintf(text, size, "ended with status %d", WEXITSTATUS(ending));
}

static cardo_status close_processes(void *state, bool broken, cardo_error *error)
{
    processes *team = state;
    cardo_status status = CARDO_OK;
    if (team->rank > 0) {
        release(team);
        fflush(NULL);
        _exit(0);
    }
    for (int k = 1; k < team->size; ++k) {
        wait_for(team, k);
        if (!broken && status == CARDO_OK && team->ending[k] != 0) {
            char fate[128];
            obituary(team, k, fate, sizeof fate);
            status =
                CARDO_FAIL(error, CARDO_ERROR_LOST, "process %d of %d %s", k + 1, team->size, fate);
        }
    }
    release(team);
    return status;
}

const cardo_team_link cardo_team_processes = {
    .one = "process",
    .many = "processes",
    .open = open_processes,
    .put = put,
    .take = take,
    .obituary = obituary,
    .close = close_processes,
};
