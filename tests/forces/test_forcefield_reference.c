/* Every reference case that this version supports: numbers of terms, and energies by an independent
 * evaluator, against OpenMM's Python layer. OpenMM itself takes no part. */
#include "reference_case.h"

#include "base/memory.h"
#include "support/evaluate.h"
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const folders[] = {"2lao",          "2lao_min", "1ubi",
                                      "1ubi_variants", "1ejg",     "3mht_dna"};

static void assert_count(const json_t *item, const char *key, int count)
{
    const json_t *expected = json_object_get(json_object_get(item, "counts"), key);
    if (expected && (int)json_integer_value(expected) != count)
        fail_msg("%s: %d, OpenMM has %d", key, count, (int)json_integer_value(expected));
}

static void check_counts(const json_t *item, const cardo_terms *terms)
{
    /* OpenMM's own layer has CHARMM's Lennard-Jones in another force. */
    bool apart = json_object_get(json_object_get(item, "counts"),
                                 "CustomBondForce:LennardJones14.bonds") != NULL;
    int excluded = 0;
    for (int k = 0; k < terms->nexception; ++k) {
        const cardo_exception_term e = cardo_terms_exception(terms, k);
        excluded += e.charge_product == 0 && (apart || e.epsilon == 0);
    }
    assert_count(item, "particles", terms->natom);
    assert_count(item, "HarmonicBondForce.bonds", terms->nbond);
    assert_count(item, "HarmonicAngleForce.angles", terms->nangle);
    assert_count(item, "PeriodicTorsionForce.torsions", terms->ntorsion);
    assert_count(item, "CustomTorsionForce.torsions", terms->nharmonic_torsion);
    assert_count(item, "CMAPTorsionForce.torsions", terms->ncmap);
    assert_count(item, "CMAPTorsionForce.maps", terms->nmap);
    assert_count(item, "NonbondedForce.exceptions", terms->nexception);
    assert_count(item, "NonbondedForce.exceptions_excluded", excluded);
}

/* Largest relative difference so far, for the summary line. */
static double worst;

static double stored_energy(const json_t *item, const char *force)
{
    return json_number_value(json_object_get(json_object_get(item, "energies"), force));
}

static void assert_energy(const json_t *item, const char *force, double energy, double tolerance)
{
    const json_t *stored = json_object_get(json_object_get(item, "energies"), force);
    if (!stored)
        return;
    double expected = json_number_value(stored), relative;
    /* Cardo has these in one force. */
    if (strcmp(force, "NonbondedForce") == 0)
        expected += stored_energy(item, "CustomNonbondedForce:LennardJones") +
                    stored_energy(item, "CustomBondForce:LennardJones14");
    relative = fabs(energy / expected - 1);
    if (!(relative <= tolerance))
        fail_msg("%s: %.12g kJ/mol, OpenMM has %.12g: off by %.2g of it", force, energy, expected,
                 relative);
    if (tolerance < 1e-8 && relative > worst)
        worst = relative;
}

static void check_energies(const json_t *item, const cardo_terms *terms, const double *position)
{
    support_energies e = support_evaluate(terms, position);
    assert_energy(item, "HarmonicBondForce", e.bond, 1e-9);
    assert_energy(item, "HarmonicAngleForce", e.angle, 1e-9);
    assert_energy(item, "PeriodicTorsionForce", e.torsion, 1e-9);
    assert_energy(item, "CustomTorsionForce", e.improper, 1e-9);
    assert_energy(item, "CMAPTorsionForce", e.cmap, 1e-9);
    assert_energy(item, "NonbondedForce", e.nonbonded, 1e-9);
    assert_energy(item, "GBSAOBCForce", e.gb, 1e-9);
    /* OpenMM's script has another Coulomb constant there (138.935485). */
    assert_energy(item, "CustomGBForce", e.gb, 2.5e-7);
}

/* How many cases of a folder were compared. */
static int check_folder(const char *name)
{
    cardo_error error = {0};
    reference_folder folder;
    char path[4096];
    json_t *item;
    size_t k;
    int ncase = 0;
    snprintf(path, sizeof path, "reference/openmm/%s", name);
    assert_ok(reference_folder_read(support_shared(path), &folder, &error), &error);
    json_array_foreach(json_object_get(folder.json, "cases"), k, item)
    {
        const char *label = json_string_value(json_object_get(item, "forcefield"));
        const char *why = reference_case_unsupported(item);
        cardo_terms *terms = NULL;
        if (strcmp(json_string_value(json_object_get(item, "method")), "NoCutoff") != 0)
            continue;
        if (why) {
            print_message("  %s %s: left out: %s\n", name, label, why);
            continue;
        }
        assert_ok(reference_case_terms(&folder, item, &terms, &error), &error);
        check_counts(item, terms);
        check_energies(item, terms, folder.position);
        cardo_terms_destroy(terms);
        ++ncase;
    }
    print_message("  %s: %d cases\n", name, ncase);
    reference_folder_clear(&folder);
    return ncase;
}

static void test_counts_and_energies(void **state)
{
    (void)state;
    int ncase = 0;
    for (size_t k = 0; k < sizeof folders / sizeof *folders; ++k)
        ncase += check_folder(folders[k]);
    /* The committed force fields alone do for four cases of each protein. */
    assert_true(ncase >= 20);
    print_message("  largest relative energy difference of a term: %.2g\n", worst);
}

/* The mbondi2 radii and screening factors of OBC2, atom by atom. */
static void test_obc2_radii(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof folders / sizeof *folders; ++k) {
        cardo_error error = {0};
        cardo_forcefield *forcefield = NULL;
        cardo_terms *terms = NULL;
        reference_folder folder;
        char path[4096];
        double *expected = NULL;
        const char *files[2] = {support_source("forcefields/ff14SB.xml"),
                                support_source("forcefields/implicit/obc2.xml")};
        if (strcmp(folders[k], "3mht_dna") == 0)
            files[0] = support_source("forcefields/ff99SB.xml");
        snprintf(path, sizeof path, "reference/openmm/%s", folders[k]);
        assert_ok(reference_folder_read(support_shared(path), &folder, &error), &error);
        assert_ok(cardo_forcefield_read(2, files, &forcefield, &error), &error);
        assert_ok(
            cardo_forcefield_assign(forcefield, folder.structure, folder.bonds, &terms, &error),
            &error);
        assert_true(terms->has_gb);
        assert_close(terms->solvent_dielectric, 78.5, 0);
        snprintf(path, sizeof path, "reference/openmm/%s/obc2_radius_scale.npy", folders[k]);
        assert_ok(reference_numbers(support_shared(path), 2 * terms->natom, &expected, &error),
                  &error);
        for (int i = 0; i < terms->natom; ++i) {
            assert_close(cardo_terms_gb_radius(terms, i), expected[2 * i], 1e-12);
            assert_close(cardo_terms_gb_scale(terms, i), expected[2 * i + 1], 1e-12);
        }
        cardo_free(expected);
        cardo_terms_destroy(terms);
        cardo_forcefield_destroy(forcefield);
        reference_folder_clear(&folder);
    }
}

/* Files as OpenMM ships them, by index and by name, with includes: read, and the terms of ubiquitin
 * counted. */
static void test_files_of_openmm(void **state)
{
    (void)state;
    static const struct {
        const char *files[2];
        int torsions; /* as OpenMM 7.7 counts them */
    } sets[] = {
        {{"amber14-all.xml", "amber14/tip3p.xml"}, 4260},
        {{"amber14/protein.ff14SB.xml", NULL}, 4260},
        {{"amber99sb.xml", "amber99_obc.xml"}, 3646},
        {{"amber99sbildn.xml", "tip3p.xml"}, 3742},
        {{"amber03.xml", "amber03_obc.xml"}, 3741},
        {{"amber96.xml", "amber96_obc.xml"}, 3181},
        {{"amberfb15.xml", "tip3pfb.xml"}, 5860},
        {{"amber14/protein.ff15ipq.xml", NULL}, 5414},
    };
    const char *data = reference_openmm_data();
    cardo_error error = {0};
    reference_folder folder;
    assert_ok(reference_folder_read(support_shared("reference/openmm/1ubi"), &folder, &error),
              &error);
    for (size_t k = 0; k < sizeof sets / sizeof *sets; ++k) {
        char path[2][4096];
        const char *paths[2] = {path[0], path[1]};
        cardo_forcefield *forcefield = NULL;
        cardo_terms *terms = NULL;
        for (int i = 0; i < 2; ++i)
            snprintf(path[i], sizeof path[i], "%s/%s", data,
                     sets[k].files[i] ? sets[k].files[i] : "");
        assert_ok(cardo_forcefield_read(sets[k].files[1] ? 2 : 1, paths, &forcefield, &error),
                  &error);
        assert_ok(
            cardo_forcefield_assign(forcefield, folder.structure, folder.bonds, &terms, &error),
            &error);
        assert_int_equal(terms->nbond, 1237);
        assert_int_equal(terms->nangle, 2257);
        assert_int_equal(terms->ntorsion, sets[k].torsions);
        cardo_terms_destroy(terms);
        cardo_forcefield_destroy(forcefield);
    }
    reference_folder_clear(&folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        shared_test(test_counts_and_energies),
        shared_test(test_obc2_radii),
        test_with(test_files_of_openmm, reference_files),
    };
    return support_run(tests, NULL, NULL);
}
