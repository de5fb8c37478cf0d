#include "cli/processes/parallel.h"

#include "cli/processes/parallel_kind.h"

#include <stdlib.h>

/* Of the step that srun started, 0 where it did not. */
static int slurm_tasks(void)
{
    const char *tasks = getenv("SLURM_STEP_NUM_TASKS");
    return tasks ? atoi(tasks) : 0;
}

/* Members that an MPI launcher started this program as; 0 without one. Open MPI, MPICH with its relatives,
 * and Slurm's launchers say in the environment how many there are. */
static int launched_ranks(void)
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

/* nprocess: as asked for; launched: by an MPI launcher. */
static cardo_status check(int nprocess, int launched, cardo_error *error)
{
    if (nprocess < 0 || nprocess > CARDO_MOST_MEMBERS)
        return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT,
                          "1 to %d processes can share the work, not %d", CARDO_MOST_MEMBERS,
                          nprocess);
    if (launched > 1 && !cardo_mpi_ranks)
        return CARDO_FAIL(error, CARDO_ERROR_UNSUPPORTED,
                          "a launcher has started this program %d times, but it was built without "
                          "MPI: install libopenmpi-dev and build anew, or start it once",
                          launched);
    if (launched == 0 && slurm_tasks() > 1)
        return CARDO_FAIL(error, CARDO_ERROR_UNSUPPORTED,
                          "srun has started this program %d times, but none knows of the others: "
                          "use srun --mpi=pmix (srun --mpi=list shows what there is), or -n 1",
                          slurm_tasks());
    if (launched > CARDO_MOST_MEMBERS)
        return CARDO_FAIL(error, CARDO_ERROR_USAGE, "at most %d MPI ranks, not %d",
                          CARDO_MOST_MEMBERS, launched);
    return CARDO_OK;
}

static cardo_status run_members(const cardo_parallel_kind *kind, int nprocess,
                                cardo_parallel_work work, void *arg, cardo_error *error)
{
    void *state;
    cardo_communicator *communicator;
    cardo_error own = {0}, closing = {0};
    cardo_status status = kind->open(nprocess, &state, &communicator, error);
    if (status != CARDO_OK)
        return status;
    status = work(communicator, arg, &own);
    status = cardo_communicator_agree(communicator, status, &own);
    cardo_communicator_destroy(communicator);
    cardo_status closed = kind->close(state, &closing);
    if (status == CARDO_OK && closed != CARDO_OK) {
        status = closed;
        own = closing;
    }
    if (status != CARDO_OK && error)
        *error = own;
    return status;
}

cardo_status cardo_parallel_run(int nprocess, cardo_parallel_work work, void *arg,
                                cardo_error *error)
{
    const int launched = launched_ranks();
    cardo_status status = check(nprocess, launched, error);
    if (status != CARDO_OK)
        return status;
    if (launched > 1)
        return run_members(cardo_mpi_ranks, launched, work, arg, error);
    if (nprocess == 0)
        nprocess = cardo_core_count();
    if (nprocess > 1)
        return run_members(&cardo_local_processes, nprocess, work, arg, error);
    return work(NULL, arg, error);
}
