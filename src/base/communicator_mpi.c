#include "base/communicator_mpi.h"

#include "base/memory.h"

#include <sched.h>
#include <stdio.h>

enum { TAG = 1, LARGEST_MESSAGE = 1 << 30 };

typedef struct ranks {
    MPI_Comm comm; /* our own duplicate */
} ranks;

/* Launchers bind ranks to cores, to sockets or not at all: those of one machine whose first core is the
 * same have the same cores. */
static int ranks_beside(MPI_Comm comm)
{
    MPI_Comm machine, cores;
    cpu_set_t mine;
    int first = 0, n = 1;
    if (sched_getaffinity(0, sizeof mine, &mine) == 0)
        while (first < CPU_SETSIZE - 1 && !CPU_ISSET(first, &mine))
            ++first;
    MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
    MPI_Comm_split(machine, first, 0, &cores);
    MPI_Comm_size(cores, &n);
    MPI_Comm_free(&cores);
    MPI_Comm_free(&machine);
    return n;
}

static bool put(void *state, int peer, const void *bytes, size_t size)
{
    const ranks *self = state;
    for (const char *from = bytes; size > 0;) {
        int n = size > LARGEST_MESSAGE ? LARGEST_MESSAGE : (int)size;
        if (MPI_Send(from, n, MPI_BYTE, peer, TAG, self->comm) != MPI_SUCCESS)
            return false;
        from += n;
        size -= (size_t)n;
    }
    return true;
}

static bool take(void *state, int peer, void *bytes, size_t size)
{
    const ranks *self = state;
    for (char *to = bytes; size > 0;) {
        int n = size > LARGEST_MESSAGE ? LARGEST_MESSAGE : (int)size;
        if (MPI_Recv(to, n, MPI_BYTE, peer, TAG, self->comm, MPI_STATUS_IGNORE) != MPI_SUCCESS)
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
    snprintf(text, size, "cannot be reached");
}

static void destroy(void *state)
{
    ranks *self = state;
    int finalized = 0;
    MPI_Finalized(&finalized);
    if (!finalized)
        MPI_Comm_free(&self->comm);
    cardo_free(self);
}

static const cardo_communicator_kind mpi_ranks = {
    .one = "MPI rank",
    .many = "MPI ranks",
    .put = put,
    .take = take,
    .describe_end = describe_end,
    .destroy = destroy,
};

/* What can be known of comm before the first call that all of its ranks make together. */
static cardo_status check(MPI_Comm comm, cardo_error *error)
{
    int initialized = 0, finalized = 0, between_groups = 0;
    MPI_Initialized(&initialized);
    MPI_Finalized(&finalized);
    if (!initialized || finalized)
        return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT,
                          "a communicator of MPI is made between MPI_Init and MPI_Finalize");
    if (comm == MPI_COMM_NULL)
        return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT,
                          "MPI_COMM_NULL: this rank is in no communicator");
    MPI_Comm_test_inter(comm, &between_groups);
    if (between_groups)
        return CARDO_FAIL(
            error, CARDO_ERROR_ARGUMENT,
            "an intercommunicator of MPI: MPI_Intercomm_merge makes one group of two");
    return CARDO_OK;
}

cardo_status cardo_communicator_from_mpi(MPI_Comm comm, cardo_communicator **out,
                                         cardo_error *error)
{
    int rank, size;
    ranks *self = NULL;
    *out = NULL;
    cardo_status status = check(comm, error);
    if (status != CARDO_OK)
        return status;
    CARDO_TRY(CARDO_ALLOCATE(&self, 1, error));
    if (MPI_Comm_dup(comm, &self->comm) != MPI_SUCCESS) {
        cardo_free(self);
        return CARDO_FAIL(error, CARDO_ERROR_LOST, "MPI cannot duplicate its communicator");
    }
    MPI_Comm_set_errhandler(self->comm, MPI_ERRORS_RETURN);
    MPI_Comm_rank(self->comm, &rank);
    MPI_Comm_size(self->comm, &size);
    status = cardo_communicator_create(&mpi_ranks, self, rank, size, ranks_beside(self->comm), out,
                                       error);
    if (status != CARDO_OK)
        destroy(self);
done:
    return status;
}
