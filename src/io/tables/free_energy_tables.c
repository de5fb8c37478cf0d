#include "io/tables/free_energy_tables.h"

#include "base/number.h"
#include "base/output.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { DIGITS = 8 };

/* A number after a comma, with a point whatever the locale. */
static void put_number(FILE *stream, const char *before, double value)
{
    char text[40];
    cardo_format(text, sizeof text, "%.*g", DIGITS, value);
    char *comma = strchr(text, ',');
    if (comma)
        *comma = '.';
    fprintf(stream, "%s%s", before, isnan(value) ? "nan" : text);
}

static void put_name(FILE *stream, cardo_coordinate_label coordinate)
{
    for (const char *c = coordinate.name; *c; ++c)
        fputc(*c == ',' || *c == '"' || (unsigned char)*c < ' ' ? '_' : *c, stream);
    if (coordinate.unit && *coordinate.unit)
        fprintf(stream, " (%s)", coordinate.unit);
}

cardo_status cardo_profile_write(const char *path, const cardo_profile_table *profile,
                                 cardo_error *error)
{
    cardo_output output = {0};
    double least = INFINITY;
    cardo_status status = cardo_output_open(&output, path, error);
    if (status != CARDO_OK)
        return status;
    FILE *f = output.stream;
    for (int i = 0; i < profile->n; ++i)
        least = fmin(least, profile->F[i]);
    put_name(f, profile->coordinate);
    fputs(",F (kJ/mol),sigma (kJ/mol),F (kT),sigma (kT)", f);
    fputs(profile->bootstrap ? ",sigma by bootstrap (kT)" : "", f);
    fputs(profile->effective ? ",effective samples\n" : "\n", f);
    for (int i = 0; i < profile->n; ++i) {
        double F = profile->F[i] - least, sigma = profile->sigma[i];
        put_number(f, "", profile->xi[i]);
        put_number(f, ",", profile->kT * F);
        put_number(f, ",", profile->kT * sigma);
        put_number(f, ",", F);
        put_number(f, ",", sigma);
        if (profile->bootstrap)
            put_number(f, ",", profile->bootstrap[i]);
        if (profile->effective)
            put_number(f, ",", profile->effective[i]);
        fputc('\n', f);
    }
    return cardo_output_commit(&output, error);
}

cardo_status cardo_histograms_write(const char *path, cardo_coordinate_label coordinate, int n,
                                    const double *xi, int nwindow, const double *counts,
                                    cardo_error *error)
{
    cardo_output output = {0};
    cardo_status status = cardo_output_open(&output, path, error);
    if (status != CARDO_OK)
        return status;
    put_name(output.stream, coordinate);
    for (int k = 0; k < nwindow; ++k)
        fprintf(output.stream, ",window %d", k + 1);
    fputc('\n', output.stream);
    for (int i = 0; i < n; ++i) {
        put_number(output.stream, "", xi[i]);
        for (int k = 0; k < nwindow; ++k)
            put_number(output.stream, ",", counts[(size_t)k * (size_t)n + (size_t)i]);
        fputc('\n', output.stream);
    }
    return cardo_output_commit(&output, error);
}

cardo_status cardo_overlap_write(const char *path, int nwindow, const double *overlap,
                                 cardo_error *error)
{
    cardo_output output = {0};
    cardo_status status = cardo_output_open(&output, path, error);
    if (status != CARDO_OK)
        return status;
    for (int k = 0; k < nwindow; ++k)
        fprintf(output.stream, "%swindow %d", k ? "," : "", k + 1);
    fputc('\n', output.stream);
    for (int i = 0; i < nwindow; ++i) {
        for (int k = 0; k < nwindow; ++k)
            put_number(output.stream, k ? "," : "", overlap[i * nwindow + k]);
        fputc('\n', output.stream);
    }
    return cardo_output_commit(&output, error);
}

cardo_status cardo_convergence_write(const char *path, const char *what, double kT, int npart,
                                     const double *forward, const double *forward_sigma,
                                     const double *backward, const double *backward_sigma,
                                     cardo_error *error)
{
    cardo_output output = {0};
    cardo_status status = cardo_output_open(&output, path, error);
    if (status != CARDO_OK)
        return status;
    fprintf(output.stream,
            "part of the run,%s from the beginning (kJ/mol),sigma (kJ/mol),%s from the end "
            "(kJ/mol),sigma (kJ/mol)\n",
            what, what);
    for (int i = 0; i < npart; ++i) {
        put_number(output.stream, "", (i + 1.0) / npart);
        put_number(output.stream, ",", kT * forward[i]);
        put_number(output.stream, ",", kT * forward_sigma[i]);
        put_number(output.stream, ",", kT * backward[i]);
        put_number(output.stream, ",", kT * backward_sigma[i]);
        fputc('\n', output.stream);
    }
    return cardo_output_commit(&output, error);
}
