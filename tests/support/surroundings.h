/* What a process has once and a library in it leaves alone: signals, standard streams, working folder,
 * environment, locale, umask, arithmetic, children, open files. */
#ifndef CARDO_TESTS_SUPPORT_SURROUNDINGS_H
#define CARDO_TESTS_SUPPORT_SURROUNDINGS_H

#include <signal.h>
#include <sys/stat.h>

enum { SUPPORT_SIGNALS = 32 };

typedef struct support_surroundings {
    struct sigaction action[SUPPORT_SIGNALS];
    sigset_t mask;
    struct stat stream[3];
    char folder[4096], locale[256];
    mode_t umask;
    int nvariable, nfile, nchild;
    int rounding, traps; /* of floating-point numbers */
    double denormal;     /* half of the smallest normal number: 0 where such are flushed */
} support_surroundings;

void support_look_around(support_surroundings *surroundings);
/* How many things are others now; each is told on standard error. */
int support_count_changes(const support_surroundings *before, const support_surroundings *now);

#endif
