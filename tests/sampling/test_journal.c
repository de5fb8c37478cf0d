/* Preparation that is cut short goes on where it was, to the same bits. */
#include "landscapes.h"
#include "sampling/methods/method.h"
#include "support/support.h"

#include <stdlib.h>
#include <string.h>

/* A study that dies after so many rounds of preparation, stored as it then is. */
typedef struct task {
    landscape *landscape;
    cardo_sampling *sampling;
    int lives, rounds; /* rounds of preparation it may make; those that it made */
    double *values;    /* of the study */
    size_t n;
} task;

static void store(task *t)
{
    free(t->values);
    t->n = cardo_sampling_value_count(t->sampling);
    t->values = malloc(t->n * sizeof *t->values);
    cardo_sampling_save(t->sampling, t->values);
}

static cardo_status die(void *user, cardo_error *error)
{
    task *t = user;
    if (++t->rounds < t->lives)
        return CARDO_OK;
    store(t);
    return CARDO_FAIL(error, CARDO_ERROR_FILE, "this is the end");
}

static cardo_status work(cardo_communicator *communicator, void *arg, cardo_error *error)
{
    task *t = arg;
    cardo_status status = landscape_study(t->landscape, communicator, &t->sampling, error);
    if (status == CARDO_OK && t->n > 0)
        status = cardo_sampling_restore(t->sampling, t->values, t->n, error);
    if (status == CARDO_OK)
        status = landscape_run(t->sampling, error);
    if (status == CARDO_OK)
        store(t);
    cardo_sampling_destroy(t->sampling);
    return status;
}

/* Twice cut short, at two rounds of preparation, then to the end. */
static void cut(landscape *l, int first, int second, const task *whole)
{
    cardo_error error = {0};
    task t = {.landscape = l};
    const cardo_sampling_listener listener = {.user = &t, .round = die};
    l->listener = &listener;
    const int lives[] = {first, second, 1 << 30};
    for (int k = 0; k < 3; ++k) {
        t.lives = lives[k];
        t.rounds = 0;
        cardo_status status = work(NULL, &t, &error);
        if (k < 2)
            assert_fails(status, &error, CARDO_ERROR_FILE, "this is the end");
        else
            assert_ok(status, &error);
    }
    assert_int_equal(t.n, whole->n);
    assert_memory_equal(t.values, whole->values, whole->n * sizeof *whole->values);
    /* What was done is not done again. */
    assert_int_equal(first + second + t.rounds, whole->rounds);
    free(t.values);
    l->listener = NULL;
}

static void preparation_goes_on_to_the_same_bits(void **unused)
{
    (void)unused;
    static const struct {
        const char *name, *method, *option, *value, *equilibration;
        landscape_shape shape;
    } cases[] = {
        {"umbrella", "umbrella", "probe", "100", "200", LANDSCAPE_DOUBLE_WELL},
        {"umbrella beyond a wall", "umbrella", "stiffness", "644", "2000", LANDSCAPE_WALL},
        {"metadynamics", "metadynamics", "walkers", "4", "200", LANDSCAPE_DOUBLE_WELL},
        {"adaptive-force", "adaptive-force", "walkers", "4", "200", LANDSCAPE_DOUBLE_WELL},
    };
    for (size_t m = 0; m < sizeof cases / sizeof *cases; ++m) {
        landscape l;
        cardo_error error = {0};
        landscape_make(&l, model_double, cases[m].shape, true, &cardo_integrator_baoab,
                       cases[m].method);
        landscape_set(&l, "steps", "400");
        landscape_set(&l, "equilibration", cases[m].equilibration);
        landscape_set(&l, "pull", "2000");
        landscape_set(&l, "round", "20");
        landscape_set(&l, "timestep", "0.01");
        landscape_set(&l, cases[m].option, cases[m].value);
        task whole = {.landscape = &l, .lives = 1 << 30};
        const cardo_sampling_listener listener = {.user = &whole, .round = die};
        l.listener = &listener;
        assert_ok(work(NULL, &whole, &error), &error);
        assert_true(whole.rounds > 100);
        const int at[][2] = {{1, 1}, {57, 80}, {whole.rounds - 5, 2}};
        for (int k = 0; k < 3; ++k)
            cut(&l, at[k][0], at[k][1], &whole);
        print_message("%s: %d rounds of preparation\n", cases[m].name, whole.rounds);
        free(whole.values);
        landscape_clear(&l);
    }
}

static void numbers_of_nothing_are_refused(void **unused)
{
    (void)unused;
    cardo_error error = {0};
    cardo_journal journal = {0};
    static const double cut_off[] = {2, 3, 1, 1, 1, 7, 1}, none[] = {-1};
    assert_fails(cardo_journal_restore(&journal, cut_off, 7, &error), &error, CARDO_ERROR_INPUT,
                 "cut off");
    cardo_journal_clear(&journal);
    assert_fails(cardo_journal_restore(&journal, none, 1, &error), &error, CARDO_ERROR_INPUT,
                 "not those of a preparation");
    cardo_journal_clear(&journal);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(preparation_goes_on_to_the_same_bits),
        cmocka_unit_test(numbers_of_nothing_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
