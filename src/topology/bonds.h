/* The bond graph of a structure: from residue templates (topologies/residues.xml), peptide and
 * nucleic links, disulfides, and what else the file says to be bonded. */
#ifndef CARDO_TOPOLOGY_BONDS_H
#define CARDO_TOPOLOGY_BONDS_H

#include "structure/atoms/structure.h"

typedef struct cardo_bonds {
    int nbond;
    int (*bond)[2];       /* atoms, smaller index first        (nbond)          */
    int *neighbour_first; /* start of each atom's neighbours   (natom + 1)      */
    int *neighbour;       /* bonded atoms, rising              (2 nbond)        */
    int ncrosslink;
    int (*crosslink)[2]; /* disulfides and recorded links that no chain makes  (ncrosslink)      */
} cardo_bonds;

/* Finds the bonds. templates_path: topologies/residues.xml. Bonds inside standard residues and to
 * the previous residue of the same chain exist where both atoms do; a chain break (C-N beyond 0.25
 * nm) gets no bond. Disulfides: SSBOND records, and pairs of CYS SG without HG closer than 0.3 nm.
 * Links of the file (LINK, _struct_conn) are bonds where neither atom is a metal and they are nearer
 * than 1.3 sums of their covalent radii; inside a residue only where no template knows its bonds. Of a molecule (HETATM) that neither
 * template nor file knows: heavy atoms by the same distance, and each hydrogen to the heavy atom nearest to it.
 * The caller owns *out. */
cardo_status cardo_bonds_find(const cardo_structure *structure, const char *templates_path,
                              cardo_bonds **out, cardo_error *error);
void cardo_bonds_destroy(cardo_bonds *bonds);

/* Renames atoms and residues from known aliases to the standard names in place (HSD -> HIS, HN ->
 * H, ...), and deuterium to hydrogen's (DE21 -> HE21) where the residue has none of that name, so that templates and bonds by name apply. */
cardo_status cardo_normalise_names(cardo_structure *structure, const char *templates_path,
                                   cardo_error *error);

#endif
