/* A communicator of MPI ranks. Apart from the other headers, so that only who uses MPI needs mpi.h; cardo/cardo.h does not
 * include it. */
#ifndef CARDO_MPI_H
#define CARDO_MPI_H

#include <cardo/communicator.h>

#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The ranks of comm as members, in the same order; called by all of them. MPI is the caller's: it was
 * initialized before, and is finalized after the communicator was destroyed. comm is duplicated, so that
 * messages of the caller's never meet Cardo's, and errors of MPI come back as CARDO_ERROR_LOST rather
 * than end the program, whatever comm's own handler does. Only the thread that calls the library calls
 * MPI: MPI_THREAD_FUNNELED is enough where that is the main one. CARDO_ERROR_ARGUMENT without
 * MPI_Init, for MPI_COMM_NULL, an intercommunicator or more than CARDO_MOST_MEMBERS ranks. Absent from
 * a library that was built without MPI. */
CARDO_API cardo_status cardo_communicator_from_mpi(MPI_Comm comm, cardo_communicator **out,
                                                   cardo_error *error);

#ifdef __cplusplus
}
#endif

#endif
