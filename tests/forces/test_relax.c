/* Contacts that relaxing avoids, against finite differences and by hand; strain against geometry. */
#include "base/units.h"
#include "forces/relax/relax.h"
#include "structure/pdb/pdb.h"
#include "support/support.h"

#include <string.h>

/* Methanol-like pieces: a serine's end, a carbonyl that may take its hydrogen, a methane beside it. */
static const char pieces[] =
    "ATOM      1  N   SER A   1      -0.500   1.300   0.000  1.00  0.00           N\n"
    "ATOM      2  CA  SER A   1       0.000   0.000   0.000  1.00  0.00           C\n"
    "ATOM      3  C   SER A   1      -0.700  -0.800   1.100  1.00  0.00           C\n"
    "ATOM      4  O   SER A   1      -1.900  -0.700   1.200  1.00  0.00           O\n"
    "ATOM      5  CB  SER A   1       1.500   0.000   0.200  1.00  0.00           C\n"
    "ATOM      6  OG  SER A   1       2.000  -1.300   0.000  1.00  0.00           O\n"
    "ATOM      7  HG  SER A   1       2.950  -1.250   0.100  1.00  0.00           H\n"
    "TER\n"
    "ATOM      8  N   GLY B   2       8.500   1.300   0.000  1.00  0.00           N\n"
    "ATOM      9  CA  GLY B   2       7.000   0.800   0.300  1.00  0.00           C\n"
    "ATOM     10  C   GLY B   2       6.000  -0.300   0.100  1.00  0.00           C\n"
    "ATOM     11  O   GLY B   2       4.900  -1.200   0.200  1.00  0.00           O\n"
    "ATOM     12  HA2 GLY B   2       4.600   0.200   0.300  1.00  0.00           H\n";

enum { OG = 5, HG = 6, O = 10, HA2 = 11, NATOM = 12 };

static cardo_structure *structure;
static cardo_bonds *bonds;

static int read_pieces(void **state)
{
    (void)state;
    cardo_error error = {0};
    assert_ok(cardo_pdb_parse(pieces, strlen(pieces), "pieces", 0, &structure, &error), &error);
    assert_ok(
        cardo_bonds_find(structure, support_source("topologies/residues.xml"), &bonds, &error),
        &error);
    assert_int_equal(structure->natom, NATOM);
    return 0;
}

static int clear_pieces(void **state)
{
    (void)state;
    cardo_bonds_destroy(bonds);
    cardo_structure_destroy(structure);
    return 0;
}

static cardo_contacts contacts_of(int movable_atom)
{
    cardo_error error = {0};
    cardo_contacts contacts = {0};
    bool movable[NATOM] = {false};
    movable[movable_atom] = true;
    assert_ok(cardo_contacts_find(&contacts, structure, bonds, movable, &error), &error);
    return contacts;
}

static bool has_pair(const cardo_contacts *contacts, int a, int b)
{
    for (int k = 0; k < contacts->count; ++k) {
        const int *atom = contacts->contact[k].atom;
        if ((atom[0] == a && atom[1] == b) || (atom[0] == b && atom[1] == a))
            return true;
    }
    return false;
}

static void hydrogen_bonds_and_bonded_atoms_are_no_contacts(void **state)
{
    (void)state;
    cardo_contacts contacts = contacts_of(HG);
    assert_true(has_pair(&contacts, HG, HA2));
    assert_false(has_pair(&contacts, HG, O));
    for (int bonded = 1; bonded < HG; ++bonded)
        assert_int_equal(has_pair(&contacts, HG, bonded), bonded == 2); /* C is four bonds off */
    cardo_contacts_clear(&contacts);
}

static void contacts_repel_below_their_limit_only(void **state)
{
    (void)state;
    cardo_contacts contacts = contacts_of(HG);
    double gradient[3 * NATOM] = {0}, position[3 * NATOM];
    memcpy(position, structure->position, sizeof position);
    position[3 * HA2] = position[3 * HG] + 0.21;
    position[3 * HA2 + 1] = position[3 * HG + 1];
    position[3 * HA2 + 2] = position[3 * HG + 2];
    assert_close(cardo_contacts_energy(&contacts, position, gradient), 0, 0);
    position[3 * HA2] = position[3 * HG] + 0.2;
    /* Half of 240000 kJ/mol/nm2 times the square of 0.85 x 0.24 - 0.2 nm. */
    assert_close(cardo_contacts_energy(&contacts, position, gradient), 1.92, 1e-9);
    position[3 * HA2] = position[3 * HG] + 0.184;
    /* And of 480000 kJ/mol/nm2 and 0.81 x 0.24 - 0.184 nm. */
    assert_close(cardo_contacts_energy(&contacts, position, gradient), 48 + 25.9584, 1e-9);
    cardo_contacts_clear(&contacts);
}

static void the_gradient_is_the_slope_of_the_energy(void **state)
{
    (void)state;
    cardo_contacts contacts = contacts_of(HG);
    double gradient[3 * NATOM] = {0}, ignored[3 * NATOM] = {0}, position[3 * NATOM];
    memcpy(position, structure->position, sizeof position);
    position[3 * HG] += 0.05; /* between the methane's hydrogen and its carbon's other atoms */
    position[3 * HG + 1] += 0.05;
    double energy = cardo_contacts_energy(&contacts, position, gradient);
    assert_true(energy > 1);
    for (int i = 0; i < 3 * NATOM; ++i) {
        const double step = 1e-7;
        double at = position[i];
        position[i] = at + step;
        double above = cardo_contacts_energy(&contacts, position, ignored);
        position[i] = at - step;
        double below = cardo_contacts_energy(&contacts, position, ignored);
        position[i] = at;
        assert_close((above - below) / (2 * step), gradient[i], 1e-3 + 1e-6 * fabs(gradient[i]));
    }
    cardo_contacts_clear(&contacts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hydrogen_bonds_and_bonded_atoms_are_no_contacts),
        cmocka_unit_test(contacts_repel_below_their_limit_only),
        cmocka_unit_test(the_gradient_is_the_slope_of_the_energy),
    };
    return cmocka_run_group_tests(tests, read_pieces, clear_pieces);
}
