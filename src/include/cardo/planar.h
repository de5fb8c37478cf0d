/* Planar mechanisms: bodies with x, y and an angle in ground's plane, joints and forces between them, compiled to a system of this engine in one of two forms.
 *
 *   absolute   every body is free in the plane, and joints are constraints: x, y, angle of every body are the coordinates, M is constant
 *   tree       as many joints as the graph lets are mobilizers (pins, sliders) of a tree that grows from ground by the shortest ways, and those that
 *              close loops are constraints: relative coordinates, few of them. What no joint reaches is free in the plane
 *
 * Both move alike. Bodies are counted from 1, 0 is ground. A body's origin is its centre of mass; points and normals are x, y in its axes. z is out of the plane, gravity
 * in it. Units as in cardo/multibody.h, or m, kg, s, N. Joints as in Nikravesh (2018), Planar multibody dynamics. */
#ifndef CARDO_PLANAR_H
#define CARDO_PLANAR_H

#include <cardo/stabilization.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cardo_planar_body {
    const char *name; /* may be NULL                       */
    double mass;
    double inertia; /* about the centre of mass, both more than 0 */
} cardo_planar_body;

typedef enum cardo_planar_joint_kind {
    CARDO_PLANAR_REVOLUTE, /* point 1 of body 1 and point 2 of body 2 coincide: rows x, y of the first less the second  */
    CARDO_PLANAR_TRANSLATIONAL, /* body 2 slides along a line of body 1: rows of planar-translational (cardo/constraints.h)  */
    CARDO_PLANAR_SIMPLE, /* a coordinate of body 1 keeps a value                                                      */
    CARDO_PLANAR_DRIVING, /* the angle of body 1 less that of body 2 is a function of time                             */
    CARDO_PLANAR_GUIDING /* a coordinate of body 1, of point 1 where it is x or y, is a function of time              */
} cardo_planar_joint_kind;

/* Zero-initialise, then set what the kind needs. */
typedef struct cardo_planar_joint {
    cardo_planar_joint_kind kind;
    const char *name; /* what messages call it; may be NULL */
    int body1, body2;
    double point1[2], point2[2];
    double normal1[2];       /* translational: of the line through point 1, on body 1       */
    double offset;           /* translational: angle of body 1 less that of body 2, radian   */
    int coordinate;          /* simple, guiding: 0 x, 1 y, 2 angle                          */
    double value;            /* simple                                                     */
    cardo_function function; /* driving, guiding: of time                                    */
} cardo_planar_joint;

typedef enum cardo_planar_force_kind {
    CARDO_PLANAR_TORQUE, /* `torque` on body 1                                                      */
    CARDO_PLANAR_SPRING_DAMPER /* stiffness (distance - length) + damping rate + actuator draws point 1 and point 2 together */
} cardo_planar_force_kind;

/* Zero-initialise, then set what the kind needs. */
typedef struct cardo_planar_force {
    cardo_planar_force_kind kind;
    int body1, body2;
    double point1[2], point2[2];
    double torque;
    double stiffness, length, damping, actuator;
} cardo_planar_force;

typedef struct cardo_planar {
    int nbody, njoint, nforce;
    const cardo_planar_body *bodies;   /* (nbody): body k is bodies[k - 1] */
    const cardo_planar_joint *joints;  /* (njoint) */
    const cardo_planar_force *forces;  /* (nforce) */
    double gravity[2];                 /* acceleration                     */
    cardo_stabilization stabilization; /* of the system                    */
} cardo_planar;

typedef enum cardo_planar_form { CARDO_PLANAR_ABSOLUTE, CARDO_PLANAR_TREE } cardo_planar_form;

/* A mechanism that was compiled. */
typedef struct cardo_mechanism cardo_mechanism;

/* Compiles a description, which may go away. CARDO_ERROR_ARGUMENT, CARDO_ERROR_INPUT name the body, joint or force that is wrong. The caller owns *out. */
CARDO_API cardo_status cardo_mechanism_create(const cardo_planar *description,
                                              cardo_planar_form form, cardo_mechanism **out,
                                              cardo_error *error);
/* NULL is fine; its states go first. */
CARDO_API void cardo_mechanism_destroy(cardo_mechanism *mechanism);
/* Its system, finalized; borrowed. */
CARDO_API const cardo_system *cardo_mechanism_system(const cardo_mechanism *mechanism);
/* The system's number of a body, which may be another one in a tree. */
CARDO_API int cardo_mechanism_body(const cardo_mechanism *mechanism, int body);
/* The first row of a joint among the system's rows; -1: it is a mobilizer of the tree, and has none. */
CARDO_API int cardo_mechanism_row(const cardo_mechanism *mechanism, int joint);

/* Sets q and u from absolute coordinates (3 nbody: x, y, angle of each body) and their rates (3 nbody; NULL: zero). In a tree, places are
 * followed along its joints from angles and from ways along sliders: what does not agree with its joints is left out. Allocates. */
CARDO_API cardo_status cardo_mechanism_set(const cardo_mechanism *mechanism, cardo_state *state,
                                           const double *coordinates, const double *rates,
                                           cardo_error *error);
/* Absolute coordinates, their rates and second rates (3 nbody each; any may be NULL), angles without a jump. POSITION, VELOCITY, ACCELERATION. */
CARDO_API cardo_status cardo_mechanism_get(const cardo_mechanism *mechanism,
                                           const cardo_state *state, double *coordinates,
                                           double *rates, double *accelerations,
                                           cardo_error *error);
/* What each joint does (njoint x 3: force x, y in ground, torque): revolute and translational to body 2 at point 2; the others to body 1, at point 1 or about
 * its centre of mass. In a tree that has redundant loops it is one of several answers, and not that of absolute coordinates. ACCELERATION. */
CARDO_API cardo_status cardo_mechanism_joint_forces(const cardo_mechanism *mechanism,
                                                    const cardo_state *state, double *forces,
                                                    cardo_error *error);

/* Kinematic analysis of a mechanism whose joints leave nothing free: positions, speeds and accelerations at a time, from the state's q as a first guess, which says which of
 * several assemblies is meant. Realizes ACCELERATION; multipliers are then the inverse dynamics. CARDO_ERROR_NUMERICAL names the row that stays open where no
 * configuration is found, and q is then as it was; it says how many freedoms there are where there are some, and that a configuration is a dead point where speeds are
 * not determined. */
CARDO_API cardo_status cardo_mechanism_kinematics(const cardo_mechanism *mechanism,
                                                  cardo_state *state, double time,
                                                  cardo_error *error);

#ifdef __cplusplus
}
#endif

#endif
