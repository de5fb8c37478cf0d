#include "experiment/saxs/hydrogens.h"

#include <stdio.h>
#include <string.h>

/* Atoms with hydrogens and how many; what is not named has none. */
static const struct {
    const char *residue, *atoms;
} residues[] = {
    {"ALA", " CB=3 "},
    {"ARG", " CB=2 CG=2 CD=2 NE=1 NH1=2 NH2=2 "},
    {"ASN", " CB=2 ND2=2 "},
    {"ASP", " CB=2 "},
    {"CYS", " CB=2 SG=1 "},
    {"GLN", " CB=2 CG=2 NE2=2 "},
    {"GLU", " CB=2 CG=2 "},
    {"GLY", " CA=2 "},
    {"HIS", " CB=2 CD2=1 CE1=1 ND1=1 "},
    {"ILE", " CB=1 CG1=2 CG2=3 CD1=3 CD=3 "},
    {"LEU", " CB=2 CG=1 CD1=3 CD2=3 "},
    {"LYS", " CB=2 CG=2 CD=2 CE=2 NZ=3 "},
    {"MET", " CB=2 CG=2 CE=3 "},
    {"MSE", " CB=2 CG=2 CE=3 "},
    {"PHE", " CB=2 CD1=1 CD2=1 CE1=1 CE2=1 CZ=1 "},
    {"PRO", " N=0 CB=2 CG=2 CD=2 "},
    {"SER", " CB=2 OG=1 "},
    {"THR", " CB=1 OG1=1 CG2=3 "},
    {"TRP", " CB=2 CD1=1 NE1=1 CE3=1 CZ2=1 CZ3=1 CH2=1 "},
    {"TYR", " CB=2 CD1=1 CD2=1 CE1=1 CE2=1 OH=1 "},
    {"VAL", " CB=1 CG1=3 CG2=3 "},
    {"A", " C8=1 C2=1 N6=2 "},
    {"C", " C5=1 C6=1 N4=2 "},
    {"G", " C8=1 N1=1 N2=2 "},
    {"U", " C5=1 C6=1 N3=1 "},
    {"DA", " C2'=2 C8=1 C2=1 N6=2 "},
    {"DC", " C2'=2 C5=1 C6=1 N4=2 "},
    {"DG", " C2'=2 C8=1 N1=1 N2=2 "},
    {"DT", " C2'=2 C6=1 N3=1 C7=3 "},
};

static const char backbone[] = " N=1 CA=1 ", sugar[] = " C5'=2 C4'=1 C3'=1 C2'=1 C1'=1 O2'=1 ";

/* The number that a list has for an atom; -1: none. */
static int listed(const char *list, const char *atom)
{
    char key[24];
    snprintf(key, sizeof key, " %.16s=", atom);
    const char *found = strstr(list, key);
    return found ? found[strlen(key)] - '0' : -1;
}

int cardo_hydrogens_of(const char *residue, const char *atom)
{
    for (size_t k = 0; k < sizeof residues / sizeof *residues; ++k) {
        if (strcmp(residues[k].residue, residue) != 0)
            continue;
        const int own = listed(residues[k].atoms, atom);
        const int common = listed(strlen(residue) == 3 ? backbone : sugar, atom);
        return own >= 0 ? own : common >= 0 ? common : 0;
    }
    return -1;
}
