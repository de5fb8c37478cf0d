/* The constraints of a system, and what a state keeps of them. */
#ifndef CARDO_MULTIBODY_MANIFOLD_SET_H
#define CARDO_MULTIBODY_MANIFOLD_SET_H

#include "cardo/stabilization.h"
#include "multibody/constraints/parts/descriptor.h"
#include "multibody/tree/constraint_set.h"
#include "multibody/tree/state_internal.h"

/* A constraint of a system: rows are its own, position rows first; row_of() says where they are among all. */
typedef struct constraint_plan {
    const cardo_constraint *kind;
    int nrow, row_first; /* the latter in arrays of rows constraint by constraint */
    int first_position, first_velocity, first_acceleration;
    int spatial_first, mobility_first; /* its entries in arrays of row entries */
    int body_first;                    /* its bodies in the array of origins */
    int ancestor;
    unsigned is_M; /* bit b: body number b's own frame is its mobilizer's M */
    int closing;   /* the body at which all that it acts on but ground has come together */
    constraint_shape shape;
    int mobilities[CARDO_CONSTRAINT_MAX_MOBILITIES];  /* in u */
    int coordinates[CARDO_CONSTRAINT_MAX_MOBILITIES]; /* in q */
    char *name;
    bool starts_off; /* in new states */
    int next_alike;  /* the next constraint between the same two bodies, -1: none (excess.c) */
    int most_rows;   /* that can be independent of all those                                 */
} constraint_plan;

typedef struct constraint_foot constraint_foot;
typedef struct row_visit row_visit;

/* A body that hangs from ground, and the constraints that act on its hinge alone. */
typedef struct root_hinge {
    int body, nrow;
    int first, end;              /* of its constraints in root_constraints */
    bool on_body, on_mobilities; /* what they act on */
} root_hinge;

/* Its rows at a state, side by side: those of more than four are taken out along the tree. */
enum { ROOT_ROWS = 4 };
typedef struct root_rows {
    double Y[ROOT_ROWS][ROOT_ROWS]; /* L D L^T, 1 / D on the diagonal */
    double drive[CARDO_MOBILIZER_MAX_U]
                [ROOT_ROWS]; /* speeds, of columns; local ones of all others */
    double scale[ROOT_ROWS];
    int count, rows[ROOT_ROWS]; /* those that are switched on, then the others */
} root_rows;

typedef struct constraint_list {
    constraint_set head;
    int capacity;
    constraint_plan *plans; /* (head.count) */
    int nposition, nvelocity, nacceleration, nrow;
    int nspatial, nmobility; /* entries of all rows together */
    int nbody;               /* bodies of all constraints together */
    int nfoot, *foot_first;  /* where constraints set in, by body, -1: nowhere     (nbody) */
    constraint_foot *feet;
    int *child_first, *child_next; /* 0: none                                      (nbody) */
    int room;                      /* for visits of rows to bodies                         */
    int nroot;                     /* 0, unless all constraints act on such hinges alone */
    root_hinge *roots;
    int *root_constraints;
    cardo_stabilization stabilization;
} constraint_list;

/* Rows of all constraints, or their rates. */
typedef struct row_arrays {
    cardo_spatial *bodies; /* (nspatial) */
    double *mobilities;    /* (nmobility) */
    double *offset;        /* (nrow), constraint by constraint */
} row_arrays;

struct constraint_cache {
    size_t size;
    double *block; /* of all arrays */
    unsigned long placed;
    double time;
    bool has_rows;          /* rows belong to positions number `placed` and to this time */
    bool factored;          /* so does the factorization                                 */
    row_arrays rows, rates; /* arrays of both follow one another in memory */
    size_t rows_size;       /* bytes of each */
    cardo_vec3 *origins;    /* of constraints' bodies, from their reference points (list->nbody) */
    double *multipliers;    /* (nrow)                                                  */
    double *vector;         /* (nrow), for operators                                   */
    double *scale;          /* (nrow): what the diagonal of Y could be, by place in Y         */
    double *errors;         /* (nrow), for assembly and projection                       */
    double *multiplied;     /* (nrow), likewise                                       */
    double *more;           /* (nrow)                                                  */
    double *speeds;         /* (nu)                                                    */
    double *tau;            /* (nu)                                                    */
    double *inverse;        /* (nu): 1 over weights of speeds, for assembly              */
    double *slope, *last;   /* (nu) each                                                 */
    double *start, *best, *closed; /* (nq) each                                        */
    cardo_spatial *force;          /* (nbody) about reference points; zero between uses       */
    double *Y;                     /* (nrow x nrow): its factor where factored                 */
    double *shortest;              /* (nrow x nrow): factor of I + T^T T where rows are redundant */
    int *active;                   /* (nrow): rows that are switched on, by their place in Y     */
    int *order;                    /* (nrow): pivots                                            */
    int *place;                    /* (nrow): constraint and own row of a row, two numbers each  */
    bool refused;                  /* factored because elimination could not be done here */
    bool at_roots;        /* rows are factored hinge by hinge (roots.c)                          */
    root_rows *at_hinges; /*                                                        (nroot) */
    bool eliminated;      /* rows are eliminated along the tree, with what follows (eliminate.c)  */
    row_visit *visits;
    int room, nvisit, nalive;
    double weakest; /* pivot of what was eliminated, of its scale                        */
    int *closing;   /* (nrow): of active rows, by place: the body where they close */
    int *at;        /* (nrow): place of a row among the active                                */
    int *slot;      /* (nrow): a row's latest visit                                           */
    int *alive;     /* (nrow): places of rows that are not taken out yet                        */
    int *visit_first, *visit_end, *eliminated_end; /* visits of a body              (nbody) */
    int *kid_first, *kid_next; /* children with rows that go on                     (nbody) */
    bool *stiffened, *touched; /*                                                   (nbody) */
    double *factors;           /* of stiffened bodies                             (nfactor) */
    double *jacobian; /* G and errors, of coordinate partitioning alone (nrow x (nu + 1)) */
    int *dependent;   /* likewise: 1 for speeds that follow from the others (nu), and room (nrow) */
    articulated_inertia *left; /*                                                   (nbody) */
    int limit; /* rows from here on are not in it, being of a higher kind                  */
    int nactive, rank;
};

static inline const constraint_list *list_of(const cardo_system *system)
{
    return (const constraint_list *)system->constraints;
}

static inline int row_of(const constraint_plan *plan, int own)
{
    const constraint_shape *s = &plan->shape;
    if (own < s->nposition)
        return plan->first_position + own;
    own -= s->nposition;
    return own < s->nvelocity ? plan->first_velocity + own
                              : plan->first_acceleration + own - s->nvelocity;
}

static inline bool is_on(const cardo_state *state, int constraint)
{
    return !(state->switched_off[constraint] > 0);
}

#endif
