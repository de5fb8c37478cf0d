/* Force tables survive the way through a file bit by bit; damaged files are refused. */
#include "base/memory.h"
#include "base/text.h"
#include "io/tables/force_table_file.h"
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static cardo_status saddle(void *user, const double *x, double *energy, double *gradient,
                           cardo_error *error)
{
    (void)user;
    (void)error;
    *energy = 10 * sin(3 * x[0]) * cos(2 * x[1]);
    gradient[0] = 30 * cos(3 * x[0]) * cos(2 * x[1]);
    gradient[1] = -20 * sin(3 * x[0]) * sin(2 * x[1]);
    return CARDO_OK;
}

static cardo_force_table *make(void)
{
    cardo_error error;
    cardo_force_table *table;
    const cardo_force_table_plan plan = {
        .naxis = 2,
        .from = {-1, 0},
        .to = {1, 0.7},
        .absolute = 0.1,
        .most_evaluations = 10000,
        .function = saddle,
    };
    assert_ok(cardo_force_table_create(&plan, &table, &error), &error);
    return table;
}

static const char *const names[2] = {"lid", "core"};

static void a_table_comes_back_bit_by_bit(void **unused)
{
    (void)unused;
    cardo_error error;
    cardo_force_table *table = make(), *back;
    unsigned long long identity;
    const char *path = support_write("there.table", "");
    assert_ok(cardo_force_table_write(table, 0x123456789abcdefULL, names, path, &error), &error);
    assert_ok(cardo_force_table_read(path, &identity, &back, &error), &error);
    assert_true(identity == 0x123456789abcdefULL);
    assert_int_equal(back->naxis, 2);
    for (int k = 0; k < 2; ++k) {
        assert_int_equal(back->count[k], table->count[k]);
        assert_memory_equal(back->line[k], table->line[k],
                            (size_t)table->count[k] * sizeof(double));
    }
    assert_memory_equal(back->node, table->node,
                        4 * (size_t)cardo_force_table_nnode(table) * sizeof(double));
    assert_true(back->absolute == table->absolute && back->relative == table->relative);
    assert_true(back->worst == table->worst && back->nevaluation == table->nevaluation);
    cardo_force_table_destroy(table);
    cardo_force_table_destroy(back);
}

/* Every byte changed, one at a time over the first part of the file and here and there after it;
 * cut off anywhere: refused, never a crash. */
static void a_damaged_file_is_refused(void **unused)
{
    (void)unused;
    cardo_error error;
    cardo_force_table *table = make(), *back;
    unsigned long long identity;
    char *text;
    size_t length;
    char path[1024];
    snprintf(path, sizeof path, "%s", support_write("damaged.table", ""));
    assert_ok(cardo_force_table_write(table, 7, names, path, &error), &error);
    assert_ok(cardo_read_file(path, 0, &text, &length, &error), &error);
    for (size_t k = 0; k < length; k += k < 400 ? 1 : 97) {
        char kept = text[k];
        text[k] = (char)(kept == '9' ? '8' : '9');
        FILE *f = fopen(path, "wb");
        assert_int_equal(fwrite(text, 1, length, f), length);
        fclose(f);
        assert_fails(cardo_force_table_read(path, &identity, &back, &error), &error,
                     CARDO_ERROR_INPUT, path);
        assert_null(back);
        text[k] = kept;
    }
    for (size_t cut = 0; cut < length; cut += 1 + length / 50) {
        FILE *f = fopen(path, "wb");
        assert_int_equal(fwrite(text, 1, cut, f), cut);
        fclose(f);
        assert_fails(cardo_force_table_read(path, &identity, &back, &error), &error,
                     CARDO_ERROR_INPUT, path);
    }
    cardo_free(text);
    cardo_force_table_destroy(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_table_comes_back_bit_by_bit),
        cmocka_unit_test(a_damaged_file_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
