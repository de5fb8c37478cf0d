/* Processes that share records: the same result from any number of them, failures and deaths told.
 * With the argument mpi: as ranks of a launcher. */
#include "cli/processes/parallel.h"
#include "support/support.h"

#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RECORDS = 23, ROUNDS = 200 };

typedef struct study {
    uint64_t value[RECORDS];
    int failing, killed; /* ranks; -1: none */
    int round;           /* in which that happens */
    int seen_size;
} study;

/* Each record moves on its own; between rounds all are mixed in an order that matters. */
static cardo_status work(cardo_communicator *communicator, void *arg, cardo_error *error)
{
    study *s = arg;
    cardo_status status = CARDO_OK;
    s->seen_size = cardo_communicator_size(communicator);
    for (int round = 0; round < ROUNDS && status == CARDO_OK; ++round) {
        for (int i = 0; i < RECORDS; ++i)
            if (cardo_communicator_owns(communicator, i))
                s->value[i] = s->value[i] * 6364136223846793005u + (uint64_t)i + 1;
            else
                s->value[i] = 0;
        if (round == s->round && cardo_communicator_rank(communicator) == s->failing)
            return CARDO_FAIL(error, CARDO_ERROR_NUMERICAL, "member %d has had enough", s->failing);
        if (round == s->round && cardo_communicator_rank(communicator) == s->killed)
            raise(SIGKILL);
        status = cardo_communicator_share(communicator, s->value, sizeof *s->value, RECORDS, error);
        for (int i = 0; i < RECORDS; ++i)
            s->value[i] = s->value[i] * 31 + s->value[(i + 5) % RECORDS];
    }
    return status;
}

static study fresh(void)
{
    study s = {.failing = -1, .killed = -1, .round = ROUNDS / 2};
    for (int i = 0; i < RECORDS; ++i)
        s.value[i] = (uint64_t)i;
    return s;
}

static void same_bits_from_any_number(void **unused)
{
    (void)unused;
    cardo_error error = {0};
    study one = fresh();
    assert_ok(cardo_parallel_run(1, work, &one, &error), &error);
    assert_int_equal(one.seen_size, 1);
    for (int n = 2; n <= 30; n += 4) {
        study s = fresh();
        assert_ok(cardo_parallel_run(n, work, &s, &error), &error);
        assert_int_equal(s.seen_size, n);
        assert_memory_equal(s.value, one.value, sizeof one.value);
    }
}

static void failure_of_any_member_is_told(void **unused)
{
    (void)unused;
    for (int failing = 0; failing < 4; ++failing) {
        cardo_error error = {0};
        char words[64];
        study s = fresh();
        s.failing = failing;
        assert_int_equal(cardo_parallel_run(4, work, &s, &error), CARDO_ERROR_NUMERICAL);
        snprintf(words, sizeof words, "member %d has had enough", failing);
        assert_string_equal(error.message, words);
    }
}

static void killed_member_is_told(void **unused)
{
    (void)unused;
    for (int killed = 1; killed < 4; ++killed) {
        cardo_error error = {0};
        char words[64];
        study s = fresh();
        s.killed = killed;
        assert_int_equal(cardo_parallel_run(4, work, &s, &error), CARDO_ERROR_LOST);
        snprintf(words, sizeof words, "process %d of 4 was killed by signal 9", killed + 1);
        assert_non_null(strstr(error.message, words));
    }
}

typedef struct large {
    size_t size;
    char *bytes;
    bool interrupted_seen, quiet_seen;
    cardo_status agreed;
} large;

static cardo_status large_work(cardo_communicator *communicator, void *arg, cardo_error *error)
{
    cardo_status status;
    large *l = arg;
    cardo_error own = {0};
    bool flag = cardo_communicator_rank(communicator) == cardo_communicator_size(communicator) - 1,
         quiet = false;
    for (int i = 0; i < 3; ++i)
        if (cardo_communicator_owns(communicator, i))
            memset(l->bytes + (size_t)i * l->size, 'a' + i, l->size);
    /* Many small records before a few large ones. */
    CARDO_TRY(cardo_communicator_any(communicator, &quiet, error));
    CARDO_TRY(cardo_communicator_share(communicator, l->bytes, l->size, 3, error));
    CARDO_TRY(cardo_communicator_any(communicator, &flag, error));
    CARDO_TRY(cardo_communicator_any(communicator, &quiet, error));
    l->interrupted_seen = flag;
    l->quiet_seen = quiet;
    CARDO_TRY(cardo_communicator_agree(communicator, CARDO_OK, error));
    l->agreed = cardo_communicator_rank(communicator) == 1
                    ? CARDO_FAIL(&own, CARDO_ERROR_FILE, "the disk of member 1 is full")
                    : CARDO_OK;
    l->agreed = cardo_communicator_agree(communicator, l->agreed, &own);
    if (error)
        *error = own;
    status = l->agreed;
done:
    return status;
}

/* Records larger than any buffer of a socket, a flag that one member sees, a status of one. */
static void large_records_flags_and_agreement(void **unused)
{
    (void)unused;
    static char bytes[3 * 5000000];
    for (int n = 2; n <= 4; ++n) {
        cardo_error error = {0};
        large l = {.size = 5000000, .bytes = bytes};
        memset(bytes, 0, sizeof bytes);
        assert_int_equal(cardo_parallel_run(n, large_work, &l, &error), CARDO_ERROR_FILE);
        assert_string_equal(error.message, "the disk of member 1 is full");
        assert_true(l.interrupted_seen);
        assert_false(l.quiet_seen);
        for (int i = 0; i < 3; ++i) {
            assert_int_equal(bytes[(size_t)i * l.size], 'a' + i);
            assert_int_equal(bytes[(size_t)(i + 1) * l.size - 1], 'a' + i);
        }
    }
}

typedef struct shares {
    int all, one; /* cores of a member where all work, where one does */
} shares;

static cardo_status ask_for_cores(cardo_communicator *communicator, void *arg, cardo_error *error)
{
    shares *s = arg;
    s->all = cardo_communicator_cores(communicator, cardo_communicator_size(communicator));
    s->one = cardo_communicator_cores(communicator, 1);
    return cardo_communicator_agree(communicator, CARDO_OK, error);
}

/* Members share the cores, unless only one of them works. */
static void cores_are_shared_out(void **unused)
{
    (void)unused;
    const int cores = cardo_core_count();
    for (int n = 1; n <= 2 * cores && n <= 64; ++n) {
        cardo_error error = {0};
        shares s = {0};
        assert_ok(cardo_parallel_run(n, ask_for_cores, &s, &error), &error);
        assert_int_equal(s.one, cores);
        assert_int_equal(s.all, n < cores ? cores / n : 1);
    }
}

static void wrong_numbers(void **unused)
{
    (void)unused;
    cardo_error error = {0};
    study s = fresh();
    assert_int_equal(cardo_parallel_run(-1, work, &s, &error), CARDO_ERROR_ARGUMENT);
    assert_int_equal(cardo_parallel_run(5000, work, &s, &error), CARDO_ERROR_ARGUMENT);
    assert_true(cardo_core_count() >= 1);
}

/* Tasks of srun without a process manager would each do the whole study, in one folder. */
static void strangers_are_refused(void **unused)
{
    (void)unused;
    cardo_error error = {0};
    study s = fresh();
    setenv("SLURM_STEP_NUM_TASKS", "3", 1);
    assert_int_equal(cardo_parallel_run(1, work, &s, &error), CARDO_ERROR_UNSUPPORTED);
    assert_non_null(strstr(error.message, "started this program 3 times"));
    assert_non_null(strstr(error.message, "--mpi=pmix"));
    setenv("SLURM_STEP_NUM_TASKS", "1", 1);
    assert_ok(cardo_parallel_run(1, work, &s, &error), &error);
    unsetenv("SLURM_STEP_NUM_TASKS");
}

static void ranks_of_a_launcher(void **unused)
{
    (void)unused;
    cardo_error error = {0};
    study one = fresh(), s = fresh();
    /* What a single process would make of it, alone. */
    for (int round = 0; round < ROUNDS; ++round) {
        for (int i = 0; i < RECORDS; ++i)
            one.value[i] = one.value[i] * 6364136223846793005u + (uint64_t)i + 1;
        for (int i = 0; i < RECORDS; ++i)
            one.value[i] = one.value[i] * 31 + one.value[(i + 5) % RECORDS];
    }
    assert_ok(cardo_parallel_run(1, work, &s, &error), &error);
    assert_int_equal(s.seen_size, 4);
    assert_memory_equal(s.value, one.value, sizeof one.value);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_bits_from_any_number),
        cmocka_unit_test(failure_of_any_member_is_told),
        cmocka_unit_test(killed_member_is_told),
        cmocka_unit_test(large_records_flags_and_agreement),
        cmocka_unit_test(cores_are_shared_out),
        cmocka_unit_test(wrong_numbers),
        cmocka_unit_test(strangers_are_refused),
    };
    const struct CMUnitTest launched[] = {cmocka_unit_test(ranks_of_a_launcher)};
    if (argc > 1 && strcmp(argv[1], "mpi") == 0)
        return cmocka_run_group_tests(launched, NULL, NULL);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
