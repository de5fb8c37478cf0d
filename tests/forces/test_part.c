/* Terms of some atoms alone: what a force field makes of these atoms by themselves. */
#include "base/memory.h"
#include "forces/ffxml/forcefield.h"
#include "forces/terms/copies.h"
#include "forces/terms/part.h"
#include "structure/pdb/pdb.h"
#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ATOMS = 22 }; /* of pdb/alanine.pdb */

/* The alanine dipeptide, in this many chains. */
static cardo_structure *dipeptides(int nchain)
{
    cardo_error error = {0};
    cardo_structure *s;
    char *text = calloc(1, 100000), line[200];
    assert_non_null(text);
    for (int k = 0; k < nchain; ++k) {
        FILE *file = fopen(support_source("pdb/alanine.pdb"), "r");
        assert_non_null(file);
        while (fgets(line, sizeof line, file)) {
            if (strncmp(line, "ATOM", 4) != 0)
                continue;
            line[21] = (char)('A' + k);
            strcat(text, line);
        }
        fclose(file);
        strcat(text, "TER\n");
    }
    assert_ok(cardo_pdb_parse(text, strlen(text), "dipeptides", 0, &s, &error), &error);
    assert_int_equal(s->natom, nchain * ATOMS);
    free(text);
    return s;
}

static cardo_terms *assigned(const char *forcefield, int nchain)
{
    cardo_error error = {0};
    cardo_forcefield *field = NULL;
    cardo_bonds *bonds = NULL;
    cardo_terms *terms = NULL;
    cardo_structure *s = dipeptides(nchain);
    const char *path = support_source(forcefield);
    assert_ok(cardo_forcefield_read(1, &path, &field, &error), &error);
    assert_ok(cardo_bonds_find(s, support_source("topologies/residues.xml"), &bonds, &error),
              &error);
    assert_ok(cardo_forcefield_assign(field, s, bonds, &terms, &error), &error);
    cardo_bonds_destroy(bonds);
    cardo_forcefield_destroy(field);
    cardo_structure_destroy(s);
    return terms;
}

#define SAME(array, count)                                                                         \
    do {                                                                                           \
        assert_int_equal(part->count, alone->count);                                               \
        for (int k = 0; k < alone->count; ++k)                                                     \
            assert_memory_equal(&part->array[k], &alone->array[k], sizeof *alone->array);          \
    } while (0)

/* Of kinds that AMBER's fields do not have, one term for each chain, as no field with them is among the project's files. */
static void add_rare_kinds(cardo_terms *terms, int nchain)
{
    cardo_error error = {0};
    const double energies[4] = {1, 2, 3, 4};
    assert_ok(cardo_terms_expand(terms, &error), &error);
    assert_ok(CARDO_ALLOCATE(&terms->list.harmonic_torsion, nchain, &error), &error);
    assert_ok(CARDO_ALLOCATE(&terms->list.rb_torsion, nchain, &error), &error);
    assert_ok(CARDO_ALLOCATE(&terms->list.cmap, nchain, &error), &error);
    assert_ok(CARDO_ALLOCATE(&terms->map, 1, &error), &error);
    assert_ok(CARDO_ALLOCATE(&terms->map[0].energy, 4, &error), &error);
    memcpy(terms->map[0].energy, energies, sizeof energies);
    terms->map[0].size = 2;
    terms->nmap = 1;
    for (int k = 0; k < nchain; ++k) {
        const int a = ATOMS * k;
        terms->list.harmonic_torsion[k] =
            (cardo_harmonic_torsion_term){a + 1, a + 4, a + 5, a + 6, 0.5, 10};
        terms->list.rb_torsion[k] =
            (cardo_rb_torsion_term){a + 4, a + 6, a + 8, a + 14, {1, 2, 3, 4, 5, 6}};
        terms->list.cmap[k] = (cardo_cmap_term){0, {a + 4, a + 6, a + 8, a + 14, a + 16}};
    }
    terms->nharmonic_torsion = terms->nrb_torsion = terms->ncmap = nchain;
    cardo_terms_trim(terms);
}

static void those_of_a_chain_are_those_of_it_alone(void **state)
{
    (void)state;
    cardo_error error = {0};
    bool keep[3 * ATOMS];
    cardo_terms *whole = assigned("forcefields/ff14SB.xml", 3),
                *alone = assigned("forcefields/ff14SB.xml", 1), *part = NULL;
    add_rare_kinds(whole, 3);
    add_rare_kinds(alone, 1);
    assert_int_equal(whole->ncopy, 3);
    for (int i = 0; i < 3 * ATOMS; ++i)
        keep[i] = i / ATOMS == 1;
    assert_ok(cardo_terms_part(whole, keep, &part, &error), &error);
    assert_int_equal(part->natom, ATOMS);
    assert_true(part->has_nonbonded && part->nbond > 20 && part->nexception > 50);
    SAME(number.mass, natom);
    SAME(number.charge, natom);
    SAME(number.sigma, natom);
    SAME(number.epsilon, natom);
    SAME(list.bond, nbond);
    SAME(list.angle, nangle);
    SAME(list.torsion, ntorsion);
    SAME(list.harmonic_torsion, nharmonic_torsion);
    SAME(list.rb_torsion, nrb_torsion);
    SAME(list.cmap, ncmap);
    SAME(list.exception, nexception);
    assert_int_equal(part->nmap, whole->nmap);
    for (int k = 0; k < part->nmap; ++k)
        assert_memory_equal(part->map[k].energy, whole->map[k].energy,
                            (size_t)whole->map[k].size * (size_t)whole->map[k].size *
                                sizeof(double));
    cardo_terms_destroy(part);
    cardo_terms_destroy(alone);
    cardo_terms_destroy(whole);
}

/* Half of a chain: no term reaches out of it, and none inside of it is lost. */
static void terms_that_are_cut_are_left_out(void **state)
{
    (void)state;
    cardo_error error = {0};
    bool keep[ATOMS];
    int bonds = 0;
    cardo_terms *whole = assigned("forcefields/ff14SB.xml", 1), *part = NULL;
    for (int i = 0; i < ATOMS; ++i)
        keep[i] = i >= 6 && i < 16;
    for (int k = 0; k < whole->nbond; ++k)
        bonds += keep[whole->list.bond[k].a] && keep[whole->list.bond[k].b];
    assert_ok(cardo_terms_part(whole, keep, &part, &error), &error);
    assert_int_equal(part->natom, 10);
    assert_int_equal(part->nbond, bonds);
    assert_true(bonds > 5 && bonds < whole->nbond);
    for (int k = 0; k < part->ntorsion; ++k) {
        const cardo_torsion_term t = cardo_terms_torsion(part, k);
        assert_true(t.a >= 0 && t.a < 10 && t.b >= 0 && t.b < 10 && t.c >= 0 && t.c < 10 &&
                    t.d >= 0 && t.d < 10);
    }
    cardo_terms_destroy(part);
    whole->has_gb = true;
    assert_int_equal(cardo_terms_part(whole, keep, &part, &error), CARDO_ERROR_ARGUMENT);
    assert_null(part);
    cardo_terms_destroy(whole);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(those_of_a_chain_are_those_of_it_alone),
        cmocka_unit_test(terms_that_are_cut_are_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
