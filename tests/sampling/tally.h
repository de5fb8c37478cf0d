/* Deviations from what is known, in standard errors: how many, and whether the errors are honest. */
#ifndef CARDO_TESTS_SAMPLING_TALLY_H
#define CARDO_TESTS_SAMPLING_TALLY_H

#include <stdbool.h>

typedef struct tally {
    int n, below, beyond;    /* below one, beyond three standard errors; not a number is beyond */
    double squares, largest; /* of deviation over standard error                               */
    int outlying;            /* studies with any beyond three                                  */
    int closed;              /* of beyond, those of studies that are closed                    */
} tally;

void tally_take(tally *tally, double z);
/* Ends a study, whose deviations go together. */
void tally_close(tally *tally);
void tally_add(tally *to, const tally *from);
/* One line: what, the shares below 1 and beyond 3, root mean square and largest. */
void tally_print(const tally *tally, const char *what);
/* How often a deviation is larger than `size` standard errors that were estimated with so many degrees of
 * freedom and widened by cardo_student_factor; infinite: Gaussian. */
double tally_chance(double size, double freedom);
/* Of many seeds: 68.3 +- 7 % below one; no more studies with deviations beyond three, each with as many as
 * these have, than once in a thousand times come by chance; none that is rarer than 4.5 of Gaussian ones. */
bool tally_is_honest(const tally *tally, double freedom);

#endif
