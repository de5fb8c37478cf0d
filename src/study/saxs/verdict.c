#include "study/saxs/context.h"

#include "base/number.h"

#include <math.h>

/* Runs of residuals below this many standard deviations are a trend; errors are too large where chi^2 is this far below its
 * mean. */
static const double trend = -3, spread = 3;

int cardo_saxs_judge(const cardo_curve_fit *fit, int points)
{
    const double deviation = sqrt(2.0 / (points - fit->parameters));
    if (fit->reduced < 1 - spread * deviation && fit->runs_z > trend)
        return CARDO_SAXS_ERRORS_TOO_LARGE;
    if (fit->reduced < fmax(1 + spread * deviation, 1.25) && fit->runs_z > trend)
        return CARDO_SAXS_EXPLAINED;
    return CARDO_SAXS_MISFIT;
}

char *cardo_saxs_verdict(const cardo_curve_fit *fit, int points, char text[512])
{
    switch (cardo_saxs_judge(fit, points)) {
    case CARDO_SAXS_EXPLAINED:
        cardo_format(text, 512,
                     "explains the curve within its errors: reduced chi^2 %.2f of %d points, no "
                     "trend in the residuals (runs %+.1f standard deviations, Durbin-Watson %.2f)",
                     fit->reduced, points, fit->runs_z, fit->durbin_watson);
        break;
    case CARDO_SAXS_ERRORS_TOO_LARGE:
        cardo_format(text, 512,
                     "fits better than the curve's errors allow (reduced chi^2 %.2f of %d points): "
                     "the errors are too large or neighbouring points depend on each other, so no "
                     "chi^2 tells right from wrong here",
                     fit->reduced, points);
        break;
    default:
        if (fit->reduced < 1) {
            cardo_format(text, 512,
                         "lies within the curve's errors (reduced chi^2 %.2g of %d points), but "
                         "its residuals have a trend (runs %+.1f standard deviations off chance, "
                         "Durbin-Watson %.2f): a curve that was computed or smoothed and has no "
                         "noise, or errors that are too large and hide a misfit; nothing here "
                         "tells which",
                         fit->reduced, points, fit->runs_z, fit->durbin_watson);
            break;
        }
        cardo_format(
            text, 512,
            "does NOT explain the curve: reduced chi^2 %.2f of %d points, runs of residuals "
            "%+.1f standard deviations off chance, Durbin-Watson %.2f. Another protein or "
            "oligomer, another conformation, another unit of q, missing parts, or errors that are "
            "too small",
            fit->reduced, points, fit->runs_z, fit->durbin_watson);
    }
    return text;
}
