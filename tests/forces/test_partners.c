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
    static const int first[] = {0, 2, 4, 7, 8, 8}, atom[] = {1, 2, 0, 2, 1, 0, 3, 2};
    const cardo_terms terms = ring();
    cardo_error error = {0};
    cardo_partners bonded;
    assert_ok(cardo_partners_by_bonds(&terms, &bonded, &error), &error);
    assert_memory_equal(bonded.first, first, sizeof first);
    assert_memory_equal(bonded.atom, atom, sizeof atom);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(in_the_order_of_terms),
        cmocka_unit_test(exceptions_apart_from_bonds),
    };
    return support_run(tests, NULL, NULL);
}
