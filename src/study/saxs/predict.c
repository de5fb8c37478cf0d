#include "study/saxs/context.h"

#include "base/memory.h"
#include "base/units.h"
#include "experiment/saxs/distances.h"
#include "experiment/saxs/exposure.h"
#include "structure/atoms/file_kinds.h"
#include "study/fit/structures.h"

#include <math.h>
#include <string.h>

static const double angstroms = 1.0 / CARDO_ANGSTROM; /* in a nm */

typedef struct prediction {
    const cardo_saxs_options *options;
    cardo_scatterers s;
    double *q, *intensity;
    double forward;
} prediction;

static double intensity_at(const prediction *p, double q, const double *partials)
{
    double w[CARDO_PARTIALS], sum = 0;
    cardo_partial_weights(q, p->s.mean_volume, p->options->predicted_c1, p->options->predicted_c2,
                          w, NULL, NULL);
    for (int k = 0; k < CARDO_PARTIALS; ++k)
        sum += w[k] * partials[k];
    return sum;
}

/* Equal steps from the range's lower end, or from one step above 0, to its upper end. */
static cardo_status find_curve(prediction *p, int threads, cardo_error *error)
{
    const cardo_saxs_options *o = p->options;
    const int n = o->predicted_points;
    const double high = (o->high > 0 ? o->high : 0.5) * angstroms,
                 low = o->low > 0 ? o->low * angstroms : high / n;
    cardo_profile_plan plan = {0};
    double *partials = NULL, at_zero[CARDO_PARTIALS];
    cardo_status status;
    if (low >= high)
        return CARDO_FAIL(error, CARDO_ERROR_USAGE,
                          "the range of q is empty: its least value is not below its largest");
    CARDO_TRY(CARDO_ALLOCATE(&p->q, n, error));
    CARDO_TRY(CARDO_ALLOCATE(&p->intensity, n, error));
    CARDO_TRY(CARDO_ALLOCATE(&partials, CARDO_PARTIALS * (size_t)n, error));
    for (int k = 0; k < n; ++k)
        p->q[k] = low + (high - low) * k / (n - 1);
    CARDO_TRY(cardo_profile_plan_make(n, p->q, cardo_scatterers_diameter(&p->s), o->tolerance,
                                      threads, &plan, error));
    CARDO_TRY(cardo_profile_find(&plan, &p->s, partials, error));
    for (int k = 0; k < n; ++k)
        p->intensity[k] = intensity_at(p, p->q[k], partials + (size_t)k * CARDO_PARTIALS);
    CARDO_TRY(cardo_scattering_forward(&p->s, at_zero, error));
    p->forward = intensity_at(p, 0, at_zero);
done:
    cardo_free(partials);
    cardo_profile_plan_clear(&plan);
    return status;
}

static void fill_curve(const prediction *p, cardo_result *into)
{
    static const cardo_quantity q = {"q_per_A", "q", "1/A", .stored = ".8g"},
                                I = {"intensity", NULL, "e^2", .stored = ".8g"},
                                sigma = {"sigma", NULL, "e^2", .stored = ".6g"};
    cardo_result *table = cardo_result_table(into, "predicted", "point");
    cardo_result_file(table, "predicted.csv", true);
    for (int k = 0; k < p->options->predicted_points; ++k) {
        cardo_result_row(table);
        cardo_result_number(table, &q, p->q[k] / angstroms);
        cardo_result_number(table, &I, p->intensity[k]);
        if (p->options->predicted_error > 0)
            cardo_result_number(table, &sigma, p->options->predicted_error * p->intensity[k]);
    }
}

static cardo_status fill_distances(const prediction *p, double most, cardo_result *into,
                                   cardo_error *error)
{
    static const cardo_quantity r = {"r_A", "r", "A", .stored = ".8g"},
                                density = {"p", "p(r)", "e^2/A", .stored = ".8g"};
    const double step = 0.1; /* nm */
    const int n = (int)(most / step) + 1;
    double *P = NULL;
    cardo_status status;
    CARDO_TRY(CARDO_ALLOCATE(&P, n, error));
    cardo_scatterers_distances(&p->s, step, n, P);
    cardo_result *table = cardo_result_table(into, "distances", "distance");
    cardo_result_file(table, "distances.csv", true);
    for (int k = 0; k < n; ++k) {
        cardo_result_row(table);
        cardo_result_number(table, &r, angstroms * step * (k + 0.5));
        cardo_result_number(table, &density, P[k] / angstroms);
    }
done:
    cardo_free(P);
    return status;
}

static cardo_status predict_one(cardo_saxs_context *context, const char *file,
                                const cardo_structure *structure, cardo_result *into,
                                cardo_error *error)
{
    static const cardo_quantity atoms = {"scatterers", "scatterers", NULL, "d"},
                                Rg = {"gyration_A",
                                      "radius of gyration",
                                      "A",
                                      ".2f",
                                      NULL,
                                      ".8g",
                                      "of electrons beyond displaced water, without the layer"},
                                Dmax = {"largest_distance_A",
                                        "largest distance",
                                        "A",
                                        ".1f",
                                        NULL,
                                        ".8g"},
                                forward = {"forward", "I(0)", "e^2", ".6g", NULL, ".8g"};
    cardo_status status;
    prediction p = {.options = context->options};
    CARDO_TRY(cardo_scatterers_make(structure, &p.s, error));
    CARDO_TRY(cardo_exposure_find(&p.s, error));
    CARDO_TRY(find_curve(&p, context->threads, error));
    const double most = cardo_scatterers_diameter(&p.s);
    cardo_result_text(into, &(cardo_quantity){"structure"}, file);
    cardo_result_integer(into, &atoms, p.s.n);
    cardo_result_number(into, &Rg, angstroms * cardo_scatterers_gyration(&p.s));
    cardo_result_number(into, &Dmax, angstroms * most);
    cardo_result_number(into, &forward, p.forward);
    cardo_result_number(into, &(cardo_quantity){"c1", .style = ".4g"}, p.options->predicted_c1);
    cardo_result_number(into, &(cardo_quantity){"c2", .style = ".4g"}, p.options->predicted_c2);
    fill_curve(&p, into);
    status = fill_distances(&p, most, into, error);
done:
    cardo_free(p.q);
    cardo_free(p.intensity);
    cardo_scatterers_clear(&p.s);
    return status;
}

cardo_status cardo_saxs_predict(cardo_saxs_context *context, cardo_result *into, cardo_error *error)
{
    const cardo_study_inputs *inputs = &context->options->inputs;
    cardo_fit_structures *structures = NULL;
    const cardo_structure *structure = NULL;
    const char *file = "";
    cardo_status status;
    if (inputs->count != 1 || !cardo_file_is_structure(inputs->path[0]))
        return CARDO_FAIL(error, CARDO_ERROR_USAGE,
                          "a curve is predicted of one structure (.pdb, .cif), and without data");
    CARDO_TRY(cardo_fit_structures_open(&(cardo_fit_structures_choice){.inputs = *inputs},
                                        &structures, error));
    CARDO_TRY(cardo_fit_structures_next(structures, &file, &structure, error));
    if (!structure)
        status = CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s holds no structure", inputs->path[0]);
    else
        status = predict_one(context, file, structure, into, error);
done:
    cardo_fit_structures_close(structures);
    return status;
}
