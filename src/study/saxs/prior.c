#include "study/saxs/ensemble.h"

#include "base/letters.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/text.h"
#include "base/units.h"

#include <math.h>
#include <stdio.h>
#include <sys/stat.h>

typedef struct profile {
    double *q, *F;
    int n, q_room, F_room;
} profile;

/* Two numbers with a comma or blanks between at the beginning of a line. */
static bool two_numbers(cardo_line line, double out[2])
{
    char text[128];
    const int length = line.length < (int)sizeof text - 1 ? line.length : (int)sizeof text - 1;
    snprintf(text, sizeof text, "%.*s", length, line.text);
    char *at = text;
    for (int k = 0; k < 2; ++k) {
        char *end;
        out[k] = cardo_read_double(at, &end);
        if (end == at)
            return false;
        for (at = end; cardo_is_space(*at) || *at == ','; ++at)
            continue;
    }
    return true;
}

static cardo_status take(profile *p, const char *path, const double pair[2], int line,
                         cardo_error *error)
{
    cardo_status status;
    if (!isfinite(pair[0]) || isnan(pair[1]) || (p->n > 0 && pair[0] <= p->q[p->n - 1]))
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "%s:%d: %g, %g: values of the coordinate must rise and free energies be "
                          "numbers",
                          path, line, pair[0], pair[1]);
    CARDO_TRY(CARDO_RESERVE(&p->q, &p->q_room, p->n + 1, error));
    CARDO_TRY(CARDO_RESERVE(&p->F, &p->F_room, p->n + 1, error));
    p->q[p->n] = pair[0];
    p->F[p->n++] = pair[1];
done:
    return status;
}

static cardo_status read_profile(const char *path, profile *p, cardo_error *error)
{
    cardo_status status;
    cardo_line line = {0};
    char *text = NULL;
    size_t length;
    CARDO_TRY(cardo_read_file(path, 64 << 20, &text, &length, error));
    for (const char *next = text; cardo_next_line(&next, text + length, &line);) {
        double pair[2];
        if (two_numbers(line, pair))
            CARDO_TRY(take(p, path, pair, line.number, error));
    }
    if (p->n < 2)
        status = CARDO_FAIL(error, CARDO_ERROR_INPUT,
                            "%s holds no free energy: rows of a coordinate's value and kJ/mol are "
                            "wanted, such as the pmf.csv of a run that sampled it",
                            path);
done:
    cardo_free(text);
    return status;
}

static double free_energy_at(const profile *p, double q)
{
    int k = 0;
    while (k + 2 < p->n && p->q[k + 1] < q)
        ++k;
    const double x = (q - p->q[k]) / (p->q[k + 1] - p->q[k]);
    if (x <= 0)
        return p->F[k];
    return x >= 1 ? p->F[k + 1] : (1 - x) * p->F[k] + x * p->F[k + 1];
}

/* Rows stand in the middle of bins: half their distance beyond the first and the last belongs to these. */
static cardo_status require_reach(const profile *p, const char *path, double q, cardo_error *error)
{
    const double slack = 0.51 * (p->q[p->n - 1] - p->q[0]) / (p->n - 1);
    if (q >= p->q[0] - slack && q <= p->q[p->n - 1] + slack)
        return CARDO_OK;
    return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                      "%s goes from %.4g to %.4g and says nothing of %.4g: take saxs.from and "
                      "saxs.to within it",
                      path, p->q[0], p->q[p->n - 1], q);
}

cardo_status cardo_saxs_prior(const char *path, double temperature, int n, const double *q,
                              double *prior, cardo_error *error)
{
    cardo_status status = CARDO_OK;
    profile p = {0};
    char *inside = NULL;
    struct stat about;
    double least = HUGE_VAL, sum = 0;
    for (int k = 0; k < n && !path[0]; ++k)
        prior[k] = 1.0 / n;
    if (!path[0])
        return CARDO_OK;
    if (stat(path, &about) == 0 && S_ISDIR(about.st_mode)) {
        char within[CARDO_FIELD_STRING_SIZE + 8];
        snprintf(within, sizeof within, "%s/.", path);
        CARDO_TRY(cardo_path_beside(within, "pmf.csv", &inside, error));
        path = inside;
    }
    CARDO_TRY(read_profile(path, &p, error));
    for (int k = 0; k < n; ++k) {
        CARDO_TRY(require_reach(&p, path, q[k], error));
        prior[k] = free_energy_at(&p, q[k]) / (CARDO_BOLTZMANN * temperature);
        least = fmin(least, prior[k]);
    }
    if (!isfinite(least)) {
        status = CARDO_FAIL(error, CARDO_ERROR_INPUT, "%s: no free energy is finite", path);
        goto done;
    }
    /* A share that cannot be forgotten: what the prior holds for impossible the curve may still ask for. */
    for (int k = 0; k < n; ++k)
        sum += prior[k] = fmax(exp(least - prior[k]), 1e-12);
    for (int k = 0; k < n; ++k)
        prior[k] /= sum;
done:
    cardo_free(p.q);
    cardo_free(p.F);
    cardo_free(inside);
    return status;
}
