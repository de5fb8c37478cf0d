#include "study/domains/shared_geometry.h"

#include "analysis/fit/station_fit.h"
#include "base/memory.h"
#include "base/minimize.h"
#include "dynamics/minimization.h"
#include "study/domains/shared_energy.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

void cardo_shared_geometry_clear(cardo_shared_geometry *geometry)
{
    cardo_free(geometry->positions);
    cardo_free(geometry->stand);
    cardo_free(geometry->end);
    *geometry = (cardo_shared_geometry){0};
}

static cardo_status copy_stands(int n, const cardo_domain_stand *from, cardo_domain_stand **to,
                                cardo_error *error)
{
    const cardo_status status = CARDO_ALLOCATE(to, n + 1, error);
    if (status == CARDO_OK && n > 0)
        memcpy(*to, from, (size_t)n * sizeof *from);
    return status;
}

cardo_status cardo_shared_geometry_copy(const cardo_shared_geometry *g, cardo_shared_geometry *out,
                                        cardo_error *error)
{
    cardo_status status;
    const size_t n = 3 * (size_t)g->natom * (size_t)g->nplace;
    *out = *g;
    out->positions = NULL;
    out->stand = out->end = NULL;
    CARDO_TRY(CARDO_ALLOCATE(&out->positions, n + 1, error));
    if (n > 0)
        memcpy(out->positions, g->positions, n * sizeof *g->positions);
    CARDO_TRY(copy_stands(g->nstand, g->stand, &out->stand, error));
    status = copy_stands(g->nstand, g->end, &out->end, error);
done:
    return status;
}

/* A domain that turned far aside stands at other coordinates as well, with the path elsewhere. */
static void place_paths(const cardo_session *session, const cardo_shared_geometry *g, double *q)
{
    for (int k = 0; k < g->nstand; ++k) {
        const int body = cardo_system_find_body(session->system, g->end[k].body);
        cardo_body_info info;
        if (body < 1 || !session->model->body[body - 1].fit)
            continue;
        cardo_system_body(session->system, body, &info);
        if (info.nq == g->end[k].nq)
            memcpy(q + info.q_first, g->end[k].q, (size_t)info.nq * sizeof *q);
    }
}

/* Torsions and joints are taken from the atoms. */
static cardo_status fit_last(const cardo_session *session, const cardo_station_targets *targets,
                             double farthest, cardo_state *state, double *q, cardo_error *error)
{
    cardo_station_fit fit;
    cardo_error found = {0};
    cardo_status status = cardo_station_fit_start(session->system, state, targets, &found);
    if (status == CARDO_OK) {
        memcpy(q, cardo_state_q(state), (size_t)cardo_system_nq(session->system) * sizeof *q);
        status = cardo_fit_stations(session->system, state, targets, &fit, &found);
    }
    if (status == CARDO_OK && fit.rmsd > farthest)
        return CARDO_FAIL(error, CARDO_ERROR_NUMERICAL,
                          "the model's strands do not let its atoms nearer to where they are at "
                          "rest at the last end "
                          "than %.2f A (rms)",
                          10 * fit.rmsd);
    if (status == CARDO_OK)
        memcpy(q, cardo_state_q(state), (size_t)cardo_system_nq(session->system) * sizeof *q);
    else if (cardo_is_of_the_place(status))
        return CARDO_OK;
    else if (error)
        *error = found;
    return status;
}

/* Atoms of residues that are not left out, where the last end has them. */
static int list_targets(const cardo_session *session, const cardo_shared_geometry *g,
                        const bool *left_out, int *station, double *position)
{
    const cardo_structure *s = session->model->structure[0].structure;
    const double *last = g->positions + 3 * (size_t)g->natom * (size_t)(g->nplace - 1);
    int n = 0;
    for (int i = 0; i < g->natom; ++i) {
        if (left_out && left_out[s->atom_residue[i]])
            continue;
        memcpy(position + 3 * (size_t)n, last + 3 * (size_t)i, 3 * sizeof *position);
        station[n++] = i;
    }
    return n;
}

cardo_status cardo_shared_geometry_end(const cardo_session *session, const cardo_shared_geometry *g,
                                       const bool *left_out, double farthest, double *q, bool *fits,
                                       cardo_error *error)
{
    cardo_status status = CARDO_OK;
    cardo_state *state = NULL;
    int *station = NULL;
    double *position = NULL;
    *fits = session->model->structure[0].structure->natom == g->natom;
    if (!*fits)
        return CARDO_OK;
    CARDO_TRY(CARDO_ALLOCATE(&station, g->natom, error));
    CARDO_TRY(CARDO_ALLOCATE(&position, 3 * (size_t)g->natom, error));
    const cardo_station_targets targets = {
        .n = list_targets(session, g, left_out, station, position),
        .station = station,
        .position = position};
    CARDO_TRY(cardo_state_create(session->system, &state, error));
    cardo_state_copy(state, session->state);
    memcpy(q, cardo_state_q(state), (size_t)cardo_system_nq(session->system) * sizeof *q);
    place_paths(session, g, q);
    cardo_state_set_q(state, q);
    status = fit_last(session, &targets, farthest, state, q, error);
done:
    cardo_free(station);
    cardo_free(position);
    cardo_state_destroy(state);
    return status;
}

typedef struct seeking {
    cardo_shared_energy *energy;
    const cardo_listener *listener;
} seeking;

static cardo_status objective(void *context, int n, const double *x, double *value,
                              double *gradient, cardo_error *error)
{
    return cardo_shared_energy_evaluate(((const seeking *)context)->energy, n, x, value, gradient,
                                        error);
}

static cardo_status count(void *context, int iteration, bool *stop, cardo_error *error)
{
    const cardo_listener *listener = ((const seeking *)context)->listener;
    (void)error;
    if (iteration == 0)
        return CARDO_OK;
    if (listener->stop && *listener->stop)
        *stop = true;
    if (listener->progress)
        listener->progress(listener->user, "iteration for one geometry", iteration, 0);
    return CARDO_OK;
}

static cardo_status keep_positions(const cardo_session *session, const cardo_shared_energy *energy,
                                   int nplace, cardo_shared_geometry *out, cardo_error *error)
{
    const int natom = session->model->structure[0].structure->natom;
    const size_t n = 3 * (size_t)natom;
    const cardo_status status = CARDO_ALLOCATE(&out->positions, n * (size_t)nplace, error);
    if (status != CARDO_OK)
        return status;
    out->natom = natom;
    out->nplace = nplace;
    for (int k = 0; k < nplace; ++k)
        memcpy(out->positions + n * (size_t)k, cardo_shared_energy_positions(energy, k),
               n * sizeof(double));
    return CARDO_OK;
}

/* The coordinates of paths at a place. */
static cardo_status keep_stands(const cardo_session *session, const double *coordinates,
                                cardo_domain_stand **stand, int *n, cardo_error *error)
{
    const cardo_model *model = session->model;
    const cardo_status status = CARDO_ALLOCATE(stand, model->nbody, error);
    *n = 0;
    for (int b = 0; b < model->nbody && status == CARDO_OK; ++b) {
        cardo_domain_stand *one = *stand + *n;
        cardo_body_info info;
        if (!model->body[b].fit)
            continue;
        cardo_system_body(session->system, b + 1, &info);
        assert(info.nq <= (int)(sizeof one->q / sizeof *one->q));
        one->nq = info.nq;
        snprintf(one->body, sizeof one->body, "%s", model->body[b].name);
        memcpy(one->q, coordinates + info.q_first, (size_t)info.nq * sizeof *one->q);
        ++*n;
    }
    return status;
}

static double strain_of(const cardo_shared_energy *energy, const cardo_shared_places *places)
{
    double least = HUGE_VAL, most = -HUGE_VAL;
    for (int k = 0; places->least && k < places->nplace; ++k) {
        const double rise = cardo_shared_energy_of(energy, k) - places->least[k];
        least = fmin(least, rise);
        most = fmax(most, rise);
    }
    return places->least ? most - least : (double)NAN;
}

/* The model holds alike exactly what springs do; stiff ones from the beginning would keep the minimization in a narrow bent valley. */
static const double firmer = 10;

/* Minimizes the sum from where it stands, and evaluates it there. */
static cardo_status minimize_sum(seeking *s, int iterations, double *gradient,
                                 cardo_shared_geometry *out, cardo_error *error)
{
    cardo_status status;
    cardo_minimize_result result;
    cardo_minimize_options options = {.most_iterations = iterations,
                                      .largest_gradient = 10,
                                      .progress = count,
                                      .memory = 20,
                                      .anew = true};
    const int n = cardo_shared_energy_size(s->energy);
    double *x = cardo_shared_energy_variables(s->energy), value;
    cardo_shared_energy_scale(s->energy, &options);
    CARDO_TRY(cardo_minimize(n, x, objective, s, &options, &result, error));
    out->iterations += result.iterations;
    status = objective(s, n, x, &value, gradient, error);
done:
    return status;
}

/* Weighs places by how far each is above its least. Were all springs about geometries of their own, the rise of one would change by twice itself with its
 * weight; what is not at its minimum yet rises, too, so that a step by it is too short rather than too long. */
static void weigh(seeking *s, const cardo_shared_places *places, double *weight)
{
    static const double damping = 0.75, least = 0.1;
    const int n = places->nplace;
    double mean = 0, sum = 0;
    for (int k = 0; k < n; ++k)
        mean += (cardo_shared_energy_of(s->energy, k) - places->least[k]) / n;
    for (int k = 0; k < n; ++k) {
        const double rise = cardo_shared_energy_of(s->energy, k) - places->least[k];
        weight[k] = fmax(least, weight[k] + damping * (rise - mean) / fmax(mean, 1));
        sum += weight[k];
    }
    for (int k = 0; k < n; ++k)
        weight[k] *= n / sum;
    cardo_shared_energy_weigh(s->energy, weight);
}

static cardo_status minimize_weighed(seeking *s, const cardo_shared_places *places, int iterations,
                                     double *gradient, cardo_shared_geometry *out,
                                     cardo_error *error)
{
    enum { ROUNDS = 6, FIRM = 3 };
    const int each = iterations < 4 ? 1 : iterations / 4;
    cardo_status status = CARDO_OK;
    double weight[CARDO_SHARED_MOST];
    for (int k = 0; k < places->nplace; ++k)
        weight[k] = 1;
    for (int round = 0; round < ROUNDS; ++round) {
        if (round == FIRM)
            cardo_shared_energy_stiffen(s->energy, firmer);
        CARDO_TRY(minimize_sum(s, each, gradient, out, error));
        weigh(s, places, weight);
    }
done:
    return status;
}

static cardo_status minimize_alike(seeking *s, int iterations, double *gradient,
                                   cardo_shared_geometry *out, cardo_error *error)
{
    cardo_status status;
    CARDO_TRY(minimize_sum(s, iterations / 2, gradient, out, error));
    cardo_shared_energy_stiffen(s->energy, firmer);
    status = minimize_sum(s, iterations - iterations / 2, gradient, out, error);
done:
    return status;
}

cardo_status cardo_shared_geometry_find(cardo_session *session, const cardo_shared_places *places,
                                        const bool *turning, int iterations,
                                        cardo_shared_geometry *out, cardo_error *error)
{
    cardo_status status;
    seeking s = {.listener = &session->listener};
    double *gradient = NULL, value;
    const int last = places->nplace - 1;
    CARDO_TRY(cardo_shared_energy_create(session, places->nplace, places->coordinates, turning,
                                         &s.energy, error));
    const int n = cardo_shared_energy_size(s.energy);
    CARDO_TRY(CARDO_ALLOCATE(&gradient, n, error));
    CARDO_TRY(objective(&s, n, cardo_shared_energy_variables(s.energy), &value, gradient, error));
    out->before[0] = cardo_shared_energy_of(s.energy, 0);
    out->before[1] = cardo_shared_energy_of(s.energy, last);
    CARDO_TRY(places->least ? minimize_weighed(&s, places, iterations, gradient, out, error)
                            : minimize_alike(&s, iterations, gradient, out, error));
    out->after[0] = cardo_shared_energy_of(s.energy, 0);
    out->after[1] = cardo_shared_energy_of(s.energy, last);
    out->strain = strain_of(s.energy, places);
    out->springs = cardo_shared_energy_springs(s.energy);
    CARDO_TRY(keep_stands(session, places->coordinates, &out->stand, &out->nstand, error));
    CARDO_TRY(keep_stands(
        session, places->coordinates + (size_t)last * (size_t)cardo_system_nq(session->system),
        &out->end, &out->nstand, error));
    status = keep_positions(session, s.energy, places->nplace, out, error);
done:
    cardo_free(gradient);
    cardo_shared_energy_destroy(s.energy);
    return status;
}
