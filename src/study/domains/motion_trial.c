#include "study/domains/motion_trial.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/units.h"
#include "multibody/quantities/columns.h"
#include "multibody/tree/coordinate_names.h"
#include "study/domains/shared_geometry.h"
#include "study/reference/reference.h"
#include "topology/rotatable_bonds.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Torsions in other wells that are named. */
enum { MOST_NAMED = 5 };

typedef struct trying {
    cardo_session *session;
    cardo_motion_trial *trial;
    const cardo_trial_options *options;
    const cardo_listener *listener;
    cardo_bounds_view bounds;
    double least, most; /* above all atoms, of the cycle's places; kJ/mol */
    int cycle;          /* that these are of; none: -1 */
} trying;

cardo_status cardo_motion_trial_open(const char *model, bool evaluated,
                                     const cardo_listener *listener, cardo_session **out,
                                     cardo_error *error)
{
    /* Provider rigid is the faster one with small bodies too, where it knows the force field. */
    static const char *const rigid[] = {"forcefield.provider=rigid", "forcefield.tolerance=1e-3"};
    const cardo_listener quiet = {.size = sizeof quiet,
                                  .progress = listener->progress,
                                  .stop = listener->stop,
                                  .user = listener->user};
    cardo_session_options options = {
        .size = sizeof options, .nsetting = 2, .setting = rigid, .unevaluated = !evaluated};
    const cardo_status status = cardo_session_open(model, &options, &quiet, out, NULL);
    if (status == CARDO_OK)
        return CARDO_OK;
    options.nsetting = 0;
    return cardo_session_open(model, &options, &quiet, out, error);
}

static cardo_status open_trial(trying *t, const char *model, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    CARDO_TRY(
        cardo_motion_trial_open(model, t->options->minimize, t->listener, &t->session, error));
    if (!t->session->terms)
        CARDO_TRY(CARDO_FAIL(error, CARDO_ERROR_UNSUPPORTED,
                             "%s: a force field without a list of energy terms bounds nothing",
                             model));
    if (!cardo_session_has_course(t->session))
        CARDO_TRY(CARDO_FAIL(error, CARDO_ERROR_UNSUPPORTED,
                             "%s has no path that a trial could follow", model));
    CARDO_TRY(cardo_bounds_view_open(t->session, &t->bounds, error));
done:
    return status;
}

/* The residue that a torsion is of; -1: body b has none. */
static int turning_residue(const cardo_model *model, int b)
{
    const cardo_model_body *body = &model->body[b];
    return body->torsion ? model->structure[0].structure->atom_residue[body->bond[1]] : -1;
}

/* A strand that is closed in its middle has a residue's torsions on both sides. */
static bool is_first_of_residue(const cardo_model *model, int body)
{
    for (int b = 0; b < body; ++b)
        if (turning_residue(model, b) == turning_residue(model, body))
            return false;
    return true;
}

static void count(trying *t)
{
    const cardo_model *model = t->session->model;
    t->trial->coordinates = cardo_system_nu(t->session->system);
    for (int b = 0; b < model->nbody; ++b) {
        t->trial->coordinates -= model->body[b].fit != NULL;
        if (!model->body[b].torsion)
            continue;
        ++t->trial->torsions;
        t->trial->turning += is_first_of_residue(model, b);
    }
    t->trial->nled = t->options->led ? t->options->led->n : 0;
    t->trial->coordinates -= t->trial->nled;
}

static cardo_status look(trying *t, int k, int way, cardo_error *error)
{
    const cardo_broken_bounds *broken = &t->bounds.broken;
    cardo_trial_place *place = &t->trial->place[k];
    cardo_status status = cardo_bounds_view_look(&t->bounds, t->session->state, error);
    if (status != CARDO_OK)
        return status;
    place->reached[way] = true;
    place->nbroken[way] = broken->nbroken;
    place->worst[way][0] = '\0';
    if (broken->nbroken > 0)
        cardo_broken_bound_text(t->session, &broken->broken[0], place->worst[way]);
    return CARDO_OK;
}

static cardo_status look_still(void *context, int place, cardo_error *error)
{
    return look(context, place, CARDO_COURSE_THERE, error);
}

/* What the judged model is least above all atoms. */
static double least_above(const cardo_motion_trial *judged)
{
    double least = HUGE_VAL;
    for (int k = 0; k < CARDO_TRIAL_PLACES; k += CARDO_TRIAL_REFERENCE_EVERY)
        least = fmin(least, judged->place[k].lower - judged->place[k].all_atoms);
    return least;
}

/* Is it so strained that no further cycle could make it good: one to twice the bound, or a place to four times, on any way? */
static cardo_status look_at_strain(trying *t, const cardo_course_stop *stop, cardo_error *error)
{
    const cardo_motion_trial *against = t->options->against;
    const double bound = t->options->most_strain;
    if (!against || stop->place % CARDO_TRIAL_REFERENCE_EVERY != 0)
        return CARDO_OK;
    const double above = stop->rest->last.potential - against->place[stop->place].all_atoms;
    t->least = stop->cycle == t->cycle ? fmin(t->least, above) : above;
    t->most = stop->cycle == t->cycle ? fmax(t->most, above) : above;
    t->cycle = stop->cycle;
    const double strain = t->most - t->least, more = above - least_above(against);
    return (stop->cycle == 0 || strain <= 2 * bound) && more <= 4 * bound
               ? CARDO_OK
               : CARDO_FAIL(error, CARDO_RECOVERABLE, "strained by %.0f kJ/mol",
                            fmax(strain, more));
}

/* The way ends there; a trial that only looks for the ends goes on. */
static cardo_status look_for_knots(trying *t, cardo_error *error)
{
    const cardo_broken_bound *knot = cardo_broken_bounds_knot(&t->bounds.broken);
    char text[CARDO_BROKEN_BOUND_TEXT];
    if (!knot || t->options->cycles == 0)
        return CARDO_OK;
    t->trial->knotted = true;
    return CARDO_FAIL(error, CARDO_ERROR_NUMERICAL, "atoms stand in one another: %s",
                      cardo_broken_bound_text(t->session, knot, text));
}

static cardo_status look_at_rest(void *context, const cardo_course_stop *stop, cardo_error *error)
{
    cardo_status status = look(context, stop->place, stop->way, error);
    if (status == CARDO_OK)
        status = look_for_knots(context, error);
    return status == CARDO_OK ? look_at_strain(context, stop, error) : status;
}

static cardo_status go_still(trying *t, cardo_error *error)
{
    double fraction[CARDO_TRIAL_PLACES];
    int reached = 0;
    for (int k = 0; k < CARDO_TRIAL_PLACES; ++k)
        fraction[k] = t->trial->place[k].q;
    const cardo_status status = cardo_session_course(t->session, CARDO_TRIAL_PLACES, fraction,
                                                     look_still, t, &reached, error);
    if (status == CARDO_OK && reached < CARDO_TRIAL_PLACES)
        cardo_format(t->trial->ended, sizeof t->trial->ended,
                     "before q = %.3g: constraints let the paths go no farther", fraction[reached]);
    return status;
}

static void take_course(const trying *t, const cardo_course *course)
{
    cardo_motion_trial *trial = t->trial;
    trial->nterm = course->nterm < CARDO_TRIAL_TERMS ? course->nterm : CARDO_TRIAL_TERMS;
    trial->evaluations = course->evaluations;
    trial->interrupted = course->interrupted;
    trial->hysteresis = course->hysteresis;
    trial->work = course->work;
    trial->regained = course->regained;
    trial->lost = course->lost;
    if (t->options->cycles > 0) {
        trial->force = course->force;
        trial->unrested = course->unrested;
    }
    snprintf(trial->ended, sizeof trial->ended, "%s", course->ended);
    for (int j = 0; j < trial->nterm; ++j)
        snprintf(trial->term[j], sizeof trial->term[j], "%s",
                 cardo_evaluator_term_name(t->session->evaluator, j));
    for (int k = 0; k < CARDO_TRIAL_PLACES; ++k) {
        cardo_trial_place *place = &trial->place[k];
        place->lower = course->lower[k];
        for (int way = 0; way < 2; ++way)
            place->potential[way] = course->energy[way][k];
        for (int j = 0; j < trial->nterm; ++j)
            place->term[j] = course->term[k * course->nterm + j];
    }
}

/* Names the torsions that are farthest apart, as far as the text goes. */
static void find_leaping(const trying *t, const cardo_course *course)
{
    const cardo_model *model = t->session->model;
    char *text = t->trial->leaping;
    double below = HUGE_VAL;
    for (int named = 0; named < MOST_NAMED; ++named) {
        double most = CARDO_TORSION_LEAPS;
        int which = -1;
        for (int b = 0; b < model->nbody; ++b) {
            cardo_body_info info;
            if (!model->body[b].torsion)
                continue;
            cardo_system_body(t->session->system, b + 1, &info);
            const double far = cardo_torsion_apart(course, info.q_first);
            if (far > most && far < below) {
                most = far;
                which = b;
            }
        }
        if (which < 0)
            return;
        below = most;
        const size_t used = strlen(text);
        cardo_format(text + used, CARDO_TRIAL_LEAPING - used, "%s%s", named > 0 ? ", " : "",
                     model->body[which].name);
    }
}

/* Of side chains, where the places that were reached are. */
static void find_motion(const trying *t, const cardo_course *course)
{
    const cardo_model *model = t->session->model;
    double *motion = t->options->motion;
    for (int r = 0; r < model->structure[0].structure->nresidue; ++r)
        motion[r] = -1;
    for (int b = 0; b < model->nbody; ++b) {
        cardo_body_info info;
        double low = HUGE_VAL, high = -HUGE_VAL;
        if (!(model->body[b].torsion & CARDO_TURN_CHI))
            continue;
        const int r = turning_residue(model, b);
        cardo_system_body(t->session->system, b + 1, &info);
        for (int k = 0; k < course->nplace; ++k)
            if (isfinite(course->lower[k])) {
                const double q = course->coordinates[k * course->nq + info.q_first];
                low = fmin(low, q);
                high = fmax(high, q);
            }
        motion[r] = fmax(motion[r], high - low);
    }
}

static void take_row(const cardo_course *course, int k, double *row)
{
    row[0] = k;
    row[1] = course->q[k];
    row[2] = course->lower[k];
    memcpy(row + CARDO_TRIAL_BEFORE_TERMS, course->term + (size_t)k * (size_t)course->nterm,
           (size_t)course->nterm * sizeof *row);
    memcpy(row + CARDO_TRIAL_BEFORE_TERMS + course->nterm,
           course->coordinates + (size_t)k * (size_t)course->nq, (size_t)course->nq * sizeof *row);
}

static cardo_status keep_places(const trying *t, const cardo_course *course, cardo_error *error)
{
    cardo_status status;
    cardo_motion_trial *trial = t->trial;
    const int n = trial->ncolumn = CARDO_TRIAL_BEFORE_TERMS + course->nterm + course->nq;
    CARDO_TRY(CARDO_ALLOCATE(&trial->column, n, error));
    CARDO_TRY(CARDO_ALLOCATE(&trial->row, (size_t)n * (size_t)course->nplace, error));
    trial->column[0] = cardo_column_of("step", "", 0);
    trial->column[1] = cardo_column_of("fraction", "", 6);
    trial->column[2] = cardo_column_of("potential", "kJ/mol", 12);
    for (int j = 0; j < course->nterm; ++j)
        trial->column[CARDO_TRIAL_BEFORE_TERMS + j] =
            cardo_column_of(cardo_evaluator_term_name(t->session->evaluator, j), "kJ/mol", 12);
    cardo_coordinate_columns(t->session->system,
                             trial->column + CARDO_TRIAL_BEFORE_TERMS + course->nterm);
    for (int k = course->nplace - 1; k >= 0; --k)
        if (isfinite(course->lower[k]))
            take_row(course, k, trial->row + (size_t)n * (size_t)trial->nrow++);
    if (course->reached < course->nplace)
        return CARDO_OK;
    CARDO_TRY(CARDO_ALLOCATE(&trial->end, course->nq + 1, error));
    memcpy(trial->end,
           (cardo_motion_trial_has_lost(trial) ? course->begun : course->coordinates) +
               (size_t)(course->nplace - 1) * (size_t)course->nq,
           (size_t)course->nq * sizeof *trial->end);
done:
    return status;
}

const double *cardo_motion_trial_coordinates(const cardo_motion_trial *trial, int place)
{
    return trial->row + (size_t)(trial->nrow - 1 - place) * (size_t)trial->ncolumn +
           CARDO_TRIAL_BEFORE_TERMS + trial->nterm;
}

void cardo_motion_trial_clear(cardo_motion_trial *trial)
{
    cardo_led_torsions_clear(&trial->led);
    cardo_free(trial->column);
    cardo_free(trial->row);
    cardo_free(trial->end);
    trial->column = NULL;
    trial->row = trial->end = NULL;
}

void cardo_motion_trial_destroy(cardo_motion_trial *trial)
{
    if (trial)
        cardo_motion_trial_clear(trial);
    cardo_free(trial);
}

void cardo_motion_trials_swap(cardo_motion_trial *one, cardo_motion_trial *other)
{
    const cardo_motion_trial old = *one;
    *one = *other;
    *other = old;
}

static cardo_status find_led(trying *t, const cardo_course *course, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    if (t->options->led)
        CARDO_TRY(cardo_led_torsions_copy(t->options->led, &t->trial->led, error));
    if (!course->interrupted && course->reached == course->nplace && course->freedoms > 0)
        status = cardo_led_torsions_add(t->session, course, &t->trial->led, error);
done:
    return status;
}

static cardo_status go_at_rest(trying *t, cardo_error *error)
{
    cardo_status status;
    cardo_course course = {0};
    double *end = NULL;
    bool is_end = false;
    CARDO_TRY(CARDO_ALLOCATE(&end, cardo_system_nq(t->session->system) + 1, error));
    if (t->options->geometry && !t->options->end)
        CARDO_TRY(cardo_shared_geometry_end(t->session, t->options->geometry, NULL,
                                            t->options->farthest, end, &is_end, error));
    const cardo_course_options options = {.iterations = t->options->iterations,
                                          .tolerance = 1,
                                          .heat = t->options->heat,
                                          .rounds = t->options->rounds,
                                          .cycles = t->options->cycles,
                                          .cycle_iterations = t->options->cycle_iterations,
                                          .at_start = t->options->against != NULL,
                                          .end = t->options->end ? t->options->end
                                                 : is_end        ? end
                                                                 : NULL,
                                          .observe = look_at_rest,
                                          .context = t};
    CARDO_TRY(cardo_session_cool_course(t->session, CARDO_TRIAL_PLACES, &options, &course, error));
    take_course(t, &course);
    find_leaping(t, &course);
    if (t->options->motion)
        find_motion(t, &course);
    CARDO_TRY(keep_places(t, &course, error));
    CARDO_TRY(find_led(t, &course, error));
done:
    cardo_free(end);
    cardo_course_clear(&course);
    return status;
}

bool cardo_motion_trial_is_closed(const cardo_motion_trial *trial)
{
    return !(fabs(trial->work) > CARDO_COURSE_CLOSED) && trial->unrested == 0;
}

bool cardo_motion_trial_is_through(const cardo_motion_trial *trial)
{
    return !trial->interrupted && !trial->knotted && trial->nrow == CARDO_TRIAL_PLACES;
}

bool cardo_motion_trial_has_lost(const cardo_motion_trial *trial)
{
    return trial->lost > CARDO_COURSE_CLOSED;
}

bool cardo_motion_trial_has_strain(const cardo_motion_trial *trial)
{
    return trial->reference_hysteresis <= CARDO_REFERENCE_MOST;
}

cardo_judged_sides cardo_judged_sides_of(int k)
{
    const int part = k % CARDO_TRIAL_REFERENCE_EVERY, before = k - part;
    return (cardo_judged_sides){.before = before,
                                .after = part > 0 ? before + CARDO_TRIAL_REFERENCE_EVERY : before,
                                .share = (double)part / CARDO_TRIAL_REFERENCE_EVERY};
}

double cardo_motion_trial_all_atoms(const cardo_motion_trial *trial, int k)
{
    const cardo_judged_sides sides = cardo_judged_sides_of(k);
    return (1 - sides.share) * trial->place[sides.before].all_atoms +
           sides.share * trial->place[sides.after].all_atoms;
}

/* Beyond what all atoms ask. */
static double strain_at(const cardo_motion_trial *trial, int k)
{
    const cardo_trial_place *judged = &trial->place[cardo_judged_sides_of(k).before];
    const double least = judged->lower - judged->all_atoms - judged->strain;
    return trial->place[k].lower - least - cardo_motion_trial_all_atoms(trial, k);
}

static void find_strain(cardo_motion_trial *trial)
{
    trial->strain = 0;
    for (int k = 0; k < CARDO_TRIAL_PLACES; ++k)
        trial->strain = fmax(trial->strain, strain_at(trial, k));
}

bool cardo_motion_trial_is_high(const cardo_motion_trial *trial, int place)
{
    const cardo_judged_sides sides = cardo_judged_sides_of(place);
    if (!cardo_motion_trial_has_strain(trial))
        return trial->place[place].lower - trial->least > CARDO_TRIAL_HIGH;
    return fmax(strain_at(trial, place),
                fmax(trial->place[sides.before].strain, trial->place[sides.after].strain)) >
           CARDO_REFERENCE_MOST;
}

static bool is_good(const cardo_motion_trial *trial, int k)
{
    const cardo_trial_place *place = &trial->place[k];
    if (!place->reached[0] || place->nbroken[0] > 0)
        return false;
    return !trial->minimized || (place->reached[1] && place->nbroken[1] == 0 &&
                                 isfinite(place->lower) && !cardo_motion_trial_is_high(trial, k));
}

/* All atoms, at some of the places. */
static cardo_status look_at_all_atoms(cardo_session *session, int iterations,
                                      cardo_motion_trial *trial, cardo_error *error)
{
    enum { MOST_SWEEPS = 3, PLACES = CARDO_TRIAL_JUDGED };
    cardo_status status;
    const int nq = trial->ncolumn - CARDO_TRIAL_BEFORE_TERMS - trial->nterm;
    cardo_reference reference = {0};
    cardo_reference_options options = cardo_reference_options_default();
    double q[PLACES], *coordinates = NULL;
    options.iterations = iterations;
    options.sweeps = MOST_SWEEPS;
    CARDO_TRY(CARDO_ALLOCATE(&coordinates, (size_t)PLACES * (size_t)nq + 1, error));
    for (int j = 0; j < PLACES; ++j) {
        const int k = j * CARDO_TRIAL_REFERENCE_EVERY;
        q[j] = trial->place[k].q;
        memcpy(coordinates + (size_t)j * (size_t)nq, cardo_motion_trial_coordinates(trial, k),
               (size_t)nq * sizeof *coordinates);
    }
    CARDO_TRY(cardo_reference_sweep(session, PLACES, q, coordinates, &options, &reference, error));
    trial->interrupted = reference.interrupted;
    for (int j = 0; j < PLACES && !reference.interrupted; ++j) {
        cardo_trial_place *place = &trial->place[j * CARDO_TRIAL_REFERENCE_EVERY];
        place->strain = reference.place[j].strain;
        place->all_atoms = reference.place[j].lower;
    }
    if (!reference.interrupted) {
        find_strain(trial);
        trial->reference_hysteresis = reference.hysteresis;
    }
done:
    cardo_reference_clear(&reference);
    cardo_free(coordinates);
    return status;
}

static void find_energies(cardo_motion_trial *trial)
{
    double high = -HUGE_VAL;
    trial->least = HUGE_VAL;
    for (int k = 0; k < CARDO_TRIAL_PLACES; ++k) {
        trial->least = fmin(trial->least, trial->place[k].lower);
        high = fmax(high, trial->place[k].lower);
    }
    trial->rise = high >= trial->least ? high - trial->least : (double)NAN;
    trial->left = trial->place[0].potential[1] - trial->place[0].potential[0];
}

static void find_range(cardo_motion_trial *trial)
{
    trial->first = 0;
    trial->last = -1;
    for (int k = 0, from = 0; k < CARDO_TRIAL_PLACES; ++k) {
        if (!is_good(trial, k))
            from = k + 1;
        else if (k - from > trial->last - trial->first) {
            trial->first = from;
            trial->last = k;
        }
    }
}

void cardo_motion_trial_assume(cardo_motion_trial *trial, const cardo_motion_trial *judged)
{
    double low = HUGE_VAL;
    for (int k = 0; k < CARDO_TRIAL_PLACES; k += CARDO_TRIAL_REFERENCE_EVERY) {
        trial->place[k].all_atoms = judged->place[k].all_atoms;
        trial->place[k].strain = trial->place[k].lower - judged->place[k].all_atoms;
        low = fmin(low, trial->place[k].strain);
    }
    for (int k = 0; k < CARDO_TRIAL_PLACES; k += CARDO_TRIAL_REFERENCE_EVERY)
        trial->place[k].strain -= low;
    find_strain(trial);
    trial->reference_hysteresis = judged->reference_hysteresis;
    find_range(trial);
}

cardo_status cardo_motion_trial_run(const char *model, const cardo_trial_options *options,
                                    const cardo_listener *listener, cardo_motion_trial *trial,
                                    cardo_error *error)
{
    trying t = {.trial = trial, .options = options, .listener = listener, .cycle = -1};
    const double begun = cardo_clock();
    cardo_status status;
    *trial = (cardo_motion_trial){.minimized = options->minimize,
                                  .for_ends = options->minimize && options->cycles == 0,
                                  .strain = (double)NAN,
                                  .work = (double)NAN,
                                  .regained = (double)NAN,
                                  .reference_hysteresis = (double)NAN};
    for (int k = 0; k < CARDO_TRIAL_PLACES; ++k)
        trial->place[k] = (cardo_trial_place){.q = (double)k / (CARDO_TRIAL_PLACES - 1),
                                              .potential = {(double)NAN, (double)NAN},
                                              .lower = (double)NAN,
                                              .strain = (double)NAN,
                                              .all_atoms = (double)NAN};
    CARDO_TRY(open_trial(&t, model, error));
    count(&t);
    CARDO_TRY(options->minimize ? go_at_rest(&t, error) : go_still(&t, error));
    find_energies(trial);
    trial->seconds = cardo_clock() - begun;
    find_range(trial);
done:
    cardo_bounds_view_clear(&t.bounds);
    cardo_session_close(t.session);
    return status;
}

cardo_status cardo_motion_trial_judge(const char *model, int iterations,
                                      const cardo_listener *listener, cardo_motion_trial *trial,
                                      cardo_error *error)
{
    cardo_status status;
    cardo_session *session = NULL;
    if (iterations == 0 || !trial->minimized || trial->interrupted ||
        trial->nrow != CARDO_TRIAL_PLACES)
        return CARDO_OK;
    CARDO_TRY(cardo_motion_trial_open(model, true, listener, &session, error));
    CARDO_TRY(look_at_all_atoms(session, iterations, trial, error));
    find_range(trial);
done:
    cardo_session_close(session);
    return status;
}
