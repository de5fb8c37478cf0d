#include "forces/openmm/force_classes.h"

#include <stddef.h>
#include <string.h>

bool cardo_force_is_listless(const char *class_name)
{
    static const char *const names[] = {
        "HarmonicBondForce",       "HarmonicAngleForce",      "PeriodicTorsionForce",
        "RBTorsionForce",          "CMAPTorsionForce",        "CustomBondForce",
        "CustomAngleForce",        "CustomTorsionForce",      "CustomExternalForce",
        "CustomCompoundBondForce", "CustomCentroidBondForce", "RMSDForce",
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(class_name, names[i]) == 0)
            return true;
    return false;
}

bool cardo_force_is_invariant(const char *class_name)
{
    static const char *const names[] = {
        "HarmonicBondForce", "HarmonicAngleForce", "PeriodicTorsionForce", "RBTorsionForce",
        "CMAPTorsionForce",  "NonbondedForce",     "GBSAOBCForce",         "CustomBondForce",
        "CustomAngleForce",  "CustomTorsionForce", "CustomNonbondedForce", "CustomGBForce",
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(class_name, names[i]) == 0)
            return true;
    return false;
}

bool cardo_force_is_energyless(const char *class_name)
{
    return strcmp(class_name, "CMMotionRemover") == 0 || strstr(class_name, "Barostat") ||
           strstr(class_name, "Thermostat");
}

int cardo_force_cost(const char *class_name)
{
    if (strstr(class_name, "GB"))
        return 4;
    if (cardo_force_is_listless(class_name))
        return 1;
    return strcmp(class_name, "NonbondedForce") == 0 ? 2 : 3;
}
