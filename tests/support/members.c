#include "support/members.h"

#include "support/support.h"

#include <pthread.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

/* Sockets by peer; those of itself, and of the others but to the first, are not there. */
typedef struct member {
    int rank, size, socket[SUPPORT_MOST_MEMBERS];
    support_member what;
    void *user;
    cardo_status made;
    cardo_error error;
    pthread_t thread;
} member;

static bool put(void *state, int peer, const void *bytes, size_t size)
{
    const member *m = state;
    for (const char *from = bytes; size > 0;) {
        const ssize_t n = send(m->socket[peer], from, size, MSG_NOSIGNAL);
        if (n <= 0)
            return false;
        from += n;
        size -= (size_t)n;
    }
    return true;
}

static bool take(void *state, int peer, void *bytes, size_t size)
{
    const member *m = state;
    for (char *to = bytes; size > 0;) {
        const ssize_t n = recv(m->socket[peer], to, size, 0);
        if (n <= 0)
            return false;
        to += n;
        size -= (size_t)n;
    }
    return true;
}

static void describe_end(void *state, int peer, char *text, size_t size)
{
    (void)state;
    (void)peer;
    snprintf(text, size, "has gone home");
}

static void hang_up(void *state)
{
    const member *m = state;
    for (int k = 0; k < m->size; ++k)
        if (m->socket[k] >= 0)
            shutdown(m->socket[k], SHUT_RDWR);
}

const cardo_communicator_kind support_threads = {
    .one = "thread",
    .many = "threads",
    .put = put,
    .take = take,
    .describe_end = describe_end,
    .destroy = hang_up,
};

static void *live(void *arg)
{
    member *m = arg;
    cardo_communicator *communicator;
    m->made = cardo_communicator_create(&support_threads, m, m->rank, m->size, m->size,
                                        &communicator, &m->error);
    if (m->made == CARDO_OK)
        m->what(communicator, m->user);
    cardo_communicator_destroy(communicator);
    return NULL;
}

void support_members(int size, support_member what, void *const *user)
{
    member members[SUPPORT_MOST_MEMBERS];
    assert_in_range(size, 1, SUPPORT_MOST_MEMBERS);
    for (int k = 0; k < size; ++k) {
        members[k] = (member){.rank = k, .size = size, .what = what, .user = user[k]};
        for (int i = 0; i < size; ++i)
            members[k].socket[i] = -1;
    }
    for (int k = 1; k < size; ++k) {
        int pair[2];
        assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
        members[0].socket[k] = pair[0];
        members[k].socket[0] = pair[1];
    }
    for (int k = 0; k < size; ++k)
        assert_int_equal(pthread_create(&members[k].thread, NULL, live, &members[k]), 0);
    for (int k = 0; k < size; ++k)
        pthread_join(members[k].thread, NULL);
    for (int k = 0; k < size; ++k) {
        assert_ok(members[k].made, &members[k].error);
        for (int i = 0; i < size; ++i)
            if (members[k].socket[i] >= 0)
                close(members[k].socket[i]);
    }
}
