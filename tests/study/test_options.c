/* Options of a study as its model file's element has them: what is read, what is left alone, what is wrong. */
#include "support/support.h"

#include "dynamics/integrators/integrator.h"
#include "study/session/study_options.h"

#include <stdio.h>

typedef struct own_options {
    double rate;
    int count;
} own_options;

static const cardo_field own_fields[] = {
    {"rate", CARDO_FIELD_DOUBLE, offsetof(own_options, rate), "", "1.5", 0, 0, NULL, "how fast"},
    {"count", CARDO_FIELD_INT, offsetof(own_options, count), "", "3", 0, 0, NULL, "how many",
     CARDO_MAY_CHANGE},
    {0},
};
static const cardo_field strange_fields[] = {
    {"strangeness", CARDO_FIELD_INT, 0, "", "3", 0, 0, NULL, "of another study"},
    {0},
};
static const cardo_option_choice *const choices[] = {&cardo_choice_of_integrator,
                                                     &cardo_choice_of_method, NULL};

/* Fills own with what <sample> says in one attribute. */
static cardo_status fill(const char *option, const char *value, own_options *own,
                         cardo_error *error)
{
    char name[64], text[64], *names[] = {name}, *values[] = {text}, verb[] = "sample";
    char path[] = "model.xml";
    bool set[] = {false};
    cardo_model_study study = {verb, 7, 1, names, values, set};
    const cardo_model model = {.path = path, .nstudy = 1, .study = &study};
    snprintf(name, sizeof name, "%s", option);
    snprintf(text, sizeof text, "%s", value);
    const cardo_option_target targets[] = {{own_fields, own}, {strange_fields, NULL}};
    return cardo_study_fill_options(&model, "sample", 2, targets, choices, error);
}

static void what_others_read_may_stand_in_the_file(void **unused)
{
    (void)unused;
    cardo_error error = {0};
    own_options own;
    assert_ok(fill("rate", "2", &own, &error), &error);
    assert_close(own.rate, 2, 0);
    assert_int_equal(own.count, 3);
    assert_ok(fill("strangeness", "9", &own, &error), &error);
    assert_ok(fill("integrator", "hmc", &own, &error), &error);
    assert_ok(fill("method", "abf", &own, &error), &error);
    for (int c = 0; choices[c]; ++c)
        for (int k = 0; choices[c]->word(k); ++k)
            for (const cardo_field *f = choices[c]->fields(k); f && f->name; ++f)
                assert_ok(fill(f->name, f->default_value, &own, &error), &error);
    assert_fails(fill("count", "many", &own, &error), &error, CARDO_ERROR_INPUT,
                 "model.xml:7: <sample> count=\"many\" is not a whole number");
    assert_fails(fill("rat", "1", &own, &error), &error, CARDO_ERROR_INPUT,
                 "model.xml:7: <sample> has no option 'rat'; did you mean 'rate'?");
    assert_fails(fill("frictoin", "1", &own, &error), &error, CARDO_ERROR_INPUT, "'friction'");
}

static void a_word_chooses_one_of_a_kind(void **unused)
{
    (void)unused;
    cardo_error error = {0};
    char option[] = "integrator", hmc[] = "hmc", wrong[] = "langvin", verb[] = "sample";
    char *name = option, *text = hmc, path[] = "model.xml";
    bool set[] = {false};
    cardo_model_study study = {verb, 7, 1, &name, &text, set};
    const cardo_model model = {.path = path, .nstudy = 1, .study = &study};
    int k;
    assert_ok(cardo_study_choose(&model, "sample", &cardo_choice_of_integrator, &k, &error),
              &error);
    assert_string_equal(cardo_integrators[k]->name, "hmc");
    assert_ok(cardo_study_choose(&model, "sample", &cardo_choice_of_method, &k, &error), &error);
    assert_string_equal(cardo_choice_of_method.word(k), "umbrella");
    text = wrong;
    assert_fails(cardo_study_choose(&model, "sample", &cardo_choice_of_integrator, &k, &error),
                 &error, CARDO_ERROR_INPUT,
                 "there is no integrator 'langvin'; did you mean 'langevin'? those there are: ");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_others_read_may_stand_in_the_file),
        cmocka_unit_test(a_word_chooses_one_of_a_kind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
