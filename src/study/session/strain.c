#include "study/session/strain.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/units.h"
#include "multibody/tree/operators.h"
#include "study/session/assembly.h"
#include "study/session/course.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char *const strain_choices[] = {"refuse", "warn", NULL};

const cardo_field cardo_strain_fields[] = {
    {"strain", CARDO_FIELD_CHOICE, offsetof(cardo_strain_options, strain), "", "refuse", 0, 0,
     strain_choices,
     "where atoms clash (a contact above 100 kJ/mol) or bonds tear (above 350 kJ/mol): end the "
     "study, or only warn",
     CARDO_MAY_CHANGE},
    {0},
};

void cardo_strain_view_clear(cardo_strain_view *view)
{
    cardo_strain_search_destroy(view->search);
    cardo_free(view->positions);
    *view = (cardo_strain_view){0};
}

cardo_status cardo_strain_view_open(const cardo_session *session, cardo_strain_view *view,
                                    cardo_error *error)
{
    cardo_status status;
    const cardo_structure *s = session->model->structure[0].structure;
    *view = (cardo_strain_view){.session = session};
    if (!session->terms)
        return CARDO_OK;
    CARDO_TRY(CARDO_ALLOCATE(&view->positions, 3 * (size_t)s->natom, error));
    CARDO_TRY(cardo_strain_search_create(session->terms, session->model->atom_body, s->element,
                                         &view->search, error));
done:
    return status;
}

cardo_status cardo_strain_view_look(cardo_strain_view *view, const cardo_state *state,
                                    cardo_strain *out, cardo_error *error)
{
    *out = (cardo_strain){0};
    if (!view->search)
        return CARDO_OK;
    cardo_status status =
        cardo_station_positions(view->session->system, state, view->positions, error);
    if (status == CARDO_OK)
        cardo_strain_look(view->search, view->positions, out);
    return status;
}

cardo_status cardo_session_strain_at(const cardo_session *session, const cardo_state *state,
                                     cardo_strain *out, cardo_error *error)
{
    cardo_strain_view view;
    cardo_status status = cardo_strain_view_open(session, &view, error);
    if (status == CARDO_OK)
        status = cardo_strain_view_look(&view, state, out, error);
    cardo_strain_view_clear(&view);
    return status;
}

cardo_status cardo_session_strain(const cardo_session *session, cardo_strain *out,
                                  cardo_error *error)
{
    cardo_status status =
        cardo_realize(session->system, session->state, CARDO_STAGE_POSITION, error);
    return status == CARDO_OK ? cardo_session_strain_at(session, session->state, out, error)
                              : status;
}

/* A text that grows in a buffer of given size, cut off at its end. */
typedef struct words {
    char *text;
    size_t size, used;
} words;

__attribute__((format(printf, 2, 3))) static void say(words *w, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int n = cardo_format_list(w->text + w->used, w->size - w->used, format, arguments);
    va_end(arguments);
    if (n > 0)
        w->used = w->used + (size_t)n < w->size ? w->used + (size_t)n : w->size - 1;
}

static void say_term(words *w, const cardo_session *session, const cardo_strained *term)
{
    const cardo_structure *s = session->model->structure[0].structure;
    const bool length = term->natom == 2;
    const double unit = length ? CARDO_ANGSTROM : CARDO_DEGREE;
    say(w, "%s ", cardo_strain_kind_names[term->kind]);
    for (int k = 0; k < term->natom; ++k) {
        const int atom = term->atom[k], residue = s->atom_residue[atom];
        char label[40];
        say(w, "%s", k ? " - " : "");
        if (k == 0 || residue != s->atom_residue[term->atom[k - 1]])
            say(w, "%s ", cardo_residue_label(s, residue, label));
        say(w, "%s", s->atom_name[atom].text);
    }
    say(w, length ? " %.2f A (" : " %.0f degrees (", term->value / unit);
    if (term->kind != CARDO_STRAIN_CONTACT)
        say(w, length ? "%.2f at rest, " : "%.0f at rest, ", term->ideal / unit);
    say(w, "%.3g kJ/mol)", term->energy);
}

char *cardo_strained_text(const cardo_session *session, const cardo_strained *term,
                          char text[CARDO_STRAINED_TEXT])
{
    words w = {text, CARDO_STRAINED_TEXT, 0};
    text[0] = '\0';
    say_term(&w, session, term);
    return text;
}

char *cardo_strain_worst_text(const cardo_session *session, const cardo_strain *strain,
                              char text[CARDO_STRAIN_TEXT])
{
    enum { SHOWN = 3 };
    words w = {text, CARDO_STRAIN_TEXT, 0};
    int shown = 0;
    text[0] = '\0';
    for (int k = 0; k < strain->nlisted[CARDO_STRAIN_BETWEEN] && shown < SHOWN; ++k) {
        const cardo_strained *term = &strain->listed[CARDO_STRAIN_BETWEEN][k];
        if (!cardo_strained_is_impossible(term))
            continue;
        say(&w, shown++ ? "; " : "");
        say_term(&w, session, term);
    }
    if (strain->nimpossible > shown)
        say(&w, "; and %d more", strain->nimpossible - shown);
    return text;
}

/* "bonds hold 44415.6 kJ/mol, 5.3 kT each where heat gives 0.5, 97 % of it with hydrogens". */
static void say_hot(words *w, const cardo_strain *strain, cardo_strain_kind kind)
{
    double energy = 0, hydrogen = 0;
    for (int place = 0; place < CARDO_STRAIN_PLACES; ++place) {
        energy += strain->sum[kind][place].energy;
        hydrogen += strain->sum[kind][place].with_hydrogen;
    }
    say(w,
        "  %ss hold %.0f kJ/mol, %.1f kT each where heat gives 0.5; %.0f %% of it in those with a "
        "hydrogen\n",
        cardo_strain_kind_names[kind], energy, cardo_strain_mean(strain, kind),
        100 * hydrogen / energy);
}

static void say_list(words *w, const cardo_session *session, const cardo_strain *strain,
                     cardo_strain_place place, int count)
{
    enum { SHOWN = 5 };
    int shown = 0;
    for (; shown < strain->nlisted[place] && shown < SHOWN && shown < count; ++shown) {
        say(w, "  ");
        say_term(w, session, &strain->listed[place][shown]);
        say(w, "\n");
    }
    if (count > shown)
        say(w, "  and %d more\n", count - shown);
}

/* Is most of what is hot in terms of hydrogens? */
static bool is_hydrogens_fault(const cardo_strain *strain)
{
    double energy = 0, hydrogen = 0;
    for (int kind = 0; kind < CARDO_STRAIN_CONTACT; ++kind)
        for (int place = 0; place < CARDO_STRAIN_PLACES; ++place) {
            energy += strain->sum[kind][place].energy;
            hydrogen += strain->sum[kind][place].with_hydrogen;
        }
    return hydrogen > 0.5 * energy;
}

enum { ADVICE_TEXT = 1024 };

/* What to do, as the host's users do it, or in words of our own. Returns text. */
static const char *advice(const cardo_session *session, cardo_advice which, char text[ADVICE_TEXT])
{
    static const char *const own[] = {
        [CARDO_ADVISE_OTHER_START] =
            "minimize the model and begin where that ends, other coordinates, another cut between "
            "the domains, or side chains and strands that give way (<flexible>)",
        [CARDO_ADVISE_HYDROGENS] = "drop them and prepare the structure anew",
    };
    const cardo_listener *listener = &session->listener;
    snprintf(text, ADVICE_TEXT, "%s", own[which]);
    if (listener->advise)
        listener->advise(listener->user, which, session->model->structure[0].path, text,
                         ADVICE_TEXT);
    return text;
}

static void say_frozen(words *w, const cardo_session *session, const cardo_strain *strain, bool all)
{
    char text[ADVICE_TEXT];
    bool hot = false;
    for (int kind = 0; kind < CARDO_STRAIN_CONTACT; ++kind)
        if (cardo_strain_is_hot(strain, (cardo_strain_kind)kind)) {
            say_hot(w, strain, (cardo_strain_kind)kind);
            hot = true;
        }
    if (!hot && (!all || strain->nfrozen == 0))
        return;
    if (strain->nfrozen)
        say(w,
            "  inside rigid bodies, where it adds a constant to the energy and drives nothing:\n");
    say_list(w, session, strain, CARDO_STRAIN_INSIDE, strain->nfrozen);
    if (hot && is_hydrogens_fault(strain))
        say(w, "  what to do: the hydrogens of %s are badly placed; %s\n",
            session->model->structure[0].path, advice(session, CARDO_ADVISE_HYDROGENS, text));
    else
        say(w, "  what to do: nothing inside rigid bodies moves, so that minimizing leaves it as "
               "it is; "
               "take better coordinates\n    for these residues, or have them flexible\n");
}

char *cardo_strain_words(const cardo_session *session, const cardo_strain *strain, bool all,
                         char text[CARDO_STRAIN_TEXT])
{
    words w = {text, CARDO_STRAIN_TEXT, 0};
    char what_to_do[ADVICE_TEXT];
    text[0] = '\0';
    if (strain->nstrained) {
        say(&w, "  between bodies, where it drives them%s:\n",
            strain->nimpossible ? " through what no molecule passes" : "");
        say_list(&w, session, strain, CARDO_STRAIN_BETWEEN, strain->nstrained);
        say(&w, "  what to do: %s\n", advice(session, CARDO_ADVISE_OTHER_START, what_to_do));
    }
    say_frozen(&w, session, strain, all);
    return text;
}

static void warn(const cardo_session *session, const char *where, const cardo_strain *strain)
{
    static const char *const verdicts[] = {"", "", "strained inside its rigid bodies", "strained",
                                           "impossible"};
    char text[CARDO_STRAIN_TEXT];
    const cardo_strain_verdict verdict = cardo_strain_judge(strain);
    if (verdict <= CARDO_STRAIN_ROUGH)
        return;
    cardo_strain_words(session, strain, false, text);
    const size_t length = strlen(text);
    if (length > 0)
        text[length - 1] = '\0';
    cardo_tell(&session->listener, CARDO_SAID_WARNING, "strain", "%s is %s%s%s", where,
               verdicts[verdict], length > 0 ? "\n" : "", text);
}

cardo_status cardo_strain_tell(const cardo_session *session, const char *where, bool refuse,
                               cardo_error *error)
{
    char text[CARDO_STRAIN_TEXT], what_to_do[ADVICE_TEXT];
    cardo_strain strain;
    cardo_status status = cardo_session_strain(session, &strain, error);
    if (status != CARDO_OK)
        return status;
    const cardo_strain_verdict verdict = cardo_strain_judge(&strain);
    if (verdict == CARDO_STRAIN_IMPOSSIBLE && refuse)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "%s: %s is impossible: %s. What to do: %s; strain=\"warn\" goes on all "
                          "the same",
                          session->model->path, where,
                          cardo_strain_worst_text(session, &strain, text),
                          advice(session, CARDO_ADVISE_OTHER_START, what_to_do));
    warn(session, where, &strain);
    return CARDO_OK;
}

cardo_status cardo_strain_tell_change(const cardo_session *session, const char *where,
                                      const cardo_strain *before, cardo_error *error)
{
    cardo_strain strain;
    cardo_status status = cardo_session_strain(session, &strain, error);
    if (status == CARDO_OK && cardo_strain_judge(&strain) != cardo_strain_judge(before))
        warn(session, where, &strain);
    return status;
}

const char *cardo_strain_verdict_word(cardo_strain_verdict verdict)
{
    static const char *const names[] = {"none", "rough inside bodies", "hot inside bodies",
                                        "strained", "impossible"};
    return names[verdict];
}

typedef struct looking {
    cardo_strain_view view;
    cardo_strain_course *course;
} looking;

static cardo_status look_here(void *context, int place, cardo_error *error)
{
    looking *l = context;
    return cardo_strain_view_look(&l->view, l->view.session->state, &l->course->strain[place],
                                  error);
}

cardo_status cardo_strain_along(const cardo_session *session, cardo_strain_course *course,
                                cardo_error *error)
{
    cardo_status status;
    looking l = {.course = course};
    course->n = 0;
    course->ends = false;
    for (int k = 0; k < CARDO_STRAIN_PLACES_ALONG; ++k)
        course->fraction[k] = (double)k / (CARDO_STRAIN_PLACES_ALONG - 1);
    CARDO_TRY(cardo_strain_view_open(session, &l.view, error));
    if (!l.view.search)
        goto done;
    CARDO_TRY(cardo_session_course(session, CARDO_STRAIN_PLACES_ALONG, course->fraction, look_here,
                                   &l, &course->n, error));
    course->ends = course->n > 0 && course->n < CARDO_STRAIN_PLACES_ALONG;
done:
    cardo_strain_view_clear(&l.view);
    return status;
}

/* The stretch about the place that begins with the model's start which nothing impossible breaks. */
static int last_possible(const cardo_strain_course *course)
{
    int k = 0;
    while (k < course->n && course->strain[k].nimpossible == 0)
        ++k;
    return k - 1;
}

char *cardo_strain_course_words(const cardo_session *session, const cardo_strain_course *course,
                                char text[CARDO_STRAIN_TEXT])
{
    words w = {text, CARDO_STRAIN_TEXT, 0};
    char worst[CARDO_STRAIN_TEXT];
    text[0] = '\0';
    if (course->n == 0)
        return text;
    const int last = last_possible(course), end = course->n - 1;
    const char *else_moves = cardo_session_is_constrained(session)
                                 ? "with what the constraints move"
                                 : "with all else standing still";
    if (course->ends)
        say(&w, "  the constraints let the paths go to %.0f %% of their way\n",
            100 * course->fraction[end]);
    if (last == end) {
        say(&w, "  %s, the paths are free of clashes and torn bonds %s\n", else_moves,
            course->ends ? "that far" : "to their ends");
        return text;
    }
    if (last < 0)
        say(&w, "  %s, the paths are impossible from their beginning on\n", else_moves);
    else
        say(&w, "  %s, the paths are possible to %.0f %% of their way\n", else_moves,
            100 * course->fraction[last]);
    say(&w, "  beyond, at %.0f %%: %s\n", 100 * course->fraction[last + 1],
        cardo_strain_worst_text(session, &course->strain[last + 1], worst));
    if (last + 1 < end && course->strain[end].nimpossible)
        say(&w, "  at the end: %s\n",
            cardo_strain_worst_text(session, &course->strain[end], worst));
    say(&w,
        "  to get there side chains and strands must give way (<flexible>), or the cut be another "
        "one\n");
    return text;
}
