/* Which residues are held at once. */
#include "support/support.h"

#include "study/domains/held_steps.h"

#include <math.h>

enum { RESIDUES = 6 };

/* Shares of a bound that holding each comes to; of the last two the stiffness says nothing, and one of these turns. */
static const double share[RESIDUES] = {0.9, 0.55, 0.5, 0.6, HUGE_VAL, HUGE_VAL};
static const bool turning[RESIDUES] = {true, true, true, true, false, true};

static void the_cheapest_come_first(void **unused)
{
    (void)unused;
    static const int order[] = {2, 1, 3, 0, 5};
    bool tried[RESIDUES] = {false};
    cardo_held_group group;
    for (int k = 0; k < 5; ++k) {
        cardo_held_group_take(RESIDUES, share, turning, 0.5, 1, tried, &group);
        assert_int_equal(group.n, 1);
        assert_int_equal(group.residue[0], order[k]);
    }
    cardo_held_group_take(RESIDUES, share, turning, 0.5, 1, tried, &group);
    assert_int_equal(group.n, 0);
    assert_false(tried[4]);
}

/* 0, 0.05 and 0.1 more than now are within a bound, 0.4 more besides is not. */
static void together_they_come_to_one_bound(void **unused)
{
    (void)unused;
    bool tried[RESIDUES] = {false};
    cardo_held_group group;
    cardo_held_group_take(RESIDUES, share, turning, 0.5, 8, tried, &group);
    assert_int_equal(group.n, 3);
    assert_int_equal(group.residue[0], 2);
    assert_int_equal(group.residue[1], 1);
    assert_int_equal(group.residue[2], 3);
    assert_false(tried[0]);
    cardo_held_group_take(RESIDUES, share, turning, 0.65, 8, tried, &group);
    assert_int_equal(group.n, 1);
    assert_int_equal(group.residue[0], 0);
}

/* One that alone comes to more than a bound is tried all the same, and so is what was not weighed, if any may be. */
static void one_is_always_tried(void **unused)
{
    (void)unused;
    bool tried[RESIDUES] = {false, true, true, true, false, false};
    cardo_held_group group;
    cardo_held_group_take(RESIDUES, share, NULL, 2, 8, tried, &group);
    assert_int_equal(group.n, 1);
    assert_int_equal(group.residue[0], 0);
    cardo_held_group_take(RESIDUES, share, NULL, 2, 8, tried, &group);
    assert_int_equal(group.n, 0);
    cardo_held_group_take(RESIDUES, share, turning, 2, 8, tried, &group);
    assert_int_equal(group.n, 1);
    assert_int_equal(group.residue[0], 5);
}

static void groups_grow_where_they_are_held(void **unused)
{
    (void)unused;
    static const int sizes[] = {1, 2, 4, 8, 8};
    cardo_held_group group = {.n = 1};
    int in_turn = 0;
    for (int k = 0; k < 5; ++k)
        assert_int_equal(group.n = cardo_held_group_next(&group, true, &in_turn), sizes[k]);
    assert_int_equal(group.n = cardo_held_group_next(&group, false, &in_turn), 1);
    assert_int_equal(group.n = cardo_held_group_next(&group, true, &in_turn), 1);
    assert_int_equal(cardo_held_group_next(&group, true, &in_turn), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_cheapest_come_first),
        cmocka_unit_test(together_they_come_to_one_bound),
        cmocka_unit_test(one_is_always_tried),
        cmocka_unit_test(groups_grow_where_they_are_held),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
