/* The program as several processes that do one study together: the ranks of an MPI launcher (mpirun, srun)
 * where it was started by one, else processes forked on this machine. */
#ifndef CARDO_CLI_PROCESSES_PARALLEL_H
#define CARDO_CLI_PROCESSES_PARALLEL_H

#include <cardo/communicator.h>

/* What every member does. A failure need not be agreed upon: the others learn of it at their next
 * exchange. */
typedef cardo_status (*cardo_parallel_work)(cardo_communicator *communicator, void *arg,
                                            cardo_error *error);

/* Calls work in every member and returns in the first (rank 0) alone, with the status of work: that of
 * the lowest rank that failed. The others end inside, without returning. nprocess: members, 1 to
 * CARDO_MOST_MEMBERS, or 0 for one a core; under an MPI launcher the number of its ranks counts instead.
 * A single one gets NULL as communicator. Call it before any thread is started. Only rank 0 has a
 * standard output, that of the others leads nowhere. A member that was killed is CARDO_ERROR_LOST; a
 * launcher that this build cannot speak to is CARDO_ERROR_UNSUPPORTED. */
cardo_status cardo_parallel_run(int nprocess, cardo_parallel_work work, void *arg,
                                cardo_error *error);

#endif
