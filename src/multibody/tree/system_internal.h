/* The finalized system's inside: what the passes over the tree read. */
#ifndef CARDO_MULTIBODY_TREE_SYSTEM_INTERNAL_H
#define CARDO_MULTIBODY_TREE_SYSTEM_INTERNAL_H

#include "multibody/algebra/spatial.h"
#include "multibody/mobilizers/descriptor.h"
#include "multibody/tree/system.h"

#include <stddef.h>

/* Shape of a hinge map, by which the sweeps treat it (multibody/tree/hinge.h). */
typedef enum hinge_form {
    HINGE_NONE,      /* no mobility, or all of them prescribed                               */
    HINGE_SINGLE,    /* one column                                                           */
    HINGE_COLUMNS,   /* several columns                                                      */
    HINGE_BALL,      /* turns about the reference point                                      */
    HINGE_ELLIPSOID, /* turns that move it                                                   */
    HINGE_FREE       /* turns about it and slides                                            */
} hinge_form;

/* A body as the passes see it. Its own frame is M: rotations and mass properties are those of M's
 * axes and origin. */
typedef struct body_plan {
    int parent;
    unsigned char kind;   /* cardo_mobilizer_kind                                              */
    unsigned char form;   /* hinge_form of its hinge map                                     */
    unsigned char yields; /* hinge_form of what gives way to forces: none where all of them are
                             prescribed                                                        */
    unsigned char nq, nu;
    int q_first, u_first;
    int cache_first; /* its joint cache in the state                                      */
    int map_first, factor_first; /* its hinge map and factor                                  */
    bool reversed;
    bool own_point; /* begins a cluster: a reference point of its own, not its parent's       */
    bool central;   /* which is its centre of mass; else its M's origin                        */
    bool changing_hinge; /* H changes in F: it is reversed, or its mobilizer has a rate()        */
    unsigned char prescribed; /* bit j: mobility j is a function of time                     */
    bool is_leaf;
    bool sets_parent; /* the highest-numbered child: sets its parent's sums, others add        */
    double sign;      /* +1, or -1 for a reversed pin or slider                             */
    double mass;
    frame_rows shape; /* in M, by columns: centre of mass; two vectors by whose squared lengths the
                         other two central moments fall short of the largest, along their axes; and
                         (1, or 0 if central; the largest moment; the mass)                      */
    frame_rows frame; /* X_PF: F in the parent's M; in its body frame before finalize            */
    cardo_transform X_MB;
    cardo_joint joint;
} body_plan;

/* A body as it was defined, and what only building needs. */
typedef struct body_source {
    char *name;
    cardo_mass_properties mass;
    int nstation;
} body_source;

/* Stations first .. first + count - 1 are on a body; position_first: where they are in the array of
 * positions. */
typedef struct station_run {
    int body, first, count;
    size_t position_first;
} station_run;

/* A force element with its own copy of its parameters. */
typedef struct force_entry {
    const struct cardo_force_element *element;
    void *parameters;
    size_t memory_first; /* of what states keep for it */
} force_entry;

void cardo_force_entry_release(force_entry *entry);

/* Prescribed motion of a body's mobilizer. */
typedef struct motion_entry {
    int body, level;
    struct cardo_compiled_function *functions[CARDO_MOBILIZER_MAX_U];
} motion_entry;

/* Loops over the tree are also compiled for AVX2 and AVX-512, whose registers hold a body's working
 * set, and the loader picks: without fused operations the bits are the same. Sanitizers cannot run
 * the loader's resolvers. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 12 &&           \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && !defined(CARDO_NO_CLONES)
#define TREE_PASS_CLONES
#endif

struct cardo_system {
    int nbody, body_capacity, source_capacity;
    body_plan *bodies;    /* (nbody); [0] is ground    */
    body_source *sources; /* (nbody)                  */
    int nq, nu, ncache, nmap, nfactor;
    int nquaternion;
    int *quaternions; /* first coordinate of each quaternion    (nquaternion) */
    int nrun, run_capacity;
    station_run *runs;
    size_t nposition; /* stations added so far          */
    int position_capacity;
    double *positions; /* in body frames                (nposition x 3) */
    int nstation;
    int *station_body; /* (nstation)                    */
    int nforce, force_capacity;
    force_entry *forces; /* (nforce) */
    size_t force_memory; /* bytes that a state keeps for all of them */
    int nmotion, motion_capacity;
    motion_entry *motions;              /* (nmotion) */
    struct constraint_set *constraints; /* NULL: there are none (multibody/tree/constraint_set.h) */
    struct mass_matrix
        *masses; /* NULL: M is that of the bodies (multibody/algebra/mass_matrix.h) */
    cardo_vec3 gravity;
    int nplaced; /* bodies whose X_PF starts from the parent's M already */
    bool lanes;  /* eight bodies side by side are faster than one by one on this machine */
    bool finalized;
};

#endif
