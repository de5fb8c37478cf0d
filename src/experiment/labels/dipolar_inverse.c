#include "experiment/labels/dipolar_inverse.h"

#include "base/linalg.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/random.h"
#include "base/text.h"
#include "experiment/labels/dipolar.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

enum { POINTS = 90, COLUMNS = POINTS + 1, ALPHAS = 21 };
static const uint32_t stream = 0xdee50000;
static const double shortest = 1.5; /* nm */

/* What the inversion works on: columns are distances and, last, the constant. */
typedef struct work {
    const cardo_dipolar_trace *trace;
    double dimension, step;
    double *kernel;        /* (n x POINTS)                */
    double *value;         /* the signal that is fitted (n) */
    double *design;        /* kernel and 1, times background (n x COLUMNS) */
    double *normal;        /* its square                   (COLUMNS x COLUMNS) */
    double *target;        /* design^T value               (COLUMNS) */
    double *rough;         /* L^T L                        (COLUMNS x COLUMNS) */
    double *matrix, *side; /* of the passive columns */
    double x[COLUMNS];
    bool passive[COLUMNS];
} work;

static void clear(work *w)
{
    cardo_free(w->kernel);
    cardo_free(w->value);
    cardo_free(w->design);
    cardo_free(w->normal);
    cardo_free(w->target);
    cardo_free(w->rough);
    cardo_free(w->matrix);
    cardo_free(w->side);
}

static cardo_status prepare(work *w, const double *distance, cardo_error *error)
{
    cardo_status status;
    const int n = w->trace->n;
    CARDO_TRY(CARDO_ALLOCATE(&w->kernel, n * POINTS, error));
    CARDO_TRY(CARDO_ALLOCATE(&w->value, n, error));
    CARDO_TRY(CARDO_ALLOCATE(&w->design, n * COLUMNS, error));
    CARDO_TRY(CARDO_ALLOCATE(&w->normal, COLUMNS * COLUMNS, error));
    CARDO_TRY(CARDO_ALLOCATE(&w->target, COLUMNS, error));
    CARDO_TRY(CARDO_ALLOCATE(&w->rough, COLUMNS * COLUMNS, error));
    CARDO_TRY(CARDO_ALLOCATE(&w->matrix, COLUMNS * COLUMNS, error));
    CARDO_TRY(CARDO_ALLOCATE(&w->side, COLUMNS * COLUMNS, error));
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < POINTS; ++j)
            w->kernel[i * POINTS + j] = cardo_dipolar_kernel(w->trace->time[i], distance[j]);
    /* Second differences, with nothing beyond both ends. */
    for (int k = -1; k <= POINTS; ++k)
        for (int a = -1; a <= 1; ++a)
            for (int b = -1; b <= 1; ++b)
                if (k + a >= 0 && k + a < POINTS && k + b >= 0 && k + b < POINTS)
                    w->rough[(k + a) * COLUMNS + k + b] += (a ? 1 : -2) * (b ? 1 : -2);
done:
    return status;
}

/* Design and its square for a background. */
static void set_background(work *w, double rate)
{
    const int n = w->trace->n;
    for (int i = 0; i < n; ++i) {
        const double B = cardo_dipolar_background(w->trace->time[i], rate, w->dimension);
        for (int j = 0; j < POINTS; ++j)
            w->design[i * COLUMNS + j] = B * w->kernel[i * POINTS + j];
        w->design[i * COLUMNS + POINTS] = B;
    }
    memset(w->normal, 0, COLUMNS * COLUMNS * sizeof *w->normal);
    memset(w->target, 0, COLUMNS * sizeof *w->target);
    for (int i = 0; i < n; ++i) {
        const double *row = w->design + (size_t)i * COLUMNS;
        for (int a = 0; a < COLUMNS; ++a) {
            w->target[a] += row[a] * w->value[i];
            for (int b = 0; b <= a; ++b)
                w->normal[a * COLUMNS + b] += row[a] * row[b];
        }
    }
    for (int a = 0; a < COLUMNS; ++a)
        for (int b = 0; b < a; ++b)
            w->normal[b * COLUMNS + a] = w->normal[a * COLUMNS + b];
}

static double entry(const work *w, double alpha, int a, int b)
{
    return w->normal[a * COLUMNS + b] + alpha * alpha * w->rough[a * COLUMNS + b] +
           (a == b ? 1e-12 * (1 + w->normal[a * COLUMNS + a]) : 0);
}

static int list_passive(const work *w, int *list)
{
    int count = 0;
    for (int a = 0; a < COLUMNS; ++a)
        if (w->passive[a])
            list[count++] = a;
    return count;
}

/* Least squares over the passive columns alone: z, 0 elsewhere. */
static cardo_status solve_passive(work *w, double alpha, double *z, cardo_error *error)
{
    int list[COLUMNS];
    const int count = list_passive(w, list);
    memset(z, 0, COLUMNS * sizeof *z);
    if (count == 0)
        return CARDO_OK;
    for (int a = 0; a < count; ++a) {
        w->side[a] = w->target[list[a]];
        for (int b = 0; b < count; ++b)
            w->matrix[a * count + b] = entry(w, alpha, list[a], list[b]);
    }
    cardo_status status = cardo_cholesky_solve(count, w->matrix, 1, w->side, error);
    for (int a = 0; a < count && status == CARDO_OK; ++a)
        z[list[a]] = w->side[a];
    return status;
}

/* The way from x to z as far as nothing gets negative; columns that end at zero leave. */
static void step_to(work *w, const double *z)
{
    double share = 1;
    for (int a = 0; a < COLUMNS; ++a)
        if (w->passive[a] && z[a] <= 0)
            share = fmin(share, w->x[a] / (w->x[a] - z[a]));
    for (int a = 0; a < COLUMNS; ++a) {
        w->x[a] += share * (z[a] - w->x[a]);
        if (w->passive[a] && w->x[a] <= 1e-15) {
            w->x[a] = 0;
            w->passive[a] = false;
        }
    }
}

static bool is_positive(const work *w, const double *z)
{
    for (int a = 0; a < COLUMNS; ++a)
        if (w->passive[a] && z[a] <= 0)
            return false;
    return true;
}

/* Lawson & Hanson's method (1974, Solving Least Squares Problems, chapter 23), from where the last one ended. */
static cardo_status solve(work *w, double alpha, cardo_error *error)
{
    double z[COLUMNS];
    for (int round = 0; round < 10 * COLUMNS; ++round) {
        cardo_status status = solve_passive(w, alpha, z, error);
        for (int inner = 0; inner < COLUMNS && status == CARDO_OK && !is_positive(w, z); ++inner) {
            step_to(w, z);
            status = solve_passive(w, alpha, z, error);
        }
        if (status != CARDO_OK)
            return status;
        memcpy(w->x, z, sizeof z);
        int best = -1;
        double most = 1e-10 * (1 + fabs(w->target[POINTS]));
        for (int a = 0; a < COLUMNS; ++a) {
            double gradient = w->target[a];
            for (int b = 0; b < COLUMNS; ++b)
                gradient -= entry(w, alpha, a, b) * w->x[b];
            if (!w->passive[a] && gradient > most) {
                most = gradient;
                best = a;
            }
        }
        if (best < 0)
            return CARDO_OK;
        w->passive[best] = true;
    }
    return CARDO_OK;
}

static double residual_of(const work *w, double *fitted)
{
    double sum = 0;
    for (int i = 0; i < w->trace->n; ++i) {
        double at = 0;
        for (int a = 0; a < COLUMNS; ++a)
            at += w->design[(size_t)i * COLUMNS + (size_t)a] * w->x[a];
        if (fitted)
            fitted[i] = at;
        sum += (w->value[i] - at) * (w->value[i] - at);
    }
    return sum;
}

static double objective_of(const work *w, double alpha)
{
    double rough = 0;
    for (int a = 0; a < POINTS; ++a)
        for (int b = 0; b < POINTS; ++b)
            rough += w->x[a] * w->rough[a * COLUMNS + b] * w->x[b];
    return residual_of(w, NULL) + alpha * alpha * rough;
}

/* Trace of the matrix that takes the signal to the fit: how many parameters it is worth. */
static cardo_status freedom_of(work *w, double alpha, double *freedom, cardo_error *error)
{
    int list[COLUMNS];
    const int count = list_passive(w, list);
    for (int a = 0; a < count; ++a)
        for (int b = 0; b < count; ++b) {
            w->matrix[a * count + b] = entry(w, alpha, list[a], list[b]);
            /* Right-hand sides stand one after the other; the matrix is symmetric. */
            w->side[a * count + b] = w->normal[list[a] * COLUMNS + list[b]];
        }
    cardo_status status = cardo_cholesky_solve(count, w->matrix, count, w->side, error);
    *freedom = 0;
    for (int a = 0; a < count && status == CARDO_OK; ++a)
        *freedom += w->side[a * count + a];
    return status;
}

static cardo_status choose_alpha(work *w, double *alpha, cardo_error *error)
{
    double least = HUGE_VAL;
    const double n = w->trace->n;
    for (int k = 0; k < ALPHAS; ++k) {
        const double tried = pow(10, 3 - 0.25 * k) * sqrt(n / 200);
        double freedom;
        cardo_status status = solve(w, tried, error);
        if (status == CARDO_OK)
            status = freedom_of(w, tried, &freedom, error);
        if (status != CARDO_OK)
            return status;
        const double score = residual_of(w, NULL) / pow(fmax(1e-3, 1 - freedom / n), 2);
        if (score < least) {
            least = score;
            *alpha = tried;
        }
    }
    return CARDO_OK;
}

static cardo_status try_rate(work *w, double rate, double alpha, double *objective,
                             cardo_error *error)
{
    set_background(w, rate);
    cardo_status status = solve(w, alpha, error);
    *objective = objective_of(w, alpha);
    return status;
}

/* The background's rate with the least objective, by steps of the golden section between two rates. */
static cardo_status choose_rate(work *w, double low, double high, int steps, double alpha,
                                double *rate, cardo_error *error)
{
    const double golden = 0.6180339887498949;
    double a = high - golden * (high - low), b = low + golden * (high - low), at_a, at_b;
    cardo_status status;
    CARDO_TRY(try_rate(w, a, alpha, &at_a, error));
    CARDO_TRY(try_rate(w, b, alpha, &at_b, error));
    for (int k = 0; k < steps; ++k) {
        if (at_a < at_b) {
            high = b;
            b = a;
            at_b = at_a;
            a = high - golden * (high - low);
            CARDO_TRY(try_rate(w, a, alpha, &at_a, error));
        } else {
            low = a;
            a = b;
            at_a = at_b;
            b = low + golden * (high - low);
            CARDO_TRY(try_rate(w, b, alpha, &at_b, error));
        }
    }
    *rate = 0.5 * (low + high);
    status = try_rate(w, *rate, alpha, &at_a, error);
done:
    return status;
}

/* The largest rate whose objective is above the least, which rate has, by no more than the noise's variance: a slow decay is taken for background
 * where it may be one, since distances too long for the signal's length would explain it as well. */
static cardo_status favour_background(work *w, double high, int steps, double alpha, double *rate,
                                      cardo_error *error)
{
    double low = *rate, objective, freedom;
    cardo_status status;
    CARDO_TRY(try_rate(w, low, alpha, &objective, error));
    CARDO_TRY(freedom_of(w, alpha, &freedom, error));
    const double allowed = objective + residual_of(w, NULL) / fmax(1, w->trace->n - freedom - 1);
    for (int k = 0; k < steps; ++k) {
        const double middle = 0.5 * (low + high);
        CARDO_TRY(try_rate(w, middle, alpha, &objective, error));
        if (objective <= allowed)
            low = middle;
        else
            high = middle;
    }
    *rate = low;
    status = try_rate(w, low, alpha, &objective, error);
done:
    return status;
}

/* Mean and width of P; P from x. */
static void read_off(const work *w, const double *distance, double *density, double *mean,
                     double *width)
{
    double sum = 0, square = 0;
    *mean = 0;
    for (int j = 0; j < POINTS; ++j)
        sum += w->x[j];
    for (int j = 0; j < POINTS; ++j) {
        const double share = sum > 0 ? w->x[j] / sum : 0;
        density[j] = share / w->step;
        *mean += share * distance[j];
        square += share * distance[j] * distance[j];
    }
    *width = sqrt(fmax(0, square - *mean * *mean));
}

static cardo_status find_errors(work *w, int replicates, cardo_dipolar_inverse *out,
                                cardo_error *error)
{
    cardo_random random = cardo_random_start(1, stream);
    const int n = w->trace->n;
    double one[POINTS], sum[POINTS] = {0}, squares[POINTS] = {0}, moment[2][2] = {{0}};
    cardo_status status = CARDO_OK;
    const double farthest = fmin(2 * out->rate + 0.1, 10);
    for (int k = 0; k < replicates && status == CARDO_OK; ++k) {
        double mean, width, rate;
        cardo_random_normal(&random, n, w->value);
        for (int i = 0; i < n; ++i)
            w->value[i] = out->fitted[i] + out->noise * out->scale * w->value[i];
        status = choose_rate(w, 0, farthest, 10, out->alpha, &rate, error);
        if (status == CARDO_OK)
            status = favour_background(w, farthest, 8, out->alpha, &rate, error);
        read_off(w, out->distance, one, &mean, &width);
        for (int j = 0; j < POINTS; ++j) {
            sum[j] += one[j] / replicates;
            squares[j] += one[j] * one[j] / replicates;
        }
        moment[0][0] += (mean - out->mean) * (mean - out->mean) / replicates;
        moment[1][0] += (width - out->width) * (width - out->width) / replicates;
    }
    for (int j = 0; j < POINTS && replicates > 1; ++j)
        out->sigma[j] = sqrt(fmax(0, squares[j] - sum[j] * sum[j]) +
                             (sum[j] - out->density[j]) * (sum[j] - out->density[j]));
    out->mean_sigma = sqrt(moment[0][0]);
    out->width_sigma = sqrt(moment[1][0]);
    return status;
}

static cardo_status invert(work *w, int replicates, cardo_dipolar_inverse *out, cardo_error *error)
{
    cardo_status status;
    const int n = w->trace->n;
    double last = 0, freedom, total = 0;
    for (int i = 0; i < n; ++i)
        last = fmax(last, fabs(w->trace->time[i]));
    memcpy(w->value, w->trace->value, (size_t)n * sizeof *w->value);
    /* A rate for a start, with a smoothness between all others; then both in turn. */
    out->alpha = 10;
    for (int round = 0; round < 3; ++round) {
        CARDO_TRY(choose_rate(w, 0, 4 / last, 18, out->alpha, &out->rate, error));
        CARDO_TRY(favour_background(w, 4 / last, 12, out->alpha, &out->rate, error));
        CARDO_TRY(choose_alpha(w, &out->alpha, error));
    }
    CARDO_TRY(choose_rate(w, 0, 4 / last, 25, out->alpha, &out->rate, error));
    CARDO_TRY(favour_background(w, 4 / last, 16, out->alpha, &out->rate, error));
    CARDO_TRY(freedom_of(w, out->alpha, &freedom, error));
    const double residual = residual_of(w, out->fitted);
    for (int j = 0; j < POINTS; ++j)
        total += w->x[j];
    out->scale = w->x[POINTS] + total;
    if (!(out->scale > 0) || total <= 0)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "the signal has no modulation: nothing can be said of distances");
    out->depth = total / out->scale;
    out->noise = sqrt(residual / fmax(1, n - freedom - 1)) / out->scale;
    read_off(w, out->distance, out->density, &out->mean, &out->width);
    status = find_errors(w, replicates, out, error);
done:
    return status;
}

cardo_status cardo_dipolar_invert(const cardo_dipolar_trace *trace, double dimension,
                                  int replicates, cardo_dipolar_inverse *out, cardo_error *error)
{
    cardo_status status;
    work w = {.trace = trace, .dimension = dimension};
    double last = 0;
    for (int i = 0; i < trace->n; ++i)
        last = fmax(last, fabs(trace->time[i]));
    out->n = POINTS;
    out->reach = 5 * cbrt(last / 2);
    CARDO_TRY(CARDO_ALLOCATE(&out->distance, POINTS, error));
    CARDO_TRY(CARDO_ALLOCATE(&out->density, POINTS, error));
    CARDO_TRY(CARDO_ALLOCATE(&out->sigma, POINTS, error));
    CARDO_TRY(CARDO_ALLOCATE(&out->fitted, trace->n, error));
    const double farthest = fmax(1.2 * out->reach, shortest + 1);
    w.step = out->step = (farthest - shortest) / (POINTS - 1);
    for (int j = 0; j < POINTS; ++j)
        out->distance[j] = shortest + w.step * j;
    CARDO_TRY(prepare(&w, out->distance, error));
    status = invert(&w, replicates, out, error);
done:
    clear(&w);
    return status;
}

void cardo_dipolar_inverse_clear(cardo_dipolar_inverse *inverse)
{
    cardo_free(inverse->distance);
    cardo_free(inverse->density);
    cardo_free(inverse->sigma);
    cardo_free(inverse->fitted);
    *inverse = (cardo_dipolar_inverse){0};
}

/* --- Files ------------------------------------------------------------------------------------ */

void cardo_dipolar_trace_clear(cardo_dipolar_trace *trace)
{
    cardo_free(trace->time);
    cardo_free(trace->value);
    *trace = (cardo_dipolar_trace){0};
}

/* Two numbers of a line; false: it has none. */
static bool read_row(const cardo_line *line, double row[2])
{
    char text[256], *at = text, *end;
    const int length = line->length < 255 ? line->length : 255;
    memcpy(text, line->text, (size_t)length);
    text[length] = '\0';
    for (int k = 0; k < 2; ++k) {
        at += strspn(at, " \t,;");
        row[k] = cardo_read_double(at, &end);
        if (end == at)
            return false;
        at = end;
    }
    return true;
}

cardo_status cardo_dipolar_trace_read(const char *path, cardo_dipolar_trace *out,
                                      cardo_error *error)
{
    char *text = NULL;
    size_t length;
    int times = 0, values = 0;
    cardo_status status;
    cardo_line line = {0};
    CARDO_TRY(cardo_read_file(path, 1 << 26, &text, &length, error));
    for (const char *next = text; cardo_next_line(&next, text + length, &line);) {
        double row[2];
        if (!read_row(&line, row))
            continue;
        if (!isfinite(row[0]) || !isfinite(row[1]) || fabs(row[0]) > 1000)
            CARDO_TRY(CARDO_FAIL(error, CARDO_ERROR_INPUT,
                                 "%s:%d: a row has a time in microseconds (up to 1000) and a "
                                 "signal, both finite numbers",
                                 path, line.number));
        CARDO_TRY(CARDO_RESERVE(&out->time, &times, out->n + 1, error));
        CARDO_TRY(CARDO_RESERVE(&out->value, &values, out->n + 1, error));
        out->time[out->n] = row[0];
        out->value[out->n++] = row[1];
    }
    if (out->n < 20)
        status = CARDO_FAIL(error, CARDO_ERROR_INPUT,
                            "%s: has %d rows of a time (us) and a signal, and 20 at least are "
                            "needed",
                            path, out->n);
done:
    cardo_free(text);
    return status;
}
