/* Deviations from what is known, in standard errors: how many, and whether the errors are honest. */
#ifndef CARDO_TESTS_SAMPLING_TALLY_H
#define CARDO_TESTS_SAMPLING_TALLY_H

#include <stdbool.h>

typedef struct tally {
    int n, below, beyond;    /* below one, beyond three standard errors; not a number is beyond */
    double squares, largest; /* of deviation over standard error                               */
} tally;

void tally_take(tally *tally, double z);
void tally_add(tally *to, const tally *from);
/* One line: what, the shares below 1 and beyond 3, root mean square and largest. */
void tally_print(const tally *tally, const char *what);
/* Of many seeds: 68.3 +- 7 % below one, at most 1 % beyond three, none beyond 4.5. */
bool tally_is_honest(const tally *tally);

#endif
