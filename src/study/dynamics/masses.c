#include "study/dynamics/masses.h"

#include "analysis/modes/force_stiffness.h"
#include "base/linalg.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/writer.h"
#include "cardo/operators.h"
#include "dynamics/coordinates/constrained.h"
#include "dynamics/integrators/integrator.h"
#include "study/dynamics/wander.h"
#include "study/session/listener.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const masses_choices[] = {"bodies", "equalized", NULL};

const cardo_field cardo_masses_fields[] = {
    {"masses", CARDO_FIELD_CHOICE, offsetof(cardo_masses_options, masses), "", "bodies", 0, 0,
     masses_choices,
     "those of the bodies, or chosen so that all freedoms are about equally fast: the same "
     "averages of "
     "positions in fewer steps, and a time that means nothing (ensemble=fixman, a bath)"},
    {"masses-frequency", CARDO_FIELD_DOUBLE, offsetof(cardo_masses_options, frequency), "1/ps",
     "10", 1e-3, 1e6, NULL, "equalized: angular frequency of all freedoms"},
    {"masses-places", CARDO_FIELD_INT, offsetof(cardo_masses_options, places), "", "6", 1, 1000,
     NULL, "equalized: places of a thermal trajectory at which the stiffness is taken"},
    {"masses-steps", CARDO_FIELD_INT, offsetof(cardo_masses_options, steps), "", "100", 1, 1e9,
     NULL, "equalized: steps from one such place to the next"},
    {"masses-least", CARDO_FIELD_DOUBLE, offsetof(cardo_masses_options, least), "", "100", 1e-6,
     1e12, NULL,
     "equalized: least stiffness, kJ/mol per squared unit of a coordinate; what is softer counts "
     "as this"},
    {0},
};

static const char saved_name[] = "masses.cardo";
/* Of the freedoms' frequency the friction by which places are wandered to: less than critical. */
static const double of_frequency = 0.4;
/* Room for n x n numbers each. */
typedef struct matrices {
    int n;
    double *K, *sum, *A, *V, *values;
    double fastest; /* frequency of the last place's stiffest freedom by the masses before it     */
} matrices;

static cardo_status open_matrices(matrices *m, cardo_error *error)
{
    const size_t n = (size_t)m->n, count = n * n;
    cardo_status status;
    CARDO_TRY(CARDO_ALLOCATE(&m->K, count, error));
    CARDO_TRY(CARDO_ALLOCATE(&m->sum, count, error));
    CARDO_TRY(CARDO_ALLOCATE(&m->A, count, error));
    CARDO_TRY(CARDO_ALLOCATE(&m->V, count, error));
    CARDO_TRY(CARDO_ALLOCATE(&m->values, n, error));
done:
    return status;
}

static void close_matrices(matrices *m)
{
    cardo_free(m->K);
    cardo_free(m->sum);
    cardo_free(m->A);
    cardo_free(m->V);
    cardo_free(m->values);
}

/* sum += |K|, eigenvalues at least `least`. */
static cardo_status add_stiffness(matrices *m, double least, cardo_error *error)
{
    const size_t n = (size_t)m->n;
    memcpy(m->V, m->K, n * n * sizeof *m->V);
    cardo_status status = cardo_symmetric_eigen_repeatable(m->n, m->V, m->values, error);
    for (size_t i = 0; status == CARDO_OK && i < n; ++i)
        for (size_t j = 0; j <= i; ++j) {
            double entry = 0;
            for (size_t k = 0; k < n; ++k)
                entry += fmax(fabs(m->values[k]), least) * m->V[i * n + k] * m->V[j * n + k];
            m->sum[i * n + j] += entry;
            if (j < i)
                m->sum[j * n + i] += entry;
        }
    return status;
}

/* The frequency of the stiffest freedom of K under A. */
static cardo_status find_fastest(matrices *m, double *frequency, cardo_error *error)
{
    const size_t count = (size_t)m->n * (size_t)m->n;
    double value, *A = NULL;
    cardo_status status;
    CARDO_TRY(CARDO_ALLOCATE(&A, count, error));
    memcpy(A, m->A, count * sizeof *A);
    for (size_t k = 0; k < count; ++k)
        m->V[k] = -m->K[k];
    CARDO_TRY(cardo_generalized_eigen(m->n, m->V, A, 1, &value, m->values, error));
    *frequency = sqrt(fmax(-value, 0));
done:
    cardo_free(A);
    return status;
}

/* All members stand where the first one has come to: processors may differ in last bits. */
static cardo_status wander(cardo_session *session, const cardo_wandering *how, int place,
                           double value, double *q, cardo_error *error)
{
    const size_t nq = (size_t)cardo_system_nq(session->system);
    cardo_status status = CARDO_OK;
    if (cardo_communicator_owns(session->communicator, 0))
        status = cardo_wander(session, how, place, value, error);
    memcpy(q, cardo_state_q(session->state), nq * sizeof *q);
    if (status == CARDO_OK)
        status = cardo_communicator_share(session->communicator, q, nq * sizeof *q, 1, error);
    cardo_state_set_q(session->state, q);
    return status;
}

/* K where the state stands, at DYNAMICS, its columns shared out. */
static cardo_status look(cardo_session *session, matrices *m, cardo_error *error)
{
    cardo_stiffness_quality quality;
    return cardo_force_stiffness(session->system, session->state, session->evaluator, 0, false,
                                 session->communicator, m->K, &quality, error);
}

static cardo_status tell_place(const cardo_session *session, const cardo_masses_use *use, int place,
                               cardo_error *error)
{
    cardo_status status = CARDO_OK;
    char where[128] = "";
    double value;
    if (use->variable) {
        CARDO_TRY(cardo_variable_value(use->variable, session->state, &value, error));
        cardo_format(where, sizeof where, ", %s = %.3g", cardo_variable_name(use->variable), value);
    }
    cardo_tell(&session->listener, CARDO_SAID_NOTE, use->about,
               "equalizing masses: stiffness at place %d of %d%s", place + 1, use->options->places,
               where);
done:
    return status;
}

/* A from the sum over places; the state's q is set anew, as what it has realized is void. */
static cardo_status set_masses(cardo_session *session, const cardo_masses_options *options,
                               matrices *m, int places, cardo_error *error)
{
    const double weight = 1 / (places * options->frequency * options->frequency);
    const size_t count = (size_t)m->n * (size_t)m->n;
    for (size_t k = 0; k < count; ++k)
        m->A[k] = weight * m->sum[k];
    cardo_status status =
        cardo_communicator_share(session->communicator, m->A, count * sizeof *m->A, 1, error);
    return status == CARDO_OK ? cardo_system_set_mass_matrix(session->system, m->A, error) : status;
}

static cardo_status estimate(cardo_session *session, const cardo_masses_use *use, matrices *m,
                             double *q, cardo_error *error)
{
    cardo_status status;
    const cardo_masses_options *options = use->options;
    const int nq = cardo_system_nq(session->system);
    const cardo_wandering how = {.places = options->places,
                                 .steps = options->steps,
                                 .friction = of_frequency * options->frequency,
                                 .like = use->simulation,
                                 .variable = use->variable,
                                 .from = use->from,
                                 .to = use->to};
    double *value = NULL;
    CARDO_TRY(CARDO_ALLOCATE(&value, options->places, error));
    CARDO_TRY(cardo_realize(session->system, session->state, CARDO_STAGE_POSITION, error));
    CARDO_TRY(cardo_wander_plan(session, &how, value, error));
    for (int place = 0; place < options->places; ++place) {
        CARDO_TRY(cardo_realize(session->system, session->state, CARDO_STAGE_DYNAMICS, error));
        CARDO_TRY(tell_place(session, use, place, error));
        CARDO_TRY(look(session, m, error));
        CARDO_TRY(add_stiffness(m, options->least, error));
        memcpy(q, cardo_state_q(session->state), (size_t)nq * sizeof *q);
        CARDO_TRY(set_masses(session, options, m, place + 1, error));
        cardo_state_set_q(session->state, q);
        if (place + 1 < options->places)
            CARDO_TRY(wander(session, &how, place, value[place], q, error));
    }
    status = find_fastest(m, &m->fastest, error);
done:
    cardo_free(value);
    return status;
}

/* Where a sampling by other masses is none, or what it would sample is not what was asked for. */
static cardo_status check(const cardo_session *session, const cardo_masses_use *use,
                          cardo_error *error)
{
    const char *path = session->model->path;
    const cardo_simulation_options *simulation = use->simulation;
    const cardo_integrator *integrator = use->integrator;
    if (simulation->ensemble != CARDO_ENSEMBLE_FIXMAN)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "%s: masses=equalized leaves the density exp(-U/kT) of the coordinates, "
                          "which is ensemble=fixman; ensemble=%s has the bodies' own masses in it: "
                          "set ensemble=fixman, or masses=bodies",
                          path, cardo_ensemble_name(simulation->ensemble));
    if (!(integrator->traits & CARDO_INTEGRATOR_THERMOSTAT))
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "%s: masses=equalized is for averages at a temperature, and %s is motion "
                          "in time, which other masses change: take baoab or langevin, or "
                          "masses=bodies",
                          path, integrator->name);
    /* A quaternion has one more coordinate than speeds. */
    if (cardo_constraint_row_count(session->system) > 0 ||
        cardo_system_nq(session->system) > cardo_system_nu(session->system))
        return CARDO_FAIL(
            error, CARDO_ERROR_INPUT,
            "%s: masses=equalized is for models without constraints and free or ball joints. With "
            "model.base=welded averages of what is inside are the same; model.closure=bonded "
            "leaves strands that closure=\"rigid\" closes to their bonds, and "
            "model.constraints=none leaves out the others, such as torsions that are led. Or set "
            "masses=bodies",
            path);
    if (simulation->velocities == CARDO_VELOCITIES_KEEP)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "%s: velocities that were kept are not those of masses=equalized: set "
                          "velocities=draw",
                          path);
    return CARDO_OK;
}

static cardo_status recall(cardo_session *session, const cardo_writer *writer, cardo_error *error)
{
    char *text = NULL;
    double *values = NULL;
    size_t n = 0;
    const size_t nu = (size_t)cardo_system_nu(session->system);
    cardo_status status;
    CARDO_TRY(cardo_writer_recall(writer, saved_name, &text, &values, &n, error));
    status = n == nu * nu
                 ? cardo_system_set_mass_matrix(session->system, values, error)
                 : CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s/%s: not the masses of this model",
                              writer->place, saved_name);
done:
    cardo_free(text);
    cardo_free(values);
    return status;
}

static void tell(cardo_session *session, const cardo_masses_use *use, const matrices *m,
                 cardo_result *into)
{
    const double reach = use->simulation->timestep * m->fastest;
    cardo_result *group = cardo_result_group(into, "masses");
    cardo_result_number(group, &(cardo_quantity){"fastest_per_ps", "fastest freedom", "1/ps"},
                        m->fastest);
    if (reach > 1)
        cardo_tell(&session->listener, CARDO_SAID_WARNING, use->about,
                   "the fastest freedom under the equalized masses has %.3g/ps, and the step of %g "
                   "ps is long for it: %.3g ps would be half of what is stable",
                   m->fastest, use->simulation->timestep, 1 / m->fastest);
}

cardo_status cardo_masses_choose(cardo_session *session, const cardo_masses_use *use,
                                 cardo_result *into, cardo_error *error)
{
    cardo_status status;
    matrices m = {.n = cardo_system_nu(session->system)};
    double *start = NULL, *q = NULL;
    const int nq = cardo_system_nq(session->system);
    if (use->options->masses == CARDO_MASSES_BODIES)
        return CARDO_OK;
    CARDO_TRY(check(session, use, error));
    CARDO_TRY(CARDO_ALLOCATE(&start, nq, error));
    CARDO_TRY(CARDO_ALLOCATE(&q, nq, error));
    memcpy(start, cardo_state_q(session->state), (size_t)nq * sizeof *start);
    const double time = cardo_state_time(session->state);
    if (cardo_writer_goes_on(use->writer)) {
        CARDO_TRY(recall(session, use->writer, error));
    } else {
        CARDO_TRY(open_matrices(&m, error));
        CARDO_TRY(estimate(session, use, &m, q, error));
        if (cardo_communicator_owns(session->communicator, 0))
            tell(session, use, &m, into);
    }
    cardo_state_set_time(session->state, time);
    cardo_state_set_q(session->state, start);
    CARDO_TRY(cardo_realize(session->system, session->state, CARDO_STAGE_POSITION, error));
    cardo_tell(
        &session->listener, CARDO_SAID_NOTE, use->about,
        "masses are equalized: averages of positions are those of ensemble=fixman, times and "
        "velocities mean nothing");
done:
    close_matrices(&m);
    cardo_free(start);
    cardo_free(q);
    return status;
}

cardo_status cardo_masses_keep(const cardo_system *system, const cardo_writer *writer,
                               cardo_error *error)
{
    static const char text[] = "masses equalized\n";
    const double *A = cardo_system_mass_matrix(system);
    const size_t nu = (size_t)cardo_system_nu(system);
    return A && writer
               ? cardo_writer_save(writer, saved_name, text, strlen(text), A, nu * nu, error)
               : CARDO_OK;
}
