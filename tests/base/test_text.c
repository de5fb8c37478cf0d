#include "support/locale.h"

#include "base/letters.h"
#include "base/memory.h"
#include "base/text.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

static void lines_end_in_every_way(void **unused)
{
    (void)unused;
    const char text[] = "one\ntwo\r\nthree\rfour\n\nlast";
    const char *expected[] = {"one", "two", "three", "four", "", "last"};
    const char *next = text;
    cardo_line line = {0};
    int n = 0;
    while (cardo_next_line(&next, text + sizeof text - 1, &line)) {
        assert_int_equal(line.length, strlen(expected[n]));
        assert_memory_equal(line.text, expected[n], (size_t)line.length);
        assert_int_equal(line.number, ++n);
    }
    assert_int_equal(n, 6);
}

static void plain_and_gzip_files_read_alike(void **unused)
{
    (void)unused;
    cardo_error error = {0};
    char *text;
    size_t length;
    assert_ok(cardo_read_file(support_write("plain.txt", "hello\n"), 0, &text, &length, &error),
              &error);
    assert_int_equal(length, 6);
    assert_string_equal(text, "hello\n");
    cardo_free(text);

    char path[256];
    snprintf(path, sizeof path, "%s/packed.gz", support_scratch());
    gzFile file = gzopen(path, "wb");
    gzputs(file, "hello\n");
    gzclose(file);
    assert_ok(cardo_read_file(path, 0, &text, &length, &error), &error);
    assert_string_equal(text, "hello\n");
    cardo_free(text);

    assert_fails(cardo_read_file(path, 3, &text, &length, &error), &error, CARDO_ERROR_FILE,
                 "more than 3");
    assert_fails(cardo_read_file("/nowhere/x", 0, &text, &length, &error), &error, CARDO_ERROR_FILE,
                 "/nowhere/x");
    assert_fails(cardo_read_file(support_scratch(), 0, &text, &length, &error), &error,
                 CARDO_ERROR_FILE, "folder");
}

static void near_names_are_suggested(void **unused)
{
    (void)unused;
    const char *const names[] = {"simulate", "energy", "info", "langevin", NULL};
    assert_string_equal(cardo_nearest_name("simulat", names), "simulate");
    assert_string_equal(cardo_nearest_name("langvin", names), "langevin");
    assert_string_equal(cardo_nearest_name("inof", names), "info");
    assert_null(cardo_nearest_name("xyz", names));
    char hint[CARDO_NEAR_TEXT];
    cardo_near near = {.name = "simulat"};
    assert_string_equal(cardo_near_hint(&near, hint), "");
    for (int k = 0; names[k]; ++k)
        cardo_near_try(&near, names[k]);
    assert_string_equal(cardo_near_hint(&near, hint), "; did you mean 'simulate'?");
}

static void data_files_are_found_beside_first(void **unused)
{
    (void)unused;
    cardo_error error = {0};
    char *found;
    char beside[300];
    support_write("near.xml", "<a/>");
    snprintf(beside, sizeof beside, "%s/model.xml", support_scratch());
    assert_ok(cardo_find_data("near.xml", beside, "forcefields", &found, &error), &error);
    assert_int_equal(strncmp(found, support_scratch(), strlen(support_scratch())), 0);
    cardo_free(found);
    assert_ok(cardo_find_data("README.md", beside, "pdb", &found, &error), &error);
    assert_non_null(strstr(found, "pdb/README.md"));
    cardo_free(found);
    assert_fails(cardo_find_data("no-such.xml", beside, "forcefields", &found, &error), &error,
                 CARDO_ERROR_INPUT, "no-such.xml");
}

static void detours_are_left_out(void **unused)
{
    (void)unused;
    cardo_error error = {0};
    char *found, model[320], expected[320], folder[320];
    support_write("near.xml", "<a/>");
    for (int k = 0; k < 2; ++k) {
        snprintf(folder, sizeof folder, "%s/%s", support_scratch(), k ? "one/two" : "one");
        mkdir(folder, 0777);
    }
    snprintf(model, sizeof model, "%s/one/two/model.xml", support_scratch());
    snprintf(expected, sizeof expected, "%s/near.xml", support_scratch());
    assert_ok(cardo_path_beside(model, "../../near.xml", &found, &error), &error);
    assert_string_equal(found, expected);
    cardo_free(found);
    /* Nothing is known of a file that is not there. */
    assert_ok(cardo_path_beside(model, "../far.xml", &found, &error), &error);
    snprintf(expected, sizeof expected, "%s/one/two/../far.xml", support_scratch());
    assert_string_equal(found, expected);
    cardo_free(found);
    /* After a link the way up is another one. */
    snprintf(model, sizeof model, "%s/link", support_scratch());
    assert_int_equal(symlink("one/two", model), 0);
    snprintf(model, sizeof model, "%s/one/beside.xml", support_scratch());
    FILE *file = fopen(model, "w");
    assert_non_null(file);
    fclose(file);
    snprintf(model, sizeof model, "%s/link/model.xml", support_scratch());
    assert_ok(cardo_path_beside(model, "../beside.xml", &found, &error), &error);
    snprintf(expected, sizeof expected, "%s/link/../beside.xml", support_scratch());
    assert_string_equal(found, expected);
    cardo_free(found);
}

/* In the locale "C" they are what the C library says, and stay so in one without a pair of I and i. */
static void letters_are_those_of_ascii(void **unused)
{
    (void)unused;
    for (int c = 0; c < 128; ++c) {
        assert_int_equal(cardo_upper((char)c), toupper(c));
        assert_int_equal(cardo_lower((char)c), tolower(c));
        assert_int_equal(cardo_is_letter((char)c), isalpha(c) != 0);
        assert_int_equal(cardo_is_space((char)c), isspace(c) != 0);
    }
    assert_false(cardo_is_letter((char)0xe9));
    assert_int_equal(cardo_upper((char)0xe9), (char)0xe9);
    const char *words[] = {"", "Li", "LI", "li", "lip", "LIP", "l[", "L{"};
    for (size_t i = 0; i < 8; ++i)
        for (size_t k = 0; k < 8; ++k) {
            assert_int_equal(cardo_same_letters(words[i], words[k]),
                             strcasecmp(words[i], words[k]) == 0);
            for (size_t n = 0; n < 5; ++n)
                assert_int_equal(cardo_same_start(words[i], words[k], n),
                                 strncasecmp(words[i], words[k], n) == 0);
        }
}

static void letters_need_no_locale(void **unused)
{
    (void)unused;
    support_enter_comma_locale();
    assert_int_equal(tolower('I'), 'I');
    assert_true(cardo_same_letters("LI", "li"));
    assert_int_equal(cardo_lower('I'), 'i');
    support_leave_comma_locale();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(letters_are_those_of_ascii),
        test_with(letters_need_no_locale, support_localedef),
        cmocka_unit_test(lines_end_in_every_way),
        cmocka_unit_test(plain_and_gzip_files_read_alike),
        cmocka_unit_test(near_names_are_suggested),
        cmocka_unit_test(data_files_are_found_beside_first),
        cmocka_unit_test(detours_are_left_out),
    };
    return support_run(tests, NULL, NULL);
}
