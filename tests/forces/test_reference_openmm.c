/* test_reference_openmm [FOLDER ...]: energies and forces of every case of a reference folder (the
 * layout of shared/reference/openmm) on OpenMM's Reference platform, through Cardo's own reader,
 * against the stored figures of OpenMM's Python layer. Without arguments: the folders of
 * $CARDO_SHARED.
 *
 * Exit status 0: every case that could be built agrees to 1e-6; 1: one does not, or none could be
 * built; 77: no folder. */
#include "reference_case.h"

#include "base/memory.h"
#include "base/units.h"
#include "forces/openmm/openmm.h"
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const double tolerance = 1e-6;

enum { MAX_TERMS = 32 };

/* Cardo's words for OpenMM's forces. */
static const char *const force_names[][2] = {
    {"bond", "HarmonicBondForce"},
    {"angle", "HarmonicAngleForce"},
    {"torsion", "PeriodicTorsionForce"},
    {"nonbonded", "NonbondedForce"},
    {"gb", "GBSAOBCForce"},
    {"gb", "CustomGBForce"},
    {"improper", "CustomTorsionForce"},
    {"cmap", "CMAPTorsionForce"},
    {"rb-torsion", "RBTorsionForce"},
    {"nonbonded", "CustomNonbondedForce:LennardJones"},
    {"nonbonded", "CustomBondForce:LennardJones14"},
};

typedef struct tally {
    int good, bad, unsupported;
} tally;

static const char *text_of(const json_t *item, const char *key)
{
    const char *text = json_string_value(json_object_get(item, key));
    return text ? text : "";
}

static double number_of(const json_t *item, const char *key)
{
    return json_number_value(json_object_get(item, key));
}

static double relative_difference(double value, double expected)
{
    return expected != 0 ? fabs(value / expected - 1) : fabs(value);
}

/* Does a term of the provider stand for this key of "energies"? Keys read TYPE or TYPE:NAME; a term
 * of a serialized System bears its force's name. */
static bool term_is(const char *term, const char *key)
{
    const char *colon = strchr(key, ':');
    for (size_t k = 0; k < sizeof force_names / sizeof *force_names; ++k)
        if (strcmp(term, force_names[k][0]) == 0 && strcmp(key, force_names[k][1]) == 0)
            return true;
    return strcmp(term, key) == 0 || (colon && strcmp(term, colon + 1) == 0);
}

/* The provider's term that stands for a stored one, or nterm. */
static int term_for(const cardo_force_provider *provider, const char *key)
{
    int term = 0;
    while (term < provider->nterm && !term_is(provider->term_names[term], key))
        ++term;
    return term;
}

/* Prints the difference of every term from the sum of the stored ones that it stands for; true when
 * all agree and none is without a counterpart. */
static bool compare_terms(const json_t *item, const cardo_force_provider *provider,
                          const double *energies)
{
    bool good = true, found[MAX_TERMS] = {false};
    double expected[MAX_TERMS] = {0};
    const char *key;
    json_t *value;
    json_object_foreach(json_object_get(item, "energies"), key, value)
    {
        int term = term_for(provider, key);
        if (term == provider->nterm) {
            printf(json_number_value(value) != 0 ? " %s MISSING" : " %s empty", key);
            good = good && json_number_value(value) == 0;
            continue;
        }
        expected[term] += json_number_value(value);
        found[term] = true;
    }
    for (int term = 0; term < provider->nterm; ++term) {
        double difference = relative_difference(energies[term], expected[term]);
        printf(" %s %.1e", provider->term_names[term], difference);
        good = good && found[term] && difference <= tolerance;
    }
    return good;
}

/* Root mean square of the difference of forces, relative to that of the stored forces. */
static double force_difference(const double *forces, const double *expected, int n)
{
    double difference = 0, size = 0;
    for (int i = 0; i < n; ++i) {
        difference += (forces[i] - expected[i]) * (forces[i] - expected[i]);
        size += expected[i] * expected[i];
    }
    return sqrt(difference / size);
}

static cardo_status compare(const reference_folder *folder, const json_t *item,
                            cardo_force_provider *provider, bool *good, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    int natom = folder->structure->natom;
    double energies[MAX_TERMS] = {0}, *expected = NULL;
    char path[4096 + 300];
    cardo_force_evaluation evaluation = {
        .nstation = natom, .station_positions = folder->position, .term_energies = energies};
    if (provider->nterm > MAX_TERMS)
        return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT, "%d terms", provider->nterm);
    snprintf(path, sizeof path, "%s/%.200s", folder->path, text_of(item, "forces_file"));
    CARDO_TRY(reference_numbers(path, 3 * natom, &expected, error));
    CARDO_TRY(provider->compute(provider, &evaluation, error));
    *good = compare_terms(item, provider, energies);
    double total = relative_difference(evaluation.energy, number_of(item, "energy_total"));
    double force = force_difference(evaluation.station_forces, expected, 3 * natom);
    printf(" total %.1e forces %.1e", total, force);
    *good = *good && total <= tolerance && force <= tolerance;
done:
    cardo_free(expected);
    return status;
}

static cardo_openmm_options options_for(const json_t *item)
{
    cardo_openmm_options options = cardo_openmm_options_default();
    double cutoff = number_of(item, "cutoff_nm");
    snprintf(options.platform, sizeof options.platform, "Reference");
    options.method = cutoff > 0 ? CARDO_CUTOFF : CARDO_NO_CUTOFF;
    options.cutoff = cutoff;
    options.reaction_field = number_of(item, "reaction_field_dielectric");
    return options;
}

/* Prints the verdict of a case that was run or could not be. */
static void conclude(cardo_status status, bool good, const cardo_error *error, tally *counts)
{
    if (status != CARDO_OK)
        printf(" %s", error->message);
    if (status == CARDO_OK && good) {
        printf(": agrees\n");
        ++counts->good;
    } else {
        printf(": FAILS\n");
        ++counts->bad;
    }
}

static cardo_status run_terms(const reference_folder *folder, const json_t *item,
                              const cardo_terms *terms, bool *good, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    cardo_force_provider *provider = NULL;
    cardo_openmm_options options = options_for(item);
    CARDO_TRY(
        cardo_openmm_provider_create(terms, NULL, folder->position, &options, &provider, error));
    CARDO_TRY(compare(folder, item, provider, good, error));
done:
    cardo_force_provider_destroy(provider);
    return status;
}

/* OpenMM's solvent scripts have a Coulomb constant of 138.935485: 2e-7 of the GB term, which can be
 * more than 1e-6 of a total that nearly vanishes. This puts the factor into (1/solute - 1/solvent
 * dielectric). */
static void use_coulomb_of_scripts(cardo_terms *terms)
{
    double inverse = 1 / terms->solvent_dielectric;
    terms->solute_dielectric =
        1 / (inverse + (1 / terms->solute_dielectric - inverse) * 138.935485 / CARDO_COULOMB);
}

static void run_case(const reference_folder *folder, const json_t *item, tally *counts)
{
    cardo_error error = {0};
    cardo_status status = CARDO_OK;
    cardo_terms *terms = NULL;
    bool good = false;
    const char *why = reference_case_unsupported(item);
    printf("  %s %s:", text_of(item, "forcefield"), text_of(item, "method"));
    if (why) {
        printf(" UNSUPPORTED: %s\n", why);
        ++counts->unsupported;
        return;
    }
    CARDO_TRY(reference_case_terms(folder, item, &terms, &error));
    CARDO_TRY(run_terms(folder, item, terms, &good, &error));
    if (!good && json_object_get(json_object_get(item, "energies"), "CustomGBForce")) {
        printf("; with the Coulomb constant of OpenMM's script:");
        use_coulomb_of_scripts(terms);
        CARDO_TRY(run_terms(folder, item, terms, &good, &error));
    }
done:
    conclude(status, good, &error, counts);
    cardo_terms_destroy(terms);
}

/* The same case from its serialized System, where the folder has one. */
static void run_system(const reference_folder *folder, const json_t *item, tally *counts)
{
    cardo_error error = {0};
    cardo_status status = CARDO_OK;
    cardo_force_provider *provider = NULL;
    cardo_openmm_options options = options_for(item);
    bool good = false;
    char path[4096 + 300];
    snprintf(path, sizeof path, "%s/%.100s.%.100s.system.xml.gz", folder->path,
             text_of(item, "forcefield"), text_of(item, "method"));
    if (access(path, R_OK) != 0)
        return;
    printf("  %s %s from System.xml:", text_of(item, "forcefield"), text_of(item, "method"));
    CARDO_TRY(cardo_openmm_provider_from_system(path, folder->structure->natom, &options, NULL,
                                                &provider, &error));
    CARDO_TRY(compare(folder, item, provider, &good, &error));
done:
    conclude(status, good, &error, counts);
    cardo_force_provider_destroy(provider);
}

static void run_folder(const char *path, tally *counts)
{
    cardo_error error = {0};
    reference_folder folder;
    json_t *item;
    size_t k;
    if (reference_folder_read(path, &folder, &error) != CARDO_OK) {
        printf("%s: %s\n", path, error.message);
        ++counts->bad;
        return;
    }
    printf("%s: %d atoms; relative differences of energies and RMS relative difference of forces\n",
           path, folder.structure->natom);
    json_array_foreach(json_object_get(folder.json, "cases"), k, item)
    {
        run_case(&folder, item, counts);
        run_system(&folder, item, counts);
        fflush(stdout);
    }
    reference_folder_clear(&folder);
}

int main(int argc, char **argv)
{
    /* OpenMM's Reference platform takes most of the time: 2lao, and 2lao_min, its terms at other places, are run by name. */
    static const char *const folders[] = {"1ejg", "1ubi_variants", "3mht_dna", "1ubi"};
    const size_t nfolder = SUPPORT_SANITIZED ? 1 : sizeof folders / sizeof *folders;
    tally counts = {0};
    char path[4096];
    if (argc < 2 && !support_have_shared()) {
        printf("SKIPPED: the reference folder is missing (CARDO_SHARED)\n");
        return 77;
    }
    for (int k = 1; k < argc; ++k)
        run_folder(argv[k], &counts);
    for (size_t k = 0; argc < 2 && k < nfolder; ++k) {
        snprintf(path, sizeof path, "reference/openmm/%s", folders[k]);
        run_folder(support_shared(path), &counts);
    }
    printf("%d agree to %g, %d unsupported, %d fail\n", counts.good, tolerance, counts.unsupported,
           counts.bad);
    if (counts.good == 0)
        printf("nothing was compared\n");
    return counts.bad == 0 && counts.good > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
