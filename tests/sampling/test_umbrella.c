/* Umbrella studies: the same bits from any number of processes and
 * across a stop; set-ups that cannot succeed. */
#include "cli/processes/parallel.h"
#include "landscapes.h"
#include "sampling/methods/estimate.h"
#include "support/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_VALUES = 4000000 };

static double first[MOST_VALUES], second[MOST_VALUES];

/* What one run is asked for and leaves. */
typedef struct task {
    landscape *landscape;
    double *values; /* the study at its end */
    size_t nvalue;
    long long stop_at; /* rounds after which it is stored, made anew and restored; 0: never */
    char notes[4096];
} task;

static cardo_status stop_and_go_on(task *t, cardo_communicator *communicator,
                                   cardo_sampling **sampling, cardo_error *error)
{
    cardo_status status;
    cardo_end end;
    double *values = NULL;
    status = cardo_sampling_prepare(*sampling, NULL, &end, error);
    for (long long k = 0; k < t->stop_at && status == CARDO_OK; ++k)
        status = cardo_sampling_advance(*sampling, NULL, &end, error);
    if (status != CARDO_OK)
        return status;
    size_t n = cardo_sampling_value_count(*sampling);
    values = malloc(n * sizeof *values);
    cardo_sampling_save(*sampling, values);
    cardo_sampling_destroy(*sampling);
    *sampling = NULL;
    status = landscape_study(t->landscape, communicator, sampling, error);
    if (status == CARDO_OK)
        status = cardo_sampling_restore(*sampling, values, n, error);
    free(values);
    return status;
}

static cardo_status work(cardo_communicator *communicator, void *arg, cardo_error *error)
{
    task *t = arg;
    cardo_sampling *sampling = NULL;
    cardo_status status = landscape_study(t->landscape, communicator, &sampling, error);
    if (status == CARDO_OK && t->stop_at > 0)
        status = stop_and_go_on(t, communicator, &sampling, error);
    if (status == CARDO_OK)
        status = landscape_run(sampling, error);
    if (status == CARDO_OK && t->values) {
        t->nvalue = cardo_sampling_value_count(sampling);
        assert_true(t->nvalue <= MOST_VALUES);
        cardo_sampling_save(sampling, t->values);
    }
    if (status == CARDO_OK) {
        cardo_sampling_report(sampling, t->notes, sizeof t->notes);
        print_message("%s", t->notes);
    }
    cardo_sampling_destroy(sampling);
    return status;
}

static void run(task *t, int nprocess)
{
    cardo_error error = {0};
    assert_ok(cardo_parallel_run(nprocess, work, t, &error), &error);
}

static void bits_do_not_depend_on_processes_or_stops(void **unused)
{
    (void)unused;
    /* beyond: windows beyond a wall are added while those that were there wait. */
    static const struct {
        int nprocess;
        long long stop_at;
        bool beyond;
    } ways[] = {{2, 0, false}, {4, 0, false}, {1, 7, false}, {3, 4, false}, {3, 0, true}};
    for (size_t k = 0; k < sizeof ways / sizeof *ways; ++k) {
        landscape l;
        landscape_make(&l, model_double, ways[k].beyond ? LANDSCAPE_WALL : LANDSCAPE_DOUBLE_WELL,
                       true, &cardo_integrator_baoab, "umbrella");
        landscape_set(&l, "steps", "1000");
        landscape_set(&l, "equilibration", ways[k].beyond ? "2000" : "300");
        landscape_set(&l, "round", "50");
        landscape_set(&l, "exchange", "yes");
        landscape_set(&l, "temperatures", "330 370");
        landscape_set(&l, ways[k].beyond ? "stiffness" : "windows", ways[k].beyond ? "644" : "12");
        landscape_set(&l, "timestep", "0.01");
        task once = {.landscape = &l, .values = first};
        task again = {.landscape = &l, .values = second, .stop_at = ways[k].stop_at};
        run(&once, 1);
        run(&again, ways[k].nprocess);
        assert_int_equal(once.nvalue, again.nvalue);
        assert_memory_equal(first, second, once.nvalue * sizeof *first);
        landscape_clear(&l);
    }
}

static void refused(const char *name, const char *value, const char *words)
{
    landscape l;
    cardo_error error = {0};
    task t = {.landscape = &l};
    landscape_make(&l, model_path, LANDSCAPE_DOUBLE_WELL, false, &cardo_integrator_langevin,
                   "umbrella");
    landscape_set(&l, "steps", "1000");
    landscape_set(&l, "equilibration", "1000");
    landscape_set(&l, "timestep", "0.1");
    landscape_set(&l, name, value);
    if (strcmp(name, "windows") == 0) {
        landscape_set(&l, "stiffness", "8000");
        landscape_set(&l, "timestep", "0.03");
    }
    assert_fails(cardo_parallel_run(2, work, &t, &error), &error, CARDO_ERROR_INPUT, words);
    print_message("%s\n", error.message);
    landscape_clear(&l);
}

static void wrong_studies_are_called_out(void **unused)
{
    (void)unused;
    refused("windows", "8", "do not overlap");
    refused("stiffness", "1e7", "windows from -0.2 to 1.2");
    refused("stiffness", "20000", "too fast for steps");
    refused("from", "0.2", "outside of the range");
    refused("to", "3", "atoms clash");
    refused("round", "15", "not a multiple of interval");
    refused("temperatures", "280", "does not come above");
    refused("windows", "1", "take two or more");
    refused("from", "1.5", "is empty");
}

static char told[8192];

static void listen(void *user, const char *text)
{
    (void)user;
    strncat(told, text, sizeof told - strlen(told) - 1);
}

/* F from bin to bin as the density has it, and where nothing was found. */
static int compare(landscape *l, const cardo_estimate *e, int bins, bool close)
{
    enum { POINTS = 100 };
    int empty = 0;
    for (int b = 0; b < bins; ++b)
        empty += isnan(e->F[b]);
    for (int b = 1; b < bins && close; ++b) {
        double mass[2] = {0, 0};
        for (int side = 0; side < 2; ++side)
            for (int k = 0; k < POINTS; ++k)
                mass[side] += landscape_density(
                    l, -0.2 + 1.4 / bins * ((side ? b : b - 1) + (k + 0.5) / POINTS));
        double off = e->F[b] - e->F[b - 1] - log(mass[0] / mass[1]);
        assert_true(fabs(off) < 7 * hypot(e->sigma[b], e->sigma[b - 1]));
    }
    return empty;
}

/* A study of a landscape with a steep end, with one option more (NULL: none): what it says is told. Returns how many bins have no samples; close: all
 * others are held against what is known of them. */
static int study_steep_end(landscape_shape shape, const char *option, const char *value, bool close)
{
    enum { BINS = 28 };
    const cardo_estimate_request request = {.nbin = BINS};
    const cardo_sampling_listener listener = {.note = listen};
    landscape l;
    cardo_estimate e = {0};
    landscape_make(&l, model_path, shape, false, &cardo_integrator_hmc, "umbrella");
    landscape_set(&l, "steps", "1000");
    if (option)
        landscape_set(&l, option, value);
    told[0] = '\0';
    l.listener = &listener;
    landscape_find(&l, &request, &e);
    print_message("%s", told);
    const int empty = compare(&l, &e, BINS, close);
    cardo_estimate_clear(&e);
    landscape_clear(&l);
    return empty;
}

/* Where F rises by 120 kT per unit at the end of the range springs that end there hold nobody there (the last window stayed at
 * 0.92): those that the program chooses reach the end, those that somebody gives are told what they leave out. */
static void steep_ends_are_sampled_or_told(void **unused)
{
    (void)unused;
    assert_int_equal(study_steep_end(LANDSCAPE_STEEP, NULL, NULL, true), 0);
    assert_null(strstr(told, "next to nothing of the rest"));
    assert_true(study_steep_end(LANDSCAPE_STEEP, "windows", "16", false) >= 2);
    assert_non_null(strstr(told, "next to nothing of the rest"));
}

/* Beyond a wall, where walkers hardly follow their springs, windows stand farther apart: as far as in the range there would be 13 of them. A replica
 * has the same. */
static void a_wall_takes_few_windows(void **unused)
{
    (void)unused;
    const char *last = NULL;
    assert_int_equal(study_steep_end(LANDSCAPE_WALL, NULL, NULL, true), 0);
    for (const char *at = told; (at = strstr(at, " windows from ")); ++at)
        last = at;
    assert_non_null(last);
    while (last > told && last[-1] >= '0' && last[-1] <= '9')
        --last;
    assert_in_range(atoi(last), 17, 24);
    assert_non_null(strstr(told, " above the range "));
}

/* Where springs were given, equilibration shows that windows beyond an end are wanted: they alone are equilibrated then. */
static void windows_that_were_there_wait(void **unused)
{
    (void)unused;
    assert_int_equal(study_steep_end(LANDSCAPE_WALL, "stiffness", "644", true), 0);
    assert_non_null(strstr(told, "; those of the windows before wait"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        figures_test(bits_do_not_depend_on_processes_or_stops),
        cmocka_unit_test(wrong_studies_are_called_out),
        cmocka_unit_test(steep_ends_are_sampled_or_told),
        cmocka_unit_test(a_wall_takes_few_windows),
        cmocka_unit_test(windows_that_were_there_wait),
    };
    return support_run(tests, NULL, NULL);
}
