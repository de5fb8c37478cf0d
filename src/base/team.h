/* A team of processes that do one study together and end with the same bits whatever their number.
 *
 * Work is cut into numbered records (walkers, columns of a matrix); record i belongs to member
 * i % size. Every member works on its own records and then shares them; what is made of all records
 * is made by every member for itself, in the same order. A team is the ranks of an MPI launcher
 * (mpirun, srun) where there is one, else processes forked on this machine. */
#ifndef CARDO_BASE_TEAM_H
#define CARDO_BASE_TEAM_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct cardo_team cardo_team;

/* What every member does. A failure need not be agreed upon: the others learn of it at their next
 * exchange. */
typedef cardo_status (*cardo_team_work)(cardo_team *team, void *arg, cardo_error *error);

/* Calls work in every member of a team and returns in its first (rank 0) alone, with the status of
 * work: that of the lowest rank that failed. The others end inside, without returning. nprocess:
 * members, 1 to 1024, or 0 for one a core; under an MPI launcher the number of its ranks counts instead.
 * Call it before any thread is started. Only rank 0 has a standard output, that of the others
 * leads nowhere. A member that was killed is CARDO_ERROR_LOST; a launcher that this build
 * cannot speak to is CARDO_ERROR_UNSUPPORTED. */
cardo_status cardo_team_run(int nprocess, cardo_team_work work, void *arg, cardo_error *error);

int cardo_team_rank(const cardo_team *team);
int cardo_team_size(const cardo_team *team);
/* For logs: "1 process", "4 processes", "16 MPI ranks". Returns text. */
const char *cardo_team_describe(const cardo_team *team, char text[64]);
/* Cores for a member, at least 1, where nbusy members work at a time: those that this process may run
 * on, divided by the members that may run on the same ones and work. More threads than that wait for
 * one another. */
int cardo_team_cores(const cardo_team *team, int nbusy);

/* Whether record i is this member's. */
static inline bool cardo_team_owns(const cardo_team *team, int i)
{
    return i % cardo_team_size(team) == cardo_team_rank(team);
}

/* Called by every member with its own records (nrecord x record_size bytes, the same numbers
 * everywhere) filled in; afterwards everyone has all. After any failure the team is broken and every
 * exchange fails. */
cardo_status cardo_team_share(cardo_team *team, void *records, size_t record_size, int nrecord,
                              cardo_error *error);

/* Called by every member with the status of what it did alone: the failure of the lowest rank that
 * failed becomes everyone's. */
cardo_status cardo_team_agree(cardo_team *team, cardo_status status, cardo_error *error);

/* Sets *flag everywhere where it was set in any member: signals reach some processes first. */
cardo_status cardo_team_any(cardo_team *team, bool *flag, cardo_error *error);

/* Cores that this process may run on, at least 1. */
int cardo_core_count(void);

#endif
