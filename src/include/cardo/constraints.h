/* Constraints: what closes loops, couples coordinates or rules out velocities in a system of bodies.
 *
 * Rows are of three kinds: holonomic p(t, q) = 0, nonholonomic v(t, q, u) = 0, linear in u, and of accelerations only, linear
 * in udot. Differentiated all are G udot + b = 0, and the motion is M udot + G^T lambda + c = f: the force that a constraint
 * APPLIES is -G^T lambda. Where a system has constraints, realizing accelerations finds the multipliers lambda; positions
 * and velocities are brought onto the constraints by cardo/manifold.h, or kept there by a method of cardo/stabilization.h. Redundant rows are
 * allowed: lambda is the shortest of all that do.
 *
 * Arrays of rows have nrow entries: first the position rows of all constraints in the order in which they were added, then the
 * rows of velocities, then those of accelerations. Rows of constraints that are switched off stay, with zeros. */
#ifndef CARDO_CONSTRAINTS_H
#define CARDO_CONSTRAINTS_H

#include <cardo/functions.h>
#include <cardo/state.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cardo_constraint cardo_constraint;

/* All kinds, NULL-terminated; by name ("rod"), or NULL. */
CARDO_API const cardo_constraint *const *cardo_constraint_list(void);
CARDO_API const cardo_constraint *cardo_constraint_find(const char *name);
/* Its name, and one line of help. */
CARDO_API const char *cardo_constraint_name(const cardo_constraint *constraint);
CARDO_API const char *cardo_constraint_doc(const cardo_constraint *constraint);

/* Adds a constraint before the system is finalized, when the bodies that it names are there; parameters: the struct of its
 * kind below, copied. name (copied, may be NULL) is what messages call it. */
CARDO_API cardo_status cardo_system_add_constraint(cardo_system *system,
                                                   const cardo_constraint *constraint,
                                                   const char *name, const void *parameters,
                                                   int *index, cardo_error *error);

/* Whether new states have a constraint switched on; they have unless this says otherwise. Before the system is finalized. */
CARDO_API cardo_status cardo_system_start_constraint(cardo_system *system, int index, bool on,
                                                     cardo_error *error);

/* How many constraints there are, and how many rows of each kind together. */
typedef struct cardo_constraint_counts {
    int nconstraint, nposition, nvelocity, nacceleration, nrow;
} cardo_constraint_counts;
CARDO_API void cardo_system_constraint_counts(const cardo_system *system,
                                              cardo_constraint_counts *counts);

/* What the system knows of a constraint; names are borrowed. Rows of each kind follow one another from first_... on. */
typedef struct cardo_constraint_info {
    const char *name; /* NULL: has none */
    const cardo_constraint *constraint;
    int nposition, nvelocity, nacceleration;
    int first_position, first_velocity, first_acceleration;
    int ancestor; /* the nearest body that carries all that it acts on; 0: ground */
} cardo_constraint_info;
CARDO_API cardo_status cardo_system_constraint(const cardo_system *system, int index,
                                               cardo_constraint_info *info, cardo_error *error);
/* A constraint's number by its name, or -1. */
CARDO_API int cardo_system_find_constraint(const cardo_system *system, const char *name);

enum { CARDO_CONSTRAINT_ROW_NAME = 128 };
/* What messages call a row: "closure (weld), x". Returns text. */
CARDO_API char *cardo_constraint_row_name(const cardo_system *system, int row,
                                          char text[CARDO_CONSTRAINT_ROW_NAME]);

/* Switches a constraint on or off: part of the state, recorded and copied with it. Lowers the stage below
 * ACCELERATION. */
CARDO_API cardo_status cardo_state_set_constraint(cardo_state *state, int index, bool on,
                                                  cardo_error *error);
CARDO_API bool cardo_state_has_constraint(const cardo_state *state, int index);

/* ---- errors ---- */

/* p (nposition), 0 where a constraint holds. POSITION. */
CARDO_API cardo_status cardo_constraint_position_errors(const cardo_system *system,
                                                        const cardo_state *state, double *errors,
                                                        cardo_error *error);
/* dp/dt, then v (nposition + nvelocity). VELOCITY. */
CARDO_API cardo_status cardo_constraint_velocity_errors(const cardo_system *system,
                                                        const cardo_state *state, double *errors,
                                                        cardo_error *error);
/* G udot + b (nrow), which is rounding unless constraints contradict each other. ACCELERATION. */
CARDO_API cardo_status cardo_constraint_acceleration_errors(const cardo_system *system,
                                                            const cardo_state *state,
                                                            double *errors, cardo_error *error);

/* ---- rows ---- */

/* G v: speeds (nu) -> rows (nrow). G^T x: rows -> generalized forces (nu, overwritten). O(n). POSITION. */
CARDO_API cardo_status cardo_multiply_g(const cardo_system *system, const cardo_state *state,
                                        const double *v, double *rows, cardo_error *error);
CARDO_API cardo_status cardo_multiply_gt(const cardo_system *system, const cardo_state *state,
                                         const double *rows, double *generalized,
                                         cardo_error *error);
/* Explicit G, row-major nrow x nu. POSITION. */
CARDO_API cardo_status cardo_constraint_matrix(const cardo_system *system, const cardo_state *state,
                                               double *G, cardo_error *error);
/* b (nrow): G udot + b = 0. VELOCITY. */
CARDO_API cardo_status cardo_constraint_bias(const cardo_system *system, const cardo_state *state,
                                             double *bias, cardo_error *error);

/* ---- forces ---- */

/* The multipliers (nrow); NULL when not realized. Borrowed. ACCELERATION. */
CARDO_API const double *cardo_state_multipliers(const cardo_state *state);
/* What the constraints apply with given multipliers (nrow), overwritten: forces on bodies (nbody: torque about body origins and
 * force, in ground) and on mobilities (nu). Together they are -G^T multipliers. POSITION. */
CARDO_API cardo_status cardo_constraint_forces(const cardo_system *system, const cardo_state *state,
                                               const double *multipliers,
                                               cardo_spatial *body_forces, double *mobility_forces,
                                               cardo_error *error);
/* Power that each constraint brings in, kJ/mol/ps (nconstraint), 0 but for those that depend on time or hold speeds.
 * ACCELERATION. */
CARDO_API cardo_status cardo_constraint_power(const cardo_system *system, const cardo_state *state,
                                              double *by_constraint, cardo_error *error);

/* ---- the kinds ---- */

/* A coordinate or a mobility of a body by its number among the body's own, from 0. */
typedef struct cardo_coordinate_of {
    int body, coordinate;
} cardo_coordinate_of;
typedef struct cardo_mobility_of {
    int body, mobility;
} cardo_mobility_of;

/* rod: the distance of two points. |p2 - p1| - length. */
typedef struct cardo_rod {
    int body1, body2;
    cardo_vec3 point1, point2; /* in body frames, nm */
    double length;             /* more than 0        */
} cardo_rod;

/* ball: two points coincide. p2 - p1 in the axes of the nearest common ancestor of both bodies. */
typedef struct cardo_coincident_points {
    int body1, body2;
    cardo_vec3 point1, point2;
} cardo_coincident_points;

/* weld: two frames coincide. With x, y, z the axes of each: x2 . y1, y2 . z1, z2 . x1, then the rows of a ball at their
 * origins. All are zero too where frame 2 is turned by 180 degrees about an axis of frame 1: cardo_assemble_q refuses that. */
typedef struct cardo_welded_frames {
    int body1, body2;
    cardo_transform frame1, frame2; /* in body frames */
} cardo_welded_frames;

/* constant-orientation: the first three rows of a weld. */
typedef struct cardo_constant_orientation {
    int body1, body2;
    cardo_mat33 R1, R2; /* axes of the frames, in body frames */
} cardo_constant_orientation;

/* constant-angle: between two directions. axis1 . axis2 - cos(angle). At 0 and 180 degrees the row has no gradient: two of
 * constant-orientation's are what is meant. */
typedef struct cardo_constant_angle {
    int body1, body2;
    cardo_vec3 axis1, axis2; /* in body frames; made unit vectors */
    double angle;            /* radian, more than 0 and less than pi */
} cardo_constant_angle;

/* point-on-plane: a point of body 2 stays at a height in a plane of body 1. normal1 . (point 2 in body 1's frame) - height. */
typedef struct cardo_point_on_plane {
    int body1, body2;
    cardo_vec3 normal1; /* made a unit vector */
    double height;
    cardo_vec3 point2;
} cardo_point_on_plane;

/* point-on-line: a point of body 2 stays on a line of body 1: two planes through it. */
typedef struct cardo_point_on_line {
    int body1, body2;
    cardo_vec3 direction1, point1, point2;
} cardo_point_on_line;

/* joint: frame M on body 2 moves in frame F on body 1 as this mobilizer lets it; 6 rows less its mobilities. The mobilizer's
 * coordinates are fitted to the pose of the bodies (cardo_fit_q, from the default ones), and the rows are what the fit leaves,
 * along an orthonormal basis of the motions that the mobilizer does not have (radian and nm alike). That a line-orientation or
 * free-line does not spin is a row of velocities, the last: it comes to every orientation. */
typedef struct cardo_joint_closure {
    int body1, body2;
    cardo_transform frame1, frame2; /* F on body 1, M on body 2 */
    const cardo_mobilizer *mobilizer;
    const void *parameters;
    bool reversed, euler;
} cardo_joint_closure;

/* internal-coordinates: one to six distances, angles and dihedrals of points that are fixed on two bodies. The coordinate less its
 * value, of a dihedral in -pi ... pi. An angle at 0 or pi, and a dihedral three points of which are in a line, have no gradient. */
enum { CARDO_INTERNAL_ROWS = 6, CARDO_INTERNAL_POINTS = 4 };
typedef struct cardo_internal_coordinate {
    int npoint; /* 2: a distance, 3: the angle at the second point, 4: the dihedral about the middle two */
    int body[CARDO_INTERNAL_POINTS]; /* 1 or 2: which of the two bodies each point is on      */
    cardo_vec3 point[CARDO_INTERNAL_POINTS]; /* in that body's frame, nm                      */
    double value;                            /* nm or radian                                  */
} cardo_internal_coordinate;
typedef struct cardo_internal_coordinates {
    int body1, body2, nrow;
    cardo_internal_coordinate row[CARDO_INTERNAL_ROWS];
} cardo_internal_coordinates;

/* coordinate-coupler: a function of one to six coordinates is zero. The function's argument i is the coordinate
 * coordinates[function.args[i]]. */
typedef struct cardo_coordinate_coupler {
    int ncoordinate;
    cardo_coordinate_of coordinates[CARDO_FUNCTION_MAX_ARGS];
    cardo_function function;
} cardo_coordinate_coupler;

/* speed-coupler: sum_i coefficients[i] u_i - value, of one to six speeds. */
typedef struct cardo_speed_coupler {
    int nmobility;
    cardo_mobility_of mobilities[CARDO_FUNCTION_MAX_ARGS];
    double coefficients[CARDO_FUNCTION_MAX_ARGS];
    double value;
} cardo_speed_coupler;

/* prescribed-motion: a coordinate is a function of time: q - f(t). (cardo_system_prescribe does the same to a whole joint without
 * multipliers, and sooner; a constraint can be switched off.) */
typedef struct cardo_prescribed_coordinate {
    cardo_coordinate_of coordinate;
    cardo_function function; /* of time (ps), or constant */
} cardo_prescribed_coordinate;

/* constant-speed: u - value. constant-acceleration: udot - value, a row of accelerations only. */
typedef struct cardo_constant_speed {
    cardo_mobility_of mobility;
    double value;
} cardo_constant_speed;
typedef struct cardo_constant_acceleration {
    cardo_mobility_of mobility;
    double value;
} cardo_constant_acceleration;

/* no-slip: at a point that is fixed on body 0, bodies 1 and 2 have the same velocity along a direction that is fixed on body 0:
 * direction . (v2 - v1), a row of velocities. */
typedef struct cardo_no_slip {
    int body0, body1, body2;
    cardo_vec3 point0, direction0; /* in body 0's frame; the direction is made a unit vector */
} cardo_no_slip;

/* stiction: a point of body 2, or a sphere about it where it is nearest to a plane of body 1 (radius2 more than 0), does not slip on that plane: two rows of velocities,
 * along directions of body 1 that are perpendicular to normal1. With point-on-plane at the height of the radius the sphere rolls. */
typedef struct cardo_stiction {
    int body1, body2;
    cardo_vec3 normal1; /* made a unit vector */
    cardo_vec3 point2;
    double radius2; /* 0: the point itself */
} cardo_stiction;

/* Kinds for mechanisms that move in ground's plane x, y: their rows are on x, y and the turn about z alone, so that none is redundant there. Points and normals are
 * x, y in body frames whose z is ground's; bodies may not leave the plane.
 *
 * planar-revolute: two points coincide. Point 1 less point 2, x and y, in ground. */
typedef struct cardo_planar_revolute {
    int body1, body2;
    double point1[2], point2[2];
} cardo_planar_revolute;

/* planar-translational: body 2 slides along a line of body 1. normal1 . (point 2 - point 1), and the angle of body 1 less that of body 2 less the offset, in
 * -pi ... pi. */
typedef struct cardo_planar_translational {
    int body1, body2;
    double point1[2], normal1[2], point2[2]; /* the normal is made a unit vector */
    double offset;                           /* radian                           */
} cardo_planar_translational;

/* planar-place: x (axis 0) or y (axis 1) in ground of a point of a body, less a function of time. */
typedef struct cardo_planar_place {
    int body, axis;
    double point[2];
    cardo_function function; /* of time, or constant */
} cardo_planar_place;

/* planar-angle: the angle of body 1 less that of body 2 less a function of time, in -pi ... pi. */
typedef struct cardo_planar_angle {
    int body1, body2;
    cardo_function function; /* of time, or constant; radian */
} cardo_planar_angle;

enum { CARDO_CONSTRAINT_MAX_BODIES = 8, CARDO_CONSTRAINT_MAX_MOBILITIES = 36 };

/* What a constraint sees. */
typedef struct cardo_constraint_work {
    const cardo_system *system;
    double time;
    const double *q;        /* all coordinates (nq)                                           */
    const double *u;        /* (nu); only in rates()                                         */
    const int *coordinates; /* where in q the coordinates are that the constraint listed     */
    const int *mobilities;  /* where in u its mobilities are                                 */
    const cardo_transform *X_GB; /* of its bodies, in the order in which it listed them           */
    const cardo_spatial *V_GB;   /* of the same; only in rates()                                  */
} cardo_constraint_work;

/* Row i of velocities is sum_b bodies[i nbody + b] . V_GB[b] + sum_j mobilities[i nmobility + j] u_j + offset[i], position rows
 * first (their velocity is dp/dt), then those of velocities, then those of accelerations, in which udot stands for u and the
 * accelerations of body frames for V_GB. All are zero on entry. */
typedef struct cardo_constraint_rows {
    cardo_spatial *bodies; /* torque about the body's origin and force, in ground (nrow x nbody)  */
    double *mobilities; /*                                                 (nrow x nmobility)   */
    double *offset;     /* what depends on time alone                      (nrow)               */
} cardo_constraint_rows;

/* callback: the user's own. The functions must not allocate if the caller counts on that, and may run in several threads at
 * once, on different states. */
typedef struct cardo_constraint_callback_parameters {
    int nposition, nvelocity, nacceleration;
    int nbody, bodies[CARDO_CONSTRAINT_MAX_BODIES];
    int ncoordinate;
    cardo_coordinate_of coordinates[CARDO_CONSTRAINT_MAX_MOBILITIES];
    int nmobility;
    cardo_mobility_of mobilities[CARDO_CONSTRAINT_MAX_MOBILITIES];
    /* p (nposition); may be NULL without position rows. */
    void (*position)(void *user, const cardo_constraint_work *work, double *p);
    void (*rows)(void *user, const cardo_constraint_work *work, cardo_constraint_rows *rows);
    /* The time derivatives of what rows() gives, at the velocities of work; for rows of accelerations, offset is what is left
     * besides. */
    void (*rates)(void *user, const cardo_constraint_work *work, cardo_constraint_rows *rates);
    void *user; /* handed to the functions; must outlive the system */
} cardo_constraint_callback_parameters;

#ifdef __cplusplus
}
#endif

#endif
