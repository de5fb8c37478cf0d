#include "study/saxs/options.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/units.h"
#include "experiment/saxs/guinier.h"
#include "study/saxs/context.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>

static const double angstroms = 1.0 / CARDO_ANGSTROM; /* in a nm */

static const char *const units[] = {"auto", "1/A", "1/nm", NULL};

#define OPTION(member) offsetof(cardo_saxs_options, member)
static const cardo_field fields[] = {
    {"unit", CARDO_FIELD_CHOICE, OPTION(unit), "", "auto", 0, 0, units,
     "of the file's q; auto: what it says, or what its range can only be"},
    {"q-low", CARDO_FIELD_DOUBLE, OPTION(low), "1/A", "0", 0, 10, NULL,
     "points below are left out"},
    {"q-high", CARDO_FIELD_DOUBLE, OPTION(high), "1/A", "0", 0, 10, NULL,
     "points above are left out; 0: none"},
    {"c1-low", CARDO_FIELD_DOUBLE, OPTION(c1_low), "", "0.95", 0.5, 2, NULL,
     "least radius of displaced volumes over its usual value"},
    {"c1-high", CARDO_FIELD_DOUBLE, OPTION(c1_high), "", "1.05", 0.5, 2, NULL,
     "largest; as the least: it is held"},
    {"c2-low", CARDO_FIELD_DOUBLE, OPTION(c2_low), "", "-2", -10, 10, NULL,
     "least density of the hydration layer"},
    {"c2-high", CARDO_FIELD_DOUBLE, OPTION(c2_high), "", "4", -10, 10, NULL,
     "largest; as the least: it is held"},
    {"background", CARDO_FIELD_BOOL, OPTION(background), "", "no", 0, 0, NULL,
     "a constant is fitted too"},
    {"coordinate", CARDO_FIELD_STRING, OPTION(coordinate), "", "", 0, 0, NULL,
     "BODY or BODY.K of a model; none: the first of a body that hangs on another"},
    {"from", CARDO_FIELD_DOUBLE, OPTION(from), "", "0", 0, 0, NULL,
     "first value of the coordinate"},
    {"to", CARDO_FIELD_DOUBLE, OPTION(to), "", "1", 0, 0, NULL, "last value"},
    {"places", CARDO_FIELD_INT, OPTION(places), "", "41", 3, 100000, NULL,
     "how many values of the coordinate"},
    {"tolerance", CARDO_FIELD_DOUBLE, OPTION(tolerance), "", "1e-3", 0, 0.1, NULL,
     "of profiles, as averages over directions; 0: Debye's sum over all pairs"},
    {"prior", CARDO_FIELD_STRING, OPTION(prior), "", "", 0, 0, NULL,
     "free energy along the coordinate, expected without the curve: the folder of a run that "
     "sampled it, or a "
     "file of its values and kJ/mol; none: all values alike"},
    {"distances", CARDO_FIELD_STRING, OPTION(distances), "", "", 0, 0, NULL,
     "table of labels with measured pairs, as of the study distances: averages over the same "
     "ensemble, "
     "which are fitted together with the curve"},
    {"temperature", CARDO_FIELD_DOUBLE, OPTION(temperature), "K", "300", 1, 1e4, NULL,
     "of the solution"},
    {"boundary", CARDO_FIELD_DOUBLE, OPTION(boundary), "", "0.5", 0, 0, NULL,
     "value of the coordinate beyond which molecules are counted"},
    {"theta", CARDO_FIELD_DOUBLE, OPTION(theta), "", "0", 0, 1e9, NULL,
     "confidence in what was expected; 0: by cross-validation"},
    {"predict", CARDO_FIELD_BOOL, OPTION(predict), "", "no", 0, 0, NULL,
     "the curve of a structure without data, up to q-high (0: 0.5 1/A), and its distances"},
    {"predicted-points", CARDO_FIELD_INT, OPTION(predicted_points), "", "101", 10, 100000, NULL,
     "of it"},
    {"predicted-c1", CARDO_FIELD_DOUBLE, OPTION(predicted_c1), "", "1", 0.5, 2, NULL,
     "radius of displaced volumes over its usual value"},
    {"predicted-c2", CARDO_FIELD_DOUBLE, OPTION(predicted_c2), "", "0", -10, 10, NULL,
     "density of the hydration layer; 4: about 0.05 e/A^3 above bulk"},
    {"predicted-error", CARDO_FIELD_DOUBLE, OPTION(predicted_error), "", "0", 0, 10, NULL,
     "a column of errors, this much of I; no noise is added"},
    {0},
};

/* What the file was found to hold. */
static void tell_curve(const cardo_saxs_context *c)
{
    const cardo_listener *listener = &c->session->listener;
    const cardo_curve *curve = &c->curve;
    char text[640];
    if (!listener->say)
        return;
    cardo_format(text, sizeof text, "%d points, q %.4g to %.4g 1/A; q is in %s (%s)", curve->n,
                 curve->q[0] / angstroms, curve->q[curve->n - 1] / angstroms,
                 curve->nanometres ? "1/nm" : "1/A",
                 curve->unit_said ? "as said" : "by its range; saxs.unit says otherwise");
    listener->say(listener->user, CARDO_SAID_NOTE, c->curve_path, text);
    if (curve->sorted || curve->without_error) {
        snprintf(text, sizeof text,
                 "%d rows were out of order%s; %d without an error above zero, or at q = 0, are "
                 "left out",
                 curve->sorted, curve->sorted ? " and were sorted" : "", curve->without_error);
        listener->say(listener->user, CARDO_SAID_REMARK, c->curve_path, text);
    }
    if (curve->errors_made)
        listener->say(
            listener->user, CARDO_SAID_WARNING, c->curve_path,
            "the file has no errors: they were made of the scatter between neighbours, so "
            "that no chi^2 tells whether a fit is good");
}

static cardo_status read_curve(cardo_saxs_context *c, cardo_error *error)
{
    const cardo_saxs_options *o = c->options;
    cardo_status status;
    CARDO_TRY(cardo_curve_read(c->curve_path, o->unit, &c->curve, error));
    if (o->low > 0 || o->high > 0)
        CARDO_TRY(cardo_curve_cut(&c->curve, o->low * angstroms,
                                  o->high > 0 ? o->high * angstroms : HUGE_VAL, error));
    if (o->c1_low > o->c1_high || o->c2_low > o->c2_high)
        return CARDO_FAIL(error, CARDO_ERROR_USAGE,
                          "the range of %s is empty: its least value is above its largest",
                          o->c1_low > o->c1_high ? "c1" : "c2");
    c->how =
        (cardo_curve_fit_options){{o->c1_low, o->c1_high}, {o->c2_low, o->c2_high}, o->background};
    tell_curve(c);
    status = CARDO_ALLOCATE(&c->best_fit, c->curve.n, error);
done:
    return status;
}

static void fill_curve(const cardo_saxs_context *c, cardo_result *into)
{
    static const cardo_quantity low = {"q_low_per_A", "from q", "1/A", ".4g"},
                                high = {"q_high_per_A", "to q", "1/A", ".4g"},
                                Rg = {"guinier_gyration_A", "Guinier's Rg", "A", ".2f"},
                                Rg_sigma = {"guinier_gyration_sigma_A", NULL, "A", ".2f"},
                                forward = {"guinier_forward", "I(0)", "", ".4g"},
                                forward_sigma = {"guinier_forward_sigma", NULL, "", ".2g"},
                                reach = {"guinier_q_high_per_A", NULL, "1/A", ".3g"};
    cardo_guinier guinier;
    const cardo_curve *curve = &c->curve;
    cardo_result *group = cardo_result_group(into, "curve");
    cardo_result_text(group, &(cardo_quantity){"file"}, c->curve_path);
    cardo_result_integer(group, &(cardo_quantity){"points"}, curve->n);
    cardo_result_number(group, &low, curve->q[0] / angstroms);
    cardo_result_number(group, &high, curve->q[curve->n - 1] / angstroms);
    cardo_result_text(group, &(cardo_quantity){"unit_of_file"}, curve->nanometres ? "1/nm" : "1/A");
    cardo_result_truth(group, &(cardo_quantity){"unit_said"}, curve->unit_said);
    cardo_result_integer(group, &(cardo_quantity){"negative_intensities"}, curve->negative);
    if (!cardo_guinier_find(curve, &guinier))
        return;
    cardo_result_number(group, &Rg, angstroms * guinier.gyration);
    cardo_result_number(group, &Rg_sigma, angstroms * guinier.gyration_sigma);
    cardo_result_number(group, &forward, guinier.forward);
    cardo_result_number(group, &forward_sigma, guinier.forward_sigma);
    cardo_result_integer(group, &(cardo_quantity){"guinier_points"}, guinier.points);
    cardo_result_number(group, &reach, guinier.high / angstroms);
}

/* The curve and the best fit of all, point by point. */
static void fill_fit(const cardo_saxs_context *c, cardo_result *into)
{
    static const cardo_quantity q = {"q_per_A", "q", "1/A", .stored = ".8g"},
                                I = {"intensity", .stored = ".8g"},
                                sigma = {"sigma", .stored = ".6g"}, fit = {"fit", .stored = ".8g"},
                                residual = {"residual", "(I - fit)/sigma", .stored = ".6g"};
    char verdict[512];
    cardo_result_text(into, &(cardo_quantity){"best"}, c->best_name);
    cardo_saxs_fill_fit(&c->best, cardo_result_group(into, "best_fit"));
    cardo_result_remark(into, "best_verdict", CARDO_RESULT_VERDICT,
                        cardo_saxs_verdict(&c->best, c->curve.n, verdict), NULL);
    cardo_result *table = cardo_result_table(into, "fit", "point");
    cardo_result_file(table, "fit.csv", true);
    for (int k = 0; k < c->curve.n; ++k) {
        cardo_result_row(table);
        cardo_result_number(table, &q, c->curve.q[k] / angstroms);
        cardo_result_number(table, &I, c->curve.intensity[k]);
        cardo_result_number(table, &sigma, c->curve.sigma[k]);
        cardo_result_number(table, &fit, c->best_fit[k]);
        cardo_result_number(table, &residual,
                            (c->curve.intensity[k] - c->best_fit[k]) / c->curve.sigma[k]);
    }
}

static cardo_status write_files(const cardo_saxs_context *c, cardo_result *into, cardo_error *error)
{
    cardo_status status;
    CARDO_TRY(cardo_result_status(into, error));
    CARDO_TRY(cardo_writer_begin(c->options->writer, NULL, error));
    CARDO_TRY(cardo_writer_result(c->options->writer, into, NULL, error));
    if (!c->options->predict)
        CARDO_TRY(cardo_writer_picture(c->options->writer, "saxs", into, error));
    cardo_writer_keep(c->options->writer, true);
done:
    return status;
}

static cardo_status run(cardo_session *session, const void *given, cardo_result *into,
                        cardo_error *error)
{
    cardo_saxs_context c = {.session = session,
                            .options = given,
                            .threads = cardo_communicator_cores(session->communicator, 1)};
    cardo_status status;
    if (c.options->predict) {
        CARDO_TRY(cardo_saxs_predict(&c, into, error));
        status = write_files(&c, into, error);
        goto done;
    }
    CARDO_TRY(cardo_saxs_sort_inputs(&c, error));
    CARDO_TRY(read_curve(&c, error));
    fill_curve(&c, into);
    CARDO_TRY(cardo_saxs_structures(&c, into, error));
    if (c.frames_path)
        CARDO_TRY(cardo_saxs_frames(&c, into, error));
    else if (c.model_path)
        CARDO_TRY(cardo_saxs_hinge(&c, into, error));
    fill_fit(&c, into);
    status = write_files(&c, into, error);
done:
    cardo_curve_clear(&c.curve);
    cardo_free(c.best_fit);
    return status;
}

static const cardo_option_group groups[] = {
    {"<saxs> options", fields},
    {NULL, NULL},
};

const cardo_study cardo_study_saxs = {
    .name = "saxs",
    .doc = "structures, and a model along its hinge, against a measured scattering curve",
    .needs = CARDO_STUDY_TAKES_FILES,
    .options_size = sizeof(cardo_saxs_options),
    .groups = groups,
    .options = {{fields, 0}},
    .inputs = OPTION(inputs),
    .writer = OPTION(writer),
    .frames = OPTION(frames),
    .run = run,
};
