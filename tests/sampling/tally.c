#include "tally.h"

#include "support/support.h"

#include <math.h>

void tally_take(tally *t, double z)
{
    double size = fabs(z);
    t->n++;
    t->below += size < 1;
    t->beyond += !(size < 3);
    t->squares += size * size;
    t->largest = fmax(t->largest, size);
}

void tally_add(tally *to, const tally *from)
{
    to->n += from->n;
    to->below += from->below;
    to->beyond += from->beyond;
    to->squares += from->squares;
    to->largest = fmax(to->largest, from->largest);
}

void tally_print(const tally *t, const char *what)
{
    print_message("%s: %.1f %% of %d below 1 sigma, %.2f %% beyond 3, rms %.2f, %.2f at most\n",
                  what, 100.0 * t->below / t->n, t->n, 100.0 * t->beyond / t->n,
                  sqrt(t->squares / t->n), t->largest);
}

bool tally_is_honest(const tally *t)
{
    return fabs(100.0 * t->below / t->n - 68.3) <= 7 && t->beyond <= 0.01 * t->n &&
           t->largest < 4.5;
}
