#include "study/domains/shared_geometry.h"

#include "base/memory.h"
#include "base/minimize.h"
#include "base/units.h"
#include "forces/relax/bonded_geometry.h"
#include "study/domains/shared_energy.h"
#include "topology/bonds.h"
#include "topology/rotatable_bonds.h"

#include <math.h>
#include <string.h>

void cardo_shared_geometry_clear(cardo_shared_geometry *geometry)
{
    cardo_free(geometry->positions);
    cardo_free(geometry->last);
    cardo_free(geometry->led);
    *geometry = (cardo_shared_geometry){0};
}

/* Coordinates of what does not hang by a bond, in order. */
static cardo_status keep_led(const cardo_session *session, const double *last,
                             cardo_shared_geometry *out, cardo_error *error)
{
    const cardo_model *model = session->model;
    const int nq = cardo_system_nq(session->system);
    cardo_status status = CARDO_ALLOCATE(&out->led, nq + 1, error);
    for (int b = 0; b < model->nbody && status == CARDO_OK; ++b) {
        cardo_body_info info;
        if (model->body[b].torsion)
            continue;
        cardo_system_body(session->system, b + 1, &info);
        for (int j = 0; j < info.nq; ++j)
            out->led[out->nled++] = last[info.q_first + j];
    }
    return status;
}

static int neighbour_of(const cardo_session *session, const cardo_bonds *bonds, int atom,
                        int besides)
{
    const cardo_structure *structure = session->model->structure[0].structure;
    int found = -1;
    for (int k = bonds->neighbour_first[atom]; k < bonds->neighbour_first[atom + 1]; ++k) {
        const int other = bonds->neighbour[k];
        if (other != besides &&
            (found < 0 || (structure->element[found] == 1 && structure->element[other] != 1)))
            found = other;
    }
    return found;
}

/* What a torsion at the last end is more than at the first; 0 where it is none. */
static double turned_by(const cardo_session *session, const cardo_bonds *bonds,
                        const cardo_shared_geometry *g, const int bond[2])
{
    const int atom[4] = {neighbour_of(session, bonds, bond[0], bond[1]), bond[0], bond[1],
                         neighbour_of(session, bonds, bond[1], bond[0])};
    if (atom[0] < 0 || atom[3] < 0)
        return 0;
    return remainder(cardo_torsion_of(g->last, atom) - cardo_torsion_of(g->positions, atom),
                     2 * CARDO_PI);
}

cardo_status cardo_shared_geometry_end(const cardo_session *session, const cardo_shared_geometry *g,
                                       double *q, bool *fits, cardo_error *error)
{
    cardo_status status;
    const cardo_model *model = session->model;
    char *templates = NULL;
    cardo_bonds *bonds = NULL;
    int nled = 0;
    *fits = false;
    CARDO_TRY(cardo_find_data("residues.xml", NULL, "topologies", &templates, error));
    CARDO_TRY(cardo_bonds_find(model->structure[0].structure, templates, &bonds, error));
    for (int b = 0; b < model->nbody; ++b) {
        const cardo_model_body *body = &model->body[b];
        cardo_body_info info;
        cardo_system_body(session->system, b + 1, &info);
        if (body->torsion)
            q[info.q_first] = turned_by(session, bonds, g, body->bond);
        for (int j = 0; j < info.nq && !body->torsion; ++j, ++nled)
            if (nled < g->nled)
                q[info.q_first + j] = g->led[nled];
    }
    *fits = nled == g->nled && model->structure[0].structure->natom == g->natom;
done:
    cardo_free(templates);
    cardo_bonds_destroy(bonds);
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
        listener->progress(listener->user, "iteration for both ends", iteration, 0);
    return CARDO_OK;
}

static cardo_status keep_positions(const cardo_session *session, const cardo_shared_energy *energy,
                                   cardo_shared_geometry *out, cardo_error *error)
{
    cardo_status status;
    out->natom = session->model->structure[0].structure->natom;
    const size_t n = 3 * (size_t)out->natom;
    CARDO_TRY(CARDO_ALLOCATE(&out->positions, n, error));
    CARDO_TRY(CARDO_ALLOCATE(&out->last, n, error));
    memcpy(out->positions, cardo_shared_energy_positions(energy, CARDO_SHARED_FIRST),
           n * sizeof(double));
    memcpy(out->last, cardo_shared_energy_positions(energy, CARDO_SHARED_LAST), n * sizeof(double));
done:
    return status;
}

static cardo_status objective_alone(void *context, int n, const double *x, double *value,
                                    double *gradient, cardo_error *error)
{
    return cardo_shared_energy_evaluate_alone(((const seeking *)context)->energy, n, x, value,
                                              gradient, error);
}

static cardo_minimize_options options_of(int iterations)
{
    return (cardo_minimize_options){
        .most_iterations = iterations, .largest_gradient = 10, .progress = count, .memory = 20};
}

/* Minimizes the sum from where it stands, and evaluates it there. */
static cardo_status minimize_sum(seeking *s, int iterations, double *gradient,
                                 cardo_shared_geometry *out, cardo_error *error)
{
    cardo_status status;
    cardo_minimize_result result;
    cardo_minimize_options options = options_of(iterations);
    const int n = cardo_shared_energy_size(s->energy);
    double *x = cardo_shared_energy_variables(s->energy), value;
    cardo_shared_energy_scale(s->energy, &options);
    CARDO_TRY(cardo_minimize(n, x, objective, s, &options, &result, error));
    out->iterations += result.iterations;
    CARDO_TRY(objective(s, n, x, &value, gradient, error));
    for (int end = 0; end < CARDO_SHARED_ENDS; ++end)
        out->after[end] = cardo_shared_energy_of(s->energy, end);
done:
    return status;
}

/* What all atoms come down to by themselves at both ends, kJ/mol: no more than the sum has there. */
static cardo_status relax_ends(seeking *s, int natom, int iterations, double *scratch,
                               double *alone, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    cardo_minimize_options options = options_of(iterations);
    cardo_shared_energy_scale_alone(s->energy, &options);
    for (int end = 0; end < CARDO_SHARED_ENDS; ++end) {
        cardo_minimize_result result;
        memcpy(scratch, cardo_shared_energy_positions(s->energy, end),
               3 * (size_t)natom * sizeof *scratch);
        cardo_shared_energy_hold(s->energy, end);
        CARDO_TRY(cardo_minimize(3 * natom, scratch, objective_alone, s, &options, &result, error));
        alone[end] = result.value;
    }
done:
    cardo_shared_energy_hold(s->energy, CARDO_SHARED_FIRST);
    return status;
}

/* Leans the sum until the balance is met. Were both ends springs about two geometries, their strains would change by twice their sum with the lean;
 * what is not at its minimum yet is strain, too, so that a step by it is too short rather than too long. Where an end by itself was left above what
 * it shares now, it was not at its minimum either, and is relaxed from there. */
static cardo_status minimize_balanced(seeking *s, int natom, int iterations,
                                      const cardo_shared_balance *balance, double *scratch,
                                      cardo_shared_geometry *out, cardo_error *error)
{
    enum { ROUNDS = 6, FIRST = CARDO_SHARED_FIRST, LAST = CARDO_SHARED_LAST };
    static const double most = 0.5;
    cardo_status status;
    double lean = 0, alone[CARDO_SHARED_ENDS];
    CARDO_TRY(relax_ends(s, natom, balance->iterations, scratch, alone, error));
    for (int round = 0; round < ROUNDS; ++round) {
        CARDO_TRY(minimize_sum(s, iterations / 4, scratch, out, error));
        if (out->after[FIRST] < alone[FIRST] || out->after[LAST] < alone[LAST])
            CARDO_TRY(relax_ends(s, natom, balance->iterations, scratch, alone, error));
        const double first = out->after[FIRST] - alone[FIRST],
                     last = out->after[LAST] - alone[LAST];
        const double step = 0.75 * (last - first - balance->to_last) / fmax(first + last, 1);
        lean = fmax(-most, fmin(most, lean + step));
        cardo_shared_energy_lean(s->energy, lean);
    }
done:
    return status;
}

cardo_status cardo_shared_geometry_find(cardo_session *session, const double *first,
                                        const double *last, const bool *turning, int iterations,
                                        const cardo_shared_balance *balance,
                                        cardo_shared_geometry *out, cardo_error *error)
{
    cardo_status status;
    seeking s = {.listener = &session->listener};
    double *scratch = NULL, value;
    CARDO_TRY(cardo_shared_energy_create(session, first, last, turning, &s.energy, error));
    const int n = cardo_shared_energy_size(s.energy);
    CARDO_TRY(CARDO_ALLOCATE(&scratch, n, error));
    CARDO_TRY(objective(&s, n, cardo_shared_energy_variables(s.energy), &value, scratch, error));
    for (int end = 0; end < CARDO_SHARED_ENDS; ++end)
        out->before[end] = cardo_shared_energy_of(s.energy, end);
    CARDO_TRY(balance ? minimize_balanced(&s, session->model->structure[0].structure->natom,
                                          iterations, balance, scratch, out, error)
                      : minimize_sum(&s, iterations, scratch, out, error));
    CARDO_TRY(keep_positions(session, s.energy, out, error));
    status = keep_led(session, last, out, error);
done:
    cardo_free(scratch);
    cardo_shared_energy_destroy(s.energy);
    return status;
}
