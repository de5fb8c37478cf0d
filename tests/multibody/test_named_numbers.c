/* Numbers by name, of lines and of tables, in any order, and what is wrong with others. */
#include "multibody/quantities/named_numbers.h"

#include "support/support.h"

static const char *path;

static cardo_named_numbers read_good(const char *text)
{
    cardo_named_numbers numbers;
    cardo_error error;
    path = support_write("numbers.csv", text);
    assert_ok(cardo_named_numbers_read(path, &numbers, &error), &error);
    return numbers;
}

static void refuse(const char *text, const char *what)
{
    cardo_named_numbers numbers;
    cardo_error error;
    path = support_write("numbers.csv", text);
    assert_fails(cardo_named_numbers_read(path, &numbers, &error), &error, CARDO_ERROR_INPUT, what);
    assert_int_equal(numbers.n, 0);
    assert_null(numbers.number);
}

static void expect(const cardo_named_numbers *numbers, const char *name, double value)
{
    int from = 0;
    double found = 0;
    assert_true(cardo_named_numbers_find(numbers, name, &from, &found));
    assert_true(found == value);
}

static void lines_and_tables(void **state)
{
    (void)state;
    cardo_named_numbers numbers =
        read_good("coordinate,value\nlobe q,0.25\nA:ALA90.psi,-1e-3\r\nlobe twist,3\n");
    assert_int_equal(numbers.n, 3);
    expect(&numbers, "lobe twist", 3);
    expect(&numbers, "A:ALA90.psi", -1e-3);
    expect(&numbers, "lobe q", 0.25);
    cardo_named_numbers_clear(&numbers);
    /* Units go, other columns are left out, and the last row counts, whose names are found from anywhere. */
    numbers = read_good("step,time (ps),q lobe q,u lobe q,q lobe stretch (nm),q A:ALA90.psi (rad)\n"
                        "0,0,9,9,9,9\n10,1,0.25,7,-0.5,2\n\n");
    assert_int_equal(numbers.n, 3);
    expect(&numbers, "lobe q", 0.25);
    expect(&numbers, "lobe stretch", -0.5);
    expect(&numbers, "A:ALA90.psi", 2);
    int from = 2;
    double value = 8;
    assert_true(cardo_named_numbers_find(&numbers, "lobe q", &from, &value));
    assert_int_equal(from, 1);
    assert_true(value == 0.25);
    assert_false(cardo_named_numbers_find(&numbers, "lobe", &from, &value));
    assert_false(cardo_named_numbers_find(&numbers, "lobe q ", &from, &value));
    assert_true(value == 0.25);
    cardo_named_numbers_clear(&numbers);
}

static void what_is_none(void **state)
{
    (void)state;
    refuse("", "is empty");
    refuse("coordinate,value\nlobe\n", "numbers.csv:2: 'lobe' is not NAME,VALUE");
    refuse("coordinate,value\nlobe q,1\nlobe twist,two\n", "numbers.csv:3");
    refuse("step,q lobe q\n", "has no row");
    refuse("step,q lobe q,q lobe twist\n0,1,2\n1,3\n",
           "numbers.csv:3: has no number for 'q lobe twist'");
    refuse("step,q lobe q\n0,\n", "has no number for 'q lobe q'");
    cardo_named_numbers numbers;
    cardo_error error;
    assert_fails(cardo_named_numbers_read("/nowhere/x.csv", &numbers, &error), &error,
                 CARDO_ERROR_FILE, "/nowhere/x.csv");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_and_tables),
        cmocka_unit_test(what_is_none),
    };
    return support_run(tests, NULL, NULL);
}
