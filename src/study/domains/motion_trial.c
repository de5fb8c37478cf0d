#include "study/domains/motion_trial.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/number.h"
#include "cardo/manifold.h"
#include "dynamics/coordinates/constrained.h"
#include "dynamics/minimization.h"
#include "dynamics/motion_way.h"
#include "multibody/tree/motion.h"

#include <math.h>

typedef struct trying {
    cardo_session *session;
    cardo_motion_trial *trial;
    const cardo_listener *listener;
    cardo_minimization_options rest;
    cardo_bounds_view bounds;
    cardo_state *before; /* of a step                                              */
    int done;            /* places                                                 */
} trying;

/* All paths together, by the time as their q. */
static cardo_status prescribe_paths(cardo_session *session, cardo_error *error)
{
    static const double slope[2] = {1, 0};
    static const cardo_function together = {
        .kind = CARDO_FUNCTION_LINEAR, .narg = 1, .ncoefficient = 2, .coefficients = slope};
    const cardo_model *model = session->model;
    int npath = 0;
    for (int b = 0; b < model->nbody; ++b)
        if (model->body[b].fit) {
            model->body[b].motion = &together;
            model->body[b].driven = 1U;
            ++npath;
        }
    return npath ? cardo_session_rebuild(session, error)
                 : CARDO_FAIL(error, CARDO_ERROR_UNSUPPORTED,
                              "%s has no path that a trial could follow", model->path);
}

static void count(trying *t)
{
    const cardo_model *model = t->session->model;
    int residue = -1;
    t->trial->coordinates =
        cardo_system_nu(t->session->system) - cardo_system_nprescribed(t->session->system);
    for (int b = 0; b < model->nbody; ++b) {
        if (!model->body[b].torsion)
            continue;
        const int r = model->structure[0].structure->atom_residue[model->body[b].bond[1]];
        ++t->trial->torsions;
        t->trial->turning += r != residue;
        residue = r;
    }
}

static cardo_status open_trial(trying *t, const char *model, cardo_error *error)
{
    /* On one thread provider rigid is the faster one with small bodies too, where it knows the force field. */
    static const char *const settings[] = {"forcefield.threads=1", "forcefield.provider=rigid"};
    cardo_session_options options = {.size = sizeof options, .nsetting = 2, .setting = settings};
    cardo_status status = cardo_session_open(model, &options, NULL, &t->session, NULL);
    if (status != CARDO_OK) {
        options.nsetting = 1;
        CARDO_TRY(cardo_session_open(model, &options, NULL, &t->session, error));
    }
    if (!t->session->terms)
        CARDO_TRY(CARDO_FAIL(error, CARDO_ERROR_UNSUPPORTED,
                             "%s: a force field without a list of energy terms bounds nothing",
                             model));
    CARDO_TRY(cardo_bounds_view_open(t->session, &t->bounds, error));
    CARDO_TRY(prescribe_paths(t->session, error));
    CARDO_TRY(cardo_state_create(t->session->system, &t->before, error));
    count(t);
done:
    return status;
}

static cardo_status close_loops(const trying *t, cardo_error *error)
{
    return cardo_constraint_row_count(t->session->system) > 0
               ? cardo_begin_on_constraints(t->session->system, t->session->state, error)
               : CARDO_OK;
}

/* To the place, all else as it was or as constraints move it. */
static cardo_status lead(trying *t, double q, bool begin, cardo_error *error)
{
    const cardo_system *system = t->session->system;
    cardo_state *state = t->session->state;
    if (!begin && cardo_constraint_row_count(system) > 0)
        return cardo_follow_motions(system, state, q, error);
    cardo_state_set_time(state, q);
    cardo_state_prescribe(system, state);
    cardo_status status = begin ? close_loops(t, error) : CARDO_OK;
    return status == CARDO_OK ? cardo_realize(system, state, CARDO_STAGE_POSITION, error) : status;
}

static cardo_status settle(trying *t, bool begin, double *potential, cardo_error *error)
{
    cardo_minimization_result result;
    *potential = (double)NAN;
    if (!t->trial->minimized)
        return CARDO_OK;
    /* Deposited structures come from farther than a step leads. */
    const cardo_minimization_options rest = {.iterations = (begin ? 5 : 1) * t->rest.iterations,
                                             .tolerance = t->rest.tolerance};
    const cardo_minimization_observer observer = {.interrupt = t->listener->stop};
    cardo_status status =
        cardo_minimization_run(t->session->system, t->session->state, t->session->evaluator, &rest,
                               &observer, &result, error);
    if (status == CARDO_OK) {
        *potential = result.last.potential;
        t->trial->evaluations += result.last.evaluations;
        t->trial->interrupted = t->trial->interrupted || result.interrupted;
    }
    return status;
}

static cardo_status look(trying *t, cardo_trial_place *place, int way, cardo_error *error)
{
    cardo_broken_bounds *broken = &t->bounds.broken;
    cardo_status status = cardo_bounds_view_look(&t->bounds, t->session->state, error);
    if (status != CARDO_OK)
        return status;
    place->reached[way] = true;
    place->nbroken[way] = broken->nbroken;
    if (broken->nbroken > 0)
        cardo_broken_bound_text(t->session, &broken->broken[0], place->worst[way]);
    if (t->listener->progress)
        t->listener->progress(t->listener->user, "place", ++t->done, 2 * CARDO_TRIAL_PLACES - 1);
    return CARDO_OK;
}

/* One place; *on is false where the way ends before it, and the state stays at the place before. */
static cardo_status visit(trying *t, int k, int way, bool *on, cardo_error *error)
{
    cardo_trial_place *place = &t->trial->place[k];
    const bool begin = k == 0 && way == 0;
    cardo_error found = {0};
    cardo_state_copy(t->before, t->session->state);
    cardo_status status = lead(t, place->q, begin, &found);
    if (status == CARDO_OK)
        status = settle(t, begin, &place->potential[way], &found);
    if (status == CARDO_OK)
        return look(t, place, way, error);
    if (status != CARDO_RECOVERABLE && status != CARDO_ERROR_NUMERICAL) {
        if (error)
            *error = found;
        return status;
    }
    *on = false;
    if (!t->trial->ended[0])
        cardo_format(t->trial->ended, sizeof t->trial->ended, "before q = %.3g: %.500s", place->q,
                     found.message);
    cardo_state_copy(t->session->state, t->before);
    return CARDO_OK;
}

static cardo_status go(trying *t, cardo_error *error)
{
    cardo_motion_trial *trial = t->trial;
    cardo_status status = CARDO_OK;
    bool on = true;
    int k = 0;
    for (; k < CARDO_TRIAL_PLACES && on && !trial->interrupted && status == CARDO_OK; ++k)
        status = visit(t, k, 0, &on, error);
    on = trial->minimized;
    /* The last place that was reached is where the way back begins. */
    for (k -= trial->ended[0] ? 2 : 1; k >= 0 && on && !trial->interrupted && status == CARDO_OK;
         --k)
        status = visit(t, k, 1, &on, error);
    return status;
}

static bool is_good(const cardo_motion_trial *trial, int k)
{
    const cardo_trial_place *place = &trial->place[k];
    return place->reached[0] && place->nbroken[0] == 0 &&
           (!trial->minimized || (place->reached[1] && place->nbroken[1] == 0));
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
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (int k = trial->first; k <= trial->last; ++k)
        for (int way = 0; way < 2; ++way) {
            low = fmin(low, trial->place[k].potential[way]);
            high = fmax(high, trial->place[k].potential[way]);
        }
    trial->rise = trial->minimized && high >= low ? high - low : (double)NAN;
    trial->left = trial->place[0].potential[1] - trial->place[0].potential[0];
}

cardo_status cardo_motion_trial_run(const char *model, bool minimize, int iterations,
                                    const cardo_listener *listener, cardo_motion_trial *trial,
                                    cardo_error *error)
{
    trying t = {
        .trial = trial, .listener = listener, .rest = {.iterations = iterations, .tolerance = 5}};
    const double begun = cardo_clock();
    cardo_status status;
    *trial = (cardo_motion_trial){.minimized = minimize};
    for (int k = 0; k < CARDO_TRIAL_PLACES; ++k)
        trial->place[k] = (cardo_trial_place){.q = (double)k / (CARDO_TRIAL_PLACES - 1),
                                              .potential = {(double)NAN, (double)NAN}};
    CARDO_TRY(open_trial(&t, model, error));
    status = go(&t, error);
    find_range(trial);
    trial->seconds = cardo_clock() - begun;
done:
    cardo_state_destroy(t.before);
    cardo_bounds_view_clear(&t.bounds);
    cardo_session_close(t.session);
    return status;
}
