#include "support/support.h"

#include "base/memory.h"
#include "base/xml.h"
#include "support/hostile.h"

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

/* A billion laughs, in content and in an attribute; quadratic blow-up; entities of other files. */
static void entities_are_refused(void **unused)
{
    (void)unused;
    cardo_xml *document;
    char laughs[2000] = "<!DOCTYPE a [\n<!ENTITY x0 \"aaaaaaaaaa\">";
    for (int k = 1; k < 12; ++k) {
        char line[200];
        snprintf(line, sizeof line, "<!ENTITY x%d \"&x%d;&x%d;&x%d;&x%d;&x%d;&x%d;&x%d;&x%d;\">", k,
                 k - 1, k - 1, k - 1, k - 1, k - 1, k - 1, k - 1, k - 1);
        strcat(laughs, line);
    }
    const char *secret = support_write("secret.txt", "what no model may see");
    char content[2100], attribute[2100], outside[500], parameter[500];
    snprintf(content, sizeof content, "%s]><a y=\"1\">&x11;</a>", laughs);
    snprintf(attribute, sizeof attribute, "%s]><a y=\"&x11;\"/>", laughs);
    snprintf(outside, sizeof outside, "<!DOCTYPE a [<!ENTITY x SYSTEM \"%s\">]><a>&x;</a>", secret);
    snprintf(parameter, sizeof parameter,
             "<!DOCTYPE a [<!ENTITY %% x SYSTEM \"%s\"> %%x;]><a y=\"1\"/>", secret);
    const char *bad[] = {content,
                         attribute,
                         outside,
                         parameter,
                         "<!DOCTYPE a SYSTEM \"http://127.0.0.1:1/a.dtd\"><a/>",
                         "<!DOCTYPE a [<!ATTLIST a y CDATA \"1\">]><a/>"};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; ++k) {
        cardo_error error = {0};
        assert_fails(cardo_xml_parse(bad[k], (int)strlen(bad[k]), "bomb.xml", &document, &error),
                     &error, CARDO_ERROR_INPUT, "bomb.xml:1: a document type");
        assert_null(document);
        assert_fails(cardo_xml_check(bad[k], (int)strlen(bad[k]), "bomb.xml", &error), &error,
                     CARDO_ERROR_INPUT, "bomb.xml:1: a document type");
    }
}

static void comments_and_sections_are_no_elements(void **unused)
{
    (void)unused;
    cardo_error error = {0};
    cardo_xml *document;
    char *text;
    const char *good_text = "<a><!-- <b x='1'> --><?say <c/> ?><![CDATA[<d>]]>&lt;<e/></a>";
    assert_ok(cardo_xml_parse(good_text, (int)strlen(good_text), "a.xml", &document, &error),
              &error);
    const cardo_xml_element *a = cardo_xml_root(document);
    assert_string_equal(cardo_xml_name(cardo_xml_child(a, NULL)), "e");
    assert_ok(cardo_xml_text(a, &text, &error), &error);
    assert_string_equal(text, "<d><");
    cardo_free(text);
    cardo_xml_destroy(document);
    assert_ok(cardo_xml_check(good_text, (int)strlen(good_text), "a.xml", &error), &error);
    assert_fails(cardo_xml_check("<a>\n<b>\n</a>", 12, "a.xml", &error), &error, CARDO_ERROR_INPUT,
                 "a.xml:3");
}

static int head_or(const char *head, const char *piece, char *text, size_t size, int k)
{
    return snprintf(text, size, "%s", k ? piece : head);
}

static int elements(char *text, size_t size, int k)
{
    return head_or("<a>", "<a/>", text, size, k);
}

static int elements_and_text(char *text, size_t size, int k)
{
    return head_or("<a>", "<a/>x", text, size, k);
}

static int attributes(char *text, size_t size, int k)
{
    return k ? snprintf(text, size, " a%d=\"\"", k) : snprintf(text, size, "<a");
}

static int short_attributes(char *text, size_t size, int k)
{
    return head_or("<r>", "<a a=\"\" b=\"\" c=\"\" d=\"\" e=\"\" f=\"\" g=\"\" h=\"\" i=\"\"/>",
                   text, size, k);
}

static int names(char *text, size_t size, int k)
{
    return k ? snprintf(text, size, "<a%d/>", k) : snprintf(text, size, "<a>");
}

static int namespaces(char *text, size_t size, int k)
{
    return k ? snprintf(text, size, "<a xmlns:b%d=\"c%d\"/>", k, k) : snprintf(text, size, "<a>");
}

static int depth(char *text, size_t size, int k)
{
    return head_or("<a>", "<a>", text, size, k);
}

static int comments(char *text, size_t size, int k)
{
    return head_or("<a>", "<!---->", text, size, k);
}

static int open_comment(char *text, size_t size, int k)
{
    return head_or("<a><!--", "<a b='>", text, size, k);
}

static int instructions(char *text, size_t size, int k)
{
    return head_or("<a>", "<?a?>", text, size, k);
}

static int long_text(char *text, size_t size, int k)
{
    return head_or("<a>", "xxxxxxxxxxxxxxxx", text, size, k);
}

static int characters(char *text, size_t size, int k)
{
    return head_or("<a>", "&#120;", text, size, k);
}

static int quotes(char *text, size_t size, int k)
{
    return head_or("<a ", "\"'", text, size, k);
}

static int brackets(char *text, size_t size, int k)
{
    return head_or("<a>", "<", text, size, k);
}

static bool read_file(const char *path)
{
    cardo_error error = {0};
    cardo_xml *document;
    cardo_status status = cardo_xml_read(path, &document, &error);
    cardo_xml_destroy(document);
    return status == CARDO_OK || strstr(error.message, path);
}

/* A node of libxml2's has 128 bytes, and <a/>x is two; the text is there besides. */
enum { TREE_RATIO = 60 };

static void hostile_files_are_bounded(void **unused)
{
    (void)unused;
    static const struct {
        const char *name;
        support_piece *write;
    } cases[] = {
        {"elements", elements},
        {"elements and text", elements_and_text},
        {"attributes of one element", attributes},
        {"short attributes", short_attributes},
        {"names", names},
        {"namespaces", namespaces},
        {"depth", depth},
        {"comments", comments},
        {"a comment without end", open_comment},
        {"instructions", instructions},
        {"one text", long_text},
        {"characters", characters},
        {"quotes", quotes},
        {"brackets", brackets},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k)
        support_check_hostile_within(TREE_RATIO, cases[k].name, read_file,
                                     support_write_pieces("h.xml", cases[k].write, 1000000, false));
}

static int many_elements(char *text, size_t size, int k)
{
    (void)k;
    for (size_t i = 0; i + 5 <= size; i += 4)
        memcpy(text + i, "<a/>", 5);
    return (int)((size - 1) / 4 * 4);
}

/* 80 MB in a hundredth; and more than any model or force field has. */
static void bombs_are_refused(void **unused)
{
    (void)unused;
    cardo_error error = {0};
    cardo_xml *document;
    const char *path = support_write_pieces("bomb.xml.gz", many_elements, 80000000, true);
    assert_fails(cardo_xml_read(path, &document, &error), &error, CARDO_ERROR_INPUT,
                 "takes more memory than a file of its size may");
    path = support_write_pieces("long.xml", many_elements, CARDO_XML_MOST_BYTES + 4096, false);
    assert_fails(cardo_xml_read(path, &document, &error), &error, CARDO_ERROR_FILE,
                 "long.xml: holds more than 33554432 bytes");
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
        cmocka_unit_test(entities_are_refused),
        cmocka_unit_test(comments_and_sections_are_no_elements),
        cmocka_unit_test(hostile_files_are_bounded),
        cmocka_unit_test(bombs_are_refused),
        cmocka_unit_test(a_schema_is_checked_by_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
