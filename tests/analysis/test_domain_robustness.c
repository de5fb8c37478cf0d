/* Domains in real pairs stay the same when coordinates are noisy, residues are missing, numbers
 * differ, structures are swapped, and options of the search are another by 30 %. */
#include "analysis/domains/motions.h"
#include "base/memory.h"
#include "base/units.h"
#include "structure/atoms/superpose.h"
#include "structure/pdb/pdb.h"
#include "support/agreement.h"
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static cardo_error error;

/* Single hinges of 52, 56, 42 and 54 degrees. */
static const char *const pairs[][2] = {{"pdb/2lao.pdb", "pdb/1lst.pdb"},
                                       {"pdb/1ggg_A_bb.pdb", "pdb/1wdn.pdb"},
                                       {"pdb/1urp_A_bb.pdb", "pdb/2dri.pdb"},
                                       {"pdb/1dpe_A_bb.pdb", "pdb/1dpp_A_bb.pdb"}};
enum { NPAIR = sizeof pairs / sizeof *pairs };

/* A pair and what is found in it undisturbed. */
typedef struct fixture {
    cardo_structure *structure[2];
    cardo_domain_motions *found;
} fixture;

static cardo_domain_motions *look(const cardo_structure *a, const cardo_structure *b,
                                  const cardo_domain_options *options)
{
    int *match;
    cardo_domain_motions *found;
    assert_ok(CARDO_ALLOCATE(&match, a->nresidue, &error), &error);
    assert_ok(cardo_match_residues(a, b, match, NULL, &error), &error);
    assert_ok(cardo_domain_motions_find(a, b, match, options, &found, &error), &error);
    cardo_free(match);
    return found;
}

/* The protein of a file. */
static cardo_structure *load(const char *name)
{
    cardo_structure *all, *out;
    bool *keep;
    assert_ok(cardo_structure_read(support_shared(name), 0, &all, &error), &error);
    assert_ok(CARDO_ALLOCATE(&keep, all->natom, &error), &error);
    for (int i = 0; i < all->natom; ++i)
        keep[i] = !all->hetero[all->atom_residue[i]];
    assert_ok(cardo_structure_subset(all, keep, &out, &error), &error);
    cardo_free(keep);
    cardo_structure_destroy(all);
    return out;
}

static void open_fixture(fixture *f, int k)
{
    cardo_domain_options options = cardo_domain_options_default();
    for (int s = 0; s < 2; ++s)
        f->structure[s] = load(pairs[k][s]);
    f->found = look(f->structure[0], f->structure[1], &options);
    assert_int_equal(f->found->ndomain, 2);
    assert_int_equal(f->found->verdict, CARDO_MOTION_HINGED);
}

static void close_fixture(fixture *f)
{
    cardo_structure_destroy(f->structure[0]);
    cardo_structure_destroy(f->structure[1]);
    cardo_domain_motions_destroy(f->found);
}

/* The same two domains and angle as undisturbed; destroys other. */
static void check_same(const fixture *f, const cardo_structure *reference,
                       cardo_domain_motions *other)
{
    int *expected, n = reference->nresidue;
    assert_ok(CARDO_ALLOCATE(&expected, n, &error), &error);
    assert_ok(cardo_match_residues(reference, f->structure[0], expected, NULL, &error), &error);
    for (int r = 0; r < n; ++r)
        expected[r] = expected[r] < 0 ? -1 : f->found->domain[expected[r]];
    assert_int_equal(other->ndomain, 2);
    assert_true(agreement_of(n, expected, other->domain) >= 0.95);
    assert_close(other->hinge[0].fit->angle / CARDO_DEGREE,
                 f->found->hinge[0].fit->angle / CARDO_DEGREE, 2.0);
    cardo_free(expected);
    cardo_domain_motions_destroy(other);
}

static void bears_noise(void **state)
{
    (void)state;
    cardo_domain_options options = cardo_domain_options_default();
    uint64_t seed = 17;
    for (int k = 0; k < NPAIR; ++k) {
        fixture f;
        open_fixture(&f, k);
        cardo_structure *noisy[2] = {load(pairs[k][0]), load(pairs[k][1])};
        /* Uniform, of 0.03 nm standard deviation in each coordinate. */
        for (int s = 0; s < 2; ++s)
            for (int i = 0; i < 3 * noisy[s]->natom; ++i)
                noisy[s]->position[i] += 0.03 * sqrt(3) * support_random(&seed);
        check_same(&f, noisy[0], look(noisy[0], noisy[1], &options));
        cardo_structure_destroy(noisy[0]);
        cardo_structure_destroy(noisy[1]);
        close_fixture(&f);
    }
}

/* Without every tenth residue or so, and from 40 on without 12 at once; numbers count from 1000. */
static cardo_structure *damage(const cardo_structure *whole, uint64_t *seed)
{
    cardo_structure *out;
    bool *keep;
    assert_ok(CARDO_ALLOCATE(&keep, whole->natom, &error), &error);
    for (int r = 0; r < whole->nresidue; ++r) {
        bool stays = support_random(seed) > -0.8 && (r < 40 || r >= 52);
        for (int i = whole->residue_first[r]; i < whole->residue_first[r + 1]; ++i)
            keep[i] = stays;
    }
    assert_ok(cardo_structure_subset(whole, keep, &out, &error), &error);
    for (int r = 0; r < out->nresidue; ++r)
        out->residue_number[r] = 1000 + r;
    cardo_free(keep);
    return out;
}

static void bears_gaps_and_other_numbers(void **state)
{
    (void)state;
    cardo_domain_options options = cardo_domain_options_default();
    uint64_t seed = 5;
    for (int k = 0; k < NPAIR; ++k) {
        fixture f;
        open_fixture(&f, k);
        cardo_structure *damaged = damage(f.structure[0], &seed);
        check_same(&f, damaged, look(damaged, f.structure[1], &options));
        cardo_structure_destroy(damaged);
        damaged = damage(f.structure[1], &seed);
        check_same(&f, f.structure[0], look(f.structure[0], damaged, &options));
        cardo_structure_destroy(damaged);
        close_fixture(&f);
    }
}

static void does_not_care_which_is_first(void **state)
{
    (void)state;
    cardo_domain_options options = cardo_domain_options_default();
    for (int k = 0; k < NPAIR; ++k) {
        fixture f;
        open_fixture(&f, k);
        check_same(&f, f.structure[1], look(f.structure[1], f.structure[0], &options));
        close_fixture(&f);
    }
}

static void hardly_depends_on_options(void **state)
{
    (void)state;
    static const char *const changes[][2] = {
        {"window", "3"},        {"window", "7"},        {"smallest", "14"},   {"smallest", "26"},
        {"ratio", "1.75"},      {"ratio", "3.25"},      {"correlation", "7"}, {"correlation", "13"},
        {"precision", "0.007"}, {"precision", "0.013"}, {"contact", "0.56"},  {"contact", "1.04"}};
    for (int k = 0; k < NPAIR; ++k) {
        fixture f;
        open_fixture(&f, k);
        for (size_t c = 0; c < sizeof changes / sizeof *changes; ++c) {
            cardo_domain_options options = cardo_domain_options_default();
            assert_ok(cardo_fields_set(cardo_domain_option_fields, &options, changes[c][0],
                                       changes[c][1], &error),
                      &error);
            check_same(&f, f.structure[0], look(f.structure[0], f.structure[1], &options));
        }
        close_fixture(&f);
    }
}

static void sees_no_hinge_between_copies(void **state)
{
    (void)state;
    cardo_domain_options options = cardo_domain_options_default();
    /* Two crystallographic copies of one open form differ by packing alone. */
    cardo_structure *a = load("pdb/1ggg_A_bb.pdb"), *b = load("pdb/1ggg_B.pdb");
    cardo_domain_motions *found = look(a, b, &options);
    assert_int_equal(found->verdict, CARDO_MOTION_NONE);
    cardo_domain_motions_destroy(found);
    cardo_structure_destroy(a);
    cardo_structure_destroy(b);
}

static void homologues_have_the_same_hinge(void **state)
{
    (void)state;
    cardo_domain_options options = cardo_domain_options_default();
    /* LAO's open form against the closed form of the glutamine-binding protein, 30 % identical. */
    fixture f;
    open_fixture(&f, 0);
    cardo_structure *closed = load("pdb/1wdn.pdb");
    cardo_domain_motions *found = look(f.structure[0], closed, &options);
    assert_int_equal(found->ndomain, 2);
    assert_true(agreement_of(f.structure[0]->nresidue, found->domain, f.found->domain) >= 0.95);
    double cosine = v3_dot(found->hinge[0].fit->axis, f.found->hinge[0].fit->axis);
    assert_true(cosine > cos(15 * CARDO_DEGREE));
    cardo_domain_motions_destroy(found);
    cardo_structure_destroy(closed);
    close_fixture(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        shared_test(bears_noise),
        shared_test(bears_gaps_and_other_numbers),
        shared_test(does_not_care_which_is_first),
        shared_test(hardly_depends_on_options),
        shared_test(sees_no_hinge_between_copies),
        shared_test(homologues_have_the_same_hinge),
    };
    return support_run(tests, NULL, NULL);
}
