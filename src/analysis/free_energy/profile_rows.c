#include "analysis/free_energy/profile_rows.h"

#include "analysis/free_energy/coordinate_bins.h"

#include <string.h>

void cardo_profile_normalize(int n, int ncolumn, const double *width, double *F, double *rows,
                             double *share)
{
    double least = INFINITY, sum = 0;
    for (int i = 0; i < n; ++i)
        least = width[i] > 0 ? fmin(least, F[i]) : least;
    for (int i = 0; i < n; ++i)
        sum += width[i] > 0 ? width[i] * exp(least - F[i]) : 0;
    for (int i = 0; i < n; ++i)
        share[i] = width[i] > 0 ? width[i] * exp(least - F[i]) / sum : 0;
    for (int i = 0; i < n; ++i)
        F[i] += log(sum) - least;
    for (int j = 0; j < ncolumn; ++j) {
        double mean = 0;
        for (int i = 0; i < n; ++i)
            mean += share[i] * rows[i * ncolumn + j];
        for (int i = 0; i < n; ++i)
            rows[i * ncolumn + j] -= mean;
    }
}

void cardo_profile_basins(int n, const double *xi, const double *share, int ncolumn, double *rows,
                          double period, int nbasin, const double *basin, double *basin_F)
{
    double *first = rows + (size_t)n * (size_t)ncolumn;
    for (int s = 0; s < nbasin; ++s) {
        double sum = 0, *row = first + (size_t)s * (size_t)ncolumn;
        memset(row, 0, (size_t)ncolumn * sizeof *row);
        for (int i = 0; i < n; ++i)
            if (share[i] > 0 && cardo_is_between(xi[i], basin[2 * s], basin[2 * s + 1], period)) {
                sum += share[i];
                for (int j = 0; j < ncolumn; ++j)
                    row[j] += share[i] * rows[(size_t)i * (size_t)ncolumn + (size_t)j];
            }
        basin_F[s] = sum > 0 ? -log(sum) : (double)NAN;
        for (int j = 0; j < ncolumn; ++j)
            row[j] /= sum > 0 ? sum : 1;
    }
    for (int s = nbasin - 1; s >= 0; --s) {
        basin_F[s] -= basin_F[0];
        for (int j = 0; j < ncolumn; ++j)
            first[(size_t)s * (size_t)ncolumn + (size_t)j] -= first[j];
    }
}
