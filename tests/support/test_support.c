/* The runner itself: what lacks its need is skipped and said so, what misses by chance is drawn again, and
 * what is wrong fails. The failures that it prints are meant. */
#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>

static bool never(void)
{
    return false;
}

static bool always(void)
{
    return true;
}

static const support_need missing = {never, "what nobody has"};
static const support_need present = {always, "what everybody has"};

static void passes(void **state)
{
    (void)state;
}

static void fails(void **state)
{
    (void)state;
    fail();
}

static int draws;

static void passes_at_the_third_draw(void **state)
{
    (void)state;
    assert_int_equal(support_seed(7), 7 + 1000003 * draws);
    assert_true(++draws >= 3);
}

static int run(const char *functions, const struct CMUnitTest *tests, size_t count)
{
    draws = 0;
    if (functions)
        setenv("CARDO_TEST_FUNCTIONS", functions, 1);
    else
        unsetenv("CARDO_TEST_FUNCTIONS");
    return support_run_tests(tests, count, NULL, NULL);
}

static int wrong;

static void expect(const char *what, int got, int expected)
{
    if (got == expected)
        return;
    printf("WRONG: %s: %d, not %d\n", what, got, expected);
    ++wrong;
}

int main(void)
{
    const struct CMUnitTest skipped[] = {test_with(passes, missing), test_with(fails, missing)};
    const struct CMUnitTest mixed[] = {cmocka_unit_test(passes), test_with(fails, missing),
                                       test_with(passes, present)};
    const struct CMUnitTest chance[] = {statistical_test(passes_at_the_third_draw),
                                        cmocka_unit_test(passes)};
    const struct CMUnitTest bad[] = {statistical_test(fails), cmocka_unit_test(passes)};
    const struct CMUnitTest figures[] = {figures_test(passes_at_the_third_draw),
                                         cmocka_unit_test(passes)};
    const struct CMUnitTest bad_present[] = {test_with(fails, present)};
    expect("nothing but skipped", run(NULL, skipped, 2), 77);
    expect("one skipped by name", run("fails", mixed, 3), 77);
    expect("the rest passes", run("plain", mixed, 3), 0);
    expect("all that can run", run(NULL, mixed, 3), 0);
    expect("a function that is not there", run("nowhere", mixed, 3), 1);
    expect("drawn again", run(NULL, chance, 2), 0);
    expect("three draws", draws, 3);
    expect("figures are judged", run(NULL, figures, 2), 0);
    expect("but by no sanitizer", draws, SUPPORT_SANITIZED ? 0 : 3);
    expect("every draw fails", run(NULL, bad, 2), 1);
    expect("a need that is met", run(NULL, bad_present, 1), 1);
    return wrong;
}
