#include "study/saxs/context.h"

#include <stdio.h>
#include <string.h>

void cardo_saxs_fill_fit(const cardo_curve_fit *fit, cardo_result *into)
{
    static const cardo_quantity
        reduced = {"reduced_chi_square", "reduced chi^2", "", "9.3f", "red. chi^2", ".8g"},
        chi = {"chi_square", "chi^2", "", ".4g", NULL, ".8g"},
        c1 = {"c1",
              NULL,
              "",
              "7.4f",
              "c1",
              ".8g",
              "radius of displaced volumes over its usual value"},
        c2 = {"c2",
              NULL,
              "",
              "6.2f",
              "c2",
              ".8g",
              "density of the hydration layer, 4: about 0.05 e/A^3 above bulk"},
        scale = {"scale", NULL, "", ".6g", NULL, ".8g"},
        background = {"background", NULL, "", ".4g", NULL, ".8g"},
        watson = {"durbin_watson",
                  "Durbin-Watson",
                  "",
                  "6.2f",
                  "DW",
                  ".6g",
                  "2: residuals without a trend"},
        runs = {"runs_z",
                "runs",
                "standard deviations",
                "+6.1f",
                "runs",
                ".6g",
                "runs of residuals of one sign against chance"};
    cardo_result_number(into, &reduced, fit->reduced);
    cardo_result_number(into, &chi, fit->chi_square);
    cardo_result_number(into, &c1, fit->c1);
    cardo_result_number(into, &c2, fit->c2);
    cardo_result_number(into, &scale, fit->scale);
    cardo_result_number(into, &background, fit->background);
    cardo_result_truth(
        into, &(cardo_quantity){"at_bound", .meaning = "c1 or c2 is at an end of its range"},
        fit->at_bound);
    cardo_result_number(into, &watson, fit->durbin_watson);
    cardo_result_number(into, &runs, fit->runs_z);
}

void cardo_saxs_take(cardo_saxs_context *context, const char *name, const cardo_curve_fit *fit,
                     const double *fitted)
{
    if (context->best.chi_square > 0 && context->best.chi_square <= fit->chi_square)
        return;
    context->best = *fit;
    snprintf(context->best_name, sizeof context->best_name, "%s", name);
    memcpy(context->best_fit, fitted, (size_t)context->curve.n * sizeof *fitted);
}
