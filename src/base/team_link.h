/* How members of a team reach each other: rank 0 speaks with each of the others. */
#ifndef CARDO_BASE_TEAM_LINK_H
#define CARDO_BASE_TEAM_LINK_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct cardo_team_link {
    const char *one, *many; /* what a member is called: "process", "processes" */
    /* Makes the other members; every member returns from here and learns its rank, the number of
     * members, and how many of them, itself included, may run on the same cores. *state is the
     * link's own memory. */
    cardo_status (*open)(int nprocess, void **state, int *rank, int *size, int *beside,
                         cardo_error *error);
    /* Sends to or receives from peer exactly so many bytes; false when the peer is gone. */
    bool (*put)(void *state, int peer, const void *bytes, size_t size);
    bool (*take)(void *state, int peer, void *bytes, size_t size);
    /* In rank 0: words on how a peer that is gone ended. */
    void (*obituary)(void *state, int peer, char *text, size_t size);
    /* The last call. In rank 0 it waits for the others to end and reports those that ended badly
     * although the team was whole; in the others it does not return. */
    cardo_status (*close)(void *state, bool broken, cardo_error *error);
} cardo_team_link;

extern const cardo_team_link cardo_team_processes;

/* Members that an MPI launcher started this program as; 0 without one. */
int cardo_team_mpi_launched(void);
/* Tasks that Slurm's srun started without telling them of each other; 0: there are none such. */
int cardo_team_strangers(void);
/* NULL where Cardo was built without MPI. */
extern const cardo_team_link *const cardo_team_mpi;

#endif
