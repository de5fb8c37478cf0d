#include "experiment/saxs/form_factors.h"

#include "base/units.h"

#include <math.h>
#include <stddef.h>
#include <xraylib.h>

enum { HYDROGEN = 1, NITROGEN = 7, OXYGEN = 8, SULFUR = 16 };

double cardo_form_factor(int element, double q)
{
    /* xraylib's argument is sin(theta/2)/lambda = q/4 pi in 1/A; its spline begins above 0. */
    const double argument = q * CARDO_ANGSTROM / (4 * CARDO_PI);
    xrl_error *failure = NULL;
    if (argument < 1e-9)
        return cardo_form_factor_known(element) ? element : (double)NAN;
    const double f = FF_Rayl(element, argument, &failure);
    if (!failure)
        return f;
    xrl_error_free(failure);
    return (double)NAN;
}

bool cardo_form_factor_known(int element)
{
    xrl_error *failure = NULL;
    FF_Rayl(element, 0.1, &failure);
    const bool known = element > 0 && !failure;
    if (failure)
        xrl_error_free(failure);
    return known;
}

static double bond_to_hydrogen(int element)
{
    switch (element) {
    case NITROGEN:
        return 0.101;
    case OXYGEN:
        return 0.096;
    case SULFUR:
        return 0.134;
    default:
        return 0.109;
    }
}

double cardo_group_form_factor(int element, int hydrogens, double q)
{
    const double x = q * bond_to_hydrogen(element);
    double f = cardo_form_factor(element, q);
    if (hydrogens > 0)
        f += hydrogens * cardo_form_factor(HYDROGEN, q) * (x > 1e-8 ? sin(x) / x : 1);
    return f;
}
