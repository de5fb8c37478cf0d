#include "base/team.h"

#include "base/memory.h"
#include "base/team_link.h"

#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { MOST_MEMBERS = 1024, LINE = 64 };

typedef enum exchange_kind {
    EXCHANGE_SHARE = 1,
    EXCHANGE_AGREE,
    EXCHANGE_ANY,
    EXCHANGE_END
} exchange_kind;

/* What goes ahead of every exchange; after it the error's message where status is a failure, else
 * `bytes` of records. */
typedef struct frame {
    int32_t kind, status;
    uint64_t bytes;
} frame;

struct cardo_team {
    const cardo_team_link *link; /* NULL: a team of one */
    void *state;
    int rank, size;
    int beside; /* members that may run on the same cores */
    bool broken;
    char *packed;        /* one member's records in a row */
    int packed_capacity; /* in lines of LINE bytes        */
};

typedef struct records {
    char *bytes;
    size_t size; /* of a record */
    int count;
} records;

static int owned_count(const cardo_team *team, int rank, int count)
{
    return rank < count ? (count - rank - 1) / team->size + 1 : 0;
}

static void pack(const cardo_team *team, int rank, const records *all)
{
    char *to = team->packed;
    for (int i = rank; i < all->count; i += team->size, to += all->size)
        memcpy(to, all->bytes + (size_t)i * all->size, all->size);
}

static void unpack(const cardo_team *team, int rank, const records *all)
{
    const char *from = team->packed;
    for (int i = rank; i < all->count; i += team->size, from += all->size)
        memcpy(all->bytes + (size_t)i * all->size, from, all->size);
}

static bool put_failure(const cardo_team *team, int peer, exchange_kind kind,
                        const cardo_error *failure)
{
    frame head = {.kind = (int32_t)kind, .status = (int32_t)failure->code};
    return team->link->put(team->state, peer, &head, sizeof head) &&
           team->link->put(team->state, peer, failure->message, sizeof failure->message);
}

static cardo_status take_failure(const cardo_team *team, int peer, int code, cardo_error *failure)
{
    cardo_error received = {0};
    if (!team->link->take(team->state, peer, received.message, sizeof received.message))
        return CARDO_FAIL(failure, CARDO_ERROR_LOST, "the first process of the team has ended");
    received.message[sizeof received.message - 1] = '\0';
    return CARDO_FAIL(failure, (cardo_status)code, "%s", received.message);
}

/* Rank 0: what one member has to give goes into its places; its failure into *failure. */
static cardo_status collect(cardo_team *team, int peer, exchange_kind kind, const records *all,
                            cardo_error *failure)
{
    frame head;
    char fate[128];
    if (!team->link->take(team->state, peer, &head, sizeof head))
        goto gone;
    if (head.status != CARDO_OK)
        return take_failure(team, peer, head.status, failure);
    size_t bytes = (size_t)owned_count(team, peer, all->count) * all->size;
    if (head.kind != (int32_t)kind || head.bytes != bytes)
        return CARDO_FAIL(failure, CARDO_ERROR_ARGUMENT,
                          "%s %d of the team is at another exchange than the first one",
                          team->link->one, peer + 1);
    if (!team->link->take(team->state, peer, team->packed, bytes))
        goto gone;
    unpack(team, peer, all);
    return CARDO_OK;
gone:
    team->link->obituary(team->state, peer, fate, sizeof fate);
    return CARDO_FAIL(failure, CARDO_ERROR_LOST, "%s %d of %d %s", team->link->one, peer + 1,
                      team->size, fate);
}

static cardo_status exchange_first(cardo_team *team, exchange_kind kind, const records *all,
                                   cardo_error *failure)
{
    for (int peer = 1; peer < team->size; ++peer) {
        cardo_error theirs = {0};
        if (collect(team, peer, kind, all, &theirs) != CARDO_OK && failure->code == CARDO_OK)
            *failure = theirs;
    }
    size_t bytes = (size_t)all->count * all->size;
    frame head = {.kind = (int32_t)kind, .bytes = bytes};
    for (int peer = 1; peer < team->size; ++peer) {
        /* A member that cannot be reached is missed at the next exchange. */
        if (failure->code != CARDO_OK)
            put_failure(team, peer, kind, failure);
        else if (team->link->put(team->state, peer, &head, sizeof head))
            team->link->put(team->state, peer, all->bytes, bytes);
    }
    return failure->code;
}

static cardo_status exchange_other(cardo_team *team, exchange_kind kind, const records *all,
                                   cardo_error *failure)
{
    size_t mine = (size_t)owned_count(team, team->rank, all->count) * all->size;
    size_t bytes = (size_t)all->count * all->size;
    bool sent;
    if (failure->code != CARDO_OK) {
        sent = put_failure(team, 0, kind, failure);
    } else {
        frame head = {.kind = (int32_t)kind, .bytes = mine};
        pack(team, team->rank, all);
        sent = team->link->put(team->state, 0, &head, sizeof head) &&
               team->link->put(team->state, 0, team->packed, mine);
    }
    frame head;
    if (!sent || !team->link->take(team->state, 0, &head, sizeof head))
        return CARDO_FAIL(failure, CARDO_ERROR_LOST, "the first process of the team has ended");
    if (head.status != CARDO_OK)
        return take_failure(team, 0, head.status, failure);
    if (head.bytes != bytes || !team->link->take(team->state, 0, all->bytes, bytes))
        return CARDO_FAIL(failure, CARDO_ERROR_ARGUMENT,
                          "the first process of the team is at another exchange");
    return CARDO_OK;
}

/* status and error: how this member stands. */
static cardo_status exchange(cardo_team *team, exchange_kind kind, const records *all,
                             cardo_status status, cardo_error *error)
{
    static const char BROKEN[] = "an earlier failure has broken up the team";
    cardo_error failure = {0}, memory = {0};
    if (!team->link)
        return status;
    if (team->broken)
        return status != CARDO_OK ? status : CARDO_FAIL(error, CARDO_ERROR_LOST, BROKEN);
    if (status != CARDO_OK) {
        failure.code = status;
        snprintf(failure.message, sizeof failure.message, "%s",
                 error && error->code == status ? error->message : cardo_status_text(status));
    } else if (cardo_reserve((void **)&team->packed, &team->packed_capacity,
                             (int)((size_t)owned_count(team, 0, all->count) * all->size / LINE + 1),
                             LINE, &memory) != CARDO_OK) {
        failure = memory;
    }
    status = team->rank == 0 ? exchange_first(team, kind, all, &failure)
                             : exchange_other(team, kind, all, &failure);
    if (status != CARDO_OK) {
        team->broken = true;
        if (error)
            *error = failure;
    }
    return status;
}

cardo_status cardo_team_share(cardo_team *team, void *bytes, size_t record_size, int nrecord,
                              cardo_error *error)
{
    const records all = {bytes, record_size, nrecord};
    return exchange(team, EXCHANGE_SHARE, &all, CARDO_OK, error);
}

cardo_status cardo_team_agree(cardo_team *team, cardo_status status, cardo_error *error)
{
    const records none = {0};
    return exchange(team, EXCHANGE_AGREE, &none, status, error);
}

cardo_status cardo_team_any(cardo_team *team, bool *flag, cardo_error *error)
{
    char flags[MOST_MEMBERS] = {0};
    const records all = {flags, 1, team->size};
    flags[team->rank] = *flag;
    cardo_status status = exchange(team, EXCHANGE_ANY, &all, CARDO_OK, error);
    for (int k = 0; status == CARDO_OK && k < team->size; ++k)
        *flag = *flag || flags[k];
    return status;
}

int cardo_team_rank(const cardo_team *team)
{
    return team->rank;
}

int cardo_team_size(const cardo_team *team)
{
    return team->size;
}

int cardo_team_cores(const cardo_team *team, int nbusy)
{
    const int beside = nbusy < team->beside ? nbusy : team->beside;
    const int share = cardo_core_count() / (beside > 1 ? beside : 1);
    return share > 1 ? share : 1;
}

const char *cardo_team_describe(const cardo_team *team, char text[64])
{
    if (team->size == 1)
        return "1 process";
    snprintf(text, 64, "%d %s", team->size, team->link->many);
    return text;
}

int cardo_core_count(void)
{
    cpu_set_t cores;
    return sched_getaffinity(0, sizeof cores, &cores) == 0 ? CPU_COUNT(&cores) : 1;
}

cardo_status cardo_team_run(int nprocess, cardo_team_work work, void *arg, cardo_error *error)
{
    cardo_team team = {.size = 1, .beside = 1};
    int launched = cardo_team_mpi_launched();
    if (nprocess < 0 || nprocess > MOST_MEMBERS)
        return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT, "a team has 1 to %d members, not %d",
                          MOST_MEMBERS, nprocess);
    if (launched > 1 && !cardo_team_mpi)
        return CARDO_FAIL(error, CARDO_ERROR_UNSUPPORTED,
                          "a launcher has started this program %d times, but it was built without "
                          "MPI: install libopenmpi-dev and build anew, or start it once",
                          launched);
    if (cardo_team_strangers() > 0)
        return CARDO_FAIL(error, CARDO_ERROR_UNSUPPORTED,
                          "srun has started this program %d times, but none knows of the others: "
                          "say srun --mpi=pmix (srun --mpi=list shows what there is), or -n 1",
                          cardo_team_strangers());
    if (launched > MOST_MEMBERS)
        return CARDO_FAIL(error, CARDO_ERROR_USAGE, "at most %d MPI ranks, not %d", MOST_MEMBERS,
                          launched);
    if (nprocess == 0)
        nprocess = cardo_core_count();
    if (launched > 1)
        team.link = cardo_team_mpi;
    else if (nprocess > 1)
        team.link = &cardo_team_processes;
    if (!team.link)
        return work(&team, arg, error);

    cardo_error own = {0}, closing = {0};
    cardo_status status =
        team.link->open(nprocess, &team.state, &team.rank, &team.size, &team.beside, error);
    if (status != CARDO_OK)
        return status;
    status = work(&team, arg, &own);
    const records none = {0};
    status = exchange(&team, EXCHANGE_END, &none, status, &own);
    cardo_free(team.packed);
    cardo_status closed = team.link->close(team.state, team.broken, &closing);
    if (status == CARDO_OK && closed != CARDO_OK) {
        status = closed;
        own = closing;
    }
    if (status != CARDO_OK && error)
        *error = own;
    return status;
}
