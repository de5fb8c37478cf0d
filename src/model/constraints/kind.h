/* A kind of constraint as model files write it: a const descriptor in a file of its own here, and a line below. */
#ifndef CARDO_MODEL_CONSTRAINTS_KIND_H
#define CARDO_MODEL_CONSTRAINTS_KIND_H

#include "model/model.h"

#include <stddef.h>

/* What every constraint may say; the first member of each kind's struct of words. */
typedef struct constraint_words {
    char name[CARDO_FIELD_STRING_SIZE];
    bool on;
} constraint_words;

/* One that is being made: its words' member names are attributes, and messages speak of them. */
typedef struct constraint_maker {
    const cardo_model *model;
    cardo_model_constraint *into;
    int number; /* of those that one element stands for, from 0 */
} constraint_maker;

typedef struct cardo_written_constraint {
    const cardo_constraint *const kind; /* of the engine                               */
    const char *name;                   /* of the element; NULL: the kind's            */
    const cardo_field *fields;          /* attributes                                  */
    size_t size;                        /* of the words that they fill                 */
    const char *doc;                    /* one line; NULL: the kind's                  */
    const char *example;                /* for help */
    /* How many constraints an element stands for, at least one; NULL: one. */
    int (*count)(const void *words);
    /* Makes parameters and arrays of words; points are in ground. */
    cardo_status (*make)(const constraint_maker *maker, const void *words, cardo_error *error);
    /* Moves points from ground's origin to those of their bodies (origins); NULL: there are none. */
    void (*move)(cardo_constraint_parameters *parameters, const cardo_vec3 *origins);
} cardo_written_constraint;

/* Rows of a kind's table. */
#define CONSTRAINT_WORD(type, attribute, member, doc)                                              \
    {                                                                                              \
        attribute, CARDO_FIELD_STRING, offsetof(type, member), "", "", 0, 0, NULL, doc, false      \
    }
#define CONSTRAINT_LIST(type, attribute, member, doc)                                              \
    {                                                                                              \
        attribute, CARDO_FIELD_TEXT, offsetof(type, member), "", "", 0, 0, NULL, doc, false        \
    }
#define CONSTRAINT_NUMBER(type, attribute, member, unit, default_value, doc)                       \
    {                                                                                              \
        attribute, CARDO_FIELD_DOUBLE, offsetof(type, member), unit, default_value, 0, 0, NULL,    \
            doc, false                                                                             \
    }
#define CONSTRAINT_SWITCH(type, attribute, member, default_value, doc)                             \
    {                                                                                              \
        attribute, CARDO_FIELD_BOOL, offsetof(type, member), "", default_value, 0, 0, NULL, doc,   \
            false                                                                                  \
    }
#define CONSTRAINT_COMMON(type)                                                                    \
    CONSTRAINT_WORD(type, "name", common.name, "what messages and tables call it"),                \
        CONSTRAINT_SWITCH(type, "on", common.on, "yes", "no: switched off at the start")

/* All of them: a new one is a file beside this one and a line here. */
// clang-format off
#define CARDO_WRITTEN_CONSTRAINTS(X) \
    X(rod) \
    X(ball) \
    X(weld) \
    X(point_on_plane) \
    X(point_on_line) \
    X(constant_angle) \
    X(constant_orientation) \
    X(joint) \
    X(internal_coordinates) \
    X(coordinate_coupler) \
    X(symmetric) \
    X(speed_coupler) \
    X(prescribed_motion) \
    X(constant_speed) \
    X(constant_acceleration) \
    X(no_slip)
// clang-format on
#define CARDO_WRITTEN_CONSTRAINTS_DECLARE(name)                                                    \
    extern const cardo_written_constraint cardo_written_##name;
CARDO_WRITTEN_CONSTRAINTS(CARDO_WRITTEN_CONSTRAINTS_DECLARE)
#undef CARDO_WRITTEN_CONSTRAINTS_DECLARE

#endif
