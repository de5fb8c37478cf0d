/* Ids and addresses of PDB entries. What goes over a wire is tested in tests/cli/fetch.sh. */
#include "base/memory.h"
#include "io/fetch/entry.h"
#include "support/support.h"

#include <string.h>

static void ids(void **unused)
{
    (void)unused;
    static const char *const good[] = {"2LAO", "2lao", "9xYz", "pdb_00002lao", "PDB_1234abcd"};
    static const char *const bad[] = {
        "",           "2LA",          "2LAO1", "LAO2",        "0ABC",          "2L/O",
        "..",         "2LAO.cif",     "2LA\n", "pdb_00002la", "pdb_00002laoo", "pdb_0000/lao",
        "2L\xc3\xa9", "pdb-00002lao", "{ID}"};
    cardo_error error = {0};
    for (size_t i = 0; i < sizeof good / sizeof *good; ++i)
        assert_ok(cardo_entry_id_check(good[i], &error), &error);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
        assert_fails(cardo_entry_id_check(bad[i], &error), &error, CARDO_ERROR_USAGE,
                     "such as 2LAO");
    }
}

static void expect_url(const char *place, const char *id, const char *format, int attempt,
                       const char *expected)
{
    char *url;
    cardo_error error = {0};
    assert_ok(cardo_entry_url(place, id, format, attempt, &url, &error), &error);
    if (expected)
        assert_string_equal(url, expected);
    else
        assert_null(url);
    cardo_free(url);
}

static void addresses(void **unused)
{
    (void)unused;
    expect_url("http://a/b", "2lAo", "cif", 0, "http://a/b/2LAO.cif.gz");
    expect_url("http://a/b/", "2lAo", "pdb", 1, "http://a/b/2LAO.pdb");
    expect_url("http://a/b", "2lAo", "cif", 2, "http://a/b/2lao.cif.gz");
    expect_url("http://a/b", "2lAo", "cif", 3, "http://a/b/2lao.cif");
    expect_url("http://a/b", "2lAo", "cif", 4, NULL);
    expect_url("HTTPS://a", "PDB_00002LAO", "cif", 0, "HTTPS://a/pdb_00002lao.cif.gz");
    expect_url("http://a", "PDB_00002LAO", "cif", 2, NULL);
    expect_url("http://a/{middle}/{id}.{format}?{ID}", "2LAO", "cif", 0,
               "http://a/la/2lao.cif?2LAO");
    expect_url("http://a/{middle}/{ID}", "pdb_00002LAO", "cif", 0, "http://a/la/pdb_00002lao");
    expect_url("http://a/{id}", "2LAO", "cif", 1, NULL);
}

static void wrong_addresses(void **unused)
{
    (void)unused;
    static const char *const bad[] = {"ftp://a", "file:///etc",     "a",
                                      "",        "http://a/{name}", "http://a/{id"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
        char *url;
        cardo_error error = {0};
        assert_fails(cardo_entry_url(bad[i], "2LAO", "cif", 0, &url, &error), &error,
                     CARDO_ERROR_USAGE, "http");
        assert_null(url);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(ids), cmocka_unit_test(addresses),
                                       cmocka_unit_test(wrong_addresses)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
