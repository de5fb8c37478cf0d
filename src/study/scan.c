#include "study/scan.h"

#include "base/memory.h"
#include "dynamics/coordinates/constrained.h"
#include "multibody/tree/coordinate_names.h"
#include "sampling/variables/response.h"
#include "sampling/walkers/steer.h"
#include "study/session/energy_columns.h"
#include "study/session/judge.h"
#include "study/session/strain.h"
#include "study/session/study.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define OPTION(member) offsetof(cardo_scan_course, member)
const cardo_field cardo_scan_course_fields[] = {
    {"coordinate", CARDO_FIELD_STRING, OPTION(coordinate), "", "", 0, 0, NULL,
     "BODY or BODY.K, its K-th coordinate"},
    {"from", CARDO_FIELD_DOUBLE, OPTION(from), "", "0", 0, 0, NULL, "first value"},
    {"to", CARDO_FIELD_DOUBLE, OPTION(to), "", "1", 0, 0, NULL, "last value"},
    {"places", CARDO_FIELD_INT, OPTION(places), "", "41", 2, 1000000, NULL,
     "how many points points"},
    {0},
};
#undef OPTION

/* Kinetic temperatures hardly reach what lies this far above the lowest place (kJ/mol). */
static const double reachable = 25.0;

typedef struct scan {
    cardo_session *session;
    const cardo_scan_course *course;
    int coordinate, mobility; /* the q and its speed; -1: it has none of its own                 */
    char name[CARDO_COORDINATE_NAME];
    double *generalized; /* (nu) */
    bool interrupted;
    cardo_variable *held; /* the coordinate, where constraints make others follow it; or NULL */
    double *gradient, *response; /* of it (nu) */
} scan;

static int mobility_of(const cardo_system *system, int coordinate)
{
    for (int b = 1; b < cardo_system_nbody(system); ++b) {
        cardo_body_info info;
        cardo_system_body(system, b, &info);
        if (coordinate >= info.q_first && coordinate < info.q_first + info.nq)
            return info.nq == info.nu ? info.u_first + coordinate - info.q_first : -1;
    }
    return -1;
}

/* The coordinate's place, all others as they were or, under constraints, as the shortest way there has them. */
static cardo_status go_to(scan *s, double q, cardo_error *error)
{
    if (!s->held)
        return cardo_session_set_coordinate(s->session, s->coordinate, q, error);
    return cardo_steer(s->held, s->session->system, s->session->state, q, error);
}

/* The generalized force on the coordinate; under constraints that on the motion along which it has rate 1 and the others the least kinetic
 * energy. */
static cardo_status find_force(scan *s, double *force, cardo_error *error)
{
    cardo_status status;
    double q, rate;
    const cardo_system *system = s->session->system;
    cardo_state *state = s->session->state;
    CARDO_TRY(
        cardo_evaluator_generalized_forces(s->session->evaluator, state, s->generalized, error));
    *force = s->generalized[s->mobility];
    if (!s->held)
        return CARDO_OK;
    CARDO_TRY(cardo_realize(system, state, CARDO_STAGE_DYNAMICS, error));
    CARDO_TRY(cardo_variable_gradient(s->held, state, &q, s->gradient, error));
    CARDO_TRY(cardo_variable_response(system, state, s->gradient, s->response, &rate, error));
    *force = 0;
    for (int k = 0; k < cardo_system_nu(system); ++k)
        *force += s->response[k] * s->generalized[k] / rate;
done:
    return status;
}

/* Energies and force at one place, as a row; a place that cannot be evaluated has none. */
static cardo_status add_place(scan *s, double q, cardo_result *table, cardo_error *error)
{
    static const cardo_quantity force = {"generalized_force", "generalized force", "kJ/mol",
                                         .stored = ".12g"};
    char label[CARDO_COORDINATE_NAME + 2];
    cardo_evaluator *evaluator = s->session->evaluator;
    cardo_status status = cardo_evaluate(evaluator, s->session->state, error);
    const bool there = status == CARDO_OK;
    if (status != CARDO_OK && status != CARDO_RECOVERABLE)
        return status;
    snprintf(label, sizeof label, "q %.50s", s->name);
    cardo_result_row(table);
    cardo_result_number(table, &(cardo_quantity){"q", label, .stored = ".10g"}, q);
    cardo_add_potential(there ? cardo_evaluator_energy(evaluator) : (double)NAN, table);
    cardo_add_terms(s->session, there, table);
    status = CARDO_OK;
    double pull = (double)NAN;
    if (there && s->mobility >= 0)
        status = find_force(s, &pull, error);
    cardo_result_number(table, &force, pull);
    return status;
}

static cardo_status add_places(scan *s, cardo_result *table, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    const cardo_listener *listener = &s->session->listener;
    const cardo_scan_course *c = s->course;
    cardo_evaluator_want_terms(s->session->evaluator, true);
    for (int k = 0; k < c->places && status == CARDO_OK && !s->interrupted; ++k) {
        const double q = c->from + (c->to - c->from) * k / (c->places - 1);
        status = go_to(s, q, error);
        if (status == CARDO_OK)
            status = add_place(s, q, table, error);
        if (listener->progress)
            listener->progress(listener->user, "point", k + 1, c->places);
        s->interrupted = k + 1 < c->places && listener->stop && *listener->stop;
    }
    return status;
}

/* What the places show: the lowest, the ends, and how far heat would reach. */
static void add_summary(cardo_result *into)
{
    static const cardo_quantity lowest_energy = {"lowest_kJ_per_mol", "lowest energy", "kJ/mol",
                                                 ".2f"},
                                lowest_at = {"lowest_at_q", .style = ".4g"},
                                first_end = {"first_end_kJ_per_mol",
                                             "above the lowest at the start", "kJ/mol", "+.4g"},
                                last_end = {"last_end_kJ_per_mol", "above the lowest at the end",
                                            "kJ/mol", "+.4g"},
                                reach = {"reach_kJ_per_mol", "reach", "kJ/mol", ".0f"},
                                reach_from = {"reach_from_q", .style = ".4g"},
                                reach_to = {"reach_to_q", .style = ".4g"};
    const cardo_result *table = cardo_result_find(into, "scan");
    const double *q = cardo_result_as_doubles(cardo_result_find(table, "q"));
    const double *U = cardo_result_as_doubles(cardo_result_find(table, "potential_kJ_per_mol"));
    const int n = (int)cardo_result_rows(table);
    int lowest = 0, failed = 0, first, last;
    if (n == 0)
        return;
    for (int k = 0; k < n; ++k)
        failed += !isfinite(U[k]);
    for (int k = 1; k < n; ++k)
        if (!(U[k] >= U[lowest]))
            lowest = isfinite(U[k]) ? k : lowest;
    first = last = lowest;
    while (first > 0 && U[first - 1] < U[lowest] + reachable)
        --first;
    while (last < n - 1 && U[last + 1] < U[lowest] + reachable)
        ++last;
    cardo_result_number(into, &lowest_energy, U[lowest]);
    cardo_result_number(into, &lowest_at, q[lowest]);
    cardo_result_number(into, &first_end, U[0] - U[lowest]);
    cardo_result_number(into, &last_end, U[n - 1] - U[lowest]);
    cardo_result_number(into, &reach, reachable);
    cardo_result_number(into, &reach_from, q[first]);
    cardo_result_number(into, &reach_to, q[last]);
    if (failed)
        cardo_result_integer(into, &(cardo_quantity){"places_not_evaluated"}, failed);
    cardo_result_vector(into, &(cardo_quantity){"q"}, n, q);
    cardo_result_vector(into, &(cardo_quantity){"potential_kJ_per_mol", .unit = "kJ/mol"}, n, U);
}

static cardo_status fill(scan *s, cardo_result *into, cardo_error *error)
{
    cardo_result_text(into, &(cardo_quantity){"model"}, s->session->model->name);
    cardo_result_text(into, &(cardo_quantity){"coordinate"}, s->name);
    cardo_result_integer(into, &(cardo_quantity){"places"}, s->course->places);
    cardo_result_number(into, &(cardo_quantity){"from"}, s->course->from);
    cardo_result_number(into, &(cardo_quantity){"to"}, s->course->to);
    cardo_result *table = cardo_result_table(into, "scan", "place");
    cardo_result_file(table, "scan.csv", true);
    cardo_status status = add_places(s, table, error);
    if (status != CARDO_OK)
        return status;
    if (s->interrupted)
        cardo_result_integer(into, &(cardo_quantity){"places_reached"}, cardo_result_rows(table));
    cardo_result_truth(into, &(cardo_quantity){"interrupted"}, s->interrupted);
    add_summary(into);
    return cardo_result_status(into, error);
}

static cardo_status hold(scan *s, cardo_error *error)
{
    cardo_status status;
    cardo_session *session = s->session;
    const int nu = cardo_system_nu(session->system);
    const cardo_variable_definition coordinate = {.name = s->name, .coordinate = s->coordinate};
    if (!cardo_is_constrained(session->system))
        return CARDO_OK;
    CARDO_TRY(CARDO_ALLOCATE(&s->gradient, nu, error));
    CARDO_TRY(CARDO_ALLOCATE(&s->response, nu, error));
    CARDO_TRY(cardo_variable_create(&cardo_variable_coordinate, session->system, &coordinate,
                                    &s->held, error));
    status = cardo_begin_on_constraints(session->system, session->state, error);
done:
    return status;
}

/* Who looks along a coordinate stands where he stood. */
static void go_back(cardo_session *session, const double *start)
{
    cardo_error ignored;
    if (start)
        (void)cardo_session_set_coordinates(session, start, &ignored);
}

static cardo_status run(cardo_session *session, const void *given, cardo_result *into,
                        cardo_error *error)
{
    cardo_status status;
    const cardo_scan_course *course = given;
    const int nq = cardo_system_nq(session->system);
    double *start = NULL;
    scan s = {.session = session, .course = course};
    CARDO_TRY(cardo_strain_tell(session, "this configuration", false, error));
    CARDO_TRY(cardo_judge(session, error));
    CARDO_TRY(cardo_find_coordinate(session->system, course->coordinate, strlen(course->coordinate),
                                    &s.coordinate, error));
    cardo_coordinate_name(session->system, s.coordinate, s.name);
    s.mobility = mobility_of(session->system, s.coordinate);
    CARDO_TRY(CARDO_ALLOCATE(&s.generalized, cardo_system_nu(session->system) + 1, error));
    CARDO_TRY(hold(&s, error));
    CARDO_TRY(cardo_writer_begin(course->writer, NULL, error));
    CARDO_TRY(CARDO_ALLOCATE(&start, nq, error));
    memcpy(start, cardo_state_q(session->state), (size_t)nq * sizeof *start);
    CARDO_TRY(fill(&s, into, error));
    CARDO_TRY(cardo_writer_result(course->writer, into, NULL, error));
    CARDO_TRY(cardo_writer_picture(course->writer, "scan", into, error));
    cardo_writer_keep(course->writer, true);
done:
    go_back(session, start);
    cardo_free(start);
    cardo_variable_destroy(s.held);
    cardo_free(s.generalized);
    cardo_free(s.gradient);
    cardo_free(s.response);
    return status;
}

const cardo_study cardo_study_scan = {
    .name = "scan",
    .doc = "energies by term and the generalized force along a coordinate",
    .needs = CARDO_STUDY_NEEDS_FORCES,
    .options_size = sizeof(cardo_scan_course),
    .options = {{cardo_scan_course_fields, 0}},
    .writer = offsetof(cardo_scan_course, writer),
    .run = run,
};
