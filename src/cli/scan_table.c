#include "cli/scan_table.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/units.h"
#include "cli/run_folder.h"
#include "cli/session_report.h"
#include "multibody/tree/operators.h"
#include "study/session/hinge_loads.h"
#include "study/session/strain.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Columns in front of the terms, and those of the worst contact behind the loads. */
enum { XI, POTENTIAL, METRIC, FORCE, REACHED, HEAD };
enum { CONTACT, DISTANCE, FIRST_ATOM, SECOND_ATOM, TAIL };

typedef struct scan_table {
    cardo_sample_run *run;
    cardo_hinge_loads loads;
    int nterm, ncolumn;
    cardo_column *columns;
    double *row;
    double *pull, *gradient, *direction; /* (nu); pull: generalized forces */
    double worst;
} scan_table;

static cardo_column column(const char *name, const char *unit, int digits)
{
    cardo_column c = {.unit = unit, .digits = digits};
    snprintf(c.name, sizeof c.name, "%.60s", name);
    return c;
}

static void name_columns(scan_table *t)
{
    const cardo_session *session = t->run->session;
    cardo_column *c = t->columns;
    c[XI] =
        column(cardo_variable_name(t->run->variable), cardo_variable_unit(t->run->variable), 10);
    c[POTENTIAL] = column("potential", "kJ/mol", 12);
    c[METRIC] = column("metric term", "kJ/mol", 10);
    c[FORCE] = column("motive force", "kJ/mol per unit", 8);
    c[REACHED] = column("minimum reached", "", 0);
    for (int k = 0; k < t->nterm; ++k)
        c[HEAD + k] = column(cardo_evaluator_term_name(session->evaluator, k), "kJ/mol", 12);
    cardo_hinge_load_columns(&t->loads, c + HEAD + t->nterm);
    c += HEAD + t->nterm + CARDO_LOADS_PER_HINGE * t->loads.count;
    if (!session->terms)
        return;
    c[CONTACT] = column("worst contact", "kJ/mol", 8);
    c[DISTANCE] = column("its distance", "nm", 6);
    c[FIRST_ATOM] = column("its first atom", "", 0);
    c[SECOND_ATOM] = column("its second atom", "", 0);
}

static cardo_status open(scan_table *t, cardo_error *error)
{
    cardo_status status;
    const cardo_session *session = t->run->session;
    const int nu = cardo_system_nu(session->system);
    cardo_evaluator_want_terms(session->evaluator, true);
    t->nterm = cardo_evaluator_nterm(session->evaluator);
    CARDO_TRY(cardo_hinge_loads_open(session->system, &t->loads, error));
    t->ncolumn =
        HEAD + t->nterm + CARDO_LOADS_PER_HINGE * t->loads.count + (session->terms ? TAIL : 0);
    CARDO_TRY(CARDO_ALLOCATE(&t->columns, t->ncolumn, error));
    CARDO_TRY(CARDO_ALLOCATE(&t->row, t->ncolumn, error));
    CARDO_TRY(CARDO_ALLOCATE(&t->pull, nu, error));
    CARDO_TRY(CARDO_ALLOCATE(&t->gradient, nu, error));
    CARDO_TRY(CARDO_ALLOCATE(&t->direction, nu, error));
    name_columns(t);
done:
    return status;
}

static void clear(scan_table *t)
{
    cardo_hinge_loads_clear(&t->loads);
    cardo_free(t->columns);
    cardo_free(t->row);
    cardo_free(t->pull);
    cardo_free(t->gradient);
    cardo_free(t->direction);
}

/* dU along the way that places are gone to: that of one speed, or the shortest in the metric of M
 * (sampling/walkers/steer.h); where all else is at a minimum any way gives the same. */
static cardo_status find_force(scan_table *t, cardo_error *error)
{
    cardo_status status;
    const cardo_session *session = t->run->session;
    double xi, along = 0, length = 0;
    int speed;
    CARDO_TRY(
        cardo_evaluator_generalized_forces(session->evaluator, session->state, t->pull, error));
    CARDO_TRY(cardo_variable_gradient(t->run->variable, session->state, &xi, t->gradient, error));
    if (cardo_variable_speed(t->run->variable, &speed))
        memcpy(t->direction, t->gradient,
               (size_t)cardo_system_nu(session->system) * sizeof *t->direction);
    else
        CARDO_TRY(
            cardo_multiply_minv(session->system, session->state, t->gradient, t->direction, error));
    for (int k = 0; k < cardo_system_nu(session->system); ++k) {
        along -= t->pull[k] * t->direction[k];
        length += t->gradient[k] * t->direction[k];
    }
    t->row[FORCE] = length > 0 ? along / length : (double)NAN;
done:
    return status;
}

static cardo_status find_contact(scan_table *t, double xi, cardo_scan_words *words,
                                 cardo_error *error)
{
    char text[CARDO_STRAINED_TEXT];
    cardo_strain strain;
    cardo_status status = cardo_session_strain(t->run->session, &strain, error);
    const cardo_strained *worst = &strain.contact;
    if (status != CARDO_OK || worst->natom == 0)
        return status;
    double *values = t->row + t->ncolumn - TAIL;
    values[CONTACT] = worst->energy;
    values[DISTANCE] = worst->value;
    values[FIRST_ATOM] = worst->atom[0] + 1;
    values[SECOND_ATOM] = worst->atom[1] + 1;
    if (worst->energy > t->worst) {
        t->worst = worst->energy;
        cardo_format(words->contact, sizeof words->contact, "%s, at %.6g",
                     cardo_strained_text(t->run->session, worst, text), xi);
    }
    return CARDO_OK;
}

static cardo_status find_row(scan_table *t, const cardo_scan_place *place, cardo_scan_words *words,
                             cardo_error *error)
{
    cardo_status status;
    const cardo_session *session = t->run->session;
    double log_det;
    for (int k = 0; k < t->ncolumn; ++k)
        t->row[k] = (double)NAN;
    t->row[XI] = place->xi;
    t->row[POTENTIAL] = place->potential;
    t->row[REACHED] = place->reached;
    cardo_state_set_q(session->state, place->q);
    CARDO_TRY(cardo_evaluate(session->evaluator, session->state, error));
    CARDO_TRY(cardo_realize(session->system, session->state, CARDO_STAGE_DYNAMICS, error));
    CARDO_TRY(cardo_log_det_m(session->system, session->state, &log_det, error));
    t->row[METRIC] = -0.5 * CARDO_BOLTZMANN * t->run->simulation.temperature * log_det;
    memcpy(t->row + HEAD, cardo_evaluator_terms(session->evaluator),
           (size_t)t->nterm * sizeof *t->row);
    CARDO_TRY(find_force(t, error));
    cardo_hinge_loads_at_rest(&t->loads, session->state,
                              cardo_evaluator_body_forces(session->evaluator),
                              t->row + HEAD + t->nterm);
    if (session->terms)
        status = find_contact(t, place->xi, words, error);
done:
    return status;
}

static cardo_status write_pass(scan_table *t, cardo_scan_pass pass, const char *name,
                               cardo_scan_words *words, cardo_error *error)
{
    cardo_status status;
    char *path = NULL;
    cardo_table *table = NULL;
    const cardo_sampling *sampling = t->run->sampling;
    CARDO_TRY(cardo_run_folder_path(t->run->folder, name, &path, error));
    CARDO_TRY(cardo_table_create(path, t->columns, t->ncolumn, &table, error));
    for (int k = 0; k < cardo_scan_options_of(sampling)->places; ++k) {
        const cardo_scan_place place = cardo_scan_place_at(sampling, pass, k);
        CARDO_TRY(find_row(t, &place, words, error));
        CARDO_TRY(cardo_table_write(table, t->row, error));
        words->unreached += cardo_scan_options_of(sampling)->relaxed && !place.reached;
    }
    status = cardo_table_close(table, error);
    table = NULL;
done:
    cardo_table_close(table, NULL);
    cardo_free(path);
    return status;
}

static void compare_passes(const cardo_sampling *sampling, cardo_scan_words *words)
{
    for (int k = 0; k < cardo_scan_options_of(sampling)->places; ++k) {
        const cardo_scan_place up = cardo_scan_place_at(sampling, CARDO_SCAN_UP, k);
        const cardo_scan_place down = cardo_scan_place_at(sampling, CARDO_SCAN_DOWN, k);
        const double difference = fabs(up.potential - down.potential);
        if (difference > words->hysteresis) {
            words->hysteresis = difference;
            words->at = up.xi;
        }
    }
}

cardo_status cardo_scan_table_write(cardo_sample_run *run, cardo_scan_words *words,
                                    cardo_error *error)
{
    scan_table t = {.run = run, .worst = -HUGE_VAL};
    cardo_status status = open(&t, error);
    *words = (cardo_scan_words){0};
    if (status == CARDO_OK)
        status = write_pass(&t, CARDO_SCAN_UP, "scan.csv", words, error);
    if (status == CARDO_OK && cardo_scan_options_of(run->sampling)->relaxed) {
        status = write_pass(&t, CARDO_SCAN_DOWN, "scan-down.csv", words, error);
        compare_passes(run->sampling, words);
    }
    clear(&t);
    return status;
}

void cardo_scan_words_print(const cardo_scan_words *words, const char *name)
{
    if (words->hysteresis > 0)
        cardo_print(stdout, "the ways up and down differ by %.3g kJ/mol at most, at %s = %.6g\n",
                    words->hysteresis, name, words->at);
    if (words->unreached > 0)
        printf("%d minima were not found within relax-iterations: there U is an upper bound\n",
               words->unreached);
    if (words->contact[0])
        printf("worst contact: %s\n", words->contact);
}
