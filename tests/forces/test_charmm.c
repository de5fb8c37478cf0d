/* What CHARMM's force fields have beyond AMBER's: terms, Lennard-Jones of its own section, patches. By
 * hand on small molecules, and constants of rigid bodies on crambin. */
#include "molecule.h"
#include "reference_case.h"
#include "support/evaluate.h"
#include "support/support.h"

#include "base/memory.h"
#include "base/units.h"
#include "forces/openmm/openmm.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- a chain of five atoms, types A to E ---- */

#define TYPES                                                                                      \
    "<ForceField><AtomTypes>"                                                                      \
    "<Type name='A' class='X' element='C' mass='12'/>"                                             \
    "<Type name='B' class='X' element='N' mass='14'/>"                                             \
    "<Type name='C' class='Y' element='C' mass='12'/>"                                             \
    "<Type name='D' class='Y' element='O' mass='16'/>"                                             \
    "<Type name='E' class='Z' element='S' mass='32'/></AtomTypes>"
#define CHAIN                                                                                      \
    "<Residues><Residue name='CHN'><Atom name='a' type='A' charge='0.5'/>"                         \
    "<Atom name='b' type='B' charge='-0.5'/><Atom name='c' type='C' charge='0.25'/>"               \
    "<Atom name='d' type='D' charge='-0.25'/><Atom name='e' type='E' charge='1'/>"                 \
    "<Bond from='0' to='1'/><Bond from='1' to='2'/><Bond from='2' to='3'/>"                        \
    "<Bond from='3' to='4'/></Residue></Residues>"

static const int chain[4][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 4}};

static void chain_with(molecule *m, const char *sections)
{
    char text[8000];
    snprintf(text, sizeof text, TYPES CHAIN "%s</ForceField>", sections);
    molecule_make(m, "CNCOS", 5, 4, chain);
    molecule_apply(m, text);
}

static void test_urey_bradley(void **state)
{
    (void)state;
    molecule m;
    chain_with(&m, "<AmoebaUreyBradleyForce>"
                   "<UreyBradley type1='C' type2='B' type3='A' d='0.25' k='100'/>"
                   "<UreyBradley class1='X' class2='X' class3='Y' d='9' k='9'/>"
                   "<UreyBradley type1='C' type2='C' type3='C' d='9' k='9'/>"
                   "</AmoebaUreyBradleyForce>");
    assert_int_equal(m.terms->nbond, 1);
    assert_int_equal(cardo_terms_bond(m.terms, 0).a, 0);
    assert_int_equal(cardo_terms_bond(m.terms, 0).b, 2);
    assert_close(cardo_terms_bond(m.terms, 0).length, 0.25, 0);
    assert_close(cardo_terms_bond(m.terms, 0).k, 200, 0);
    molecule_release(&m);
}

static void test_harmonic_torsions(void **state)
{
    (void)state;
    static const int star[3][2] = {{0, 1}, {0, 2}, {0, 3}};
    molecule m;
    chain_with(&m, "<CustomTorsionForce energy=' k * (theta-theta0)^2;'>"
                   "<PerTorsionParameter name='k'/><PerTorsionParameter name='theta0'/>"
                   "<Proper type1='' type2='C' type3='B' type4='' k='5' theta0='0.5'/>"
                   "<Proper type1='D' type2='C' type3='B' type4='A' k='7' theta0='0.25'/>"
                   "</CustomTorsionForce>");
    assert_int_equal(m.terms->nharmonic_torsion, 1);
    assert_close(cardo_terms_harmonic_torsion(m.terms, 0).k, 7, 0);
    assert_close(cardo_terms_harmonic_torsion(m.terms, 0).angle, 0.25, 0);
    molecule_release(&m);
    /* Impropers: the centre first, then in the order of the definition's types. */
    molecule_make(&m, "NOCC", 4, 3, star);
    molecule_apply(&m, TYPES
                   "<Residues><Residue name='R'><Atom name='n' type='B'/><Atom name='o' type='D'/>"
                   "<Atom name='a' type='A'/><Atom name='c' type='C'/><Bond from='0' to='1'/>"
                   "<Bond from='0' to='2'/><Bond from='0' to='3'/></Residue></Residues>"
                   "<CustomTorsionForce energy='k*(theta-theta0)^2'>"
                   "<Improper type1='B' type2='A' type3='C' type4='D' k='80' theta0='0'/>"
                   "</CustomTorsionForce></ForceField>");
    assert_int_equal(m.terms->nharmonic_torsion, 1);
    const cardo_harmonic_torsion_term *t = m.terms->list.harmonic_torsion;
    int a = cardo_terms_mass(m.terms, 2) == 12 ? 2 : 3;
    assert_int_equal(t->a, 0);
    assert_true((t->b == a && t->c == 5 - a) || (t->b == 5 - a && t->c == a));
    assert_int_equal(t->d, 1);
    molecule_release(&m);
    molecule_make(&m, "CNCOS", 5, 4, chain);
    assert_fails(molecule_read(&m, TYPES CHAIN "\n<CustomTorsionForce energy='k*theta'/>"
                                               "</ForceField>"),
                 &m.error, CARDO_ERROR_UNSUPPORTED,
                 "ff.xml:2: <CustomTorsionForce> with the energy");
    molecule_release(&m);
}

static void test_ryckaert_bellemans(void **state)
{
    (void)state;
    molecule m;
    chain_with(&m, "<RBTorsionForce>"
                   "<Proper type1='' type2='B' type3='C' type4='' c0='1' c1='2' c2='3' c3='4' "
                   "c4='5' c5='6'/></RBTorsionForce>");
    assert_int_equal(m.terms->nrb_torsion, 1);
    for (int n = 0; n < 6; ++n)
        assert_close(cardo_terms_rb_torsion(m.terms, 0).coefficient[n], n + 1, 0);
    molecule_release(&m);
}

/* ---- maps ---- */

#define MAP "<Map>0 1 2 3 4 5 6 7 8</Map>"

static void test_cmap(void **state)
{
    (void)state;
    molecule m;
    chain_with(&m, "<CMAPTorsionForce>" MAP MAP
                   "<Torsion map='1' type1='A' type2='B' type3='C' type4='D' type5='E'/>"
                   "</CMAPTorsionForce>");
    assert_int_equal(m.terms->nmap, 2);
    assert_int_equal(m.terms->ncmap, 1);
    assert_int_equal(cardo_terms_cmap(m.terms, 0).map, 1);
    for (int k = 0; k < 5; ++k)
        assert_int_equal(cardo_terms_cmap(m.terms, 0).atom[k], k);
    assert_close(m.terms->map[1].energy[5], 5, 0);
    molecule_release(&m);
    /* Backwards, after a definition with a wildcard; maps counted from their own element. */
    chain_with(&m, "<CMAPTorsionForce>" MAP "</CMAPTorsionForce><CMAPTorsionForce>" MAP MAP
                   "<Torsion map='0' type1='' type2='' type3='C' type4='' type5=''/>"
                   "<Torsion map='1' type1='E' type2='D' type3='C' type4='B' type5='A'/>"
                   "</CMAPTorsionForce>");
    assert_int_equal(m.terms->ncmap, 1);
    assert_int_equal(cardo_terms_cmap(m.terms, 0).map, 2);
    for (int k = 0; k < 5; ++k)
        assert_int_equal(cardo_terms_cmap(m.terms, 0).atom[k], 4 - k);
    molecule_release(&m);
    molecule_make(&m, "CNCOS", 5, 4, chain);
    assert_fails(molecule_read(&m, TYPES CHAIN "\n<CMAPTorsionForce><Map>0 1 2</Map>"
                                               "</CMAPTorsionForce></ForceField>"),
                 &m.error, CARDO_ERROR_INPUT, "ff.xml:2: a <Map> needs as many rows as columns");
    molecule_release(&m);
    molecule_make(&m, "CNCOS", 5, 4, chain);
    assert_fails(molecule_read(&m, TYPES CHAIN "\n<CMAPTorsionForce>" MAP
                                               "<Torsion map='1' type1='A' type2='A' type3='A' "
                                               "type4='A' type5='A'/></CMAPTorsionForce>"
                                               "</ForceField>"),
                 &m.error, CARDO_ERROR_INPUT, "ff.xml:2: there is no map 1: 1 are given here");
    molecule_release(&m);
}

/* ---- Lennard-Jones of its own section ---- */

#define CHARGES                                                                                    \
    "<NonbondedForce coulomb14scale='1' lj14scale='1'><UseAttributeFromResidue name='charge'/>"    \
    "<Atom class='X' sigma='1' epsilon='0'/><Atom class='Y' sigma='1' epsilon='0'/>"               \
    "<Atom class='Z' sigma='1' epsilon='0'/></NonbondedForce>"
#define LENNARD_JONES                                                                              \
    "<LennardJonesForce lj14scale='0.5'>"                                                          \
    "<Atom class='X' sigma='0.3' epsilon='0.4'/>"                                                  \
    "<Atom class='Y' sigma='0.2' epsilon='0.9' sigma14='0.1' epsilon14='0.16'/>"                   \
    "<Atom class='Z' sigma='0.25' epsilon='1'/>"

static const cardo_exception_term *exception(const molecule *m, int a, int b)
{
    for (int k = 0; k < m->terms->nexception; ++k)
        if (m->terms->list.exception[k].a == a && m->terms->list.exception[k].b == b)
            return &m->terms->list.exception[k];
    return NULL;
}

static void test_lennard_jones(void **state)
{
    (void)state;
    molecule m;
    chain_with(&m, CHARGES LENNARD_JONES "</LennardJonesForce>");
    assert_close(cardo_terms_sigma(m.terms, 3), 0.2, 0);
    assert_close(cardo_terms_epsilon(m.terms, 0), 0.4, 0);
    const cardo_exception_term *x = exception(&m, 0, 3);
    assert_non_null(x);
    assert_close(x->sigma, 0.5 * (0.3 + 0.1), 1e-15);
    assert_close(x->epsilon, 0.5 * sqrt(0.4 * 0.16), 1e-15);
    assert_close(x->charge_product, -0.125, 1e-15);
    assert_close(exception(&m, 0, 2)->epsilon, 0, 0);
    assert_null(exception(&m, 0, 4));
    assert_int_equal(m.terms->nspecial_pair, 0);
    molecule_release(&m);
}

/* A rule for a pair of types serves its 1-4 pairs, scaled, and all pairs farther apart. */
static void test_nbfix(void **state)
{
    (void)state;
    molecule m;
    cardo_force_provider *provider = NULL;
    cardo_openmm_options options = cardo_openmm_options_default();
    chain_with(&m, CHARGES LENNARD_JONES
               "<NBFixPair type1='A' type2='D' sigma='0.7' epsilon='2'/>"
               "<NBFixPair type1='E' class2='X' sigma='9' epsilon='9'/>"
               "<NBFixPair type1='E' class2='X' sigma='0.35' epsilon='3'/></LennardJonesForce>");
    assert_close(exception(&m, 0, 3)->sigma, 0.7, 0);
    assert_close(exception(&m, 0, 3)->epsilon, 1, 0);
    assert_close(exception(&m, 1, 4)->epsilon, 1.5, 0);
    const cardo_exception_term *x = exception(&m, 0, 4);
    assert_non_null(x);
    assert_close(x->sigma, 0.35, 0);
    assert_close(x->epsilon, 3, 0);
    assert_close(x->charge_product, 0.5, 1e-15);
    assert_int_equal(m.terms->nspecial_pair, 1);
    options.method = CARDO_CUTOFF;
    options.cutoff = 1;
    assert_fails(cardo_openmm_provider_create(m.terms, NULL, m.structure->position, &options,
                                              &provider, &m.error),
                 &m.error, CARDO_ERROR_UNSUPPORTED, "1 pairs of atoms have Lennard-Jones rules");
    molecule_release(&m);
}

static void test_two_lennard_jones(void **state)
{
    (void)state;
    molecule m;
    molecule_make(&m, "CNCOS", 5, 4, chain);
    assert_ok(molecule_read(&m, TYPES CHAIN "<NonbondedForce coulomb14scale='1' lj14scale='1'>"
                                            "<Atom class='' charge='0' sigma='1' epsilon='1'/>"
                                            "</NonbondedForce>" LENNARD_JONES
                                            "</LennardJonesForce></ForceField>"),
              &m.error);
    assert_fails(molecule_assign(&m), &m.error, CARDO_ERROR_UNSUPPORTED,
                 "type 'A' has an epsilon in <NonbondedForce> beside <LennardJonesForce>");
    molecule_release(&m);
    molecule_make(&m, "CNCOS", 5, 4, chain);
    assert_ok(molecule_read(&m, TYPES CHAIN LENNARD_JONES "</LennardJonesForce></ForceField>"),
              &m.error);
    assert_fails(molecule_assign(&m), &m.error, CARDO_ERROR_UNSUPPORTED,
                 "<LennardJonesForce> without a <NonbondedForce>");
    molecule_release(&m);
}

/* All new terms through OpenMM's Reference platform, against the evaluator of our own. */
static void test_energies(void **state)
{
    (void)state;
    molecule m;
    cardo_force_provider *provider = NULL;
    cardo_openmm_options options = cardo_openmm_options_default();
    double energies[8];
    chain_with(&m, "<RBTorsionForce>"
                   "<Proper type1='' type2='B' type3='C' type4='' c0='1' c1='2' c2='3' c3='4' "
                   "c4='5' c5='6'/></RBTorsionForce>"
                   "<CustomTorsionForce energy='k*(theta-theta0)^2'>"
                   "<Proper type1='B' type2='C' type3='D' type4='E' k='7' theta0='0.25'/>"
                   "</CustomTorsionForce><CMAPTorsionForce>"
                   "<Map>0 3 1 4 2 7 -3 5 6 1 0 2 9 -4 3 8</Map>"
                   "<Torsion map='0' type1='E' type2='D' type3='C' type4='B' type5='A'/>"
                   "</CMAPTorsionForce>" CHARGES LENNARD_JONES
                   "<NBFixPair type1='E' type2='A' sigma='0.35' epsilon='3'/></LennardJonesForce>");
    const double x[15] = {0, 0, 0, 0.15, 0, 0, 0.2, 0.14, 0, 0.32, 0.15, 0.1, 0.33, 0.28, 0.17};
    snprintf(options.platform, sizeof options.platform, "Reference");
    assert_ok(cardo_openmm_provider_create(m.terms, NULL, x, &options, &provider, &m.error),
              &m.error);
    cardo_force_evaluation evaluation = {
        .nstation = 5, .station_positions = x, .term_energies = energies};
    assert_ok(provider->compute(provider, &evaluation, &m.error), &m.error);
    support_energies e = support_evaluate(m.terms, x);
    assert_int_equal(provider->nterm, 4);
    assert_string_equal(provider->term_names[0], "improper");
    assert_close(energies[0], e.improper, 1e-11);
    assert_string_equal(provider->term_names[1], "rb-torsion");
    assert_close(energies[1], e.rb_torsion, 1e-11);
    assert_string_equal(provider->term_names[2], "cmap");
    assert_close(energies[2], e.cmap, 1e-10);
    assert_close(energies[3], e.nonbonded, 1e-9 * fabs(e.nonbonded));
    assert_true(fabs(e.improper) > 0.1 && fabs(e.rb_torsion) > 0.1 && fabs(e.cmap) > 0.1);
    cardo_force_provider_destroy(provider);
    m.terms->list.cmap[0].map = 1;
    assert_fails(cardo_openmm_provider_create(m.terms, NULL, x, &options, &provider, &m.error),
                 &m.error, CARDO_ERROR_ARGUMENT, "cmap 0 names map 1 of 1");
    molecule_release(&m);
}

/* ---- patches ---- */

#define BASE                                                                                       \
    "<Residues><Residue name='R'><Atom name='a' type='A' charge='0'/>"                             \
    "<Atom name='b' type='B' charge='0'/><Bond atomName1='a' atomName2='b'/>"                      \
    "<ExternalBond atomName='b'/>%s</Residue></Residues><Patches>"                                 \
    "<Patch name='OXO'><AddAtom name='o' type='D' charge='1'/><AddBond atomName1='a' "             \
    "atomName2='o'/></Patch>"                                                                      \
    "<Patch name='END'><ChangeAtom name='b' type='B' charge='2'/><RemoveExternalBond "             \
    "atomName='b'/></Patch>"                                                                       \
    "<Patch name='CUT'><RemoveAtom name='b'/><RemoveBond atomName1='a' atomName2='b'/>"            \
    "<RemoveExternalBond atomName='b'/></Patch>"                                                   \
    "<Patch name='BAD'><RemoveAtom name='b'/><ChangeAtom name='a' type='A' charge='9'/></Patch>"   \
    "<Patch name='ALT'><ChangeAtom name='b' type='B' charge='7'/></Patch>"                         \
    "<Patch name='LNK' residues='2'><AddAtom name='1:e' type='E' charge='3'/>"                     \
    "<AddBond atomName1='1:a' atomName2='1:e'/><AddBond atomName1='1:e' atomName2='2:o'/>"         \
    "<RemoveExternalBond atomName='1:b'/><RemoveExternalBond atomName='2:b'/>"                     \
    "%s</Patch></Patches>" CHARGES "</ForceField>"

static void patched(molecule *m, const char *elements, int split, int nbond, const int (*bond)[2],
                    const char *allowed, const char *applied)
{
    char text[8000];
    snprintf(text, sizeof text, TYPES BASE, allowed, applied);
    molecule_make(m, elements, split, nbond, bond);
    assert_ok(molecule_read(m, text), &m->error);
}

#define ALLOW_ALL                                                                                  \
    "<AllowPatch name='OXO'/><AllowPatch name='END'/><AllowPatch name='CUT'/>"                     \
    "<AllowPatch name='BAD'/><AllowPatch name='LNK:1'/><AllowPatch name='LNK:2'/>"                 \
    "<AllowPatch name='NONE'/>"

static void test_one_residue_patches(void **state)
{
    (void)state;
    static const int bonds[2][2] = {{0, 1}, {0, 2}};
    molecule m;
    /* Two patches at once: an atom more, and a bond less to the outside. ALT and END together would
     * fit with another charge, but both touch b. */
    patched(&m, "CNO", 3, 2, bonds, ALLOW_ALL "<AllowPatch name='ALT'/>", "");
    assert_ok(molecule_assign(&m), &m.error);
    assert_close(cardo_terms_charge(m.terms, 1), 2, 0);
    assert_close(cardo_terms_charge(m.terms, 2), 1, 0);
    molecule_release(&m);
    /* An atom less. BAD would leave a bond to the outside without its atom: it does not count. */
    patched(&m, "CO", 2, 1, bonds, ALLOW_ALL, "");
    assert_ok(molecule_assign(&m), &m.error);
    assert_close(cardo_terms_charge(m.terms, 1), 1, 0);
    molecule_release(&m);
    /* Not without leave, nor by a patch that does not exist. */
    patched(&m, "CNO", 3, 2, bonds, "<AllowPatch name='OXO'/><AllowPatch name='NONE'/>", "");
    assert_fails(molecule_assign(&m), &m.error, CARDO_ERROR_INPUT,
                 "1 of 1 residues match no template");
    molecule_release(&m);
}

static void test_two_residue_patch(void **state)
{
    (void)state;
    /* C-N with S, and C-N with O: S-O bonded, in either order of the residues. */
    static const int across[5][2] = {{0, 1}, {0, 2}, {2, 5}, {3, 4}, {3, 5}};
    static const int elsewhere[5][2] = {{0, 1}, {0, 2}, {2, 4}, {3, 4}, {3, 5}};
    molecule m;
    patched(&m, "CNSCNO", 3, 5, across, ALLOW_ALL, "");
    assert_ok(molecule_assign(&m), &m.error);
    assert_close(cardo_terms_charge(m.terms, 2), 3, 0);
    assert_close(cardo_terms_charge(m.terms, 5), 1, 0);
    molecule_release(&m);
    patched(&m, "CNOCNS", 3, 5, across, "<AllowPatch name='OXO'/>",
            "<ApplyToResidue name='1:R'/><ApplyToResidue name='2:R'/>");
    assert_ok(molecule_assign(&m), &m.error);
    assert_close(cardo_terms_charge(m.terms, 2), 1, 0);
    assert_close(cardo_terms_charge(m.terms, 5), 3, 0);
    molecule_release(&m);
    /* With the bond at another atom the second residue fits without a partner, and the first has
     * none. */
    patched(&m, "CNSCNO", 3, 5, elsewhere, ALLOW_ALL, "");
    assert_fails(molecule_assign(&m), &m.error, CARDO_ERROR_INPUT,
                 "1 of 2 residues match no template");
    molecule_release(&m);
}

static void test_wrong_patches(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } wrong[] = {
        {"<Patch name='P'>\n<AddAtom name='2:a' type='A'/></Patch>",
         "ff.xml:2: '2:a' is in none of the 1 residues of patch P"},
        {"<Patch name='P'>\n<AddAtom name='x:a' type='A'/></Patch>", "ff.xml:2: 'x:a' is in none"},
        {"<Patch name='P'>\n<AddAtom name='a' type='Q'/></Patch>",
         "ff.xml:2: atom a has the type 'Q'"},
        {"<Patch name='P'>\n<AddBond atomName1='a'/></Patch>", "ff.xml:2: <AddBond> needs"},
        {"\n<Patch/>", "ff.xml:2: <Patch> needs"},
    };
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; ++k) {
        char text[4000];
        molecule m;
        snprintf(text, sizeof text, TYPES CHAIN "<Patches>%s</Patches></ForceField>",
                 wrong[k].text);
        molecule_make(&m, "CNCOS", 5, 4, chain);
        assert_fails(molecule_read(&m, text), &m.error, CARDO_ERROR_INPUT, wrong[k].message);
        assert_null(m.forcefield);
        molecule_release(&m);
    }
}

/* ---- crambin: terms inside bodies are constants ---- */

static double total(const cardo_terms *terms, const int *body, const double *x, double *forces)
{
    cardo_error error = {0};
    cardo_force_provider *provider = NULL;
    cardo_openmm_options options = cardo_openmm_options_default();
    cardo_force_evaluation evaluation = {.nstation = terms->natom, .station_positions = x};
    snprintf(options.platform, sizeof options.platform, "Reference");
    assert_ok(cardo_openmm_provider_create(terms, body, x, &options, &provider, &error), &error);
    assert_ok(provider->compute(provider, &evaluation, &error), &error);
    if (forces)
        memcpy(forces, evaluation.station_forces, 3 * sizeof(double) * (size_t)terms->natom);
    cardo_force_provider_destroy(provider);
    return evaluation.energy;
}

static void test_constants_of_bodies(void **state)
{
    (void)state;
    cardo_error error = {0};
    reference_folder folder;
    cardo_forcefield *forcefield = NULL;
    cardo_terms *terms = NULL;
    char path[4096];
    const char *paths[1] = {path}, *data = reference_openmm_data();
    snprintf(path, sizeof path, "%s/charmm36.xml", data);
    assert_ok(reference_folder_read(support_shared("reference/openmm/1ejg"), &folder, &error),
              &error);
    assert_ok(cardo_forcefield_read(1, paths, &forcefield, &error), &error);
    assert_ok(cardo_forcefield_assign(forcefield, folder.structure, folder.bonds, &terms, &error),
              &error);
    int natom = terms->natom, *body = NULL;
    double *all = NULL, *left = NULL;
    assert_ok(CARDO_ALLOCATE(&body, natom, &error), &error);
    assert_ok(CARDO_ALLOCATE(&all, 3 * natom, &error), &error);
    assert_ok(CARDO_ALLOCATE(&left, 3 * natom, &error), &error);
    for (int i = 0; i < natom; ++i)
        body[i] = folder.structure->atom_residue[i] / 10;
    double whole = total(terms, NULL, folder.position, all);
    assert_close(total(terms, body, folder.position, left), whole, 1e-9 * fabs(whole));
    /* What was left out has no net force on a body. */
    double net[5][3] = {{0}}, moved = 0;
    for (int k = 0; k < 3 * natom; ++k) {
        net[body[k / 3]][k % 3] += left[k] - all[k];
        moved = fmax(moved, fabs(left[k] - all[k]));
    }
    assert_true(moved > 1);
    for (int k = 0; k < 15; ++k)
        assert_close(net[k / 3][k % 3], 0, 1e-8 * moved);
    cardo_free(body);
    cardo_free(all);
    cardo_free(left);
    cardo_terms_destroy(terms);
    cardo_forcefield_destroy(forcefield);
    reference_folder_clear(&folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_urey_bradley),
        cmocka_unit_test(test_harmonic_torsions),
        cmocka_unit_test(test_ryckaert_bellemans),
        cmocka_unit_test(test_cmap),
        cmocka_unit_test(test_lennard_jones),
        cmocka_unit_test(test_nbfix),
        cmocka_unit_test(test_two_lennard_jones),
        cmocka_unit_test(test_energies),
        cmocka_unit_test(test_one_residue_patches),
        cmocka_unit_test(test_two_residue_patch),
        cmocka_unit_test(test_wrong_patches),
        test_with(test_constants_of_bodies, reference_files),
    };
    return support_run(tests, NULL, NULL);
}
