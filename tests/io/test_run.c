/* The folder of a run: who may write there, what is left of a start that failed, and with what a run goes on. */
#include "base/memory.h"
#include "base/output.h"
#include "io/run/run.h"
#include "support/support.h"

#include <string.h>

typedef struct chosen {
    double step;
    int count;
} chosen;

static const cardo_field fields[] = {
    {"step", CARDO_FIELD_DOUBLE, offsetof(chosen, step), "ps", "0.1", 0, 0, NULL, "a step"},
    {"count", CARDO_FIELD_INT, offsetof(chosen, count), "", "10", 0, 0, NULL, "how many",
     CARDO_MAY_CHANGE},
    {0},
};

static char place[512];

static cardo_run_request request_of(bool go_on, bool start_over)
{
    return (cardo_run_request){.path = place,
                               .study = "simulate",
                               .checkpoint = "checkpoint.cardo",
                               .go_on = go_on,
                               .start_over = start_over,
                               .writes = true,
                               .words = {"going on", "starting over", "elsewhere"}};
}

static void set_place(const char *name)
{
    snprintf(place, sizeof place, "%s", support_write("there", ""));
    snprintf(strrchr(place, '/'), 64, "/%s", name);
}

static cardo_result *facts_of(const char *integrator)
{
    cardo_result *facts;
    const double start[] = {1.0 / 3, 2};
    assert_int_equal(cardo_result_create(&facts, NULL), CARDO_OK);
    cardo_result_text(facts, &(cardo_quantity){"integrator"}, integrator);
    cardo_result_vector(facts, &(cardo_quantity){"start"}, 2, start);
    return facts;
}

static cardo_record record_of(const cardo_record_options *options, const cardo_result *facts)
{
    return (cardo_record){.study = "simulate", .facts = facts, .noption = 1, .options = options};
}

static void begin(cardo_run *run, const cardo_record *record, bool worth)
{
    cardo_error error;
    const double value = 5;
    const cardo_run_request request = request_of(false, true);
    assert_ok(cardo_run_claim(run, &request, &error), &error);
    cardo_run_repeat(run, &(cardo_repetition){.command = "cardo simulate a.xml"});
    assert_ok(cardo_writer_begin(&run->writer, record, &error), &error);
    assert_ok(cardo_writer_save(&run->writer, "checkpoint.cardo", "x 1\n", 4, &value, 1, &error),
              &error);
    cardo_writer_keep(&run->writer, worth);
}

static bool is_there(const char *name)
{
    char *path;
    assert_int_equal(cardo_folder_path(place, name, NULL, &path, NULL), CARDO_OK);
    const bool there = cardo_file_exists(path);
    cardo_free(path);
    return there;
}

static void a_failed_start_leaves_nothing(void **unused)
{
    (void)unused;
    cardo_run run = {0};
    const chosen own = {0.1, 10};
    const cardo_record_options options = {fields, &own};
    cardo_result *facts = facts_of("langevin");
    const cardo_record record = record_of(&options, facts);
    set_place("failed.run");
    begin(&run, &record, false);
    assert_true(is_there("run.json"));
    cardo_run_close(&run);
    assert_false(cardo_file_exists(place));
    cardo_result_destroy(facts);
}

static void a_folder_that_holds_a_run_is_not_written_over(void **unused)
{
    (void)unused;
    cardo_error error;
    cardo_run run = {0}, other = {0};
    const chosen own = {0.1, 10};
    const cardo_record_options options = {fields, &own};
    cardo_result *facts = facts_of("langevin");
    const cardo_record record = record_of(&options, facts);
    const cardo_run_request plain = request_of(false, false), both = request_of(true, true);
    set_place("whole.run");
    begin(&run, &record, true);
    assert_int_equal(cardo_run_claim(&other, &plain, &error), CARDO_ERROR_FILE); /* locked */
    cardo_run_close(&other);
    cardo_run_close(&run);
    assert_int_equal(cardo_run_claim(&other, &plain, &error), CARDO_ERROR_INPUT);
    assert_non_null(strstr(error.message, "holds a run already; going on goes on with it, starting "
                                          "over starts over, elsewhere goes elsewhere"));
    cardo_run_close(&other);
    assert_int_equal(cardo_run_claim(&other, &both, &error), CARDO_ERROR_USAGE);
    cardo_run_close(&other);
    assert_true(is_there("checkpoint.cardo"));
    cardo_result_destroy(facts);
}

static void a_run_goes_on_with_its_own_options(void **unused)
{
    (void)unused;
    char *text;
    size_t n;
    double q[2], *values;
    cardo_error error;
    cardo_run run = {0};
    chosen own = {0.1, 10};
    const cardo_record_options options = {fields, &own};
    cardo_result *facts = facts_of("langevin"), *others = facts_of("verlet");
    const cardo_record record = record_of(&options, facts), other = record_of(&options, others);
    const cardo_run_request on = request_of(true, false);
    set_place("on.run");
    begin(&run, &record, true);
    assert_false(cardo_writer_goes_on(&run.writer));
    cardo_run_close(&run);
    assert_ok(cardo_run_claim(&run, &on, &error), &error);
    assert_true(cardo_writer_goes_on(&run.writer));
    assert_string_equal(cardo_run_said(&run, "command"), "cardo simulate a.xml");
    assert_true(cardo_run_start(&run, 2, q));
    assert_true(q[0] == 1.0 / 3 && q[1] == 2);
    assert_false(cardo_run_start(&run, 3, q));
    own.count = 20;
    assert_ok(cardo_writer_check(&run.writer, &record, &error), &error);
    assert_int_equal(cardo_writer_check(&run.writer, &other, &error), CARDO_ERROR_INPUT);
    assert_non_null(strstr(error.message, "simulate.integrator=\"verlet\""));
    own.step = 0.2;
    assert_int_equal(cardo_writer_check(&run.writer, &record, &error), CARDO_ERROR_INPUT);
    assert_non_null(strstr(error.message, "simulate.step=\"0.2\""));
    assert_ok(cardo_writer_recall(&run.writer, "checkpoint.cardo", &text, &values, &n, &error),
              &error);
    assert_true(n == 1 && values[0] == 5);
    cardo_free(text);
    cardo_free(values);
    cardo_run_close(&run);
    assert_true(is_there("checkpoint.cardo"));
    cardo_result_destroy(facts);
    cardo_result_destroy(others);
}

static void one_that_only_reads_writes_nothing(void **unused)
{
    (void)unused;
    cardo_error error;
    cardo_run run = {0};
    cardo_run_request request = request_of(false, false);
    request.writes = false;
    set_place("read.run");
    assert_ok(cardo_run_claim(&run, &request, &error), &error);
    assert_ok(cardo_writer_claim(&run.writer, &error), &error);
    assert_ok(cardo_writer_begin(&run.writer, NULL, &error), &error);
    assert_ok(cardo_writer_save(&run.writer, "x", "", 0, NULL, 0, &error), &error);
    assert_false(cardo_file_exists(place));
    cardo_run_close(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_failed_start_leaves_nothing),
        cmocka_unit_test(a_folder_that_holds_a_run_is_not_written_over),
        cmocka_unit_test(a_run_goes_on_with_its_own_options),
        cmocka_unit_test(one_that_only_reads_writes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
