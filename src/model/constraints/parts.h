/* What constraints act on, as it is written: bodies, points, directions and frames, in ground where the reference stands. */
#ifndef CARDO_MODEL_CONSTRAINTS_PARTS_H
#define CARDO_MODEL_CONSTRAINTS_PARTS_H

#include "model/constraints/kind.h"

/* A point on a body: "body1", "point1". */
typedef struct end_words {
    char body[CARDO_FIELD_STRING_SIZE], point[CARDO_FIELD_STRING_SIZE];
} end_words;

/* A frame on a body. */
typedef struct frame_words {
    end_words at;
    char axis[CARDO_FIELD_STRING_SIZE], across[CARDO_FIELD_STRING_SIZE];
} frame_words;

#define CONSTRAINT_END(type, number, member)                                                       \
    CONSTRAINT_WORD(type, "body" number, member.body,                                              \
                    "a body, \"ground\", or atoms that are all in one body"),                      \
        CONSTRAINT_WORD(type, "point" number, member.point,                                        \
                        "atoms (A:90@CA), or three numbers (nm), where the reference stands")
#define CONSTRAINT_FRAME(type, number, member)                                                     \
    CONSTRAINT_END(type, number, member.at),                                                       \
        CONSTRAINT_WORD(type, "axis" number, member.axis,                                          \
                        "the frame's z axis, of a slider x: three numbers, or \"POINT to "         \
                        "POINT\""),                                                                \
        CONSTRAINT_WORD(type, "across" number, member.across,                                      \
                        "the side to which the frame's x axis points, of a slider y, likewise")

typedef struct constraint_end {
    int body; /* the system's number */
    cardo_vec3 point;
} constraint_end;

typedef struct constraint_frame {
    int body;
    cardo_transform X; /* in ground */
} constraint_frame;

/* A body by its name, "ground", or by atoms; attribute: for messages. */
cardo_status cardo_constraint_body(const constraint_maker *maker, const char *attribute,
                                   const char *text, int *body, cardo_error *error);
/* The body of an end: the one that is named, or that of all its atoms. */
cardo_status cardo_constraint_end(const constraint_maker *maker, const char *number,
                                  const end_words *words, constraint_end *end, cardo_error *error);
/* Both, on two bodies. A point that is left out is where the other is; one of them must be there. */
cardo_status cardo_constraint_ends(const constraint_maker *maker, const end_words words[2],
                                   constraint_end ends[2], cardo_error *error);
/* A unit vector: three numbers, or from one point to another. body (may be NULL): that of the atoms of both, or -1. */
cardo_status cardo_constraint_direction(const constraint_maker *maker, const char *attribute,
                                        const char *text, cardo_vec3 *direction, int *body,
                                        cardo_error *error);
/* Frames on two bodies. One of which nothing is said is where the other is; with nothing said of both they are at the middle of the
 * second body's atoms. Axes that are left out are ground's. along_x: axis is the frame's x. */
cardo_status cardo_constraint_frames(const constraint_maker *maker, const frame_words words[2],
                                     bool along_x, constraint_frame frames[2], cardo_error *error);

#endif
