/* Free energies from C: umbrella sampling on an opened session without a file is to the bit what the program finds, from one
 * member or two; what means nothing is refused, and a stop ends in good order.
 *
 *   test_sample CARDO   the program to compare with */
#include "support/members.h"
#include "support/support.h"

#include "base/communicator.h"
#include "study/sample/options.h"
#include "study/session/study.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BINS = 12, TEXT = 1 << 20 };

static const char *program;
static char model_path[512];

static const char *const umbrella[] = {"method=umbrella", "from=-0.006", "to=0.006", "windows=6",
                                       "steps=400",       "round=100",   "bins=12"};
enum { NUMBRELLA = sizeof umbrella / sizeof *umbrella };

static int write_model(void **unused)
{
    (void)unused;
    snprintf(model_path, sizeof model_path, "%s/elbow.xml", support_scratch());
    FILE *stream = fopen(model_path, "w");
    if (!stream)
        return -1;
    fprintf(stream,
            "<cardo version=\"1\">\n<model name=\"elbow\">\n"
            "<structure id=\"first\" file=\"%s\"/>\n<structure id=\"second\" file=\"%s\"/>\n",
            support_source("pdb/2mcg_1.pdb"), support_source("pdb/2mcg_2.pdb"));
    fputs("<domain name=\"variable\" residues=\"1:2-108\"/>\n"
          "<domain name=\"constant\" residues=\"1:114-216\"/>\n<hinge residues=\"1:109-113\"/>\n"
          "<body name=\"variable\" domains=\"variable\" base=\"welded\"/>\n"
          "<body name=\"constant\" domains=\"constant\" parent=\"variable\"><path/></body>\n"
          "<forcefield files=\"elastic-network.xml\"/>\n</model>\n"
          "<sample timestep=\"50 fs\" friction=\"0.5\" equilibration=\"200\" bootstrap=\"0\" "
          "states=\"-0.006:0 0:0.006\" replicas=\"1\"/>\n</cardo>\n",
          stream);
    return fclose(stream);
}

/* Runs the study by these options; the caller destroys *result. */
static cardo_status sample(cardo_communicator *communicator, const cardo_listener *listener,
                           int noption, const char *const *option, cardo_result **result,
                           cardo_error *error)
{
    cardo_status status;
    cardo_session *session = NULL;
    cardo_sample_options options = {.writer = NULL};
    const cardo_session_options opening = {.size = sizeof opening, .communicator = communicator};
    *result = NULL;
    CARDO_TRY(cardo_result_create(result, error));
    CARDO_TRY(cardo_session_open(model_path, &opening, listener, &session, error));
    CARDO_TRY(
        cardo_study_read_options(&cardo_study_sample, session, noption, option, &options, error));
    status = cardo_study_run(&cardo_study_sample, session, &options, *result, error);
done:
    cardo_session_close(session);
    return status;
}

/* The numbers of "key": [...] in a text. */
static void numbers_of(const char *text, const char *key, double values[BINS])
{
    char quoted[64];
    snprintf(quoted, sizeof quoted, "\"%s\": [", key);
    const char *at = strstr(text, quoted);
    assert_non_null(at);
    at += strlen(quoted);
    for (int k = 0; k < BINS; ++k) {
        char *end;
        at += strspn(at, " \n,");
        values[k] = strncmp(at, "null", 4) == 0 ? (double)NAN : strtod(at, &end);
        at = strncmp(at, "null", 4) == 0 ? at + 4 : end;
    }
    assert_int_equal(at[strspn(at, " \n")], ']');
}

static const double *array_of(const cardo_result *result, const char *name)
{
    const cardo_result *array = cardo_result_find(result, name);
    assert_non_null(array);
    assert_int_equal(cardo_result_rows(array), BINS);
    return cardo_result_as_doubles(array);
}

static void assert_same(const double *one, const double *other)
{
    for (int k = 0; k < BINS; ++k)
        assert_true((isnan(one[k]) && isnan(other[k])) || one[k] == other[k]);
}

static void umbrella_is_that_of_the_program(void **unused)
{
    (void)unused;
    static const char *const keys[] = {"xi", "F_kJ_per_mol", "sigma_kJ_per_mol"};
    static char said[TEXT];
    char command[2048];
    double values[BINS];
    cardo_error error = {0};
    cardo_result *result;
    int used = snprintf(command, sizeof command, "'%s' sample '%s' --out '%s/run' --json -n 1",
                        program, model_path, support_scratch());
    for (int k = 0; k < NUMBRELLA; ++k)
        used += snprintf(command + used, sizeof command - (size_t)used, " --set sample.%s",
                         umbrella[k]);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    said[fread(said, 1, sizeof said - 1, pipe)] = '\0';
    assert_int_equal(pclose(pipe), 0);

    assert_ok(sample(NULL, NULL, NUMBRELLA, umbrella, &result, &error), &error);
    for (int k = 0; k < 3; ++k) {
        numbers_of(said, keys[k], values);
        assert_same(array_of(result, keys[k]), values);
    }
    const double *F = array_of(result, "F_kJ_per_mol"),
                 *sigma = array_of(result, "sigma_kJ_per_mol");
    int known = 0;
    for (int k = 0; k < BINS; ++k)
        known += isfinite(F[k]) && sigma[k] > 0;
    assert_true(known > BINS / 2);
    assert_int_equal(cardo_result_rows(cardo_result_find(result, "states")), 2);
    assert_non_null(cardo_result_find(result, "converged"));
    assert_non_null(strstr(cardo_result_as_texts(cardo_result_find(result, "verdict"))[0], "\n"));
    cardo_result_destroy(result);
}

typedef struct member {
    cardo_result *result;
    cardo_status status;
    cardo_error error;
} member;

static void take_part(cardo_communicator *communicator, void *user)
{
    member *m = user;
    m->status = sample(communicator, NULL, NUMBRELLA, umbrella, &m->result, &m->error);
}

static void two_members_find_the_same_bits(void **unused)
{
    (void)unused;
    cardo_error error = {0};
    cardo_result *alone;
    member first = {0}, second = {0};
    support_members(2, take_part, (void *const[]){&first, &second});
    assert_ok(first.status, &first.error);
    assert_ok(second.status, &second.error);
    assert_ok(sample(NULL, NULL, NUMBRELLA, umbrella, &alone, &error), &error);
    assert_same(array_of(first.result, "F_kJ_per_mol"), array_of(alone, "F_kJ_per_mol"));
    assert_same(array_of(first.result, "sigma_kJ_per_mol"), array_of(alone, "sigma_kJ_per_mol"));
    /* The first member alone has the result. */
    assert_null(cardo_result_find(second.result, "F_kJ_per_mol"));
    cardo_result_destroy(first.result);
    cardo_result_destroy(second.result);
    cardo_result_destroy(alone);
}

static void a_stop_ends_in_good_order(void **unused)
{
    (void)unused;
    const volatile sig_atomic_t stop = 1;
    const cardo_listener listener = {.size = sizeof listener, .stop = &stop};
    cardo_error error = {0};
    cardo_result *result;
    assert_ok(sample(NULL, &listener, NUMBRELLA, umbrella, &result, &error), &error);
    assert_true(cardo_result_as_truths(cardo_result_find(result, "interrupted"))[0]);
    assert_null(cardo_result_find(result, "F_kJ_per_mol"));
    cardo_result_destroy(result);
}

static void what_means_nothing_is_refused(void **unused)
{
    (void)unused;
    static const struct {
        const char *option, *text;
        cardo_status status;
    } wrong[] = {{"method=umbrela", "did you mean 'umbrella'", CARDO_ERROR_INPUT},
                 {"integrator=langevine", "did you mean 'langevin'", CARDO_ERROR_INPUT},
                 {"widnows=3", "did you mean 'windows'", CARDO_ERROR_USAGE},
                 {"hill-interval=3", "sample has no option", CARDO_ERROR_USAGE},
                 {"from=0.09", "outside of the range", CARDO_ERROR_INPUT},
                 {"steps=0", "samples nothing", CARDO_ERROR_INPUT}};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; ++k) {
        cardo_error error = {0};
        cardo_result *result;
        assert_fails(sample(NULL, NULL, 1, &wrong[k].option, &result, &error), &error,
                     wrong[k].status, wrong[k].text);
        cardo_result_destroy(result);
    }
}

int main(int count, char **words)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(umbrella_is_that_of_the_program),
        cmocka_unit_test(two_members_find_the_same_bits),
        cmocka_unit_test(a_stop_ends_in_good_order),
        cmocka_unit_test(what_means_nothing_is_refused),
    };
    program = count > 1 ? words[1] : "cardo";
    return cmocka_run_group_tests(tests, write_model, NULL);
}
