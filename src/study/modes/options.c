#include "study/modes/options.h"

#include <stddef.h>

static const char *const stiffnesses[] = {"network", "forces", NULL};
static const char *const node_kinds[] = {"auto", "ca", "heavy", "all", NULL};
static const char *const joint_kinds[] = {"model", "free", NULL};
static const char *const correlation_choices[] = {"auto", "yes", "no", NULL};

#define OPTION(member) offsetof(cardo_mode_options, member)
const cardo_field cardo_mode_fields[] = {
    {"stiffness", CARDO_FIELD_CHOICE, OPTION(stiffness), "", "network", 0, 0, stiffnesses,
     "second derivatives of an elastic network, or of the model's force field by differences"},
    {"nodes", CARDO_FIELD_CHOICE, OPTION(nodes), "", "auto", 0, 0, node_kinds,
     "atoms that the network joins; auto: C-alpha where every body has three or more, else heavy"},
    {"cutoff", CARDO_FIELD_DOUBLE, OPTION(cutoff), "nm", "0", 0, 100, NULL,
     "longest springs of the network; 0: 1.5 nm between C-alpha atoms, else 1 nm"},
    {"spring", CARDO_FIELD_DOUBLE, OPTION(spring), "kJ/mol/nm^2", "418.4", 1e-9, 1e12, NULL,
     "stiffness of its springs (of length 1 A, where power is above 0)"},
    {"power", CARDO_FIELD_INT, OPTION(power), "", "0", 0, 12, NULL,
     "springs weaken with this power of their length"},
    {"joints", CARDO_FIELD_CHOICE, OPTION(joints), "", "model", 0, 0, joint_kinds,
     "the model's joints, or every body free (rotations and translations of blocks)"},
    {"count", CARDO_FIELD_INT, OPTION(count), "", "20", 1, 100000, NULL,
     "modes wanted beside rigid motions of the whole"},
    {"minimize", CARDO_FIELD_BOOL, OPTION(minimize), "", "yes", 0, 0, NULL,
     "with stiffness=forces, go to the nearest minimum first; no: modes of the configuration as it "
     "is"},
    {"tolerance", CARDO_FIELD_DOUBLE, OPTION(tolerance), "", "0.01", 1e-12, 1e12, NULL,
     "of that minimum: largest generalized force, kJ/mol per rad, nm or unit of a path"},
    {"iterations", CARDO_FIELD_INT, OPTION(iterations), "", "5000", 0, 1e9, NULL,
     "most iterations on the way to it"},
    {"step", CARDO_FIELD_DOUBLE, OPTION(step), "", "0", 0, 1, NULL,
     "half width of differences of forces, in rad, nm or path units; 0: 1e-4, or 3e-3 for forces "
     "in single precision"},
    {"temperature", CARDO_FIELD_DOUBLE, OPTION(temperature), "K", "300", 1e-3, 1e6, NULL,
     "of thermal amplitudes and B factors"},
    {"compare", CARDO_FIELD_STRING, OPTION(compare), "", "", 0, 0, NULL,
     "structure of the model whose displacement modes are compared with; empty: the last"},
    {"against", CARDO_FIELD_STRING, OPTION(against), "", "", 0, 0, NULL,
     "other methods to compare with: anm (every C-alpha free), rtb (every body free), or both"},
    {"correlations", CARDO_FIELD_CHOICE, OPTION(correlations), "", "auto", 0, 0,
     correlation_choices, "table and picture of cross-correlations; auto: up to 3000 residues"},
    {"animate", CARDO_FIELD_INT, OPTION(animate), "", "3", 0, 1000, NULL, "modes to animate"},
    {"frames", CARDO_FIELD_INT, OPTION(frames), "", "20", 2, 10000, NULL, "frames of an animation"},
    {"amplitude", CARDO_FIELD_DOUBLE, OPTION(amplitude), "nm", "0.2", 1e-6, 100, NULL,
     "of an animation, root mean square over C-alpha atoms"},
    {NULL, CARDO_FIELD_INT, 0, NULL, NULL, 0, 0, NULL, NULL},
};
#undef OPTION
