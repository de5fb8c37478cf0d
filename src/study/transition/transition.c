#include "study/transition/options.h"

#include "base/number.h"
#include "study/motion/motion.h"
#include "study/transition/answer.h"
#include "study/transition/perform.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>

static const char *const rungs[] = {"auto", "coarse", "rigid", "flexible", NULL};

#define HOW(member) offsetof(struct cardo_transition_choices, member)

static const cardo_field fields[] = {
    {"time", CARDO_FIELD_DOUBLE, HOW(time), "min", "10", 0, 1e6, NULL,
     "in which all is to be done, as far as that can be told beforehand; what would take longer is "
     "left out"},
    {"rung", CARDO_FIELD_CHOICE, HOW(rung), "", "auto", 0, 0, rungs,
     "the highest that is tried: coarse (C-alpha atoms), rigid (all atoms, rigid domains), "
     "flexible (strands and "
     "side chains give way); auto: flexible"},
    {"temperature", CARDO_FIELD_DOUBLE, HOW(temperature), "K", "300", 1, 1e5, NULL,
     "of free energies and dynamics"},
    {"seed", CARDO_FIELD_LONG, HOW(seed), "", "1", 0, 9e15, NULL, "of all random numbers"},
    {"symmetric", CARDO_FIELD_BOOL, HOW(symmetric), "", "no", 0, 0, NULL,
     "hinges that are copies of each other, as in a ring of equal chains, go by one coordinate"},
    {"identity", CARDO_FIELD_DOUBLE, HOW(identity), "", "0", 0, 1, NULL,
     "share of equal residues, among those that pair, that is enough; 0: by their number"},
    {0},
};

static void tell(const cardo_transition *t, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void tell(const cardo_transition *t, const char *format, ...)
{
    char text[CARDO_STEP_TEXT + 200];
    va_list arguments;
    va_start(arguments, format);
    cardo_format_list(text, sizeof text, format, arguments);
    va_end(arguments);
    cardo_tell(t->listener, CARDO_SAID_NOTE, "transition", "%s", text);
}

static cardo_status advance(cardo_transition *t, const cardo_step *step, cardo_error *error)
{
    char words[CARDO_STEP_TEXT];
    cardo_status status;
    if (CARDO_STEP_SAID(t, step->name, "seconds"))
        return CARDO_OK;
    tell(t, "-- %s", cardo_step_words(t, step, words));
    status = cardo_step_perform(t, step, error);
    if (status == CARDO_OK && CARDO_STEP_SAID(t, step->name, "failed"))
        tell(t, "   not done: %s", CARDO_STEP_SAID(t, step->name, "failed"));
    return status;
}

/* By both clocks. */
typedef struct looking {
    double seconds, processor;
} looking;

static double noted(const cardo_transition *t, const char *step, const char *name)
{
    const double value = CARDO_STEP_VALUE(t, step, name);
    return isfinite(value) ? value : 0;
}

/* The model and everything that is told of its making; the time that has gone. */
static cardo_status look(cardo_transition *t, looking *took, cardo_error *error)
{
    char reason[CARDO_STEP_TEXT];
    cardo_status status = CARDO_OK;
    *took = (looking){0};
    for (const cardo_step *step = cardo_steps; step->looks && status == CARDO_OK; ++step) {
        if (cardo_step_is_wanted(t, step, reason))
            status = advance(t, step, error);
        else if (reason[0])
            cardo_step_note_text(&t->notes, step->name, "left_out", reason);
        if (status == CARDO_OK)
            cardo_writer_keep(t->options->writer, true);
        took->seconds += noted(t, step->name, "seconds");
        took->processor += noted(t, step->name, "processor_s");
    }
    return status;
}

/* Decides what is done, by what it is predicted to take where nobody else is at work, so that the plan is no matter of what else a machine does; which is
 * a number of its own and in no reason, so that all but numbers of the clock is the same whenever the plan is. What it will take by the clock is as much
 * longer as looking was. */
static void plan(cardo_transition *t, const looking *took)
{
    char reason[CARDO_STEP_TEXT];
    const double time = 60 * t->options->how.time, looked = fmin(took->seconds, took->processor);
    double all = 0;
    for (const cardo_step *step = cardo_steps; step->name; ++step) {
        if (step->looks)
            continue;
        const bool wanted = cardo_step_is_wanted(t, step, reason);
        const double seconds = cardo_step_predict(t, step);
        const bool late = wanted && looked + all + seconds > time;
        if (late)
            cardo_format(reason, sizeof reason,
                         "it would take longer than what is left of time=%g (minutes)",
                         t->options->how.time);
        else if (wanted)
            all += seconds;
        if (reason[0] && (!wanted || late))
            cardo_step_note_text(&t->notes, step->name, "left_out", reason);
        if (wanted)
            cardo_step_note_number(&t->notes, step->name, "predicted", seconds);
    }
    const double share = took->seconds > 0 ? fmin(1, took->processor / took->seconds) : 1;
    cardo_step_note_number(&t->notes, "plan", "looked", took->seconds);
    cardo_step_note_number(&t->notes, "plan", "share", share);
    cardo_step_note_number(&t->notes, "plan", "work", all);
    cardo_step_note_number(&t->notes, "plan", "predicted", all / fmax(share, 0.01));
}

/* Where others are at work, too. */
static const char *load_words(const cardo_transition *t, char text[120])
{
    static const double quiet = 0.75;
    char time[32];
    const double share = CARDO_STEP_VALUE(t, "plan", "share");
    if (!(share < quiet))
        return "";
    cardo_format(text, 120, ", whose other work leaves this %.0f %% of its time now; else %s",
                 100 * share, cardo_time_words(CARDO_STEP_VALUE(t, "plan", "work"), time));
    return text;
}

static void tell_plan(const cardo_transition *t)
{
    char words[CARDO_STEP_TEXT], time[32], load[120];
    tell(t, "%s", CARDO_STEP_SAID(t, "domains", "verdict"));
    if (!CARDO_STEP_SAID(t, "domains", "model_file"))
        return;
    tell(t, "the plan, about %s on this machine%s:",
         cardo_time_words(CARDO_STEP_VALUE(t, "plan", "predicted"), time), load_words(t, load));
    for (const cardo_step *step = cardo_steps; step->name; ++step) {
        const double seconds = CARDO_STEP_VALUE(t, step->name, "predicted");
        const char *left = CARDO_STEP_SAID(t, step->name, "left_out");
        if (left && isfinite(seconds))
            tell(t, "  left out: %s: %s, about %s", cardo_step_words(t, step, words), left,
                 cardo_time_words(seconds, time));
        else if (left)
            tell(t, "  left out: %s: %s", cardo_step_words(t, step, words), left);
        else if (isfinite(seconds))
            tell(t, "  %-6s %s", cardo_time_words(seconds, time), cardo_step_words(t, step, words));
    }
}

static cardo_status follow(cardo_transition *t, cardo_error *error)
{
    char reason[CARDO_STEP_TEXT];
    cardo_status status = CARDO_OK;
    for (const cardo_step *step = cardo_steps; step->name && status == CARDO_OK; ++step) {
        if (step->looks || CARDO_STEP_SAID(t, step->name, "left_out"))
            continue;
        if (cardo_step_is_wanted(t, step, reason))
            status = advance(t, step, error);
        else if (reason[0])
            cardo_step_note_text(&t->notes, step->name, "left_out", reason);
    }
    return status;
}

static cardo_status begin(const cardo_transition *t, cardo_error *error)
{
    cardo_result *facts = NULL;
    cardo_status status;
    const cardo_record_options how = {fields, &t->options->how};
    CARDO_TRY(cardo_result_create(&facts, error));
    cardo_result *inputs = cardo_result_list(facts, "structures");
    for (int k = 0; k < t->options->inputs.count; ++k)
        cardo_result_text(inputs, &(cardo_quantity){NULL}, t->options->inputs.path[k]);
    const cardo_record record = {
        .study = "transition", .facts = facts, .noption = 1, .options = &how};
    CARDO_TRY(cardo_writer_check(t->options->writer, &record, error));
    CARDO_TRY(cardo_writer_claim(t->options->writer, error));
    status = cardo_writer_begin(t->options->writer, &record, error);
done:
    cardo_result_destroy(facts);
    return status;
}

static cardo_status print_answer(const void *self, FILE *stream, cardo_error *error)
{
    const cardo_result *lines = cardo_result_find(self, "answer/line");
    (void)error;
    for (long long k = 0; k < cardo_result_rows(lines); ++k)
        fprintf(stream, "%s\n", cardo_result_as_texts(lines)[k]);
    return CARDO_OK;
}

static cardo_status conclude(const cardo_transition *t, cardo_result *into, cardo_error *error)
{
    cardo_status status;
    const cardo_writer *writer = t->options->writer;
    cardo_result_truth(into, &(cardo_quantity){"interrupted"}, false);
    CARDO_TRY(cardo_transition_answer(t, into, error));
    CARDO_TRY(cardo_writer_print(writer, "answer.txt", print_answer, into, error));
    CARDO_TRY(cardo_step_notes_save(&t->notes, writer, CARDO_TRANSITION_PLAN, error));
done:
    return status;
}

static cardo_status work(cardo_transition *t, cardo_result *into, cardo_error *error)
{
    cardo_status status;
    looking took;
    const cardo_writer *writer = t->options->writer;
    if (!writer || !writer->open_part)
        return CARDO_FAIL(error, CARDO_ERROR_ARGUMENT,
                          "transition needs a folder for what it finds");
    if (t->goes_on)
        CARDO_TRY(cardo_step_notes_recall(&t->notes, writer, CARDO_TRANSITION_PLAN, error));
    CARDO_TRY(begin(t, error));
    CARDO_TRY(look(t, &took, error));
    if (!CARDO_STEP_SAID(t, "plan", "predicted"))
        plan(t, &took);
    CARDO_TRY(cardo_step_notes_save(&t->notes, writer, CARDO_TRANSITION_PLAN, error));
    tell_plan(t);
    CARDO_TRY(follow(t, error));
    CARDO_TRY(cardo_step_notes_status(&t->notes, error));
    status = conclude(t, into, error);
done:
    return status;
}

static cardo_status run(cardo_session *session, const void *given, cardo_result *into,
                        cardo_error *error)
{
    cardo_transition t = {.options = given, .listener = &session->listener};
    t.goes_on = cardo_writer_goes_on(t.options->writer);
    cardo_status status = work(&t, into, error);
    if (status == CARDO_ERROR_INTERRUPTED && cardo_transition_stopped(&t)) {
        cardo_writer_keep(t.options->writer, true);
        cardo_result_truth(into, &(cardo_quantity){"interrupted"}, true);
        status = CARDO_OK;
    }
    cardo_step_notes_clear(&t.notes);
    cardo_step_notes_clear(&t.told);
    return status;
}

static const cardo_option_group groups[] = {{"Options of the study", fields}, {0}};

const cardo_study cardo_study_transition = {
    .name = "transition",
    .doc = "from two structures to how a protein moves between them and what that costs",
    .needs = CARDO_STUDY_TAKES_FILES,
    .options_size = sizeof(cardo_transition_options),
    .groups = groups,
    .options = {{fields, offsetof(cardo_transition_options, how)}},
    .inputs = offsetof(cardo_transition_options, inputs),
    .writer = offsetof(cardo_transition_options, writer),
    .frames = offsetof(cardo_transition_options, frames),
    .runner = offsetof(cardo_transition_options, runner),
    .checkpoint = CARDO_TRANSITION_PLAN,
    .run = run,
};
