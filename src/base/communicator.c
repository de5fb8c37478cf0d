#include "base/communicator.h"

#include "base/memory.h"

#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { LINE = 64 };

typedef enum exchange_kind { EXCHANGE_SHARE = 1, EXCHANGE_AGREE, EXCHANGE_ANY } exchange_kind;

/* What goes ahead of every exchange; after it the error's message where status is a failure, else
 * `bytes` of records. */
typedef struct frame {
    int32_t kind, status;
    uint64_t bytes;
} frame;

struct cardo_communicator {
    const cardo_communicator_kind *kind;
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

cardo_status cardo_communicator_create(const cardo_communicator_kind *kind, void *state, int rank,
                                       int size, int beside, cardo_communicator **out,
                                       cardo_error *error)
{
    *out = NULL;
    if (size < 1 || size > CARDO_MOST_MEMBERS || rank < 0 || rank >= size || beside < 1)
        return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT,
                          "a communicator has 1 to %d members, not %d (rank %d, %d beside)",
                          CARDO_MOST_MEMBERS, size, rank, beside);
    cardo_status status = CARDO_ALLOCATE(out, 1, error);
    if (status == CARDO_OK)
        **out = (cardo_communicator){
            .kind = kind, .state = state, .rank = rank, .size = size, .beside = beside};
    return status;
}

void cardo_communicator_destroy(cardo_communicator *self)
{
    if (!self)
        return;
    if (self->kind->destroy)
        self->kind->destroy(self->state);
    cardo_free(self->packed);
    cardo_free(self);
}

static int owned_count(const cardo_communicator *self, int rank, int count)
{
    return rank < count ? (count - rank - 1) / self->size + 1 : 0;
}

static void pack(const cardo_communicator *self, int rank, const records *all)
{
    char *to = self->packed;
    for (int i = rank; i < all->count; i += self->size, to += all->size)
        memcpy(to, all->bytes + (size_t)i * all->size, all->size);
}

static void unpack(const cardo_communicator *self, int rank, const records *all)
{
    const char *from = self->packed;
    for (int i = rank; i < all->count; i += self->size, from += all->size)
        memcpy(all->bytes + (size_t)i * all->size, from, all->size);
}

static bool put_failure(const cardo_communicator *self, int peer, exchange_kind kind,
                        const cardo_error *failure)
{
    frame head = {.kind = (int32_t)kind, .status = (int32_t)failure->code};
    return self->kind->put(self->state, peer, &head, sizeof head) &&
           self->kind->put(self->state, peer, failure->message, sizeof failure->message);
}

static cardo_status take_failure(const cardo_communicator *self, int peer, int code,
                                 cardo_error *failure)
{
    cardo_error received = {0};
    if (!self->kind->take(self->state, peer, received.message, sizeof received.message))
        return CARDO_FAIL(failure, CARDO_ERROR_LOST, "the first of the processes has ended");
    received.message[sizeof received.message - 1] = '\0';
    return CARDO_FAIL(failure, (cardo_status)code, "%s", received.message);
}

/* Reads what nobody wants, so that the peer does not wait for us. */
static bool skip(const cardo_communicator *self, int peer, uint64_t bytes)
{
    char unwanted[4096];
    bool taken = true;
    while (bytes > 0 && taken) {
        size_t n = bytes < sizeof unwanted ? (size_t)bytes : sizeof unwanted;
        taken = self->kind->take(self->state, peer, unwanted, n);
        bytes -= n;
    }
    return taken;
}

/* Rank 0: what one member has to give goes into its places; its failure into *failure. */
static cardo_status collect(cardo_communicator *self, int peer, exchange_kind kind,
                            const records *all, cardo_error *failure)
{
    frame head;
    char fate[128];
    if (!self->kind->take(self->state, peer, &head, sizeof head))
        goto gone;
    if (head.status != CARDO_OK)
        return take_failure(self, peer, head.status, failure);
    size_t bytes = (size_t)owned_count(self, peer, all->count) * all->size;
    if (head.kind != (int32_t)kind || head.bytes != bytes) {
        skip(self, peer, head.bytes);
        return CARDO_FAIL(failure, CARDO_ERROR_ARGUMENT,
                          "%s %d is at another exchange than the first one", self->kind->one,
                          peer + 1);
    }
    /* Where there was no memory, that is what they will hear of. */
    const bool room = bytes <= (size_t)self->packed_capacity * LINE;
    if (!(room ? self->kind->take(self->state, peer, self->packed, bytes)
               : skip(self, peer, bytes)))
        goto gone;
    if (room)
        unpack(self, peer, all);
    return CARDO_OK;
gone:
    self->kind->describe_end(self->state, peer, fate, sizeof fate);
    return CARDO_FAIL(failure, CARDO_ERROR_LOST, "%s %d of %d %s", self->kind->one, peer + 1,
                      self->size, fate);
}

static cardo_status exchange_first(cardo_communicator *self, exchange_kind kind, const records *all,
                                   cardo_error *failure)
{
    for (int peer = 1; peer < self->size; ++peer) {
        cardo_error theirs = {0};
        if (collect(self, peer, kind, all, &theirs) != CARDO_OK && failure->code == CARDO_OK)
            *failure = theirs;
    }
    size_t bytes = (size_t)all->count * all->size;
    frame head = {.kind = (int32_t)kind, .bytes = bytes};
    for (int peer = 1; peer < self->size; ++peer) {
        /* A member that cannot be reached is missed at the next exchange. */
        if (failure->code != CARDO_OK)
            put_failure(self, peer, kind, failure);
        else if (self->kind->put(self->state, peer, &head, sizeof head))
            self->kind->put(self->state, peer, all->bytes, bytes);
    }
    return failure->code;
}

static cardo_status exchange_other(cardo_communicator *self, exchange_kind kind, const records *all,
                                   cardo_error *failure)
{
    size_t mine = (size_t)owned_count(self, self->rank, all->count) * all->size;
    size_t bytes = (size_t)all->count * all->size;
    bool sent;
    if (failure->code != CARDO_OK) {
        sent = put_failure(self, 0, kind, failure);
    } else {
        frame head = {.kind = (int32_t)kind, .bytes = mine};
        pack(self, self->rank, all);
        sent = self->kind->put(self->state, 0, &head, sizeof head) &&
               self->kind->put(self->state, 0, self->packed, mine);
    }
    frame head;
    if (!sent || !self->kind->take(self->state, 0, &head, sizeof head))
        return CARDO_FAIL(failure, CARDO_ERROR_LOST, "the first of the processes has ended");
    if (head.status != CARDO_OK)
        return take_failure(self, 0, head.status, failure);
    if (head.bytes != bytes || !self->kind->take(self->state, 0, all->bytes, bytes))
        return CARDO_FAIL(failure, CARDO_ERROR_ARGUMENT,
                          "the first of the processes is at another exchange");
    return CARDO_OK;
}

/* status and error: how this member stands. */
static cardo_status exchange(cardo_communicator *self, exchange_kind kind, const records *all,
                             cardo_status status, cardo_error *error)
{
    static const char BROKEN[] = "the processes have parted after an earlier failure";
    cardo_error failure = {0}, memory = {0};
    if (cardo_communicator_size(self) == 1)
        return status;
    if (self->broken)
        return status != CARDO_OK ? status : CARDO_FAIL(error, CARDO_ERROR_LOST, BROKEN);
    if (status != CARDO_OK) {
        failure.code = status;
        snprintf(failure.message, sizeof failure.message, "%s",
                 error && error->code == status ? error->message : cardo_status_text(status));
    } else if (cardo_reserve((void **)&self->packed, &self->packed_capacity,
                             (int)((size_t)owned_count(self, 0, all->count) * all->size / LINE + 1),
                             LINE, &memory) != CARDO_OK) {
        failure = memory;
    }
    status = self->rank == 0 ? exchange_first(self, kind, all, &failure)
                             : exchange_other(self, kind, all, &failure);
    if (status != CARDO_OK) {
        self->broken = true;
        if (error)
            *error = failure;
    }
    return status;
}

cardo_status cardo_communicator_share(cardo_communicator *self, void *bytes, size_t record_size,
                                      int nrecord, cardo_error *error)
{
    const records all = {bytes, record_size, nrecord};
    return exchange(self, EXCHANGE_SHARE, &all, CARDO_OK, error);
}

cardo_status cardo_communicator_agree(cardo_communicator *self, cardo_status status,
                                      cardo_error *error)
{
    const records none = {0};
    return exchange(self, EXCHANGE_AGREE, &none, status, error);
}

cardo_status cardo_communicator_any(cardo_communicator *self, bool *flag, cardo_error *error)
{
    char flags[CARDO_MOST_MEMBERS] = {0};
    const int size = cardo_communicator_size(self);
    const records all = {flags, 1, size};
    flags[cardo_communicator_rank(self)] = *flag;
    cardo_status status = exchange(self, EXCHANGE_ANY, &all, CARDO_OK, error);
    for (int k = 0; status == CARDO_OK && k < size; ++k)
        *flag = *flag || flags[k];
    return status;
}

int cardo_communicator_rank(const cardo_communicator *self)
{
    return self ? self->rank : 0;
}

int cardo_communicator_size(const cardo_communicator *self)
{
    return self ? self->size : 1;
}

bool cardo_communicator_owns(const cardo_communicator *communicator, int i)
{
    return i % cardo_communicator_size(communicator) == cardo_communicator_rank(communicator);
}

int cardo_communicator_cores(const cardo_communicator *self, int nbusy)
{
    const int near = self ? self->beside : 1;
    const int beside = nbusy < near ? nbusy : near;
    const int share = cardo_core_count() / (beside > 1 ? beside : 1);
    return share > 1 ? share : 1;
}

const char *cardo_communicator_describe(const cardo_communicator *self, char text[64])
{
    if (cardo_communicator_size(self) == 1)
        return "1 process";
    snprintf(text, 64, "%d %s", self->size, self->kind->many);
    return text;
}

int cardo_core_count(void)
{
    cpu_set_t cores;
    return sched_getaffinity(0, sizeof cores, &cores) == 0 ? CPU_COUNT(&cores) : 1;
}
