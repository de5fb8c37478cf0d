#include "study/transition/steps.h"

#include "base/number.h"
#include "base/units.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define ENERGY(prefix, number, index, of, level)                                                   \
    {                                                                                              \
        prefix "-energy-" number, prefix ": free energy along %s", "sample", of, NULL, level,      \
            index, false                                                                           \
    }
#define ENERGIES(prefix, of, level)                                                                \
    ENERGY(prefix, "1", 0, of, level), ENERGY(prefix, "2", 1, of, level),                          \
        ENERGY(prefix, "3", 2, of, level), ENERGY(prefix, "4", 3, of, level)

const cardo_step cardo_steps[] = {
    {"domains", "domains and hinges, and a model of C-alpha atoms in two wells", "domains", NULL,
     NULL, CARDO_RUNG_COARSE, -1, true},
    {"contacts", "the same model with an energy of contacts that knows neither structure",
     "domains", NULL, NULL, CARDO_RUNG_COARSE, -1, true},
    {"rigid", "the first structure prepared, a model of all atoms, and its motion tried", "domains",
     NULL, NULL, CARDO_RUNG_RIGID, -1, true},
    {"coarse-minimum", "coarse: the nearest minimum", "minimize", "domains", NULL,
     CARDO_RUNG_COARSE, -1, false},
    {"coarse-modes", "coarse: normal modes", "modes", "domains", NULL, CARDO_RUNG_COARSE, -1,
     false},
    {"coarse-dynamics", "coarse: short dynamics", "simulate", "domains", "coarse-minimum",
     CARDO_RUNG_COARSE, -1, false},
    ENERGIES("coarse", "domains", CARDO_RUNG_COARSE),
    ENERGIES("contacts", "contacts", CARDO_RUNG_COARSE),
    {"rigid-clashes", "rigid: contacts along the path", "info", "rigid", NULL, CARDO_RUNG_RIGID, -1,
     false},
    {"rigid-minimum", "rigid: the nearest minimum", "minimize", "rigid", NULL, CARDO_RUNG_RIGID, -1,
     false},
    ENERGIES("rigid", "rigid", CARDO_RUNG_RIGID),
    {"hand-off", "relaxed frames of all atoms along q, and inputs of other programs", "handoff",
     "rigid", NULL, CARDO_RUNG_RIGID, -1, false},
    {"flexible", "flexible: strands and side chains give way, and the motion is tried", "domains",
     NULL, NULL, CARDO_RUNG_FLEXIBLE, -1, false},
    {"flexible-minimum", "flexible: the nearest minimum", "minimize", "flexible", NULL,
     CARDO_RUNG_FLEXIBLE, -1, false},
    {"flexible-energy-1", "flexible: free energy along %s", "sample", "flexible",
     "flexible-minimum", CARDO_RUNG_FLEXIBLE, 0, false},
    {0},
};

/* What is asked: places of a scan; steps of dynamics and of umbrella sampling of all atoms. */
enum {
    PLACES = 101,
    DYNAMICS_STEPS = 10000,
    WINDOWS = 26, /* that a way takes: LAO's, chosen by its probe */
    PULL = 2000,
    EQUILIBRATION = 1000,
    WINDOW_STEPS = 5000,
    REPLICAS = 2
};
/* Evaluations that finding out takes how far a flexible model makes its motion, and how much longer than with rigid domains
 * one takes: measured with LAO, adenylate kinase, an antibody's light chain and a half of LAO on a tether. */
static const double trial_evaluations = 15000, minimum_evaluations = 1000, flexible_cost = 1.25;
/* Attempts at such a model: one, or two where the first makes no whole motion, which nobody knows beforehand. */
static const double attempts = 1.5;
/* Places at which all atoms are relaxed besides, there and back and at most three times, and iterations at each. */
enum { REFERENCE_PLACES = 36, REFERENCE = 150 };
/* A place of a scan of all atoms, in evaluations: contacts are looked for, and the first is judged by another provider. */
static const double all_atom_cost = 3.5;
/* Frames that are handed to other programs, iterations of relaxing each, and evaluations that one takes. */
enum { FRAMES = 6, RELAXING = 60 };
static const double relaxing_evaluations = 1.1;
/* A step of dynamics of few bodies, in evaluations of a coarse energy. */
static const double dynamics_cost = 2;

/* ps, of coarse dynamics. */
static const double timestep = 0.05;

/* A residue, on average, of a structure that has its side chains. */
static const double least_heavy_atoms = 5.5;

static bool is_model(const cardo_step *step)
{
    return strcmp(step->study, "domains") == 0;
}

int cardo_transition_hinges(const cardo_transition *t,
                            char name[CARDO_TRANSITION_HINGES][CARDO_FIELD_STRING_SIZE])
{
    const char *names = CARDO_STEP_SAID(t, "domains", "hinges");
    int n = 0;
    while (names && *names) {
        const size_t length = strcspn(names, " ");
        if (n < CARDO_TRANSITION_HINGES)
            snprintf(name[n], CARDO_FIELD_STRING_SIZE, "%.*s", (int)length, names);
        names += length + strspn(names + length, " ");
        ++n;
    }
    return n;
}

char *cardo_step_words(const cardo_transition *t, const cardo_step *step,
                       char text[CARDO_STEP_TEXT])
{
    char name[CARDO_TRANSITION_HINGES][CARDO_FIELD_STRING_SIZE];
    const char *place = strstr(step->what, "%s");
    const int n = cardo_transition_hinges(t, name);
    if (place && step->hinge < n)
        snprintf(text, CARDO_STEP_TEXT, "%.*s%s", (int)(place - step->what), step->what,
                 name[step->hinge]);
    else
        snprintf(text, CARDO_STEP_TEXT, "%s", step->what);
    return text;
}

static bool has_forces(const cardo_transition *t, const char *model)
{
    return CARDO_STEP_SAID(t, model, "model_file") && !CARDO_STEP_SAID(t, model, "no_forces");
}

const char *cardo_step_model(const cardo_transition *t, const cardo_step *step)
{
    return step->model && step->hinge < 0 && strcmp(step->model, "domains") == 0 &&
                   !has_forces(t, "domains")
               ? "contacts"
               : step->model;
}

static void add(cardo_step_options *options, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void add(cardo_step_options *options, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    cardo_format_list(options->text[options->n], sizeof options->text[0], format, arguments);
    va_end(arguments);
    ++options->n;
}

static void set_domains(const cardo_transition *t, const cardo_step *step,
                        cardo_step_options *options)
{
    add(options, "name=model");
    if (strcmp(step->name, "domains") == 0)
        add(options, "forcefield=double-basin.xml");
    else if (strcmp(step->name, "contacts") == 0)
        add(options, "forcefield=kim-hummer.xml");
    else if (step->rung == CARDO_RUNG_FLEXIBLE)
        add(options, "motion=flexible");
    if (t->options->how.symmetric)
        add(options, "symmetric=yes");
    if (t->options->how.identity > 0)
        add(options, "identity=%g", t->options->how.identity);
}

static void set_sample(const cardo_transition *t, const cardo_step *step,
                       cardo_step_options *options)
{
    char name[CARDO_TRANSITION_HINGES][CARDO_FIELD_STRING_SIZE];
    cardo_transition_hinges(t, name);
    const char *way = step->rung == CARDO_RUNG_FLEXIBLE ? ".1" : "";
    add(options, "method=%s", step->rung == CARDO_RUNG_FLEXIBLE ? "umbrella" : "scan");
    add(options, "coordinate=%s%s", name[step->hinge], way);
    if (strcmp(step->model, "contacts") == 0) { /* whose walls are steep: little beyond the ends */
        add(options, "from=-0.02");
        add(options, "to=1.02");
    } else if (step->rung == CARDO_RUNG_COARSE) {
        add(options, "from=-0.2");
        add(options, "to=1.2");
    } else if (step->rung == CARDO_RUNG_RIGID) {
        add(options, "from=%g", CARDO_STEP_VALUE(t, "rigid", "good_from"));
        add(options, "to=%g", CARDO_STEP_VALUE(t, "rigid", "good_to"));
    } else {
        add(options, "from=0");
        add(options, "to=1");
        add(options, "pull=%d", PULL);
        add(options, "equilibration=%d", EQUILIBRATION);
        add(options, "steps=%d", WINDOW_STEPS);
        add(options, "replicas=%d", REPLICAS);
        add(options, "seed=%lld", t->options->how.seed);
    }
    if (step->rung != CARDO_RUNG_FLEXIBLE)
        add(options, "places=%d", PLACES);
    add(options, "bins=%d", CARDO_PROFILE_POINTS);
    add(options, "temperature=%g", t->options->how.temperature);
}

void cardo_step_set_options(const cardo_transition *t, const cardo_step *step,
                            cardo_step_options *options)
{
    options->n = 0;
    if (is_model(step))
        set_domains(t, step, options);
    else if (strcmp(step->study, "sample") == 0)
        set_sample(t, step, options);
    else if (strcmp(step->study, "info") == 0)
        add(options, "clashes=yes");
    else if (strcmp(step->study, "handoff") == 0) {
        add(options, "places=%d", FRAMES);
        add(options, "iterations=%d", RELAXING);
    } else if (strcmp(step->study, "modes") == 0)
        add(options, "temperature=%g", t->options->how.temperature);
    else if (strcmp(step->study, "simulate") == 0) {
        add(options, "steps=%d", DYNAMICS_STEPS);
        add(options, "timestep=%g", timestep);
        add(options, "report-interval=20");
        add(options, "trajectory-interval=50");
        add(options, "temperature=%g", t->options->how.temperature);
        add(options, "seed=%lld", t->options->how.seed);
    }
}

/* Places of a scan, times values of the other hinge's coordinate over which is integrated; more of them stay as they are. */
static double scan_evaluations(const cardo_transition *t)
{
    enum { OTHERS = 300 };
    char name[CARDO_TRANSITION_HINGES][CARDO_FIELD_STRING_SIZE];
    return cardo_transition_hinges(t, name) == 2 ? PLACES * OTHERS : PLACES;
}

char *cardo_time_words(double seconds, char text[32])
{
    if (seconds < 90)
        cardo_format(text, 32, "%.0f s", fmax(seconds, 1));
    else if (seconds < 5400)
        cardo_format(text, 32, "%.0f min", seconds / 60);
    else
        cardo_format(text, 32, "%.1f h", seconds / 3600);
    return text;
}

/* Of iterations in which all atoms move; 0: that is not known. */
static double relaxing_seconds(const cardo_transition *t, int iterations)
{
    const double one = CARDO_STEP_VALUE(t, "rigid", "atoms_evaluation_s");
    return isfinite(one) ? one * iterations * relaxing_evaluations : 0;
}

double cardo_step_predict(const cardo_transition *t, const cardo_step *step)
{
    const double start = step->rung == CARDO_RUNG_COARSE ? 0.1 : 0.3, minimization = 40;
    if (step->rung == CARDO_RUNG_FLEXIBLE) {
        const double one = flexible_cost * CARDO_STEP_VALUE(t, "rigid", "evaluation_s");
        const double walkers = REPLICAS * (PULL + WINDOWS * (EQUILIBRATION + WINDOW_STEPS));
        return !isfinite(one)    ? 0
               : is_model(step)  ? attempts * (one * trial_evaluations +
                                              relaxing_seconds(t, REFERENCE_PLACES * REFERENCE))
               : step->hinge < 0 ? one * minimum_evaluations
                                 : one * walkers;
    }
    const double one =
        step->model ? CARDO_STEP_VALUE(t, cardo_step_model(t, step), "evaluation_s") : (double)NAN;
    if (!isfinite(one))
        return 0;
    if (strcmp(step->study, "sample") == 0)
        return start +
               (step->rung == CARDO_RUNG_RIGID ? all_atom_cost : 1) * one * scan_evaluations(t);
    if (strcmp(step->study, "handoff") == 0)
        return start + relaxing_seconds(t, FRAMES * RELAXING);
    if (strcmp(step->study, "simulate") == 0)
        return start + dynamics_cost * one * DYNAMICS_STEPS;
    return start + one * minimization;
}

/* Without a model there is nothing to do, which was told when it was made. */
static bool is_refused(const cardo_transition *t, const cardo_step *step)
{
    const char *model = cardo_step_model(t, step);
    if (step->rung == CARDO_RUNG_FLEXIBLE && !CARDO_STEP_SAID(t, "rigid", "model_file"))
        return true;
    return model &&
           (CARDO_STEP_SAID(t, model, "left_out") || CARDO_STEP_SAID(t, model, "failed") ||
            CARDO_STEP_SAID(t, model, "no_forces") ||
            (CARDO_STEP_SAID(t, model, "seconds") && !CARDO_STEP_SAID(t, model, "model_file")));
}

static bool is_feasible(const cardo_transition *t, const cardo_step *step,
                        char reason[CARDO_STEP_TEXT])
{
    const char *model = step->model, *verdict = CARDO_STEP_SAID(t, model, "trial");
    if (step->rung == CARDO_RUNG_COARSE || !CARDO_STEP_SAID(t, model, "seconds"))
        return true;
    snprintf(reason, CARDO_STEP_TEXT, "the motion of this model: %s",
             verdict ? verdict : "untried");
    if (step->rung == CARDO_RUNG_FLEXIBLE && !(CARDO_STEP_VALUE(t, model, "whole") > 0))
        return false;
    if (step->rung == CARDO_RUNG_FLEXIBLE && t->options->how.symmetric &&
        strcmp(step->study, "sample") == 0) {
        snprintf(reason, CARDO_STEP_TEXT,
                 "hinges that go by one coordinate do so by a constraint, and masses with which "
                 "all freedoms are about equally fast want a model without");
        return false;
    }
    if (step->rung == CARDO_RUNG_FLEXIBLE)
        return true;
    return CARDO_STEP_VALUE(t, model, "good_to") > CARDO_STEP_VALUE(t, model, "good_from");
}

bool cardo_step_is_wanted(const cardo_transition *t, const cardo_step *step,
                          char reason[CARDO_STEP_TEXT])
{
    char name[CARDO_TRANSITION_HINGES][CARDO_FIELD_STRING_SIZE];
    const int rung = t->options->how.rung;
    reason[0] = '\0';
    if (strcmp(step->name, "domains") == 0)
        return true;
    if (!CARDO_STEP_SAID(t, "domains", "model_file") ||
        CARDO_STEP_SAID(t, "domains", "prediction") ||
        step->hinge >= cardo_transition_hinges(t, name))
        return false;
    if (rung != CARDO_RUNG_AUTO && step->rung > rung) {
        if (!step->model)
            snprintf(reason, CARDO_STEP_TEXT, "a lower rung was asked for");
        return false;
    }
    if (strcmp(step->name, "rigid") == 0 &&
        CARDO_STEP_VALUE(t, "domains", "heavy_atoms") < least_heavy_atoms) {
        cardo_format(reason, CARDO_STEP_TEXT,
                     "the first structure has %.1f heavy atoms a residue, hardly more than a "
                     "backbone, and forces between all atoms would be forces between guesses",
                     CARDO_STEP_VALUE(t, "domains", "heavy_atoms"));
        return false;
    }
    if (is_refused(t, step))
        return false;
    return (strcmp(step->study, "sample") != 0 && step->rung != CARDO_RUNG_FLEXIBLE) ||
           !step->model || is_feasible(t, step, reason);
}

/* "domain1 1-89,194-238; domain2 94-188": what a table has under two names, of which the first may be none. Chains without a name have no
 * colon here. */
static void note_residues(cardo_transition *t, const char *step, const char *as,
                          const cardo_result *table, const char *name)
{
    char text[CARDO_STEP_TEXT] = "";
    const cardo_result *names = name && table ? cardo_result_find(table, name) : NULL,
                       *residues = table ? cardo_result_find(table, "residues") : NULL;
    const long long n = residues ? cardo_result_rows(table) : 0;
    for (long long k = 0; k < n; ++k) {
        char word[CARDO_STEP_TEXT];
        int length = 0;
        for (const char *c = cardo_result_as_texts(residues)[k]; *c && length < CARDO_STEP_TEXT - 1;
             ++c)
            if (*c != ':' || (length > 0 && word[length - 1] != ','))
                word[length++] = *c;
        word[length] = '\0';
        cardo_append(text, sizeof text, "%s%s%s%.600s", k ? "; " : "",
                     names ? cardo_result_as_texts(names)[k] : "", names ? " " : "", word);
    }
    if (text[0])
        cardo_step_note_text(&t->notes, step, as, text);
}

static void take_domains(cardo_transition *t, const char *step, const cardo_result *result)
{
    static const struct {
        const char *name, *path;
    } texts[] = {{"verdict", "verdict"},
                 {"likeness", "likeness"},
                 {"kind", "kind"},
                 {"start", "start"},
                 {"end", "end"},
                 {"not_written", "not_written"},
                 {"model_file", "model_file"},
                 {"not_tried", "not_tried"},
                 {"trial", "trial/verdict"},
                 {"without_first", "left_out/start"},
                 {"without_second", "left_out/end"},
                 {"symmetry", "symmetry"},
                 {"note", "note"}},
      numbers[] = {{"rmsd_before_A", "rmsd_before_A"},
                   {"rmsd_left_A", "rmsd_left_A"},
                   {"explained", "explained"},
                   {"good_from", "trial/good_from_q"},
                   {"good_to", "trial/good_to_q"},
                   {"rise", "trial/rise_kJ_per_mol"},
                   {"hysteresis", "trial/hysteresis_kJ_per_mol"}};
    char names[CARDO_STEP_TEXT] = "";
    double angle[CARDO_TRANSITION_HINGES];
    const cardo_result *hinges = cardo_result_find(result, "hinges"),
                       *whole = cardo_result_find(result, "trial/whole"),
                       *prediction = cardo_result_find(result, "prediction");
    for (size_t k = 0; k < sizeof texts / sizeof *texts; ++k)
        cardo_step_note_text(&t->notes, step, texts[k].name,
                             cardo_result_text_at(result, texts[k].path));
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; ++k)
        if (cardo_result_find(result, numbers[k].path))
            cardo_step_note_number(&t->notes, step, numbers[k].name,
                                   cardo_result_number_at(result, numbers[k].path));
    note_residues(t, step, "residues", cardo_result_find(result, "domains"), "name");
    note_residues(t, step, "strands", cardo_result_find(result, "strands"), NULL);
    if (whole)
        cardo_step_note_number(&t->notes, step, "whole", cardo_result_as_truths(whole)[0]);
    if (prediction && cardo_result_as_truths(prediction)[0])
        cardo_step_note_text(&t->notes, step, "prediction", "yes");
    const cardo_result *child = hinges ? cardo_result_find(hinges, "child") : NULL,
                       *degrees = hinges ? cardo_result_find(hinges, "angle_deg") : NULL,
                       *copies = hinges ? cardo_result_find(hinges, "copy_of") : NULL;
    int n = 0;
    for (int k = 0; child && k < cardo_result_rows(hinges); ++k) {
        if (t->options->how.symmetric && copies && cardo_result_as_texts(copies)[k][0])
            continue; /* it goes as another does */
        cardo_append(names, sizeof names, "%s%s", n ? " " : "", cardo_result_as_texts(child)[k]);
        if (n < CARDO_TRANSITION_HINGES)
            angle[n] = degrees ? cardo_result_as_doubles(degrees)[k] : (double)NAN;
        ++n;
    }
    cardo_step_note_text(&t->notes, step, "hinges", names);
    cardo_step_note_numbers(&t->notes, step, "angles", angle,
                            n < CARDO_TRANSITION_HINGES ? n : CARDO_TRANSITION_HINGES);
}

static void take_sample(cardo_transition *t, const char *step, const cardo_result *result)
{
    long long n = 0;
    const double *q = cardo_result_doubles_at(result, "xi", &n);
    long long nenergy = 0, nsigma = 0;
    const double *energy = cardo_result_doubles_at(result, "F_kJ_per_mol", &nenergy);
    const double *sigma = cardo_result_doubles_at(result, "sigma_kJ_per_mol", &nsigma);
    double scaled[2][CARDO_PROFILE_POINTS];
    const double kT = CARDO_BOLTZMANN * t->options->how.temperature;
    double least = INFINITY;
    const int points = n < CARDO_PROFILE_POINTS ? (int)n : CARDO_PROFILE_POINTS;
    for (int k = 0; energy && nenergy == n && k < points; ++k)
        least = fmin(least, energy[k]);
    for (int k = 0; energy && sigma && nenergy == n && nsigma == n && k < points; ++k) {
        scaled[0][k] = (energy[k] - least) / kT;
        scaled[1][k] = sigma[k] / kT;
    }
    if (q && energy && sigma && nenergy == n && nsigma == n) {
        cardo_step_note_numbers(&t->notes, step, "q", q, points);
        cardo_step_note_numbers(&t->notes, step, "F", scaled[0], points);
        cardo_step_note_numbers(&t->notes, step, "sigma", scaled[1], points);
    }
    cardo_step_note_text(&t->notes, step, "verdict", cardo_result_text_at(result, "verdict"));
    const cardo_result *converged = cardo_result_find(result, "converged");
    if (converged)
        cardo_step_note_number(&t->notes, step, "converged", cardo_result_as_truths(converged)[0]);
}

static void take_handoff(cardo_transition *t, const char *step, const cardo_result *result)
{
    const cardo_result *strained = cardo_result_find(result, "frames/strained");
    const long long n = cardo_result_rows(cardo_result_find(result, "frames"));
    double bad = 0;
    for (long long k = 0; strained && k < n; ++k)
        bad += cardo_result_as_integers(strained)[k] > 0;
    cardo_step_note_number(&t->notes, step, "frames", (double)n);
    cardo_step_note_number(&t->notes, step, "strained", bad);
}

static void take_modes(cardo_transition *t, const char *step, const cardo_result *result)
{
    const cardo_result *modes = cardo_result_find(result, "modes"),
                       *overlap = modes ? cardo_result_find(modes, "overlap") : NULL,
                       *wavenumber = modes ? cardo_result_find(modes, "wavenumber_per_cm") : NULL;
    if (!modes || cardo_result_rows(modes) < 1)
        return;
    if (wavenumber)
        cardo_step_note_number(&t->notes, step, "wavenumber",
                               cardo_result_as_doubles(wavenumber)[0]);
    if (overlap && !cardo_result_is_absent(overlap, 0))
        cardo_step_note_number(&t->notes, step, "overlap", cardo_result_as_doubles(overlap)[0]);
}

static void take_dynamics(cardo_transition *t, const char *step, const cardo_result *result)
{
    static const char *const names[] = {"mean", "low", "high", NULL};
    const cardo_result *table = cardo_result_find(result, "coordinates"),
                       *names_of = table ? cardo_result_find(table, "coordinate") : NULL;
    if (names_of && cardo_result_rows(table) > 0)
        cardo_step_note_text(&t->notes, step, "coordinate", cardo_result_as_texts(names_of)[0]);
    for (int k = 0; table && names[k] && cardo_result_rows(table) > 0; ++k) {
        const cardo_result *column = cardo_result_find(table, names[k]);
        if (column)
            cardo_step_note_number(&t->notes, step, names[k], cardo_result_as_doubles(column)[0]);
    }
}

void cardo_step_take(cardo_transition *t, const cardo_step *step, const cardo_session *session,
                     const cardo_result *result)
{
    const char *words = cardo_result_text_at(result, "strain_along_paths_in_words");
    if (is_model(step))
        take_domains(t, step->name, result);
    else if (strcmp(step->study, "sample") == 0)
        take_sample(t, step->name, result);
    else if (strcmp(step->study, "handoff") == 0)
        take_handoff(t, step->name, result);
    else if (strcmp(step->study, "modes") == 0)
        take_modes(t, step->name, result);
    else if (strcmp(step->study, "simulate") == 0)
        take_dynamics(t, step->name, result);
    else if (strcmp(step->study, "minimize") == 0)
        cardo_step_note_numbers(&t->notes, step->name, "coordinates", cardo_state_q(session->state),
                                cardo_system_nq(session->system));
    cardo_step_note_text(&t->notes, step->name, "along", words);
}

bool cardo_step_profile(const cardo_transition *t, const char *step, cardo_hinge_profile *profile)
{
    profile->n = cardo_step_numbers(&t->notes, step, "q", profile->q, CARDO_PROFILE_POINTS);
    const int n[2] = {
        cardo_step_numbers(&t->notes, step, "F", profile->free_energy, CARDO_PROFILE_POINTS),
        cardo_step_numbers(&t->notes, step, "sigma", profile->sigma, CARDO_PROFILE_POINTS)};
    if (profile->n == 0 || n[0] != profile->n || n[1] != profile->n)
        return false;
    cardo_hinge_profile_judge(profile);
    return true;
}
