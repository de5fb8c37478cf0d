/* What every test needs: comparisons that print all digits, the reference folder, scratch folders.
 */
#ifndef CARDO_TESTS_SUPPORT_H
#define CARDO_TESTS_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/status.h"

/* Sanitizers look at code, not at figures: a part of what is done again and again suffices there. */
#ifdef __SANITIZE_ADDRESS__
enum { SUPPORT_SANITIZED = 1 };
#else
enum { SUPPORT_SANITIZED = 0 };
#endif

/* |a - b| <= tolerance, else prints 17 digits, the difference and the tolerance, and fails. NaN
 * fails. */
#define assert_close(a, b, tolerance)                                                              \
    support_assert_close((a), (b), (tolerance), #a, __FILE__, __LINE__)
void support_assert_close(double a, double b, double tolerance, const char *what, const char *file,
                          int line);

/* Status must be CARDO_OK; prints the error's message otherwise. */
#define assert_ok(call, error) support_assert_ok((call), (error), #call, __FILE__, __LINE__)
void support_assert_ok(cardo_status status, const cardo_error *error, const char *what,
                       const char *file, int line);

/* Status must be the one given and the message must hold text (NULL: anything, but not empty). */
#define assert_fails(call, error, code, text)                                                      \
    support_assert_fails((call), (error), (code), (text), #call, __FILE__, __LINE__)
void support_assert_fails(cardo_status status, const cardo_error *error, cardo_status code,
                          const char *text, const char *what, const char *file, int line);

/* Path of a file in the reference folder ($CARDO_SHARED, default ../shared); in a static buffer,
 * good until the eighth next call. */
const char *support_shared(const char *name);
/* Path of a file in the source tree. */
const char *support_source(const char *name);

/* True when the reference folder is there. */
bool support_have_shared(void);

/* What a test function needs and not every machine has. */
typedef struct support_need {
    bool (*there)(void);
    const char *what; /* "the reference folder (CARDO_SHARED)" */
} support_need;

extern const support_need support_shared_folder;

/* Instead of cmocka_unit_test: a function that needs the reference folder, or something else. Each is
 * also a ctest test of its own, PROGRAM.FUNCTION, which ctest shows as skipped where that is missing;
 * cardo_test() finds these words in the source. No other function may be skipped. */
#define shared_test(f)     test_with(f, support_shared_folder)
#define test_with(f, need) support_test(f, support_has_need, NULL, &(need))

/* Instead of cmocka_unit_test: a function whose bounds a right program misses by chance now and then,
 * on every processor with other numbers, at most once in 30 times. Where it fails it is drawn again with
 * other seeds: it fails where all SUPPORT_DRAWS do. tests/README.md lists the chances. */
#define statistical_test(f) support_test(f, NULL, support_is_statistical, NULL)
#define shared_statistical_test(f)                                                                 \
    support_test(f, support_has_need, support_is_statistical, &support_shared_folder)
enum { SUPPORT_DRAWS = 5 };

/* A statistical test of code that shorter functions go through as well: the plain build judges its
 * figures, and no sanitizer runs it. */
#define figures_test(f) support_test(f, NULL, support_is_figures, NULL)

#define support_test(f, setup, teardown, need)                                                     \
    ((struct CMUnitTest){#f, f, setup, teardown, (void *)(uintptr_t)(need)})
int support_has_need(void **state);
int support_is_statistical(void **state);
int support_is_figures(void **state);

/* The seed that such a function takes instead of the one that stands in it: the same at the first draw. */
uint64_t support_seed(uint64_t seed);

/* Instead of cmocka_run_group_tests, where functions need something. By CARDO_TEST_FUNCTIONS in the
 * environment: unset, all of them; "plain", those that need nothing; a function's name, that one.
 * Functions whose need is missing are named. Returns 77, skipped, when nothing else was left. */
#define support_run(tests, setup, teardown)                                                        \
    support_run_tests(tests, sizeof(tests) / sizeof *(tests), setup, teardown)
int support_run_tests(const struct CMUnitTest *tests, size_t count, CMFixtureFunction setup,
                      CMFixtureFunction teardown);

/* A fresh empty folder that is removed at exit. */
const char *support_scratch(void);

/* Writes text to a file in the scratch folder and returns its path (static buffer as above). */
const char *support_write(const char *name, const char *text);

/* Numbers in [-1, 1), the same for the same seed everywhere. */
double support_random(uint64_t *seed);

#endif
