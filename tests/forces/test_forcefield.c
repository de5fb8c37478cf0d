/* The rules of the force-field reader one by one, on small molecules and files written here; and
 * every way in which files or structures can be wrong. Whole proteins are in
 * test_forcefield_reference. */
#include "molecule.h"
#include "support/support.h"

#include "forces/ffxml/forcefield.h"
#include "structure/pdb/pdb.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- a chain of four carbons with types A, B, C, D; classes X (A and B) and Y (C and D) ---- */

#define CHAIN_TYPES                                                                                \
    "<ForceField><AtomTypes>"                                                                      \
    "<Type name='A' class='X' element='C' mass='12'/><Type name='B' class='X' element='C' "        \
    "mass='13'/>"                                                                                  \
    "<Type name='C' class='Y' element='N' mass='14'/><Type name='D' class='Y' element='O' "        \
    "mass='15'/>"                                                                                  \
    "</AtomTypes><Residues><Residue name='CHN'>"                                                   \
    "<Atom name='a' type='A'/><Atom name='b' type='B'/><Atom name='c' type='C'/><Atom name='d' "   \
    "type='D'/>"                                                                                   \
    "<Bond from='0' to='1'/><Bond atomName1='b' atomName2='c'/><Bond from='2' to='3'/>"            \
    "</Residue></Residues>"

static const int chain[3][2] = {{0, 1}, {1, 2}, {2, 3}};

static void chain_with(molecule *m, const char *sections)
{
    char text[4000];
    snprintf(text, sizeof text, CHAIN_TYPES "%s</ForceField>", sections);
    molecule_make(m, "CCNO", 4, 3, chain);
    molecule_apply(m, text);
}

static void test_bonds_by_type_and_class(void **state)
{
    (void)state;
    molecule m;
    /* The first line that fits wins, in either order; k = 0 adds nothing; unknown names drop a
     * line. */
    chain_with(&m, "<HarmonicBondForce>"
                   "<Bond type1='A' type2='ZZ' length='9' k='9'/>"
                   "<Bond class1='W' class2='X' length='9' k='9'/>"
                   "<Bond type1='C' class2='X' length='0.2' k='20'/>"
                   "<Bond class1='X' class2='X' length='0.1' k='10'/>"
                   "<Bond type1='A' type2='B' length='9' k='9'/>"
                   "<Bond type1='D' type2='' length='9' k='0'/>"
                   "<Bond class1='' class2='' length='9' k='9'/>"
                   "</HarmonicBondForce>");
    assert_int_equal(m.terms->nbond, 2);
    assert_close(cardo_terms_bond(m.terms, 0).length, 0.1, 0);
    assert_close(cardo_terms_bond(m.terms, 1).length, 0.2, 0);
    assert_close(cardo_terms_bond(m.terms, 1).k, 20, 0);
    assert_close(cardo_terms_mass(m.terms, 2), 14, 0);
    assert_false(m.terms->has_nonbonded);
    molecule_release(&m);
}

static void test_angles(void **state)
{
    (void)state;
    molecule m;
    chain_with(&m, "<HarmonicAngleForce>"
                   "<Angle type1='A' type2='C' type3='B' angle='9' k='9'/>"
                   "<Angle class1='Y' class2='X' class3='X' angle='1' k='10'/>"
                   "<Angle class1='' class2='Y' type3='D' angle='2' k='20'/>"
                   "</HarmonicAngleForce>");
    assert_int_equal(m.terms->nangle, 2);
    assert_close(cardo_terms_angle(m.terms, 0).angle, 1, 0);
    assert_int_equal(cardo_terms_angle(m.terms, 0).b, 1);
    assert_close(cardo_terms_angle(m.terms, 1).angle, 2, 0);
    molecule_release(&m);
}

static void test_specific_proper_beats_wildcard(void **state)
{
    (void)state;
    molecule m;
    chain_with(
        &m, "<PeriodicTorsionForce>"
            "<Proper class1='' class2='X' class3='Y' class4='' periodicity1='1' phase1='0' k1='1'/>"
            "<Proper type1='D' type2='C' type3='B' type4='A' periodicity1='2' phase1='0.5' k1='2' "
            "periodicity2='3' phase2='0' k2='0' periodicity3='4' phase3='0' k3='4'/>"
            "<Proper type1='A' type2='B' type3='C' type4='D' periodicity1='5' phase1='0' k1='5'/>"
            "</PeriodicTorsionForce>");
    assert_int_equal(m.terms->ntorsion, 2);
    assert_int_equal(cardo_terms_torsion(m.terms, 0).periodicity, 2);
    assert_close(cardo_terms_torsion(m.terms, 0).phase, 0.5, 0);
    assert_int_equal(cardo_terms_torsion(m.terms, 1).periodicity, 4);
    molecule_release(&m);
}

static void test_first_wildcard_proper(void **state)
{
    (void)state;
    molecule m;
    chain_with(
        &m,
        "<PeriodicTorsionForce>"
        "<Proper class1='' class2='X' class3='Y' class4='' periodicity1='1' phase1='0' k1='1'/>"
        "<Proper class1='' class2='X' class3='Y' class4='Y' periodicity1='2' phase1='0' k1='1'/>"
        "</PeriodicTorsionForce>");
    assert_int_equal(m.terms->ntorsion, 1);
    assert_int_equal(cardo_terms_torsion(m.terms, 0).periodicity, 1);
    molecule_release(&m);
}

static void test_exceptions(void **state)
{
    (void)state;
    molecule m;
    chain_with(&m, "<NonbondedForce coulomb14scale='0.5' lj14scale='0.25'>"
                   "<Atom class='X' charge='2' sigma='0.2' epsilon='4'/>"
                   "<Atom class='Y' charge='-1' sigma='0.4' epsilon='1'/>"
                   "<Atom type='B' charge='1' sigma='0.2' epsilon='4'/>"
                   "</NonbondedForce>");
    assert_true(m.terms->has_nonbonded);
    assert_close(cardo_terms_charge(m.terms, 0), 2, 0);
    assert_close(cardo_terms_charge(m.terms, 1), 1, 0);
    assert_int_equal(m.terms->nexception, 6);
    for (int k = 0; k < 6; ++k) {
        const cardo_exception_term e = cardo_terms_exception(m.terms, k);
        bool far = e.a == 0 && e.b == 3;
        assert_close(e.charge_product, far ? -1 : 0, 1e-15);
        assert_close(e.sigma, far ? 0.3 : 1, 1e-15);
        assert_close(e.epsilon, far ? 0.5 : 0, 1e-15);
    }
    molecule_release(&m);
}

static void test_charges_from_residues(void **state)
{
    (void)state;
    molecule m;
    molecule_make(&m, "CN", 2, 1, (const int[1][2]){{0, 1}});
    molecule_apply(
        &m,
        "<ForceField><AtomTypes><Type name='A' class='X' element='C' mass='12'/>"
        "<Type name='B' class='X' element='N' mass='14'/></AtomTypes><Residues><Residue name='R'>"
        "<Atom name='a' type='A' charge='0.3'/><Atom name='b' type='B' charge='-0.3'/>"
        "<Bond from='0' to='1'/></Residue></Residues>"
        "<NonbondedForce coulomb14scale='1' lj14scale='1'><UseAttributeFromResidue name='charge'/>"
        "<Atom class='X' sigma='0.3' epsilon='1'/></NonbondedForce></ForceField>");
    assert_close(cardo_terms_charge(m.terms, 0), 0.3, 0);
    assert_close(cardo_terms_charge(m.terms, 1), -0.3, 0);
    molecule_release(&m);
}

/* ---- impropers: centre c with three neighbours ---- */

/* A star: atom 3 in the middle of 0, 1, 2, with elements and types as given; returns the one
 * torsion's atoms. */
static void improper_of(const char *elements, const char *types, const char *section, int atoms[4])
{
    molecule m;
    char text[4000];
    int n = snprintf(text, sizeof text, "<ForceField><AtomTypes>");
    for (const char *t = "ABCHNO"; *t; ++t)
        for (const char *e = "CHNO"; *e; ++e)
            n += snprintf(text + n, sizeof text - (size_t)n,
                          "<Type name='%c%c' class='%c' element='%c' mass='1'/>", *t, *e, *t, *e);
    n += snprintf(text + n, sizeof text - (size_t)n, "</AtomTypes><Residues><Residue name='S'>");
    for (int i = 0; i < 4; ++i)
        n += snprintf(text + n, sizeof text - (size_t)n, "<Atom name='%d' type='%c%c'/>", i,
                      types[i], elements[i]);
    snprintf(text + n, sizeof text - (size_t)n,
             "<Bond from='0' to='3'/><Bond from='1' to='3'/><Bond from='2' to='3'/>"
             "</Residue></Residues>%s</ForceField>",
             section);
    molecule_make(&m, elements, 4, 3, (const int[3][2]){{0, 3}, {1, 3}, {2, 3}});
    molecule_apply(&m, text);
    assert_int_equal(m.terms->ntorsion, 1);
    const cardo_torsion_term t = cardo_terms_torsion(m.terms, 0);
    memcpy(atoms, (int[4]){t.a, t.b, t.c, t.d}, 4 * sizeof *atoms);
    molecule_release(&m);
}

#define IMPROPER(ordering, c1, c2, c3, c4)                                                         \
    "<PeriodicTorsionForce" ordering "><Improper class1='" c1 "' class2='" c2 "' class3='" c3      \
    "' class4='" c4 "' periodicity1='2' phase1='3.14' k1='1'/></PeriodicTorsionForce>"

static void assert_atoms(const int atoms[4], int a, int b, int c, int d)
{
    if (atoms[0] != a || atoms[1] != b || atoms[2] != c || atoms[3] != d)
        fail_msg("improper %d %d %d %d, expected %d %d %d %d", atoms[0], atoms[1], atoms[2],
                 atoms[3], a, b, c, d);
}

static void test_improper_default_order(void **state)
{
    (void)state;
    int atoms[4];
    /* Places 2 and 3 are wildcards, so neighbours 0 and 1 stand there: carbon goes first. */
    improper_of("NCOC", "ABCA", IMPROPER("", "A", "", "", "C"), atoms);
    assert_atoms(atoms, 1, 0, 3, 2);
    /* Equal elements: the lower index first, whatever the definition's order. */
    improper_of("CCOC", "ABCA", IMPROPER("", "A", "B", "A", "C"), atoms);
    assert_atoms(atoms, 0, 1, 3, 2);
    /* Neither is carbon: the heavier first. */
    improper_of("NOCC", "ABCA", IMPROPER("", "A", "A", "B", "C"), atoms);
    assert_atoms(atoms, 1, 0, 3, 2);
    /* Carbon first already: stays. */
    improper_of("CONC", "ABCA", IMPROPER("", "A", "A", "B", "C"), atoms);
    assert_atoms(atoms, 0, 1, 3, 2);
}

static void test_improper_charmm_order(void **state)
{
    (void)state;
    int atoms[4];
    improper_of("NCOC", "ABCA", IMPROPER(" ordering='charmm'", "A", "C", "A", "B"), atoms);
    assert_atoms(atoms, 3, 2, 0, 1);
    improper_of("NCOC", "ABCA", IMPROPER(" ordering='charmm'", "A", "", "", "C"), atoms);
    assert_atoms(atoms, 1, 0, 3, 2);
}

static void test_improper_amber_order(void **state)
{
    (void)state;
    int atoms[4];
    /* No wildcard: different types stay where the definition has them, also against the index. */
    improper_of("CNOC", "ABCA", IMPROPER(" ordering='amber'", "A", "C", "A", "B"), atoms);
    assert_atoms(atoms, 2, 0, 3, 1);
    /* Wildcards: places 2 and 3 in template order whatever the elements, place 4 as defined. */
    improper_of("CNOC", "CABA", IMPROPER(" ordering='amber'", "A", "", "", "C"), atoms);
    assert_atoms(atoms, 1, 2, 3, 0);
    /* Wildcards, place 4 of the same element as place 2 but earlier: they change places. */
    improper_of("CNCC", "CABA", IMPROPER(" ordering='amber'", "A", "B", "", "C"), atoms);
    assert_atoms(atoms, 0, 1, 3, 2);
}

static void test_improper_smirnoff_trefoil(void **state)
{
    (void)state;
    molecule m;
    molecule_make(&m, "CCCN", 4, 3, (const int[3][2]){{0, 3}, {1, 3}, {2, 3}});
    molecule_apply(
        &m,
        "<ForceField><AtomTypes><Type name='A' class='A' element='C' mass='1'/>"
        "<Type name='N' class='N' element='N' mass='1'/></AtomTypes><Residues><Residue name='S'>"
        "<Atom name='0' type='A'/><Atom name='1' type='A'/><Atom name='2' type='A'/>"
        "<Atom name='3' type='N'/><Bond from='0' to='3'/><Bond from='1' to='3'/><Bond from='2' "
        "to='3'/>"
        "</Residue></Residues>" IMPROPER(" ordering='smirnoff'", "N", "A", "A",
                                         "A") "</ForceField>");
    assert_int_equal(m.terms->ntorsion, 3);
    for (int k = 0; k < 3; ++k)
        assert_int_equal(cardo_terms_torsion(m.terms, k).a, 3);
    assert_int_equal(cardo_terms_torsion(m.terms, 1).b, 1);
    assert_int_equal(cardo_terms_torsion(m.terms, 2).b, 2);
    molecule_release(&m);
}

#define STARS                                                                                      \
    "<ForceField><AtomTypes><Type name='A' class='A' element='C' mass='1'/>"                       \
    "<Type name='B' class='B' element='O' mass='1'/><Type name='F' class='F' element='F' "         \
    "mass='1'/>"                                                                                   \
    "<Type name='N' class='N' element='N' mass='1'/><Type name='S' class='S' element='S' "         \
    "mass='1'/>"                                                                                   \
    "</AtomTypes><Residues><Residue name='plain'><Atom name='a' type='A'/><Atom name='b' "         \
    "type='B'/>"                                                                                   \
    "<Atom name='f' type='F'/><Atom name='n' type='N'/><Bond from='0' to='3'/><Bond from='1' "     \
    "to='3'/>"                                                                                     \
    "<Bond from='2' to='3'/></Residue><Residue name='tailed'><Atom name='b' type='B'/>"            \
    "<Atom name='a' type='A'/><Atom name='f' type='F'/><Atom name='n' type='N'/>"                  \
    "<Atom name='s' type='S'/><Bond from='0' to='3'/><Bond from='1' to='3'/><Bond from='2' "       \
    "to='3'/>"                                                                                     \
    "<Bond from='2' to='4'/></Residue></Residues>" IMPROPER(" ordering='amber'", "N", "", "",      \
                                                            "F") "</ForceField>"

/* By the rule alone the second star, whose template lists O before C, would have them in that
 * order; OpenMM applies the permutation found for the first star of these types to all. */
static void test_improper_permutation_is_remembered(void **state)
{
    (void)state;
    molecule m;
    molecule_make(&m, "COFNS", 5, 4, (const int[4][2]){{0, 3}, {1, 3}, {2, 3}, {2, 4}});
    molecule_apply(&m, STARS);
    assert_int_equal(m.terms->ntorsion, 1);
    assert_int_equal(cardo_terms_torsion(m.terms, 0).a, 1);
    assert_int_equal(cardo_terms_torsion(m.terms, 0).b, 0);
    molecule_release(&m);
    molecule_make(&m, "COFNCOFNS", 4, 7,
                  (const int[7][2]){{0, 3}, {1, 3}, {2, 3}, {4, 7}, {5, 7}, {6, 7}, {6, 8}});
    molecule_apply(&m, STARS);
    assert_int_equal(m.terms->ntorsion, 2);
    assert_int_equal(cardo_terms_torsion(m.terms, 0).a, 0);
    assert_int_equal(cardo_terms_torsion(m.terms, 0).b, 1);
    assert_int_equal(cardo_terms_torsion(m.terms, 1).a, 4);
    assert_int_equal(cardo_terms_torsion(m.terms, 1).b, 5);
    molecule_release(&m);
}

/* ---- templates ---- */

#define TWO_TYPES                                                                                  \
    "<ForceField><AtomTypes><Type name='C' class='C' element='C' mass='12'/>"                      \
    "<Type name='C2' class='C' element='C' mass='12'/>"                                            \
    "<Type name='N' class='N' element='N' mass='14'/></AtomTypes>"

static void test_external_bonds_decide(void **state)
{
    (void)state;
    molecule m;
    /* C0-N1 | C2-N3 bonded N1-C2: an end without and one with a bond at C. */
    molecule_make(&m, "CNCN", 2, 3, (const int[3][2]){{0, 1}, {1, 2}, {2, 3}});
    molecule_apply(
        &m, TWO_TYPES
        "<Residues>"
        "<Residue name='first'><Atom name='c' type='C'/><Atom name='n' type='N'/>"
        "<Bond from='0' to='1'/><ExternalBond from='1'/></Residue>"
        "<Residue name='last'><Atom name='n' type='N'/><Atom name='c' type='C2'/>"
        "<Bond atomName1='c' atomName2='n'/><ExternalBond atomName='c'/></Residue>"
        "</Residues><NonbondedForce coulomb14scale='1' lj14scale='1'>"
        "<Atom type='C' charge='1' sigma='1' epsilon='0'/>"
        "<Atom type='C2' charge='2' sigma='1' epsilon='0'/>"
        "<Atom type='N' charge='3' sigma='1' epsilon='0'/></NonbondedForce></ForceField>");
    assert_close(cardo_terms_charge(m.terms, 0), 1, 0);
    assert_close(cardo_terms_charge(m.terms, 2), 2, 0);
    assert_close(cardo_terms_charge(m.terms, 3), 3, 0);
    molecule_release(&m);
}

/* Rings of six and two rings of three have the same atoms and bonds each: only backtracking tells
 * them apart. */
static void test_graphs_are_compared(void **state)
{
    (void)state;
    molecule m;
    molecule_make(&m, "CCCCCC", 6, 6,
                  (const int[6][2]){{0, 1}, {1, 2}, {0, 2}, {3, 4}, {4, 5}, {3, 5}});
    assert_ok(
        molecule_read(&m, TWO_TYPES
                      "<Residues><Residue name='ring'>"
                      "<Atom name='0' type='C'/><Atom name='1' type='C'/><Atom name='2' "
                      "type='C'/><Atom name='3' type='C'/><Atom name='4' type='C'/>"
                      "<Atom name='5' type='C'/><Bond from='0' to='1'/><Bond from='1' to='2'/>"
                      "<Bond from='2' to='3'/><Bond from='3' to='4'/><Bond from='4' to='5'/>"
                      "<Bond from='5' to='0'/></Residue></Residues></ForceField>"),
        &m.error);
    assert_fails(molecule_assign(&m), &m.error, CARDO_ERROR_INPUT,
                 "1 of 1 residues match no template");
    molecule_release(&m);
}

#define PAIR(name, type, more)                                                                     \
    "<Residue name='" name "'" more "><Atom name='c' type='" type                                  \
    "'/><Atom name='n' type='N'/><Bond from='0' to='1'/></Residue>"

static void test_two_templates(void **state)
{
    (void)state;
    const int one[1][2] = {{0, 1}};
    molecule m;
    molecule_make(&m, "CN", 2, 1, one);
    molecule_apply(&m, TWO_TYPES "<Residues>" PAIR("a", "C", "")
                           PAIR("b", "C", "") "</Residues></ForceField>");
    molecule_release(&m);
    molecule_make(&m, "CN", 2, 1, one);
    assert_ok(molecule_read(&m, TWO_TYPES "<Residues>" PAIR("a", "C", "")
                                    PAIR("b", "C2", "") "</Residues></ForceField>"),
              &m.error);
    assert_fails(molecule_assign(&m), &m.error, CARDO_ERROR_INPUT,
                 "A:MOL1 fits the templates a and b, which give different parameters");
    molecule_release(&m);
    molecule_make(&m, "CN", 2, 1, one);
    molecule_apply(
        &m, TWO_TYPES "<Residues>" PAIR("a", "C", "") PAIR("a", "C2", " override='1'")
                PAIR("a", "C", " override='0'") "</Residues>"
                                                "<NonbondedForce coulomb14scale='1' lj14scale='1'>"
                                                "<Atom type='C2' charge='7' sigma='1' epsilon='0'/>"
                                                "<Atom type='N' charge='1' sigma='1' "
                                                "epsilon='0'/></NonbondedForce></ForceField>");
    assert_close(cardo_terms_charge(m.terms, 0), 7, 0);
    molecule_release(&m);
}

/* ---- files ---- */

static void test_includes(void **state)
{
    (void)state;
    molecule m;
    molecule_make(&m, "CN", 2, 1, (const int[1][2]){{0, 1}});
    /* The included file has the types that this one's residue needs, and includes this one back. */
    support_write("types.xml", TWO_TYPES "<Include file='ff.xml'/></ForceField>");
    molecule_apply(
        &m, "<ForceField><Include file='types.xml'/><Include file='types.xml'/><Residues>" PAIR(
                "a", "C", "") "</Residues></ForceField>");
    assert_close(cardo_terms_mass(m.terms, 1), 14, 0);
    molecule_release(&m);
    molecule_make(&m, "CN", 2, 1, (const int[1][2]){{0, 1}});
    assert_fails(molecule_read(&m, "<ForceField>\n<Include file='missing.xml'/></ForceField>"),
                 &m.error, CARDO_ERROR_INPUT, "ff.xml:2: missing.xml");
    molecule_release(&m);
}

static void test_obc2_once(void **state)
{
    (void)state;
    cardo_error error = {0};
    cardo_forcefield *forcefield = NULL;
    const char *paths[3] = {support_source("forcefields/ff99SB.xml"),
                            support_source("forcefields/ff99SB_obc.xml"),
                            support_source("forcefields/implicit/obc2.xml")};
    assert_fails(cardo_forcefield_read(3, paths, &forcefield, &error), &error, CARDO_ERROR_INPUT,
                 "two solvent models");
    assert_fails(cardo_forcefield_read(0, paths, &forcefield, &error), &error, CARDO_ERROR_ARGUMENT,
                 "no force-field file");
    assert_fails(cardo_forcefield_read(1, paths + 1, &forcefield, &error), &error,
                 CARDO_ERROR_INPUT, "no file of the force field has residue templates");
    paths[0] = "/nowhere/ff.xml";
    assert_fails(cardo_forcefield_read(1, paths, &forcefield, &error), &error, CARDO_ERROR_FILE,
                 "/nowhere/ff.xml");
    assert_null(forcefield);
}

typedef struct wrong_file {
    const char *text;
    cardo_status status;
    const char *message;
} wrong_file;

static const wrong_file wrong_files[] = {
    {"<ForceField>\n<AtomTypes>\n</ForceField>", CARDO_ERROR_INPUT, "ff.xml:3"},
    {"<Residues/>", CARDO_ERROR_INPUT, "expected <ForceField>"},
    {"<ForceField><AtomTypes>\n<Type name='A' mass='1'/></AtomTypes></ForceField>",
     CARDO_ERROR_INPUT, "ff.xml:2: <Type> needs an attribute 'class'"},
    {"<ForceField><AtomTypes>\n<Type name='A' class='A' mass='heavy'/></AtomTypes></ForceField>",
     CARDO_ERROR_INPUT, "ff.xml:2"},
    {"<ForceField><AtomTypes><Type name='A' class='A' mass='-1'/></AtomTypes></ForceField>",
     CARDO_ERROR_INPUT, "must not be negative"},
    {"<ForceField><AtomTypes>\n<Type name='A' class='A' element='Qq' "
     "mass='1'/></AtomTypes></ForceField>",
     CARDO_ERROR_INPUT, "ff.xml:2: atom type 'A' has the unknown element 'Qq'"},
    {"<ForceField><AtomTypes><Type name='A' class='A' mass='1'/>\n<Type name='A' class='A' "
     "mass='1'/>"
     "</AtomTypes></ForceField>",
     CARDO_ERROR_INPUT, "ff.xml:2: atom type 'A' is defined a second time"},
    {TWO_TYPES
     "<Residues><Residue name='R'>\n<Atom name='a' type='Z'/></Residue></Residues></ForceField>",
     CARDO_ERROR_INPUT,
     "ff.xml:2: atom a of residue R has the type 'Z', which no <AtomTypes> defines"},
    {TWO_TYPES "<Residues><Residue name='R'><Atom name='a' type='C'/>\n<Atom name='a' type='C'/>"
               "</Residue></Residues></ForceField>",
     CARDO_ERROR_INPUT, "ff.xml:2: residue R has two atoms named a"},
    {TWO_TYPES "<Residues><Residue name='R'><Atom name='a' type='C'/>\n<Bond from='0' to='1'/>"
               "</Residue></Residues></ForceField>",
     CARDO_ERROR_INPUT, "ff.xml:2: residue R has no atom 1: it has 1, counted from 0"},
    {TWO_TYPES "<Residues><Residue name='R'><Atom name='a' type='C'/>\n<Bond from='-1' to='0'/>"
               "</Residue></Residues></ForceField>",
     CARDO_ERROR_INPUT, "ff.xml:2"},
    {TWO_TYPES "<Residues><Residue name='R'><Atom name='a' type='C'/>\n<Bond from='0' to='0'/>"
               "</Residue></Residues></ForceField>",
     CARDO_ERROR_INPUT, "bonds its atom a to itself"},
    {TWO_TYPES "<Residues><Residue name='R'><Atom name='a' type='C'/>\n<ExternalBond atomName='q'/>"
               "</Residue></Residues></ForceField>",
     CARDO_ERROR_INPUT, "ff.xml:2: residue R has no atom named q"},
    {TWO_TYPES "<Residues><Residue name='R'><Atom name='a' type='C'/>\n<ExternalBond/>"
               "</Residue></Residues></ForceField>",
     CARDO_ERROR_INPUT, "ff.xml:2: <ExternalBond> of residue R needs atomName or from"},
    {TWO_TYPES "<Residues>" PAIR("a", "C", "") "\n" PAIR("a", "C2", "") "</Residues></ForceField>",
     CARDO_ERROR_INPUT, "residue a is defined already at"},
    {CHAIN_TYPES "<HarmonicBondForce>\n<Bond class1='X' type1='A' class2='X' length='1' k='1'/>"
                 "</HarmonicBondForce></ForceField>",
     CARDO_ERROR_INPUT, "ff.xml:2: <Bond> has both type1 and class1"},
    {CHAIN_TYPES
     "<HarmonicBondForce>\n<Bond class1='X' class2='X' k='1'/></HarmonicBondForce></ForceField>",
     CARDO_ERROR_INPUT, "ff.xml:2: <Bond> needs an attribute 'length'"},
    {CHAIN_TYPES
     "<PeriodicTorsionForce>\n<Proper class1='X' class2='X' class3='X' class4='X' phase1='0'/>"
     "</PeriodicTorsionForce></ForceField>",
     CARDO_ERROR_INPUT, "ff.xml:2: <Proper> needs an attribute 'periodicity1'"},
    {CHAIN_TYPES "\n<PeriodicTorsionForce ordering='ambr'/></ForceField>", CARDO_ERROR_INPUT,
     "ff.xml:2: ordering=\"ambr\" is unknown"},
    {CHAIN_TYPES "\n<NonbondedForce lj14scale='1'/></ForceField>", CARDO_ERROR_INPUT,
     "ff.xml:2: <NonbondedForce> needs an attribute 'coulomb14scale'"},
    {CHAIN_TYPES
     "<NonbondedForce coulomb14scale='1' lj14scale='1'>\n<Atom type='A' charge='1' sigma='1'/>"
     "</NonbondedForce></ForceField>",
     CARDO_ERROR_INPUT, "ff.xml:2: <Atom> lacks the attribute 'epsilon'"},
    {CHAIN_TYPES
     "<NonbondedForce coulomb14scale='1' lj14scale='1'><UseAttributeFromResidue name='charge'/>\n"
     "<Atom type='A' charge='1' sigma='1' epsilon='1'/></NonbondedForce></ForceField>",
     CARDO_ERROR_INPUT, "ff.xml:2: 'charge' is given here and by <UseAttributeFromResidue>"},
    {CHAIN_TYPES
     "<NonbondedForce coulomb14scale='1' lj14scale='1'>\n<UseAttributeFromResidue name='spin'/>"
     "</NonbondedForce></ForceField>",
     CARDO_ERROR_INPUT, "ff.xml:2: <NonbondedForce> has no attribute 'spin'"},
    {CHAIN_TYPES "<NonbondedForce coulomb14scale='1' lj14scale='1'/>\n"
                 "<NonbondedForce coulomb14scale='0.8' lj14scale='1'/></ForceField>",
     CARDO_ERROR_INPUT, "ff.xml:2: 1-4 scales 0.8, 1 differ from 1, 1 at"},
    {CHAIN_TYPES "\n<AmoebaVdwForce><Map>0</Map></AmoebaVdwForce></ForceField>",
     CARDO_ERROR_UNSUPPORTED, "ff.xml:2: force section <AmoebaVdwForce> is not supported"},
    {CHAIN_TYPES "\n<HarmonicBondForces><Bond/></HarmonicBondForces></ForceField>",
     CARDO_ERROR_UNSUPPORTED, "did you mean <HarmonicBondForce>?"},
    {CHAIN_TYPES "\n<Script>import os</Script></ForceField>", CARDO_ERROR_UNSUPPORTED,
     "ff.xml:2: <Script> holds Python"},
    {CHAIN_TYPES "\n<InitializationScript>import os</InitializationScript></ForceField>",
     CARDO_ERROR_UNSUPPORTED, "ff.xml:2: <InitializationScript> holds Python"},
    {"", CARDO_ERROR_INPUT, "ff.xml"},
};

static void test_wrong_files(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof wrong_files / sizeof *wrong_files; ++k) {
        molecule m = {0};
        assert_fails(molecule_read(&m, wrong_files[k].text), &m.error, wrong_files[k].status,
                     wrong_files[k].message);
        assert_null(m.forcefield);
    }
}

/* What this version lacks is an error only where it matters. */
static void test_harmless_elements(void **state)
{
    (void)state;
    molecule m;
    chain_with(&m, "<Info><Source>x</Source></Info><AmoebaUreyBradleyForce/><Patches/>"
                   "<Patches><Patch name='P'/></Patches>");
    assert_int_equal(m.terms->natom, 4);
    molecule_release(&m);
}

static void test_atoms_without_parameters(void **state)
{
    (void)state;
    molecule m;
    molecule_make(&m, "CCNO", 4, 3, chain);
    assert_ok(molecule_read(&m, CHAIN_TYPES "\n<NonbondedForce coulomb14scale='1' lj14scale='1'>"
                                            "<Atom class='X' charge='1' sigma='1' epsilon='1'/>"
                                            "</NonbondedForce></ForceField>"),
              &m.error);
    assert_fails(molecule_assign(&m), &m.error, CARDO_ERROR_INPUT,
                 "N2 of A:MOL1 has the type 'C', for which <NonbondedForce>");
    assert_null(m.terms);
    molecule_release(&m);
    molecule_make(&m, "CCNO", 4, 3, chain);
    assert_ok(molecule_read(&m, CHAIN_TYPES
                            "<NonbondedForce coulomb14scale='1' lj14scale='1'>"
                            "<UseAttributeFromResidue name='charge'/>"
                            "<Atom class='' sigma='1' epsilon='1'/></NonbondedForce></ForceField>"),
              &m.error);
    assert_fails(molecule_assign(&m), &m.error, CARDO_ERROR_INPUT, "template CHN gives no charge");
    molecule_release(&m);
    molecule_make(&m, "CCNO", 4, 3, chain);
    assert_ok(molecule_read(&m, CHAIN_TYPES "</ForceField>"), &m.error);
    assert_ok(cardo_forcefield_use_solvent(m.forcefield, "obc2", &m.error), &m.error);
    assert_fails(molecule_assign(&m), &m.error, CARDO_ERROR_INPUT,
                 "implicit solvent needs charges");
    molecule_release(&m);
}

/* ---- residues that do not match ---- */

/* Reads text as a PDB file, applies ff14SB, and returns the message of the failure that must
 * follow. */
static void assert_unmatched(const char *pdb, size_t length, const char *forcefield,
                             cardo_status expected, cardo_error *error)
{
    cardo_structure *structure = NULL;
    cardo_bonds *bonds = NULL;
    cardo_forcefield *ff = NULL;
    cardo_terms *terms = NULL;
    const char *residues = support_source("topologies/residues.xml");
    assert_ok(cardo_pdb_parse(pdb, length, "test.pdb", 0, &structure, error), error);
    assert_ok(cardo_normalise_names(structure, residues, error), error);
    assert_ok(cardo_bonds_find(structure, residues, &bonds, error), error);
    assert_ok(cardo_forcefield_read(1, &forcefield, &ff, error), error);
    assert_fails(cardo_forcefield_assign(ff, structure, bonds, &terms, error), error, expected,
                 "match no template of the force field");
    cardo_forcefield_destroy(ff);
    cardo_bonds_destroy(bonds);
    cardo_structure_destroy(structure);
}

static void assert_says(const cardo_error *error, const char *words)
{
    if (!strstr(error->message, words))
        fail_msg("no '%s' in:\n%s", words, error->message);
}

/* Copies the lines of a PDB text, leaving out the atom named name (with its column padding) of one
 * residue. */
static char *without(const char *pdb, int residue, const char *name)
{
    char *out = calloc(strlen(pdb) + 1, 1);
    assert_non_null(out);
    for (const char *line = pdb; *line;) {
        const char *end = strchr(line, '\n');
        size_t length = end ? (size_t)(end - line) + 1 : strlen(line);
        bool drop = length > 26 && strncmp(line, "ATOM", 4) == 0 && atoi(line + 22) == residue &&
                    (!name || strncmp(line + 12, name, 4) == 0);
        if (!drop)
            strncat(out, line, length);
        line += length;
    }
    return out;
}

static char *read_shared(const char *name)
{
    FILE *f = fopen(support_shared(name), "rb");
    char *text = calloc(2000000, 1);
    assert_true(f && text);
    assert_true(fread(text, 1, 1999999, f) > 0);
    fclose(f);
    return text;
}

static void test_missing_atoms_and_gaps(void **state)
{
    (void)state;
    cardo_error error = {0};
    char *whole = read_shared("reference/openmm/1ubi/1ubi.pdb");
    char *a = without(whole, 50, " CD1"), *b = without(a, 60, "HD22"), *c = without(b, 31, NULL);
    assert_unmatched(c, strlen(c), support_source("forcefields/ff14SB.xml"), CARDO_ERROR_INPUT,
                     &error);
    assert_says(&error, "test.pdb: 4 of 75 residues");
    assert_says(&error, "A:ILE30: nearest template CILE; lacks OXT");
    assert_says(&error, "A:ASP32: nearest template NASP; lacks H2 H3");
    assert_says(&error, "A:LEU50: nearest template LEU; lacks CD1");
    assert_says(&error, "A:ASN60: nearest template ASN; lacks HD22");
    assert_says(&error, "add the missing hydrogens");
    assert_says(&error, "complete the missing atoms");
    free(whole);
    free(a);
    free(b);
    free(c);
}

static void test_crystal_structures_without_hydrogens(void **state)
{
    (void)state;
    static const char *const files[] = {"pdb/2lao.pdb", "pdb/1lst.pdb"};
    static const char *const words[][3] = {
        {":GLN4: nearest template GLN; lacks CG CD OE1 NE2", "235 more that lack hydrogens only",
         "HOH (89, first :HOH401)"},
        {"A:GLU177: nearest template GLU; lacks CG CD OE1 OE2", "230 more that lack hydrogens only",
         "HOH (199, first A:HOH401)"},
    };
    for (int k = 0; k < 2; ++k) {
        cardo_error error = {0};
        char *text = read_shared(files[k]);
        assert_unmatched(text, strlen(text), support_source("forcefields/ff14SB.xml"),
                         CARDO_ERROR_INPUT, &error);
        for (int w = 0; w < 3; ++w)
            assert_says(&error, words[k][w]);
        assert_says(&error, "the structure has no hydrogen atoms");
        free(text);
    }
}

/* However many residues fail and however, the message ends with advice and is not cut. */
static void test_messages_are_bounded(void **state)
{
    (void)state;
    cardo_error error = {0};
    char *pdb = calloc(4000000, 1), *end = pdb;
    assert_non_null(pdb);
    for (int r = 0; r < 9000; ++r)
        end += sprintf(end,
                       "HETATM%5d  C1  L%02d A%4d    %8.3f%8.3f%8.3f  1.00  0.00           C\n"
                       "HETATM%5d  H   ALA A%4d    %8.3f%8.3f%8.3f  1.00  0.00           H\n",
                       r, r % 90 + 10, r / 2 * 2, 0.0, 0.1 * (r % 1000), 0.0, r, r / 2 * 2 + 1, 5.0,
                       0.1 * (r % 1000), 0.0);
    assert_unmatched(pdb, strlen(pdb), support_source("forcefields/ff14SB.xml"), CARDO_ERROR_INPUT,
                     &error);
    assert_says(&error, "leave out what is like no template");
    assert_says(&error, ", and others");
    assert_true(strlen(error.message) < CARDO_ERROR_MESSAGE_SIZE - 1);
    free(pdb);
}

static void test_virtual_sites_are_refused_when_matched(void **state)
{
    (void)state;
    cardo_error error = {0};
    static const char water[] =
        "ATOM      1  O   HOH A   1       0.000   0.000   0.000  1.00  0.00           O\n"
        "ATOM      2  H1  HOH A   1       0.957   0.000   0.000  1.00  0.00           H\n"
        "ATOM      3  H2  HOH A   1      -0.240   0.927   0.000  1.00  0.00           H\n";
    const char *path = support_write(
        "tip4p.xml",
        "<ForceField><AtomTypes><Type name='O' class='O' element='O' mass='16'/>"
        "<Type name='H' class='H' element='H' mass='1'/><Type name='M' class='M' mass='0'/>"
        "</AtomTypes><Residues><Residue name='HOH'><Atom name='O' type='O'/>"
        "<Atom name='H1' type='H'/><Atom name='H2' type='H'/><Atom name='M' type='M'/>\n"
        "<VirtualSite type='average3' siteName='M' atomName1='O'/>"
        "<Bond from='0' to='1'/><Bond from='0' to='2'/></Residue></Residues></ForceField>");
    assert_unmatched(water, strlen(water), path, CARDO_ERROR_UNSUPPORTED, &error);
    assert_says(&error, "tip4p.xml:2: <VirtualSite> is not supported yet");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bonds_by_type_and_class),
        cmocka_unit_test(test_angles),
        cmocka_unit_test(test_specific_proper_beats_wildcard),
        cmocka_unit_test(test_first_wildcard_proper),
        cmocka_unit_test(test_exceptions),
        cmocka_unit_test(test_charges_from_residues),
        cmocka_unit_test(test_improper_default_order),
        cmocka_unit_test(test_improper_charmm_order),
        cmocka_unit_test(test_improper_amber_order),
        cmocka_unit_test(test_improper_smirnoff_trefoil),
        cmocka_unit_test(test_improper_permutation_is_remembered),
        cmocka_unit_test(test_external_bonds_decide),
        cmocka_unit_test(test_graphs_are_compared),
        cmocka_unit_test(test_two_templates),
        cmocka_unit_test(test_includes),
        cmocka_unit_test(test_obc2_once),
        cmocka_unit_test(test_wrong_files),
        cmocka_unit_test(test_harmless_elements),
        cmocka_unit_test(test_atoms_without_parameters),
        shared_test(test_missing_atoms_and_gaps),
        shared_test(test_crystal_structures_without_hydrogens),
        cmocka_unit_test(test_messages_are_bounded),
        cmocka_unit_test(test_virtual_sites_are_refused_when_matched),
    };
    return support_run(tests, NULL, NULL);
}
