#include "base/team_link.h"

#include <stdlib.h>

/* Of the step that srun started, 0 where it did not. */
static int slurm_tasks(void)
{
    const char *tasks = getenv("SLURM_STEP_NUM_TASKS");
    return tasks ? atoi(tasks) : 0;
}

/* Open MPI, MPICH with its relatives, and Slurm's launchers say in the environment how many there are. */
int cardo_team_mpi_launched(void)
{
    static const char *const names[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MPI_LOCALNRANKS"};
    for (int k = 0; k < (int)(sizeof names / sizeof *names); ++k) {
        const char *text = getenv(names[k]);
        if (text && atoi(text) > 0)
            return atoi(text);
    }
    /* PMIx tells a process its rank alone; Slurm the number of tasks of the step. */
    return getenv("PMIX_RANK") ? slurm_tasks() : 0;
}

int cardo_team_strangers(void)
{
    return cardo_team_mpi_launched() == 0 && slurm_tasks() > 1 ? slurm_tasks() : 0;
}

#ifdef CARDO_HAVE_MPI

#include <fcntl.h>
#include <mpi.h>
#include <sched.h>
#include <stdio.h>
#include <unistd.h>

enum { TAG = 1, LARGEST_MESSAGE = 1 << 30 };

/* Launchers bind ranks to cores, to sockets or not at all: those of one machine whose first core is the
 * same have the same cores. */
static int ranks_beside(void)
{
    MPI_Comm machine, cores;
    cpu_set_t mine;
    int first = 0, n = 1;
    if (sched_getaffinity(0, sizeof mine, &mine) == 0)
        while (first < CPU_SETSIZE - 1 && !CPU_ISSET(first, &mine))
            ++first;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
    MPI_Comm_split(machine, first, 0, &cores);
    MPI_Comm_size(cores, &n);
    MPI_Comm_free(&cores);
    MPI_Comm_free(&machine);
    return n;
}

static cardo_status open_ranks(int nprocess, void **state, int *rank, int *size, int *beside,
                               cardo_error *error)
{
    (void)nprocess;
    *state = NULL;
    if (MPI_Init(NULL, NULL) != MPI_SUCCESS)
        return CARDO_FAIL(error, CARDO_ERROR_UNSUPPORTED, "MPI cannot be started here");
    MPI_Comm_rank(MPI_COMM_WORLD, rank);
    MPI_Comm_size(MPI_COMM_WORLD, size);
    if (*size != cardo_team_mpi_launched())
        return CARDO_FAIL(
            error, CARDO_ERROR_UNSUPPORTED,
            "the launcher has started this program %d times, but MPI sees %d of them: "
            "use the launcher of the MPI that Cardo was built with, or with srun "
            "another --mpi=KIND (srun --mpi=list)",
            cardo_team_mpi_launched(), *size);
    *beside = ranks_beside();
    if (*rank > 0) {
        int nowhere = open("/dev/null", O_WRONLY);
        fflush(stdout);
        if (nowhere >= 0) {
            dup2(nowhere, STDOUT_FILENO);
            close(nowhere);
        }
    }
    return CARDO_OK;
}

/* A rank that is gone ends all of them: MPI's own way, so these do not fail. */
static bool put(void *state, int peer, const void *bytes, size_t size)
{
    (void)state;
    for (const char *from = bytes; size > 0;) {
        int n = size > LARGEST_MESSAGE ? LARGEST_MESSAGE : (int)size;
        if (MPI_Send(from, n, MPI_BYTE, peer, TAG, MPI_COMM_WORLD) != MPI_SUCCESS)
            return false;
        from += n;
        size -= (size_t)n;
    }
    return true;
}

static bool take(void *state, int peer, void *bytes, size_t size)
{
    (void)state;
    for (char *to = bytes; size > 0;) {
        int n = size > LARGEST_MESSAGE ? LARGEST_MESSAGE : (int)size;
        if (MPI_Recv(to, n, MPI_BYTE, peer, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE) != MPI_SUCCESS)
            return false;
        to += n;
        size -= (size_t)n;
    }
    return true;
}

static void obituary(void *state, int peer, char *text, size_t size)
{
    (void)state;
    (void)peer;
    snprintf(text, size, "cannot be reached");
}

static cardo_status close_ranks(void *state, bool broken, cardo_error *error)
{
    int rank;
    (void)state;
    (void)broken;
    (void)error;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Finalize();
    if (rank > 0) {
        fflush(NULL);
        _exit(0);
    }
    return CARDO_OK;
}

static const cardo_team_link ranks = {
    .one = "MPI rank",
    .many = "MPI ranks",
    .open = open_ranks,
    .put = put,
    .take = take,
    .obituary = obituary,
    .close = close_ranks,
};
const cardo_team_link *const cardo_team_mpi = &ranks;

#else

const cardo_team_link *const cardo_team_mpi = NULL;

#endif
