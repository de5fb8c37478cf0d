#include "molecule.h"

#include "structure/pdb/pdb.h"
#include "support/support.h"

#include <stdio.h>
#include <string.h>

void molecule_make(molecule *m, const char *elements, int split, int nbond, const int (*bond)[2])
{
    char pdb[4000] = "";
    memset(m, 0, sizeof *m);
    int natom = (int)strlen(elements);
    for (int i = 0; i < natom; ++i) {
        char record[100];
        snprintf(record, sizeof record,
                 "ATOM  %5d  %c%d  MOL A%4d    %8.3f%8.3f%8.3f  1.00  0.00           %c\n", i + 1,
                 elements[i], i, i < split ? 1 : 2, 1.5 * i, 0.1 * i * i, 0.0, elements[i]);
        strcat(pdb, record);
    }
    assert_ok(cardo_pdb_parse(pdb, strlen(pdb), "m.pdb", 0, &m->structure, &m->error), &m->error);
    m->bonds = (cardo_bonds){
        .nbond = nbond, .bond = m->bond, .neighbour_first = m->first, .neighbour = m->neighbour};
    int n = 0;
    for (int i = 0; i < natom; ++i) {
        for (int other = 0; other < natom; ++other)
            for (int k = 0; k < nbond; ++k)
                if ((bond[k][0] == i && bond[k][1] == other) ||
                    (bond[k][1] == i && bond[k][0] == other))
                    m->neighbour[n++] = other;
        m->first[i + 1] = n;
    }
    for (int k = 0; k < nbond; ++k) {
        m->bond[k][0] = bond[k][0];
        m->bond[k][1] = bond[k][1];
    }
}

void molecule_release(molecule *m)
{
    cardo_terms_destroy(m->terms);
    cardo_forcefield_destroy(m->forcefield);
    cardo_structure_destroy(m->structure);
}

cardo_status molecule_read(molecule *m, const char *text)
{
    const char *path = support_write("ff.xml", text);
    return cardo_forcefield_read(1, &path, &m->forcefield, &m->error);
}

cardo_status molecule_assign(molecule *m)
{
    return cardo_forcefield_assign(m->forcefield, m->structure, &m->bonds, &m->terms, &m->error);
}

void molecule_apply(molecule *m, const char *text)
{
    assert_ok(molecule_read(m, text), &m->error);
    assert_ok(molecule_assign(m), &m->error);
}
