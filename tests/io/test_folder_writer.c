/* What studies write through a writer, as files of a folder; and studies without one. */
#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "io/run/folder_writer.h"
#include "support/support.h"

#include <string.h>

static cardo_folder folder_of(char *path, size_t size)
{
    snprintf(path, size, "%s", support_write("there", ""));
    path[strlen(path) - strlen("/there")] = '\0';
    return (cardo_folder){path};
}

static void assert_text(const cardo_writer *writer, const char *name, const char *expected)
{
    cardo_error error;
    char *path, *text;
    size_t length;
    assert_ok(cardo_folder_path(writer->place, name, NULL, &path, &error), &error);
    assert_ok(cardo_read_file(path, 0, &text, &length, &error), &error);
    assert_int_equal(length, strlen(expected));
    assert_memory_equal(text, expected, length);
    cardo_free(text);
    cardo_free(path);
}

static void a_table_goes_on_where_it_was(void **unused)
{
    (void)unused;
    char path[512];
    cardo_error error;
    cardo_series *table;
    cardo_folder folder = folder_of(path, sizeof path);
    const cardo_writer writer = cardo_folder_writer(&folder);
    const cardo_column columns[] = {cardo_column_of("step", "", 0), cardo_column_of("x", "nm", 4)};
    cardo_table_head head = {.ncolumn = 2, .columns = columns};
    const double row[3][2] = {{1, 0.5}, {2, 0.25}, {3, 0.125}};
    assert_ok(cardo_writer_table(&writer, "x.csv", &head, -1, &table, &error), &error);
    assert_ok(cardo_writer_add(&writer, table, row[0], &error), &error);
    assert_ok(cardo_writer_flush(&writer, table, &error), &error);
    const long long extent = cardo_writer_extent(&writer, table);
    assert_ok(cardo_writer_add(&writer, table, row[1], &error), &error);
    assert_ok(cardo_writer_close(&writer, &table, &error), &error);
    assert_null(table);
    assert_text(&writer, "x.csv", "step,x (nm)\n1,0.5\n2,0.25\n");
    assert_ok(cardo_writer_table(&writer, "x.csv", &head, extent, &table, &error), &error);
    assert_ok(cardo_writer_add(&writer, table, row[2], &error), &error);
    assert_ok(cardo_writer_close(&writer, &table, &error), &error);
    assert_text(&writer, "x.csv", "step,x (nm)\n1,0.5\n3,0.125\n");
    head.plumed = true;
    assert_ok(cardo_writer_table(&writer, "COLVAR", &head, -1, &table, &error), &error);
    assert_ok(cardo_writer_close(&writer, &table, &error), &error);
    assert_text(&writer, "COLVAR", "#! FIELDS step x\n");
    assert_int_equal(cardo_writer_table(&writer, "COLVAR", &head, 1000, &table, &error),
                     CARDO_ERROR_INPUT);
    assert_null(table);
}

static cardo_status print_number(const void *self, FILE *stream, cardo_error *error)
{
    (void)error;
    cardo_print(stream, "%g\n", *(const double *)self);
    return CARDO_OK;
}

static cardo_status print_nothing(const void *self, FILE *stream, cardo_error *error)
{
    (void)self;
    fputs("half", stream);
    return CARDO_FAIL(error, CARDO_ERROR_INPUT, "no more");
}

static void texts_appear_whole_or_not_at_all(void **unused)
{
    (void)unused;
    char path[512];
    cardo_error error;
    cardo_folder folder = folder_of(path, sizeof path);
    const cardo_writer writer = cardo_folder_writer(&folder);
    const double number = 2.5;
    assert_ok(cardo_writer_print(&writer, "n.txt", print_number, &number, &error), &error);
    assert_text(&writer, "n.txt", "2.5\n");
    assert_int_equal(cardo_writer_print(&writer, "n.txt", print_nothing, NULL, &error),
                     CARDO_ERROR_INPUT);
    assert_text(&writer, "n.txt", "2.5\n");
}

static void results_are_written_by_their_endings(void **unused)
{
    (void)unused;
    char path[512];
    cardo_error error;
    cardo_result *result;
    cardo_folder folder = folder_of(path, sizeof path);
    const cardo_writer writer = cardo_folder_writer(&folder);
    assert_ok(cardo_result_create(&result, &error), &error);
    cardo_result *table = cardo_result_table(result, "modes", "mode");
    for (int k = 1; k < 3; ++k) {
        cardo_result_row(table);
        cardo_result_integer(table, &(cardo_quantity){"mode"}, k);
    }
    assert_ok(cardo_writer_result(&writer, table, "modes.csv", &error), &error);
    assert_text(&writer, "modes.csv", "mode\n1\n2\n");
    assert_int_equal(cardo_writer_result(&writer, table, "modes.xls", &error),
                     CARDO_ERROR_ARGUMENT);
    assert_int_equal(cardo_writer_picture(&writer, "nothing", result, &error),
                     CARDO_ERROR_ARGUMENT);
    cardo_result_destroy(result);
}

static void what_is_saved_comes_back(void **unused)
{
    (void)unused;
    char path[512], *text;
    cardo_error error;
    double *values;
    size_t n;
    cardo_folder folder = folder_of(path, sizeof path);
    const cardo_writer writer = cardo_folder_writer(&folder);
    const double saved[] = {1.0 / 3, -0.0};
    assert_ok(cardo_writer_save(&writer, "c.cardo", "key value\n", 10, saved, 2, &error), &error);
    assert_ok(cardo_writer_recall(&writer, "c.cardo", &text, &values, &n, &error), &error);
    assert_string_equal(text, "key value\n");
    assert_int_equal(n, 2);
    assert_memory_equal(values, saved, sizeof saved);
    cardo_free(text);
    cardo_free(values);
}

static void without_a_writer_there_are_no_files(void **unused)
{
    (void)unused;
    cardo_error error;
    cardo_series *table = (cardo_series *)&error;
    const cardo_writer empty = {.size = sizeof empty};
    const cardo_writer *writers[] = {NULL, &empty};
    char *text = (char *)&error;
    double *values, row = 1;
    size_t n;
    for (int k = 0; k < 2; ++k) {
        const cardo_writer *w = writers[k];
        assert_ok(cardo_writer_check(w, NULL, &error), &error);
        assert_ok(cardo_writer_claim(w, &error), &error);
        assert_ok(cardo_writer_begin(w, NULL, &error), &error);
        assert_ok(cardo_writer_table(w, "x.csv", NULL, -1, &table, &error), &error);
        assert_null(table);
        assert_ok(cardo_writer_add(w, table, &row, &error), &error);
        assert_ok(cardo_writer_flush(w, table, &error), &error);
        assert_ok(cardo_writer_close(w, &table, &error), &error);
        assert_ok(cardo_writer_save(w, "x", "", 0, &row, 1, &error), &error);
        assert_ok(cardo_writer_recall(w, "x", &text, &values, &n, &error), &error);
        assert_null(text);
        assert_false(cardo_writer_goes_on(w));
        cardo_writer_keep(w, true);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_table_goes_on_where_it_was),
        cmocka_unit_test(texts_appear_whole_or_not_at_all),
        cmocka_unit_test(results_are_written_by_their_endings),
        cmocka_unit_test(what_is_saved_comes_back),
        cmocka_unit_test(without_a_writer_there_are_no_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
