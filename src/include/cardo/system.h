/* A multibody system: a tree of rigid bodies joined by mobilizers. Immutable once finalized, shared
 * by any number of states and threads.
 *
 * Body 0 is ground. Body k has one inboard mobilizer that joins frame F, fixed on its parent
 * (X_PF), to frame M, fixed on the body (X_BM): X_GB = X_GP X_PF X_FM(q) X_BM^-1. Body numbers rise
 * from parent to child. Meaning of every q and u as in Simbody 3.7. */
#ifndef CARDO_SYSTEM_H
#define CARDO_SYSTEM_H

#include <cardo/geometry.h>
#include <cardo/mobilizers.h>
#include <cardo/status.h>

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cardo_system cardo_system;

/* Mass (Da), centre of mass from the body origin (nm), inertia about the body ORIGIN (Da nm^2) as
 * xx yy zz xy xz yz, off-diagonals as matrix entries (Ixy = -sum m x y); all in the body frame. */
typedef struct cardo_mass_properties {
    double mass;
    cardo_vec3 com;
    double inertia[6];
} cardo_mass_properties;

typedef struct cardo_body_definition {
    const char *name; /* copied; may be NULL                                       */
    int parent;       /* 0: ground; smaller than this body's own number            */
    const cardo_mobilizer *mobilizer; /* cardo_mobilizer_find */
    const void *parameters; /* the mobilizer's own parameter struct, copied (cardo/mobilizers.h)  */
    bool reversed;          /* q and u describe F as seen from M                          */
    bool euler; /* orientation coordinates as body-fixed 1-2-3 angles, not a quaternion */
    cardo_transform X_PF, X_BM;
    cardo_mass_properties mass;
} cardo_body_definition;

CARDO_API cardo_status cardo_system_create(cardo_system **out, cardo_error *error);
CARDO_API void cardo_system_destroy(cardo_system *system);

/* Adds a body; *body (may be NULL) is its number, counted from 1. */
CARDO_API cardo_status cardo_system_add_body(cardo_system *system,
                                             const cardo_body_definition *definition, int *body,
                                             cardo_error *error);

/* Adds count stations (points fixed on a body; atoms) with numbers first, first+1, ...: positions_B
 * is count x 3 in the body frame, nm. May be called several times for one body. Together the
 * numbers must fill 0..n-1 once. Stations of ground (body 0) never move. */
CARDO_API cardo_status cardo_system_add_stations(cardo_system *system, int body, int first,
                                                 int count, const double *positions_B,
                                                 cardo_error *error);

/* Uniform gravity, acceleration in ground (nm/ps^2); zero by default. */
CARDO_API void cardo_system_set_gravity(cardo_system *system, cardo_vec3 gravity);

/* Checks everything (every problem, not just the first, is in the message: singular inertia of a
 * leaf about its joint axis, frames that are not rotations, stations missing or doubled), freezes
 * the system and lays out memory. */
CARDO_API cardo_status cardo_system_finalize(cardo_system *system, cardo_error *error);

/* Gives a finalized system, before there are states of it, a kinetic energy 1/2 u^T A u in place of that of its bodies: A (nu x nu,
 * copied), constant, symmetric, positive definite, in the units of its mass matrix. For sampling: positions in a thermal ensemble
 * have the density exp(-U/kT) of the coordinates whatever A is, that which Fixman's potential gives with the bodies' own masses, and A may be chosen so
 * that all coordinates are about equally fast (Bennett 1975, J. Comput. Phys. 19, 267). Times and velocities mean nothing then. CARDO_ERROR_UNSUPPORTED with
 * constraints, prescribed motion, gravity, or a joint whose speeds are not the rates of its coordinates (balls, free joints, Euler angles);
 * CARDO_ERROR_SINGULAR where A is not positive definite. */
CARDO_API cardo_status cardo_system_set_mass_matrix(cardo_system *system, const double *A,
                                                    cardo_error *error);
/* That matrix (nu x nu), borrowed; NULL: the bodies' own masses. */
CARDO_API const double *cardo_system_mass_matrix(const cardo_system *system);

CARDO_API int cardo_system_nbody(const cardo_system *system); /* ground included */
CARDO_API int cardo_system_nq(const cardo_system *system);
CARDO_API int cardo_system_nu(const cardo_system *system);
CARDO_API int cardo_system_nstation(const cardo_system *system);

/* What the system knows of a body; names are borrowed. */
typedef struct cardo_body_info {
    const char *name;
    int parent;
    const cardo_mobilizer *mobilizer;
    bool reversed, euler;
    int q_first, nq, u_first, nu;
    cardo_transform X_PF, X_BM;
    cardo_mass_properties mass;
    int nstation;
} cardo_body_info;
CARDO_API void cardo_system_body(const cardo_system *system, int body, cardo_body_info *info);
/* Body number by name, or -1. */
CARDO_API int cardo_system_find_body(const cardo_system *system, const char *name);
/* The body that carries a station. */
CARDO_API int cardo_system_station_body(const cardo_system *system, int station);
/* Where it is in that body's frame, nm. O(number of calls of cardo_system_add_stations). */
CARDO_API cardo_vec3 cardo_system_station_position(const cardo_system *system, int station);

/* Coordinates and speeds of a system by name, as people and tables call them. */
enum { CARDO_COORDINATE_NAME = 96 };

/* The name of mobility k: "mobile" for a body's only one, "stationary wx" otherwise, by the joint's word
 * for it. Returns text. */
CARDO_API char *cardo_mobility_name(const cardo_system *system, int mobility,
                                    char text[CARDO_COORDINATE_NAME]);
/* The same for coordinate k. */
CARDO_API char *cardo_coordinate_name(const cardo_system *system, int coordinate,
                                      char text[CARDO_COORDINATE_NAME]);

/* Index of the q that the first length characters of name mean, BODY or BODY.K: a body's only
 * coordinate, or its K-th from 1. CARDO_ERROR_INPUT says which bodies there are, and the nearest name. */
CARDO_API cardo_status cardo_find_coordinate(const cardo_system *system, const char *name,
                                             size_t length, int *q, cardo_error *error);

#ifdef __cplusplus
}
#endif

#endif
