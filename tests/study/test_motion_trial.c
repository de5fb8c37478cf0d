/* Which of two trials is the better one, and what is said of them. */
#include "support/support.h"

#include "study/domains/motion_trial.h"

#include <math.h>

/* Good from the first place to one, with a cycle that takes so much; strain below nothing: it is not known. */
static cardo_motion_trial trial_of(int last, double work, double strain, double rise)
{
    cardo_motion_trial trial = {.minimized = true,
                                .last = last,
                                .work = work,
                                .rise = rise,
                                .strain = strain,
                                .reference_hysteresis = strain < 0 ? (double)NAN : 5};
    for (int k = 0; k < CARDO_TRIAL_PLACES; ++k)
        trial.place[k] = (cardo_trial_place){.q = 0.1 * k, .reached = {true, true}};
    return trial;
}

static void assert_better(cardo_motion_trial first, cardo_motion_trial second)
{
    assert_true(cardo_motion_trial_is_better(&first, &second));
    assert_false(cardo_motion_trial_is_better(&second, &first));
}

static void range_counts_first_then_the_cycle_then_strain(void **unused)
{
    (void)unused;
    assert_better(trial_of(10, 70, -1, 90), trial_of(9, 1, 5, 20));
    assert_better(trial_of(9, 9, -1, 90), trial_of(9, 11, 5, 20));
    assert_better(trial_of(9, 19, 22, 90), trial_of(9, 210, 19, 20));
    assert_better(trial_of(9, 19, 19, 90), trial_of(9, 16, 22, 20));
    assert_better(trial_of(9, 9, 50, 90), trial_of(9, 9, -1, 20));
    assert_better(trial_of(9, 9, 40, 90), trial_of(9, 9, 50, 20));
    assert_better(trial_of(9, 9, -1, 20), trial_of(9, 9, -1, 90));
    const cardo_motion_trial one = trial_of(9, 9, 40, 90);
    assert_false(cardo_motion_trial_is_better(&one, &one));
}

static void a_verdict_names_what_is_known(void **unused)
{
    (void)unused;
    char text[CARDO_TRIAL_TEXT];
    const cardo_motion_trial whole = trial_of(10, 4, 42, 20), open = trial_of(10, 69, -1, 20);
    assert_string_equal(cardo_motion_trial_verdict(&whole, text),
                        "good from q = 0 to 1, there and back; strain 42 kJ/mol over all atoms");
    assert_string_equal(cardo_motion_trial_verdict(&open, text),
                        "good from q = 0 to 1, there and back; a cycle takes 69 kJ/mol, as "
                        "torsions leap");
}

/* A cycle through places that are no minima may take anything. */
static void a_cycle_is_closed_where_its_stops_are_minima(void **unused)
{
    (void)unused;
    char text[CARDO_TRIAL_TEXT];
    cardo_motion_trial trial = trial_of(10, 4, 42, 20);
    assert_true(cardo_motion_trial_is_closed(&trial));
    trial.work = -25;
    assert_false(cardo_motion_trial_is_closed(&trial));
    assert_string_equal(cardo_motion_trial_verdict(&trial, text),
                        "good from q = 0 to 1, there and back; strain 42 kJ/mol over all atoms; "
                        "what a cycle takes is not known: -25 kJ/mol by the force at its stops, "
                        "which lie too far apart for it");
    trial.work = 4;
    trial.unrested = 3;
    trial.force = 34.2;
    assert_false(cardo_motion_trial_is_closed(&trial));
    assert_better(trial_of(10, 4, 42, 20), trial);
    assert_string_equal(
        cardo_motion_trial_verdict(&trial, text),
        "good from q = 0 to 1, there and back; strain 42 kJ/mol over all atoms; "
        "what a cycle takes is not known, since minima were not reached: at 3 stops "
        "forces are left, up to 34 kJ/mol per rad or nm, which more iterations "
        "would take");
}

/* A place at which all atoms were not looked at, between two at which they were: 50 and 70 there, so that 60 is what they ask. */
static void what_stands_out_between_judged_places_is_strained(void **unused)
{
    (void)unused;
    cardo_motion_trial judged = trial_of(10, 2, -1, 90), trial = trial_of(10, 2, -1, 90);
    judged.reference_hysteresis = 5;
    for (int k = 0; k < CARDO_TRIAL_PLACES; ++k)
        judged.place[k].all_atoms = k < 3 ? 50 : 70;
    assert_close(cardo_motion_trial_all_atoms(&judged, 2), 50, 0);
    assert_close(cardo_motion_trial_all_atoms(&judged, 3), 60, 1e-12);
    for (int k = 0; k < CARDO_TRIAL_PLACES; ++k)
        trial.place[k].lower = k < 3 ? 150 : 170;
    for (double above = 40; above <= 80; above += 40) {
        trial.place[3].lower = 160 + above;
        cardo_motion_trial_assume(&trial, &judged);
        assert_close(trial.strain, above, 1e-9);
        assert_int_equal(cardo_motion_trial_is_high(&trial, 3), above > 60);
        assert_false(cardo_motion_trial_is_high(&trial, 2));
        assert_int_equal(cardo_motion_trial_is_whole(&trial), above < 60);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(range_counts_first_then_the_cycle_then_strain),
        cmocka_unit_test(a_verdict_names_what_is_known),
        cmocka_unit_test(what_stands_out_between_judged_places_is_strained),
        cmocka_unit_test(a_cycle_is_closed_where_its_stops_are_minima),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
