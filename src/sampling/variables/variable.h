/* Collective variables: functions xi(q) of a system's configuration along which one samples, each
 * with its exact gradient in the speeds' directions, d xi/dt = gradient . u.
 *
 * Each kind is a const descriptor in a file of its own, listed in cardo_variable_kinds. Gradients
 * come from analytic slopes at centres of mass or stations, summed to one spatial force a body and
 * taken through J^T; the base may be free. A variable keeps working memory: one thread at a time
 * evaluates it, and nothing is allocated then.
 *
 * Singular places. Where a value stands but has a kink (distance 0, angle 0 or pi, RMSD 0), the
 * gradient is 0, the mean over all directions. Where there is no value (an angle with coinciding
 * centres, a dihedral whose axis is collinear with an end), or no best superposition, the status is
 * CARDO_RECOVERABLE and the message says which. */
#ifndef CARDO_SAMPLING_VARIABLES_VARIABLE_H
#define CARDO_SAMPLING_VARIABLES_VARIABLE_H

#include "base/status.h"
#include "multibody/tree/state.h"
#include "multibody/tree/system.h"

#include <stdbool.h>

typedef struct cardo_variable cardo_variable;
typedef struct cardo_variable_kind cardo_variable_kind;

/* Stations and their weights (masses for a centre of mass); weight NULL: equal ones. */
typedef struct cardo_station_group {
    int count;
    const int *station;   /* (count)                             */
    const double *weight; /* (count) above zero, or NULL         */
} cardo_station_group;

enum { CARDO_VARIABLE_MAX_GROUPS = 4 };

/* What a variable is made from; what its kind does not need stays zero. */
typedef struct cardo_variable_definition {
    const char *name; /* for tables; copied                                                   */
    int coordinate;   /* coordinate: which of the system's nq                                 */
    double period;    /* coordinate: q and q + period are one place, values lie in
                         [-period/2, period/2]; 0: none                                       */
    cardo_station_group group[CARDO_VARIABLE_MAX_GROUPS]; /* as many as the kind has; copied  */
    const double *reference; /* rmsd: places of group[0]'s stations, nm (count x 3); copied     */
} cardo_variable_definition;

extern const cardo_variable_kind cardo_variable_coordinate, cardo_variable_distance,
    cardo_variable_angle, cardo_variable_dihedral, cardo_variable_rmsd;

/* All kinds, NULL-terminated; and by name, or NULL. */
extern const cardo_variable_kind *const cardo_variable_kinds[];
const cardo_variable_kind *cardo_variable_kind_find(const char *name);
/* Name ("distance"), one line of help, and number of groups of stations. */
const char *cardo_variable_kind_name(const cardo_variable_kind *kind);
const char *cardo_variable_kind_doc(const cardo_variable_kind *kind);
int cardo_variable_kind_ngroup(const cardo_variable_kind *kind);

/* A variable of a finalized system, which must outlive it. Groups that are empty or name stations
 * that are not there, weights that are not above zero, a coordinate that does not exist or is a part
 * of a quaternion: CARDO_ERROR_ARGUMENT. The caller owns *out. */
cardo_status cardo_variable_create(const cardo_variable_kind *kind, const cardo_system *system,
                                   const cardo_variable_definition *definition,
                                   cardo_variable **out, cardo_error *error);
void cardo_variable_destroy(cardo_variable *variable);

/* The value, in the variable's unit. POSITION. CARDO_RECOVERABLE where there is none. */
cardo_status cardo_variable_value(const cardo_variable *variable, const cardo_state *state,
                                  double *value, cardo_error *error);
/* Value and gradient (nu), d xi/dt = gradient . u: a force -dU/dxi on the variable is the generalized
 * force -dU/dxi gradient. POSITION. CARDO_RECOVERABLE where there is none. */
cardo_status cardo_variable_gradient(const cardo_variable *variable, const cardo_state *state,
                                     double *value, double *gradient, cardo_error *error);

/* The value where the stations are at positions (nstation x 3, nm), which need be no pose of the
 * system: for molecules whose atoms all move. CARDO_ERROR_UNSUPPORTED for a coordinate, which only a
 * pose has. */
cardo_status cardo_variable_value_at(const cardo_variable *variable, const double *positions,
                                     double *value, cardo_error *error);

/* For a coordinate whose rate is one of the system's speeds: which one. False for others. */
bool cardo_variable_speed(const cardo_variable *variable, int *speed);

/* Period of the values, 0 where they have none; a difference of two values is then the shortest. */
double cardo_variable_period(const cardo_variable *variable);
double cardo_variable_difference(const cardo_variable *variable, double a, double b); /* a - b */
/* The bounds of the values: 0 and infinity of a distance; -infinity and infinity where there are none. */
void cardo_variable_bounds(const cardo_variable *variable, double *lowest, double *highest);
/* "nm", "rad" or "", and the name. Borrowed. */
const char *cardo_variable_unit(const cardo_variable *variable);
const char *cardo_variable_name(const cardo_variable *variable);
const cardo_variable_kind *cardo_variable_kind_of(const cardo_variable *variable);

#endif
