/* Atoms that each atom is bonded to, or has exceptions with. */
#include "forces/terms/partners.h"
#include "support/support.h"

/* A ring of three with a tail: 0-1, 1-2, 2-0, 2-3; atom 4 stands alone. */
static cardo_bond_term bonds[] = {
    {.a = 0, .b = 1}, {.a = 1, .b = 2}, {.a = 2, .b = 0}, {.a = 2, .b = 3}};
static cardo_exception_term exceptions[] = {{.a = 3, .b = 0}};

static cardo_terms ring(void)
{
    return (cardo_terms){
        .natom = 5, .nbond = 4, .nexception = 1, .list = {.bond = bonds, .exception = exceptions}};
}

static void in_the_order_of_terms(void **unused)
{
    (void)unused;
    static const int first[] = {0, 2, 4, 7, 8, 8}, to[] = {1, 2, -1, 1, -1, -2, 1, -1};
    const cardo_terms terms = ring();
    cardo_error error = {0};
    cardo_partners bonded;
    assert_ok(cardo_partners_by_bonds(&terms, &bonded, &error), &error);
    assert_memory_equal(bonded.first, first, sizeof first);
    assert_memory_equal(bonded.to, to, sizeof to);
    for (int a = 0; a < terms.natom; ++a)
        for (int b = 0; b < terms.natom; ++b)
            assert_int_equal(cardo_are_partners(&bonded, a, b), cardo_are_partners(&bonded, b, a));
    assert_true(cardo_are_partners(&bonded, 2, 3));
    assert_false(cardo_are_partners(&bonded, 0, 3));
    cardo_partners_clear(&bonded);
    assert_null(bonded.first);
}

static void exceptions_apart_from_bonds(void **unused)
{
    (void)unused;
    const cardo_terms terms = ring();
    cardo_error error = {0};
    cardo_partners excepted;
    assert_ok(cardo_partners_by_exceptions(&terms, &excepted, &error), &error);
    assert_true(cardo_are_partners(&excepted, 0, 3) && cardo_are_partners(&excepted, 3, 0));
    assert_false(cardo_are_partners(&excepted, 0, 1));
    assert_int_equal(excepted.first[5], 2);
    cardo_partners_clear(&excepted);
}

/* Two such rings one after the other, whose terms are kept once. */
static void of_identical_chains(void **unused)
{
    (void)unused;
    cardo_terms terms = ring();
    cardo_error error = {0};
    cardo_partners bonded;
    terms.natom *= 2;
    terms.nbond *= 2;
    terms.nexception *= 2;
    terms.ncopy = 2;
    assert_ok(cardo_partners_by_bonds(&terms, &bonded, &error), &error);
    assert_int_equal(bonded.natom, 5);
    for (int a = 0; a < terms.natom; ++a)
        for (int b = 0; b < terms.natom; ++b)
            assert_int_equal(cardo_are_partners(&bonded, a, b),
                             a / 5 == b / 5 && cardo_are_partners(&bonded, a % 5, b % 5));
    assert_true(cardo_are_partners(&bonded, 7, 8) && cardo_are_partners(&bonded, 8, 7));
    assert_false(cardo_are_partners(&bonded, 2, 8) || cardo_are_partners(&bonded, 4, 5));
    cardo_partners_clear(&bonded);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(in_the_order_of_terms),
        cmocka_unit_test(exceptions_apart_from_bonds),
        cmocka_unit_test(of_identical_chains),
    };
    return support_run(tests, NULL, NULL);
}
