/* Terms of identical chains, kept once: what is read of them is what it was. */
#include "base/memory.h"
#include "forces/openmm/openmm.h"
#include "forces/relax/relax.h"
#include "forces/terms/copies.h"
#include "forces/terms/kinds.h"
#include "support/evaluate.h"
#include "support/support.h"

#include <stdio.h>
#include <string.h>

enum { ATOMS = 6, CHAINS = 4, MOST = 100 };

static cardo_terms *empty(int nchain)
{
    cardo_error error = {0};
    cardo_terms *t = NULL;
    assert_ok(CARDO_ALLOCATE(&t, 1, &error), &error);
    t->natom = ATOMS * nchain;
    t->has_nonbonded = true;
    double **const numbers[] = {&t->number.mass, &t->number.charge, &t->number.sigma,
                                &t->number.epsilon};
    for (int k = 0; k < 4; ++k)
        assert_ok(CARDO_ALLOCATE(numbers[k], t->natom, &error), &error);
    for (int k = 0; k < CARDO_TERM_KINDS; ++k) {
        unsigned char *list;
        assert_ok(cardo_allocate((void **)&list, MOST, cardo_term_kinds[k].size, &error), &error);
        cardo_terms_put_list(t, &cardo_term_kinds[k], list);
    }
    for (int i = 0; i < t->natom; ++i) {
        t->number.mass[i] = 12 + i % ATOMS;
        t->number.charge[i] = 0.1 * (i % ATOMS) - 0.2;
        t->number.sigma[i] = 0.3;
        t->number.epsilon[i] = 0.2;
    }
    assert_ok(CARDO_ALLOCATE(&t->map, 1, &error), &error);
    assert_ok(CARDO_ALLOCATE(&t->map[0].energy, 16, &error), &error);
    for (int k = 0; k < 16; ++k)
        t->map[0].energy[k] = (k * k) % 11;
    t->map[0].size = 4;
    t->nmap = 1;
    return t;
}

/* Terms of every kind; bonds and exceptions of all chains by turns, torsions in two passes, as a force field's sections
 * find propers and impropers. */
static cardo_terms *chains(int nchain)
{
    cardo_terms *t = empty(nchain);
    cardo_term_lists *l = &t->list;
    for (int i = 0; i < ATOMS - 1; ++i)
        for (int k = 0, a = i; k < nchain; ++k, a += ATOMS) {
            l->bond[t->nbond++] = (cardo_bond_term){a, a + 1, 0.15 + 0.01 * i, 1000};
            l->exception[t->nexception++] = (cardo_exception_term){a, a + 1, 0, 1, 0};
        }
    for (int k = 0, a = 0; k < nchain; ++k, a += ATOMS) {
        for (int i = a; i < a + 4; ++i)
            l->angle[t->nangle++] = (cardo_angle_term){i, i + 1, i + 2, 1.9, 300 + i % ATOMS};
        l->torsion[t->ntorsion++] = (cardo_torsion_term){a, a + 1, a + 2, a + 3, 3, 0, 5};
        l->harmonic_torsion[t->nharmonic_torsion++] =
            (cardo_harmonic_torsion_term){a + 1, a, a + 3, a + 2, 0.5, 10};
        l->rb_torsion[t->nrb_torsion++] =
            (cardo_rb_torsion_term){a + 1, a + 2, a + 3, a + 4, {1, 2, 3, 4, 5, 6}};
        l->cmap[t->ncmap++] = (cardo_cmap_term){0, {a, a + 1, a + 2, a + 3, a + 4}};
    }
    for (int a = 0; a < t->natom; a += ATOMS) {
        l->torsion[t->ntorsion++] = (cardo_torsion_term){a + 2, a + 1, a + 4, a + 5, 2, 3, 7};
        l->exception[t->nexception++] = (cardo_exception_term){a + 5, a + 2, -0.05, 0.25, 0.1};
    }
    return t;
}

/* Padding aside. */
static void assert_same(const cardo_term_kind *kind, const void *term, const void *other)
{
    const unsigned char *a = term, *b = other;
    assert_memory_equal(a + kind->atoms, b + kind->atoms, (size_t)kind->natom * sizeof(int));
    if (kind->nwhole > 0)
        assert_memory_equal(a + kind->whole, b + kind->whole, sizeof(int));
    if (kind->nnumber > 0)
        assert_memory_equal(a + kind->numbers, b + kind->numbers,
                            (size_t)kind->nnumber * sizeof(double));
}

static int chain_of(const cardo_term_kind *kind, const unsigned char *term)
{
    int atom;
    memcpy(&atom, term + kind->atoms, sizeof atom);
    return atom / ATOMS;
}

static void assert_same_numbers(const cardo_terms *terms, const cardo_terms *full)
{
    double masses[ATOMS * CHAINS];
    assert_int_equal(terms->natom, full->natom);
    cardo_terms_masses(terms, masses);
    for (int i = 0; i < terms->natom; ++i) {
        assert_close(masses[i], full->number.mass[i], 0);
        assert_close(cardo_terms_charge(terms, i), full->number.charge[i], 0);
        assert_close(cardo_terms_sigma(terms, i), full->number.sigma[i], 0);
        assert_close(cardo_terms_epsilon(terms, i), full->number.epsilon[i], 0);
    }
    assert_null(terms->number.gb_radius);
}

/* Are terms those of the full lists, chain by chain? */
static void assert_sorted(const cardo_terms *terms, const cardo_terms *full, int nchain)
{
    assert_same_numbers(terms, full);
    for (int k = 0; k < CARDO_TERM_KINDS; ++k) {
        const cardo_term_kind *kind = &cardo_term_kinds[k];
        const unsigned char *list = cardo_terms_list(full, kind);
        const int count = cardo_terms_count(full, kind);
        int next = 0;
        assert_true(count > 0);
        assert_int_equal(cardo_terms_count(terms, kind), count);
        for (int chain = 0; chain < nchain; ++chain)
            for (int t = 0; t < count; ++t) {
                unsigned char term[CARDO_TERM_MOST_BYTES];
                if (chain_of(kind, list + (size_t)t * kind->size) != chain)
                    continue;
                cardo_terms_read(terms, kind, next++, term);
                assert_same(kind, term, list + (size_t)t * kind->size);
            }
    }
}

#define ASSERT_READ(name, kind)                                                                    \
    for (int t = 0; t < terms->n##name; ++t) {                                                     \
        const cardo_##name##_term term = cardo_terms_##name(terms, t);                             \
        cardo_terms_read(terms, kind, t, other);                                                   \
        assert_same(kind, &term, other);                                                           \
    }

/* Does every way to read terms give the same? */
static void assert_read_alike(const cardo_terms *terms)
{
    const cardo_term_kind *kind = cardo_term_kinds;
    unsigned char other[CARDO_TERM_MOST_BYTES];
    ASSERT_READ(bond, kind)
    ASSERT_READ(angle, kind + 1)
    ASSERT_READ(torsion, kind + 2)
    ASSERT_READ(harmonic_torsion, kind + 3)
    ASSERT_READ(rb_torsion, kind + 4)
    ASSERT_READ(cmap, kind + 5)
    ASSERT_READ(exception, kind + 6)
}

static void identical_chains_are_kept_once(void **state)
{
    (void)state;
    cardo_error error = {0};
    cardo_terms *full = chains(CHAINS), *shared = chains(CHAINS);
    cardo_terms_trim(shared);
    assert_int_equal(shared->ncopy, CHAINS);
    assert_sorted(shared, full, CHAINS);
    assert_read_alike(shared);
    assert_int_equal(shared->list.bond[4].b, 5);
    assert_ok(cardo_terms_expand(shared, &error), &error);
    assert_true(shared->ncopy < 2);
    assert_sorted(shared, full, CHAINS);
    assert_int_equal(shared->list.bond[shared->nbond - 1].b, shared->natom - 1);
    cardo_terms_trim(shared);
    assert_int_equal(shared->ncopy, CHAINS);
    assert_sorted(shared, full, CHAINS);
    cardo_terms_destroy(full);
    cardo_terms_destroy(shared);
}

static double openmm_energy(const cardo_terms *terms, const double *x)
{
    cardo_error error = {0};
    cardo_force_provider *provider = NULL;
    cardo_openmm_options options = cardo_openmm_options_default();
    snprintf(options.platform, sizeof options.platform, "Reference");
    assert_ok(cardo_openmm_provider_create(terms, NULL, x, &options, &provider, &error), &error);
    cardo_force_evaluation evaluation = {.nstation = terms->natom, .station_positions = x};
    assert_ok(provider->compute(provider, &evaluation, &error), &error);
    cardo_force_provider_destroy(provider);
    return evaluation.energy;
}

static void energies_are_the_same(void **state)
{
    (void)state;
    double x[3 * ATOMS * CHAINS];
    cardo_terms *full = chains(CHAINS), *shared = chains(CHAINS);
    for (int i = 0; i < ATOMS * CHAINS; ++i) {
        x[3 * i] = 0.12 * (i % ATOMS) + 0.01 * (i / ATOMS);
        x[3 * i + 1] = 0.08 * (i * i % 5) + 0.5 * (i / ATOMS);
        x[3 * i + 2] = 0.07 * (i * i % 7);
    }
    cardo_terms_trim(shared);
    const support_energies a = support_evaluate(full, x), b = support_evaluate(shared, x);
    assert_close(b.bond, a.bond, 1e-13 * a.bond);
    assert_close(b.angle, a.angle, 1e-13 * a.angle);
    assert_close(b.torsion, a.torsion, 1e-13 * a.torsion);
    assert_close(b.improper, a.improper, 1e-13 * a.improper);
    assert_close(b.nonbonded, a.nonbonded, 1e-13 * fabs(a.nonbonded));
    const double energy = openmm_energy(full, x);
    assert_close(openmm_energy(shared, x), energy, 1e-13 * fabs(energy));
    cardo_terms_destroy(full);
    cardo_terms_destroy(shared);
}

/* Trims and looks for that many copies. */
static void assert_copies(cardo_terms *terms, int ncopy)
{
    cardo_terms_trim(terms);
    assert_int_equal(terms->ncopy > 1 ? terms->ncopy : 1, ncopy);
    assert_read_alike(terms);
    cardo_terms_destroy(terms);
}

static void what_ties_chains_is_not_lost(void **state)
{
    (void)state;
    cardo_terms *t = chains(2);
    t->list.bond[t->nbond++] = (cardo_bond_term){1, ATOMS + 1, 0.2, 1000};
    assert_copies(t, 1);
    t = chains(2);
    t->list.exception[t->nexception++] = (cardo_exception_term){1, ATOMS + 1, 0, 1, 0};
    t->list.exception[t->nexception++] = (cardo_exception_term){ATOMS + 2, 2, 0, 1, 0};
    assert_copies(t, 1);
    /* Two dimers. */
    t = chains(4);
    for (int a = 1; a < t->natom; a += 2 * ATOMS)
        t->list.bond[t->nbond++] = (cardo_bond_term){a, a + ATOMS, 0.2, 1000};
    assert_copies(t, 2);
    /* A ring: each chain is tied to the next one. */
    t = chains(4);
    for (int a = 1; a < t->natom; a += ATOMS)
        t->list.bond[t->nbond++] = (cardo_bond_term){a, (a + ATOMS) % t->natom, 0.2, 1000};
    assert_copies(t, 1);
}

static void chains_that_differ_are_kept(void **state)
{
    (void)state;
    cardo_terms *t = chains(3);
    t->number.mass[8] += 1;
    assert_copies(t, 1);
    t = chains(3);
    t->number.charge[ATOMS] = 0.7;
    assert_copies(t, 1);
    t = chains(3);
    t->list.bond[4].k += 1;
    assert_copies(t, 1);
    t = chains(3);
    t->list.torsion[2].periodicity = 1;
    assert_copies(t, 1);
    t = chains(3);
    t->list.cmap[1].map = 1;
    assert_copies(t, 1);
    t = chains(3);
    --t->nangle;
    assert_copies(t, 1);
    t = chains(2);
    t->list.angle[0] = t->list.angle[4];
    assert_copies(t, 1);
    /* As many terms, but in another order. */
    t = chains(2);
    const cardo_angle_term first = t->list.angle[0];
    t->list.angle[0] = t->list.angle[1];
    t->list.angle[1] = first;
    assert_copies(t, 1);
    assert_copies(chains(1), 1);
    /* Atoms that terms do not have are for cardo_terms_check to find. */
    t = chains(2);
    t->list.angle[0].a = -1;
    assert_copies(t, 1);
    t = chains(2);
    t->list.angle[7].a = t->natom;
    assert_copies(t, 1);
}

static void one_chain_may_be_changed(void **state)
{
    (void)state;
    cardo_error error = {0};
    bool movable[2 * ATOMS] = {[ATOMS] = true};
    cardo_terms *t = chains(2);
    cardo_terms_trim(t);
    assert_int_equal(t->ncopy, 2);
    assert_ok(cardo_relax_adapt_terms(t, movable, &error), &error);
    assert_close(cardo_terms_bond(t, 0).k, 1000, 0);
    assert_close(cardo_terms_bond(t, 5).k, 4000, 0);
    assert_close(cardo_terms_bond(t, 6).k, 1000, 0);
    assert_close(cardo_terms_angle(t, 0).k, 300, 0);
    assert_close(cardo_terms_angle(t, 4).k, 1200, 0);
    cardo_terms_destroy(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(identical_chains_are_kept_once), cmocka_unit_test(energies_are_the_same),
        cmocka_unit_test(what_ties_chains_is_not_lost),
        cmocka_unit_test(chains_that_differ_are_kept), cmocka_unit_test(one_chain_may_be_changed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
