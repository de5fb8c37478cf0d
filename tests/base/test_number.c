#include "support/locale.h"

#include "base/number.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static double parse(const char *text)
{
    double x = -777;
    return cardo_parse_double(text, (int)strlen(text), &x) ? x : (double)NAN;
}

static void numbers_equal_strtod_bit_for_bit(void **unused)
{
    (void)unused;
    uint64_t seed = 1;
    for (int k = 0; k < 20000; ++k) {
        char text[64];
        double x = support_random(&seed) * pow(10, floor(10 * support_random(&seed)));
        snprintf(text, sizeof text, k % 2 ? "%.*f" : "%.*e", k % 18, x);
        double expected = strtod(text, NULL), got = parse(text);
        assert_memory_equal(&expected, &got, sizeof got);
    }
}

static void what_is_no_number_is_refused(void **unused)
{
    (void)unused;
    const char *bad[] = {"",     " ",     ".",   "-",   "+-1", "1.2.3", "nan", "inf",
                         "0x10", "1e999", "1 2", "12a", "1e",  "--1",   "1,5"};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; ++k)
        assert_true(isnan(parse(bad[k])));
    assert_close(parse("  -1.5 "), -1.5, 0);
    assert_close(parse("+.5"), 0.5, 0);
    assert_close(parse("2."), 2, 0);
    int i;
    assert_false(cardo_parse_int("99999999999", 11, &i));
    assert_false(cardo_parse_int("1.5", 3, &i));
    assert_true(cardo_parse_int(" -12 ", 5, &i));
    assert_int_equal(i, -12);
}

/* The same digits, and the same length where there is no room. */
static void formats_are_those_of_printf(void **unused)
{
    (void)unused;
    static const char *const formats[] = {"%.17g", "%8.3f", "%+.3e", "%-12.6g|", "%a"};
    static const double values[] = {0, -0.0, 1.5, -1234567.875, 1e-300, DBL_MAX, INFINITY, NAN};
    for (size_t f = 0; f < sizeof formats / sizeof *formats; ++f)
        for (size_t k = 0; k < sizeof values / sizeof *values; ++k) {
            char expected[400], got[400], cut[4];
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
            int n = snprintf(expected, sizeof expected, formats[f], values[k]);
            assert_int_equal(cardo_format(got, sizeof got, formats[f], values[k]), n);
            assert_int_equal(cardo_format(cut, sizeof cut, formats[f], values[k]), n);
#pragma GCC diagnostic pop
            assert_string_equal(got, expected);
            assert_int_equal(strncmp(cut, expected, sizeof cut - 1), 0);
        }
}

static void expect_points(void)
{
    char text[64], line[64] = "", *end;
    assert_int_equal(cardo_format(text, sizeof text, "%.2f %g %d", 1234.5, 0.25, 1000), 17);
    assert_string_equal(text, "1234.50 0.25 1000");
    FILE *stream = tmpfile();
    assert_non_null(stream);
    assert_int_equal(cardo_print(stream, "%.3e %s", 0.5, "1.5"), 13);
    rewind(stream);
    assert_non_null(fgets(line, sizeof line, stream));
    fclose(stream);
    assert_string_equal(line, "5.000e-01 1.5");
    assert_close(cardo_read_double("1.5,2.5", &end), 1.5, 0);
    assert_string_equal(end, ",2.5");
    assert_close(parse("1.2345678901234567890"), 1.2345678901234567890, 0);
    assert_true(isnan(parse("1,5")));

    cardo_error error = {0};
    CARDO_FAIL(&error, CARDO_ERROR_INPUT, "%g", 2.5);
    cardo_error_prefix(&error, "%.1f ", 1.5);
    assert_string_equal(error.message, "1.5 2.5");

    locale_t outer = cardo_numbers_begin();
    assert_close(strtod("1.5", NULL), 1.5, 0);
    cardo_numbers_end(outer);
}

static void *expect_points_here(void *unused)
{
    (void)unused;
    expect_points();
    return NULL;
}

static void the_host_may_have_a_decimal_comma(void **unused)
{
    (void)unused;
    support_enter_comma_locale();
    expect_points();
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, expect_points_here, NULL), 0);
    pthread_join(thread, NULL);
    /* What the host writes is as it was. */
    char text[16];
    snprintf(text, sizeof text, "%.1f", 1.5);
    assert_string_equal(text, "1,5");
    support_leave_comma_locale();
}

/* Of a thread's own locale too nothing changes. */
static void a_thread_may_have_a_decimal_comma(void **unused)
{
    (void)unused;
    locale_t comma = newlocale(LC_ALL_MASK, support_comma_locale(), (locale_t)0);
    assert_non_null(comma);
    locale_t outer = uselocale(comma);
    expect_points();
    assert_ptr_equal(uselocale((locale_t)0), comma);
    char text[16];
    snprintf(text, sizeof text, "%.1f", 1.5);
    assert_string_equal(text, "1,5");
    uselocale(outer);
    freelocale(comma);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_equal_strtod_bit_for_bit),
        cmocka_unit_test(what_is_no_number_is_refused),
        cmocka_unit_test(formats_are_those_of_printf),
        test_with(the_host_may_have_a_decimal_comma, support_localedef),
        test_with(a_thread_may_have_a_decimal_comma, support_localedef),
    };
    return support_run(tests, NULL, NULL);
}
