/* Trajectory formats byte by byte, as the programs that read them expect; tables; files that cannot
 * be written. */
#include "base/memory.h"
#include "base/output.h"
#include "base/text.h"
#include "io/tables/table.h"
#include "io/trajectory/frames.h"
#include "io/trajectory/trajectory.h"
#include "structure/pdb/pdb.h"
#include "support/support.h"

#include <locale.h>
#include <math.h>
#include <netcdf.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static const char two_atoms[] =
    "CRYST1   10.000   10.000   10.000  90.00  90.00  90.00 P 1\n"
    "ATOM      1  N   GLY A   1       1.000   2.000   3.000  1.00  0.00           N  \n"
    "ATOM      2  CA  GLY A   1      -4.000   5.000   1.000  1.00  0.00           C  \n";

enum { ATOMS = 2 };
static cardo_structure *structure;

static const char *scratch(const char *name)
{
    static char paths[8][512];
    static int k;
    k = (k + 1) % 8;
    snprintf(paths[k], sizeof paths[k], "%s/%s", support_scratch(), name);
    return paths[k];
}

static cardo_trajectory_info default_info(void)
{
    return (cardo_trajectory_info){.natom = ATOMS,
                                   .structure = structure,
                                   .title = "two atoms",
                                   .timestep = 0.01,
                                   .interval = 5,
                                   .velocities = true};
}

/* Frame k: positions k + 0.1 i nm, velocities minus that. */
static void write_frames(cardo_trajectory *trajectory, int first, int end)
{
    cardo_error error;
    for (int k = first; k < end; ++k) {
        double x[3 * ATOMS], v[3 * ATOMS];
        for (int i = 0; i < 3 * ATOMS; ++i) {
            x[i] = k + 0.1 * i;
            v[i] = -x[i];
        }
        assert_ok(cardo_trajectory_write(trajectory, 0.05 * k, x, v, &error), &error);
    }
}

static const char *write_file(const cardo_trajectory_format *format, const char *name, int frames)
{
    cardo_error error;
    cardo_trajectory *trajectory;
    cardo_trajectory_info info = default_info();
    const char *path = scratch(name);
    assert_ok(cardo_trajectory_create(format, path, &info, &trajectory, &error), &error);
    write_frames(trajectory, 0, frames);
    assert_int_equal(cardo_trajectory_frames(trajectory), frames);
    assert_ok(cardo_trajectory_close(trajectory, &error), &error);
    return path;
}

static void assert_text(int id, int variable, const char *name, const char *expected)
{
    char text[256] = "";
    size_t length;
    assert_int_equal(nc_inq_attlen(id, variable, name, &length), NC_NOERR);
    assert_true(length < sizeof text);
    assert_int_equal(nc_get_att_text(id, variable, name, text), NC_NOERR);
    assert_string_equal(text, expected);
}

static size_t dimension(int id, const char *name)
{
    int dim;
    size_t length;
    assert_int_equal(nc_inq_dimid(id, name, &dim), NC_NOERR);
    assert_int_equal(nc_inq_dimlen(id, dim, &length), NC_NOERR);
    return length;
}

static void netcdf_follows_ambers_convention(void **test)
{
    (void)test;
    int id, time, coordinates, velocities, spatial, variables, format, dims[3], unlimited;
    float t[4], x[4 * 3 * ATOMS];
    char axes[4] = "";
    const char *path = write_file(&cardo_trajectory_netcdf, "a.nc", 4);
    assert_int_equal(nc_open(path, NC_NOWRITE, &id), NC_NOERR);
    assert_int_equal(nc_inq_format(id, &format), NC_NOERR);
    assert_int_equal(format, NC_FORMAT_64BIT_OFFSET);
    assert_text(id, NC_GLOBAL, "Conventions", "AMBER");
    assert_text(id, NC_GLOBAL, "ConventionVersion", "1.0");
    assert_text(id, NC_GLOBAL, "title", "two atoms");
    assert_text(id, NC_GLOBAL, "program", "cardo");
    assert_int_equal(dimension(id, "frame"), 4);
    assert_int_equal(dimension(id, "atom"), ATOMS);
    assert_int_equal(dimension(id, "spatial"), 3);
    assert_int_equal(nc_inq_nvars(id, &variables), NC_NOERR);
    assert_int_equal(variables, 4); /* spatial, time, coordinates, velocities: no cell */
    assert_int_equal(nc_inq_varid(id, "spatial", &spatial), NC_NOERR);
    assert_int_equal(nc_get_var_text(id, spatial, axes), NC_NOERR);
    assert_string_equal(axes, "xyz");
    assert_int_equal(nc_inq_varid(id, "time", &time), NC_NOERR);
    assert_text(id, time, "units", "picosecond");
    assert_int_equal(nc_inq_varid(id, "coordinates", &coordinates), NC_NOERR);
    assert_text(id, coordinates, "units", "angstrom");
    assert_int_equal(nc_inq_vardimid(id, coordinates, dims), NC_NOERR);
    assert_int_equal(nc_inq_unlimdim(id, &unlimited), NC_NOERR);
    assert_int_equal(dims[0], unlimited);
    assert_int_equal(nc_inq_varid(id, "velocities", &velocities), NC_NOERR);
    assert_text(id, velocities, "units", "angstrom/picosecond");
    assert_int_equal(nc_get_var_float(id, time, t), NC_NOERR);
    assert_int_equal(nc_get_var_float(id, coordinates, x), NC_NOERR);
    for (int k = 0; k < 4; ++k) {
        assert_close((double)t[k], 0.05 * k, 1e-7);
        for (int i = 0; i < 3 * ATOMS; ++i)
            assert_close((double)x[3 * ATOMS * k + i], 10 * k + i, 1e-5);
    }
    assert_int_equal(nc_get_var_float(id, velocities, x), NC_NOERR);
    assert_close((double)x[3 * ATOMS + 2], -12.0, 1e-5);
    nc_close(id);
}

/* A Fortran record of ints: its length before and behind. */
static const char *assert_record(const char *at, int32_t size)
{
    int32_t before, behind;
    memcpy(&before, at, 4);
    memcpy(&behind, at + 4 + size, 4);
    assert_int_equal(before, size);
    assert_int_equal(behind, size);
    return at + 8 + size;
}

static void dcd_has_charmms_records(void **test)
{
    (void)test;
    cardo_error error;
    char *bytes;
    size_t length;
    int32_t control[20], value;
    float delta, x[ATOMS];
    const char *path = write_file(&cardo_trajectory_dcd, "a.dcd", 4);
    assert_ok(cardo_read_file(path, 0, &bytes, &length, &error), &error);
    assert_memory_equal(bytes + 4, "CORD", 4);
    memcpy(control, bytes + 8, sizeof control);
    memcpy(&delta, &control[9], 4);
    assert_int_equal(control[0], 4);   /* frames                  */
    assert_int_equal(control[2], 5);   /* steps between           */
    assert_int_equal(control[3], 15);  /* steps from first to last */
    assert_int_equal(control[10], 0);  /* no cell                 */
    assert_int_equal(control[19], 24); /* CHARMM's version        */
    assert_close((double)delta * 0.04888821, 0.01, 1e-7);
    const char *at = assert_record(bytes, 84);
    const char *title = at + 8;
    assert_memory_equal(title, "two atoms ", 10);
    at = assert_record(at, 84);
    memcpy(&value, at + 4, 4);
    assert_int_equal(value, ATOMS);
    at = assert_record(at, 4);
    for (int frame = 0; frame < 4; ++frame)
        for (int axis = 0; axis < 3; ++axis) {
            memcpy(x, at + 4, sizeof x);
            for (int atom = 0; atom < ATOMS; ++atom)
                assert_close((double)x[atom], 10 * frame + 3 * atom + axis, 1e-5);
            at = assert_record(at, 4 * ATOMS);
        }
    assert_ptr_equal(at, bytes + length);
    cardo_free(bytes);
}

static void pdb_has_one_model_a_frame(void **test)
{
    (void)test;
    cardo_error error;
    cardo_structure *read;
    const char *path = write_file(&cardo_trajectory_pdb, "a.pdb", 4);
    for (int model = 1; model <= 4; ++model) {
        assert_ok(cardo_structure_read(path, model, &read, &error), &error);
        assert_int_equal(read->nmodel, 4);
        assert_int_equal(read->natom, ATOMS);
        assert_close(read->position[4], model - 1 + 0.4, 1e-9);
        cardo_structure_destroy(read);
    }
}

/* What was written comes back: positions to a float's digits. */
static void frames_are_read_as_they_were_written(void **test)
{
    (void)test;
    const cardo_trajectory_format *const formats[] = {&cardo_trajectory_netcdf,
                                                      &cardo_trajectory_dcd};
    for (int f = 0; f < 2; ++f) {
        cardo_error error;
        cardo_frames *frames;
        double x[3 * ATOMS];
        const char *path = write_file(formats[f], "read", 4);
        assert_true(cardo_frames_detect(path));
        assert_ok(cardo_frames_open(path, ATOMS, &frames, &error), &error);
        assert_int_equal(cardo_frames_count(frames), 4);
        for (int k = 3; k >= 0; --k) {
            assert_ok(cardo_frames_read(frames, k, x, &error), &error);
            for (int i = 0; i < 3 * ATOMS; ++i)
                assert_close(x[i], k + 0.1 * i, 1e-6);
        }
        assert_fails(cardo_frames_read(frames, 4, x, &error), &error, CARDO_ERROR_ARGUMENT,
                     "no frame 5");
        cardo_frames_close(frames);
        assert_fails(cardo_frames_open(path, 3, &frames, &error), &error, CARDO_ERROR_INPUT, "2 ");
    }
}

static void put(unsigned char **to, uint32_t value, bool swapped)
{
    for (int k = 0; k < 4; ++k)
        *(*to)++ = (unsigned char)(value >> 8 * (swapped ? 3 - k : k));
}

static void put_record(unsigned char **to, uint32_t length, const uint32_t *words, bool swapped)
{
    put(to, length, swapped);
    for (uint32_t k = 0; k < length / 4; ++k)
        put(to, words[k], swapped);
    put(to, length, swapped);
}

/* Two atoms, two frames, and nothing else, as other programs write them: in either byte order, with
 * a cell and a fourth dimension or, of X-PLOR, with neither. Returns its length. */
static size_t foreign_dcd(unsigned char *bytes, bool swapped, bool charmm, uint32_t fixed)
{
    uint32_t control[21] = {0}, title[21] = {1}, natom = ATOMS, cell[12] = {0};
    unsigned char *to = bytes;
    memcpy(&control[0], "CORD", 4);
    control[1 + 8] = fixed;
    control[1 + 10] = control[1 + 11] = 1;
    control[1 + 19] = charmm ? 24 : 0;
    put_record(&to, sizeof control, control, swapped);
    memcpy(bytes + 4, "CORD", 4);
    put_record(&to, sizeof title, title, swapped);
    put_record(&to, 4, &natom, swapped);
    for (int frame = 0; frame < 2; ++frame) {
        if (charmm)
            put_record(&to, sizeof cell, cell, swapped);
        for (int axis = 0; axis < (charmm ? 4 : 3); ++axis) {
            const float x[ATOMS] = {(float)(10 * frame + axis), (float)(-10 * frame - axis)};
            uint32_t words[ATOMS];
            memcpy(words, x, sizeof x);
            put_record(&to, sizeof words, words, swapped);
        }
    }
    return (size_t)(to - bytes);
}

static const char *write_bytes(const char *name, const unsigned char *bytes, size_t length)
{
    const char *path = scratch(name);
    FILE *stream = fopen(path, "wb");
    assert_non_null(stream);
    assert_int_equal(fwrite(bytes, 1, length, stream), length);
    fclose(stream);
    return path;
}

static void dcd_of_other_programs_is_read(void **test)
{
    (void)test;
    unsigned char bytes[1024];
    cardo_error error;
    cardo_frames *frames;
    for (int variety = 0; variety < 4; ++variety) {
        size_t length = foreign_dcd(bytes, variety & 1, variety & 2, 0);
        const char *path = write_bytes("foreign.dcd", bytes, length);
        double x[3 * ATOMS];
        assert_ok(cardo_frames_open(path, ATOMS, &frames, &error), &error);
        assert_int_equal(cardo_frames_count(frames), 2);
        assert_ok(cardo_frames_read(frames, 1, x, &error), &error);
        for (int axis = 0; axis < 3; ++axis) {
            assert_close(x[axis], 1 + 0.1 * axis, 1e-9);
            assert_close(x[3 + axis], -1 - 0.1 * axis, 1e-9);
        }
        cardo_frames_close(frames);
        /* Wherever it breaks off, whole frames are left, or it is refused. */
        for (size_t end = 0; end < length; ++end) {
            path = write_bytes("cut.dcd", bytes, end);
            cardo_status status = cardo_frames_open(path, ATOMS, &frames, &error);
            assert_true(status == CARDO_OK || status == CARDO_ERROR_INPUT);
            if (status != CARDO_OK)
                continue;
            assert_in_range(cardo_frames_count(frames), 0, 1);
            cardo_frames_close(frames);
        }
        /* The last length of z in the second frame is not that of the header. */
        bytes[length - 1 - (variety & 2 ? 4 * ATOMS + 8 : 0)] ^= 1;
        path = write_bytes("damaged.dcd", bytes, length);
        assert_ok(cardo_frames_open(path, ATOMS, &frames, &error), &error);
        assert_fails(cardo_frames_read(frames, 1, x, &error), &error, CARDO_ERROR_INPUT,
                     "does not have the length");
        cardo_frames_close(frames);
    }
    size_t length = foreign_dcd(bytes, false, true, 1);
    assert_fails(cardo_frames_open(write_bytes("fixed.dcd", bytes, length), ATOMS, &frames, &error),
                 &error, CARDO_ERROR_UNSUPPORTED, "1 fixed atoms");
}

/* Seven frames, cut to five, then two others: the bytes of a file that never had more. */
static void a_continued_file_drops_later_frames(void **test)
{
    (void)test;
    for (int k = 0; cardo_trajectory_formats[k]; ++k) {
        const cardo_trajectory_format *format = cardo_trajectory_formats[k];
        cardo_error error;
        cardo_trajectory *trajectory;
        cardo_trajectory_info info = default_info();
        char *bytes[2];
        size_t length[2];
        const char *whole = write_file(format, "whole", 9), *path = write_file(format, "cut", 7);
        assert_ok(cardo_trajectory_continue(format, path, &info, 5, &trajectory, &error), &error);
        assert_int_equal(cardo_trajectory_frames(trajectory), 5);
        write_frames(trajectory, 5, 9);
        assert_ok(cardo_trajectory_close(trajectory, &error), &error);
        assert_ok(cardo_read_file(whole, 0, &bytes[0], &length[0], &error), &error);
        assert_ok(cardo_read_file(path, 0, &bytes[1], &length[1], &error), &error);
        assert_int_equal(length[0], length[1]);
        assert_memory_equal(bytes[0], bytes[1], length[0]);
        assert_fails(cardo_trajectory_continue(format, path, &info, 10, &trajectory, &error),
                     &error, CARDO_ERROR_INPUT, "checkpoint counts");
        info.natom = 3;
        info.structure = NULL;
        cardo_status status =
            cardo_trajectory_continue(format, path, &info, 5, &trajectory, &error);
        assert_true(status == CARDO_ERROR_INPUT || status == CARDO_ERROR_ARGUMENT);
        /* A refusal leaves the file as it was. */
        cardo_free(bytes[1]);
        assert_ok(cardo_read_file(path, 0, &bytes[1], &length[1], &error), &error);
        assert_int_equal(length[0], length[1]);
        assert_memory_equal(bytes[0], bytes[1], length[0]);
        cardo_free(bytes[0]);
        cardo_free(bytes[1]);
    }
}

/* A run that is continued to an earlier end than it had before keeps no frame of its first life. */
static void a_file_can_become_shorter(void **test)
{
    (void)test;
    for (int k = 0; cardo_trajectory_formats[k]; ++k) {
        const cardo_trajectory_format *format = cardo_trajectory_formats[k];
        cardo_error error;
        cardo_trajectory *trajectory;
        cardo_trajectory_info info = default_info();
        char *bytes[2];
        size_t length[2];
        const char *whole = write_file(format, "short", 6), *path = write_file(format, "long", 9);
        assert_ok(cardo_trajectory_continue(format, path, &info, 5, &trajectory, &error), &error);
        write_frames(trajectory, 5, 6);
        assert_ok(cardo_trajectory_close(trajectory, &error), &error);
        assert_ok(cardo_read_file(whole, 0, &bytes[0], &length[0], &error), &error);
        assert_ok(cardo_read_file(path, 0, &bytes[1], &length[1], &error), &error);
        /* The classic NetCDF file may keep room behind its last record; nobody reads it. */
        assert_true(length[1] == length[0] || format == &cardo_trajectory_netcdf);
        assert_memory_equal(bytes[0], bytes[1], length[0]);
        cardo_free(bytes[0]);
        cardo_free(bytes[1]);
    }
}

static void a_foreign_file_is_not_continued(void **test)
{
    (void)test;
    for (int k = 0; cardo_trajectory_formats[k]; ++k) {
        cardo_error error;
        cardo_trajectory *trajectory;
        cardo_trajectory_info info = default_info();
        const char *path = support_write("foreign", "this is a letter to my aunt\n");
        cardo_status status = cardo_trajectory_continue(cardo_trajectory_formats[k], path, &info, 2,
                                                        &trajectory, &error);
        assert_true(status == CARDO_ERROR_INPUT || status == CARDO_ERROR_FILE);
        assert_non_null(strstr(error.message, "foreign"));
        char *bytes;
        size_t length;
        assert_ok(cardo_read_file(path, 0, &bytes, &length, &error), &error);
        assert_string_equal(bytes, "this is a letter to my aunt\n");
        cardo_free(bytes);
    }
}

static void a_place_that_cannot_be_written_is_named(void **test)
{
    (void)test;
    cardo_error error;
    cardo_table *table;
    cardo_trajectory *trajectory;
    cardo_trajectory_info info = default_info();
    const cardo_column column = {"x", "nm", 6};
    for (int k = 0; cardo_trajectory_formats[k]; ++k)
        assert_fails(cardo_trajectory_create(cardo_trajectory_formats[k], "/nowhere/x", &info,
                                             &trajectory, &error),
                     &error, CARDO_ERROR_FILE, "/nowhere/x: cannot be opened (No such");
    assert_fails(cardo_table_create("/nowhere/x", &column, 1, &table, &error), &error,
                 CARDO_ERROR_FILE, "/nowhere/x: cannot be opened (No such");
    if (!cardo_file_exists("/dev/full"))
        return;
    assert_fails(cardo_table_create("/dev/full", &column, 1, &table, &error), &error,
                 CARDO_ERROR_FILE, "/dev/full: cannot be written (No space");
    assert_fails(
        cardo_trajectory_create(&cardo_trajectory_dcd, "/dev/full", &info, &trajectory, &error),
        &error, CARDO_ERROR_FILE, "/dev/full: cannot be written (No space");
    assert_ok(
        cardo_trajectory_create(&cardo_trajectory_pdb, "/dev/full", &info, &trajectory, &error),
        &error);
    write_frames(trajectory, 0, 1);
    assert_fails(cardo_trajectory_flush(trajectory, &error), &error, CARDO_ERROR_FILE,
                 "/dev/full: cannot be written (No space");
    assert_int_equal(cardo_trajectory_close(trajectory, NULL), CARDO_OK);
}

static void tables_are_plain_and_can_be_continued(void **test)
{
    (void)test;
    cardo_error error;
    cardo_table *table;
    char *text;
    size_t length;
    const cardo_column columns[] = {{"step", "", 0}, {"a, \"b\"", "kJ/mol", 6}, {"c", NULL, -1}};
    const double rows[3][3] = {{0, 0.5, 1.0 / 3.0}, {10, -1e30, 2}, {1e10, NAN, 5e-324}};
    const char *path = scratch("table.csv");
    /* A locale with a decimal comma, where there is one. */
    setlocale(LC_ALL, "de_DE.UTF-8");
    assert_ok(cardo_table_create(path, columns, 3, &table, &error), &error);
    assert_ok(cardo_table_write(table, rows[0], &error), &error);
    assert_ok(cardo_table_flush(table, &error), &error);
    long long mark = cardo_table_length(table);
    assert_ok(cardo_table_write(table, rows[1], &error), &error);
    assert_ok(cardo_table_close(table, &error), &error);
    assert_ok(cardo_table_continue(path, columns, 3, mark, &table, &error), &error);
    assert_ok(cardo_table_write(table, rows[2], &error), &error);
    assert_ok(cardo_table_close(table, &error), &error);
    setlocale(LC_ALL, "C");
    assert_ok(cardo_read_file(path, 0, &text, &length, &error), &error);
    assert_string_equal(text, "step,a_ _b_ (kJ/mol),c\n"
                              "0,0.5,0.33333333333333331\n"
                              "10000000000,nan,4.9406564584124654e-324\n");
    assert_fails(cardo_table_continue(path, columns, 2, mark, &table, &error), &error,
                 CARDO_ERROR_INPUT, "columns");
    assert_fails(cardo_table_continue(path, columns, 3, 100000, &table, &error), &error,
                 CARDO_ERROR_INPUT, "checkpoint counts");
    char *again;
    assert_ok(cardo_read_file(path, 0, &again, &length, &error), &error);
    assert_string_equal(text, again);
    cardo_free(text);
    cardo_free(again);
}

static int read_structure(void **test)
{
    (void)test;
    cardo_error error;
    return cardo_pdb_parse(two_atoms, sizeof two_atoms - 1, "two.pdb", 0, &structure, &error) ==
                   CARDO_OK
               ? 0
               : -1;
}

static int release_structure(void **test)
{
    (void)test;
    cardo_structure_destroy(structure);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(netcdf_follows_ambers_convention),
        cmocka_unit_test(dcd_has_charmms_records),
        cmocka_unit_test(pdb_has_one_model_a_frame),
        cmocka_unit_test(frames_are_read_as_they_were_written),
        cmocka_unit_test(dcd_of_other_programs_is_read),
        cmocka_unit_test(a_continued_file_drops_later_frames),
        cmocka_unit_test(a_file_can_become_shorter),
        cmocka_unit_test(a_foreign_file_is_not_continued),
        cmocka_unit_test(a_place_that_cannot_be_written_is_named),
        cmocka_unit_test(tables_are_plain_and_can_be_continued),
    };
    return cmocka_run_group_tests(tests, read_structure, release_structure);
}
