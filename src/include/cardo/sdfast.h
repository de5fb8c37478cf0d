/* Systems described in the manner of SD/FAST's input files: bodies whose axes are all parallel to ground's where every coordinate is zero.
 *
 *   gravity = 0 -9.81 0
 *   body = arm  inb = $ground  joint = pin     # a comment
 *     mass = 2  inertia = 0.1 0.2 0.3
 *     bodytojoint = 0 0.5 0  inbtojoint = 0 0 0  pin = 0 0 1
 *   body = arm  inb = frame  joint = ball  bodytojoint = 0 -0.5 0  inbtojoint = 1 0 0
 *
 * A body that is there already, as in the last line, is joined once more: a loop. Joints are pin, slider, cylinder, ujoint, gimbal, ball, planar, bushing, free and weld, and with an r before them
 * those whose coordinates describe the inboard body as seen from the body (rplanar, rgimbal, rfree ...). inertia: three moments or nine entries of the matrix, about the centre of
 * mass; bodytojoint, inbtojoint: from the centres of mass (ground: its origin) of body and inboard body to the joint; pin: its axes, one for pin, slider and cylinder, two at right angles for ujoint and planar
 * (whose third turns), three at right angles for gimbal and bushing. Loops may have axes on each body, inbpin and bodypin, in that body's own axes. Coordinates and speeds are those of the
 * mobilizer of that kind (cardo/mobilizers.h). language, grounded, single, double and prefix are skipped; what is left to run time (?), and prescribed motion, are refused. */
#ifndef CARDO_SDFAST_H
#define CARDO_SDFAST_H

#include <cardo/system.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { CARDO_SDFAST_NAME = 32 };

/* A body with its inboard joint, or a loop's joint. */
typedef struct cardo_sdfast_body {
    char name[CARDO_SDFAST_NAME], inboard[CARDO_SDFAST_NAME], joint[CARDO_SDFAST_NAME];
    bool loop;               /* the body is there already; mass and inertia say nothing          */
    double mass, inertia[9]; /* about the centre of mass, row-major                             */
    double body_to_joint[3], inboard_to_joint[3];
    int npin, nbody_pin; /* of the joint; on the body, of a loop that has its own there, or 0 */
    double pins[3][3], body_pins[3][3]; /* rows: axes                                            */
} cardo_sdfast_body;

/* Plain data: may be read, or filled by hand. */
typedef struct cardo_sdfast {
    double gravity[3];
    int nbody; /* and loops, in their order */
    cardo_sdfast_body *bodies;
} cardo_sdfast;

/* Reads a text of length bytes; place ("arm.sd") stands before line numbers in messages. CARDO_ERROR_INPUT, CARDO_ERROR_UNSUPPORTED. What out gets is freed by cardo_sdfast_free. */
CARDO_API cardo_status cardo_sdfast_read(const char *text, size_t length, const char *place,
                                         cardo_sdfast *out, cardo_error *error);
CARDO_API void cardo_sdfast_free(cardo_sdfast *description);
/* The text of a description, with all digits; the caller frees it by cardo_free. */
CARDO_API cardo_status cardo_sdfast_write(const cardo_sdfast *description, char **text,
                                          cardo_error *error);
/* The description of a system that was made otherwise: what is made of it has the same coordinates and speeds, and moves alike in gravity. Bodies have their names where those
 * are names here and no two alike, or body1, body2 ... Forces other than gravity, and stations, are left out. CARDO_ERROR_UNSUPPORTED names what such texts do not have:
 * other mobilizers, angles for a ball's or a free body's orientation, or their frames where these are turned against ground's axes at coordinates of zero, prescribed
 * motion, constraints that are no joints, loops by joints whose turn about their pin counts. What out gets is freed by cardo_sdfast_free. */
CARDO_API cardo_status cardo_sdfast_describe(const cardo_system *system, cardo_sdfast *out,
                                             cardo_error *error);
/* Its system, finalized, with bodies by their names; loops are constraints (ball, weld, joint). The caller owns *out. */
CARDO_API cardo_status cardo_sdfast_system(const cardo_sdfast *description, cardo_system **out,
                                           cardo_error *error);

#ifdef __cplusplus
}
#endif

#endif
