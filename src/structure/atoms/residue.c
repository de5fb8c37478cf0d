#include "structure/atoms/residue.h"

#include "structure/atoms/structure.h"

#include <string.h>

/* Names as in the PDB, with those that AMBER, CHARMM and GROMACS give to protonation states. */
static const struct {
    const char name[6];
    char letter;
    cardo_residue_kind kind;
} residues[] = {
    {"ALA", 'A', CARDO_RESIDUE_AMINO},    {"ARG", 'R', CARDO_RESIDUE_AMINO},
    {"ARN", 'R', CARDO_RESIDUE_AMINO},    {"ASN", 'N', CARDO_RESIDUE_AMINO},
    {"ASP", 'D', CARDO_RESIDUE_AMINO},    {"ASH", 'D', CARDO_RESIDUE_AMINO},
    {"ASPP", 'D', CARDO_RESIDUE_AMINO},   {"CYS", 'C', CARDO_RESIDUE_AMINO},
    {"CYX", 'C', CARDO_RESIDUE_AMINO},    {"CYM", 'C', CARDO_RESIDUE_AMINO},
    {"CYS2", 'C', CARDO_RESIDUE_AMINO},   {"GLN", 'Q', CARDO_RESIDUE_AMINO},
    {"GLU", 'E', CARDO_RESIDUE_AMINO},    {"GLH", 'E', CARDO_RESIDUE_AMINO},
    {"GLUP", 'E', CARDO_RESIDUE_AMINO},   {"GLY", 'G', CARDO_RESIDUE_AMINO},
    {"HIS", 'H', CARDO_RESIDUE_AMINO},    {"HID", 'H', CARDO_RESIDUE_AMINO},
    {"HIE", 'H', CARDO_RESIDUE_AMINO},    {"HIP", 'H', CARDO_RESIDUE_AMINO},
    {"HSD", 'H', CARDO_RESIDUE_AMINO},    {"HSE", 'H', CARDO_RESIDUE_AMINO},
    {"HSP", 'H', CARDO_RESIDUE_AMINO},    {"ILE", 'I', CARDO_RESIDUE_AMINO},
    {"LEU", 'L', CARDO_RESIDUE_AMINO},    {"LYS", 'K', CARDO_RESIDUE_AMINO},
    {"LYN", 'K', CARDO_RESIDUE_AMINO},    {"LSN", 'K', CARDO_RESIDUE_AMINO},
    {"MET", 'M', CARDO_RESIDUE_AMINO},    {"PHE", 'F', CARDO_RESIDUE_AMINO},
    {"PRO", 'P', CARDO_RESIDUE_AMINO},    {"SER", 'S', CARDO_RESIDUE_AMINO},
    {"THR", 'T', CARDO_RESIDUE_AMINO},    {"TRP", 'W', CARDO_RESIDUE_AMINO},
    {"TYR", 'Y', CARDO_RESIDUE_AMINO},    {"VAL", 'V', CARDO_RESIDUE_AMINO},
    {"ACE", 'X', CARDO_RESIDUE_AMINO},    {"NME", 'X', CARDO_RESIDUE_AMINO},
    {"NMA", 'X', CARDO_RESIDUE_AMINO},    {"NH2", 'X', CARDO_RESIDUE_AMINO},
    {"NHE", 'X', CARDO_RESIDUE_AMINO},    {"UNK", 'X', CARDO_RESIDUE_MODIFIED},
    {"MSE", 'M', CARDO_RESIDUE_MODIFIED}, {"PCA", 'E', CARDO_RESIDUE_MODIFIED},
    {"SEP", 'S', CARDO_RESIDUE_MODIFIED}, {"TPO", 'T', CARDO_RESIDUE_MODIFIED},
    {"PTR", 'Y', CARDO_RESIDUE_MODIFIED}, {"TYS", 'Y', CARDO_RESIDUE_MODIFIED},
    {"CSO", 'C', CARDO_RESIDUE_MODIFIED}, {"CSD", 'C', CARDO_RESIDUE_MODIFIED},
    {"CME", 'C', CARDO_RESIDUE_MODIFIED}, {"OCS", 'C', CARDO_RESIDUE_MODIFIED},
    {"CAS", 'C', CARDO_RESIDUE_MODIFIED}, {"SEC", 'U', CARDO_RESIDUE_MODIFIED},
    {"PYL", 'O', CARDO_RESIDUE_MODIFIED}, {"HYP", 'P', CARDO_RESIDUE_MODIFIED},
    {"MLY", 'K', CARDO_RESIDUE_MODIFIED}, {"M3L", 'K', CARDO_RESIDUE_MODIFIED},
    {"ALY", 'K', CARDO_RESIDUE_MODIFIED}, {"KCX", 'K', CARDO_RESIDUE_MODIFIED},
    {"LLP", 'K', CARDO_RESIDUE_MODIFIED}, {"CGU", 'E', CARDO_RESIDUE_MODIFIED},
    {"AIB", 'A', CARDO_RESIDUE_MODIFIED}, {"NLE", 'L', CARDO_RESIDUE_MODIFIED},
    {"FME", 'M', CARDO_RESIDUE_MODIFIED}, {"MHO", 'M', CARDO_RESIDUE_MODIFIED},
    {"ORN", 'X', CARDO_RESIDUE_MODIFIED}, {"SAR", 'G', CARDO_RESIDUE_MODIFIED},
    {"A", 'A', CARDO_RESIDUE_NUCLEIC},    {"C", 'C', CARDO_RESIDUE_NUCLEIC},
    {"G", 'G', CARDO_RESIDUE_NUCLEIC},    {"U", 'U', CARDO_RESIDUE_NUCLEIC},
    {"I", 'I', CARDO_RESIDUE_NUCLEIC},    {"T", 'T', CARDO_RESIDUE_NUCLEIC},
    {"DA", 'A', CARDO_RESIDUE_NUCLEIC},   {"DC", 'C', CARDO_RESIDUE_NUCLEIC},
    {"DG", 'G', CARDO_RESIDUE_NUCLEIC},   {"DT", 'T', CARDO_RESIDUE_NUCLEIC},
    {"DU", 'U', CARDO_RESIDUE_NUCLEIC},   {"DI", 'I', CARDO_RESIDUE_NUCLEIC},
    {"DA3", 'A', CARDO_RESIDUE_NUCLEIC},  {"DC3", 'C', CARDO_RESIDUE_NUCLEIC},
    {"DG3", 'G', CARDO_RESIDUE_NUCLEIC},  {"DT3", 'T', CARDO_RESIDUE_NUCLEIC},
    {"DA5", 'A', CARDO_RESIDUE_NUCLEIC},  {"DC5", 'C', CARDO_RESIDUE_NUCLEIC},
    {"DG5", 'G', CARDO_RESIDUE_NUCLEIC},  {"DT5", 'T', CARDO_RESIDUE_NUCLEIC},
    {"A3", 'A', CARDO_RESIDUE_NUCLEIC},   {"C3", 'C', CARDO_RESIDUE_NUCLEIC},
    {"G3", 'G', CARDO_RESIDUE_NUCLEIC},   {"U3", 'U', CARDO_RESIDUE_NUCLEIC},
    {"A5", 'A', CARDO_RESIDUE_NUCLEIC},   {"C5", 'C', CARDO_RESIDUE_NUCLEIC},
    {"G5", 'G', CARDO_RESIDUE_NUCLEIC},   {"U5", 'U', CARDO_RESIDUE_NUCLEIC},
    {"ADE", 'A', CARDO_RESIDUE_NUCLEIC},  {"CYT", 'C', CARDO_RESIDUE_NUCLEIC},
    {"GUA", 'G', CARDO_RESIDUE_NUCLEIC},  {"THY", 'T', CARDO_RESIDUE_NUCLEIC},
    {"URA", 'U', CARDO_RESIDUE_NUCLEIC},  {"+A", 'A', CARDO_RESIDUE_NUCLEIC},
    {"+C", 'C', CARDO_RESIDUE_NUCLEIC},   {"+G", 'G', CARDO_RESIDUE_NUCLEIC},
    {"+T", 'T', CARDO_RESIDUE_NUCLEIC},   {"+U", 'U', CARDO_RESIDUE_NUCLEIC},
    {"HOH", 'X', CARDO_RESIDUE_WATER},    {"WAT", 'X', CARDO_RESIDUE_WATER},
    {"H2O", 'X', CARDO_RESIDUE_WATER},    {"DOD", 'X', CARDO_RESIDUE_WATER},
    {"OH2", 'X', CARDO_RESIDUE_WATER},    {"TIP", 'X', CARDO_RESIDUE_WATER},
    {"TIP3", 'X', CARDO_RESIDUE_WATER},   {"TIP4", 'X', CARDO_RESIDUE_WATER},
    {"TIP5", 'X', CARDO_RESIDUE_WATER},   {"TP3", 'X', CARDO_RESIDUE_WATER},
    {"SOL", 'X', CARDO_RESIDUE_WATER},    {"SPC", 'X', CARDO_RESIDUE_WATER},
    {"T3P", 'X', CARDO_RESIDUE_WATER},    {"T4P", 'X', CARDO_RESIDUE_WATER},
};

enum { RESIDUE_COUNT = sizeof residues / sizeof residues[0] };

static int find(const char *name)
{
    for (int i = 0; i < RESIDUE_COUNT; ++i)
        if (strcmp(residues[i].name, name) == 0)
            return i;
    return -1;
}

cardo_residue_kind cardo_residue_kind_of(const char *name)
{
    int i = find(name);
    return i < 0 ? CARDO_RESIDUE_OTHER : residues[i].kind;
}

bool cardo_residue_is_water(const char *name)
{
    return cardo_residue_kind_of(name) == CARDO_RESIDUE_WATER;
}

bool cardo_residue_is_amino(const char *name)
{
    return cardo_residue_kind_of(name) == CARDO_RESIDUE_AMINO;
}

bool cardo_residue_is_nucleic(const char *name)
{
    return cardo_residue_kind_of(name) == CARDO_RESIDUE_NUCLEIC;
}

char cardo_residue_letter(const char *name)
{
    int i = find(name);
    return i < 0 ? 'X' : residues[i].letter;
}

bool cardo_residue_is_polymer(const cardo_structure *structure, int residue)
{
    switch (cardo_residue_kind_of(structure->residue_name[residue].text)) {
    case CARDO_RESIDUE_AMINO:
    case CARDO_RESIDUE_MODIFIED:
    case CARDO_RESIDUE_NUCLEIC:
        return true;
    case CARDO_RESIDUE_WATER:
        return false;
    case CARDO_RESIDUE_OTHER:
        break;
    }
    return cardo_structure_find_atom(structure, residue, "N") >= 0 &&
           cardo_structure_find_atom(structure, residue, "CA") >= 0 &&
           cardo_structure_find_atom(structure, residue, "C") >= 0;
}

bool cardo_chain_has_end(const cardo_structure *structure, int chain)
{
    const cardo_structure *s = structure;
    for (int r = s->chain_first[chain]; r < s->chain_first[chain + 1]; ++r)
        if (!s->hetero[r] && !cardo_residue_is_water(s->residue_name[r].text))
            return true;
    return chain + 1 < s->nchain &&
           strcmp(s->chain_id[chain].text, s->chain_id[chain + 1].text) == 0;
}
