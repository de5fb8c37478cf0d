/* Systems taken apart: what the rigid provider and OpenMM compute together is what OpenMM computes
 * alone. */
#include "protein.h"
#include "support/support.h"

#include "base/memory.h"
#include "forces/rigid/rigid.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_BODIES = 8, MOST_TERMS = 32 };

static cardo_openmm_options on_reference(double cutoff)
{
    cardo_openmm_options options = cardo_openmm_options_default();
    snprintf(options.platform, sizeof options.platform, "Reference");
    options.method = cutoff > 0 ? CARDO_CUTOFF : CARDO_NO_CUTOFF;
    options.cutoff = cutoff;
    return options;
}

static cardo_force_provider *from_parts(const rigid_protein *protein, cardo_openmm_parts *parts)
{
    cardo_error error = {0};
    cardo_force_provider *provider = NULL;
    cardo_rigid_options options = {.threads = 1,
                                   .full_precision = true,
                                   .cutoff = parts->cutoff,
                                   .gb_cutoff = parts->gb_cutoff,
                                   .reaction_field = parts->reaction_field};
    assert_ok(cardo_rigid_provider_create(parts->terms, protein->nbody, protein->body,
                                          protein->station, &options, parts->rest, &provider,
                                          &error),
              &error);
    parts->rest = NULL;
    return provider;
}

static double sum_of_terms(const cardo_force_provider *provider, const double *terms)
{
    double sum = 0;
    for (int t = 0; t < provider->nterm; ++t)
        sum += terms[t];
    return sum;
}

static void both_agree(const rigid_protein *protein, cardo_force_provider *rigid,
                       cardo_force_provider *reference)
{
    cardo_error error = {0};
    cardo_transform X[MOST_BODIES];
    uint64_t seed = 99;
    for (int trial = 0; trial < 3; ++trial) {
        cardo_spatial forces[MOST_BODIES], expected[MOST_BODIES];
        double energy, terms[MOST_TERMS], size = 0;
        rigid_random_poses(protein, 0.02 * trial, 0.02 * trial, &seed, X);
        assert_ok(rigid_forces_of_atoms(protein, reference, X, &energy, NULL, expected, &error),
                  &error);
        memset(forces, 0, sizeof forces);
        cardo_force_evaluation evaluation = {
            .nbody = protein->nbody, .X_GB = X, .body_forces = forces, .term_energies = terms};
        assert_ok(rigid->compute(rigid, &evaluation, &error), &error);
        assert_close(evaluation.energy, energy, 1e-9 * fabs(energy));
        assert_close(sum_of_terms(rigid, terms), energy, 1e-9 * fabs(energy));
        const double *f = (const double *)forces, *g = (const double *)expected;
        for (int k = 0; k < 6 * protein->nbody; ++k)
            size = fmax(size, fabs(g[k]));
        for (int k = 0; k < 6 * protein->nbody; ++k)
            assert_close(f[k], g[k], 1e-9 * size);
    }
}

static int first_half(const cardo_structure *structure, int atom)
{
    return 2 * structure->atom_residue[atom] < structure->nresidue ? 1 : 2;
}

/* A serialized System: nother of its forces are left to OpenMM. */
static void serialized(const char *folder, const char *pdb, const char *system, int nother)
{
    cardo_error error = {0};
    rigid_protein protein;
    cardo_openmm_parts parts;
    cardo_force_provider *reference = NULL;
    char path[256];
    snprintf(path, sizeof path, "reference/openmm/%s/%s", folder, pdb);
    rigid_protein_read(support_shared(path), NULL, first_half, &protein);
    snprintf(path, sizeof path, "reference/openmm/%s/%s", folder, system);
    const char *file = support_shared(path);
    cardo_openmm_options options = on_reference(0);
    assert_ok(cardo_openmm_provider_from_system(file, protein.terms->natom, &options, NULL,
                                                &reference, &error),
              &error);
    assert_ok(cardo_openmm_parts_from_system(file, protein.terms->natom,
                                             protein.structure->position, &options, &parts, &error),
              &error);
    assert_int_equal(parts.rest ? parts.rest->nterm : 0, nother);
    cardo_force_provider *rigid = from_parts(&protein, &parts);
    both_agree(&protein, rigid, reference);
    cardo_force_provider_destroy(rigid);
    cardo_force_provider_destroy(reference);
    cardo_openmm_parts_clear(&parts);
    rigid_protein_clear(&protein);
}

static void system_that_is_known(void **unused)
{
    (void)unused;
    serialized("1ubi", "1ubi.pdb", "ff14SB_obc2native.NoCutoff.system.xml.gz", 0);
}

static void system_with_cutoff(void **unused)
{
    (void)unused;
    serialized("1ubi", "1ubi.pdb", "amber99sb_obc.Cutoff1.6.system.xml.gz", 0);
}

/* CHARMM: maps are known, harmonic impropers and Lennard-Jones by type are not. */
static void system_with_custom_forces(void **unused)
{
    (void)unused;
    serialized("1ubi", "1ubi.pdb", "charmm36.Cutoff1.0.system.xml.gz", 3);
}

static void system_with_custom_solvent(void **unused)
{
    (void)unused;
    serialized("1ubi", "1ubi.pdb", "ff14SB_obc2.NoCutoff.system.xml.gz", 1);
}

/* Torsions over the hinge become Ryckaert-Bellemans torsions and harmonic impropers as well. */
static void add_torsions(cardo_terms *terms)
{
    cardo_error error = {0};
    assert_ok(CARDO_ALLOCATE(&terms->list.rb_torsion, terms->ntorsion, &error), &error);
    assert_ok(CARDO_ALLOCATE(&terms->list.harmonic_torsion, terms->ntorsion, &error), &error);
    for (int k = 0; k < terms->ntorsion; k += 3) {
        const cardo_torsion_term t = cardo_terms_torsion(terms, k);
        terms->list.rb_torsion[terms->nrb_torsion++] =
            (cardo_rb_torsion_term){t.a, t.b, t.c, t.d, {3, -2, 1.5, 7, -1, 0.3}};
        if (t.periodicity == 2 && fabs(t.phase) > 3)
            terms->list.harmonic_torsion[terms->nharmonic_torsion++] =
                (cardo_harmonic_torsion_term){t.a, t.b, t.c, t.d, 0.2, 5};
    }
}

static void terms_of_every_kind(void **unused)
{
    (void)unused;
    for (int cut = 0; cut < 2; ++cut) {
        cardo_error error = {0};
        rigid_protein protein;
        cardo_openmm_parts parts;
        cardo_force_provider *reference = NULL;
        cardo_openmm_options options = on_reference(cut ? 1.2 : 0);
        rigid_protein_read(support_source("pdb/2mcg_1.pdb"), NULL, rigid_light_chain, &protein);
        add_torsions(protein.terms);
        assert_ok(cardo_openmm_provider_create(protein.terms, NULL, protein.structure->position,
                                               &options, &reference, &error),
                  &error);
        assert_ok(cardo_openmm_parts_from_terms(protein.terms, protein.body,
                                                protein.structure->position, &options, &parts,
                                                &error),
                  &error);
        assert_non_null(parts.rest);
        assert_int_equal(parts.rest->nterm, 1);
        assert_string_equal(parts.rest->term_names[0], "improper");
        assert_int_equal(parts.terms->nrb_torsion, protein.terms->nrb_torsion);
        cardo_force_provider *rigid = from_parts(&protein, &parts);
        both_agree(&protein, rigid, reference);
        cardo_force_provider_destroy(rigid);
        cardo_force_provider_destroy(reference);
        cardo_openmm_parts_clear(&parts);
        rigid_protein_clear(&protein);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        shared_test(system_that_is_known),      shared_test(system_with_cutoff),
        shared_test(system_with_custom_forces), shared_test(system_with_custom_solvent),
        cmocka_unit_test(terms_of_every_kind),
    };
    return support_run(tests, NULL, NULL);
}
