/* Which changes of a model stay: what they may cost once all atoms have judged them. */
#include "support/support.h"

#include "study/domains/attempt_changes.h"

#include <math.h>

/* Good from the first place to one, with a cycle that takes so much. */
static cardo_motion_trial trial_of(int last, double work, double strain)
{
    return (cardo_motion_trial){.minimized = true,
                                .last = last,
                                .work = work,
                                .rise = 90,
                                .strain = strain,
                                .reference_hysteresis = 5};
}

static bool helps(cardo_motion_trial next, cardo_motion_trial trial)
{
    const cardo_attempt_change by = {.most_strain = trial.strain, .most_rise = HUGE_VAL};
    return cardo_change_is_worth_judging(&by, &next, &trial) &&
           cardo_change_helps(&by, &next, &trial);
}

static void less_strain_helps_where_no_range_is_lost(void **unused)
{
    (void)unused;
    assert_true(helps(trial_of(10, 2, 40), trial_of(10, 2, 49)));
    assert_false(helps(trial_of(10, 2, 49), trial_of(10, 2, 49)));
    assert_false(helps(trial_of(9, 2, 40), trial_of(10, 2, 49)));
    assert_false(helps(trial_of(10, 33, 40), trial_of(10, 2, 49)));
}

static void a_cycle_that_closes_may_be_strained_as_any_model(void **unused)
{
    (void)unused;
    assert_true(helps(trial_of(10, 2, 55), trial_of(10, 33, 49)));
    assert_false(helps(trial_of(10, 2, 65), trial_of(10, 33, 49)));
    assert_false(helps(trial_of(10, 31, 55), trial_of(10, 33, 49)));
    assert_true(helps(trial_of(10, 2, 65), trial_of(10, 33, 71)));
    cardo_motion_trial unknown = trial_of(10, 2, 20);
    unknown.reference_hysteresis = 70;
    assert_false(helps(unknown, trial_of(10, 33, 49)));
}

/* Where all atoms do not agree on the strain, what counts is range, then the cycle, by more than 10 kJ/mol where it is open, then that strain is known, then the
 * rise. */
static void where_strain_is_not_known_the_better_model_helps(void **unused)
{
    (void)unused;
    cardo_motion_trial before = trial_of(9, 49, 130), next = trial_of(10, 25, 140);
    before.reference_hysteresis = next.reference_hysteresis = 79;
    assert_true(helps(next, before));
    next.last = 9;
    assert_true(helps(next, before));
    assert_false(helps(before, next));
    next.work = 41;
    assert_false(helps(next, before));
    next.rise = 46;
    assert_true(helps(next, before));
    next.last = 8;
    assert_false(helps(next, before));
    next = trial_of(9, 49, 55);
    assert_true(helps(next, before));
}

static void what_opens_the_cycle_or_loses_its_minima_stays_not(void **unused)
{
    (void)unused;
    cardo_motion_trial next = trial_of(10, 2, 40);
    next.unrested = 1;
    assert_false(helps(next, trial_of(10, 2, 49)));
    cardo_motion_trial trial = trial_of(10, 2, 49);
    trial.unrested = 1;
    assert_true(helps(next, trial));
}

/* Where nothing but strain speaks against it, and that by less than a bound. */
static void what_is_strained_alone_gets_one_geometry_more(void **unused)
{
    (void)unused;
    const cardo_motion_trial trial = trial_of(10, 2, 25);
    cardo_attempt_change by = {.most_strain = 60, .most_rise = HUGE_VAL, .again = true};
    cardo_motion_trial next = trial_of(8, 2, 68);
    assert_true(cardo_change_is_strained_alone(&by, &next, &trial));
    next.strain = 121;
    assert_false(cardo_change_is_strained_alone(&by, &next, &trial));
    next = trial_of(10, 2, 50);
    assert_false(cardo_change_is_strained_alone(&by, &next, &trial));
    next = trial_of(8, 2, 68);
    next.reference_hysteresis = 70;
    assert_false(cardo_change_is_strained_alone(&by, &next, &trial));
    by.again = false;
    next = trial_of(8, 2, 68);
    assert_false(cardo_change_is_strained_alone(&by, &next, &trial));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(less_strain_helps_where_no_range_is_lost),
        cmocka_unit_test(a_cycle_that_closes_may_be_strained_as_any_model),
        cmocka_unit_test(where_strain_is_not_known_the_better_model_helps),
        cmocka_unit_test(what_opens_the_cycle_or_loses_its_minima_stays_not),
        cmocka_unit_test(what_is_strained_alone_gets_one_geometry_more),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
