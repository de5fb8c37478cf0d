#include "experiment/saxs/curve.h"

#include "base/letters.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 64 << 20, FEWEST = 10, MOST_COLUMNS = 16 };

/* The largest q that a curve in 1/A has; proteins scatter no further than that in solution. */
static const double largest_per_angstrom = 1.2;

typedef struct row {
    double q, intensity, sigma;
    int line;
} row;

/* While a file is read. */
typedef struct reading {
    const char *path;
    row *rows;
    int n, capacity, columns; /* columns: of the first row */
    bool in_loop;             /* sasCIF: names of a loop are being counted */
    int item, of[3];          /* of sasCIF's loop: columns of q, I, sigma  */
} reading;

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Numbers at the beginning of a line, with blanks or commas between. */
static int numbers_of(cardo_line line, double *out)
{
    char text[512];
    const int length = line.length < (int)sizeof text - 1 ? line.length : (int)sizeof text - 1;
    int n = 0;
    memcpy(text, line.text, (size_t)length);
    text[length] = '\0';
    for (char *at = text; n < MOST_COLUMNS;) {
        char *end;
        while (cardo_is_space(*at) || *at == ',' || *at == ';')
            ++at;
        out[n] = cardo_read_double(at, &end);
        if (end == at || (*end && !cardo_is_space(*end) && *end != ',' && *end != ';'))
            break;
        ++n;
        at = end;
    }
    return n;
}

/* Two numbers and more between blanks or semicolons, one of them with one comma between digits, none with a point. */
static bool has_decimal_commas(cardo_line line)
{
    int words = 0, commas = 0, in_word = 0;
    for (int k = 0; k < line.length; ++k) {
        const char c = line.text[k];
        if (cardo_is_space(c) || c == ';') {
            in_word = 0;
            continue;
        }
        const bool digits = k > 0 && k + 1 < line.length && is_digit(line.text[k - 1]) &&
                            is_digit(line.text[k + 1]);
        words += k == 0 || cardo_is_space(line.text[k - 1]) || line.text[k - 1] == ';';
        if (c == '.' || (c == ',' && (!digits || ++in_word > 1)))
            return false;
        commas += c == ',';
    }
    return words >= 2 && commas > 0;
}

static bool has(cardo_line line, const char *word)
{
    const size_t length = strlen(word);
    for (int k = 0; k + (int)length <= line.length; ++k)
        if (cardo_same_start(line.text + k, word, length))
            return true;
    return false;
}

/* A header that names the unit. */
static void take_unit(cardo_line line, cardo_curve *out)
{
    const bool nm =
        has(line, "nm^-1") || has(line, "1/nm") || has(line, "nm-1") || has(line, "nanometer");
    const bool angstrom = has(line, "A^-1") || has(line, "1/A") || has(line, "A-1") ||
                          has(line, "angstrom") || has(line, "\xc3\x85");
    if (nm == angstrom || out->unit_said)
        return;
    out->unit_said = true;
    out->nanometres = nm;
}

/* Names of sasCIF's loop of intensities. */
static void take_name(reading *r, cardo_line line)
{
    static const char *const names[3] = {"_sas_scan_intensity.momentum_transfer",
                                         "_sas_scan_intensity.intensity",
                                         "_sas_scan_intensity.intensity_su_counting"};
    if (has(line, "loop_")) {
        r->in_loop = true;
        r->item = 0;
        return;
    }
    if (!r->in_loop || !has(line, "_sas_"))
        return;
    for (int k = 0; k < 3; ++k)
        if (has(line, names[k]) && (k != 1 || !has(line, "intensity_su")))
            r->of[k] = r->item;
    ++r->item;
}

static cardo_status take_row(reading *r, const double *number, int n, int line, cardo_error *error)
{
    const bool loop = r->of[0] != r->of[1];
    const int q = loop ? r->of[0] : 0, i = loop ? r->of[1] : 1, s = loop ? r->of[2] : 2;
    if (q >= n || i >= n)
        return CARDO_OK;
    const row one = {number[q], number[i], s < n && s != q ? number[s] : (double)NAN, line};
    if (!isfinite(one.q) || !isfinite(one.intensity) || (n > 2 && s < n && !isfinite(one.sigma)))
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "%s:%d: a number is none (NaN or infinite): take this row out", r->path,
                          line);
    if (one.q < 0)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "%s:%d: q = %g is negative: the first column must be q", r->path, line,
                          one.q);
    const cardo_status status = CARDO_RESERVE(&r->rows, &r->capacity, r->n + 1, error);
    if (status == CARDO_OK)
        r->rows[r->n++] = one;
    return status;
}

static cardo_status take_line(reading *r, cardo_line line, cardo_curve *out, cardo_error *error)
{
    double number[MOST_COLUMNS];
    const int n = numbers_of(line, number);
    if (n >= 2) {
        if (has_decimal_commas(line))
            return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                              "%s:%d: numbers have decimal commas: write points in their place",
                              r->path, line.number);
        if (r->n == 0)
            r->columns = n;
        return take_row(r, number, n, line.number, error);
    }
    take_unit(line, out);
    take_name(r, line);
    out->headers += r->n == 0;
    return CARDO_OK;
}

static int by_q(const void *a, const void *b)
{
    const row *x = a, *y = b;
    return (x->q > y->q) - (x->q < y->q);
}

static cardo_status sort(reading *r, cardo_curve *out, cardo_error *error)
{
    for (int k = 1; k < r->n; ++k)
        out->sorted += r->rows[k].q < r->rows[k - 1].q;
    if (out->sorted)
        qsort(r->rows, (size_t)r->n, sizeof *r->rows, by_q);
    for (int k = 1; k < r->n; ++k)
        if (r->rows[k].q == r->rows[k - 1].q)
            return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                              "%s: lines %d and %d have the same q: does the file hold several "
                              "curves? Keep one",
                              r->path, r->rows[k - 1].line, r->rows[k].line);
    return CARDO_OK;
}

/* Without errors: how far intensities lie from the parabola through their neighbours, the median of 21 of them around. */
static double scatter_at(const reading *r, int k)
{
    double found[21];
    int n = 0;
    for (int j = k - 10; j <= k + 10; ++j) {
        if (j < 2 || j + 2 >= r->n)
            continue;
        const row *x = r->rows + j;
        const double fourth = x[-2].intensity - 4 * x[-1].intensity + 6 * x[0].intensity -
                              4 * x[1].intensity + x[2].intensity;
        found[n++] = fabs(fourth) / sqrt(70.0);
    }
    for (int a = 1; a < n; ++a)
        for (int b = a; b > 0 && found[b] < found[b - 1]; --b) {
            const double swap = found[b];
            found[b] = found[b - 1];
            found[b - 1] = swap;
        }
    return n ? found[n / 2] / 0.6745 : 0;
}

static cardo_status fill(const reading *r, int unit, cardo_curve *out, cardo_error *error)
{
    cardo_status status;
    int with_error = 0;
    for (int k = 0; k < r->n; ++k)
        with_error += r->rows[k].sigma > 0;
    out->errors_made = with_error == 0;
    if (unit != CARDO_CURVE_UNIT_FOUND_OUT) {
        out->unit_said = true;
        out->nanometres = unit == CARDO_CURVE_PER_NM;
    } else if (!out->unit_said)
        out->nanometres = r->n && r->rows[r->n - 1].q > largest_per_angstrom;
    CARDO_TRY(CARDO_ALLOCATE(&out->q, r->n, error));
    CARDO_TRY(CARDO_ALLOCATE(&out->intensity, r->n, error));
    CARDO_TRY(CARDO_ALLOCATE(&out->sigma, r->n, error));
    for (int k = 0; k < r->n; ++k) {
        const double sigma = out->errors_made ? scatter_at(r, k) : r->rows[k].sigma;
        if (!(sigma > 0) || r->rows[k].q == 0) {
            ++out->without_error;
            continue;
        }
        out->q[out->n] = r->rows[k].q * (out->nanometres ? 1 : 10);
        out->intensity[out->n] = r->rows[k].intensity;
        out->sigma[out->n++] = sigma;
        out->negative += r->rows[k].intensity <= 0;
    }
    if (out->n < FEWEST)
        return CARDO_FAIL(
            error, CARDO_ERROR_INPUT,
            "%s has %d rows of q, intensity and an error above zero; %d are needed: three "
            "columns of numbers (q in 1/A or 1/nm, I, sigma) make a curve",
            r->path, out->n, FEWEST);
done:
    return status;
}

cardo_status cardo_curve_read(const char *path, int unit, cardo_curve *out, cardo_error *error)
{
    cardo_status status;
    char *text = NULL;
    size_t length;
    reading r = {.path = path};
    cardo_line line = {.number = 0};
    CARDO_TRY(cardo_read_file(path, MOST_BYTES, &text, &length, error));
    for (const char *next = text; cardo_next_line(&next, text + length, &line);)
        CARDO_TRY(take_line(&r, line, out, error));
    CARDO_TRY(sort(&r, out, error));
    status = fill(&r, unit, out, error);
done:
    cardo_free(text);
    cardo_free(r.rows);
    return status;
}

void cardo_curve_clear(cardo_curve *curve)
{
    cardo_free(curve->q);
    cardo_free(curve->intensity);
    cardo_free(curve->sigma);
    *curve = (cardo_curve){0};
}

cardo_status cardo_curve_cut(cardo_curve *curve, double low, double high, cardo_error *error)
{
    int n = 0;
    for (int k = 0; k < curve->n; ++k) {
        if (curve->q[k] < low || curve->q[k] > high)
            continue;
        curve->q[n] = curve->q[k];
        curve->intensity[n] = curve->intensity[k];
        curve->sigma[n++] = curve->sigma[k];
    }
    curve->n = n;
    if (n < FEWEST)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "%d points of the curve lie between q = %g and %g 1/A; %d are needed", n,
                          low / 10, high / 10, FEWEST);
    return CARDO_OK;
}
