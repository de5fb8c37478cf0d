/* A communicator of MPI ranks: cardo/mpi.h. */
#ifndef CARDO_BASE_COMMUNICATOR_MPI_H
#define CARDO_BASE_COMMUNICATOR_MPI_H

#include "base/communicator.h"
#include "cardo/mpi.h"

#endif
