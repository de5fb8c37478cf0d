#include "forces/relax/pair_rules.h"

#include <math.h>

cardo_status cardo_pair_rules_make(const cardo_terms *terms, cardo_pair_rules *rules,
                                   cardo_error *error)
{
    *rules = (cardo_pair_rules){.terms = terms};
    return cardo_partners_by_exceptions(terms, &rules->partners, error);
}

void cardo_pair_rules_clear(cardo_pair_rules *rules)
{
    cardo_partners_clear(&rules->partners);
    *rules = (cardo_pair_rules){0};
}

bool cardo_pair_rules_take(const cardo_pair_rules *rules, int a, int b, double *sigma,
                           double *epsilon)
{
    const cardo_terms *terms = rules->terms;
    *sigma = 0.5 * (cardo_terms_sigma(terms, a) + cardo_terms_sigma(terms, b));
    *epsilon = sqrt(cardo_terms_epsilon(terms, a) * cardo_terms_epsilon(terms, b));
    return *epsilon > 0 && *sigma > 0 && !cardo_are_partners(&rules->partners, a, b);
}

double cardo_lennard_jones(double sigma, double epsilon, double square)
{
    double s2 = sigma * sigma / square, s6 = s2 * s2 * s2;
    return square > 0 ? 4 * epsilon * (s6 * s6 - s6) : HUGE_VAL;
}
