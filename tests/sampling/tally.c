#include "tally.h"

#include "analysis/free_energy/statistics.h"
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

void tally_close(tally *t)
{
    t->outlying += t->beyond > t->closed;
    t->closed = t->beyond;
}

void tally_add(tally *to, const tally *from)
{
    to->n += from->n;
    to->below += from->below;
    to->beyond += from->beyond;
    to->outlying += from->outlying;
    to->closed += from->closed;
    to->squares += from->squares;
    to->largest = fmax(to->largest, from->largest);
}

void tally_print(const tally *t, const char *what)
{
    print_message("%s: %.1f %% of %d below 1 sigma, %.2f %% beyond 3, rms %.2f, %.2f at most\n",
                  what, 100.0 * t->below / t->n, t->n, 100.0 * t->beyond / t->n,
                  sqrt(t->squares / t->n), t->largest);
}

/* Student's t as a normal deviate (Wallace 1959, Ann. Math. Stat. 30, 1121). */
double tally_chance(double size, double freedom)
{
    if (isinf(freedom))
        return erfc(size / sqrt(2));
    double t = size * cardo_student_factor(freedom);
    double normal = (8 * freedom + 1) / (8 * freedom + 3) * sqrt(freedom * log1p(t * t / freedom));
    return erfc(normal / sqrt(2));
}

/* How often so many or more come where `mean` are expected (Poisson). */
static double chance_of(int count, double mean)
{
    double fewer = 0, term = exp(-mean);
    for (int k = 0; k < count; ++k) {
        fewer += term;
        term *= mean / (k + 1);
    }
    return 1 - fewer;
}

bool tally_is_honest(const tally *t, double freedom)
{
    double expected = t->n * tally_chance(3, freedom);
    if (t->outlying > 0)
        expected *= (double)t->outlying / t->beyond;
    return fabs(100.0 * t->below / t->n - 68.3) <= 7 && chance_of(t->outlying, expected) > 1e-3 &&
           tally_chance(t->largest, freedom) > tally_chance(4.5, HUGE_VAL);
}
