/* Numbers by name, of lines and of tables, in any order, and what is wrong with others. */
#include "multibody/random_tree.h"

#include "multibody/mobilizers/descriptor.h"
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

/* Pins in a row, named so. */
static cardo_system *make(int n, const char *const *names)
{
    cardo_error error = {0};
    cardo_system *system;
    assert_ok(cardo_system_create(&system, &error), &error);
    for (int k = 0; k < n; ++k) {
        uint64_t seed = 3;
        const cardo_body_definition body = {.name = names[k],
                                            .mobilizer = &cardo_mobilizer_pin,
                                            .parent = k,
                                            .X_PF = xform_identity(),
                                            .X_BM = xform_identity(),
                                            .mass = random_mass(&seed)};
        assert_ok(cardo_system_add_body(system, &body, NULL, &error), &error);
    }
    assert_ok(cardo_system_finalize(system, &error), &error);
    return system;
}

/* The values of these three names in a file, in any order. */
static void expect(const cardo_named_numbers *numbers, const char *const names[3], double a,
                   double b, double c)
{
    static const int orders[][3] = {{0, 1, 2}, {2, 0, 1}, {1, 0, 2}};
    const double value[] = {a, b, c};
    for (int o = 0; o < 3; ++o) {
        const int *order = orders[o];
        const char *const turned[] = {names[order[0]], names[order[1]], names[order[2]]};
        cardo_system *system = make(3, turned);
        double q[3];
        assert_int_equal(cardo_named_numbers_put(numbers, system, q), -1);
        for (int k = 0; k < 3; ++k)
            assert_true(q[k] == value[order[k]]);
        cardo_system_destroy(system);
    }
}

static void lines_and_tables(void **state)
{
    (void)state;
    static const char *const names[] = {"lobe", "A:ALA90.psi", "twist"};
    cardo_named_numbers numbers =
        read_good("coordinate,value\nlobe,0.25\nA:ALA90.psi,-1e-3\r\ntwist,3\n");
    assert_int_equal(numbers.n, 3);
    assert_false(numbers.of_table);
    expect(&numbers, names, 0.25, -1e-3, 3);
    cardo_named_numbers_clear(&numbers);
    /* Units go, other columns are left out, and the last row counts. */
    numbers = read_good("step,time (ps),q lobe,u lobe,q twist (nm),q A:ALA90.psi (rad)\n"
                        "0,0,9,9,9,9\n10,1,0.25,7,-0.5,2\n\n");
    assert_int_equal(numbers.n, 3);
    assert_true(numbers.of_table);
    expect(&numbers, names, 0.25, 2, -0.5);
    /* The first that is not there is told, parts of names are none, and what is there is put. */
    static const char *const others[] = {"twist", "lob", "lobes", "lobe"};
    cardo_system *system = make(4, others);
    double q[] = {8, 8, 8, 8};
    assert_int_equal(cardo_named_numbers_put(&numbers, system, q), 1);
    assert_true(q[0] == -0.5 && q[1] == 8 && q[2] == 8 && q[3] == 0.25);
    cardo_system_destroy(system);
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
