/* Torsions that leap from well to well where a model's paths are gone there and back, and the way that they may go with these instead.
 *
 * A cycle loses what leaps lose: on either way a torsion stays in its well until that ends. Led by the paths it turns over with them,
 * at the same place on both ways. */
#ifndef CARDO_STUDY_DOMAINS_LED_TORSIONS_H
#define CARDO_STUDY_DOMAINS_LED_TORSIONS_H

#include "analysis/domains/files.h"
#include "base/units.h"
#include "study/session/course.h"

typedef struct cardo_led_torsions {
    int n;
    cardo_led_torsion *led; /* (n) */
} cardo_led_torsions;

/* How far apart both ways have a torsion at most, rad; q: its coordinate. Over the places and half ways that both have come to. */
double cardo_torsion_apart(const cardo_course *course, int q);
/* rad: two wells of a torsion are farther apart. */
#define CARDO_TORSION_LEAPS (30 * CARDO_DEGREE)

/* Adds the torsions that a course has in different wells on the way there and back, or that turn by more than a well is wide from one place to
 * the next, or, where it has lost wells of its last end, that were elsewhere in these; the values of each are those of the lower of both ways, or of the one that
 * began in what was lost where that is lower still, smoothed over places. The course has CARDO_LED_PLACES places.
 * Where there is none and the cycle is not closed, the four that are farthest apart on both ways, by 8 degrees or more: a strand that snaps over turns in many of them.
 * Where a path's twist or bend was more than 8 degrees elsewhere in lost wells, the farther of these alone: what hangs on the domains follows them.
 * Torsions that io has already stay. Allocates; cardo_led_torsions_clear. */
cardo_status cardo_led_torsions_add(const cardo_session *session, const cardo_course *course,
                                    cardo_led_torsions *io, cardo_error *error);
/* Measures them anew in atoms at every so many places (nplace x natom x 3), from the first place on; at those between values change by what lies between
 * their neighbours' changes. Torsions that the session's model has not stay. */
void cardo_led_torsions_measure(const cardo_session *session, int nplace, int every,
                                const double *positions, cardo_led_torsions *io);
/* Gives those from number `first` on the values that such atoms have, counted from the first place, and between two places what lies between these. */
void cardo_led_torsions_take(const cardo_session *session, int nplace, int every,
                             const double *positions, int first, cardo_led_torsions *io);
/* Lets go of those of a residue, after whose label (cardo_residue_label) they are named. */
void cardo_led_torsions_drop(cardo_led_torsions *io, const char *residue);
/* Into *out, which has none; the caller clears it. */
cardo_status cardo_led_torsions_copy(const cardo_led_torsions *led, cardo_led_torsions *out,
                                     cardo_error *error);
void cardo_led_torsions_clear(cardo_led_torsions *led);

#endif
