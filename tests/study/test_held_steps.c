/* How many residues stay held by what all atoms came to last. */
#include "support/support.h"

#include "study/domains/held_steps.h"

#include <math.h>

enum { RESIDUES = 8 };

/* Good along the whole way; rises by so much more than all atoms at its end. */
static void make_trial(cardo_motion_trial *trial, double rise)
{
    *trial = (cardo_motion_trial){
        .minimized = true, .last = CARDO_TRIAL_PLACES - 1, .work = 0, .reference_hysteresis = 5};
    for (int k = 0; k < CARDO_TRIAL_PLACES; ++k)
        trial->place[k] = (cardo_trial_place){.q = 0.1 * k,
                                              .reached = {true, true},
                                              .lower = rise * k / (CARDO_TRIAL_PLACES - 1),
                                              .strain = (double)NAN,
                                              .all_atoms = (double)NAN};
    for (int k = 0; k < CARDO_TRIAL_PLACES; k += CARDO_TRIAL_REFERENCE_EVERY)
        trial->place[k].all_atoms = 0;
}

/* Residues 3, 4, 5, 6 in turn, before each of which the way rose by 10, 30, 45, 50. */
static void hold_four(cardo_held_steps *steps, const cardo_domain_attempt *attempt)
{
    static const double rise[] = {10, 30, 45, 50};
    for (int k = 0; k < 4; ++k) {
        cardo_motion_trial trial;
        cardo_attempt_choice choice;
        cardo_error error = {0};
        make_trial(&trial, rise[k]);
        assert_ok(cardo_attempt_choice_keep(attempt, &choice, &error), &error);
        assert_ok(cardo_held_steps_add(steps, attempt, 3 + k, &trial, &choice, &error), &error);
        assert_null(choice.giving);
    }
    assert_int_equal(steps->n, 4);
    assert_int_equal(steps->step[2].residue, 5);
}

static int standing_by(double all_atoms_fall, double most_strain)
{
    bool giving[RESIDUES] = {false}, turning[RESIDUES] = {false};
    const cardo_domain_attempt attempt = {
        .nresidue = RESIDUES, .giving = giving, .turning = turning};
    cardo_held_steps steps = {0};
    const cardo_attempt_change by = {.most_strain = most_strain};
    cardo_motion_trial judged;
    hold_four(&steps, &attempt);
    make_trial(&judged, 62);
    judged.place[CARDO_TRIAL_PLACES - 1].all_atoms = -all_atoms_fall;
    const int held = cardo_held_steps_standing(&steps, &judged, &by);
    cardo_held_steps_clear(&steps);
    return held;
}

static void stand_as_long_as_strain_lets_them(void **unused)
{
    (void)unused;
    assert_int_equal(standing_by(0, 60), 3);
    assert_int_equal(standing_by(12, 60), 2);
    assert_int_equal(standing_by(20, 60), 1);
    assert_int_equal(standing_by(31, 60), 0);
    /* the first is what was judged before */
    assert_int_equal(standing_by(500, 60), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stand_as_long_as_strain_lets_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
