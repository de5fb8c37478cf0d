/* How the program comes to have several members: a kind of it. */
#ifndef CARDO_CLI_PROCESSES_PARALLEL_KIND_H
#define CARDO_CLI_PROCESSES_PARALLEL_KIND_H

#include <cardo/communicator.h>

typedef struct cardo_parallel_kind {
    /* Makes nprocess members; every member returns from here with its own end of the communicator.
     * *state is the kind's own memory and outlives the communicator. */
    cardo_status (*open)(int nprocess, void **state, cardo_communicator **communicator,
                         cardo_error *error);
    /* The last call, after the communicator was destroyed. In rank 0 it waits for the others and tells
     * of one that ended badly; in the others it does not return. */
    cardo_status (*close)(void *state, cardo_error *error);
} cardo_parallel_kind;

/* Standard output leads nowhere from here on: in members other than the first. */
void cardo_silence_output(void);

extern const cardo_parallel_kind cardo_local_processes;
/* NULL where Cardo was built without MPI. nprocess is what the launcher says that there are. */
extern const cardo_parallel_kind *const cardo_mpi_ranks;

#endif
