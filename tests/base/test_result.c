/* Results: what is added is found again, failures are kept to the end, and the root owns everything. */
#include "base/memory.h"
#include "base/result.h"
#include "support/support.h"

#include <math.h>
#include <string.h>

static cardo_result *new_root(void)
{
    cardo_result *root;
    cardo_error error;
    assert_ok(cardo_result_create(&root, &error), &error);
    return root;
}

static const cardo_quantity energy = {
    "energy_kJ_per_mol", "energy", "kJ/mol", ".4f", "energy", ".10g", "the potential energy"};

static void test_values_are_found_by_path(void **state)
{
    (void)state;
    cardo_error error;
    cardo_result *root = new_root(), *methods = cardo_result_group(root, "methods");
    cardo_result *list = cardo_result_list(methods, "each"), *second;
    cardo_result_number(root, &energy, -1.5);
    cardo_result_integer(methods, &(cardo_quantity){"domains"}, 3);
    cardo_result_truth(methods, &(cardo_quantity){"agree"}, true);
    cardo_result_group(list, NULL);
    second = cardo_result_group(list, NULL);
    cardo_result_text(second, &(cardo_quantity){"name"}, "second");
    assert_ok(cardo_result_status(second, &error), &error);

    const cardo_result *found = cardo_result_find(root, "energy_kJ_per_mol");
    assert_true(cardo_result_as_doubles(found)[0] == -1.5);
    assert_null(cardo_result_as_integers(found));
    assert_string_equal(cardo_result_quantity(found)->unit, "kJ/mol");
    assert_string_equal(cardo_result_quantity(found)->meaning, "the potential energy");
    assert_int_equal(cardo_result_as_integers(cardo_result_find(root, "methods/domains"))[0], 3);
    assert_true(cardo_result_as_truths(cardo_result_find(root, "methods/agree"))[0]);
    assert_string_equal(cardo_result_as_texts(cardo_result_find(root, "methods/each/1/name"))[0],
                        "second");
    assert_ptr_equal(cardo_result_find(root, ""), root);
    assert_null(cardo_result_find(root, "methods/each/2"));
    assert_null(cardo_result_find(root, "methods/each/x"));
    assert_null(cardo_result_find(root, "energy"));
    assert_null(cardo_result_find(root, "energy_kJ_per_mol/0"));
    cardo_result_destroy(root);
}

/* Columns come as values do; cells that were passed over are absent, also of a column that came late. */
static void test_tables_hold_columns(void **state)
{
    (void)state;
    cardo_error error;
    cardo_result *root = new_root(), *table = cardo_result_table(root, "modes", "mode");
    const double axis[3] = {1, 2, 3};
    for (int k = 0; k < 40; ++k) {
        cardo_result_row(table);
        cardo_result_integer(table, &(cardo_quantity){"mode"}, k + 7);
        cardo_result_text(table, &(cardo_quantity){"name"}, k % 2 ? "odd" : "even");
        if (k >= 30)
            cardo_result_number(table, &energy, k);
        if (k == 35)
            cardo_result_vector(table, &(cardo_quantity){"axis"}, 3, axis);
        cardo_result *hinges = k == 2 ? cardo_result_table(table, "hinges", "hinge") : NULL;
        cardo_result_row(hinges);
        cardo_result_integer(hinges, &(cardo_quantity){"before"}, 90);
    }
    assert_ok(cardo_result_status(root, &error), &error);
    assert_int_equal(cardo_result_rows(table), 40);
    assert_string_equal(cardo_result_rows_name(table), "mode");
    assert_int_equal(cardo_result_count(table), 5);
    assert_int_equal(cardo_result_as_integers(cardo_result_find(table, "mode"))[39], 46);
    const cardo_result *late = cardo_result_find(table, energy.name);
    assert_true(cardo_result_is_absent(late, 29) && isnan(cardo_result_as_doubles(late)[29]));
    assert_true(!cardo_result_is_absent(late, 30) && cardo_result_as_doubles(late)[30] == 30);
    const cardo_result *vectors = cardo_result_find(table, "axis");
    assert_int_equal(cardo_result_naxis(vectors), 2);
    assert_memory_equal(cardo_result_as_doubles(vectors) + 3 * 35, axis, sizeof axis);
    assert_true(cardo_result_is_absent(vectors, 39) && !cardo_result_is_absent(vectors, 35));
    const cardo_result *inner = cardo_result_find(table, "hinges");
    assert_int_equal(cardo_result_rows(cardo_result_as_parts(inner)[2]), 1);
    assert_true(cardo_result_is_absent(inner, 3));
    cardo_result_destroy(root);
}

static void test_arrays_have_axes_and_labels(void **state)
{
    (void)state;
    cardo_error error;
    cardo_result *root = new_root(), *array;
    const cardo_axis axes[2] = {{"residue", 3}, {"mode", 2}};
    double *values = cardo_result_doubles(root, &energy, 2, axes, &array);
    for (int k = 0; k < 6; ++k)
        values[k] = k;
    cardo_result_label(array, 0, 2, "A:TYR14");
    cardo_result_hide(array, 1);
    assert_ok(cardo_result_status(root, &error), &error);
    assert_int_equal(cardo_result_naxis(array), 2);
    assert_string_equal(cardo_result_axis(array, 1).name, "mode");
    assert_int_equal(cardo_result_rows(array), 3);
    assert_string_equal(cardo_result_label_of(array, 0, 2), "A:TYR14");
    assert_null(cardo_result_label_of(array, 0, 0));
    assert_null(cardo_result_label_of(array, 1, 0));
    assert_true(cardo_result_is_hidden(array, 1) && !cardo_result_is_hidden(array, 2));
    /* A view, not a copy. */
    assert_ptr_equal(cardo_result_as_doubles(array), values);
    cardo_result_label(array, 0, 3, "beyond");
    assert_fails(cardo_result_status(root, &error), &error, CARDO_ERROR_ARGUMENT, "no place 3");
    cardo_result_destroy(root);
}

static void test_remarks_have_a_place(void **state)
{
    (void)state;
    const char *place;
    cardo_result *root = new_root();
    char text[] = "atoms overlap";
    cardo_result_remark(root, "overlap", CARDO_RESULT_WARNING, text, "A:TYR14");
    cardo_result_remark(root, "verdict", CARDO_RESULT_VERDICT, "hinged", NULL);
    text[0] = 'X'; /* it was copied */
    const cardo_result *remark = cardo_result_find(root, "overlap");
    assert_int_equal(cardo_result_severity_of(remark, &place), CARDO_RESULT_WARNING);
    assert_string_equal(place, "A:TYR14");
    assert_string_equal(cardo_result_as_texts(remark)[0], "atoms overlap");
    assert_int_equal(cardo_result_severity_of(cardo_result_find(root, "verdict"), &place),
                     CARDO_RESULT_VERDICT);
    assert_null(place);
    cardo_result_destroy(root);
}

/* The first failure stays, names what is wrong, and nothing that comes afterwards does harm. */
static void test_failures_wait(void **state)
{
    (void)state;
    cardo_error error;
    const cardo_quantity twice = {"twice"};
    cardo_result *root = new_root();
    cardo_result_number(root, &twice, 1);
    cardo_result_number(root, &twice, 2);
    cardo_result *after = cardo_result_group(root, "after");
    cardo_result_number(after, &energy, 1);
    cardo_result_row(after);
    assert_null(after);
    assert_fails(cardo_result_status(root, &error), &error, CARDO_ERROR_ARGUMENT, "twice");
    assert_true(cardo_result_as_doubles(cardo_result_find(root, "twice"))[0] == 1);
    cardo_result_destroy(root);

    root = new_root();
    cardo_result_row(root);
    assert_fails(cardo_result_status(root, &error), &error, CARDO_ERROR_ARGUMENT, "no table");
    cardo_result_destroy(root);

    root = new_root();
    cardo_result *table = cardo_result_table(root, "table", "row");
    cardo_result_number(table, &energy, 1);
    assert_fails(cardo_result_status(root, &error), &error, CARDO_ERROR_ARGUMENT, "no row");
    cardo_result_destroy(root);

    root = new_root();
    table = cardo_result_table(root, "table", "row");
    cardo_result_row(table);
    cardo_result_number(table, &energy, 1);
    cardo_result_integer(table, &energy, 1);
    assert_fails(cardo_result_status(root, &error), &error, CARDO_ERROR_ARGUMENT, "one type");
    cardo_result_destroy(root);

    root = new_root();
    const cardo_axis many[5] = {{"a", 1}, {"b", 1}, {"c", 1}, {"d", 1}, {"e", 1}};
    assert_null(cardo_result_doubles(root, &energy, 5, many, NULL));
    assert_fails(cardo_result_status(root, &error), &error, CARDO_ERROR_ARGUMENT, "4 axes");
    cardo_result_destroy(root);
    cardo_result_destroy(NULL);
    assert_fails(cardo_result_status(NULL, &error), &error, CARDO_ERROR_MEMORY, "no memory");
}

/* Wherever memory ends, filling goes through and the lack is told; nothing is lost (sanitizers look). */
static void test_lack_of_memory(void **state)
{
    (void)state;
    cardo_error error;
    bool failed = false, succeeded = false;
    for (long long bytes = 0; bytes < 200000 && !succeeded; bytes += 320) {
        cardo_result *root = new_root();
        const cardo_axis axis = {"residue", 16};
        cardo_result *array = NULL;
        long long outer = cardo_memory_limit_begin(bytes);
        cardo_result *table = cardo_result_table(root, "table", "row");
        for (int k = 0; k < 50; ++k) {
            cardo_result_row(table);
            cardo_result_text(table, &(cardo_quantity){"name"}, "a name of some length");
            cardo_result *inner = cardo_result_group(table, "inner");
            cardo_result_number(inner, &energy, k);
        }
        cardo_result_doubles(root, &energy, 1, &axis, &array);
        cardo_result_label(array, 0, 3, "label");
        cardo_result_hide(array, 3);
        cardo_memory_limit_end(outer);
        cardo_status status = cardo_result_status(root, &error);
        failed |= status == CARDO_ERROR_MEMORY;
        succeeded = status == CARDO_OK;
        cardo_result_destroy(root);
    }
    assert_true(failed && succeeded);
}

static const char *cell(const cardo_result *array, const char *style)
{
    static char text[64];
    return cardo_result_cell(array, 0, style, text, sizeof text);
}

static void test_cells(void **state)
{
    (void)state;
    cardo_result *root = new_root();
    cardo_result_number(root, &energy, 0.98765432);
    cardo_result_integer(root, &(cardo_quantity){"n"}, -12);
    cardo_result_truth(root, &(cardo_quantity){"soft", .style = "s;  imaginary"}, true);
    cardo_result_text(root, &(cardo_quantity){"name"}, "LAO");
    cardo_result_text(root, &(cardo_quantity){"nothing"}, NULL);
    const cardo_result *number = cardo_result_find(root, energy.name);
    assert_string_equal(cell(number, NULL), "0.9877");
    assert_string_equal(cell(number, "9.2f"), "     0.99");
    assert_string_equal(cell(number, "-9.2f"), "0.99     ");
    assert_string_equal(cell(number, "+.1f"), "+1.0");
    assert_string_equal(cell(number, "+.2g"), "+0.99");
    assert_string_equal(cell(number, "+9.1e"), " +9.9e-01");
    assert_string_equal(cell(number, "+.0p"), "+99");
    assert_string_equal(cell(number, ".1p"), "98.8");
    assert_string_equal(cell(number, ".2e"), "9.88e-01");
    assert_string_equal(cell(number, ".17g"), "0.98765431999999997");
    assert_string_equal(cell(number, "no style"), "0.987654");
    assert_string_equal(cell(cardo_result_find(root, "n"), "6d"), "   -12");
    assert_string_equal(cell(cardo_result_find(root, "soft"), NULL), "  imaginary");
    assert_string_equal(cell(cardo_result_find(root, "soft"), "4s"), " yes");
    assert_string_equal(cell(cardo_result_find(root, "name"), "-6s"), "LAO   ");
    assert_string_equal(cell(cardo_result_find(root, "nothing"), NULL), "");
    char small[4];
    assert_string_equal(cardo_result_cell(number, 0, ".17g", small, sizeof small), "0.9");
    cardo_result_destroy(root);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values_are_found_by_path),
        cmocka_unit_test(test_tables_hold_columns),
        cmocka_unit_test(test_arrays_have_axes_and_labels),
        cmocka_unit_test(test_remarks_have_a_place),
        cmocka_unit_test(test_failures_wait),
        cmocka_unit_test(test_lack_of_memory),
        cmocka_unit_test(test_cells),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
