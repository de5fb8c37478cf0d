#include "study/transition/answer.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/units.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LINES = 16 };

typedef struct answer {
    const cardo_transition *t;
    int nhinge;
    char hinge[CARDO_TRANSITION_HINGES][CARDO_FIELD_STRING_SIZE];
    double angle[CARDO_TRANSITION_HINGES];
    const cardo_step *headline; /* NULL: no rung has an answer */
    cardo_hinge_profile profile;
    int verdict; /* the line that says that there is no answer, without a headline */
    int doubt;   /* the line of the doubt; -1: none */
    int nline;
    char line[LINES][CARDO_STEP_TEXT];
} answer;

static void say(answer *a, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void say(answer *a, const char *format, ...)
{
    va_list arguments;
    if (a->nline == LINES)
        return;
    va_start(arguments, format);
    cardo_format_list(a->line[a->nline++], CARDO_STEP_TEXT, format, arguments);
    va_end(arguments);
}

/* Puts more to the last line. */
static char *last(answer *a)
{
    return a->line[a->nline - 1];
}

static bool begins(const cardo_step *step, const char *prefix)
{
    return strncmp(step->name, prefix, strlen(prefix)) == 0;
}

/* Of free energies of one model the one that has the highest barrier between two wells; without wells, that of the largest
 * turn. */
static bool is_better(const answer *a, const cardo_step *step, const cardo_hinge_profile *profile)
{
    if (!a->headline)
        return true;
    if (profile->wells != a->profile.wells)
        return profile->wells;
    return profile->wells ? profile->barrier > a->profile.barrier
                          : fabs(a->angle[step->hinge]) > fabs(a->angle[a->headline->hinge]);
}

/* Of three hinges and more a scan leaves the others where they are, which makes no free energy. */
static bool keeps_others(const answer *a, const cardo_step *step)
{
    return step->rung != CARDO_RUNG_FLEXIBLE && a->nhinge > 2;
}

static void choose(answer *a)
{
    static const char *const order[] = {"flexible-energy", "rigid-energy", "coarse-energy",
                                        "contacts-energy", NULL};
    cardo_hinge_profile profile;
    for (int k = 0; order[k] && !a->headline; ++k)
        for (const cardo_step *step = cardo_steps; step->name; ++step)
            if (begins(step, order[k]) && step->hinge < a->nhinge &&
                cardo_step_profile(a->t, step->name, &profile) && profile.whole &&
                !keeps_others(a, step) && is_better(a, step, &profile)) {
                a->headline = step;
                a->profile = profile;
            }
}

static void end_words(double free_energy, char text[40])
{
    if (isfinite(free_energy) && free_energy <= CARDO_PROFILE_HIGH)
        cardo_format(text, 40, "%.1f kT", free_energy);
    else
        cardo_format(text, 40, "more than %d kT", CARDO_PROFILE_HIGH);
}

static char *between_words(const cardo_hinge_profile *p, char text[60])
{
    if (p->between > CARDO_PROFILE_HIGH)
        cardo_format(text, 60, ", and more than %d kT in between", CARDO_PROFILE_HIGH);
    else
        cardo_format(text, 60, ", and never above %.1f kT in between", p->between);
    return text;
}

/* F along one hinge. */
static char *profile_words(const cardo_hinge_profile *p, char text[CARDO_STEP_TEXT])
{
    char end[2][40], between[60];
    for (int k = 0; k < 2; ++k)
        end_words(p->end[k], end[k]);
    if (!isfinite(p->lowest))
        cardo_format(text, CARDO_STEP_TEXT, "atoms overlap everywhere");
    else if (p->wells)
        cardo_format(text, CARDO_STEP_TEXT,
                     "two wells, at q = %.2f (%.1f kT) and q = %.2f (%.1f kT), and a barrier of "
                     "%.1f kT at q = %.2f between them",
                     p->at[0], p->f[0], p->at[1], p->f[1], p->barrier, p->barrier_at);
    else
        cardo_format(text, CARDO_STEP_TEXT,
                     "no two wells: lowest at q = %.2f; %s at q = 0, %s at q = 1%s",
                     isfinite(p->f[0]) && !(p->f[0] > p->f[1]) ? p->at[0] : p->at[1], end[0],
                     end[1], between_words(p, between));
    return text;
}

static const char *said(const answer *a, const char *step, const char *name)
{
    return CARDO_STEP_SAID(a->t, step, name);
}

static void say_question(answer *a)
{
    const char *likeness = said(a, "domains", "likeness");
    say(a, "%s to %s: %s.", said(a, "domains", "start"), said(a, "domains", "end"),
        said(a, "domains", "verdict"));
    say(a, "As one body they differ by %.2f A, with rigid domains %.2f A are left%s%s.",
        CARDO_STEP_VALUE(a->t, "domains", "rmsd_before_A"),
        CARDO_STEP_VALUE(a->t, "domains", "rmsd_left_A"), likeness ? "; " : "",
        likeness ? likeness : "");
}

/* Which residues, and what of the files is in no model. */
static void say_parts(answer *a)
{
    const char *strands = said(a, "domains", "strands"),
               *without[2] = {said(a, "domains", "without_first"),
                              said(a, "domains", "without_second")};
    if (!said(a, "domains", "residues"))
        return;
    say(a, "Domains: %.900s%s%.300s.", said(a, "domains", "residues"),
        strands ? "; strands between them: " : "", strands ? strands : "");
    if (!without[0] && !without[1])
        return;
    cardo_append(last(a), CARDO_STEP_TEXT, " Left out, and in no energy below:");
    for (int k = 0; k < 2; ++k)
        if (without[k])
            cardo_append(last(a), CARDO_STEP_TEXT, "%s %.200s of the %s structure",
                         k && without[0] ? "," : "", without[k], k ? "second" : "first");
    cardo_append(last(a), CARDO_STEP_TEXT, ".");
}

static const char *energy_words(const cardo_step *step)
{
    return begins(step, "coarse")
               ? "coarse (C-alpha atoms, rigid domains, an energy with two wells)"
           : begins(step, "contacts")
               ? "coarse (C-alpha atoms, rigid domains, an energy of contacts)"
           : begins(step, "rigid") ? "rigid (all atoms, rigid domains)"
                                   : "flexible (all atoms; strands and side chains give way)";
}

static void say_doubt(answer *a)
{
    if (begins(a->headline, "coarse"))
        say(a,
            "Doubt: this energy is made from the two structures, as wells of one depth with a "
            "barrier of 20 kJ/mol put between them; what it tells is where the wells lie, and how "
            "the joints share the way. Depths and height are not measured by it, and where the "
            "barrier lies hangs on which contacts the files show: without side chains it is "
            "elsewhere.");
    else if (begins(a->headline, "contacts"))
        say(a, "Doubt: an energy of contacts between residues (Kim & Hummer 2008) knows no side "
               "chain, no strand between domains and no water; its error is that of the energy, "
               "some kT, and not the one that is printed.");
    else if (begins(a->headline, "flexible") &&
             !(CARDO_STEP_VALUE(a->t, a->headline->name, "converged") > 0))
        say(a, "Doubt: not converged: %.600s", said(a, a->headline->name, "verdict"));
    else
        say(a, "Doubt: domains are rigid and water is implicit; the error is that of the numbers "
               "alone.");
}

static void say_headline(answer *a)
{
    char text[CARDO_STEP_TEXT];
    const double kT = CARDO_BOLTZMANN * a->t->options->how.temperature;
    if (!a->headline) {
        a->verdict = a->nline;
        say(a, "No rung has a free energy from the first structure (q = 0) to the second (q = 1): "
               "what stops each of them stands below.");
        if (a->nhinge > 2)
            say(a,
                "With %d hinges the energy along one of them, all others at rest, is no free "
                "energy: sample the models of this study by another method than scan.",
                a->nhinge);
        return;
    }
    say(a,
        "Answer: rung %s, along the hinge of %s (%.1f degrees; q: 0 is the first structure, 1 "
        "the second):",
        energy_words(a->headline), a->hinge[a->headline->hinge], a->angle[a->headline->hinge]);
    say(a, "%s.", profile_words(&a->profile, text));
    say(a,
        "The second side (q > 0.5) against the first: %+.2f +- %.2f kT (%+.1f kJ/mol), %swhere "
        "+- is the error of the numbers; that of the energy itself is not known.",
        a->profile.difference, fmax(a->profile.error, 0.005), a->profile.difference * kT,
        a->profile.wells ? "by depth and width of the wells; " : "");
    a->doubt = a->nline;
    say_doubt(a);
}

/* The other hinges of the same model. */
static void say_others(answer *a)
{
    char text[CARDO_STEP_TEXT];
    cardo_hinge_profile profile;
    bool any = false;
    for (const cardo_step *step = cardo_steps; a->headline && step->name; ++step) {
        if (step == a->headline || strcmp(step->what, a->headline->what) != 0 ||
            step->hinge >= a->nhinge || !cardo_step_profile(a->t, step->name, &profile))
            continue;
        if (!any)
            say(a, "The other hinges of this model:");
        cardo_append(last(a), CARDO_STEP_TEXT, "%s %s: %s", any ? ";" : "", a->hinge[step->hinge],
                     profile_words(&profile, text));
        any = true;
    }
    if (any)
        cardo_append(last(a), CARDO_STEP_TEXT, ".");
}

/* What an energy that knows neither structure has to say of the same hinge. */
static void say_contacts(answer *a)
{
    char text[CARDO_STEP_TEXT];
    cardo_hinge_profile profile;
    for (const cardo_step *step = cardo_steps; step->name; ++step)
        if (begins(step, "contacts-energy") && step != a->headline && step->hinge < a->nhinge &&
            (!a->headline || step->hinge == a->headline->hinge) &&
            cardo_step_profile(a->t, step->name, &profile)) {
            say(a,
                "Another opinion, an energy of contacts that knows neither structure (Kim & "
                "Hummer 2008), along %s: %s%s.",
                a->hinge[step->hinge], profile_words(&profile, text),
                profile.whole ? "" : ": at its coarse distances domains overlap on the way");
            return;
        }
}

/* A coordinate as two digits show it: not -0.00. */
static double shown(double q)
{
    return fabs(q) < 0.005 ? 0 : q;
}

static void say_motion(answer *a)
{
    const double overlap = CARDO_STEP_VALUE(a->t, "coarse-modes", "overlap"),
                 low = CARDO_STEP_VALUE(a->t, "coarse-dynamics", "low"),
                 high = CARDO_STEP_VALUE(a->t, "coarse-dynamics", "high");
    if (!isfinite(overlap) && !isfinite(low))
        return;
    say(a, "%s", "");
    if (isfinite(overlap))
        cardo_append(last(a), CARDO_STEP_TEXT,
                     "The softest mode of the coarse model (%.1f 1/cm) has an overlap of %.2f with "
                     "the change from the first structure to the second",
                     CARDO_STEP_VALUE(a->t, "coarse-modes", "wavenumber"), fabs(overlap));
    if (isfinite(low))
        cardo_append(last(a), CARDO_STEP_TEXT,
                     "%s0.5 ns of dynamics from the first structure saw q of %s from %.2f to %.2f",
                     isfinite(overlap) ? "; " : "", said(a, "coarse-dynamics", "coordinate"),
                     shown(low), shown(high));
    cardo_append(last(a), CARDO_STEP_TEXT, ".");
}

static void say_rung(answer *a, const char *step, const char *words)
{
    const char *reason = said(a, step, "failed"), *trial = said(a, step, "trial");
    if (!reason)
        reason = said(a, step, "left_out");
    if (!reason && trial)
        say(a, "%s: the motion is %s.", words, trial);
    else if (reason)
        say(a, "%s: not done: %.900s.", words, reason);
    else if (said(a, step, "not_tried"))
        say(a, "%s: the motion was not tried: %.900s.", words, said(a, step, "not_tried"));
    const char *next = said(a, "flexible-energy-1", "left_out");
    if (strcmp(step, "flexible") == 0 && trial && next && CARDO_STEP_VALUE(a->t, step, "whole") > 0)
        cardo_append(last(a), CARDO_STEP_TEXT, " Its free energy: %.600s.", next);
}

static void say_handoff(answer *a)
{
    const double frames = CARDO_STEP_VALUE(a->t, "hand-off", "frames"),
                 bad = CARDO_STEP_VALUE(a->t, "hand-off", "strained");
    if (!isfinite(frames))
        return;
    say(a,
        "To go on with all atoms elsewhere: hand-off/ has %.0f frames from q = 0 to 1, relaxed "
        "with "
        "the C-alpha atoms of the domains held, and inputs of OpenMM, GROMACS, AMBER and PLUMED "
        "with "
        "the same q",
        frames);
    if (bad > 0)
        cardo_append(last(a), CARDO_STEP_TEXT,
                     "; %.0f of them hold clashes or torn bonds still and are no start (frames.csv "
                     "says which)",
                     bad);
    cardo_append(last(a), CARDO_STEP_TEXT, ".");
}

/* What the clock said, which is here and in "timings" alone: all else is the same each time. */
static void say_times(answer *a)
{
    char words[CARDO_STEP_TEXT], time[2][32];
    double took = 0;
    for (const cardo_step *step = cardo_steps; step->name; ++step) {
        const double seconds = CARDO_STEP_VALUE(a->t, step->name, "seconds");
        took += isfinite(seconds) ? seconds : 0;
    }
    say(a,
        "By the clock: looking at the structures took %s, then about %s were planned; all took %s",
        cardo_time_words(CARDO_STEP_VALUE(a->t, "plan", "looked"), words),
        cardo_time_words(CARDO_STEP_VALUE(a->t, "plan", "predicted"), time[0]),
        cardo_time_words(took, time[1]));
    for (const cardo_step *step = cardo_steps; step->name; ++step) {
        const double seconds = CARDO_STEP_VALUE(a->t, step->name, "predicted");
        if (said(a, step->name, "left_out") && isfinite(seconds) && seconds > 0)
            cardo_append(last(a), CARDO_STEP_TEXT, "; left out: %s, about %s",
                         cardo_step_words(a->t, step, words), cardo_time_words(seconds, time[0]));
    }
    cardo_append(last(a), CARDO_STEP_TEXT, ".");
}

/* A message without the file that it is about. */
static const char *cause(const char *message)
{
    static const char words[] = "cannot be applied: ";
    const char *at = strstr(message, words);
    return at ? at + strlen(words) : message;
}

/* A difference that no rigid domain explains is no sign of rigidity. */
static void say_unlike(answer *a)
{
    static const double large = 3;
    const double left = CARDO_STEP_VALUE(a->t, "domains", "rmsd_left_A");
    if (!(left > large))
        return;
    a->doubt = a->nline;
    say(a,
        "Doubt: %.2f A are much for one rigid domain: the chain changes its shape all over, or "
        "the "
        "structures are no two states of one fold (wrongly built, a mirror image, another "
        "numbering). Look at both, superposed.",
        left);
}

static void compose(answer *a)
{
    say_question(a);
    if (a->nhinge == 0) {
        const char *reason = said(a, "domains", "not_written");
        a->verdict = a->nline;
        say(a, "There is no hinge to follow%s%s.", reason ? ": " : "", reason ? reason : "");
        say_unlike(a);
        return;
    }
    say_parts(a);
    if (said(a, "domains", "symmetry"))
        say(a, "Symmetry: %.900s%s.", said(a, "domains", "symmetry"),
            a->t->options->how.symmetric ? ", so that energies below are of all of them together"
                                         : "");
    say_headline(a);
    say_others(a);
    if (said(a, "domains", "no_forces"))
        say(a, "An energy with two wells, one at each structure, cannot be made here: %.900s.",
            cause(said(a, "domains", "no_forces")));
    say_contacts(a);
    say_motion(a);
    say_rung(a, "rigid", "All atoms, rigid domains");
    say_rung(a, "flexible", "All atoms, strands and side chains that give way");
    say_handoff(a);
}

static void fill_headline(const answer *a, cardo_result *into)
{
    const cardo_hinge_profile *p = &a->profile;
    if (!a->headline)
        return;
    cardo_result *part = cardo_result_group(into, "headline");
    cardo_result_text(part, &(cardo_quantity){"step"}, a->headline->name);
    cardo_result_text(part, &(cardo_quantity){"rung"},
                      a->headline->rung == CARDO_RUNG_COARSE  ? "coarse"
                      : a->headline->rung == CARDO_RUNG_RIGID ? "rigid"
                                                              : "flexible");
    cardo_result_text(part, &(cardo_quantity){"hinge"}, a->hinge[a->headline->hinge]);
    cardo_result_number(part, &(cardo_quantity){"angle_deg", "rotation", "degrees", ".1f"},
                        a->angle[a->headline->hinge]);
    cardo_result_truth(part, &(cardo_quantity){"two_wells"}, p->wells);
    cardo_result_number(part, &(cardo_quantity){"first_well_q", .style = ".2f"}, p->at[0]);
    cardo_result_number(part, &(cardo_quantity){"second_well_q", .style = ".2f"}, p->at[1]);
    cardo_result_number(part, &(cardo_quantity){"barrier_q", .style = ".2f"}, p->barrier_at);
    cardo_result_number(part, &(cardo_quantity){"barrier_kT", "barrier", "kT", ".2f"}, p->barrier);
    cardo_result_number(
        part, &(cardo_quantity){"difference_kT", "second side against the first", "kT", "+.2f"},
        p->difference);
    cardo_result_number(
        part, &(cardo_quantity){"error_kT", "its error by the numbers", "kT", ".2g"}, p->error);
}

/* With blanks between: no option of a step has one. */
static char *options_text(const answer *a, const cardo_step *step, char text[CARDO_STEP_TEXT])
{
    cardo_step_options options;
    cardo_step_set_options(a->t, step, &options);
    text[0] = '\0';
    for (int k = 0; k < options.n; ++k)
        cardo_append(text, CARDO_STEP_TEXT, "%s%s", k ? " " : "", options.text[k]);
    return text;
}

static void fill_steps(const answer *a, cardo_result *into)
{
    static const cardo_quantity step = {"step", .style = "-20s"}, what = {"what", .style = "s"},
                                outcome = {"outcome", .style = "s"},
                                study = {"study", .style = "s"}, model = {"model", .style = "s"},
                                options = {"options", .style = "s"},
                                start = {"start", .style = "s"};
    char words[CARDO_STEP_TEXT];
    cardo_result *table = cardo_result_table(into, "steps", "step");
    for (const cardo_step *s = cardo_steps; s->name; ++s) {
        const char *failed = said(a, s->name, "failed"), *left = said(a, s->name, "left_out");
        const bool begun = said(a, s->name, "seconds") != NULL;
        if (!begun && !left)
            continue;
        cardo_result_row(table);
        cardo_result_text(table, &step, s->name);
        cardo_result_text(table, &what, cardo_step_words(a->t, s, words));
        cardo_result_text(table, &outcome, left ? left : failed ? failed : "done");
        if (begun) {
            cardo_result_text(table, &study, s->study);
            if (cardo_step_model(a->t, s))
                cardo_result_text(table, &model, said(a, cardo_step_model(a->t, s), "model_file"));
            cardo_result_text(table, &options, options_text(a, s, words));
            if (s->start)
                cardo_result_text(table, &start, s->start);
        }
    }
}

/* All that the clock has said. */
static void fill_timings(const answer *a, cardo_result *into)
{
    static const cardo_quantity step = {"step", .style = "-20s"},
                                predicted = {"predicted_s", "predicted", "s", ".1f"},
                                took = {"took_s", "took", "s", ".1f"},
                                processor = {"processor_s", "of which processors worked", "s",
                                             ".1f"},
                                evaluation = {"evaluation_ms", "an evaluation of its forces", "ms",
                                              ".3g"};
    cardo_result *table = cardo_result_table(into, "timings", "step");
    for (const cardo_step *s = cardo_steps; s->name; ++s) {
        const double values[] = {CARDO_STEP_VALUE(a->t, s->name, "predicted"),
                                 CARDO_STEP_VALUE(a->t, s->name, "seconds"),
                                 CARDO_STEP_VALUE(a->t, s->name, "processor_s"),
                                 1e3 * CARDO_STEP_VALUE(a->t, s->name, "evaluation_s")};
        const cardo_quantity *const what[] = {&predicted, &took, &processor, &evaluation};
        if (!isfinite(values[0]) && !isfinite(values[1]))
            continue;
        cardo_result_row(table);
        cardo_result_text(table, &step, s->name);
        for (int k = 0; k < 4; ++k)
            if (isfinite(values[k]))
                cardo_result_number(table, what[k], values[k]);
    }
}

/* Parts of the place, what the answer is from first. */
static void fill_page(const answer *a, cardo_result *into)
{
    cardo_result *list = cardo_result_list(into, "page");
    if (a->headline)
        cardo_result_text(list, &(cardo_quantity){NULL}, a->headline->name);
    for (const cardo_step *s = cardo_steps; s->name; ++s)
        if (s != a->headline && CARDO_STEP_SAID(a->t, s->name, "seconds"))
            cardo_result_text(list, &(cardo_quantity){NULL}, s->name);
}

/* In one line. */
static const char *verdict(const answer *a, char text[CARDO_STEP_TEXT])
{
    char words[CARDO_STEP_TEXT];
    if (!a->headline) /* no hinge, or no free energy */
        return a->line[a->verdict];
    cardo_format(
        text, CARDO_STEP_TEXT,
        "%s, along the hinge of %s: %s; the second side against the first %+.2f +- %.2f kT "
        "by the numbers",
        energy_words(a->headline), a->hinge[a->headline->hinge], profile_words(&a->profile, words),
        a->profile.difference, fmax(a->profile.error, 0.005));
    return text;
}

static void fill(const answer *a, cardo_result *into)
{
    static const cardo_quantity line = {"line", "in words", .style = "s"};
    char text[CARDO_STEP_TEXT];
    cardo_result_remark(into, "verdict", CARDO_RESULT_VERDICT, verdict(a, text), NULL);
    if (a->doubt >= 0)
        cardo_result_remark(into, "doubt", CARDO_RESULT_WARNING, a->line[a->doubt], NULL);
    cardo_result_text(into, &(cardo_quantity){"start"}, said(a, "domains", "start"));
    cardo_result_text(into, &(cardo_quantity){"end"}, said(a, "domains", "end"));
    cardo_result *table = cardo_result_table(into, "answer", "line");
    for (int k = 0; k < a->nline; ++k) {
        cardo_result_row(table);
        cardo_result_text(table, &line, a->line[k]);
    }
    fill_headline(a, into);
    fill_steps(a, into);
    fill_timings(a, into);
    fill_page(a, into);
}

cardo_status cardo_transition_answer(const cardo_transition *t, cardo_result *into,
                                     cardo_error *error)
{
    answer *a;
    cardo_status status = CARDO_ALLOCATE(&a, 1, error);
    if (status != CARDO_OK)
        return status;
    a->t = t;
    a->nhinge = cardo_transition_hinges(t, a->hinge);
    if (a->nhinge > CARDO_TRANSITION_HINGES)
        a->nhinge = CARDO_TRANSITION_HINGES;
    cardo_step_numbers(&t->notes, "domains", "angles", a->angle, CARDO_TRANSITION_HINGES);
    a->doubt = -1;
    choose(a);
    compose(a);
    say_times(a);
    fill(a, into);
    cardo_free(a);
    return cardo_result_status(into, error);
}
