/* Agreement of two divisions into domains, where no failure is looked for. */
#ifndef CARDO_TESTS_SUPPORT_AGREEMENT_H
#define CARDO_TESTS_SUPPORT_AGREEMENT_H

#include "analysis/domains/finder.h"
#include "support/support.h"

static inline double agreement_of(int n, const int *first, const int *second)
{
    double agreement = -1;
    cardo_error error = {0};
    assert_ok(cardo_domains_agreement(n, first, second, &agreement, &error), &error);
    return agreement;
}

#endif
