/* Memory, errors, output files, linear algebra, vectors, random numbers. */
#include "support/support.h"

#include "base/linalg.h"
#include "base/lock.h"
#include "base/memory.h"
#include "base/output.h"
#include "base/random.h"
#include "base/text.h"
#include "base/units.h"
#include "base/vec.h"

#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static void errors_keep_code_place_and_prefix(void **unused)
{
    (void)unused;
    cardo_error error = {0};
    assert_int_equal(CARDO_FAIL(&error, CARDO_ERROR_INPUT, "residue %d", 7), CARDO_ERROR_INPUT);
    assert_string_equal(error.message, "residue 7");
    assert_non_null(strstr(error.source_file, "test_base.c"));
    assert_int_equal(cardo_error_prefix(&error, "x.pdb:%d: ", 3), CARDO_ERROR_INPUT);
    assert_string_equal(error.message, "x.pdb:3: residue 7");
    char longest[CARDO_ERROR_MESSAGE_SIZE + 100];
    memset(longest, 'a', sizeof longest);
    longest[sizeof longest - 1] = '\0';
    cardo_error_prefix(&error, "%s", longest);
    assert_int_equal(strlen(error.message), CARDO_ERROR_MESSAGE_SIZE - 1);
    assert_int_equal(CARDO_FAIL(NULL, CARDO_ERROR_FILE, "nobody listens"), CARDO_ERROR_FILE);
}

static void memory_is_zero_aligned_and_checked(void **unused)
{
    (void)unused;
    cardo_error error = {0};
    double *a = NULL;
    unsigned long before = cardo_allocation_count();
    assert_ok(CARDO_ALLOCATE(&a, 100, &error), &error);
    assert_int_equal((uintptr_t)a % 64, 0);
    for (int k = 0; k < 100; ++k)
        assert_true(a[k] == 0.0);
    int capacity = 100;
    a[99] = 5;
    assert_ok(CARDO_RESERVE(&a, &capacity, 101, &error), &error);
    assert_true(capacity >= 101 && a[99] == 5 && a[100] == 0);
    assert_int_equal(cardo_allocation_count() - before, 2);
    cardo_free(a);
    assert_fails(CARDO_ALLOCATE(&a, SIZE_MAX / 4, &error), &error, CARDO_ERROR_MEMORY, NULL);
    assert_null(a);
}

/* Frees what another thread took, which leaves it with less than nothing, and then takes what a limit allows and what it does not. */
static void *take_within_a_limit(void *others)
{
    static const size_t allowed = 1 << 16;
    static bool yes = true;
    void *little = NULL, *much = NULL;
    cardo_free(others);
    long long outer = cardo_memory_limit_begin((long long)allowed);
    bool good = cardo_allocate(&little, allowed / 4, 1, NULL) == CARDO_OK &&
                cardo_allocate(&much, 2 * allowed, 1, NULL) == CARDO_ERROR_MEMORY;
    cardo_memory_limit_end(outer);
    good = good && cardo_allocate(&much, 2 * allowed, 1, NULL) == CARDO_OK;
    cardo_free(little);
    cardo_free(much);
    return good ? &yes : NULL;
}

static void pages_are_zero_and_checked(void **unused)
{
    (void)unused;
    cardo_error error = {0};
    cardo_pages pages, none;
    const size_t bytes = (size_t)1
                         << 34; /* most machines' memory, hardly any of which is touched */
    assert_ok(cardo_pages_take(&pages, bytes, &error), &error);
    char *memory = pages.memory;
    assert_int_equal((uintptr_t)memory % 64, 0);
    assert_int_equal(memory[0] | memory[bytes / 2] | memory[bytes - 1], 0);
    memory[bytes - 1] = 5;
    cardo_pages_release(&pages);
    assert_null(pages.memory);
    cardo_pages_release(&pages);
    assert_ok(cardo_pages_take(&none, 0, &error), &error);
    assert_null(none.memory);
    assert_int_equal(cardo_pages_take(&pages, SIZE_MAX / 4, &error), CARDO_ERROR_MEMORY);
    assert_null(pages.memory);
}

static void limits_hold_for_memory_of_other_threads(void **unused)
{
    (void)unused;
    pthread_t thread;
    void *taken, *good;
    assert_int_equal(cardo_allocate(&taken, 1 << 20, 1, NULL), CARDO_OK);
    assert_int_equal(pthread_create(&thread, NULL, take_within_a_limit, taken), 0);
    assert_int_equal(pthread_join(thread, &good), 0);
    assert_non_null(good);
}

static void output_appears_whole_or_not_at_all(void **unused)
{
    (void)unused;
    cardo_error error = {0};
    char path[256], folder[300];
    snprintf(path, sizeof path, "%s/deep/er/file.txt", support_scratch());
    cardo_output output = {0};
    assert_fails(cardo_output_open(&output, path, &error), &error, CARDO_ERROR_FILE, "deep/er");
    snprintf(folder, sizeof folder, "%s/deep/er", support_scratch());
    assert_ok(cardo_make_folder(folder, &error), &error);
    assert_ok(cardo_make_folder(folder, &error), &error);
    assert_ok(cardo_write_file(path, "old", 3, &error), &error);

    assert_ok(cardo_output_open(&output, path, &error), &error);
    fputs("new", output.stream);
    char *part = strdup(output.temporary);
    assert_true(cardo_file_exists(part));
    cardo_output_abandon(&output);
    assert_false(cardo_file_exists(part));
    free(part);
    char *text;
    size_t length;
    assert_ok(cardo_read_file(path, 0, &text, &length, &error), &error);
    assert_string_equal(text, "old");
    cardo_free(text);
    assert_fails(cardo_write_file(folder, "x", 1, &error), &error, CARDO_ERROR_FILE, "folder");
    assert_fails(cardo_write_file("/dev/null", "x", 1, &error), &error, CARDO_ERROR_FILE,
                 "no plain file");
}

/* Two writers of one file have a temporary each; the last to end is the one whose file stays. */
static void writers_of_one_file_do_not_meet(void **unused)
{
    (void)unused;
    cardo_error error = {0};
    char path[256];
    cardo_output one = {0}, other = {0};
    snprintf(path, sizeof path, "%s/contested", support_scratch());
    assert_ok(cardo_output_open(&one, path, &error), &error);
    assert_ok(cardo_output_open(&other, path, &error), &error);
    assert_string_not_equal(one.temporary, other.temporary);
    fputs("one", one.stream);
    fputs("the other", other.stream);
    assert_ok(cardo_output_commit(&one, &error), &error);
    assert_ok(cardo_output_commit(&other, &error), &error);
    char *text;
    size_t length;
    assert_ok(cardo_read_file(path, 0, &text, &length, &error), &error);
    assert_string_equal(text, "the other");
    cardo_free(text);
}

static void folders_that_were_made_go_again(void **unused)
{
    (void)unused;
    cardo_error error = {0};
    char inner[256], outer[256];
    int nmade;
    snprintf(outer, sizeof outer, "%s/outer", support_scratch());
    snprintf(inner, sizeof inner, "%s/middle//inner/", outer);
    assert_ok(cardo_make_folder(outer, &error), &error);
    assert_ok(cardo_make_folders(inner, &nmade, &error), &error);
    assert_int_equal(nmade, 2);
    cardo_unmake_folders(inner, nmade);
    snprintf(inner, sizeof inner, "%s/middle", outer);
    assert_false(cardo_file_exists(inner));
    assert_true(cardo_file_exists(outer));
    assert_fails(cardo_make_folders("/dev/null/a/b", &nmade, &error), &error, CARDO_ERROR_FILE,
                 "/dev/null");
    assert_int_equal(nmade, 0);
}

/* Whether another process may lock the folder. */
static bool another_may_lock(const char *folder)
{
    pid_t child = fork();
    if (child == 0) {
        cardo_lock *lock;
        _exit(cardo_lock_folder(folder, "another", &lock, NULL) == CARDO_OK ? 0 : 1);
    }
    int ending = 0;
    assert_int_equal(waitpid(child, &ending, 0), child);
    return ending == 0;
}

static void a_lock_is_one_process_own(void **unused)
{
    (void)unused;
    cardo_error error = {0};
    char folder[256], file[300];
    cardo_lock *lock, *second;
    snprintf(folder, sizeof folder, "%s/locked", support_scratch());
    assert_ok(cardo_make_folder(folder, &error), &error);
    assert_ok(cardo_lock_folder(folder, "test", &lock, &error), &error);
    assert_fails(cardo_lock_folder(folder, "test", &second, &error), &error, CARDO_ERROR_FILE,
                 "this process");
    assert_false(another_may_lock(folder));
    /* A process forked from the holder neither has nor ends its lock. */
    pid_t child = fork();
    if (child == 0) {
        cardo_lock_release(lock);
        _exit(0);
    }
    int ending = 0;
    assert_int_equal(waitpid(child, &ending, 0), child);
    assert_false(another_may_lock(folder));
    cardo_lock_release(lock);
    /* The other one ended without giving it back, and left the file. */
    snprintf(file, sizeof file, "%s/%s", folder, CARDO_FOLDER_LOCK_NAME);
    assert_false(cardo_file_exists(file));
    assert_true(another_may_lock(folder));
    assert_true(cardo_file_exists(file));
    assert_ok(cardo_lock_folder(folder, "test", &lock, &error), &error);
    cardo_lock_release(lock);
    assert_false(cardo_file_exists(file));
}

/* Who is refused learns which process it is, and a killed holder holds nothing. */
static void a_lock_names_its_holder_and_dies_with_it(void **unused)
{
    (void)unused;
    cardo_error error = {0};
    char path[256], process[32], ready;
    int pipes[2], ending;
    cardo_lock *lock;
    snprintf(path, sizeof path, "%s/result.pdb", support_scratch());
    assert_int_equal(pipe(pipes), 0);
    pid_t child = fork();
    if (child == 0) {
        if (cardo_lock_file(path, "cardo prepare", &lock, NULL) != CARDO_OK ||
            write(pipes[1], "x", 1) != 1)
            _exit(1);
        for (;;)
            pause();
    }
    assert_int_equal(read(pipes[0], &ready, 1), 1);
    snprintf(process, sizeof process, "process %ld on ", (long)child);
    assert_fails(cardo_lock_file(path, "test", &lock, &error), &error, CARDO_ERROR_FILE, process);
    assert_non_null(strstr(error.message, "cardo prepare"));
    assert_int_equal(kill(child, SIGKILL), 0);
    assert_int_equal(waitpid(child, &ending, 0), child);
    assert_ok(cardo_lock_file(path, "test", &lock, &error), &error);
    cardo_lock_release(lock);
    close(pipes[0]);
    close(pipes[1]);
}

/* A file that may not grow stands for a full disk. */
static void a_full_disk_is_reported(void **unused)
{
    (void)unused;
    cardo_error error = {0};
    char path[256];
    struct rlimit limit, none;
    snprintf(path, sizeof path, "%s/full", support_scratch());
    void (*before)(int) = signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    none = (struct rlimit){0, limit.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &none), 0);
    cardo_status status = cardo_write_file(path, "x", 1, &error);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    signal(SIGXFSZ, before);
    assert_fails(status, &error, CARDO_ERROR_FILE, path);
    assert_false(cardo_file_exists(path));
}

static void singular_values_rebuild_the_matrix(void **unused)
{
    (void)unused;
    cardo_error error = {0};
    uint64_t seed = 3;
    for (int trial = 0; trial < 100; ++trial) {
        cardo_mat33 A, U, V;
        double s[3];
        for (int i = 0; i < 9; ++i)
            A.m[i / 3][i % 3] = support_random(&seed);
        assert_ok(cardo_svd33(&A, &U, s, &V, &error), &error);
        assert_true(s[0] >= s[1] && s[1] >= s[2] && s[2] >= 0);
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) {
                double sum = 0;
                for (int k = 0; k < 3; ++k)
                    sum += U.m[i][k] * s[k] * V.m[j][k];
                assert_close(sum, A.m[i][j], 1e-14);
            }
    }
}

static void equations_are_solved(void **unused)
{
    (void)unused;
    cardo_error error = {0};
    double A[] = {4, 1, 1, 3}, b[] = {1, 2};
    assert_ok(cardo_cholesky_solve(2, A, 1, b, &error), &error);
    assert_close(b[0], 1.0 / 11, 1e-15);
    assert_close(b[1], 7.0 / 11, 1e-15);
    /* 1 2 0; 3 4 5; 0 6 7 times 1, 2, 3; its first pivot is in the second row. */
    double band[12] = {0}, c[] = {5, 26, 33};
    const double full[3][3] = {{1, 2, 0}, {3, 4, 5}, {0, 6, 7}};
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            if (abs(i - j) < 2)
                band[cardo_band_index(1, 1, i, j)] = full[i][j];
    assert_ok(cardo_band_solve(3, 1, 1, band, c, &error), &error);
    for (int i = 0; i < 3; ++i)
        assert_close(c[i], i + 1, 1e-14);
    double zero[4] = {0}, one = 1;
    assert_fails(cardo_band_solve(1, 1, 1, zero, &one, &error), &error, CARDO_ERROR_SINGULAR,
                 "singular");
    double indefinite[] = {1, 2, 2, 1};
    assert_fails(cardo_cholesky_solve(2, indefinite, 0, NULL, &error), &error, CARDO_ERROR_SINGULAR,
                 NULL);

    double L[] = {1, 0, 1, 1, 1, 2}, y[] = {1, 3, 5};
    int rank;
    assert_ok(cardo_least_squares(3, 2, L, y, 1e-12, &rank, &error), &error);
    assert_int_equal(rank, 2);
    assert_close(y[0], 1, 1e-14);
    assert_close(y[1], 2, 1e-14);

    double S[] = {2, 1, 1, 2}, values[2];
    assert_ok(cardo_symmetric_eigen(2, S, values, &error), &error);
    assert_close(values[0], 1, 1e-14);
    assert_close(values[1], 3, 1e-14);
}

/* Where the library is OpenBLAS. */
extern void openblas_set_num_threads(int n) __attribute__((weak));

/* A symmetric matrix of random numbers, with eigenvalues of both signs; paired: 1 and -1 alone. */
static void make_symmetric(int n, bool paired, double *A)
{
    uint64_t seed = 4;
    for (int a = 0; a < n; ++a)
        for (int b = 0; b <= a; ++b)
            A[a * n + b] = A[b * n + a] = paired ? (a + b == n - 1) : support_random(&seed);
}

static void repeatable_eigenvalues_are_the_eigenvalues(void **unused)
{
    enum { N = 17 };
    (void)unused;
    double A[N * N], V[N * N], again[N * N], values[N], expected[N], same[N];
    cardo_error error = {0};
    for (int paired = 0; paired < 2; ++paired) {
        make_symmetric(N, paired, A);
        memcpy(V, A, sizeof V);
        assert_ok(cardo_symmetric_eigen(N, V, expected, &error), &error);
        for (int threads = 1; threads < 3; ++threads) {
            if (openblas_set_num_threads)
                openblas_set_num_threads(threads);
            memcpy(threads == 1 ? V : again, A, sizeof V);
            assert_ok(cardo_symmetric_eigen_repeatable(N, threads == 1 ? V : again,
                                                       threads == 1 ? values : same, &error),
                      &error);
        }
        if (openblas_set_num_threads)
            openblas_set_num_threads(1);
        assert_memory_equal(V, again, sizeof V);
        assert_memory_equal(values, same, sizeof values);
        for (int r = 0; r < N; ++r) {
            assert_close(values[r], expected[r], 1e-13);
            for (int a = 0; a < N; ++a) {
                double turned = 0;
                for (int b = 0; b < N; ++b)
                    turned += A[a * N + b] * V[b * N + r];
                assert_close(turned, values[r] * V[a * N + r], 1e-13);
            }
        }
    }
}

/* Of whole numbers, whose sums are exact in any order: every length, so that no entry is left out or counted twice. */
static void scalar_products_have_every_entry(void **unused)
{
    (void)unused;
    double a[40], b[40], sum = 0;
    for (int k = 0; k < 40; ++k) {
        a[k] = 1 << (k % 20);
        b[k] = 3 + k;
    }
    for (int n = 0; n <= 40; ++n) {
        assert_true(cardo_dot(n, a, b) == sum);
        if (n < 40)
            sum += a[n] * b[n];
    }
}

static void rotations_agree_among_themselves(void **unused)
{
    (void)unused;
    uint64_t seed = 5;
    for (int trial = 0; trial < 1000; ++trial) {
        double a = 3 * support_random(&seed), b = 1.5 * support_random(&seed),
               c = 3 * support_random(&seed);
        cardo_mat33 R =
            m33_mul(m33_rotation(v3(1, 0, 0), a),
                    m33_mul(m33_rotation(v3(0, 1, 0), b), m33_rotation(v3(0, 0, 1), c)));
        cardo_mat33 E = m33_from_euler(a, b, c), Q = m33_from_quat(quat_from_m33(R));
        cardo_vec3 angles = m33_to_euler(R);
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) {
                assert_close(E.m[i][j], R.m[i][j], 1e-15);
                assert_close(Q.m[i][j], R.m[i][j], 1e-14);
            }
        assert_close(angles.x, a, 1e-13);
        assert_close(angles.y, b, 1e-13);
        assert_close(angles.z, c, 1e-13);
        cardo_transform X = {R, v3(a, b, c)}, I = xform_mul(X, xform_inverse(X));
        assert_close(v3_norm(I.p), 0, 1e-14);
        assert_close(m33_determinant(R), 1, 1e-14);
        cardo_vec3 p = v3_unit(v3(a, b, c));
        assert_close(v3_dot(p, v3_perpendicular(p)), 0, 1e-15);
    }
    /* Half turns are the hard case of a quaternion from a matrix. */
    for (int k = 0; k < 3; ++k) {
        cardo_vec3 axis = v3(k == 0, k == 1, k == 2);
        cardo_mat33 R = m33_rotation(axis, CARDO_PI), Q = m33_from_quat(quat_from_m33(R));
        for (int i = 0; i < 9; ++i)
            assert_close(Q.m[i / 3][i % 3], R.m[i / 3][i % 3], 1e-15);
    }
}

static void random_streams_are_functions_of_position(void **unused)
{
    (void)unused;
    /* Known answer of Philox4x32-10 for a zero counter and key (Salmon et al. 2011, kat_vectors).
     */
    cardo_random random = cardo_random_start(0, 0);
    double u[2];
    cardo_random_uniform(&random, 2, u);
    uint64_t first = ((uint64_t)0x6627e8d5u << 32 | 0xe169c58du) >> 12;
    assert_close(u[0], ((double)first + 0.5) * 0x1p-52, 0);

    double whole[10], part[10];
    random = cardo_random_start(42, 7);
    cardo_random_normal(&random, 10, whole);
    random = cardo_random_start(42, 7);
    random.position = 3;
    cardo_random_normal(&random, 4, part);
    assert_memory_equal(part, whole + 6, 4 * sizeof *part);
    random = cardo_random_start(42, 8);
    cardo_random_normal(&random, 10, part);
    assert_memory_not_equal(part, whole, sizeof whole);

    enum { N = 100000 };
    static double x[N];
    random = cardo_random_start(1, 1);
    cardo_random_normal(&random, N, x);
    double mean = 0, square = 0, fourth = 0;
    for (int k = 0; k < N; ++k) {
        mean += x[k] / N;
        square += x[k] * x[k] / N;
        fourth += pow(x[k], 4) / N;
    }
    /* Four standard errors of each moment. */
    assert_close(mean, 0, 4 * sqrt(1.0 / N));
    assert_close(square, 1, 4 * sqrt(2.0 / N));
    assert_close(fourth, 3, 4 * sqrt(96.0 / N));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_keep_code_place_and_prefix),
        cmocka_unit_test(memory_is_zero_aligned_and_checked),
        cmocka_unit_test(pages_are_zero_and_checked),
        cmocka_unit_test(limits_hold_for_memory_of_other_threads),
        cmocka_unit_test(output_appears_whole_or_not_at_all),
        cmocka_unit_test(writers_of_one_file_do_not_meet),
        cmocka_unit_test(folders_that_were_made_go_again),
        cmocka_unit_test(a_lock_is_one_process_own),
        cmocka_unit_test(a_lock_names_its_holder_and_dies_with_it),
        cmocka_unit_test(a_full_disk_is_reported),
        cmocka_unit_test(singular_values_rebuild_the_matrix),
        cmocka_unit_test(equations_are_solved),
        cmocka_unit_test(repeatable_eigenvalues_are_the_eigenvalues),
        cmocka_unit_test(scalar_products_have_every_entry),
        cmocka_unit_test(rotations_agree_among_themselves),
        cmocka_unit_test(random_streams_are_functions_of_position),
    };
    return support_run(tests, NULL, NULL);
}
