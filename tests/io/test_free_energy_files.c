/* Files of free energies: arrays for NumPy, PLUMED's tables, that grow and continue, and pictures. */
#include "cli/processes/gnuplot.h"
#include "io/plots/free_energy_plot.h"
#include "io/results/result_printer.h"
#include "io/tables/plumed_table.h"
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { TEXT = 65536 };

static const char *path_of(const char *name)
{
    static char path[512];
    snprintf(path, sizeof path, "%s/%s", support_scratch(), name);
    return path;
}

static size_t read_whole(const char *name, char *text)
{
    FILE *stream = fopen(path_of(name), "rb");
    assert_non_null(stream);
    size_t n = fread(text, 1, TEXT - 1, stream);
    fclose(stream);
    text[n] = '\0';
    return n;
}

static void test_npy(void **state)
{
    (void)state;
    cardo_error error;
    cardo_result *result, *counts;
    static char text[TEXT];
    const cardo_axis shape[2] = {{"window", 2}, {"sample", 3}};
    const double u[6] = {1, 2, 3, 4, 5, 1e300};
    const long long count[2] = {5, 7};
    double back[6];
    long long integers[2];
    assert_ok(cardo_result_create(&result, &error), &error);
    cardo_result_values(result, &(cardo_quantity){"u_kn"}, 2, shape, u);
    long long *at = cardo_result_integers(result, &(cardo_quantity){"N_k"}, 1, shape, &counts);
    memcpy(at, count, sizeof count);
    const cardo_result *all = cardo_result_find(result, "u_kn");
    assert_ok(cardo_result_write(all, &cardo_printer_npy, path_of("u_kn.npy"), &error), &error);
    size_t n = read_whole("u_kn.npy", text);
    /* numpy.lib.format: magic, version 1.0, length of the header, which ends at a multiple of 64 */
    assert_memory_equal(text, "\x93NUMPY\x01\x00", 8);
    size_t header = 10 + (size_t)(unsigned char)text[8] + 256 * (size_t)(unsigned char)text[9];
    assert_int_equal(header % 64, 0);
    assert_int_equal(text[header - 1], '\n');
    assert_non_null(strstr(text + 10, "f8', 'fortran_order': False, 'shape': (2, 3), }"));
    assert_int_equal(n, header + sizeof u);
    memcpy(back, text + header, sizeof back);
    assert_memory_equal(back, u, sizeof u);
    assert_ok(cardo_result_write(counts, &cardo_printer_npy, path_of("N_k.npy"), &error), &error);
    n = read_whole("N_k.npy", text);
    assert_non_null(strstr(text + 10, "i8', 'fortran_order': False, 'shape': (2,), }"));
    memcpy(integers, text + n - sizeof integers, sizeof integers);
    assert_memory_equal(integers, count, sizeof count);
    assert_fails(cardo_result_write(all, &cardo_printer_npy, "/nowhere/u_kn.npy", &error), &error,
                 CARDO_ERROR_FILE, "/nowhere/u_kn.npy");
    cardo_result_destroy(result);
}

static void test_plumed(void **state)
{
    (void)state;
    cardo_error error;
    static char text[TEXT];
    cardo_table *table;
    const char *fields[] = {"time", "q lobe", "sigma_q", "height", "biasf"};
    const char *sets[] = {"multivariate false", "min_q -pi"};
    const cardo_plumed_header header = {5, fields, 2, sets}, other = {4, fields, 2, sets};
    const double first[5] = {1, 0.25, 0.05, 1.2, 8}, second[5] = {2, 1.0 / 3, 0.05, 1.1, 8};
    assert_ok(cardo_plumed_table_create(path_of("HILLS"), &header, &table, &error), &error);
    assert_ok(cardo_table_write(table, first, &error), &error);
    long long length = cardo_table_length(table);
    assert_ok(cardo_table_write(table, second, &error), &error);
    assert_ok(cardo_table_close(table, &error), &error);
    assert_fails(cardo_plumed_table_continue(path_of("HILLS"), &other, length, &table, &error),
                 &error, CARDO_ERROR_INPUT, "fields");
    assert_fails(cardo_plumed_table_continue(path_of("HILLS"), &header, 100000, &table, &error),
                 &error, CARDO_ERROR_INPUT, "100000");
    assert_ok(cardo_plumed_table_continue(path_of("HILLS"), &header, length, &table, &error),
              &error);
    assert_ok(cardo_table_write(table, second, &error), &error);
    assert_ok(cardo_table_flush(table, &error), &error);
    assert_ok(cardo_table_close(table, &error), &error);
    read_whole("HILLS", text);
    assert_string_equal(text, "#! FIELDS time q_lobe sigma_q height biasf\n"
                              "#! SET multivariate false\n#! SET min_q -pi\n"
                              " 1 0.25 0.05 1.2 8\n 2 0.3333333333 0.05 1.1 8\n");
}

enum { BINS = 60, WINDOWS = 8, PARTS = 10 };

static void put(cardo_result *table, const char *name, double value)
{
    cardo_result_number(table, &(cardo_quantity){name}, value);
}

static cardo_result *table_of(cardo_result *result, const char *name, const char *file)
{
    cardo_result *table = cardo_result_table(result, name, "row");
    cardo_result_file(table, file, true);
    return table;
}

static void put_profile(cardo_result *result)
{
    cardo_result *table = table_of(result, "profile", "pmf.csv");
    for (int i = 0; i < BINS; ++i) {
        const double xi = -0.2 + 1.4 * (i + 0.5) / BINS, d = 2 * xi - 1;
        cardo_result_row(table);
        put(table, "xi", xi);
        put(table, "F_kJ_per_mol", 6 * (d * d - 1) * (d * d - 1) + xi);
        put(table, "sigma_kJ_per_mol", 0.1 + 0.3 * xi * xi);
    }
}

static void put_windows(cardo_result *result)
{
    char name[32];
    cardo_result *windows = table_of(result, "windows", "windows.csv"),
                 *overlap = table_of(result, "overlap", "overlap.csv");
    for (int i = 0; i < BINS; ++i) {
        const double xi = -0.2 + 1.4 * (i + 0.5) / BINS;
        cardo_result_row(windows);
        put(windows, "xi", xi);
        for (int k = 0; k < WINDOWS; ++k) {
            const double z = (xi - 0.15 * k) / 0.08;
            snprintf(name, sizeof name, "window_%d", k + 1);
            put(windows, name, floor(400 * exp(-0.5 * z * z)));
        }
    }
    for (int i = 0; i < WINDOWS; ++i) {
        cardo_result_row(overlap);
        for (int k = 0; k < WINDOWS; ++k) {
            snprintf(name, sizeof name, "window_%d", k + 1);
            put(overlap, name, abs(i - k) == 0 ? 0.6 : abs(i - k) == 1 ? 0.2 : 0);
        }
    }
}

static void put_convergence(cardo_result *result)
{
    cardo_result *table = table_of(result, "convergence", "convergence.csv");
    for (int i = 0; i < PARTS; ++i) {
        const double width = 0.5 / sqrt(i + 1.0);
        cardo_result_row(table);
        put(table, "part", (i + 1.0) / PARTS);
        put(table, "beginning_kJ_per_mol", 2 + width);
        put(table, "beginning_sigma_kJ_per_mol", width);
        put(table, "end_kJ_per_mol", 2 - 0.5 * width);
        put(table, "end_sigma_kJ_per_mol", width);
    }
    cardo_result_truth(result, &(cardo_quantity){"convergence_known"}, true);
}

/* All four pictures, of numbers that look like a study's. */
static void test_pictures(void **state)
{
    (void)state;
    cardo_error error;
    cardo_result *result;
    bool drawn;
    assert_ok(cardo_result_create(&result, &error), &error);
    cardo_result_text(result, &(cardo_quantity){"model"}, "a hinge's free energy");
    cardo_result_text(result, &(cardo_quantity){"method"}, "umbrella");
    cardo_result_text(result, &(cardo_quantity){"variable"}, "q mobile");
    cardo_result_text(result, &(cardo_quantity){"unit"}, "rad");
    put(result, "low", -1);
    put(result, "high", 2);
    put_profile(result);
    put_windows(result);
    put_convergence(result);
    assert_ok(cardo_result_write_files(result, support_scratch(), &error), &error);
    assert_ok(cardo_plot_write_free_energy(support_scratch(), result, &error), &error);
    cardo_result_destroy(result);
    assert_ok(cardo_gnuplot_run(support_scratch(), &drawn, &error), &error);
    if (!drawn)
        return;
    const char *names[] = {"pmf.png", "windows.svg", "overlap.png", "convergence.png"};
    for (int i = 0; i < 4; ++i) {
        struct stat info;
        assert_int_equal(stat(path_of(names[i]), &info), 0);
        assert_true(info.st_size > 5000);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_npy),
        cmocka_unit_test(test_plumed),
        cmocka_unit_test(test_pictures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
