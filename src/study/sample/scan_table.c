#include "study/sample/scan_table.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/units.h"
#include "multibody/tree/operators.h"
#include "sampling/methods/manifold_density.h"
#include "sampling/methods/scan.h"
#include "sampling/variables/response.h"
#include "study/session/energy_columns.h"
#include "study/session/hinge_loads.h"
#include "study/session/strain.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct scan_table {
    const sample_run *run;
    cardo_hinge_loads loads;
    double *load;                        /* (CARDO_LOADS_PER_HINGE x hinges) */
    double *pull, *gradient, *direction; /* (nu); pull: generalized forces */
    bool constrained;
    cardo_manifold_density density;         /* where it is */
    int unreached;                          /* places whose minimum was not found */
    double worst;                           /* of the contacts, kJ/mol */
    char contact[CARDO_STRAINED_TEXT + 32]; /* and which it is; "": none looked for */
} scan_table;

static cardo_status open(scan_table *t, cardo_error *error)
{
    cardo_status status;
    const cardo_session *session = t->run->session;
    const int nu = cardo_system_nu(session->system);
    cardo_evaluator_want_terms(session->evaluator, true);
    CARDO_TRY(cardo_hinge_loads_open(session->system, &t->loads, error));
    CARDO_TRY(CARDO_ALLOCATE(&t->load, CARDO_LOADS_PER_HINGE * t->loads.count, error));
    CARDO_TRY(CARDO_ALLOCATE(&t->pull, nu, error));
    CARDO_TRY(CARDO_ALLOCATE(&t->gradient, nu, error));
    CARDO_TRY(CARDO_ALLOCATE(&t->direction, nu, error));
    t->constrained = cardo_is_constrained(session->system);
    if (t->constrained)
        CARDO_TRY(cardo_manifold_density_open(t->run->sampling, &t->density, error));
done:
    return status;
}

static void clear(scan_table *t)
{
    cardo_hinge_loads_clear(&t->loads);
    cardo_manifold_density_clear(&t->density);
    cardo_free(t->load);
    cardo_free(t->pull);
    cardo_free(t->gradient);
    cardo_free(t->direction);
}

/* dU along the way that places are gone to: that of one speed, or the shortest in the metric of M
 * (sampling/walkers/steer.h); where all else is at a minimum any way gives the same. */
static cardo_status find_force(scan_table *t, double *force, cardo_error *error)
{
    cardo_status status;
    const cardo_session *session = t->run->session;
    double xi, rate, along = 0, length = 0;
    int speed;
    CARDO_TRY(
        cardo_evaluator_generalized_forces(session->evaluator, session->state, t->pull, error));
    CARDO_TRY(cardo_variable_gradient(t->run->variable, session->state, &xi, t->gradient, error));
    if (t->constrained)
        CARDO_TRY(cardo_variable_response(session->system, session->state, t->gradient,
                                          t->direction, &rate, error));
    else if (cardo_variable_speed(t->run->variable, &speed))
        memcpy(t->direction, t->gradient,
               (size_t)cardo_system_nu(session->system) * sizeof *t->direction);
    else
        CARDO_TRY(
            cardo_multiply_minv(session->system, session->state, t->gradient, t->direction, error));
    for (int k = 0; k < cardo_system_nu(session->system); ++k) {
        along -= t->pull[k] * t->direction[k];
        length += t->gradient[k] * t->direction[k];
    }
    *force = length > 0 ? along / length : (double)NAN;
done:
    return status;
}

static void add_loads(scan_table *t, cardo_result *table)
{
    const cardo_session *session = t->run->session;
    char name[CARDO_LOAD_NAME];
    cardo_hinge_loads_at_rest(&t->loads, session->state,
                              cardo_evaluator_body_forces(session->evaluator), t->load);
    for (int k = 0; k < CARDO_LOADS_PER_HINGE * t->loads.count; ++k)
        cardo_result_number(table,
                            &(cardo_quantity){cardo_hinge_load_name(&t->loads, k, name),
                                              .unit = cardo_hinge_load_unit(k), .stored = ".8g"},
                            t->load[k]);
}

static cardo_status add_contact(scan_table *t, double xi, cardo_result *table, cardo_error *error)
{
    static const cardo_quantity energy = {"worst_contact_kJ_per_mol", "worst contact", "kJ/mol",
                                          .stored = ".8g"},
                                distance = {"worst_contact_nm", "its distance", "nm",
                                            .stored = ".6g"},
                                first = {"first_atom", "its first atom", .stored = ".17g"},
                                second = {"second_atom", "its second atom", .stored = ".17g"};
    char text[CARDO_STRAINED_TEXT];
    cardo_strain strain;
    cardo_status status = cardo_session_strain(t->run->session, &strain, error);
    const cardo_strained *worst = &strain.contact;
    if (status != CARDO_OK)
        return status;
    const bool there = worst->natom > 0;
    cardo_result_number(table, &energy, there ? worst->energy : (double)NAN);
    cardo_result_number(table, &distance, there ? worst->value : (double)NAN);
    cardo_result_number(table, &first, there ? worst->atom[0] + 1 : (double)NAN);
    cardo_result_number(table, &second, there ? worst->atom[1] + 1 : (double)NAN);
    if (there && worst->energy > t->worst) {
        t->worst = worst->energy;
        cardo_format(t->contact, sizeof t->contact, "%s, at %.6g",
                     cardo_strained_text(t->run->session, worst, text), xi);
    }
    return CARDO_OK;
}

/* What the density has beside U: of hinges -kT/2 ln det M, of those that constraints tie what the ensemble and the way along their manifold
 * make of it. */
static cardo_status find_metric(scan_table *t, const double *q, double *metric, cardo_error *error)
{
    cardo_status status;
    const cardo_session *session = t->run->session;
    const double kT = CARDO_BOLTZMANN * t->run->options->simulation.temperature;
    double value;
    if (t->constrained) {
        cardo_state_set_q(t->density.state, q);
        status = cardo_manifold_exponent(&t->density, &value, error);
        *metric = kT * value;
    } else {
        status = cardo_log_det_m(session->system, session->state, &value, error);
        *metric = -0.5 * kT * value;
    }
    return status;
}

static cardo_status add_place(scan_table *t, const cardo_scan_place *place, cardo_result *table,
                              cardo_error *error)
{
    cardo_status status;
    const cardo_session *session = t->run->session;
    const cardo_variable *variable = t->run->variable;
    static const cardo_quantity metric = {"metric_kJ_per_mol", "metric term", "kJ/mol",
                                          .stored = ".10g"},
                                pulling = {"motive_force", "motive force", "kJ/mol per unit",
                                           .stored = ".8g"},
                                reached = {"minimum_reached", "minimum reached"};
    double beside, force;
    cardo_state_set_q(session->state, place->q);
    CARDO_TRY(cardo_evaluate(session->evaluator, session->state, error));
    CARDO_TRY(cardo_realize(session->system, session->state, CARDO_STAGE_DYNAMICS, error));
    CARDO_TRY(find_metric(t, place->q, &beside, error));
    CARDO_TRY(find_force(t, &force, error));
    cardo_result_row(table);
    cardo_result_number(table,
                        &(cardo_quantity){"xi", cardo_variable_name(variable),
                                          cardo_variable_unit(variable), .stored = ".10g"},
                        place->xi);
    cardo_add_potential(place->potential, table);
    cardo_result_number(table, &metric, beside);
    cardo_result_number(table, &pulling, force);
    cardo_result_integer(table, &reached, place->reached);
    cardo_add_terms(session, true, table);
    /* What closes a loop bears a part that is not known here. */
    if (!t->constrained)
        add_loads(t, table);
    if (session->terms)
        status = add_contact(t, place->xi, table, error);
done:
    return status;
}

static cardo_status fill_pass(scan_table *t, cardo_scan_pass pass, cardo_result *table,
                              cardo_error *error)
{
    cardo_status status = CARDO_OK;
    const cardo_scan_options *options = cardo_scan_options_of(t->run->sampling);
    for (int k = 0; k < options->places; ++k) {
        const cardo_scan_place place = cardo_scan_place_at(t->run->sampling, pass, k);
        CARDO_TRY(add_place(t, &place, table, error));
        t->unreached += options->relaxed && !place.reached;
    }
done:
    return status;
}

/* Where the ways up and down differ most. */
static void compare_passes(const cardo_sampling *sampling, cardo_result *into)
{
    double most = 0, at = 0;
    for (int k = 0; k < cardo_scan_options_of(sampling)->places; ++k) {
        const cardo_scan_place up = cardo_scan_place_at(sampling, CARDO_SCAN_UP, k);
        const cardo_scan_place down = cardo_scan_place_at(sampling, CARDO_SCAN_DOWN, k);
        const double difference = fabs(up.potential - down.potential);
        if (difference > most) {
            most = difference;
            at = up.xi;
        }
    }
    if (!(most > 0))
        return;
    cardo_result_number(into, &(cardo_quantity){"hysteresis_kJ_per_mol", .style = ".3g"}, most);
    cardo_result_number(into, &(cardo_quantity){"hysteresis_at", .style = ".6g"}, at);
}

static cardo_status fill_passes(scan_table *t, cardo_result *into, cardo_error *error)
{
    const cardo_sampling *sampling = t->run->sampling;
    cardo_result *up = cardo_result_table(into, "scan", "place"), *down;
    cardo_result_file(up, "scan.csv", true);
    cardo_status status = fill_pass(t, CARDO_SCAN_UP, up, error);
    if (status != CARDO_OK || !cardo_scan_options_of(sampling)->relaxed)
        return status;
    down = cardo_result_table(into, "scan_down", "place");
    cardo_result_file(down, "scan-down.csv", true);
    status = fill_pass(t, CARDO_SCAN_DOWN, down, error);
    compare_passes(sampling, into);
    return status;
}

cardo_status cardo_scan_tables_fill(const sample_run *run, cardo_result *into, cardo_error *error)
{
    scan_table t = {.run = run, .worst = -HUGE_VAL};
    cardo_status status = open(&t, error);
    if (status == CARDO_OK)
        status = fill_passes(&t, into, error);
    cardo_result_integer(into, &(cardo_quantity){"places"},
                         cardo_scan_options_of(run->sampling)->places);
    if (t.unreached > 0)
        cardo_result_integer(into, &(cardo_quantity){"minima_not_found"}, t.unreached);
    if (t.contact[0])
        cardo_result_text(into, &(cardo_quantity){"worst_contact"}, t.contact);
    clear(&t);
    return status;
}
