#include "cli/processes/parallel_kind.h"

#ifdef CARDO_HAVE_MPI

#include <cardo/mpi.h>

#include <stdio.h>
#include <unistd.h>

static cardo_status open_ranks(int nprocess, void **state, cardo_communicator **communicator,
                               cardo_error *error)
{
    int rank, size;
    *state = NULL;
    *communicator = NULL;
    if (MPI_Init(NULL, NULL) != MPI_SUCCESS)
        return CARDO_FAIL(error, CARDO_ERROR_UNSUPPORTED, "MPI cannot be started here");
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size != nprocess)
        return CARDO_FAIL(
            error, CARDO_ERROR_UNSUPPORTED,
            "the launcher has started this program %d times, but MPI sees %d of them: "
            "use the launcher of the MPI that Cardo was built with, or with srun "
            "another --mpi=KIND (srun --mpi=list)",
            nprocess, size);
    if (rank > 0)
        cardo_silence_output();
    return cardo_communicator_from_mpi(MPI_COMM_WORLD, communicator, error);
}

static cardo_status close_ranks(void *state, cardo_error *error)
{
    int rank;
    (void)state;
    (void)error;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Finalize();
    if (rank > 0) {
        fflush(NULL);
        _exit(0);
    }
    return CARDO_OK;
}

static const cardo_parallel_kind ranks = {.open = open_ranks, .close = close_ranks};
const cardo_parallel_kind *const cardo_mpi_ranks = &ranks;

#else

const cardo_parallel_kind *const cardo_mpi_ranks = NULL;

#endif
