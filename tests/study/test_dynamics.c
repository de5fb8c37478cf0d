/* A host runs dynamics without a command line and, where it hands in no writer, without a file: what a run showed is in
 * the result, and is what the files of the same run say. */
#include "support/support.h"

#include "base/memory.h"
#include "base/text.h"
#include "io/run/folder_writer.h"
#include "study/dynamics/drive.h"
#include "study/dynamics/simulate.h"
#include "study/session/study.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const short_run[] = {"steps=40", "timestep=0.05", "seed=3", "integrator=csvr",
                                        "report-interval=1"};

/* The light chain that bends at its elbow, in a coarse-grained energy. */
static cardo_session *open_elbow(const cardo_listener *listener)
{
    char text[2048], first[512];
    cardo_error error = {0};
    cardo_session *session;
    snprintf(first, sizeof first, "%s", support_source("pdb/2mcg_1.pdb"));
    snprintf(text, sizeof text,
             "<cardo version=\"1\"><model name=\"elbow\"><structure id=\"first\" file=\"%s\"/>"
             "<structure id=\"second\" file=\"%s\"/>"
             "<domain name=\"variable\" residues=\"1:2-108\"/>"
             "<domain name=\"constant\" residues=\"1:114-216\"/><hinge residues=\"1:109-113\"/>"
             "<body name=\"variable\" domains=\"variable\" base=\"welded\"/>"
             "<body name=\"constant\" domains=\"constant\" parent=\"variable\"><path "
             "start=\"0.03\"/></body>"
             "<forcefield files=\"kim-hummer.xml\"/>"
             "</model></cardo>",
             first, support_source("pdb/2mcg_2.pdb"));
    assert_ok(
        cardo_session_open(support_write("elbow.xml", text), NULL, listener, &session, &error),
        &error);
    return session;
}

static double number(const cardo_result *result, const char *path)
{
    const cardo_result *found = cardo_result_find(result, path);
    assert_non_null(found);
    const double *value = cardo_result_as_doubles(found);
    return value ? value[0] : (double)cardo_result_as_integers(found)[0];
}

static cardo_result *run(const cardo_study *study, cardo_session *session, const void *options)
{
    cardo_error error = {0};
    cardo_result *result;
    assert_ok(cardo_result_create(&result, &error), &error);
    assert_ok(cardo_study_run(study, session, options, result, &error), &error);
    return result;
}

static int count_files(const char *path)
{
    int n = 0;
    DIR *folder = opendir(path);
    for (const struct dirent *entry; folder && (entry = readdir(folder));)
        n += entry->d_name[0] != '.';
    if (folder)
        closedir(folder);
    return n;
}

/* Lowest, highest and mean of a column of trajectory.csv after its first row. */
static void read_column(const char *folder, const char *name, double found[3])
{
    char path[512], line[8192];
    int column = -1, n = 0;
    snprintf(path, sizeof path, "%s/trajectory.csv", folder);
    FILE *stream = fopen(path, "r");
    assert_non_null(stream);
    found[0] = HUGE_VAL, found[1] = -HUGE_VAL, found[2] = 0;
    for (int row = 0; fgets(line, sizeof line, stream); ++row) {
        int k = 0;
        for (char *rest = line, *cell; (cell = strsep(&rest, ",\n")); ++k) {
            if (row == 0 && strncmp(cell, name, strlen(name)) == 0 && column < 0)
                column = k;
            if (row < 2 || k != column)
                continue;
            const double value = strtod(cell, NULL);
            found[0] = fmin(found[0], value);
            found[1] = fmax(found[1], value);
            found[2] += value;
            ++n;
        }
    }
    fclose(stream);
    assert_int_equal(n, 40);
    found[2] /= n;
}

static void a_host_without_a_writer_has_the_tally(void **unused)
{
    (void)unused;
    char place[512];
    double column[3];
    cardo_error error = {0};
    cardo_simulate_options options = {0};
    cardo_session *session = open_elbow(NULL);
    snprintf(place, sizeof place, "%s", support_write("there", ""));
    *strrchr(place, '/') = '\0';
    const int before = count_files(place);
    assert_ok(
        cardo_study_read_options(&cardo_study_simulate, session, 5, short_run, &options, &error),
        &error);
    cardo_result *result = run(&cardo_study_simulate, session, &options);
    assert_int_equal(count_files(place), before);
    assert_null(cardo_result_find(result, "files"));
    assert_true(number(result, "steps_done") == 40);
    assert_true(number(result, "seed") == 3);
    cardo_session_close(session);

    /* The same again, in files. */
    cardo_folder folder = {place};
    const cardo_writer writer = cardo_folder_writer(&folder);
    session = open_elbow(NULL);
    options.dynamics.writer = &writer;
    cardo_result *written = run(&cardo_study_simulate, session, &options);
    assert_true(count_files(place) >= before + 4);
    read_column(place, "q constant", column);
    const cardo_result *rows = cardo_result_find(result, "coordinates");
    assert_int_equal(cardo_result_rows(rows), 1);
    const char *const names[] = {"low", "high", "mean"};
    for (int k = 0; k < 3; ++k) {
        char path[32];
        snprintf(path, sizeof path, "coordinates/%s", names[k]);
        assert_close(number(result, path), column[k], 1e-8);
        assert_true(number(result, path) == number(written, path));
    }
    read_column(place, "potential", column);
    assert_close(number(result, "potential_kJ_per_mol/low"), column[0], 1e-8);
    assert_close(number(result, "potential_kJ_per_mol/high"), column[1], 1e-8);
    read_column(place, "temperature", column);
    assert_close(number(result, "temperature_K"), column[2], 1e-4);
    cardo_result_destroy(result);
    cardo_result_destroy(written);
    cardo_session_close(session);
}

/* After a course the session is the one that it was, and stands where the course has ended. */
static void a_drive_gives_the_session_back(void **unused)
{
    (void)unused;
    cardo_error error = {0};
    cardo_drive_study_options options = {0};
    cardo_simulate_options after = {0};
    cardo_session *session = open_elbow(NULL);
    const char *const course[] = {"to=0.06",           "duration=1",    "motion=smooth",
                                  "integrator=verlet", "timestep=0.05", "velocities=zero"};
    const int nu = cardo_system_nu(session->system);
    assert_ok(cardo_study_read_options(&cardo_study_drive, session, 6, course, &options, &error),
              &error);
    assert_true(options.from_start && options.to_its_end);
    cardo_result *result = run(&cardo_study_drive, session, &options);
    assert_true(number(result, "steps_done") == 20);
    assert_close(number(result, "driven/from"), 0.03, 1e-12);
    assert_close(number(result, "course/at"), 0.06, 1e-12);
    assert_close(cardo_state_q(session->state)[0], 0.06, 1e-12);
    assert_true(number(result, "motive_force/low") < number(result, "motive_force/high"));
    cardo_result_destroy(result);
    assert_int_equal(cardo_system_nu(session->system), nu);
    assert_ok(
        cardo_study_read_options(&cardo_study_simulate, session, 5, short_run, &after, &error),
        &error);
    result = run(&cardo_study_simulate, session, &after);
    assert_true(number(result, "thermal_degrees_of_freedom") == nu);
    cardo_result_destroy(result);
    cardo_session_close(session);
}

static void what_cannot_be_driven_leaves_the_session_as_it_was(void **unused)
{
    (void)unused;
    cardo_error error = {0};
    cardo_result *result;
    cardo_drive_study_options options = {0};
    cardo_session *session = open_elbow(NULL);
    const char *const said[] = {"body=constnt"};
    const cardo_system *system = session->system;
    assert_ok(cardo_study_read_options(&cardo_study_drive, session, 1, said, &options, &error),
              &error);
    assert_ok(cardo_result_create(&result, &error), &error);
    assert_fails(cardo_study_run(&cardo_study_drive, session, &options, result, &error), &error,
                 CARDO_ERROR_INPUT, "did you mean 'constant'");
    assert_ptr_equal(session->system, system);
    cardo_result_destroy(result);
    cardo_session_close(session);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_host_without_a_writer_has_the_tally),
        cmocka_unit_test(a_drive_gives_the_session_back),
        cmocka_unit_test(what_cannot_be_driven_leaves_the_session_as_it_was),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
