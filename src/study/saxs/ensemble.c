#include "study/saxs/ensemble.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/units.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { CONFIDENCES = 11, VERDICT = 1400 };

/* A mixture that lowers chi^2 by less than this many times its standard rise is not asked for: two standard deviations. */
static const double worth = 4;

typedef struct ensemble {
    cardo_saxs_context *context;
    const cardo_saxs_question *question;
    cardo_conformations all;
    const cardo_curve_fit_options *how;
    double *weight, *free_weight, *best_weight, *property, *fitted, *partials;
    cardo_ensemble_fit free, fit; /* by the curve alone; nearest to the prior */
    double rise;                  /* of chi^2 by one standard error           */
    double theta;
} ensemble;

static double average(const ensemble *e, const double *weight, const double *property)
{
    double sum = 0;
    for (int k = 0; k < e->all.n; ++k)
        sum += weight[k] * property[k];
    return sum;
}

/* What the curve alone says, and whether any shares explain it. */
static cardo_status fit_freely(ensemble *e, int *judged, cardo_curve_fit *fit, cardo_error *error)
{
    const cardo_curve *curve = &e->context->curve;
    const cardo_ensemble_wish wish = {.theta = CARDO_ENSEMBLE_NO_PRIOR};
    cardo_status status;
    double volume;
    CARDO_TRY(cardo_ensemble_start(curve, &e->all, e->how, &e->free, e->free_weight, error));
    CARDO_TRY(
        cardo_ensemble_fit_find(curve, &e->all, e->how, &wish, &e->free, e->free_weight, error));
    cardo_ensemble_average(curve, &e->all, e->free_weight, e->partials, &volume);
    CARDO_TRY(cardo_curve_fit_find(curve, e->partials, volume, e->how, fit, e->fitted, error));
    *judged = cardo_saxs_judge(fit, curve->n);
    e->rise = *judged == CARDO_SAXS_ERRORS_TOO_LARGE ? 1 : fmax(1, fit->reduced);
    const double least = e->all.nmeasured > 0 ? e->free.chi_square : fit->chi_square;
    if (e->question->one - least > worth * e->rise)
        cardo_saxs_take(e->context, "an ensemble", fit, e->fitted);
done:
    return status;
}

/* Where the curve of chi^2 against the cost bends most: the corner of the L (Hansen & O'Leary 1993, SIAM J. Sci. Comput. 14, 1487). */
static int corner(int n, const double *chi_square, const double *divergence)
{
    double most = -HUGE_VAL;
    int at = 0;
    for (int k = 1; k + 1 < n; ++k) {
        double x[3], y[3];
        for (int j = 0; j < 3; ++j) {
            x[j] = log(fmax(divergence[k - 1 + j], 1e-9));
            y[j] = log(chi_square[k - 1 + j]);
        }
        const double area = (x[1] - x[0]) * (y[2] - y[0]) - (x[2] - x[0]) * (y[1] - y[0]);
        const double sides = hypot(x[1] - x[0], y[1] - y[0]) * hypot(x[2] - x[1], y[2] - y[1]) *
                             hypot(x[2] - x[0], y[2] - y[0]);
        if (sides > 0 && 2 * area / sides > most) {
            most = 2 * area / sides;
            at = k;
        }
    }
    return at;
}

/* chi^2 of n measured averages that is no more than chance leaves (three standard deviations). */
static bool is_by_chance(double chi_square, int n)
{
    return chi_square <= n + 3 * sqrt(2.0 * n);
}

/* The confidence in the prior with which four fifths of the points foretell the others best. */
static cardo_status choose_confidence(ensemble *e, cardo_result *into, cardo_error *error)
{
    static const cardo_quantity theta = {"theta", "confidence in the prior", "", "10.4g", "theta"},
                                chi = {"chi_square", "chi^2", "", "10.4f", "chi^2"},
                                cost = {"divergence_kT", "cost", "kT", "10.4f", "cost (kT)"},
                                score = {"foretold", "chi^2 a point that was left out", "", "10.4f",
                                         "foretold"};
    const cardo_listener *listener = &e->context->session->listener;
    cardo_status status;
    bool best_agrees = false;
    double best = HUGE_VAL, chi_square[CONFIDENCES], divergence[CONFIDENCES], value = 1e3;
    const double given = e->context->options->theta;
    CARDO_TRY(cardo_ensemble_start(&e->context->curve, &e->all, e->how, &e->fit, e->weight, error));
    cardo_result *table = cardo_result_table(into, "confidences", "confidence");
    cardo_result_file(table, "confidences.csv", true);
    cardo_ensemble_fit chosen = e->fit;
    for (int k = 0; k < CONFIDENCES; ++k, value /= sqrt(10)) {
        const cardo_ensemble_wish wish = {.theta = given > 0 ? given : value};
        double foretold;
        CARDO_TRY(cardo_ensemble_fit_find(&e->context->curve, &e->all, e->how, &wish, &e->fit,
                                          e->weight, error));
        CARDO_TRY(cardo_ensemble_foretell(&e->context->curve, &e->all, e->how, wish.theta, &e->fit,
                                          e->weight, &foretold, error));
        cardo_result_row(table);
        cardo_result_number(table, &theta, wish.theta);
        cardo_result_number(table, &chi, chi_square[k] = e->fit.chi_square);
        cardo_result_number(table, &cost, divergence[k] = e->fit.divergence);
        cardo_result_number(table, &score, foretold);
        /* What was measured beside the curve is not foretold: a distribution that has it comes before one that has not. */
        const bool agrees =
            is_by_chance(cardo_conformations_measured(&e->all, e->weight), e->all.nmeasured);
        if (agrees > best_agrees || (agrees == best_agrees && foretold < best)) {
            best_agrees = agrees;
            best = foretold;
            chosen = e->fit;
            e->theta = wish.theta;
            memcpy(e->best_weight, e->weight, (size_t)e->all.n * sizeof *e->weight);
        }
        if (given > 0)
            break;
        if (listener->progress)
            listener->progress(listener->user, "confidence", k + 1, CONFIDENCES);
        if (listener->stop && *listener->stop)
            return CARDO_FAIL(error, CARDO_ERROR_INTERRUPTED, "interrupted");
    }
    e->fit = chosen;
    cardo_result_number(into, &(cardo_quantity){"theta", .style = ".3g"}, e->theta);
    if (given <= 0)
        cardo_result_number(into, &(cardo_quantity){"theta_by_corner", .style = ".3g"},
                            1e3 * pow(10, -0.5 * corner(CONFIDENCES, chi_square, divergence)));
done:
    return status;
}

/* None is meant, not the search's smallest share. */
static double share_of(double value)
{
    return value < 1e-6 ? 0 : value > 1 - 1e-6 ? 1 : value;
}

static cardo_status find_range(ensemble *e, const double *property, double range[2],
                               cardo_error *error)
{
    return cardo_ensemble_range(&e->context->curve, &e->all, e->how, property, e->rise, &e->free,
                                e->free_weight, range, error);
}

/* Few structures: each one's share by the curve alone. */
static cardo_status fill_structures(ensemble *e, cardo_result *into, char verdict[VERDICT],
                                    cardo_error *error)
{
    static const cardo_quantity label = {"structure", NULL, NULL, "-28s", "structure"},
                                share = {"share", NULL, "", "7.3f", "share", ".6g"},
                                low = {"share_low", "one standard error below", "", "7.3f", "from",
                                       ".6g"},
                                high = {"share_high", "one standard error above", "", "7.3f", "to",
                                        ".6g"};
    cardo_status status = CARDO_OK;
    double widest = 0;
    cardo_result *table = cardo_result_table(into, "shares", "structure");
    cardo_result_file(table, "shares.csv", false);
    for (int k = 0; k < e->all.n; ++k) {
        double range[2];
        memset(e->property, 0, (size_t)e->all.n * sizeof *e->property);
        e->property[k] = 1;
        CARDO_TRY(find_range(e, e->property, range, error));
        cardo_result_row(table);
        cardo_result_text(table, &label, e->question->names[k]);
        cardo_result_number(table, &share, share_of(e->free_weight[k]));
        cardo_result_number(table, &low, range[0]);
        cardo_result_number(table, &high, range[1]);
        widest = fmax(widest, range[1] - range[0]);
        cardo_append(verdict, VERDICT, "%s%.60s %.3g (%.3g to %.3g)",
                     k ? ", " : "shares: ", e->question->names[k], e->free_weight[k], range[0],
                     range[1]);
    }
    cardo_append(verdict, VERDICT, ", each with one standard error%s",
                 widest >= 0.5 ? "; the curve CANNOT tell them apart" : "");
done:
    return status;
}

static void fill_places(const ensemble *e, cardo_result *into)
{
    char label[200];
    static const cardo_quantity prior = {"prior", "share expected", "", .stored = ".8g"},
                                share = {"share", "share", "", .stored = ".8g"};
    cardo_format(label, sizeof label, "q %.100s", e->question->coordinate);
    cardo_result *table = cardo_result_table(into, "shares", "place");
    cardo_result_file(table, "shares.csv", true);
    for (int k = 0; k < e->all.n; ++k) {
        cardo_result_row(table);
        cardo_result_number(table, &(cardo_quantity){"q", label, "", .stored = ".10g"},
                            e->question->q[k]);
        cardo_result_number(table, &prior, e->all.prior[k]);
        cardo_result_number(table, &share, e->best_weight[k]);
    }
}

/* kJ/mol by which the far side lies above the near one; share: of the far side. */
static double cost_of(const ensemble *e, double share)
{
    const double kT = CARDO_BOLTZMANN * e->context->options->temperature;
    return -kT * log(share / (1 - share));
}

static void fill_number(cardo_result *into, const char *name, const char *unit, double value)
{
    const cardo_quantity what = {.name = name, .unit = unit, .style = ".3g", .stored = ".8g"};
    if (isfinite(value))
        cardo_result_number(into, &what, value);
}

/* Along a coordinate: how much lies beyond the boundary, and the mean. */
static cardo_status fill_sides(ensemble *e, cardo_result *into, char verdict[VERDICT],
                               cardo_error *error)
{
    const double boundary = e->question->has_boundary ? e->question->boundary
                                                      : e->context->options->boundary,
                 kT = CARDO_BOLTZMANN * e->context->options->temperature;
    cardo_status status;
    double beyond[2], mean[2];
    CARDO_TRY(find_range(e, e->question->q, mean, error));
    for (int k = 0; k < e->all.n; ++k)
        e->property[k] = e->question->q[k] > boundary;
    CARDO_TRY(find_range(e, e->property, beyond, error));
    const double expected = average(e, e->all.prior, e->property),
                 share = average(e, e->best_weight, e->property);
    fill_number(into, "boundary", "", boundary);
    fill_number(into, "beyond", "", share);
    fill_number(into, "beyond_low", "", beyond[0]);
    fill_number(into, "beyond_high", "", beyond[1]);
    fill_number(into, "beyond_expected", "", expected);
    fill_number(into, "mean_q", "", average(e, e->best_weight, e->question->q));
    fill_number(into, "mean_q_low", "", mean[0]);
    fill_number(into, "mean_q_high", "", mean[1]);
    fill_number(into, "free_energy_beyond_kJ_per_mol", "kJ/mol", cost_of(e, share));
    fill_number(into, "free_energy_beyond_expected_kJ_per_mol", "kJ/mol", cost_of(e, expected));
    fill_number(into, "cost_kJ_per_mol", "kJ/mol", kT * e->fit.divergence);
    cardo_append(verdict, VERDICT,
                 "by the %s alone, whatever one expected, %.3g to %.3g of the molecules have "
                 "%.60s above %.3g, and its mean lies from %.3g to %.3g (one standard error)",
                 e->all.nmeasured > 0 ? "data" : "curve", beyond[0], beyond[1],
                 e->question->coordinate, boundary, mean[0], mean[1]);
    if (beyond[1] - beyond[0] >= 0.5)
        cardo_append(verdict, VERDICT,
                     ": it CANNOT tell how much is beyond; the distribution shown is little more "
                     "than what was expected");
    cardo_append(verdict, VERDICT,
                 "; the distribution nearest to %s has %.3g there (expected: %.3g) and costs %.2g "
                 "kJ/mol",
                 e->question->prior_name   ? e->question->prior_name
                 : e->question->prior_said ? "the free energy that was given"
                                           : "a uniform one",
                 share, expected, kT * e->fit.divergence);
done:
    return status;
}

/* How the distances agree with the shares that were fitted to them and to the curve, and whether that is more than chance leaves. */
static bool join_measured(const ensemble *e, cardo_result *into, char verdict[VERDICT])
{
    const cardo_saxs_measured *m = e->question->measured;
    if (!m || m->n == 0)
        return true;
    const double chi_square = cardo_conformations_measured(&e->all, e->free_weight);
    const bool agrees = is_by_chance(chi_square, m->n);
    cardo_saxs_measured_fill(m, &e->all, e->free_weight, into);
    fill_number(into, "measured_chi_square", "", chi_square);
    cardo_append(
        verdict, VERDICT,
        agrees ? "together with %d measured distance%s, which agree (chi^2 %.3g): "
               : "no shares are concluded: no ensemble of these conformations has %d measured "
                 "distance%s and the curve together (chi^2 of the distances %.3g): labels that "
                 "stick, wrong clouds or errors, or other conformations",
        m->n, m->n == 1 ? "" : "s", chi_square);
    return agrees;
}

/* Whether one conformation does as well. */
static void compare_with_one(const ensemble *e, cardo_result *into, char verdict[VERDICT])
{
    const double gain = e->question->one - e->free.chi_square;
    const bool asked = gain > worth * e->rise;
    cardo_result_truth(into,
                       &(cardo_quantity){"mixture_asked_for",
                                         .meaning = "chi^2 falls by more than two standard "
                                                    "deviations against the best conformation"},
                       asked);
    fill_number(into, "chi_square_of_one", "", e->question->one);
    fill_number(into, "chi_square", "", e->free.chi_square);
    cardo_append(verdict, VERDICT,
                 asked ? "; no single conformation does as well (chi^2 %.4g against %.4g)"
                       : "; the best conformation alone does as well (chi^2 %.4g against %.4g): "
                         "the curve does not ask for a mixture",
                 e->question->one, e->free.chi_square);
}

static cardo_status answer(ensemble *e, cardo_result *into, cardo_error *error)
{
    cardo_status status;
    cardo_curve_fit fit;
    char why[512], verdict[VERDICT] = "";
    int judged;
    CARDO_TRY(fit_freely(e, &judged, &fit, error));
    cardo_result_integer(into, &(cardo_quantity){"conformations"}, e->all.n);
    cardo_saxs_fill_fit(&fit, cardo_result_group(into, "fit"));
    cardo_saxs_verdict(&fit, e->context->curve.n, why);
    if (judged == CARDO_SAXS_MISFIT)
        cardo_format(verdict, sizeof verdict,
                     "no shares are concluded: the best ensemble of these conformations%s %s",
                     e->all.nmeasured > 0 ? ", fitted to the distances too," : "", why);
    else if (join_measured(e, into, verdict)) {
        if (e->question->names)
            CARDO_TRY(fill_structures(e, into, verdict, error));
        else {
            CARDO_TRY(choose_confidence(e, into, error));
            CARDO_TRY(fill_sides(e, into, verdict, error));
            fill_places(e, into);
        }
        compare_with_one(e, into, verdict);
        if (judged == CARDO_SAXS_ERRORS_TOO_LARGE)
            cardo_append(verdict, sizeof verdict, "; the ensemble %s", why);
    }
    cardo_result_remark(into, "verdict", CARDO_RESULT_VERDICT, verdict, NULL);
done:
    return status;
}

cardo_status cardo_saxs_ensemble(cardo_saxs_context *context, const cardo_saxs_question *question,
                                 cardo_result *into, cardo_error *error)
{
    const int n = question->all.n;
    ensemble e = {
        .context = context, .question = question, .all = question->all, .how = &context->how};
    cardo_status status;
    CARDO_TRY(CARDO_ALLOCATE(&e.weight, n, error));
    CARDO_TRY(CARDO_ALLOCATE(&e.free_weight, n, error));
    CARDO_TRY(CARDO_ALLOCATE(&e.best_weight, n, error));
    CARDO_TRY(CARDO_ALLOCATE(&e.property, n, error));
    CARDO_TRY(CARDO_ALLOCATE(&e.fitted, context->curve.n, error));
    CARDO_TRY(CARDO_ALLOCATE(&e.partials, CARDO_PARTIALS * (size_t)context->curve.n, error));
    status = answer(&e, cardo_result_group(into, "ensemble"), error);
done:
    cardo_free(e.weight);
    cardo_free(e.free_weight);
    cardo_free(e.best_weight);
    cardo_free(e.property);
    cardo_free(e.fitted);
    cardo_free(e.partials);
    return status;
}
