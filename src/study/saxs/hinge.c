#include "study/saxs/ensemble.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/units.h"
#include "experiment/saxs/exposure.h"
#include "multibody/tree/coordinate_names.h"
#include "multibody/tree/operators.h"
#include "study/scattering/bodies.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double angstroms = 1.0 / CARDO_ANGSTROM; /* in a nm */

typedef struct hinge {
    cardo_saxs_context *context;
    cardo_session *opened;
    const cardo_model *model;
    cardo_system *system;
    cardo_state *state;
    cardo_scatterers scatterers;
    cardo_scattering_bodies bodies;
    cardo_profile_plan plan;
    int coordinate, places;
    char name[CARDO_COORDINATE_NAME];
    double *q0, *positions, *partials, *fitted;
    double *q, *chi_square; /* (places) */
    double *all;            /* partial profiles of all places, where shares are asked for */
    cardo_saxs_measured measured;
    cardo_labelled labelled;
    double one; /* least chi^2 of a place, of the curve and of what was measured beside */
    cardo_curve_fit best;
    int best_place;
} hinge;

/* The first coordinate of a body that hangs on another, where none is named. */
static cardo_status find_coordinate(hinge *h, cardo_error *error)
{
    const char *wanted = h->context->options->coordinate;
    if (wanted[0])
        return cardo_find_coordinate(h->system, wanted, strlen(wanted), &h->coordinate, error);
    for (int b = 0; b < h->model->nbody; ++b) {
        cardo_body_info info;
        cardo_system_body(h->system, b + 1, &info);
        if (h->model->body[b].parent < 0 || h->model->body[b].piece || info.nq == 0)
            continue;
        h->coordinate = info.q_first;
        return CARDO_OK;
    }
    return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                      "%s has no body that hangs on another: nothing moves",
                      h->context->model_path);
}

static cardo_status open(hinge *h, cardo_error *error)
{
    cardo_status status;
    const cardo_session_options options = {.size = sizeof options, .model_alone = true};
    cardo_constraint_counts counts;
    CARDO_TRY(cardo_session_open(h->context->model_path, &options, &h->context->session->listener,
                                 &h->opened, error));
    h->model = h->opened->model;
    CARDO_TRY(cardo_model_compile(h->opened->model, NULL, &h->system, error));
    CARDO_TRY(cardo_state_create(h->system, &h->state, error));
    cardo_system_constraint_counts(h->system, &counts);
    if (counts.nposition > 0)
        return CARDO_FAIL(error, CARDO_ERROR_UNSUPPORTED,
                          "%s: coordinates that constraints tie to each other cannot be gone along "
                          "one by one here yet: give a model without constraints, or frames as "
                          "structures",
                          h->context->model_path);
    CARDO_TRY(find_coordinate(h, error));
    cardo_coordinate_name(h->system, h->coordinate, h->name);
    CARDO_TRY(CARDO_ALLOCATE(&h->q0, cardo_system_nq(h->system) + 1, error));
    cardo_model_initial_q(h->model, h->system, h->q0);
    CARDO_TRY(CARDO_ALLOCATE(&h->positions, 3 * (size_t)cardo_system_nstation(h->system), error));
    CARDO_TRY(CARDO_ALLOCATE(&h->partials, CARDO_PARTIALS * (size_t)h->context->curve.n, error));
    CARDO_TRY(CARDO_ALLOCATE(&h->fitted, h->context->curve.n, error));
    CARDO_TRY(CARDO_ALLOCATE(&h->q, h->places, error));
    CARDO_TRY(CARDO_ALLOCATE(&h->chi_square, h->places, error));
    status = cardo_scatterers_make(h->model->structure[0].structure, &h->scatterers, error);
done:
    return status;
}

static cardo_status go_to(hinge *h, double q, cardo_error *error)
{
    h->q0[h->coordinate] = q;
    cardo_state_set_q(h->state, h->q0);
    return cardo_realize(h->system, h->state, CARDO_STAGE_POSITION, error);
}

static cardo_status place_scatterers(hinge *h, cardo_error *error)
{
    const cardo_status status = cardo_station_positions(h->system, h->state, h->positions, error);
    if (status == CARDO_OK)
        cardo_scatterers_move(&h->scatterers, h->positions);
    return status;
}

/* The plan holds for the widest conformation. Tables are made in the middle of the range, from which the layer differs least. */
static cardo_status plan(hinge *h, cardo_error *error)
{
    double size = 0;
    const cardo_saxs_options *options = h->context->options;
    cardo_status status;
    for (int k = 0; k < h->places; ++k) {
        h->q[k] = options->from + (options->to - options->from) * k / (h->places - 1);
        CARDO_TRY(go_to(h, h->q[k], error));
        CARDO_TRY(place_scatterers(h, error));
        size = fmax(size, cardo_scatterers_reach(&h->scatterers));
    }
    CARDO_TRY(cardo_profile_plan_make(h->context->curve.n, h->context->curve.q, size,
                                      options->tolerance, h->context->threads, &h->plan, error));
    CARDO_TRY(go_to(h, h->q[h->places / 2], error));
    CARDO_TRY(place_scatterers(h, error));
    CARDO_TRY(cardo_exposure_find(&h->scatterers, error));
    CARDO_TRY(cardo_scattering_bodies_make(h->model, &h->scatterers, cardo_state_X_GB(h->state),
                                           &h->bodies, error));
    status = cardo_profile_take_bodies(&h->plan, &h->scatterers, h->bodies.n, h->bodies.body, size,
                                       true, error);
done:
    return status;
}

/* Partial profiles where the state stands, the layer renewed, and the radius of gyration. */
static cardo_status find_profile(hinge *h, double *gyration, cardo_error *error)
{
    cardo_status status;
    if (h->plan.bodies) {
        cardo_scattering_bodies_pose(&h->bodies, cardo_state_X_GB(h->state));
        *gyration = cardo_scatterers_gyration_posed(&h->scatterers, h->bodies.body, h->bodies.pose);
        return cardo_profile_of_bodies(&h->plan, h->bodies.pose, h->partials, error);
    }
    CARDO_TRY(place_scatterers(h, error));
    CARDO_TRY(cardo_exposure_find(&h->scatterers, error));
    *gyration = cardo_scatterers_gyration(&h->scatterers);
    status = cardo_profile_find(&h->plan, &h->scatterers, h->partials, error);
done:
    return status;
}

/* Distances between labels where the state stands. */
static cardo_status measure(hinge *h, int k, cardo_error *error)
{
    if (h->measured.n == 0)
        return CARDO_OK;
    cardo_status status = cardo_station_positions(h->system, h->state, h->positions, error);
    if (status == CARDO_OK)
        status = cardo_saxs_measured_find(&h->measured, &h->labelled, h->positions, k, NULL, error);
    if (status != CARDO_OK)
        cardo_error_prefix(error, "%s = %.4g: ", h->name, h->q[k]);
    return status;
}

static cardo_status visit(hinge *h, int k, cardo_result *table, cardo_error *error)
{
    static const cardo_quantity Rg = {"gyration_A", "radius of gyration", "A", "7.2f", "Rg (A)",
                                      ".8g"};
    cardo_status status;
    cardo_curve_fit fit;
    double gyration = 0;
    char label[CARDO_COORDINATE_NAME + 40];
    CARDO_TRY(go_to(h, h->q[k], error));
    CARDO_TRY(find_profile(h, &gyration, error));
    CARDO_TRY(cardo_curve_fit_find(&h->context->curve, h->partials, h->scatterers.mean_volume,
                                   &h->context->how, &fit, h->fitted, error));
    h->chi_square[k] = fit.chi_square;
    if (h->all) {
        const size_t size = CARDO_PARTIALS * (size_t)h->context->curve.n;
        memcpy(h->all + (size_t)k * size, h->partials, size * sizeof *h->all);
        CARDO_TRY(measure(h, k, error));
        h->one = fmin(h->one, fit.chi_square + cardo_saxs_measured_chi_square(&h->measured, k));
    }
    if (k == 0 || fit.chi_square < h->best.chi_square) {
        h->best = fit;
        h->best_place = k;
    }
    cardo_result_row(table);
    snprintf(label, sizeof label, "q %.60s", h->name);
    cardo_result_number(table, &(cardo_quantity){"q", label, "", "9.4f", "q", ".10g"}, h->q[k]);
    cardo_saxs_fill_fit(&fit, table);
    cardo_result_number(table, &Rg, angstroms * gyration);
    cardo_format(label, sizeof label, "%.60s = %.4g", h->name, h->q[k]);
    cardo_saxs_take(h->context, label, &fit, h->fitted);
done:
    return status;
}

/* Where chi^2 passes a level between a place below it and the next one above, going by step from the best; false: nowhere. */
static bool crossing(const hinge *h, int step, double level, double *q)
{
    for (int k = h->best_place; k + step >= 0 && k + step < h->places; k += step)
        if (h->chi_square[k + step] > level) {
            const double a = h->chi_square[k], b = h->chi_square[k + step];
            /* Square roots: chi^2 is a parabola near its least value. */
            const double x = sqrt(fmax(a - h->best.chi_square, 0)),
                         y = sqrt(b - h->best.chi_square), z = sqrt(level - h->best.chi_square);
            *q = h->q[k] + (h->q[k + step] - h->q[k]) * (z - x) / (y - x);
            return true;
        }
    return false;
}

/* The least place between the best place and its neighbours, by the parabola through them. */
static double refine(const hinge *h)
{
    const int k = h->best_place;
    if (k == 0 || k == h->places - 1)
        return h->q[k];
    const double a = h->chi_square[k - 1], b = h->chi_square[k], c = h->chi_square[k + 1];
    return h->q[k] + 0.5 * (a - c) / (a - 2 * b + c) * (h->q[k + 1] - h->q[k]);
}

/* What the curve says of the coordinate, and what it does not. */
static void conclude(const hinge *h, cardo_result *into)
{
    static const cardo_quantity best = {"best_q", .style = ".4g"},
                                low = {"best_q_low", .style = ".4g",
                                       .meaning =
                                           "one standard error below; none: beyond the range"},
                                high = {"best_q_high", .style = ".4g",
                                        .meaning =
                                            "one standard error above; none: beyond the range"};
    char why[512], text[1024];
    const int points = h->context->curve.n, judged = cardo_saxs_judge(&h->best, points);
    const double wider = judged == CARDO_SAXS_ERRORS_TOO_LARGE ? 1 : fmax(1, h->best.reduced);
    const double q = refine(h), level = h->best.chi_square + wider;
    double from = (double)NAN, to = (double)NAN;
    const bool below = crossing(h, -1, level, &from), above = crossing(h, 1, level, &to);
    cardo_saxs_verdict(&h->best, points, why);
    if (judged == CARDO_SAXS_MISFIT)
        cardo_format(text, sizeof text,
                     "no place of %.60s is concluded: the best conformation (q = %.4g) %s", h->name,
                     h->q[h->best_place], why);
    else {
        cardo_result_number(into, &best, q);
        if (below)
            cardo_result_number(into, &low, from);
        if (above)
            cardo_result_number(into, &high, to);
        if (below && above)
            cardo_format(
                text, sizeof text,
                "%.60s = %.4g (%.4g to %.4g, one standard error, if the solution holds one "
                "conformation); it %s",
                h->name, q, from, to, why);
        else if (below || above)
            cardo_format(text, sizeof text,
                         "%.60s lies %s %.4g as far as one standard error tells; the other side is "
                         "beyond the range that was looked at; the best conformation %s",
                         h->name, below ? "above" : "below", below ? from : to, why);
        else
            cardo_format(text, sizeof text,
                         "the curve CANNOT tell %.60s between %.4g and %.4g: all conformations fit "
                         "it within one standard error; the best one %s",
                         h->name, h->q[0], h->q[h->places - 1], why);
    }
    cardo_result_remark(into, "verdict", CARDO_RESULT_VERDICT, text, NULL);
}

/* Shares of the places; with more of them than can be told apart none is looked for. */
static cardo_status share_out(hinge *h, cardo_result *into, cardo_error *error)
{
    cardo_status status;
    double *prior = NULL, *volume = NULL;
    const cardo_saxs_options *options = h->context->options;
    CARDO_TRY(CARDO_ALLOCATE(&prior, h->places, error));
    CARDO_TRY(CARDO_ALLOCATE(&volume, h->places, error));
    for (int k = 0; k < h->places; ++k)
        volume[k] = h->scatterers.mean_volume;
    CARDO_TRY(
        cardo_saxs_prior(options->prior, options->temperature, h->places, h->q, prior, error));
    cardo_saxs_question question = {.all = {h->places, h->all, volume, prior},
                                    .coordinate = h->name,
                                    .q = h->q,
                                    .prior_said = options->prior[0] != '\0',
                                    .one = h->one,
                                    .measured = &h->measured};
    cardo_saxs_measured_join(&h->measured, &question.all);
    status = cardo_saxs_ensemble(h->context, &question, into, error);
done:
    cardo_free(prior);
    cardo_free(volume);
    return status;
}

static cardo_status follow(hinge *h, cardo_result *into, cardo_error *error)
{
    cardo_status status;
    const cardo_listener *listener = &h->context->session->listener;
    CARDO_TRY(plan(h, error));
    if (h->places >= CARDO_SAXS_FEWEST_TO_SMOOTH && h->places <= CARDO_SAXS_MOST_SHARES)
        CARDO_TRY(CARDO_ALLOCATE(
            &h->all, (size_t)h->places * (size_t)h->context->curve.n * CARDO_PARTIALS, error));
    else if (h->context->options->distances[0])
        return CARDO_FAIL(
            error, CARDO_ERROR_INPUT,
            "distances join the curve where shares are looked for: at %d to %d places",
            CARDO_SAXS_FEWEST_TO_SMOOTH, CARDO_SAXS_MOST_SHARES);
    h->one = HUGE_VAL;
    CARDO_TRY(cardo_saxs_measured_open(h->context, h->places, &h->measured, error));
    CARDO_TRY(cardo_saxs_measured_label(&h->measured, h->model->structure[0].structure,
                                        h->model->atom_body, &h->labelled, error));
    cardo_result_text(into, &(cardo_quantity){"model"}, h->model->name);
    cardo_result_text(into, &(cardo_quantity){"coordinate"}, h->name);
    cardo_result_number(into, &(cardo_quantity){"from"}, h->q[0]);
    cardo_result_number(into, &(cardo_quantity){"to"}, h->q[h->places - 1]);
    cardo_result *table = cardo_result_table(into, "hinge", "place");
    cardo_result_file(table, "hinge.csv", true);
    for (int k = 0; k < h->places; ++k) {
        CARDO_TRY(visit(h, k, table, error));
        if (listener->progress)
            listener->progress(listener->user, "place", k + 1, h->places);
        if (listener->stop && *listener->stop)
            return CARDO_FAIL(error, CARDO_ERROR_INTERRUPTED, "interrupted");
    }
    conclude(h, into);
    if (h->all)
        CARDO_TRY(share_out(h, into, error));
done:
    return status;
}

cardo_status cardo_saxs_hinge(cardo_saxs_context *context, cardo_result *into, cardo_error *error)
{
    hinge h = {.context = context, .places = context->options->places};
    cardo_status status = open(&h, error);
    if (status == CARDO_OK)
        status = follow(&h, into, error);
    cardo_profile_plan_clear(&h.plan);
    cardo_scattering_bodies_clear(&h.bodies);
    cardo_scatterers_clear(&h.scatterers);
    cardo_free(h.q0);
    cardo_free(h.positions);
    cardo_free(h.partials);
    cardo_free(h.fitted);
    cardo_free(h.q);
    cardo_free(h.chi_square);
    cardo_free(h.all);
    cardo_labelled_clear(&h.labelled);
    cardo_saxs_measured_clear(&h.measured);
    cardo_state_destroy(h.state);
    cardo_system_destroy(h.system);
    cardo_session_close(h.opened);
    return status;
}
