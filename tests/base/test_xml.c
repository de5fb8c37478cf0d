#include "support/support.h"

#include "base/memory.h"
#include "base/xml.h"

#include <stdio.h>
#include <string.h>

static const char good[] = "<?xml version=\"1.0\"?>\n<a n=\"3\" x=\"1.5\">\n  <!-- c -->\n  <b "
                           "k=\"v\"/>\n  <c>text</c>\n  <b/>\n</a>\n";

static void elements_attributes_and_lines_are_found(void **unused)
{
    (void)unused;
    cardo_error error = {0};
    cardo_xml *document;
    assert_ok(cardo_xml_parse(good, (int)strlen(good), "good.xml", &document, &error), &error);
    const cardo_xml_element *a = cardo_xml_root(document);
    assert_string_equal(cardo_xml_name(a), "a");
    int n;
    double x;
    assert_ok(cardo_xml_int(document, a, "n", &n, &error), &error);
    assert_ok(cardo_xml_double(document, a, "x", &x, &error), &error);
    assert_true(n == 3 && x == 1.5);
    const cardo_xml_element *b = cardo_xml_child(a, "b");
    assert_int_equal(cardo_xml_line(b), 4);
    assert_string_equal(cardo_xml_attribute(b, "k"), "v");
    assert_null(cardo_xml_attribute(b, "z"));
    assert_int_equal(cardo_xml_attribute_count(a), 2);
    b = cardo_xml_next(b, "b");
    assert_int_equal(cardo_xml_line(b), 6);
    assert_null(cardo_xml_next(b, NULL));
    char *text;
    assert_ok(cardo_xml_text(cardo_xml_child(a, "c"), &text, &error), &error);
    assert_string_equal(text, "text");
    cardo_free(text);
    assert_fails(cardo_xml_int(document, a, "x", &n, &error), &error, CARDO_ERROR_INPUT,
                 "good.xml:2");
    const char *value;
    assert_fails(cardo_xml_need(document, b, "k", &value, &error), &error, CARDO_ERROR_INPUT,
                 "good.xml:6: <b> needs");
    cardo_xml_destroy(document);
}

static void broken_xml_names_the_line(void **unused)
{
    (void)unused;
    cardo_error error = {0};
    cardo_xml *document;
    const char *bad[] = {"<a>\n<b>\n</a>", "",         "not xml",
                         "<a x=1/>",       "<a/><b/>", "<a>&undefined;</a>"};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; ++k) {
        error.message[0] = '\0';
        assert_fails(cardo_xml_parse(bad[k], (int)strlen(bad[k]), "bad.xml", &document, &error),
                     &error, CARDO_ERROR_INPUT, "bad.xml:");
        assert_null(document);
    }
    assert_fails(cardo_xml_read("/nowhere.xml", &document, &error), &error, CARDO_ERROR_FILE,
                 "/nowhere.xml");
}

static void entity_bombs_do_not_expand(void **unused)
{
    (void)unused;
    cardo_error error = {0};
    cardo_xml *document;
    char text[2000] = "<!DOCTYPE a [<!ENTITY x0 \"aaaaaaaaaa\">";
    for (int k = 1; k < 12; ++k) {
        char line[200];
        snprintf(line, sizeof line, "<!ENTITY x%d \"&x%d;&x%d;&x%d;&x%d;&x%d;&x%d;&x%d;&x%d;\">", k,
                 k - 1, k - 1, k - 1, k - 1, k - 1, k - 1, k - 1, k - 1);
        strcat(text, line);
    }
    strcat(text, "]><a y=\"1\">&x11;</a>");
    cardo_status status = cardo_xml_parse(text, (int)strlen(text), "bomb.xml", &document, &error);
    if (status == CARDO_OK) {
        assert_string_equal(cardo_xml_name(cardo_xml_root(document)), "a");
        cardo_xml_destroy(document);
    }
}

static void a_schema_is_checked_by_line(void **unused)
{
    (void)unused;
    cardo_error error = {0};
    cardo_xml *document;
    const char *schema = support_write(
        "a.rng", "<element name=\"a\" xmlns=\"http://relaxng.org/ns/structure/1.0\">"
                 "<zeroOrMore><element name=\"b\"><empty/></element></zeroOrMore></element>");
    const char *fits = "<a><b/><b/></a>", *fails = "<a>\n<b/>\n<c/>\n</a>";
    assert_ok(cardo_xml_parse(fits, (int)strlen(fits), "fits.xml", &document, &error), &error);
    assert_ok(cardo_xml_validate(document, schema, &error), &error);
    cardo_xml_destroy(document);
    assert_ok(cardo_xml_parse(fails, (int)strlen(fails), "fails.xml", &document, &error), &error);
    assert_fails(cardo_xml_validate(document, schema, &error), &error, CARDO_ERROR_INPUT,
                 "fails.xml:3");
    assert_fails(cardo_xml_validate(document, "/nowhere.rng", &error), &error, CARDO_ERROR_FILE,
                 "/nowhere.rng");
    cardo_xml_destroy(document);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(elements_attributes_and_lines_are_found),
        cmocka_unit_test(broken_xml_names_the_line),
        cmocka_unit_test(entity_bombs_do_not_expand),
        cmocka_unit_test(a_schema_is_checked_by_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
