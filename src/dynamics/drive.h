/* What a driven coordinate does: q(t) of one way, gone once or to and fro.
 *
 * Handed to cardo_system_prescribe as a function of time; the motive force then comes out of the
 * dynamics. */
#ifndef CARDO_DYNAMICS_DRIVE_H
#define CARDO_DYNAMICS_DRIVE_H

#include "base/field.h"
#include "dynamics/integrators/integrator.h"
#include "multibody/functions/function.h"

typedef enum cardo_drive_motion {
    CARDO_DRIVE_RAMP,     /* constant speed                                                  */
    CARDO_DRIVE_SMOOTH,   /* least jerk: at rest, without acceleration, at both ends         */
    CARDO_DRIVE_SINUSOID, /* half a period of a cosine                                       */
    CARDO_DRIVE_SPLINE    /* cubic spline through given points, at rest at both ends         */
} cardo_drive_motion;

enum { CARDO_DRIVE_MOST_POINTS = 64 };

typedef struct cardo_drive_options {
    int motion;      /* cardo_drive_motion                                                  */
    double from, to; /* unit of the coordinate; not of the spline                           */
    double duration; /* ps of one pass; not of the spline                                   */
    int passes;      /* 1: there; 2: there and back; 3: and there again ...                 */
    bool statically; /* rates are reported as zero: the coordinate is put, not moved        */
    char points[CARDO_FIELD_STRING_SIZE]; /* of the spline: "time q, time q, ...", ps       */
} cardo_drive_options;

/* Rows for the options but `statically`, which its caller decides. */
extern const cardo_field cardo_drive_fields[];

typedef struct cardo_drive cardo_drive;

/* Checks options; points that are no numbers or whose times do not rise, or a ramp that would have
 * to turn at once (passes above 1, unless statically), are CARDO_ERROR_INPUT. The caller owns *out.
 */
cardo_status cardo_drive_create(const cardo_drive_options *options, cardo_drive **out,
                                cardo_error *error);
void cardo_drive_destroy(cardo_drive *drive);

/* Time of all passes, ps; the coordinate stands still after them. */
double cardo_drive_length(const cardo_drive *drive);
/* q, dq/dt, d2q/dt2 at a time, ps. */
void cardo_drive_evaluate(const cardo_drive *drive, double time, double out[3]);
/* The drive as a function for cardo_system_prescribe; the drive must outlive the system. */
cardo_function cardo_drive_function(const cardo_drive *drive);

/* Not in the table of integrators: each step puts prescribed coordinates where they belong, at rest,
 * and minimizes the energy in all others. Its options are cardo_minimization_options. */
extern const cardo_integrator cardo_integrator_quasi_static;

#endif
