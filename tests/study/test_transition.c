/* What the study of a transition makes of a free energy, and what it remembers of its steps. */
#include "study/transition/notes.h"
#include "study/transition/profile.h"

#include "support/support.h"

#include <math.h>

/* Bins from -0.2 to 1.2 of a free energy given by f. */
static void fill(cardo_hinge_profile *p, double (*f)(double q))
{
    *p = (cardo_hinge_profile){.n = CARDO_PROFILE_POINTS};
    for (int k = 0; k < p->n; ++k) {
        p->q[k] = -0.2 + 1.4 * (k + 0.5) / p->n;
        p->free_energy[k] = f(p->q[k]);
        p->sigma[k] = 0.1;
    }
    cardo_hinge_profile_judge(p);
}

/* Wells at 0 and 1, the second 2 kT higher, and a barrier of 8 kT between them. */
static double two_wells(double q)
{
    const double s = sin(3.141592653589793 * q);
    const double tilt = q <= 0 ? 0 : q >= 1 ? 2 : 2 * q;
    return (q < 0 || q > 1 ? 200 * (q < 0 ? q * q : (q - 1) * (q - 1)) : 7 * s * s) + tilt;
}

static double valley(double q)
{
    return 20 * (q - 0.1) * (q - 0.1);
}

static double wall(double q)
{
    return q < 0.6 ? valley(q) : (double)NAN;
}

static void two_wells_with_a_barrier(void **state)
{
    (void)state;
    cardo_hinge_profile p;
    fill(&p, two_wells);
    assert_true(p.whole && p.wells);
    assert_true(fabs(p.at[0]) < 0.03 && fabs(p.at[1] - 1) < 0.03);
    assert_true(fabs(p.barrier - 8) < 0.1 && fabs(p.barrier_at - 0.52) < 0.04);
    double below = 0, above = 0, squares[2] = {0, 0};
    for (int k = 0; k < p.n; ++k) {
        const double weight = exp(-p.free_energy[k]);
        *(p.q[k] > 0.5 ? &above : &below) += weight;
        squares[p.q[k] > 0.5] += weight * weight * 0.01;
    }
    assert_true(fabs(p.difference - log(below / above)) < 1e-12 && p.difference > 1);
    assert_true(fabs(p.error - sqrt(squares[0] / (below * below) + squares[1] / (above * above))) <
                1e-12);
}

static void one_valley_has_no_barrier(void **state)
{
    (void)state;
    cardo_hinge_profile p;
    fill(&p, valley);
    assert_true(p.whole && !p.wells);
    assert_true(fabs(p.at[0] - 0.1) < 0.03);
    assert_true(fabs(p.end[1] - valley(1)) < 1 && fabs(p.end[0] - valley(0)) < 0.1);
    assert_true(fabs(p.between - valley(1)) < 1);
    fill(&p, wall);
    assert_true(!p.whole && p.highest < 0.6);
    assert_true(isinf(p.between));
}

static void nothing_is_known(void **state)
{
    (void)state;
    cardo_hinge_profile p = {.n = 3, .q = {0, 0.5, 1}};
    for (int k = 0; k < 3; ++k)
        p.free_energy[k] = p.sigma[k] = (double)NAN;
    cardo_hinge_profile_judge(&p);
    assert_true(!p.whole && !p.wells && isnan(p.difference) && isnan(p.lowest));
}

static void notes_keep_every_bit(void **state)
{
    (void)state;
    cardo_step_notes notes = {0};
    const double given[3] = {1.0 / 3, -0.0, 1e-300};
    double back[3];
    cardo_step_note_numbers(&notes, "a", "q", given, 3);
    cardo_step_note_text(&notes, "a", "why", "one\nline\tonly\n");
    cardo_step_note_text(&notes, "b", "why", NULL);
    cardo_step_note_number(&notes, "a", "nan", (double)NAN);
    assert_int_equal(cardo_step_numbers(&notes, "a", "q", back, 3), 3);
    assert_memory_equal(given, back, sizeof given);
    assert_int_equal(cardo_step_numbers(&notes, "a", "q", back, 2), 2);
    assert_string_equal(cardo_step_text(&notes, "a", "why"), "one line only");
    assert_null(cardo_step_text(&notes, "b", "why"));
    assert_true(isnan(cardo_step_number(&notes, "a", "nan")));
    cardo_step_note_text(&notes, "a", "why", "other");
    assert_string_equal(cardo_step_text(&notes, "a", "why"), "other");
    assert_int_equal(cardo_step_notes_status(&notes, NULL), CARDO_OK);
    cardo_step_notes_clear(&notes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_wells_with_a_barrier),
        cmocka_unit_test(one_valley_has_no_barrier),
        cmocka_unit_test(nothing_is_known),
        cmocka_unit_test(notes_keep_every_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
