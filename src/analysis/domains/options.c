#include "analysis/domains/finder.h"

#define OFFSET(member) offsetof(cardo_domain_options, member)

const cardo_field cardo_domain_option_fields[] = {
    {"window", CARDO_FIELD_INT, OFFSET(window), "", "5", 3, 99, NULL,
     "residues whose rotation is looked at together"},
    {"smallest", CARDO_FIELD_INT, OFFSET(smallest), "", "20", 4, 1e6, NULL,
     "residues that a domain has at least"},
    {"ratio", CARDO_FIELD_DOUBLE, OFFSET(ratio), "", "2.5", 0, 1e6, NULL,
     "motion between two domains, at least, beside the deformation inside of them"},
    {"correlation", CARDO_FIELD_DOUBLE, OFFSET(correlation), "", "10", 1, 1e6, NULL,
     "residues along the chain that move alike: more make fewer domains"},
    {"precision", CARDO_FIELD_DOUBLE, OFFSET(precision), "nm", "0.01", 1e-9, 10, NULL,
     "distances below this mean nothing"},
    {"contact", CARDO_FIELD_DOUBLE, OFFSET(contact), "nm", "0.8", 0.1, 10, NULL,
     "C-alpha atoms closer than this touch"},
    {"most", CARDO_FIELD_INT, OFFSET(most), "", "100000", 1, 1e6, NULL, "domains at most"},
    {0},
};

cardo_domain_options cardo_domain_options_default(void)
{
    cardo_domain_options options;
    cardo_fields_default(cardo_domain_option_fields, &options);
    return options;
}
