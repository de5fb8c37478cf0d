/* What a kind of constraints is made of (cardo/constraints.h): a const descriptor of functions of what it acts on, a file of its
 * own here and a line in constraint.h. */
#ifndef CARDO_MULTIBODY_CONSTRAINTS_PARTS_DESCRIPTOR_H
#define CARDO_MULTIBODY_CONSTRAINTS_PARTS_DESCRIPTOR_H

#include "cardo/constraints.h"
#include "multibody/algebra/spatial.h"
#include "multibody/tree/system.h"

/* A constraint with its parameters compiled: what it acts on, and how many rows it has. */
typedef struct constraint_shape {
    int nposition, nvelocity, nacceleration;
    int nbody, nmobility, ncoordinate;
    int bodies[CARDO_CONSTRAINT_MAX_BODIES];
    void *data; /* the kind's own, made by compile() and freed by release() */
    cardo_mobility_of mobilities[CARDO_CONSTRAINT_MAX_MOBILITIES];
    cardo_coordinate_of coordinates[CARDO_CONSTRAINT_MAX_MOBILITIES];
} constraint_shape;

struct cardo_constraint {
    const char *name;
    const char *doc;
    const char *const *row_names; /* NULL: rows have numbers; NULL-terminated */
    /* Checks and copies the parameters. system: as built so far. */
    cardo_status (*compile)(const cardo_system *system, const void *parameters,
                            constraint_shape *shape, cardo_error *error);
    void (*release)(void *data); /* NULL: cardo_free */
    /* Errors of positions; NULL: has none. */
    void (*position)(const void *data, const cardo_constraint_work *work, double *p);
    /* Rows, and their time derivatives (cardo_constraint_rows); NULL rates: rows are constant. */
    void (*rows)(const void *data, const cardo_constraint_work *work, cardo_constraint_rows *rows);
    void (*rates)(const void *data, const cardo_constraint_work *work,
                  cardo_constraint_rows *rates);
    /* Both at once, where that is sooner; NULL: one after the other. */
    void (*rows_and_rates)(const void *data, const cardo_constraint_work *work,
                           cardo_constraint_rows *rows, cardo_constraint_rows *rates);
    /* Adds to rates what rates() has in the offset, because that is sooner, where speeds are not the rates of coordinates: the rate
     * of each entry on mobilities, less what a joint's lacking spin has of it (its mobilizer's lacks_spin). NULL: nothing. */
    void (*entry_rates)(const void *data, const cardo_constraint_work *work,
                        cardo_constraint_rows *rates);
    /* Whether a configuration whose errors are small is another one than was meant; NULL: never. */
    bool (*is_turned)(const void *data, const cardo_constraint_work *work);
    /* The joint that it is: frames and mobilizer, without its bodies; NULL: is none. */
    void (*closure)(const void *data, cardo_joint_closure *out);
    /* Rows may be on how its bodies move at all, not only on how they move against each other. */
    bool on_any_motion;
    /* Its rows of positions may depend on time. */
    bool moves;
};

#endif
