#include "support/support.h"

#include <ftw.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void support_assert_close(double a, double b, double tolerance, const char *what, const char *file,
                          int line)
{
    if (fabs(a - b) <= tolerance)
        return;
    print_error("%s: %.17g is not %.17g: they differ by %.3g, more than %.3g\n", what, a, b, a - b,
                tolerance);
    _fail(file, line);
}

void support_assert_ok(cardo_status status, const cardo_error *error, const char *what,
                       const char *file, int line)
{
    if (status == CARDO_OK)
        return;
    print_error("%s: %s\n%s\n", what, cardo_status_text(status), error ? error->message : "");
    _fail(file, line);
}

void support_assert_fails(cardo_status status, const cardo_error *error, cardo_status code,
                          const char *text, const char *what, const char *file, int line)
{
    bool said = error->message[0] != '\0' && (!text || strstr(error->message, text));
    if (status == code && said)
        return;
    print_error("%s: got '%s' (%s)\nexpected '%s' with '%s'\n", what, cardo_status_text(status),
                error->message, cardo_status_text(code), text ? text : "any message");
    _fail(file, line);
}

static const char *joined(const char *folder, const char *name)
{
    static char paths[8][4096];
    static int k;
    k = (k + 1) % 8;
    snprintf(paths[k], sizeof paths[k], "%s/%s", folder, name);
    return paths[k];
}

static const char *shared_folder(void)
{
    const char *folder = getenv("CARDO_SHARED");
    return folder ? folder : "../shared";
}

const char *support_shared(const char *name)
{
    return joined(shared_folder(), name);
}

const char *support_source(const char *name)
{
    const char *folder = getenv("CARDO_SOURCE");
    return joined(folder ? folder : ".", name);
}

bool support_have_shared(void)
{
    return access(support_shared("reference"), R_OK) == 0 &&
           access(support_shared("pdb"), R_OK) == 0;
}

const support_need support_shared_folder = {support_have_shared,
                                            "the reference folder (CARDO_SHARED)"};

int support_has_need(void **state)
{
    (void)state;
    return 0;
}

int support_is_statistical(void **state)
{
    (void)state;
    return 0;
}

int support_is_figures(void **state)
{
    (void)state;
    return 0;
}

static int draw;

uint64_t support_seed(uint64_t seed)
{
    return seed + 1000003 * (uint64_t)draw;
}

/* Whether every draw failed. */
static int run_draws(const struct CMUnitTest *test, CMFixtureFunction setup,
                     CMFixtureFunction teardown)
{
    for (draw = 0; draw < SUPPORT_DRAWS; ++draw) {
        if (_cmocka_run_group_tests(test->name, test, 1, setup, teardown) == 0)
            break;
        print_message("%s: draw %d of at most %d failed\n", test->name, draw + 1, SUPPORT_DRAWS);
    }
    bool failed = draw == SUPPORT_DRAWS;
    draw = 0;
    return failed;
}

static bool chosen(const struct CMUnitTest *test)
{
    const char *functions = getenv("CARDO_TEST_FUNCTIONS");
    if (SUPPORT_SANITIZED && test->teardown_func == support_is_figures)
        return false;
    if (!functions)
        return true;
    if (strcmp(functions, "plain") == 0)
        return test->setup_func != support_has_need;
    return strcmp(functions, test->name) == 0;
}

int support_run_tests(const struct CMUnitTest *tests, size_t count, CMFixtureFunction setup,
                      CMFixtureFunction teardown)
{
    struct CMUnitTest *ready = calloc(count, sizeof *ready);
    size_t nready = 0, nskipped = 0, ndrawn = 0;
    int failed = 0;
    for (size_t k = 0; ready && k < count; ++k) {
        const support_need *need =
            tests[k].setup_func == support_has_need ? tests[k].initial_state : NULL;
        if (!chosen(&tests[k]))
            continue;
        if (need && !need->there()) {
            printf("SKIPPED: %s needs %s\n", tests[k].name, need->what);
            ++nskipped;
        } else if (tests[k].teardown_func == support_is_statistical ||
                   tests[k].teardown_func == support_is_figures) {
            failed += run_draws(&tests[k], setup, teardown);
            ++ndrawn;
        } else
            ready[nready++] = tests[k];
    }
    if (nready > 0)
        failed += _cmocka_run_group_tests("tests", ready, nready, setup, teardown);
    else if (ndrawn == 0 && nskipped > 0)
        failed = 77;
    else if (ndrawn == 0) {
        print_error("there is no function '%s'\n", getenv("CARDO_TEST_FUNCTIONS"));
        failed = 1;
    }
    free(ready);
    return failed;
}

static char scratch[512];

static int remove_entry(const char *path, const struct stat *info, int kind, struct FTW *walk)
{
    (void)info;
    (void)kind;
    (void)walk;
    return remove(path);
}

static void remove_scratch(void)
{
    nftw(scratch, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

const char *support_scratch(void)
{
    if (!scratch[0]) {
        const char *folder = getenv("TMPDIR");
        snprintf(scratch, sizeof scratch, "%s/cardo-test-XXXXXX", folder ? folder : P_tmpdir);
        if (!mkdtemp(scratch))
            fail_msg("no scratch folder");
        atexit(remove_scratch);
    }
    return scratch;
}

const char *support_write(const char *name, const char *text)
{
    const char *path = joined(support_scratch(), name);
    FILE *f = fopen(path, "wb");
    if (!f || fputs(text, f) < 0 || fclose(f) != 0)
        fail_msg("cannot write %s", path);
    return path;
}

double support_random(uint64_t *seed)
{
    *seed += 0x9e3779b97f4a7c15u;
    uint64_t z = *seed;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    z ^= z >> 31;
    return (double)(int64_t)z * 0x1p-63;
}
