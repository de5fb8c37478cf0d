/* Communicators: none, and one that a host makes for itself, here of threads in one process. What members
 * share and how failures reach the others; tests/cli/test_parallel has the same of processes. */
#include "base/communicator.h"
#include "support/members.h"
#include "support/support.h"

#include <stdint.h>
#include <string.h>

enum { MEMBERS = 3, RECORDS = 7 };

typedef struct member {
    int rank;
    int script; /* what it does */
    uint64_t value[RECORDS];
    cardo_status status;
    cardo_error error;
} member;

enum { SHARE, FAIL_IN_ONE, LEAVE, MISMATCH };

static cardo_status perform(cardo_communicator *c, member *m)
{
    cardo_status status = CARDO_OK;
    bool flag = m->rank == MEMBERS - 1;
    static char large[MEMBERS][1 << 20];
    for (int i = 0; i < RECORDS; ++i)
        m->value[i] = cardo_communicator_owns(c, i) ? (uint64_t)(100 + i) : 0;
    if (m->script == FAIL_IN_ONE && m->rank == 1)
        status = CARDO_FAIL(&m->error, CARDO_ERROR_NUMERICAL, "thread 1 has had enough");
    else if (m->script == LEAVE && m->rank == 2)
        return CARDO_OK;
    else if (m->script == MISMATCH && m->rank == 1)
        status = cardo_communicator_share(c, large[m->rank], sizeof large[0] / MEMBERS, MEMBERS,
                                          &m->error);
    else
        status = cardo_communicator_share(c, m->value, sizeof *m->value, RECORDS, &m->error);
    if (status == CARDO_OK)
        status = cardo_communicator_any(c, &flag, &m->error);
    return cardo_communicator_agree(c, status == CARDO_OK && !flag ? CARDO_ERROR_INPUT : status,
                                    &m->error);
}

static void live(cardo_communicator *c, void *user)
{
    member *m = user;
    char words[64];
    const bool known = cardo_communicator_rank(c) == m->rank &&
                       cardo_communicator_size(c) == MEMBERS &&
                       strcmp(cardo_communicator_describe(c, words), "3 threads") == 0;
    m->status = known ? perform(c, m) : CARDO_ERROR_ARGUMENT;
}

static void play(int script, member members[MEMBERS])
{
    void *user[MEMBERS];
    for (int k = 0; k < MEMBERS; ++k) {
        members[k] = (member){.rank = k, .script = script};
        user[k] = &members[k];
    }
    support_members(MEMBERS, live, user);
}

static void threads_share(void **unused)
{
    (void)unused;
    member members[MEMBERS];
    play(SHARE, members);
    for (int k = 0; k < MEMBERS; ++k) {
        assert_ok(members[k].status, &members[k].error);
        for (int i = 0; i < RECORDS; ++i)
            assert_int_equal(members[k].value[i], 100 + i);
    }
}

static void everyone_hears_of_a_failure(void **unused)
{
    (void)unused;
    member members[MEMBERS];
    play(FAIL_IN_ONE, members);
    for (int k = 0; k < MEMBERS; ++k)
        assert_fails(members[k].status, &members[k].error, CARDO_ERROR_NUMERICAL,
                     "thread 1 has had enough");
}

static void one_that_leaves_is_missed(void **unused)
{
    (void)unused;
    member members[MEMBERS];
    play(LEAVE, members);
    for (int k = 0; k < 2; ++k)
        assert_fails(members[k].status, &members[k].error, CARDO_ERROR_LOST,
                     "thread 3 of 3 has gone home");
}

/* A megabyte that nobody waits for holds nobody up. */
static void members_at_different_exchanges_end(void **unused)
{
    (void)unused;
    member members[MEMBERS];
    play(MISMATCH, members);
    for (int k = 0; k < MEMBERS; ++k)
        assert_fails(members[k].status, &members[k].error, CARDO_ERROR_ARGUMENT,
                     "thread 2 is at another exchange");
}

static void none_is_a_single_process(void **unused)
{
    (void)unused;
    cardo_error error = {0};
    char words[64];
    double record = 3;
    bool yes = true, no = false;
    assert_int_equal(cardo_communicator_rank(NULL), 0);
    assert_int_equal(cardo_communicator_size(NULL), 1);
    assert_true(cardo_communicator_owns(NULL, 5));
    assert_string_equal(cardo_communicator_describe(NULL, words), "1 process");
    assert_int_equal(cardo_communicator_cores(NULL, 1), cardo_core_count());
    assert_int_equal(cardo_communicator_cores(NULL, 9), cardo_core_count());
    assert_ok(cardo_communicator_share(NULL, &record, sizeof record, 1, &error), &error);
    assert_true(record == 3);
    assert_ok(cardo_communicator_any(NULL, &yes, &error), &error);
    assert_ok(cardo_communicator_any(NULL, &no, &error), &error);
    assert_true(yes && !no);
    assert_int_equal(cardo_communicator_agree(NULL, CARDO_ERROR_FILE, &error), CARDO_ERROR_FILE);
    assert_ok(cardo_communicator_agree(NULL, CARDO_OK, &error), &error);
    cardo_communicator_destroy(NULL);
}

static void impossible_numbers_are_refused(void **unused)
{
    (void)unused;
    static const int wrong[][3] = {{0, 0, 1}, {3, 3, 1}, {-1, 3, 1}, {0, 5000, 1}, {0, 2, 0}};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; ++k) {
        cardo_error error = {0};
        cardo_communicator *c;
        assert_fails(cardo_communicator_create(&support_threads, NULL, wrong[k][0], wrong[k][1],
                                               wrong[k][2], &c, &error),
                     &error, CARDO_ERROR_ARGUMENT, "1 to 1024 members");
        assert_null(c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_share),
        cmocka_unit_test(everyone_hears_of_a_failure),
        cmocka_unit_test(one_that_leaves_is_missed),
        cmocka_unit_test(members_at_different_exchanges_end),
        cmocka_unit_test(none_is_a_single_process),
        cmocka_unit_test(impossible_numbers_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
