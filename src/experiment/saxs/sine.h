/* Sine and cosine without a branch, so that loops over them are a vector's. */
#ifndef CARDO_EXPERIMENT_SAXS_SINE_H
#define CARDO_EXPERIMENT_SAXS_SINE_H

#include "base/linalg.h"
#include "base/units.h"

/* x is y and a whole number of half turns, |y| <= pi/2; sign: of sine and cosine of x against those of y. */
typedef struct cardo_half_turns {
    double y, sign;
} cardo_half_turns;

/* Multiples of pi in three parts (Cody & Waite 1980). */
static inline cardo_half_turns cardo_take_half_turns(double x)
{
    static const double first = 3.1415926534682512, second = 1.2154201012607932e-10,
                        third = 4.044532497591901e-21, shift = 6755399441055744.0;
    const double rounded = x * (1 / CARDO_PI) + shift, turns = rounded - shift;
    const double half = turns * 0.5 + shift, odd = turns - 2 * (half - shift);
    return (cardo_half_turns){((x - turns * first) - turns * second) - turns * third,
                              1 - 2 * odd * odd};
}

/* sin(y) by Taylor's series, whose first omitted term is 2e-18. */
static inline double cardo_sine_of_part(double y)
{
    static const double taylor[] = {-1.0 / 51090942171709440000.0,
                                    1.0 / 121645100408832000.0,
                                    -1.0 / 355687428096000.0,
                                    1.0 / 1307674368000.0,
                                    -1.0 / 6227020800.0,
                                    1.0 / 39916800.0,
                                    -1.0 / 362880.0,
                                    1.0 / 5040.0,
                                    -1.0 / 120.0,
                                    1.0 / 6.0};
    const double square = y * y;
    double p = taylor[0];
    for (int k = 1; k < (int)(sizeof taylor / sizeof *taylor); ++k)
        p = p * square + taylor[k];
    return y - y * square * p;
}

/* cos(y), first omitted term 1e-17. */
static inline double cardo_cosine_of_part(double y)
{
    static const double taylor[] = {1.0 / 2432902008176640000.0,
                                    -1.0 / 6402373705728000.0,
                                    1.0 / 20922789888000.0,
                                    -1.0 / 87178291200.0,
                                    1.0 / 479001600.0,
                                    -1.0 / 3628800.0,
                                    1.0 / 40320.0,
                                    -1.0 / 720.0,
                                    1.0 / 24.0,
                                    -1.0 / 2.0};
    const double square = y * y;
    double p = taylor[0];
    for (int k = 1; k < (int)(sizeof taylor / sizeof *taylor); ++k)
        p = p * square + taylor[k];
    return 1 + square * p;
}

#endif
