/* Far fields of rigid bodies in vacuum and with OBC2 against all pairs in double precision: errors within the tolerance that was asked for, forces that
 * are the gradient of the energy, the same bits on any number of threads.
 *   test_far [POSES [SEED [SOLVENT [MODEL]]]]
 * POSES a case instead of a few, and larger cases too: LAO, adenylate kinase, a ring of 60,000 atoms and a soup, in vacuum (SOLVENT: none)
 * or with obc2; left out: both. MODEL (lao, kinase, soup, ring, turning: a soup of LAO whose side chains turn): that one alone. */
#include "assembly.h"
#include "support/support.h"

#include "base/memory.h"
#include "forces/rigid/rigid.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BODIES = 4096, MOST_TOLERANCES = 6 };

#ifdef __SANITIZE_ADDRESS__
static int poses = 1;
#else
static int poses = 4;
#endif
static bool survey = false;
static uint64_t first_seed = 20261124;
static const char *only = NULL, *model = NULL; /* the survey's solvent and model */

/* As in the file but for a little, touching, clashing, far apart: radian, nm. */
static const double unrest[] = {0.002, 0.03, 0.3, 4.0};

static cardo_transform X[MOST_BODIES];

static cardo_force_provider *make(const rigid_protein *protein, double tolerance,
                                  bool full_precision, int threads)
{
    cardo_error error = {0};
    cardo_force_provider *provider = NULL;
    cardo_rigid_options options = cardo_rigid_options_default();
    const char *kernels = getenv("CARDO_KERNELS");
    options.tolerance = tolerance;
    options.full_precision = full_precision;
    options.threads = threads;
    snprintf(options.kernels, sizeof options.kernels, "%s", kernels ? kernels : "");
    assert_ok(cardo_rigid_provider_create(protein->terms, protein->nbody, protein->body,
                                          protein->station, &options, NULL, &provider, &error),
              &error);
    return provider;
}

static double evaluate(const rigid_protein *protein, cardo_force_provider *provider,
                       cardo_spatial *forces)
{
    cardo_error error = {0};
    cardo_force_evaluation evaluation = {.nbody = protein->nbody, .X_GB = X, .body_forces = forces};
    memset(forces, 0, sizeof *forces * (size_t)protein->nbody);
    assert_ok(provider->compute(provider, &evaluation, &error), &error);
    return evaluation.energy;
}

/* Root mean square of forces, and of torques about the bodies' origins. */
static void usual(int nbody, const cardo_spatial *forces, double *force, double *torque)
{
    double linear = 0, angular = 0;
    for (int b = 1; b < nbody; ++b) {
        linear += v3_dot(forces[b].linear, forces[b].linear);
        angular += v3_dot(forces[b].angular, forces[b].angular);
    }
    *force = sqrt(linear / (nbody - 1));
    *torque = sqrt(angular / (nbody - 1));
}

/* The largest error of a body's force or torque relative to those. */
static double largest_error(int nbody, const cardo_spatial *forces, const cardo_spatial *expected)
{
    double force, torque, worst = 0;
    usual(nbody, expected, &force, &torque);
    for (int b = 1; b < nbody; ++b) {
        worst = fmax(worst, v3_norm(v3_sub(forces[b].linear, expected[b].linear)) / force);
        worst = fmax(worst, v3_norm(v3_sub(forces[b].angular, expected[b].angular)) / torque);
    }
    return worst;
}

/* The worst errors so far; of a survey every ten poses, as one may take hours. */
static void tell(const char *name, const rigid_protein *protein, int npose, int n,
                 const double *tolerances, const double *worst)
{
    print_message("%s, %s, %d atoms, %d bodies, %d poses:", name,
                  protein->terms->has_gb ? "OBC2" : "vacuum", protein->terms->natom,
                  protein->nbody - 1, npose);
    for (int t = 0; t < n; ++t)
        print_message(" within %g %.1e", tolerances[t], worst[t]);
    print_message("\n");
    fflush(stdout);
}

static void check_errors(const char *name, const rigid_protein *protein, int n,
                         const double *tolerances)
{
    static cardo_spatial forces[MOST_BODIES], expected[MOST_BODIES];
    cardo_force_provider *exact = make(protein, 0, true, 1), *within[MOST_TOLERANCES];
    double worst[MOST_TOLERANCES] = {0};
    uint64_t seed = first_seed;
    for (int t = 0; t < n; ++t)
        within[t] = make(protein, tolerances[t], false, 1);
    for (int k = 0; k < poses; ++k) {
        rigid_random_poses(protein, unrest[k % 4], unrest[k % 4], &seed, X);
        evaluate(protein, exact, expected);
        for (int t = 0; t < n; ++t) {
            evaluate(protein, within[t], forces);
            const double off = largest_error(protein->nbody, forces, expected);
            assert_close(off, 0, tolerances[t]);
            worst[t] = fmax(worst[t], off);
        }
        if (k + 1 == poses || (k + 1) % 10 == 0)
            tell(name, protein, k + 1, n, tolerances, worst);
    }
    for (int t = 0; t < n; ++t)
        cardo_force_provider_destroy(within[t]);
    assert_true(worst[0] > 1e-3 * tolerances[0]); /* the coarsest does less: its errors show */
    cardo_force_provider_destroy(exact);
}

static const double all_tolerances[] = {1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7};

static int whole(const cardo_structure *structure, int atom)
{
    (void)structure;
    (void)atom;
    return 1;
}

/* Chains that do not touch where they stand, so that far fields are nearly all there is. */
static void read_soup_of(const char *solvent, int n, rigid_partition partition, rigid_protein *soup)
{
    rigid_protein protein;
    rigid_protein_read(support_source("pdb/2mcg_1.pdb"), solvent, partition, &protein);
    rigid_assemble(&protein, 0, n, rigid_soup, v3(7, 7, 7), soup);
    rigid_protein_clear(&protein);
}

static void read_soup(const char *solvent, int n, rigid_protein *soup)
{
    read_soup_of(solvent, n, whole, soup);
}

/* So many small bodies that the blocks they share have trees. */
static void read_turning(rigid_protein *soup)
{
    read_soup_of("obc2", 4, rigid_light_chain_side_chains, soup);
}

static void errors_of_soup(void **unused)
{
    (void)unused;
    rigid_protein soup;
    read_soup(NULL, 4, &soup);
    check_errors("four light chains", &soup, 3, all_tolerances);
    rigid_protein_clear(&soup);
}

static int side_chains(const cardo_structure *structure, int atom)
{
    const int domain = rigid_light_chain(structure, atom);
    return structure->atom_residue[atom] % 9 == 0 ? 3 + structure->atom_residue[atom] : domain;
}

/* Pairs that do not interact lie between the domains; bodies that share blocks act atom by atom. */
static void errors_of_bonded_bodies(void **unused)
{
    (void)unused;
    rigid_protein protein;
    rigid_protein_read(support_source("pdb/2mcg_1.pdb"), NULL, rigid_light_chain, &protein);
    check_errors("light chain", &protein, 3, all_tolerances);
    rigid_protein_clear(&protein);
    rigid_protein_read(support_source("pdb/2mcg_1.pdb"), NULL, side_chains, &protein);
    check_errors("light chain, small bodies", &protein, 3, all_tolerances);
    rigid_protein_clear(&protein);
}

static void errors_in_solvent(void **unused)
{
    (void)unused;
    rigid_protein protein;
    read_soup("obc2", 2, &protein);
    check_errors("two light chains", &protein, 2, all_tolerances);
    rigid_protein_clear(&protein);
    rigid_protein_read(support_source("pdb/2mcg_1.pdb"), "obc2", rigid_light_chain, &protein);
    check_errors("light chain", &protein, 2, all_tolerances);
    rigid_protein_clear(&protein);
}

/* Small bodies have far fields where there are many of them. */
static void errors_of_many_small_bodies(void **unused)
{
    (void)unused;
    rigid_protein soup;
    read_turning(&soup);
    check_errors("four light chains, side chains", &soup, 3, all_tolerances);
    rigid_protein_clear(&soup);
}

static int triples(const cardo_structure *structure, int atom)
{
    (void)structure;
    return 1 + atom / 3;
}

/* Small bodies alone have no far fields: a tolerance drops what solvent pairs have beyond plain ones, and lets near ones be single. */
static void errors_of_small_bodies_alone(void **unused)
{
    (void)unused;
    rigid_protein protein;
    rigid_protein_read(support_source("pdb/2mcg_1.pdb"), "obc2", triples, &protein);
    check_errors("light chain, three atoms a body", &protein, 3, all_tolerances);
    rigid_protein_clear(&protein);
}

/* Rounded places would leave a ten-thousandth and more of such forces. */
static void small_bodies_in_each_other(void **unused)
{
    (void)unused;
    static cardo_spatial forces[MOST_BODIES], expected[MOST_BODIES];
    enum { ONE = 100, OTHER = 700 };
    rigid_protein protein;
    rigid_protein_read(support_source("pdb/2mcg_1.pdb"), "obc2", triples, &protein);
    cardo_force_provider *exact = make(&protein, 0, true, 1),
                         *within = make(&protein, 1e-3, false, 1);
    const cardo_vec3 place[2] = {v3_load(protein.station + 3 * 3 * (ONE - 1)),
                                 v3_load(protein.station + 3 * 3 * (OTHER - 1))};
    for (int k = 0; k < 2; ++k) {
        const double apart = k == 0 ? 1e-3 : 0.05;
        memcpy(X, protein.home, sizeof *X * (size_t)protein.nbody);
        const cardo_vec3 to = v3_add(xform_point(X[ONE], place[0]), v3(0, apart, 0));
        X[OTHER].p = v3_add(X[OTHER].p, v3_sub(to, xform_point(X[OTHER], place[1])));
        const double energy = evaluate(&protein, exact, expected);
        const double off = evaluate(&protein, within, forces) - energy;
        assert_true(largest_error(protein.nbody, forces, expected) < 1e-6);
        assert_true(fabs(off) < 1e-6 * fabs(energy));
    }
    cardo_force_provider_destroy(within);
    cardo_force_provider_destroy(exact);
    rigid_protein_clear(&protein);
}

/* Makes the bodies from `first` on one, as they stand in the file. */
static void merge(rigid_protein *protein, int first)
{
    const cardo_transform seen = xform_inverse(protein->home[first]);
    for (int i = 0; i < protein->terms->natom; ++i) {
        double *station = protein->station + 3 * i;
        const int body = protein->body[i];
        if (body <= first)
            continue;
        v3_store(station, xform_point(xform_mul(seen, protein->home[body]), v3_load(station)));
        protein->body[i] = first;
    }
    protein->nbody = first + 1;
}

/* One domain pushed into the other, without Lennard-Jones, whose forces would hide all others: Born radii grow several times over. */
static void radii_that_grow(void **unused)
{
    (void)unused;
    static cardo_spatial forces[MOST_BODIES], expected[MOST_BODIES];
    rigid_protein protein;
    rigid_protein_read(support_source("pdb/2mcg_1.pdb"), "obc2", rigid_light_chain, &protein);
    for (int i = 0; i < protein.terms->natom; ++i)
        protein.terms->number.epsilon[cardo_terms_atom(protein.terms, i)] = 0;
    cardo_force_provider *exact = make(&protein, 0, true, 1),
                         *within = make(&protein, 1e-3, false, 1);
    const cardo_vec3 apart = v3_sub(protein.home[2].p, protein.home[1].p);
    for (int k = 0; k < poses; ++k) {
        memcpy(X, protein.home, sizeof *X * (size_t)protein.nbody);
        X[2].p = v3_add_scaled(X[2].p, -0.15 * (k + 1) / v3_norm(apart), apart);
        const double energy = evaluate(&protein, exact, expected);
        const double off = evaluate(&protein, within, forces) - energy;
        double force, torque;
        usual(protein.nbody, expected, &force, &torque);
        const double error = largest_error(protein.nbody, forces, expected);
        print_message("%.2f nm nearer: forces of %.3g kJ/mol/nm, within 0.001 %.1e, energy off by "
                      "%.1e of %.6g\n",
                      0.15 * (k + 1), force, error, off, energy);
        assert_true(error < 1e-3);
        assert_true(fabs(off) < 0.5);
    }
    cardo_force_provider_destroy(within);
    cardo_force_provider_destroy(exact);
    rigid_protein_clear(&protein);
}

/* What is constant inside a body of three chains that do not touch comes from its own multipoles and series. */
static void constants_of_a_large_body(void **unused)
{
    (void)unused;
    static cardo_spatial forces[MOST_BODIES], expected[MOST_BODIES];
    for (int k = 0; k < 2; ++k) {
        rigid_protein soup;
        uint64_t seed = 17;
        double force, torque;
        read_soup(k ? "obc2" : NULL, 4, &soup);
        merge(&soup, 2);
        check_errors("one light chain and three in one body", &soup, 2, all_tolerances);
        cardo_force_provider *exact = make(&soup, 0, true, 1),
                             *within = make(&soup, 1e-3, false, 2);
        rigid_random_poses(&soup, 0.03, 0.03, &seed, X);
        const double energy = evaluate(&soup, exact, expected);
        const double off = evaluate(&soup, within, forces) - energy;
        usual(soup.nbody, expected, &force, &torque);
        print_message("energy off by %.1e of %.0f kJ/mol, forces of %.0f kJ/mol/nm\n", off, energy,
                      force);
        assert_close(off, 0, 1e-3 * force * 1.0);
        assert_true(off != 0);
        cardo_force_provider_destroy(exact);
        cardo_force_provider_destroy(within);
        rigid_protein_clear(&soup);
    }
}

/* Where a solvent leaves nothing of charges, or turns them round, all pairs are computed. */
static void charges_that_nothing_is_left_of(void **unused)
{
    (void)unused;
    static const double dielectrics[][2] = {{1, 1e9}, {0.5, 78.5}};
    static cardo_spatial forces[MOST_BODIES], expected[MOST_BODIES];
    rigid_protein soup;
    uint64_t seed = 11;
    read_soup("obc2", 2, &soup);
    rigid_random_poses(&soup, 0.3, 0.3, &seed, X);
    for (int k = 0; k < 2; ++k) {
        soup.terms->solute_dielectric = dielectrics[k][0];
        soup.terms->solvent_dielectric = dielectrics[k][1];
        cardo_force_provider *exact = make(&soup, 0, true, 1),
                             *within = make(&soup, 1e-3, false, 1);
        evaluate(&soup, exact, expected);
        evaluate(&soup, within, forces);
        assert_close(largest_error(soup.nbody, forces, expected), 0, 1e-3);
        cardo_force_provider_destroy(exact);
        cardo_force_provider_destroy(within);
    }
    rigid_protein_clear(&soup);
}

/* Power of the forces against a central difference of the energy along a random twist of every body, over 2 h: the difference, by all forces together. Nodes that act in one of its two
 * poses by their multipoles and in the other atom by atom make it differ, by the tolerance. */
static double gradient_off(const rigid_protein *soup, double tolerance, double off_home, double h,
                           uint64_t seed)
{
    static cardo_spatial forces[MOST_BODIES], twist[MOST_BODIES];
    static cardo_transform start[MOST_BODIES];
    double force, torque, energy[2], power = 0;
    cardo_force_provider *provider = make(soup, tolerance, true, 1);
    rigid_random_poses(soup, off_home, off_home, &seed, start);
    for (int b = 1; b < soup->nbody; ++b) {
        twist[b].angular = v3(support_random(&seed), support_random(&seed), support_random(&seed));
        twist[b].linear = v3(support_random(&seed), support_random(&seed), support_random(&seed));
    }
    for (int side = 0; side < 2; ++side) {
        const double t = side ? h : -h;
        for (int b = 0; b < soup->nbody; ++b) {
            const cardo_vec3 w = twist[b].angular;
            X[b] = start[b];
            if (b > 0)
                X[b].R = m33_mul(m33_rotation(v3_unit(w), t * v3_norm(w)), start[b].R);
            X[b].p = v3_add_scaled(start[b].p, t, twist[b].linear);
        }
        energy[side] = evaluate(soup, provider, forces);
    }
    memcpy(X, start, sizeof X);
    evaluate(soup, provider, forces);
    usual(soup->nbody, forces, &force, &torque);
    for (int b = 1; b < soup->nbody; ++b)
        power +=
            v3_dot(forces[b].angular, twist[b].angular) + v3_dot(forces[b].linear, twist[b].linear);
    const double off =
        fabs(power + (energy[1] - energy[0]) / (2 * h)) / ((force + torque) * sqrt(soup->nbody));
    print_message("%d bodies, within %g: power %.10g kJ/mol, off by %.1e of forces\n",
                  soup->nbody - 1, tolerance, power, off);
    cardo_force_provider_destroy(provider);
    return off;
}

/* Forces and torques on all bodies together are nothing, whatever series leave out. */
static void check_balance(const rigid_protein *soup, double tolerance)
{
    static cardo_spatial forces[MOST_BODIES];
    uint64_t seed = 8;
    double usual_force, usual_torque;
    cardo_vec3 force = v3(0, 0, 0), torque = v3(0, 0, 0);
    cardo_force_provider *provider = make(soup, tolerance, true, 1);
    rigid_random_poses(soup, 0.01, 0.01, &seed, X);
    evaluate(soup, provider, forces);
    for (int b = 1; b < soup->nbody; ++b) {
        force = v3_add(force, forces[b].linear);
        torque = v3_add(torque, v3_add(forces[b].angular, v3_cross(X[b].p, forces[b].linear)));
    }
    usual(soup->nbody, forces, &usual_force, &usual_torque);
    print_message("%d bodies, within %g: forces add up to %.1e of one, torques to %.1e\n",
                  soup->nbody - 1, tolerance, v3_norm(force) / usual_force,
                  v3_norm(torque) / usual_torque);
    assert_true(v3_norm(force) < 3e-7 * usual_force);
    assert_true(v3_norm(torque) < 3e-6 * usual_torque);
    cardo_force_provider_destroy(provider);
}

static void forces_are_the_gradient(void **unused)
{
    (void)unused;
    rigid_protein soup;
    read_soup(NULL, 4, &soup);
    assert_true(gradient_off(&soup, 1e-3, 0, 1e-3, 3) < 1e-3);
    rigid_protein_clear(&soup);
    read_soup("obc2", 2, &soup);
    assert_true(gradient_off(&soup, 1e-3, 0, 1e-3, 3) < 1e-3);
    rigid_protein_clear(&soup);
    /* So short a way that mostly no pair starts or stops to act, or to act by multipoles. */
    read_turning(&soup);
    check_balance(&soup, 1e-2);
    double off = 1;
    for (uint64_t seed = 3; seed < 7 && off > 2e-5; ++seed)
        off = gradient_off(&soup, 1e-2, 0.001, 1e-8, seed);
    assert_true(off < 2e-5);
    rigid_protein_clear(&soup);
}

static void check_bits(const rigid_protein *soup)
{
    static cardo_spatial expected[MOST_BODIES], forces[MOST_BODIES];
    static cardo_transform keep[MOST_BODIES];
    uint64_t seed = 5;
    cardo_force_provider *one = make(soup, 1e-3, false, 1);
    rigid_random_poses(soup, 0.1, 0.1, &seed, keep);
    memcpy(X, keep, sizeof X);
    const double energy = evaluate(soup, one, expected);
    for (int threads = 2; threads < 4; ++threads) {
        cardo_force_provider *provider = make(soup, 1e-3, false, threads);
        rigid_random_poses(soup, 0.5, 0.5, &seed, X);
        evaluate(soup, provider, forces);
        memcpy(X, keep, sizeof X);
        const unsigned long before = cardo_allocation_count();
        assert_true(evaluate(soup, provider, forces) == energy);
        assert_true(cardo_allocation_count() == before);
        assert_memory_equal(forces, expected, sizeof *forces * (size_t)soup->nbody);
        cardo_force_provider_destroy(provider);
    }
    cardo_force_provider_destroy(one);
}

static void same_bits(void **unused)
{
    (void)unused;
    rigid_protein soup;
    read_soup(NULL, 4, &soup);
    check_bits(&soup);
    rigid_protein_clear(&soup);
    read_soup("obc2", 2, &soup);
    check_bits(&soup);
    rigid_protein_clear(&soup);
    read_turning(&soup);
    check_bits(&soup);
    rigid_protein_clear(&soup);
}

static bool is_asked_for(const char *name)
{
    return !model || strcmp(model, name) == 0;
}

/* By name only: hours. */
static void survey_in(const char *solvent)
{
    rigid_protein lao, kinase, many;
    rigid_protein_read(support_shared("reference/openmm/2lao_min/2lao_min.pdb"), solvent, rigid_lao,
                       &lao);
    rigid_protein_read(support_shared("pdb/4ake_A_fixedH.pdb"), solvent, rigid_adenylate_kinase,
                       &kinase);
    if (is_asked_for("lao"))
        check_errors("LAO", &lao, MOST_TOLERANCES, all_tolerances);
    if (is_asked_for("kinase"))
        check_errors("adenylate kinase", &kinase, MOST_TOLERANCES, all_tolerances);
    if (is_asked_for("soup")) {
        rigid_assemble(&lao, 0, 8, rigid_soup, v3(6, 6, 6), &many);
        check_errors("soup of LAO", &many, MOST_TOLERANCES, all_tolerances);
        rigid_protein_clear(&many);
    }
    if (is_asked_for("ring")) {
        rigid_assemble(&lao, 0, 16, rigid_ring, v3(5, 0, 0), &many);
        check_errors("ring of LAO", &many, MOST_TOLERANCES, all_tolerances);
        rigid_protein_clear(&many);
    }
    rigid_protein_clear(&lao);
    rigid_protein_clear(&kinase);
    if (is_asked_for("turning") && solvent) {
        rigid_protein_read(support_shared("reference/openmm/2lao_min/2lao_min.pdb"), solvent,
                           rigid_lao_side_chains, &lao);
        rigid_assemble(&lao, 0, 8, rigid_soup, v3(6, 6, 6), &many);
        check_errors("soup of LAO, side chains", &many, MOST_TOLERANCES, all_tolerances);
        rigid_protein_clear(&many);
        rigid_protein_clear(&lao);
    }
}

static void larger_models(void **unused)
{
    (void)unused;
    if (!only || strcmp(only, "none") == 0)
        survey_in(NULL);
    if (!only || strcmp(only, "none") != 0)
        survey_in("obc2");
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_of_soup),
        cmocka_unit_test(errors_of_bonded_bodies),
        cmocka_unit_test(errors_in_solvent),
        cmocka_unit_test(errors_of_many_small_bodies),
        cmocka_unit_test(errors_of_small_bodies_alone),
        cmocka_unit_test(small_bodies_in_each_other),
        cmocka_unit_test(radii_that_grow),
        cmocka_unit_test(constants_of_a_large_body),
        cmocka_unit_test(charges_that_nothing_is_left_of),
        cmocka_unit_test(forces_are_the_gradient),
        cmocka_unit_test(same_bits),
    };
    const struct CMUnitTest surveys[] = {cmocka_unit_test(larger_models)};
    survey = argc > 1;
    poses = survey ? atoi(argv[1]) : poses;
    first_seed = argc > 2 ? strtoull(argv[2], NULL, 10) : first_seed;
    only = argc > 3 ? argv[3] : NULL;
    model = argc > 4 ? argv[4] : NULL;
    const int failed = model ? 0 : support_run(tests, NULL, NULL);
    return survey ? failed + cmocka_run_group_tests(surveys, NULL, NULL) : failed;
}
