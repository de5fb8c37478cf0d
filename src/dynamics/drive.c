#include "dynamics/drive.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/units.h"

#include <math.h>
#include <string.h>

struct cardo_drive {
    cardo_drive_options options;
    double duration; /* of a pass */
    cardo_compiled_function *spline;
};

static const char *const motion_choices[] = {"ramp", "smooth", "sinusoid", "spline", NULL};

const cardo_field cardo_drive_fields[] = {
    {"motion", CARDO_FIELD_CHOICE, offsetof(cardo_drive_options, motion), "", "smooth", 0, 0,
     motion_choices,
     "how it moves: at constant speed, at rest at both ends, as a cosine, or through points"},
    {"from", CARDO_FIELD_DOUBLE, offsetof(cardo_drive_options, from), "", "0", 0, 0, NULL,
     "coordinate at the beginning"},
    {"to", CARDO_FIELD_DOUBLE, offsetof(cardo_drive_options, to), "", "1", 0, 0, NULL,
     "coordinate at the end of a pass"},
    {"duration", CARDO_FIELD_DOUBLE, offsetof(cardo_drive_options, duration), "ps", "100", 1e-9,
     1e12, NULL, "time of a pass"},
    {"passes", CARDO_FIELD_INT, offsetof(cardo_drive_options, passes), "", "1", 1, 1e9, NULL,
     "1: there; 2: there and back; 3: and there again; and so on"},
    {"points", CARDO_FIELD_STRING, offsetof(cardo_drive_options, points), "", "", 0, 0, NULL,
     "for motion=spline: times (ps) and coordinates of a pass, as 0 0.1, 50 0.4, 100 0.3"},
    {0},
};

static cardo_status read_points(const char *text, cardo_function *f, double *knots, double *values,
                                cardo_error *error)
{
    for (const char *next = text; *(next += strspn(next, " ,;\t\r\n"));) {
        char *end;
        double pair[2];
        if (f->nknot == CARDO_DRIVE_MOST_POINTS)
            return CARDO_FAIL(error, CARDO_ERROR_INPUT, "points: more than %d of them",
                              CARDO_DRIVE_MOST_POINTS);
        for (int k = 0; k < 2; ++k) {
            pair[k] = cardo_read_double(next, &end);
            if (end == next || !isfinite(pair[k]))
                return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                                  "points: '%.20s' is not a %s; write them as TIME Q, TIME Q, ...",
                                  next, k ? "coordinate" : "time");
            next = end + strspn(end, " \t\r\n");
        }
        if (f->nknot > 0 && !(pair[0] > knots[f->nknot - 1]))
            return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                              "points: the time %g ps does not come after %g ps", pair[0],
                              knots[f->nknot - 1]);
        knots[f->nknot] = pair[0];
        values[f->nknot++] = pair[1];
    }
    if (f->nknot < 2 || knots[0] != 0)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "points: motion=spline needs two or more, the first at time 0, as "
                          "points=\"0 0.1, 50 0.4, 100 0.3\"");
    return CARDO_OK;
}

static cardo_status make_spline(cardo_drive *self, cardo_error *error)
{
    static const double rest[2] = {0, 0};
    double knots[CARDO_DRIVE_MOST_POINTS], values[CARDO_DRIVE_MOST_POINTS];
    cardo_function f = {.kind = CARDO_FUNCTION_CLAMPED_SPLINE,
                        .narg = 1,
                        .ncoefficient = 2,
                        .coefficients = rest,
                        .knots = knots,
                        .values = values};
    cardo_status status = read_points(self->options.points, &f, knots, values, error);
    if (status != CARDO_OK)
        return status;
    self->duration = knots[f.nknot - 1];
    return cardo_function_compile(&f, &self->spline, error);
}

cardo_status cardo_drive_create(const cardo_drive_options *options, cardo_drive **out,
                                cardo_error *error)
{
    cardo_status status;
    cardo_drive *self = NULL;
    *out = NULL;
    if (options->motion == CARDO_DRIVE_RAMP && options->passes > 1 && !options->statically)
        return CARDO_FAIL(error, CARDO_ERROR_INPUT,
                          "motion=ramp cannot turn round: passes=%d would take an infinite force; "
                          "use motion=smooth or sinusoid",
                          options->passes);
    CARDO_TRY(CARDO_ALLOCATE(&self, 1, error));
    self->options = *options;
    self->duration = options->duration;
    if (options->motion == CARDO_DRIVE_SPLINE)
        CARDO_TRY(make_spline(self, error));
    *out = self;
    self = NULL;
done:
    cardo_drive_destroy(self);
    return status;
}

void cardo_drive_destroy(cardo_drive *self)
{
    if (!self)
        return;
    cardo_function_destroy(self->spline);
    cardo_free(self);
}

double cardo_drive_length(const cardo_drive *self)
{
    return self->duration * self->options.passes;
}

/* Part of the way at part x of a pass, and its derivatives by x. */
static void shape(int motion, double x, double out[3])
{
    switch (motion) {
    case CARDO_DRIVE_SMOOTH:
        out[0] = x * x * x * (10 - x * (15 - 6 * x));
        out[1] = 30 * x * x * (1 - x) * (1 - x);
        out[2] = 60 * x * (1 - x) * (1 - 2 * x);
        break;
    case CARDO_DRIVE_SINUSOID:
        out[0] = 0.5 * (1 - cos(CARDO_PI * x));
        out[1] = 0.5 * CARDO_PI * sin(CARDO_PI * x);
        out[2] = 0.5 * CARDO_PI * CARDO_PI * cos(CARDO_PI * x);
        break;
    default:
        out[0] = x;
        out[1] = 1;
        out[2] = 0;
    }
}

static void one_pass(const cardo_drive *self, double time, double out[3])
{
    if (self->spline) {
        cardo_function_evaluate1(self->spline, time, out);
        return;
    }
    double way = self->options.to - self->options.from;
    shape(self->options.motion, time / self->duration, out);
    out[0] = self->options.from + way * out[0];
    out[1] *= way / self->duration;
    out[2] *= way / (self->duration * self->duration);
}

void cardo_drive_evaluate(const cardo_drive *self, double time, double out[3])
{
    const double T = self->duration, end = cardo_drive_length(self);
    double at = fmin(fmax(time, 0), end);
    double pass = fmin(floor(at / T), self->options.passes - 1);
    bool back = fmod(pass, 2) != 0;
    at -= pass * T;
    one_pass(self, back ? T - at : at, out);
    if (back)
        out[1] = -out[1];
    /* Steps add up to the end but for rounding. */
    if (self->options.statically || time > end * (1 + 1e-9))
        out[1] = out[2] = 0;
}

static void evaluate(void *user, int narg, const double *x, double *value, double *gradient,
                     double *hessian)
{
    double out[3];
    (void)narg;
    cardo_drive_evaluate(user, x[0], out);
    *value = out[0];
    if (gradient)
        *gradient = out[1];
    if (hessian)
        *hessian = out[2];
}

cardo_function cardo_drive_function(const cardo_drive *self)
{
    union {
        const cardo_drive *from;
        void *to;
    } drive = {self};
    return (cardo_function){
        .kind = CARDO_FUNCTION_CALLBACK, .narg = 1, .callback = evaluate, .user = drive.to};
}
