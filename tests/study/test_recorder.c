/* The files of a run in its folder: whole, continued bitwise, kept when the disk is full; and their
 * pictures. */
#include "base/memory.h"
#include "base/output.h"
#include "base/text.h"
#include "cli/processes/gnuplot.h"
#include "dynamics/drive.h"
#include "io/plots/plot.h"
#include "io/run/folder_writer.h"
#include "io/trajectory/trajectory.h"
#include "models.h"
#include "structure/pdb/pdb.h"
#include "study/dynamics/checkpoint.h"
#include "study/dynamics/recorder.h"
#include "support/support.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static const char two_atoms[] =
    "ATOM      1  N   GLY A   1       1.000   2.000   3.000  1.00  0.00           N  \n"
    "ATOM      2  CA  GLY A   1      -4.000   5.000   1.000  1.00  0.00           C  \n";

static cardo_structure *read_atoms(void)
{
    cardo_error error;
    cardo_structure *structure;
    assert_ok(cardo_pdb_parse(two_atoms, sizeof two_atoms - 1, "two.pdb", 0, &structure, &error),
              &error);
    return structure;
}

static const char *fresh_folder(const char *name)
{
    static char paths[8][512];
    static int k;
    cardo_error error;
    k = (k + 1) % 8;
    snprintf(paths[k], sizeof paths[k], "%s/%s", support_scratch(), name);
    assert_ok(cardo_make_folder(paths[k], &error), &error);
    return paths[k];
}

/* A run that is being recorded, and all that it stands on. */
typedef struct recorded_run {
    char place[512];
    cardo_folder folder;
    cardo_writer writer;
    test_model model;
    cardo_structure *structure;
    cardo_simulation *simulation;
    cardo_recorder *recorder;
} recorded_run;

static const cardo_writer *writer_of(recorded_run *run, const char *folder)
{
    snprintf(run->place, sizeof run->place, "%s", folder);
    run->folder = (cardo_folder){run->place};
    run->writer = cardo_folder_writer(&run->folder);
    return &run->writer;
}

/* The ensemble of the runs that are prepared. */
static int ensemble;

static void prepare(recorded_run *run, void (*make)(test_model *),
                    const cardo_integrator *integrator)
{
    cardo_error error;
    cardo_simulation_options options;
    cardo_fields_default(cardo_simulation_fields, &options);
    options.timestep = 0.005;
    options.seed = 11;
    options.ensemble = ensemble;
    make(&run->model);
    run->structure = read_atoms();
    assert_ok(cardo_simulation_create(run->model.system, run->model.state, run->model.provider,
                                      integrator, &options, NULL, &run->simulation, &error),
              &error);
}

static cardo_recorder_options recorder_options(int trajectory)
{
    cardo_recorder_options options;
    cardo_fields_default(cardo_recorder_fields, &options);
    options.report_interval = 2;
    options.trajectory_interval = 5;
    options.checkpoint_interval = 50;
    options.trajectory = trajectory;
    options.velocities = true;
    return options;
}

static void begin_run(recorded_run *run, void (*make)(test_model *),
                      const cardo_integrator *integrator, const char *folder, int trajectory)
{
    cardo_error error;
    cardo_recorder_options options = recorder_options(trajectory);
    prepare(run, make, integrator);
    assert_ok(cardo_recorder_open(writer_of(run, folder), run->simulation, run->structure, &options,
                                  NULL, "hash 1", &run->recorder, &error),
              &error);
    assert_ok(cardo_simulation_start(run->simulation, &error), &error);
}

static void continue_run(recorded_run *run, void (*make)(test_model *),
                         const cardo_integrator *integrator, const char *folder, int trajectory)
{
    cardo_error error;
    cardo_recorder_options options = recorder_options(trajectory);
    prepare(run, make, integrator);
    assert_ok(cardo_recorder_continue(writer_of(run, folder), run->simulation, run->structure,
                                      &options, NULL, "hash 1", &run->recorder, &error),
              &error);
}

static void advance(recorded_run *run, long long steps)
{
    cardo_error error;
    cardo_end end;
    assert_ok(cardo_simulation_run(run->simulation, steps, NULL, &end, &error), &error);
}

static void release(recorded_run *run)
{
    cardo_simulation_destroy(run->simulation);
    cardo_structure_destroy(run->structure);
    model_destroy(&run->model);
}

static void finish_run(recorded_run *run)
{
    cardo_error error;
    assert_ok(cardo_recorder_finish(run->recorder, &error), &error);
    release(run);
}

/* Both folders hold the same bytes under this name. */
static void assert_same_file(const char *one, const char *two, const char *name)
{
    cardo_error error;
    char path[1024], *bytes[2];
    size_t length[2];
    for (int k = 0; k < 2; ++k) {
        snprintf(path, sizeof path, "%s/%s", k ? two : one, name);
        assert_ok(cardo_read_file(path, 0, &bytes[k], &length[k], &error), &error);
    }
    if (length[0] != length[1] || memcmp(bytes[0], bytes[1], length[0]) != 0)
        fail_msg("%s differs between %s (%zu bytes) and %s (%zu bytes)", name, one, length[0], two,
                 length[1]);
    cardo_free(bytes[0]);
    cardo_free(bytes[1]);
}

static void make_swung(test_model *model)
{
    model_swung(model, 4.0);
}

/* run to n + overrun, of which only the checkpoint at n counts (the process died), go on to the
 * end: all files equal those of the run that was never broken. */
static void check_continuation(const cardo_integrator *integrator, void (*make)(test_model *),
                               int format, int cut)
{
    static int serial;
    char name[64];
    cardo_error error;
    recorded_run run;
    snprintf(name, sizeof name, "whole-%d", ++serial);
    const char *whole = fresh_folder(name);
    begin_run(&run, make, integrator, whole, format);
    advance(&run, 120);
    finish_run(&run);
    snprintf(name, sizeof name, "cut-%d", serial);
    const char *broken = fresh_folder(name);
    begin_run(&run, make, integrator, broken, format);
    advance(&run, cut);
    assert_ok(cardo_recorder_checkpoint(run.recorder, &error), &error);
    advance(&run, cut + 24);
    cardo_recorder_destroy(run.recorder);
    release(&run);
    continue_run(&run, make, integrator, broken, format);
    assert_int_equal(cardo_simulation_step(run.simulation), cut);
    advance(&run, 120);
    finish_run(&run);
    assert_same_file(whole, broken, "trajectory.csv");
    assert_same_file(whole, broken, CARDO_CHECKPOINT_NAME);
    snprintf(name, sizeof name, "trajectory.%s", cardo_trajectory_formats[format]->extension);
    assert_same_file(whole, broken, name);
    assert_same_file(whole, broken, "topology.pdb");
}

/* Those that take no motion say so when they start. */
static bool takes_motion(const cardo_integrator *integrator)
{
    cardo_error error;
    recorded_run run;
    prepare(&run, make_swung, integrator);
    cardo_status status = cardo_simulation_start(run.simulation, &error);
    release(&run);
    assert_true(status == CARDO_OK || status == CARDO_ERROR_UNSUPPORTED);
    return status == CARDO_OK && !(integrator->traits & CARDO_INTEGRATOR_REJECTS);
}

/* Every integrator of the table, and the quasi-static one beside it, with every kind of model and,
 * where it has a temperature, both ensembles; formats and places of the cut take turns, so that each
 * integrator meets most of them. */
static void a_continued_run_leaves_the_same_bytes(void **test)
{
    (void)test;
    void (*const models[])(test_model *) = {model_path, model_double, model_free, model_top,
                                            make_swung};
    static const int cuts[] = {1, 50, 51, 52, 73};
    int turn = 0, driven = 0;
    for (int i = 0; cardo_integrators[i]; ++i)
        for (int m = 0; m < 5; ++m) {
            const cardo_integrator *integrator = cardo_integrators[i];
            bool bath = integrator->traits & CARDO_INTEGRATOR_THERMOSTAT;
            if (m == 4 && !takes_motion(integrator))
                continue;
            driven += m == 4;
            for (ensemble = CARDO_ENSEMBLE_RIGID;
                 ensemble <= (bath && m < 4 ? CARDO_ENSEMBLE_FIXMAN : CARDO_ENSEMBLE_RIGID);
                 ++ensemble) {
                check_continuation(integrator, models[m], turn % 3, cuts[turn % 5]);
                ++turn;
            }
            ensemble = CARDO_ENSEMBLE_RIGID;
        }
    for (int k = 0; k < 5; ++k)
        check_continuation(&cardo_integrator_quasi_static, make_swung, k % 3, cuts[k]);
    assert_true(driven >= 8);
}

static void another_model_or_option_is_refused_by_name(void **test)
{
    (void)test;
    recorded_run run;
    cardo_error error;
    cardo_recorder_options options = recorder_options(3);
    const char *folder = fresh_folder("refuse");
    begin_run(&run, model_double, &cardo_integrator_verlet, folder, 3);
    advance(&run, 20);
    finish_run(&run);

    prepare(&run, model_path, &cardo_integrator_verlet);
    assert_fails(cardo_recorder_continue(writer_of(&run, folder), run.simulation, run.structure,
                                         &options, NULL, "hash 1", &run.recorder, &error),
                 &error, CARDO_ERROR_INPUT, "'model.bodies 3', this run has 'model.bodies 2'");
    release(&run);
    prepare(&run, model_double, &cardo_integrator_langevin);
    assert_fails(cardo_recorder_continue(writer_of(&run, folder), run.simulation, run.structure,
                                         &options, NULL, "hash 1", &run.recorder, &error),
                 &error, CARDO_ERROR_INPUT,
                 "'integrator verlet', this run has 'integrator langevin'");
    release(&run);
    prepare(&run, model_double, &cardo_integrator_verlet);
    assert_fails(cardo_recorder_continue(writer_of(&run, folder), run.simulation, run.structure,
                                         &options, NULL, "hash 2", &run.recorder, &error),
                 &error, CARDO_ERROR_INPUT, "'hash 1', this run has 'hash 2'");
    release(&run);
}

static void a_damaged_checkpoint_is_refused(void **test)
{
    (void)test;
    recorded_run run;
    cardo_error error;
    cardo_checkpoint *checkpoint;
    char path[1024], *bytes;
    size_t length;
    const char *folder = fresh_folder("damage");
    begin_run(&run, model_double, &cardo_integrator_verlet, folder, 0);
    advance(&run, 20);
    finish_run(&run);
    snprintf(path, sizeof path, "%s/%s", folder, CARDO_CHECKPOINT_NAME);
    assert_ok(cardo_read_file(path, 0, &bytes, &length, &error), &error);
    for (size_t k = 0; k < length; k += 7) {
        bytes[k] ^= 4;
        assert_ok(cardo_write_file(path, bytes, length, &error), &error);
        assert_fails(cardo_checkpoint_read(&run.writer, CARDO_CHECKPOINT_NAME, &checkpoint, &error),
                     &error, CARDO_ERROR_INPUT, CARDO_CHECKPOINT_NAME);
        bytes[k] ^= 4;
    }
    for (size_t cut = 0; cut < length; cut += 13) {
        assert_ok(cardo_write_file(path, bytes, cut, &error), &error);
        assert_fails(cardo_checkpoint_read(&run.writer, CARDO_CHECKPOINT_NAME, &checkpoint, &error),
                     &error, CARDO_ERROR_INPUT, CARDO_CHECKPOINT_NAME);
    }
    cardo_free(bytes);
}

/* Lets no file grow beyond so many bytes: what a full disk does, without one. */
static void limit_files(rlim_t bytes)
{
    struct rlimit limit;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    limit.rlim_cur = bytes;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

static void a_full_disk_ends_the_run_and_keeps_what_was_there(void **test)
{
    (void)test;
    char name[64];
    for (int format = 0; cardo_trajectory_formats[format]; ++format) {
        recorded_run run;
        cardo_error error;
        cardo_end end;
        snprintf(name, sizeof name, "full-%d", format);
        const char *folder = fresh_folder(name);
        begin_run(&run, model_path, &cardo_integrator_verlet, folder, format);
        advance(&run, 100);
        assert_ok(cardo_recorder_checkpoint(run.recorder, &error), &error);
        limit_files(16384);
        assert_fails(cardo_simulation_run(run.simulation, 100000, NULL, &end, &error), &error,
                     CARDO_ERROR_FILE, "trajectory.");
        assert_int_equal(end, CARDO_END_FAILED);
        cardo_status status = cardo_recorder_finish(run.recorder, &error);
        assert_int_equal(status, CARDO_ERROR_FILE);
        limit_files(RLIM_INFINITY);
        release(&run);
        /* There is room again: the run goes on from its last checkpoint. */
        continue_run(&run, model_path, &cardo_integrator_verlet, folder, format);
        assert_true(cardo_simulation_step(run.simulation) >= 100);
        advance(&run, 2000);
        finish_run(&run);
        snprintf(name, sizeof name, "never-full-%d", format);
        const char *whole = fresh_folder(name);
        begin_run(&run, model_path, &cardo_integrator_verlet, whole, format);
        advance(&run, 2000);
        finish_run(&run);
        assert_same_file(whole, folder, "trajectory.csv");
        snprintf(name, sizeof name, "trajectory.%s", cardo_trajectory_formats[format]->extension);
        assert_same_file(whole, folder, name);
    }
}

static void the_table_says_what_it_holds(void **test)
{
    (void)test;
    recorded_run run;
    cardo_error error;
    char path[1024], *text;
    size_t length;
    const char *folder = fresh_folder("table");
    begin_run(&run, model_free, &cardo_integrator_langevin, folder, 1);
    advance(&run, 10);
    assert_string_equal(cardo_recorder_column(run.recorder, 0), "step");
    finish_run(&run);
    snprintf(path, sizeof path, "%s/trajectory.csv", folder);
    assert_ok(cardo_read_file(path, 0, &text, &length, &error), &error);
    const char *const expected[] = {"step,time (ps),potential (kJ/mol),kinetic (kJ/mol),total "
                                    "(kJ/mol),conserved (kJ/mol),temperature (K),",
                                    ",q arm (rad),", ",u arm (rad/ps),",
                                    ",force arm (kJ/mol/rad)\n0,0,"};
    for (int k = 0; k < 4; ++k)
        if (!strstr(text, expected[k]))
            fail_msg("'%s' is not in\n%s", expected[k], text);
    int rows = 0;
    for (const char *c = text; *c; ++c)
        rows += *c == '\n';
    assert_int_equal(rows, 1 + 6);
    cardo_free(text);
}

static void pictures_are_drawn_where_gnuplot_is(void **test)
{
    (void)test;
    recorded_run run;
    cardo_error error;
    bool drawn;
    char path[1024], *bytes;
    size_t length;
    const char *folder =
        getenv("CARDO_TEST_PLOTS") ? getenv("CARDO_TEST_PLOTS") : fresh_folder("plots");
    begin_run(&run, model_double, &cardo_integrator_langevin, folder, 1);
    advance(&run, 10000);
    cardo_result *result;
    assert_ok(cardo_result_create(&result, &error), &error);
    cardo_recorder_fill(run.recorder, result);
    finish_run(&run);
    cardo_result_text(result, &(cardo_quantity){"model"}, "it's a \"double\" pendulum; `exit 1`");
    cardo_result_number(result, &(cardo_quantity){"temperature_K"}, 287.5);
    assert_ok(cardo_plot_write(folder, result, &error), &error);
    cardo_result_destroy(result);
    /* The mean that people are told, of all steps, and not that of the rows. */
    snprintf(path, sizeof path, "%s/plot.gp", folder);
    assert_ok(cardo_read_file(path, 0, &bytes, &length, &error), &error);
    assert_non_null(strstr(bytes, "T0 = 287.5"));
    cardo_free(bytes);
    assert_ok(cardo_gnuplot_run(folder, &drawn, &error), &error);
    const char *const names[] = {"trajectory.png", "trajectory.svg", "energy.png", "energy.svg"};
    for (int k = 0; drawn && k < 4; ++k) {
        snprintf(path, sizeof path, "%s/%s", folder, names[k]);
        assert_ok(cardo_read_file(path, 0, &bytes, &length, &error), &error);
        assert_true(length > 5000);
        cardo_free(bytes);
    }
    snprintf(path, sizeof path, "%s/plot.gp", folder);
    assert_ok(cardo_write_file(path, "plot nothing\n", 13, &error), &error);
    if (drawn)
        assert_fails(cardo_gnuplot_run(folder, &drawn, &error), &error, CARDO_ERROR_FILE,
                     "nothing");
    setenv("PATH", "/nowhere", 1);
    assert_ok(cardo_gnuplot_run(folder, &drawn, &error), &error);
    assert_false(drawn);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_continued_run_leaves_the_same_bytes),
        cmocka_unit_test(another_model_or_option_is_refused_by_name),
        cmocka_unit_test(a_damaged_checkpoint_is_refused),
        cmocka_unit_test(a_full_disk_ends_the_run_and_keeps_what_was_there),
        cmocka_unit_test(the_table_says_what_it_holds),
        cmocka_unit_test(pictures_are_drawn_where_gnuplot_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
