/* A multibody system: a tree of rigid bodies joined by mobilizers. Immutable once finalized, shared
 * by any number of states and threads.
 *
 * Body 0 is ground. Body k has one inboard mobilizer that joins frame F, fixed on its parent
 * (X_PF), to frame M, fixed on the body (X_BM): X_GB = X_GP X_PF X_FM(q) X_BM^-1. Body numbers rise
 * from parent to child. Meaning of every q and u as in Simbody 3.7. */
#ifndef CARDO_MULTIBODY_TREE_SYSTEM_H
#define CARDO_MULTIBODY_TREE_SYSTEM_H

#include "base/status.h"
#include "base/vec.h"
#include "multibody/mobilizers/mobilizer.h"

#include <stdbool.h>

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
    const cardo_mobilizer *mobilizer; /* a descriptor */
    const void *parameters; /* the mobilizer's own parameter struct, copied (see its file)  */
    bool reversed;          /* q and u describe F as seen from M                          */
    bool euler; /* orientation coordinates as body-fixed 1-2-3 angles, not a quaternion */
    cardo_transform X_PF, X_BM;
    cardo_mass_properties mass;
} cardo_body_definition;

cardo_status cardo_system_create(cardo_system **out, cardo_error *error);
void cardo_system_destroy(cardo_system *system);

/* Adds a body; *body (may be NULL) is its number, counted from 1. */
cardo_status cardo_system_add_body(cardo_system *system, const cardo_body_definition *definition,
                                   int *body, cardo_error *error);

/* Adds count stations (points fixed on a body; atoms) with numbers first, first+1, ...: positions_B
 * is count x 3 in the body frame, nm. May be called several times for one body. Together the
 * numbers must fill 0..n-1 once. Stations of ground (body 0) never move. */
cardo_status cardo_system_add_stations(cardo_system *system, int body, int first, int count,
                                       const double *positions_B, cardo_error *error);

/* Uniform gravity, acceleration in ground (nm/ps^2); zero by default. */
void cardo_system_set_gravity(cardo_system *system, cardo_vec3 gravity);

/* Checks everything (every problem, not just the first, is in the message: singular inertia of a
 * leaf about its joint axis, frames that are not rotations, stations missing or doubled), freezes
 * the system and lays out memory. */
cardo_status cardo_system_finalize(cardo_system *system, cardo_error *error);

int cardo_system_nbody(const cardo_system *system); /* ground included */
int cardo_system_nq(const cardo_system *system);
int cardo_system_nu(const cardo_system *system);
int cardo_system_nstation(const cardo_system *system);

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
void cardo_system_body(const cardo_system *system, int body, cardo_body_info *info);
/* Body number by name, or -1. */
int cardo_system_find_body(const cardo_system *system, const char *name);
/* The body's mobilizer with its parameters compiled, as if not reversed: names of coordinates and
 * speeds come from cardo_joint_q_name and cardo_joint_u_name of multibody/mobilizers/descriptor.h.
 * Borrowed. */
struct cardo_joint;
const struct cardo_joint *cardo_system_joint(const cardo_system *system, int body);
/* The body that carries a station. */
int cardo_system_station_body(const cardo_system *system, int station);
/* Where it is in that body's frame, nm. O(number of calls of cardo_system_add_stations). */
cardo_vec3 cardo_system_station_position(const cardo_system *system, int station);

#endif
