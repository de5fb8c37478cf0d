/* Domains of many chains: copies by operators of our own, each of whose hinges is found, and what moves as one body across
 * chains. */
#include "analysis/domains/chains.h"
#include "analysis/domains/finder.h"
#include "base/memory.h"
#include "base/units.h"
#include "blob.h"
#include "support/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static cardo_error error;

enum { CORE = 110, CHAIN = 200 };

static cardo_transform turn(double degrees, cardo_vec3 axis, cardo_vec3 point)
{
    const cardo_mat33 R = m33_rotation(v3_unit(axis), degrees * CARDO_DEGREE);
    return (cardo_transform){R, v3_sub(point, m33_mul_v3(R, point))};
}

static void find(const cardo_displacement *d, cardo_found_domains *found)
{
    cardo_domain_options options = cardo_domain_options_default();
    *found = (cardo_found_domains){0};
    assert_ok(cardo_domains_find(d, &options, found, &error), &error);
}

/* Puts residues first.. of one displacement, moved by Y in both of its structures and rounded as files are, after those that another has. */
static void append(cardo_displacement *to, const cardo_displacement *from, int count,
                   cardo_transform Y, int chain)
{
    const struct {
        double *into;
        const double *from;
        int points;
    } kinds[] = {{to->a + 3 * to->n, from->a, 1},
                 {to->b + 3 * to->n, from->b, 1},
                 {to->a_backbone + 9 * to->n, from->a_backbone, 3},
                 {to->b_backbone + 9 * to->n, from->b_backbone, 3}};
    for (int k = 0; k < 4; ++k)
        for (int i = 0; i < kinds[k].points * count; ++i) {
            const cardo_vec3 x = xform_point(Y, v3_load(kinds[k].from + 3 * i));
            v3_store(kinds[k].into + 3 * i,
                     v3(round(1e4 * x.x) / 1e4, round(1e4 * x.y) / 1e4, round(1e4 * x.z) / 1e4));
        }
    for (int i = 0; i < count; ++i)
        to->chain[to->n + i] = chain;
    to->n += count;
}

static cardo_displacement room_for(int n)
{
    cardo_displacement d = {0};
    assert_ok(cardo_displacement_allocate(&d, n, &error), &error);
    d.n = 0;
    return d;
}

static cardo_displacement hinged(cardo_transform X, uint64_t seed)
{
    cardo_displacement d = {0};
    const cardo_transform both[2] = {xform_identity(), X};
    blob_displacement(&d, 2, (const int[2]){CORE, CHAIN}, both, 0.02, seed);
    return d;
}

/* A soup on a lattice, each copy turned otherwise; the cores stand still. */
static void finds_every_hinge_of_a_soup(void **state)
{
    (void)state;
    enum { COPIES = 100 };
    cardo_displacement one = hinged(turn(50, v3(0, 1, 0.3), v3(1.3, 0, 0.5)), 5);
    cardo_displacement d = room_for(COPIES * CHAIN);
    cardo_found_domains found, alone;
    for (int c = 0; c < COPIES; ++c) {
        cardo_transform Y = turn(41 * c, v3(1, c % 3, c % 7), v3(0, 0, 0));
        Y.p = v3(7 * (c % 5), 7 * (c / 5 % 5), 7 * (c / 25));
        append(&d, &one, CHAIN, Y, c);
    }
    find(&one, &alone);
    find(&d, &found);
    assert_int_equal(alone.best.ndomain, 2);
    assert_int_equal(found.best.ndomain, COPIES + 1);
    assert_int_equal(found.by_method[0].ndomain, COPIES + 1);
    assert_int_equal(found.by_method[1].ndomain, COPIES + 1);
    assert_true(found.agreement > 0.95);
    /* Lobes are numbered along the chains, and boundaries are the same residues in all, those of one chain alone. */
    for (int i = 0; i < d.n; ++i) {
        const bool lobe = alone.best.domain[i % CHAIN] != alone.best.domain[CORE / 2];
        assert_int_equal(found.best.domain[i], lobe ? 1 + i / CHAIN : 0);
        assert_int_equal(found.like[i], i % CHAIN);
    }
    cardo_found_domains_clear(&alone);
    cardo_found_domains_clear(&found);
    cardo_displacement_clear(&d);
    cardo_displacement_clear(&one);
}

/* Half a turn about the hinge's own axis makes a dimer whose lobes move as one body, and so do its cores. */
static void a_dimer_that_moves_as_one_body_is_one(void **state)
{
    (void)state;
    const cardo_vec3 axis = v3(0, 1, 0.3), point = v3(1.3, 0, 4);
    cardo_displacement one = hinged(turn(30, axis, point), 7), d = room_for(2 * CHAIN);
    cardo_found_domains found;
    append(&d, &one, CHAIN, xform_identity(), 0);
    append(&d, &one, CHAIN, turn(180, axis, point), 1);
    find(&d, &found);
    assert_non_null(found.like);
    assert_int_equal(found.best.ndomain, 2);
    for (int i = 0; i < CHAIN; ++i)
        assert_int_equal(found.best.domain[i], found.best.domain[i + CHAIN]);
    assert_int_not_equal(found.best.domain[CORE / 2], found.best.domain[(CORE + CHAIN) / 2]);
    cardo_found_domains_clear(&found);
    cardo_displacement_clear(&d);
    cardo_displacement_clear(&one);
}

/* Rigid copies of which every other one turns: two bodies, and none of a chain's own. */
static void rigid_copies_join_by_their_motion(void **state)
{
    (void)state;
    enum { COPIES = 6 };
    cardo_displacement one = {0}, d = room_for(COPIES * CORE);
    cardo_found_domains found;
    const cardo_transform still = xform_identity(), X = turn(20, v3(1, 1, 0), v3(9, 3, 0));
    blob_displacement(&one, 1, (const int[1]){CORE}, &still, 0.02, 9);
    for (int c = 0; c < COPIES; ++c) {
        cardo_transform Y = xform_identity();
        const int before = d.n;
        Y.p = v3(5 * c, 0, 0);
        append(&d, &one, CORE, Y, c);
        for (int i = before; i < d.n && c % 2; ++i) {
            v3_store(d.b + 3 * i, xform_point(X, v3_load(d.b + 3 * i)));
            for (int k = 0; k < 3; ++k)
                v3_store(d.b_backbone + 9 * i + 3 * k,
                         xform_point(X, v3_load(d.b_backbone + 9 * i + 3 * k)));
        }
    }
    find(&d, &found);
    assert_int_equal(found.best.ndomain, 2);
    for (int i = 0; i < d.n; ++i)
        assert_int_equal(found.best.domain[i], i / CORE % 2);
    cardo_found_domains_clear(&found);
    cardo_displacement_clear(&d);
    cardo_displacement_clear(&one);
}

/* Twelve chains of which none is a copy, with hinges of their own, and a peptide that goes with the last one's lobe. */
static void finds_hinges_of_many_strangers(void **state)
{
    (void)state;
    enum { CHAINS = 12, PEPTIDE = 9 };
    cardo_displacement d = room_for(CHAINS * CHAIN + PEPTIDE);
    cardo_found_domains found;
    for (int c = 0; c < CHAINS; ++c) {
        cardo_displacement one =
            hinged(turn(25 + 5 * c, v3(0.1 * c, 1, 0.3), v3(1.3, 0, 0.5)), 20 + (uint64_t)c);
        cardo_transform Y = xform_identity();
        Y.p = v3(7 * (c % 4), 7 * (c / 4), 0);
        append(&d, &one, CHAIN, Y, c);
        if (c == CHAINS - 1) {
            /* its last residues, a nanometre aside */
            cardo_displacement end = {.a = one.a + 3 * (CHAIN - PEPTIDE),
                                      .b = one.b + 3 * (CHAIN - PEPTIDE),
                                      .a_backbone = one.a_backbone + 9 * (CHAIN - PEPTIDE),
                                      .b_backbone = one.b_backbone + 9 * (CHAIN - PEPTIDE)};
            append(&d, &end, PEPTIDE, Y, CHAINS);
        }
        cardo_displacement_clear(&one);
    }
    find(&d, &found);
    assert_int_equal(found.best.ndomain, CHAINS + 1);
    for (int c = 0; c < CHAINS; ++c) {
        const int *domain = found.best.domain + c * CHAIN;
        for (int i = 0; i < CHAIN; ++i)
            if (abs(i - CORE) > 4)
                assert_true(i < CORE ? domain[i] == found.best.domain[0]
                                     : domain[i] == domain[CHAIN - 1]);
        for (int e = 0; e < c; ++e)
            assert_int_not_equal(domain[CHAIN - 1], found.best.domain[e * CHAIN + CHAIN - 1]);
    }
    for (int i = CHAINS * CHAIN; i < d.n; ++i)
        assert_int_equal(found.best.domain[i], found.best.domain[CHAINS * CHAIN - 1]);

    /* no more than are asked for: those that differ least become one */
    cardo_domain_options options = cardo_domain_options_default();
    options.most = 4;
    cardo_found_domains_clear(&found);
    assert_ok(cardo_domains_find(&d, &options, &found, &error), &error);
    assert_int_equal(found.best.ndomain, 4);
    cardo_found_domains_clear(&found);
    cardo_displacement_clear(&d);
}

/* Copies are such in both structures. */
static void tells_copies_from_others(void **state)
{
    (void)state;
    cardo_displacement one = hinged(turn(50, v3(0, 1, 0), v3(1.3, 0, 0)), 5);
    cardo_displacement other = hinged(turn(51, v3(0, 1, 0), v3(1.3, 0, 0)), 5);
    cardo_displacement d = room_for(3 * CHAIN);
    cardo_domain_chains chains = {0};
    cardo_domain_options options = cardo_domain_options_default();
    append(&d, &one, CHAIN, xform_identity(), 0);
    append(&d, &other, CHAIN, turn(77, v3(1, 2, 3), v3(9, 0, 0)), 1);
    assert_ok(cardo_domain_chains_list(&d, &options, &chains, &error), &error);
    assert_false(chains.by_themselves);
    cardo_domain_chains_clear(&chains);
    append(&d, &one, CHAIN, turn(12, v3(1, 2, 3), v3(19, 0, 0)), 2);
    assert_ok(cardo_domain_chains_list(&d, &options, &chains, &error), &error);
    assert_true(chains.by_themselves);
    assert_int_equal(chains.n, 3);
    assert_int_equal(chains.like[1], 1);
    assert_int_equal(chains.like[2], 0);
    cardo_domain_chains_clear(&chains);
    cardo_displacement_clear(&d);
    cardo_displacement_clear(&one);
    cardo_displacement_clear(&other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_every_hinge_of_a_soup),
        cmocka_unit_test(a_dimer_that_moves_as_one_body_is_one),
        cmocka_unit_test(rigid_copies_join_by_their_motion),
        cmocka_unit_test(finds_hinges_of_many_strangers),
        cmocka_unit_test(tells_copies_from_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
