#include "study/session/course.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/vec.h"
#include "cardo/structure.h"
#include "dynamics/annealing.h"
#include "dynamics/coordinates/constrained.h"
#include "dynamics/motion_way.h"
#include "multibody/tree/motion.h"
#include "multibody/tree/operators.h"
#include "study/session/assembly.h"
#include "study/session/energies.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LONGER_AT_FIRST = 5, SHORTER_BEFORE_HEAT = 4 };

/* ps from the first structure to the last: so slow that heat, which takes picoseconds, leaves the paths where they are. */
static const double slowness = 1e6;
static const double longest_step = 0.05;
/* Of what a cycle takes: one that takes more of it than this will not close by itself. */
static const double closing = 0.9;

bool cardo_session_has_course(const cardo_session *session)
{
    for (int b = 0; b < session->model->nbody; ++b)
        if (session->model->body[b].fit)
            return true;
    return false;
}

/* Puts every path at a fraction of its way, and marks its coordinate; false: there is none. */
static void place_paths(const cardo_session *session, double fraction, double *q, bool *is_path)
{
    for (int b = 0; b < session->model->nbody; ++b) {
        const cardo_model_body *body = &session->model->body[b];
        cardo_body_info info;
        if (!body->fit)
            continue;
        cardo_system_body(session->system, b + 1, &info);
        q[info.q_first] = fraction * (body->fit->nstructure - 1);
        is_path[info.q_first] = true;
    }
}

/* From one place to the next, *there: whether constraints let the paths get there. */
static cardo_status go(const cardo_session *session, double from, double to, double *q,
                       bool *is_path, bool *there, cardo_error *error)
{
    const int nstep = (int)ceil(fmax(fabs(to - from) / longest_step - 1e-9, 1));
    *there = true;
    for (int step = 1; step <= nstep; ++step) {
        cardo_error problem;
        place_paths(session, from + (to - from) * step / nstep, q, is_path);
        cardo_state_set_q(session->state, q);
        const cardo_status status = cardo_session_close_loops(session, is_path, &problem);
        *there = status == CARDO_OK;
        if (status == CARDO_ERROR_NUMERICAL)
            return CARDO_OK;
        if (status != CARDO_OK && error)
            *error = problem;
        if (status != CARDO_OK)
            return status;
        memcpy(q, cardo_state_q(session->state),
               (size_t)cardo_system_nq(session->system) * sizeof *q);
    }
    return CARDO_OK;
}

cardo_status cardo_session_course(const cardo_session *session, int n, const double *fraction,
                                  cardo_course_visitor visit, void *context, int *reached,
                                  cardo_error *error)
{
    cardo_status status;
    double *q = NULL, *before = NULL;
    bool *is_path = NULL;
    const size_t nq = (size_t)cardo_system_nq(session->system);
    *reached = 0;
    CARDO_TRY(CARDO_ALLOCATE(&q, nq + 1, error));
    CARDO_TRY(CARDO_ALLOCATE(&before, nq + 1, error));
    CARDO_TRY(CARDO_ALLOCATE(&is_path, nq + 1, error));
    memcpy(before, cardo_state_q(session->state), nq * sizeof *q);
    memcpy(q, before, nq * sizeof *q);
    for (int k = 0; k < n && cardo_session_has_course(session); ++k) {
        bool there;
        CARDO_TRY(go(session, fraction[k > 0 ? k - 1 : 0], fraction[k], q, is_path, &there, error));
        if (!there)
            break;
        CARDO_TRY(visit(context, k, error));
        *reached = k + 1;
    }
    cardo_state_set_q(session->state, before);
    status = cardo_realize(session->system, session->state, CARDO_STAGE_POSITION, error);
done:
    cardo_free(q);
    cardo_free(before);
    cardo_free(is_path);
    return status;
}

typedef struct cooling {
    cardo_session *session;
    const cardo_course_options *options;
    cardo_course *out;
    cardo_function *motion; /* q of each path by the time (nbody)      */
    double (*slope)[2];     /* (nbody) */
    cardo_state *before;    /* of a step                                                      */
    double *forces;         /* that lead the paths (nu)                                       */
    int done, cycle;
    bool given_up;             /* by who looks on */
    bool quick;                /* before the heat */
    cardo_curvature curvature; /* of the places, once the first was come to */
} cooling;

void cardo_course_clear(cardo_course *course)
{
    cardo_free(course->q);
    cardo_free(course->coordinates);
    cardo_free(course->term);
    cardo_free(course->lower);
    cardo_free(course->begun_energy);
    cardo_free(course->begun);
    for (int way = 0; way < CARDO_COURSE_WAYS; ++way) {
        cardo_free(course->energy[way]);
        cardo_free(course->way[way]);
        cardo_free(course->motive[way]);
        cardo_free(course->half_energy[way]);
        cardo_free(course->half_way[way]);
        cardo_free(course->half_motive[way]);
    }
    *course = (cardo_course){0};
}

/* Prescribes the paths; returns how many there are. */
static int prescribe(cooling *c)
{
    cardo_model *model = c->session->model;
    int n = 0;
    for (int b = 0; b < model->nbody; ++b) {
        cardo_model_body *body = &model->body[b];
        if (!body->fit)
            continue;
        c->slope[b][0] = (body->fit->nstructure - 1) / slowness;
        c->motion[b] = (cardo_function){.kind = CARDO_FUNCTION_LINEAR,
                                        .narg = 1,
                                        .ncoefficient = 2,
                                        .coefficients = c->slope[b]};
        body->motion = &c->motion[b];
        body->driven = 1;
        ++n;
    }
    return n;
}

/* Deposited structures come from farther than a place before does. */
static bool is_begin(const cooling *c, int k, int way)
{
    return (k == 0 || c->options->end) && way == CARDO_COURSE_THERE && c->done == 0;
}

static bool is_cycle_begin(const cooling *c, int k, int way)
{
    return c->cycle > 0 && k == 0 && way == CARDO_COURSE_THERE;
}

static cardo_status move(const cooling *c, double q, bool begin, cardo_error *error)
{
    const cardo_session *session = c->session;
    const bool tied = cardo_constraint_row_count(session->system) > 0;
    cardo_status status = CARDO_OK;
    if (!begin && tied)
        return cardo_follow_motions(session->system, session->state, q * slowness, error);
    cardo_state_set_time(session->state, q * slowness);
    cardo_state_prescribe(session->system, session->state);
    if (tied)
        status = cardo_begin_on_constraints(session->system, session->state, error);
    return status == CARDO_OK
               ? cardo_realize(session->system, session->state, CARDO_STAGE_POSITION, error)
               : status;
}

/* What leads all paths together, for a share of their way. */
static cardo_status find_motive(const cooling *c, double *motive, cardo_error *error)
{
    cardo_status status;
    const cardo_session *session = c->session;
    CARDO_TRY(cardo_realize(session->system, session->state, CARDO_STAGE_ACCELERATION, error));
    CARDO_TRY(cardo_motive_forces(session->system, session->state, c->forces, error));
    *motive = 0;
    for (int b = 0; b < session->model->nbody; ++b) {
        const cardo_model_body *body = &session->model->body[b];
        cardo_body_info info;
        if (!body->fit)
            continue;
        cardo_system_body(session->system, b + 1, &info);
        *motive += (body->fit->nstructure - 1) * c->forces[info.u_first];
    }
done:
    return status;
}

/* What is left where the way stops for the last time. */
static void note_rest(cooling *c, const cardo_minimization_result *rested)
{
    c->out->evaluations += rested->last.evaluations;
    c->out->force = fmax(c->out->force, rested->last.largest_force);
    c->out->unrested += rested->last.largest_force > CARDO_COURSE_RESTED;
}

static cardo_status keep(cooling *c, const cardo_course_stop *stop, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    cardo_energies energies = {0};
    cardo_course *out = c->out;
    const double potential = stop->rest->last.potential;
    const size_t k = (size_t)stop->place;
    out->freedoms = stop->rest->freedoms;
    out->interrupted = stop->rest->interrupted;
    note_rest(c, stop->rest);
    out->energy[stop->way][k] = potential;
    memcpy(out->way[stop->way] + k * (size_t)out->nq, cardo_state_q(c->session->state),
           (size_t)out->nq * sizeof *out->coordinates);
    CARDO_TRY(find_motive(c, &out->motive[stop->way][k], error));
    if (!(potential >= out->lower[k])) {
        out->lower[k] = potential;
        memcpy(out->coordinates + k * (size_t)out->nq, cardo_state_q(c->session->state),
               (size_t)out->nq * sizeof *out->coordinates);
        CARDO_TRY(cardo_session_energies(c->session, &energies, error));
        memcpy(out->term + k * (size_t)out->nterm, energies.energy,
               (size_t)out->nterm * sizeof *out->term);
    }
done:
    cardo_energies_clear(&energies);
    return status;
}

/* With what was learned of the curvature before, or without. */
static cardo_status minimize(cooling *c, int most, bool learned, cardo_minimization_result *result,
                             cardo_error *error)
{
    const cardo_session *session = c->session;
    const cardo_minimization_options options = {
        .iterations = most,
        .tolerance = c->options->tolerance,
        .curvature = learned && c->curvature.nu > 0 ? &c->curvature : NULL};
    const cardo_minimization_observer observer = {.interrupt = session->listener.stop};
    return cardo_minimization_run(session->system, session->state, session->evaluator, &options,
                                  &observer, result, error);
}

/* In a cycle again where forces are left: one stop that is no minimum, and what the cycle takes is not known (adenylate kinase's, of 44). */
static cardo_status rest(cooling *c, int most, bool learned, cardo_minimization_result *result,
                         cardo_error *error)
{
    cardo_status status =
        minimize(c, c->quick ? 1 + most / SHORTER_BEFORE_HEAT : most, learned, result, error);
    if (status != CARDO_OK || result->interrupted || c->cycle == 0 ||
        c->options->cycle_iterations <= most || !(result->last.largest_force > CARDO_COURSE_RESTED))
        return status;
    const long long before = result->last.evaluations;
    status = minimize(c, c->options->cycle_iterations - most, learned, result, error);
    result->last.evaluations += before;
    return status;
}

/* Ways that are known to be gone until now; how many more cycles there are is seen after each. */
static int count_ways(const cooling *c)
{
    if (c->options->cycles > 0)
        return (c->options->at_start ? 0 : 2) + 2 * (c->cycle > 1 ? c->cycle : 1);
    return c->options->heat > 0 || c->options->end ? 3 : c->out->freedoms > 0 ? 2 : 1;
}

static cardo_status settle(cooling *c, int k, int way, cardo_error *error)
{
    const cardo_session *session = c->session;
    cardo_minimization_result result;
    const cardo_course_stop stop = {.place = k, .way = way, .cycle = c->cycle, .rest = &result};
    const bool begin = is_begin(c, k, way);
    const int most = (begin ? LONGER_AT_FIRST : 1) * c->options->iterations;
    cardo_status status = rest(c, most, !begin && !is_cycle_begin(c, k, way), &result, error);
    if (status != CARDO_OK)
        return status;
    status = keep(c, &stop, error);
    if (status != CARDO_OK)
        return status;
    ++c->done;
    if (session->listener.progress)
        session->listener.progress(session->listener.user, "conformation", c->done,
                                   (long long)count_ways(c) * c->out->nplace);
    if (c->options->observe && !c->quick)
        status = c->options->observe(c->options->context, &stop, error);
    c->given_up = status == CARDO_RECOVERABLE;
    return status;
}

/* k: the place before, from the first one. */
static cardo_status keep_half_way(cooling *c, int k, int way,
                                  const cardo_minimization_result *rested, cardo_error *error)
{
    cardo_course *out = c->out;
    note_rest(c, rested);
    out->half_energy[way][k] = rested->last.potential;
    memcpy(out->half_way[way] + (size_t)k * (size_t)out->nq, cardo_state_q(c->session->state),
           (size_t)out->nq * sizeof *out->coordinates);
    return find_motive(c, &out->half_motive[way][k], error);
}

/* Half the way to the next place first, at rest: in one step domains would run into each other, and what is pushed so leaps. */
static cardo_status go_half_way(cooling *c, int k, int way, cardo_error *error)
{
    cardo_status status;
    const double now = cardo_state_time(c->session->state) / slowness, next = c->out->q[k];
    const bool first = k == (way == CARDO_COURSE_THERE ? 0 : c->out->nplace - 1);
    cardo_minimization_result result;
    if (c->quick || first || !(fabs(next - now) > 0.5 / (c->out->nplace - 1)))
        return CARDO_OK;
    CARDO_TRY(move(c, 0.5 * (now + next), false, error));
    CARDO_TRY(rest(c, c->options->iterations, true, &result, error));
    status = keep_half_way(c, way == CARDO_COURSE_THERE ? k - 1 : k, way, &result, error);
done:
    return status;
}

/* One place; *on is false where the way ends before it, and the state stays at the place before. */
static cardo_status visit(cooling *c, int k, int way, bool *on, cardo_error *error)
{
    cardo_course *out = c->out;
    cardo_error found = {0};
    const bool begin = is_begin(c, k, way);
    cardo_state_copy(c->before, c->session->state);
    cardo_status status = begin ? CARDO_OK : go_half_way(c, k, way, &found);
    if (status == CARDO_OK)
        status = move(c, out->q[k], begin, &found);
    if (status == CARDO_OK)
        status = settle(c, k, way, &found);
    if (status == CARDO_OK)
        return CARDO_OK;
    if (!cardo_is_of_the_place(status)) {
        if (error)
            *error = found;
        return cardo_error_prefix(error, "at q = %.3g of the paths: ", out->q[k]);
    }
    *on = false;
    if (!out->ended[0])
        cardo_format(out->ended, sizeof out->ended, "before q = %.3g: %.500s", out->q[k],
                     found.message);
    cardo_state_copy(c->session->state, c->before);
    return CARDO_OK;
}

/* At a turn of the way, all of it as longly minimized as at a place. */
static cardo_status anneal(cooling *c, cardo_error *error)
{
    const cardo_minimization_options minimization = {.iterations = c->options->iterations,
                                                     .tolerance = c->options->tolerance,
                                                     .curvature =
                                                         c->curvature.nu ? &c->curvature : NULL};
    const cardo_session *session = c->session;
    const double q = cardo_state_time(session->state) / slowness;
    const cardo_annealing how = {.system = session->system,
                                 .state = session->state,
                                 .provider = cardo_session_forces(session),
                                 .evaluator = session->evaluator,
                                 .interrupt = session->listener.stop,
                                 .rounds = c->options->rounds,
                                 .steps = c->options->heat,
                                 .minimization = &minimization};
    cardo_annealed annealed;
    const cardo_status status = cardo_anneal(&how, &annealed, error);
    c->out->evaluations += annealed.evaluations;
    c->out->interrupted = c->out->interrupted || annealed.interrupted;
    /* Heat has its own time, by which paths would have left the end that they stand at. */
    return status == CARDO_OK ? move(c, q, false, error) : status;
}

static bool goes_on(const cooling *c)
{
    return !c->out->interrupted && !c->given_up;
}

static void forget(cardo_course *out)
{
    for (int k = 0; k < out->nplace; ++k)
        out->lower[k] = out->energy[0][k] = out->energy[1][k] = out->motive[0][k] =
            out->motive[1][k] = (double)NAN;
    for (int k = 0; k < out->nplace - 1; ++k)
        out->half_energy[0][k] = out->half_energy[1][k] = (double)NAN;
    out->force = 0;
    out->unrested = 0;
}

static cardo_status go_there(cooling *c, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    cardo_course *out = c->out;
    bool on = true;
    out->reached = 0;
    for (int k = 0; k < out->nplace && on && goes_on(c); ++k) {
        CARDO_TRY(visit(c, k, CARDO_COURSE_THERE, &on, error));
        out->reached += on;
    }
done:
    return status;
}

static cardo_status go_back(cooling *c, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    bool on = c->out->freedoms > 0;
    for (int k = c->out->reached - 1; k >= 0 && on && goes_on(c); --k)
        CARDO_TRY(visit(c, k, CARDO_COURSE_BACK, &on, error));
done:
    return status;
}

/* At the end that was given, where constraints and the energy let it; *there says whether they did. */
static cardo_status begin_at_end(cooling *c, bool *there, cardo_error *error)
{
    cardo_status status;
    cardo_course *out = c->out;
    const int k = out->nplace - 1;
    cardo_error found = {0};
    *there = false;
    cardo_state_copy(c->before, c->session->state);
    cardo_state_set_q(c->session->state, c->options->end);
    status = move(c, out->q[k], true, &found);
    if (status == CARDO_OK)
        status = settle(c, k, CARDO_COURSE_THERE, &found);
    *there = status == CARDO_OK;
    if (*there)
        out->reached = out->nplace;
    else
        cardo_state_copy(c->session->state, c->before);
    if (status == CARDO_OK || cardo_is_of_the_place(status))
        return CARDO_OK;
    if (error)
        *error = found;
    return status;
}

/* Of the force that leads the paths, from place k to the next on one way. */
static double work_between(const cardo_course *out, int way, int k)
{
    const double *motive = out->motive[way], mean = 0.5 * (motive[k] + motive[k + 1]);
    return (out->q[k + 1] - out->q[k]) *
           (isfinite(out->half_energy[way][k]) ? 0.5 * (mean + out->half_motive[way][k]) : mean);
}

static void find_hysteresis(cardo_course *out)
{
    out->hysteresis = out->work = 0;
    for (int k = 0; k < out->nplace; ++k)
        out->hysteresis = fmax(out->hysteresis, fabs(out->energy[0][k] - out->energy[1][k]));
    for (int k = 0; k < out->nplace - 1; ++k) {
        const double half = out->half_energy[0][k] - out->half_energy[1][k];
        out->hysteresis = fmax(out->hysteresis, isfinite(half) ? fabs(half) : 0);
        out->work +=
            work_between(out, CARDO_COURSE_THERE, k) - work_between(out, CARDO_COURSE_BACK, k);
    }
}

/* Stations where they are at the first place on the way there, or back. */
static cardo_status find_begin(const cooling *c, int way, double *positions, cardo_error *error)
{
    const cardo_session *session = c->session;
    cardo_state_copy(c->before, session->state);
    cardo_state_set_q(c->before, c->out->way[way]);
    const cardo_status status =
        cardo_realize(session->system, c->before, CARDO_STAGE_POSITION, error);
    return status == CARDO_OK
               ? cardo_station_positions(session->system, c->before, positions, error)
               : status;
}

/* How far what was come back to is from where it was set out from. A free molecule may have turned as a whole. */
static cardo_status find_regained(cooling *c, cardo_error *error)
{
    cardo_status status;
    cardo_course *out = c->out;
    const int n = cardo_system_nstation(c->session->system);
    double *begin[CARDO_COURSE_WAYS] = {NULL, NULL};
    cardo_transform onto;
    out->regained = (double)NAN;
    if (n < 3 || !isfinite(out->energy[CARDO_COURSE_THERE][0]) ||
        !isfinite(out->energy[CARDO_COURSE_BACK][0]))
        return CARDO_OK;
    for (int way = 0; way < CARDO_COURSE_WAYS; ++way) {
        CARDO_TRY(CARDO_ALLOCATE(&begin[way], 3 * (size_t)n, error));
        CARDO_TRY(find_begin(c, way, begin[way], error));
    }
    CARDO_TRY(cardo_superpose(n, begin[0], begin[1], NULL, &onto, NULL, error));
    out->regained = 0;
    for (int i = 0; i < n; ++i) {
        const cardo_vec3 off =
            v3_sub(xform_point(onto, v3_load(begin[0] + 3 * i)), v3_load(begin[1] + 3 * i));
        out->regained = fmax(out->regained, v3_norm(off));
    }
done:
    cardo_free(begin[0]);
    cardo_free(begin[1]);
    return status;
}

/* What cycles are compared with. */
static void keep_begun(cardo_course *out)
{
    memcpy(out->begun_energy, out->energy[CARDO_COURSE_BACK],
           (size_t)out->nplace * sizeof *out->begun_energy);
    memcpy(out->begun, out->way[CARDO_COURSE_BACK],
           (size_t)out->nplace * (size_t)out->nq * sizeof *out->begun);
}

static void find_lost(cardo_course *out)
{
    const double lost = out->lower[out->nplace - 1] - out->begun_energy[out->nplace - 1];
    out->lost = lost > 0 ? lost : 0;
}

/* What both ways have in common, once they were gone. */
static cardo_status compare_ways(cooling *c, cardo_error *error)
{
    find_hysteresis(c->out);
    return find_regained(c, error);
}

/* Has it come to other wells on one way than on the other? */
static bool is_apart(const cardo_course *out)
{
    return !out->interrupted && out->reached == out->nplace &&
           (out->hysteresis > CARDO_COURSE_CLOSED || fabs(out->work) > CARDO_COURSE_CLOSED ||
            out->regained > CARDO_COURSE_REGAINED);
}

/* Has a way back come to the first place? A cycle goes on from there. */
static bool is_home(const cooling *c)
{
    return fabs(cardo_state_time(c->session->state)) < 1e-6 * slowness;
}

/* There and back again, as a run goes that begins at the first place, until that comes to where it was, or takes more than nine tenths of what the time before did. What was
 * learned of the curvature before would keep it in wells that a run leaves (the light chain's trial came back to within 0.003 A of a side chain
 * that `drive` let go of in its first step). */
static cardo_status cycle(cooling *c, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    cardo_course *out = c->out;
    double before = HUGE_VAL;
    bool apart = true;
    for (int k = 0; k < c->options->cycles && apart && goes_on(c) && (k == 0 || is_home(c)); ++k) {
        c->cycle = k + 1;
        forget(out);
        c->curvature.known = false;
        CARDO_TRY(go_there(c, error));
        CARDO_TRY(go_back(c, error));
        CARDO_TRY(compare_ways(c, error));
        apart = is_apart(out) && !(before > CARDO_COURSE_CLOSED &&
                                   out->work > CARDO_COURSE_CLOSED && out->work > closing * before);
        before = out->work;
    }
    find_lost(out);
done:
    return status;
}

static cardo_status there_and_back(cooling *c, cardo_error *error)
{
    cardo_status status;
    cardo_course *out = c->out;
    const bool heated = c->options->heat > 0;
    bool at_end = false;
    if (c->options->at_start)
        return cycle(c, error);
    c->quick = heated || c->options->end;
    if (c->options->end)
        CARDO_TRY(begin_at_end(c, &at_end, error));
    if (!at_end)
        CARDO_TRY(go_there(c, error));
    const bool again = c->quick;
    c->quick = false;
    if (again)
        forget(out);
    if (heated && goes_on(c))
        CARDO_TRY(anneal(c, error));
    CARDO_TRY(go_back(c, error));
    keep_begun(out);
    if (heated && goes_on(c))
        CARDO_TRY(anneal(c, error));
    if (c->options->cycles > 0 && is_home(c))
        return cycle(c, error);
    if (again && !heated && goes_on(c) && is_home(c))
        CARDO_TRY(go_there(c, error));
    status = compare_ways(c, error);
done:
    return status;
}

static cardo_status prepare(cooling *c, int n, cardo_error *error)
{
    cardo_status status;
    cardo_course *out = c->out;
    const cardo_session *session = c->session;
    out->nplace = n;
    out->nq = cardo_system_nq(session->system);
    out->nterm = cardo_evaluator_nterm(session->evaluator);
    CARDO_TRY(CARDO_ALLOCATE(&c->motion, session->model->nbody, error));
    CARDO_TRY(CARDO_ALLOCATE(&c->slope, session->model->nbody, error));
    CARDO_TRY(CARDO_ALLOCATE(&out->q, n, error));
    CARDO_TRY(CARDO_ALLOCATE(&out->lower, n, error));
    CARDO_TRY(CARDO_ALLOCATE(&out->begun_energy, n, error));
    CARDO_TRY(CARDO_ALLOCATE(&out->begun, (size_t)n * (size_t)out->nq, error));
    CARDO_TRY(CARDO_ALLOCATE(&out->coordinates, (size_t)n * (size_t)out->nq, error));
    CARDO_TRY(CARDO_ALLOCATE(&out->term, (size_t)n * (size_t)out->nterm + 1, error));
    for (int way = 0; way < CARDO_COURSE_WAYS; ++way) {
        CARDO_TRY(CARDO_ALLOCATE(&out->energy[way], n, error));
        CARDO_TRY(CARDO_ALLOCATE(&out->motive[way], n, error));
        CARDO_TRY(CARDO_ALLOCATE(&out->way[way], (size_t)n * (size_t)out->nq, error));
        CARDO_TRY(CARDO_ALLOCATE(&out->half_energy[way], n, error));
        CARDO_TRY(CARDO_ALLOCATE(&out->half_motive[way], n, error));
        CARDO_TRY(CARDO_ALLOCATE(&out->half_way[way], (size_t)n * (size_t)out->nq, error));
    }
    forget(out);
    out->work = out->regained = (double)NAN;
    for (int k = 0; k < n; ++k)
        out->begun_energy[k] = (double)NAN;
    CARDO_TRY(CARDO_ALLOCATE(&c->forces, cardo_system_nu(session->system) + 1, error));
    for (int k = 0; k < n; ++k)
        out->q[k] = (double)k / (n - 1);
done:
    return status;
}

cardo_status cardo_session_cool_course(cardo_session *session, int n,
                                       const cardo_course_options *options, cardo_course *out,
                                       cardo_error *error)
{
    cardo_status status;
    cooling c = {.session = session, .options = options, .out = out};
    double *start = NULL;
    const double time = cardo_state_time(session->state);
    CARDO_TRY(prepare(&c, n, error));
    CARDO_TRY(CARDO_ALLOCATE(&start, (size_t)out->nq + 1, error));
    memcpy(start, cardo_state_q(session->state), (size_t)out->nq * sizeof *start);
    if (prescribe(&c) == 0)
        CARDO_TRY(CARDO_FAIL(error, CARDO_ERROR_INPUT,
                             "%s: no body has a path between structures, along which it could be "
                             "led with the rest minimized",
                             session->model->path));
    status = cardo_session_rebuild(session, error);
    if (status == CARDO_OK)
        status = cardo_state_create(session->system, &c.before, error);
    if (status == CARDO_OK && cardo_system_nu(session->system) <= CARDO_CURVATURE_MOST)
        status = cardo_curvature_open(&c.curvature, cardo_system_nu(session->system), error);
    if (status == CARDO_OK)
        status = there_and_back(&c, error);
    cardo_model_drop_motions(session->model);
    cardo_state_destroy(c.before); /* it is the old system's */
    const cardo_status again = cardo_session_rebuild(session, status == CARDO_OK ? error : NULL);
    CARDO_TRY(status == CARDO_OK ? again : status);
    cardo_state_set_time(session->state, time);
    cardo_state_set_q(session->state, start);
    status = cardo_realize(session->system, session->state, CARDO_STAGE_POSITION, error);
done:
    cardo_curvature_clear(&c.curvature);
    cardo_free(start);
    cardo_free(c.motion);
    cardo_free(c.slope);
    cardo_free(c.forces);
    return status;
}
