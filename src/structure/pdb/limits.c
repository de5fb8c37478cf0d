/* What the columns of a PDB file have room for. */
#include "structure/pdb/pdb.h"

#include "base/units.h"

#include <string.h>

enum { MOST_SERIALS = 99999, LEAST_NUMBER = -999, MOST_NUMBER = 9999, WIDEST_NAME = 4 };
static const double lowest = -999.9995, highest = 9999.9995; /* angstrom */

static bool residue_fits(const cardo_structure *s, int residue)
{
    return strlen(s->residue_name[residue].text) <= WIDEST_NAME &&
           s->residue_number[residue] >= LEAST_NUMBER && s->residue_number[residue] <= MOST_NUMBER;
}

static bool atom_fits(const cardo_structure *s, const double *positions, int atom)
{
    for (int k = 0; k < 3; ++k) {
        double x = positions[3 * (size_t)atom + (size_t)k] / CARDO_ANGSTROM;
        if (!(x > lowest && x < highest))
            return false;
    }
    return strlen(s->atom_name[atom].text) <= WIDEST_NAME;
}

bool cardo_pdb_holds(const cardo_structure *structure, const double *positions)
{
    const cardo_structure *s = structure;
    /* A TER record has a serial number too. */
    if (s->natom > MOST_SERIALS - s->nchain)
        return false;
    for (int c = 0; c < s->nchain; ++c)
        if (strlen(s->chain_id[c].text) > 1)
            return false;
    for (int r = 0; r < s->nresidue; ++r)
        if (!residue_fits(s, r))
            return false;
    for (int i = 0; i < s->natom; ++i)
        if (!atom_fits(s, positions ? positions : s->position, i))
            return false;
    return true;
}

const char *cardo_structure_extension(const cardo_structure *structure, const double *positions)
{
    return cardo_pdb_holds(structure, positions) ? "pdb" : "cif";
}
