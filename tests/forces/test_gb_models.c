/* The generalized Born models of OpenMM's implicit/NAME.xml on crambin, through Cardo's reader and
 * OpenMM's Reference platform, against what OpenMM 7.7's Python layer gives for amber14-all.xml and
 * implicit/NAME.xml; and against an evaluator of our own. */
#include "reference_case.h"

#include "forces/openmm/openmm.h"
#include "forces/terms/gb_model.h"
#include "support/evaluate.h"
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* kJ/mol, with all pairs and with a cutoff of 1.6 nm. */
static const struct {
    const char *model;
    double all_pairs, cutoff;
} expected[] = {
    {"hct", -1264.2114255870888, -4350.081710610481},
    {"obc1", -1260.5912262121064, -4347.056713149443},
    {"gbn", -1135.3829616309417, -4221.2191466287995},
    {"gbn2", -1236.3246956345215, -4321.064338797695},
};

static double gb_energy(const reference_folder *folder, const cardo_terms *terms,
                        cardo_nonbonded_method method)
{
    cardo_error error = {0};
    double energies[8], energy = NAN;
    cardo_force_provider *provider = NULL;
    cardo_openmm_options options = cardo_openmm_options_default();
    cardo_force_evaluation evaluation = {
        .nstation = terms->natom, .station_positions = folder->position, .term_energies = energies};
    snprintf(options.platform, sizeof options.platform, "Reference");
    options.method = method;
    options.cutoff = 1.6;
    assert_ok(
        cardo_openmm_provider_create(terms, NULL, folder->position, &options, &provider, &error),
        &error);
    assert_true(provider->nterm <= 8);
    assert_ok(provider->compute(provider, &evaluation, &error), &error);
    for (int t = 0; t < provider->nterm; ++t)
        if (strcmp(provider->term_names[t], "gb") == 0)
            energy = energies[t];
    cardo_force_provider_destroy(provider);
    return energy;
}

static void read_crambin(reference_folder *folder)
{
    cardo_error error = {0};
    assert_ok(reference_folder_read(support_shared("reference/openmm/1ejg"), folder, &error),
              &error);
}

/* Terms with the solvent named as a file or asked for by name: the two are one thing. */
static cardo_terms *terms_with(const reference_folder *folder, const char *model, bool by_file)
{
    cardo_error error = {0};
    cardo_forcefield *forcefield = NULL;
    cardo_terms *terms = NULL;
    char solvent[4096], file[64];
    snprintf(file, sizeof file, "forcefields/implicit/%s.xml", model);
    snprintf(solvent, sizeof solvent, "%s", support_source(file));
    const char *paths[2] = {support_source("forcefields/ff14SB.xml"), solvent};
    assert_ok(cardo_forcefield_read(by_file ? 2 : 1, paths, &forcefield, &error), &error);
    if (!by_file)
        assert_ok(cardo_forcefield_use_solvent(forcefield, model, &error), &error);
    assert_ok(cardo_forcefield_assign(forcefield, folder->structure, folder->bonds, &terms, &error),
              &error);
    cardo_forcefield_destroy(forcefield);
    return terms;
}

static void test_energies(void **state)
{
    (void)state;
    reference_folder folder;
    read_crambin(&folder);
    for (size_t k = 0; k < sizeof expected / sizeof *expected; ++k) {
        cardo_terms *terms = terms_with(&folder, expected[k].model, k % 2 == 0);
        double all = gb_energy(&folder, terms, CARDO_NO_CUTOFF);
        double cut = gb_energy(&folder, terms, CARDO_CUTOFF);
        double own = support_evaluate(terms, folder.position).gb;
        assert_string_equal(terms->gb_model->name, expected[k].model);
        assert_close(all, expected[k].all_pairs, 1e-9 * fabs(all));
        assert_close(cut, expected[k].cutoff, 1e-9 * fabs(cut));
        /* The evaluator has the other Coulomb constant, 2e-7 less. */
        assert_close(own, all, 2.5e-7 * fabs(4 * all));
        cardo_terms_destroy(terms);
    }
    reference_folder_clear(&folder);
}

/* On the CPU platform with all pairs: single precision, and the same model. */
static void test_cpu_platform(void **state)
{
    (void)state;
    cardo_error error = {0};
    reference_folder folder;
    cardo_force_provider *provider = NULL;
    cardo_openmm_options options = cardo_openmm_options_default();
    read_crambin(&folder);
    cardo_terms *terms = terms_with(&folder, "gbn2", false);
    double energies[8];
    cardo_force_evaluation evaluation = {
        .nstation = terms->natom, .station_positions = folder.position, .term_energies = energies};
    snprintf(options.platform, sizeof options.platform, "CPU");
    options.threads = 1;
    assert_ok(
        cardo_openmm_provider_create(terms, NULL, folder.position, &options, &provider, &error),
        &error);
    assert_ok(provider->compute(provider, &evaluation, &error), &error);
    assert_close(energies[provider->nterm - 1], expected[3].all_pairs, 1e-4 * 1236);
    cardo_force_provider_destroy(provider);
    cardo_terms_destroy(terms);
    reference_folder_clear(&folder);
}

static void test_one_model_only(void **state)
{
    (void)state;
    cardo_error error = {0};
    cardo_forcefield *forcefield = NULL;
    char path[2][4096];
    const char *paths[3] = {support_source("forcefields/ff14SB.xml"), path[0], path[1]};
    snprintf(path[0], sizeof path[0], "%s", support_source("forcefields/implicit/gbn2.xml"));
    snprintf(path[1], sizeof path[1], "%s", support_source("forcefields/implicit/obc1.xml"));
    assert_fails(cardo_forcefield_read(3, paths, &forcefield, &error), &error, CARDO_ERROR_INPUT,
                 "implicit/gbn2.xml and solvent obc1 are two solvent models");
    assert_ok(cardo_forcefield_read(2, paths, &forcefield, &error), &error);
    assert_ok(cardo_forcefield_use_solvent(forcefield, "gbn2", &error), &error);
    assert_fails(cardo_forcefield_use_solvent(forcefield, "obc2", &error), &error,
                 CARDO_ERROR_INPUT, "two solvent models");
    assert_fails(cardo_forcefield_use_solvent(forcefield, "brine", &error), &error,
                 CARDO_ERROR_INPUT, "no solvent model \"brine\"");
    cardo_forcefield_destroy(forcefield);
    snprintf(path[0], sizeof path[0], "%s", support_source("forcefields/ff99SB_obc.xml"));
    paths[0] = support_source("forcefields/ff99SB.xml");
    assert_ok(cardo_forcefield_read(2, paths, &forcefield, &error), &error);
    assert_ok(cardo_forcefield_use_solvent(forcefield, "obc2", &error), &error);
    assert_fails(cardo_forcefield_use_solvent(forcefield, "gbn", &error), &error, CARDO_ERROR_INPUT,
                 "<GBSAOBCForce> and solvent gbn");
    cardo_forcefield_destroy(forcefield);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        shared_test(test_energies),
        shared_test(test_cpu_platform),
        cmocka_unit_test(test_one_model_only),
    };
    return support_run(tests, NULL, NULL);
}
