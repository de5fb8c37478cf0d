#include "experiment/saxs/guinier.h"

#include <math.h>

enum { FEWEST = 5, MOST_TURNS = 50 };
static const double reach = 1.3; /* of q Rg */

/* Sums of a weighted line y = a + b x over points 0 ... n - 1 of the curve, x = q^2, y = ln I. */
static bool fit_line(const cardo_curve *curve, int n, cardo_guinier *out)
{
    double s = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
    int used = 0;
    for (int k = 0; k < n; ++k) {
        if (curve->intensity[k] <= 0)
            continue;
        const double x = curve->q[k] * curve->q[k], y = log(curve->intensity[k]);
        const double relative = curve->sigma[k] / curve->intensity[k],
                     w = 1 / (relative * relative);
        s += w;
        sx += w * x;
        sy += w * y;
        sxx += w * x * x;
        sxy += w * x * y;
        ++used;
    }
    const double determinant = s * sxx - sx * sx;
    if (used < FEWEST || !(determinant > 0))
        return false;
    const double b = (s * sxy - sx * sy) / determinant, a = (sy - b * sx) / s;
    if (!(b < 0))
        return false;
    double square = 0;
    for (int k = 0; k < n; ++k) {
        if (curve->intensity[k] <= 0)
            continue;
        const double x = curve->q[k] * curve->q[k], r = log(curve->intensity[k]) - a - b * x;
        const double relative = curve->sigma[k] / curve->intensity[k];
        square += r * r / (relative * relative);
    }
    const double reduced = square / (used - 2), wider = fmax(1, sqrt(reduced));
    out->points = used;
    out->reduced = reduced;
    out->gyration = sqrt(-3 * b);
    out->gyration_sigma = wider * sqrt(s / determinant) * 1.5 / out->gyration;
    out->forward = exp(a);
    out->forward_sigma = wider * sqrt(sxx / determinant) * out->forward;
    out->low = curve->q[0];
    out->high = curve->q[n - 1];
    return true;
}

bool cardo_guinier_find(const cardo_curve *curve, cardo_guinier *out)
{
    int n = curve->n < 15 ? curve->n : 15;
    *out = (cardo_guinier){.gyration = 0};
    for (int turn = 0; turn < MOST_TURNS; ++turn) {
        if (!fit_line(curve, n, out))
            return false;
        int wanted = 0;
        while (wanted < curve->n && curve->q[wanted] * out->gyration < reach)
            ++wanted;
        if (wanted < FEWEST)
            return false;
        if (wanted == n)
            break;
        n = turn < MOST_TURNS / 2 ? wanted : (n + wanted) / 2;
    }
    return out->high * out->gyration < 1.05 * reach;
}
