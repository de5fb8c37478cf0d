/* Members that do one study together and end with the same bits whatever their number.
 *
 * Work is cut into numbered records (walkers, columns of a matrix); record i belongs to member
 * i % size. Every member works on its own records and then shares them; what is made of all records
 * is made by every member for itself, in the same order.
 *
 * The library starts no process and ends none: whoever calls it hands in a communicator, in every
 * member alike. NULL stands for a single process wherever one is asked for. cardo_communicator_from_mpi
 * (cardo/mpi.h) makes one from ranks of MPI, cardo_communicator_create from any other
 * processes or threads that can send each other bytes. */
#ifndef CARDO_COMMUNICATOR_H
#define CARDO_COMMUNICATOR_H

#include <cardo/status.h>

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cardo_communicator cardo_communicator;

enum { CARDO_MOST_MEMBERS = 1024 };

/* How members reach each other: rank 0 speaks with each of the others, they with it alone. */
typedef struct cardo_communicator_kind {
    const char *one, *many; /* what a member is called: "process", "processes" */
    /* Sends to or receives from peer exactly so many bytes; false when the peer is gone. */
    bool (*put)(void *state, int peer, const void *bytes, size_t size);
    bool (*take)(void *state, int peer, void *bytes, size_t size);
    /* In rank 0: how a peer that is gone ended, such as "ended with status 1". */
    void (*describe_end)(void *state, int peer, char *text, size_t size);
    /* Frees state. NULL: it is the caller's. */
    void (*destroy)(void *state);
} cardo_communicator_kind;

/* This member's end of a communicator of size members, 1 to CARDO_MOST_MEMBERS. beside: how many of
 * them, itself included, may run on the same cores. kind is borrowed; state belongs to the communicator
 * where kind can destroy it, once it was made. */
CARDO_API cardo_status cardo_communicator_create(const cardo_communicator_kind *kind, void *state,
                                                 int rank, int size, int beside,
                                                 cardo_communicator **out, cardo_error *error);
/* NULL will do. */
CARDO_API void cardo_communicator_destroy(cardo_communicator *communicator);

CARDO_API int cardo_communicator_rank(const cardo_communicator *communicator);
CARDO_API int cardo_communicator_size(const cardo_communicator *communicator);
/* For logs: "1 process", "4 processes", "16 MPI ranks". Returns text. */
CARDO_API const char *cardo_communicator_describe(const cardo_communicator *communicator,
                                                  char text[64]);
/* Cores for a member, at least 1, where nbusy members work at a time: those that this process may run
 * on, divided by the members that may run on the same ones and work. More threads than that wait for
 * one another. */
CARDO_API int cardo_communicator_cores(const cardo_communicator *communicator, int nbusy);

/* Whether record i is this member's. */
CARDO_API bool cardo_communicator_owns(const cardo_communicator *communicator, int i);

/* The exchanges: every member calls the same ones in the same order. A member that failed on its own
 * says so by cardo_communicator_agree, and the others learn of it at the exchange that they are at. So
 * whoever runs a study on a communicator ends it with cardo_communicator_agree and the study's status.
 * A failure breaks the communicator: what is called on it afterwards fails at once, and for another
 * study another one is made. A member that is gone is CARDO_ERROR_LOST. */

/* Called by every member with its own records (nrecord x record_size bytes, the same numbers
 * everywhere) filled in; afterwards everyone has all. */
CARDO_API cardo_status cardo_communicator_share(cardo_communicator *communicator, void *records,
                                                size_t record_size, int nrecord,
                                                cardo_error *error);

/* Called by every member with the status of what it did alone: the failure of the lowest rank that
 * failed becomes everyone's. */
CARDO_API cardo_status cardo_communicator_agree(cardo_communicator *communicator,
                                                cardo_status status, cardo_error *error);

/* Sets *flag everywhere where it was set in any member: signals reach some processes first. */
CARDO_API cardo_status cardo_communicator_any(cardo_communicator *communicator, bool *flag,
                                              cardo_error *error);

/* Cores that this process may run on, at least 1. */
CARDO_API int cardo_core_count(void);

#ifdef __cplusplus
}
#endif

#endif
