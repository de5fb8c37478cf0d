/* What printers make of results: JSON reads back to the same bits, CSV and NPY hold the same figures, sentences
 * say what is there and leave out what is not. */
#include "base/result.h"
#include "cardo/result_text.h"
#include "io/results/result_printer.h"
#include "support/support.h"

#include <jansson.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT = 16384 };

static cardo_result *new_root(void)
{
    cardo_result *root;
    cardo_error error;
    assert_ok(cardo_result_create(&root, &error), &error);
    return root;
}

/* What a printer writes; the text is static. */
static const char *printed(const cardo_result *part, const cardo_result_printer *printer)
{
    static char text[TEXT];
    cardo_error error;
    memset(text, 0, sizeof text);
    FILE *stream = fmemopen(text, sizeof text - 1, "wb");
    assert_non_null(stream);
    assert_ok(printer->print(part, stream, &error), &error);
    fclose(stream);
    return text;
}

static const char *said(const cardo_result *part, const char *sentence)
{
    static char text[TEXT];
    memset(text, 0, sizeof text);
    FILE *stream = fmemopen(text, sizeof text - 1, "wb");
    assert_non_null(stream);
    cardo_result_say(stream, part, sentence);
    fclose(stream);
    return text;
}

static const double awkward[] = {
    0.1, 1.0 / 3, -0.0, 5e-324, 1.7976931348623157e308, 1e22, 123456789012345680.0, 2.5, 4.9e-310};
enum { NAWKWARD = sizeof awkward / sizeof *awkward };

static void test_json_reads_back_to_the_same_bits(void **state)
{
    (void)state;
    cardo_result *root = new_root();
    const cardo_axis axis = {"place", NAWKWARD};
    memcpy(cardo_result_doubles(root, &(cardo_quantity){"values"}, 1, &axis, NULL), awkward,
           sizeof awkward);
    cardo_result_integer(root, &(cardo_quantity){"most"}, LLONG_MAX);
    json_t *json = json_loads(printed(root, &cardo_printer_json), 0, NULL);
    assert_non_null(json);
    for (int k = 0; k < NAWKWARD; ++k) {
        double back = json_real_value(json_array_get(json_object_get(json, "values"), (size_t)k));
        assert_memory_equal(&back, &awkward[k], sizeof back);
    }
    assert_true(json_integer_value(json_object_get(json, "most")) == LLONG_MAX);
    json_decref(json);
    cardo_result_destroy(root);
}

static void test_json_of_what_is_no_number(void **state)
{
    (void)state;
    cardo_result *root = new_root(), *array;
    const cardo_axis axis = {"term", 2};
    cardo_result_number(root, &(cardo_quantity){"nan"}, (double)NAN);
    cardo_result_number(root, &(cardo_quantity){"infinite"}, -HUGE_VAL);
    cardo_result_text(root, &(cardo_quantity){"name"}, "α \"β\"\n");
    cardo_result_text(root, &(cardo_quantity){"bytes"}, "\xff\xfe");
    cardo_result_text(root, &(cardo_quantity){"nothing"}, NULL);
    cardo_result_remark(root, "warning", CARDO_RESULT_WARNING, "overlap", "A:TYR14");
    cardo_result_remark(root, "verdict", CARDO_RESULT_VERDICT, "hinged", NULL);
    double *values = cardo_result_doubles(root, &(cardo_quantity){"terms"}, 1, &axis, &array);
    values[1] = 2.5;
    cardo_result_label(array, 0, 0, "bond");
    cardo_result_label(array, 0, 1, "angle");
    cardo_result_table(root, "empty", "row");
    cardo_result_list(root, "none");
    cardo_result_texts(root, &(cardo_quantity){"atoms"}, &axis, (const char *const[]){"N", "C\"A"});
    assert_string_equal(printed(root, &cardo_printer_json),
                        "{\n  \"nan\": null,\n  \"infinite\": null,\n"
                        "  \"name\": \"α \\\"β\\\"\\n\",\n  \"bytes\": \"?\",\n"
                        "  \"nothing\": null,\n"
                        "  \"warning\": {\n    \"text\": \"overlap\",\n"
                        "    \"place\": \"A:TYR14\"\n  },\n  \"verdict\": \"hinged\",\n"
                        "  \"terms\": {\n    \"bond\": 0.0,\n    \"angle\": 2.5\n  },\n"
                        "  \"empty\": [],\n  \"none\": [],\n"
                        "  \"atoms\": [\n    \"N\",\n    \"C\\\"A\"\n  ]\n}\n");
    cardo_result_destroy(root);
}

static const cardo_quantity mode = {"mode", .style = "4d", .heading = "mode"};
static const cardo_quantity wavenumber = {
    "wavenumber_per_cm", "wavenumber", "1/cm", "9.3f", "1/cm", ".10g", "how stiff it is"};
static const cardo_quantity imaginary = {"imaginary", .style = "s; imaginary", .heading = "",
                                         .stored = ""};
static const cardo_quantity place = {"point_A", "point", "A", ".2f", NULL, ".6g", "where"};
static const cardo_quantity of = {"of", .style = "-8s", .heading = "of"};

/* Two modes, the first of two hinges. */
static cardo_result *add_modes(cardo_result *root)
{
    const double point[3] = {1, -2.25, 1.0 / 3};
    cardo_result *table = cardo_result_table(root, "modes", "mode");
    cardo_result_row(table);
    cardo_result_integer(table, &mode, 7);
    cardo_result_number(table, &wavenumber, 1.0 / 3);
    cardo_result_truth(table, &imaginary, false);
    cardo_result_vector(table, &place, 3, point);
    cardo_result *hinges = cardo_result_table(table, "hinges", "hinge");
    for (int k = 0; k < 2; ++k) {
        cardo_result_row(hinges);
        cardo_result_text(hinges, &(cardo_quantity){"before", "residue before"},
                          k ? "A:GLY\"9\"" : "A:ALA8");
        cardo_result_number(hinges, &(cardo_quantity){"turn_degree", "turn", "degree"}, 0.5 + k);
    }
    cardo_result_row(table);
    cardo_result_integer(table, &mode, 8);
    cardo_result_number(table, &wavenumber, (double)NAN);
    cardo_result_truth(table, &imaginary, true);
    cardo_result_text(table, &of, "a, b");
    return table;
}

static void test_tables(void **state)
{
    (void)state;
    cardo_error error;
    char path[512], text[TEXT];
    cardo_result *root = new_root(), *table = add_modes(root);
    assert_ok(cardo_result_status(root, &error), &error);
    assert_string_equal(printed(table, &cardo_printer_csv),
                        "mode,wavenumber (1/cm),point x (A),point y (A),point z (A),of\n"
                        "7,0.3333333333,1,-2.25,0.333333,\n8,nan,,,,\"a, b\"\n");
    json_t *json = json_loads(printed(root, &cardo_printer_json), 0, NULL);
    json_t *rows = json_object_get(json, "modes"), *first = json_array_get(rows, 0);
    assert_int_equal(json_array_size(rows), 2);
    assert_true(json_real_value(json_object_get(first, "wavenumber_per_cm")) == 1.0 / 3);
    assert_int_equal(json_array_size(json_object_get(first, "point_A")), 3);
    assert_int_equal(json_array_size(json_object_get(first, "hinges")), 2);
    assert_null(json_object_get(first, "of")); /* absent, and */
    first = json_array_get(rows, 1);
    assert_true(json_is_null(json_object_get(first, "wavenumber_per_cm"))); /* no number */
    assert_null(json_object_get(first, "hinges"));
    json_decref(json);

    memset(text, 0, sizeof text);
    FILE *stream = fmemopen(text, sizeof text - 1, "wb");
    cardo_result_print_table(stream, table, "  ", LLONG_MAX);
    cardo_result_print_table(stream, table, "", 1);
    fclose(stream);
    assert_string_equal(text, "  mode      1/cm  of\n     7     0.333\n"
                              "     8       nan  imaginary a, b\n"
                              "mode      1/cm  of\n   7     0.333\n");

    snprintf(path, sizeof path, "%s/hinges.csv", support_scratch());
    assert_ok(cardo_result_write_nested(table, "hinges", path, &error), &error);
    stream = fopen(path, "r");
    assert_non_null(stream);
    memset(text, 0, sizeof text);
    assert_true(fread(text, 1, sizeof text - 1, stream) > 0);
    fclose(stream);
    assert_string_equal(text, "mode,residue before,turn (degree)\n7,A:ALA8,0.5\n"
                              "7,\"A:GLY\"\"9\"\"\",1.5\n");
    cardo_result_destroy(root);
}

static void test_csv_of_arrays(void **state)
{
    (void)state;
    cardo_error error;
    cardo_result *root = new_root(), *array;
    const cardo_axis axes[3] = {{"speed", 2}, {"mode", 2}, {"deep", 1}};
    double *values = cardo_result_doubles(root, &(cardo_quantity){"a"}, 2, axes, &array);
    memcpy(values, (const double[]){1, 0.1, -3, 4}, 4 * sizeof *values);
    cardo_result_label(array, 0, 0, "mobile");
    cardo_result_label(array, 0, 1, "base x");
    cardo_result_label(array, 1, 0, "mode 7");
    cardo_result_label(array, 1, 1, "mode 8");
    assert_string_equal(printed(array, &cardo_printer_csv),
                        "speed,mode 7,mode 8\nmobile,1,0.10000000000000001\nbase x,-3,4\n");
    cardo_result_integers(root, &(cardo_quantity){"count", .unit = "1"}, 1, axes, &array)[1] = 5;
    assert_string_equal(printed(array, &cardo_printer_csv), "speed,count (1)\n1,0\n2,5\n");
    cardo_result_doubles(root, &(cardo_quantity){"deep"}, 3, axes, &array);
    assert_false(cardo_printer_csv.takes(array) || cardo_printer_csv.takes(root));
    assert_fails(cardo_printer_csv.print(array, stdout, &error), &error, CARDO_ERROR_UNSUPPORTED,
                 "two axes");
    assert_fails(cardo_printer_npy.print(root, stdout, &error), &error, CARDO_ERROR_UNSUPPORTED,
                 "numbers");
    cardo_result_destroy(root);
}

/* The header of NumPy's format 1.0, and the bytes after it. */
static void test_npy(void **state)
{
    (void)state;
    cardo_result *root = new_root(), *array;
    const cardo_axis axes[3] = {{"window", 2}, {"sample", 3}, {"xyz", 1}};
    double *values = cardo_result_doubles(root, &(cardo_quantity){"u"}, 3, axes, &array);
    for (int k = 0; k < 6; ++k)
        values[k] = k / 7.0;
    const char *bytes = printed(array, &cardo_printer_npy);
    const int length = (unsigned char)bytes[8];
    assert_memory_equal(bytes, "\x93NUMPY\x01\x00", 8);
    assert_int_equal((10 + length) % 64, 0);
    const uint16_t one = 1;
    assert_non_null(strstr(bytes + 10, *(const char *)&one ? "'<f8'" : "'>f8'"));
    assert_non_null(strstr(bytes + 10, "'shape': (2, 3, 1), }"));
    assert_memory_equal(bytes + 10 + length, values, 6 * sizeof *values);

    cardo_result_integers(root, &(cardo_quantity){"n"}, 1, axes, &array)[1] = -5;
    bytes = printed(array, &cardo_printer_npy);
    assert_non_null(strstr(bytes + 10, "i8'"));
    assert_non_null(strstr(bytes + 10, "'shape': (2,), }"));
    assert_memory_equal(bytes + 10 + (unsigned char)bytes[8], cardo_result_as_integers(array), 16);
    cardo_result_destroy(root);
}

static void test_sentences(void **state)
{
    (void)state;
    cardo_result *root = new_root(), *table = add_modes(root), *array;
    const double axis[3] = {0.5, 0, -1};
    cardo_result_integer(root, &(cardo_quantity){"n"}, 1);
    cardo_result_integer(root, &(cardo_quantity){"many"}, 3);
    cardo_result_number(root, &(cardo_quantity){"share", .style = ".1p"}, 0.5);
    cardo_result_truth(root, &(cardo_quantity){"converged"}, false);
    cardo_result_vector(root, &(cardo_quantity){"axis", .style = ".1f"}, 3, axis);
    char text[1400];
    memset(text, 'x', sizeof text);
    text[sizeof text - 1] = '\0';
    cardo_result_text(root, &(cardo_quantity){"long"}, text);
    assert_string_equal(said(root, "{n} atom{n#s}, {many} bod{many#ies}: {share} %\n"),
                        "1 atom, 3 bodies: 50.0 %\n");
    assert_string_equal(said(root, "({axis}) {share:8.3f}"), "(0.5, 0.0, -1.0)    0.500");
    assert_string_equal(said(root, "{converged?fine|the tolerance was not reached}"),
                        "the tolerance was not reached");
    assert_string_equal(said(root, "{converged?fine}"), "");
    assert_string_equal(said(root, "{n}[, {nowhere} things][, {many} things]\n"), "1, 3 things\n");
    assert_string_equal(said(root, "{n}[, {many} with [{nowhere}]]"), "1, 3 with ");
    assert_string_equal(said(root, "{n} and {nowhere}"), "");
    assert_string_equal(said(NULL, "nothing"), "");
    assert_int_equal(strlen(said(root, "{long}")), sizeof text - 1);

    char lines[TEXT] = {0};
    FILE *stream = fmemopen(lines, sizeof lines - 1, "wb");
    const cardo_axis places = {"speed", 3};
    memcpy(cardo_result_doubles(root, &(cardo_quantity){"forces", .style = "8.2f"}, 1, &places,
                                &array),
           axis, sizeof axis);
    for (int k = 0; k < 3; ++k)
        cardo_result_label(array, 0, k, (const char *[]){"mobile", "phi", "psi"}[k]);
    cardo_result_hide(array, 1);
    cardo_result_say_rows(stream, table, "{mode}[ of {of}][ at {point_A}]\n", 10);
    cardo_result_say_places(stream, array, "{label:-8s}{value}\n");
    fclose(stream);
    assert_string_equal(lines, "   7 at 1.00, -2.25, 0.33\n   8 of a, b    \n"
                               "mobile      0.50\npsi        -1.00\n");
    cardo_result_destroy(root);
}

/* Any result has a plain text with everything in it. */
static void test_plain_text(void **state)
{
    (void)state;
    cardo_result *root = new_root();
    cardo_result_number(root, &(cardo_quantity){"e", "energy", "kJ/mol", ".2f"}, 1.005);
    add_modes(cardo_result_group(root, "group"));
    assert_string_equal(printed(root, &cardo_printer_text),
                        "energy                   1.00 kJ/mol\ngroup\n  modes\n"
                        "    mode      1/cm  of\n       7     0.333\n"
                        "       8       nan  imaginary a, b\n");
    cardo_result_destroy(root);
}

/* A part may have a file; one that lies aside is named where the rest is printed. */
static void test_files(void **state)
{
    (void)state;
    cardo_error error;
    char path[512], text[256];
    const cardo_axis axis = {"sample", 2};
    cardo_result *root = new_root(), *array, *table = add_modes(root);
    cardo_result_file(table, "modes.csv", false);
    cardo_result_doubles(cardo_result_group(root, "deep"), &(cardo_quantity){"u"}, 1, &axis,
                         &array);
    cardo_result_file(array, "u.npy", true);
    assert_ok(cardo_result_write_files(root, support_scratch(), &error), &error);
    snprintf(path, sizeof path, "%s/modes.csv", support_scratch());
    FILE *stream = fopen(path, "r");
    assert_non_null(stream);
    assert_non_null(fgets(text, sizeof text, stream));
    fclose(stream);
    assert_string_equal(text, "mode,wavenumber (1/cm),point x (A),point y (A),point z (A),of\n");
    snprintf(path, sizeof path, "%s/u.npy", support_scratch());
    stream = fopen(path, "rb");
    assert_non_null(stream);
    assert_int_equal(fread(text, 1, 6, stream), 6);
    fclose(stream);
    assert_memory_equal(text, "\x93NUMPY", 6);
    json_t *json = json_loads(printed(root, &cardo_printer_json), 0, NULL);
    const json_t *u = json_object_get(json_object_get(json, "deep"), "u");
    assert_string_equal(json_string_value(json_object_get(u, "file")), "u.npy");
    assert_int_equal(json_array_size(json_object_get(json, "modes")), 2);
    json_decref(json);

    assert_int_equal(cardo_result_csv_column(table, "wavenumber_per_cm"), 2);
    assert_int_equal(cardo_result_csv_column(table, "of"), 6);
    assert_int_equal(cardo_result_csv_column(table, "imaginary"), 0);
    assert_int_equal(cardo_result_csv_column(table, "nothing"), 0);
    cardo_result_file(table, "modes.xyz", false);
    assert_fails(cardo_result_write_files(root, support_scratch(), &error), &error,
                 CARDO_ERROR_ARGUMENT, "modes.xyz");
    cardo_result_destroy(root);
}

/* What says in other words what stands elsewhere is for reports alone. */
static void test_for_people(void **state)
{
    (void)state;
    cardo_result *root = new_root(), *words = cardo_result_group(root, "words");
    cardo_result_text(words, &(cardo_quantity){"heading"}, "two of them");
    cardo_result_integer(root, &(cardo_quantity){"count"}, 2);
    assert_non_null(strstr(printed(root, &cardo_printer_json), "two of them"));
    cardo_result_for_people(words);
    assert_string_equal(printed(root, &cardo_printer_json), "{\n  \"count\": 2\n}\n");
    assert_non_null(strstr(printed(root, &cardo_printer_text), "two of them"));
    cardo_result_destroy(root);
}

/* A table without rows has the headings of the columns that it was given. */
static void test_empty_tables(void **state)
{
    (void)state;
    cardo_error error;
    cardo_result *root = new_root(), *table = cardo_result_table(root, "empty", "row");
    cardo_result_column(table, &mode, CARDO_RESULT_INTEGER);
    cardo_result_column(table, &wavenumber, CARDO_RESULT_DOUBLE);
    assert_ok(cardo_result_status(root, &error), &error);
    assert_string_equal(printed(table, &cardo_printer_csv), "mode,wavenumber (1/cm)\n");
    assert_string_equal(printed(root, &cardo_printer_json), "{\n  \"empty\": []\n}\n");
    cardo_result_row(table);
    cardo_result_integer(table, &mode, 7);
    assert_string_equal(printed(table, &cardo_printer_csv), "mode,wavenumber (1/cm)\n7,\n");
    cardo_result_column(root, &mode, CARDO_RESULT_INTEGER);
    assert_fails(cardo_result_status(root, &error), &error, CARDO_ERROR_ARGUMENT, "no table");
    cardo_result_destroy(root);
}

static void test_printers_are_listed(void **state)
{
    (void)state;
    int n = 0;
    for (const cardo_result_printer *const *p = cardo_result_printers; *p; ++p, ++n)
        assert_true((*p)->name && (*p)->extension && (*p)->doc && (*p)->takes && (*p)->print);
    assert_int_equal(n, 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_json_reads_back_to_the_same_bits),
        cmocka_unit_test(test_json_of_what_is_no_number),
        cmocka_unit_test(test_tables),
        cmocka_unit_test(test_csv_of_arrays),
        cmocka_unit_test(test_npy),
        cmocka_unit_test(test_sentences),
        cmocka_unit_test(test_plain_text),
        cmocka_unit_test(test_files),
        cmocka_unit_test(test_for_people),
        cmocka_unit_test(test_empty_tables),
        cmocka_unit_test(test_printers_are_listed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
