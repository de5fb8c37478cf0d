/* Tables and pictures of free energies: what is in the files, and that they grow and continue. */
#include "cli/gnuplot.h"
#include "io/tables/free_energy_tables.h"
#include "io/tables/npy.h"
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

static void test_profile(void **state)
{
    (void)state;
    cardo_error error;
    static char text[TEXT];
    const double xi[3] = {0.25, 0.5, 0.75}, F[3] = {-1, (double)NAN, 1.5};
    const double sigma[3] = {0.1, (double)NAN, 0.2}, effective[3] = {100, 0, 25.5};
    const cardo_profile_table table = {
        {"q lobe, left", "rad"}, 2.5, 3, xi, F, sigma, NULL, effective};
    assert_ok(cardo_profile_write(path_of("pmf.csv"), &table, &error), &error);
    read_whole("pmf.csv", text);
    assert_string_equal(text,
                        "q lobe_ left (rad),F (kJ/mol),sigma (kJ/mol),F (kT),sigma (kT),effective "
                        "samples\n0.25,0,0.25,0,0.1,100\n0.5,nan,nan,nan,nan,0\n"
                        "0.75,6.25,0.5,2.5,0.2,25.5\n");
}

static void test_npy(void **state)
{
    (void)state;
    cardo_error error;
    static char text[TEXT];
    const size_t shape[2] = {2, 3}, length = 3;
    const double u[6] = {1, 2, 3, 4, 5, 1e300};
    const int count[3] = {5, 0, 7};
    double back[6];
    int integers[3];
    assert_ok(cardo_npy_write_doubles(path_of("u_kn.npy"), 2, shape, u, &error), &error);
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
    assert_ok(cardo_npy_write_integers(path_of("N_k.npy"), 1, &length, count, &error), &error);
    n = read_whole("N_k.npy", text);
    assert_non_null(strstr(text + 10, "i4', 'fortran_order': False, 'shape': (3,), }"));
    memcpy(integers, text + n - sizeof integers, sizeof integers);
    assert_memory_equal(integers, count, sizeof count);
    assert_fails(cardo_npy_write_doubles("/nowhere/u_kn.npy", 2, shape, u, &error), &error,
                 CARDO_ERROR_FILE, "/nowhere/u_kn.npy");
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

/* All four pictures, of numbers that look like a study's. */
static void test_pictures(void **state)
{
    (void)state;
    enum { BINS = 60, WINDOWS = 8, PARTS = 10 };
    cardo_error error;
    double xi[BINS], F[BINS], other[BINS], sigma[BINS], counts[WINDOWS * BINS];
    double overlap[WINDOWS * WINDOWS], forward[PARTS], backward[PARTS], width[PARTS];
    const cardo_coordinate_label label = {"q mobile", "rad"};
    for (int i = 0; i < BINS; ++i) {
        xi[i] = -0.2 + 1.4 * (i + 0.5) / BINS;
        double d = 2 * xi[i] - 1;
        F[i] = 6 * (d * d - 1) * (d * d - 1) + xi[i];
        sigma[i] = 0.1 + 0.3 * xi[i] * xi[i];
        other[i] = F[i] + 0.2 * sin(20 * xi[i]);
        for (int k = 0; k < WINDOWS; ++k) {
            double z = (xi[i] - 0.15 * k) / 0.08;
            counts[k * BINS + i] = floor(400 * exp(-0.5 * z * z));
        }
    }
    for (int i = 0; i < WINDOWS; ++i)
        for (int k = 0; k < WINDOWS; ++k)
            overlap[i * WINDOWS + k] = abs(i - k) == 0 ? 0.6 : abs(i - k) == 1 ? 0.2 : 0;
    for (int i = 0; i < PARTS; ++i) {
        width[i] = 0.5 / sqrt(i + 1.0);
        forward[i] = 2 + width[i];
        backward[i] = 2 - 0.5 * width[i];
    }
    const cardo_profile_table first = {label, 2.494, BINS, xi, F, sigma, NULL, NULL};
    const cardo_profile_table second = {label, 2.494, BINS, xi, other, sigma, sigma, NULL};
    assert_ok(cardo_profile_write(path_of("pmf.csv"), &first, &error), &error);
    assert_ok(cardo_profile_write(path_of("pmf-ti.csv"), &second, &error), &error);
    assert_ok(
        cardo_histograms_write(path_of("windows.csv"), label, BINS, xi, WINDOWS, counts, &error),
        &error);
    assert_ok(cardo_overlap_write(path_of("overlap.csv"), WINDOWS, overlap, &error), &error);
    assert_ok(cardo_convergence_write(path_of("convergence.csv"), "closed against open", 2.494,
                                      PARTS, forward, width, backward, width, &error),
              &error);
    const char *tables[] = {"pmf.csv", "pmf-ti.csv"}, *labels[] = {"MBAR", "integration"};
    const cardo_free_energy_pictures pictures = {
        .title = "a hinge's free energy",
        .coordinate = label,
        .low = -1,
        .high = 2,
        .nprofile = 2,
        .profile = tables,
        .label = labels,
        .nwindow = WINDOWS,
        .histograms = "windows.csv",
        .overlap = "overlap.csv",
        .convergence = "convergence.csv",
    };
    bool drawn;
    assert_ok(cardo_plot_write_free_energy(support_scratch(), &pictures, &error), &error);
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
        cmocka_unit_test(test_profile),
        cmocka_unit_test(test_npy),
        cmocka_unit_test(test_plumed),
        cmocka_unit_test(test_pictures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
