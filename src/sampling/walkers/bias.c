#include "sampling/walkers/bias.h"

#include "base/memory.h"

#include <math.h>

double cardo_periodic_difference(double a, double b, double period)
{
    double difference = a - b;
    return period > 0 ? difference - period * round(difference / period) : difference;
}

cardo_status cardo_bias_create(cardo_bias_potential *bias, const cardo_bias_kind *kind,
                               double period, int nvalue, cardo_error *error)
{
    *bias = (cardo_bias_potential){.kind = kind, .period = period, .nvalue = nvalue};
    return CARDO_ALLOCATE(&bias->values, nvalue, error);
}

void cardo_bias_clear(cardo_bias_potential *bias)
{
    cardo_free(bias->values);
    *bias = (cardo_bias_potential){0};
}
