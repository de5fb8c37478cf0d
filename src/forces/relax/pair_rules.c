#include "forces/relax/pair_rules.h"

#include "base/memory.h"

#include <math.h>

cardo_status cardo_pair_rules_make(const cardo_terms *terms, cardo_pair_rules *rules,
                                   cardo_error *error)
{
    cardo_status status;
    *rules = (cardo_pair_rules){.terms = terms};
    CARDO_TRY(CARDO_ALLOCATE(&rules->first, terms->natom + 2, error));
    CARDO_TRY(CARDO_ALLOCATE(&rules->partner, 2 * terms->nexception + 1, error));
    for (int k = 0; k < terms->nexception; ++k) {
        const cardo_exception_term e = cardo_terms_exception(terms, k);
        ++rules->first[e.a + 2];
        ++rules->first[e.b + 2];
    }
    for (int i = 0; i < terms->natom; ++i)
        rules->first[i + 2] += rules->first[i + 1];
    for (int k = 0; k < terms->nexception; ++k) {
        const cardo_exception_term e = cardo_terms_exception(terms, k);
        rules->partner[rules->first[e.a + 1]++] = e.b;
        rules->partner[rules->first[e.b + 1]++] = e.a;
    }
done:
    return status;
}

void cardo_pair_rules_clear(cardo_pair_rules *rules)
{
    cardo_free(rules->first);
    cardo_free(rules->partner);
    *rules = (cardo_pair_rules){0};
}

bool cardo_pair_rules_take(const cardo_pair_rules *rules, int a, int b, double *sigma,
                           double *epsilon)
{
    const cardo_terms *terms = rules->terms;
    *sigma = 0.5 * (cardo_terms_sigma(terms, a) + cardo_terms_sigma(terms, b));
    *epsilon = sqrt(cardo_terms_epsilon(terms, a) * cardo_terms_epsilon(terms, b));
    if (!(*epsilon > 0 && *sigma > 0))
        return false;
    for (int k = rules->first[a]; k < rules->first[a + 1]; ++k)
        if (rules->partner[k] == b)
            return false;
    return true;
}

double cardo_lennard_jones(double sigma, double epsilon, double square)
{
    double s2 = sigma * sigma / square, s6 = s2 * s2 * s2;
    return square > 0 ? 4 * epsilon * (s6 * s6 - s6) : HUGE_VAL;
}
