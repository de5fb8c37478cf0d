#include "study/minimize_options.h"

#include <stddef.h>

static const char *const soft_choices[] = {"auto", "yes", "no", NULL};

const cardo_field cardo_overlap_fields[] = {
    {"soft-start", CARDO_FIELD_CHOICE, offsetof(cardo_overlap_options, soft_start), "", "auto", 0,
     0, soft_choices,
     "take overlaps away first, with soft-core Lennard-Jones energies; auto: when atoms clash"},
    {"clash-energy", CARDO_FIELD_DOUBLE, offsetof(cardo_overlap_options, clash_energy), "kJ/mol",
     "100", 0, 1e300, NULL, "Lennard-Jones energy of a pair of atoms from which on it is a clash"},
    {0},
};
