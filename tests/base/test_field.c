#include "support/support.h"

#include "base/field.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/output.h"

#include <string.h>

typedef struct options {
    double timestep, temperature;
    long long steps;
    int method;
    bool drift;
    char folder[CARDO_FIELD_STRING_SIZE];
} options;

static const char *const methods[] = {"verlet", "langevin", NULL};

static const cardo_field fields[] = {
    {"timestep", CARDO_FIELD_DOUBLE, offsetof(options, timestep), "ps", "0.01", 1e-6, 10, NULL,
     "length of a step"},
    {"temperature", CARDO_FIELD_DOUBLE, offsetof(options, temperature), "K", "300", 0, 1e5, NULL,
     "of the bath"},
    {"steps", CARDO_FIELD_LONG, offsetof(options, steps), "", "1000", 0, 1e15, NULL, "how many"},
    {"method", CARDO_FIELD_CHOICE, offsetof(options, method), "", "verlet", 0, 0, methods, "which"},
    {"remove-drift", CARDO_FIELD_BOOL, offsetof(options, drift), "", "no", 0, 0, NULL, "or not"},
    {"folder", CARDO_FIELD_STRING, offsetof(options, folder), "", "run", 0, 0, NULL, "where"},
    {0},
};

static void defaults_and_values_read_back(void **unused)
{
    (void)unused;
    cardo_error error = {0};
    options o, back;
    cardo_fields_default(fields, &o);
    assert_close(o.timestep, 0.01, 0);
    assert_string_equal(o.folder, "run");
    assert_ok(cardo_fields_set(fields, &o, "timestep", "2.5 fs", &error), &error);
    assert_close(o.timestep, 0.0025, 1e-18);
    assert_ok(cardo_fields_set(fields, &o, "timestep", "2fs", &error), &error);
    assert_true(o.timestep == 2 * 1e-3);
    assert_ok(cardo_fields_set(fields, &o, "timestep", "1e-3ns", &error), &error);
    assert_true(o.timestep == 1e-3 * 1e3);
    assert_ok(cardo_fields_set(fields, &o, "temperature", "310K", &error), &error);
    assert_true(o.temperature == 310);
    assert_ok(cardo_fields_set(fields, &o, "timestep", "2.5 fs", &error), &error);
    assert_ok(cardo_fields_set(fields, &o, "steps", "1e6", &error), &error);
    assert_int_equal(o.steps, 1000000);
    assert_ok(cardo_fields_set(fields, &o, "method", "langevin", &error), &error);
    assert_ok(cardo_fields_set(fields, &o, "remove-drift", "yes", &error), &error);
    o.temperature = 1.0 / 3.0;

    cardo_fields_default(fields, &back);
    for (const cardo_field *f = fields; f->name; ++f) {
        char text[300];
        cardo_field_print(f, &o, text, sizeof text);
        assert_ok(cardo_fields_set(fields, &back, f->name, text, &error), &error);
    }
    assert_true(o.timestep == back.timestep && o.temperature == back.temperature);
    assert_true(o.steps == back.steps && o.method == back.method && o.drift == back.drift);
}

static void wrong_values_name_the_option_and_the_remedy(void **unused)
{
    (void)unused;
    cardo_error error = {0};
    options o;
    cardo_fields_default(fields, &o);
    struct {
        const char *name, *text, *said;
    } cases[] = {
        {"timestep", "fast", "not a number"},
        {"timestep", "2 K", "unit"},
        {"timestep", "2K", "unit"},
        {"timestep", "2 fs/nm", "unit"},
        {"steps", "5 fs", "unit"},
        {"timestep", "-1", "outside"},
        {"timestep", "nan", "not a number"},
        {"steps", "1.5", "whole"},
        {"steps", "99999999999999999999", "whole"},
        {"method", "langvin", "langevin"},
        {"remove-drift", "perhaps", "neither"},
        {"time-step", "1", "timestep"},
        {"qqqqqqq", "1", "no option"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k)
        assert_fails(cardo_fields_set(fields, &o, cases[k].name, cases[k].text, &error), &error,
                     CARDO_ERROR_INPUT, cases[k].said);
    assert_close(o.timestep, 0.01, 0);
}

/* Products, quotients and powers of units of one kind, and nothing else. */
static void units_are_understood(void **unused)
{
    (void)unused;
    static const struct {
        const char *text, *unit;
        double value;
    } cases[] = {
        {"418.4 kJ/mol/nm^2", "kJ/mol/nm^2", 418.4},
        {"1 kcal/mol/A^2", "kJ/mol/nm^2", 418.4},
        {"1kcal/mol/A^2", "kJ/mol/nm^2", 418.4},
        {"5 /ps", "1/ps", 5},
        {"5ps^-1", "1/ps", 5},
        {"0.005/fs", "1/ps", 5},
        {"2 ns", "ps", 2000},
        {"7", "K", 7},
        {"180deg", "rad", 3.14159265358979323846},
        {" 3 A ", "nm", 0.3},
        {"0.2 kT", "kT", 0.2},
    };
    static const char *const wrong[] = {"2 kJ",   "2 kJ/mol/nm", "2 kJ/mol/nm^0", "2 kJ/mol/nm^",
                                        "2 foot", "2 kJ/",       "2 kJ/mol/nm^2/"};
    int length;
    double factor, value;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
        assert_true(cardo_unit_part(cases[k].text, cases[k].unit, &length, &factor));
        assert_true(cardo_parse_double(cases[k].text, length, &value));
        assert_close(value * factor, cases[k].value, 1e-12 * cases[k].value);
    }
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; ++k)
        assert_false(cardo_unit_part(wrong[k], "kJ/mol/nm^2", &length, &factor));
    assert_true(cardo_unit_is_missing(" 2.5e3 "));
    assert_false(cardo_unit_is_missing("2fs"));
    assert_false(cardo_unit_is_missing("fast"));
}

static void what_may_change_is_no_part_of_an_identity(void **unused)
{
    (void)unused;
    static const cardo_field two[] = {
        {"timestep", CARDO_FIELD_DOUBLE, offsetof(options, timestep), "ps", "0.1", 0, 0, NULL, ""},
        {"steps", CARDO_FIELD_LONG, offsetof(options, steps), "", "5", 0, 0, NULL, "",
         CARDO_MAY_CHANGE},
        {"method", CARDO_FIELD_CHOICE, offsetof(options, method), "", "langevin", 0, 0, methods,
         ""},
        {0},
    };
    cardo_error error = {0};
    cardo_text_stream out;
    options o;
    char *text;
    cardo_fields_default(two, &o);
    assert_ok(cardo_text_stream_open(&out, &error), &error);
    cardo_fields_identity(out.stream, "run.", two, &o);
    cardo_fields_identity(out.stream, "none.", NULL, NULL);
    assert_ok(cardo_text_stream_close(&out, CARDO_OK, &text, &error), &error);
    assert_string_equal(text, "run.timestep 0.1\nrun.method langevin\n");
    cardo_free(text);
    assert_ok(cardo_text_stream_open(&out, &error), &error);
    assert_int_equal(cardo_text_stream_close(&out, CARDO_ERROR_INPUT, &text, &error),
                     CARDO_ERROR_INPUT);
    assert_null(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults_and_values_read_back),
        cmocka_unit_test(wrong_values_name_the_option_and_the_remedy),
        cmocka_unit_test(units_are_understood),
        cmocka_unit_test(what_may_change_is_no_part_of_an_identity),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
