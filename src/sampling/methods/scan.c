#include "sampling/methods/scan.h"

#include "base/field.h"
#include "sampling/methods/method.h"

static const char *const relaxed_choices[] = {"no", "yes", NULL};

#define OPTION(member) offsetof(cardo_scan_options, member)
const cardo_field cardo_scan_fields[] = {
    {"places", CARDO_FIELD_INT, OPTION(places), "", "201", 4, 40000, NULL,
     "at which the energy is evaluated, from one end of the range to the other"},
    {"relaxed", CARDO_FIELD_CHOICE, OPTION(relaxed), "", "no", 0, 0, relaxed_choices,
     "minimize the energy in all other coordinates at each point, up and down the range: the "
     "adiabatic profile"},
    {"relax-iterations", CARDO_FIELD_INT, OPTION(reach.iterations), "", "1000", 1, 1e9, NULL,
     "most iterations of such a minimization"},
    {"relax-tolerance", CARDO_FIELD_DOUBLE, OPTION(reach.tolerance), "", "1", 1e-12, 1e12, NULL,
     "largest generalized force (kJ/mol per rad, nm or unit of a path) that it leaves"},
    {0},
};
#undef OPTION

const cardo_scan_options *cardo_scan_options_of(const cardo_sampling *sampling)
{
    return (const cardo_scan_options *)sampling->method_options.bytes;
}
