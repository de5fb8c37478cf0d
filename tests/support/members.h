/* Members of a communicator that are threads of a test, with sockets between the first and each of the others. */
#ifndef CARDO_TESTS_MEMBERS_H
#define CARDO_TESTS_MEMBERS_H

#include "base/communicator.h"

enum { SUPPORT_MOST_MEMBERS = 8 };

/* How they reach each other: "thread", "threads"; one that is gone "has gone home". */
extern const cardo_communicator_kind support_threads;

/* What a member does. It is a thread of its own, in which no assertion may fail: what it finds goes to user. */
typedef void (*support_member)(cardo_communicator *communicator, void *user);

/* Runs a member for each user (size) and waits until all have returned. */
void support_members(int size, support_member what, void *const *user);

#endif
