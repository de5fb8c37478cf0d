/* A force provider that looks energies and generalized forces of another one up in a table: for
 * systems of one to three coordinates, where a step then costs microseconds however many atoms they
 * move. */
#ifndef CARDO_DYNAMICS_TABLES_TABLE_PROVIDER_H
#define CARDO_DYNAMICS_TABLES_TABLE_PROVIDER_H

#include "dynamics/tables/force_table.h"
#include "multibody/force.h"
#include "multibody/tree/state.h"
#include "multibody/tree/system.h"

/* The coordinates that forces depend on: all of the system's, but those of one free base where the
 * provider's forces do not change with the whole's place (CARDO_FORCE_INVARIANT). */
typedef struct cardo_table_coordinates {
    int count;
    int q[CARDO_TABLE_MOST_AXES], u[CARDO_TABLE_MOST_AXES];
} cardo_table_coordinates;

/* Fails with CARDO_ERROR_UNSUPPORTED when there are none, more than three, or one whose rate is not
 * its speed (balls). */
cardo_status cardo_table_coordinates_find(const cardo_system *system,
                                          const cardo_force_provider *provider,
                                          cardo_table_coordinates *coordinates, cardo_error *error);

/* A provider's energy and forces as a function of those coordinates; all others stand as in start. */
typedef struct cardo_table_source cardo_table_source;

/* system and provider are borrowed and outlive the source, which the caller owns. */
cardo_status cardo_table_source_create(const cardo_system *system, const cardo_state *start,
                                       cardo_force_provider *provider, cardo_table_source **out,
                                       cardo_error *error);
void cardo_table_source_destroy(cardo_table_source *source);
const cardo_table_coordinates *cardo_table_source_coordinates(const cardo_table_source *source);

/* How fast the fastest atom (station) moves for a unit rate of each coordinate, nm per unit (count):
 * the largest over the range from ... to (count each), all others as in the start. 0: the system has
 * no stations. */
cardo_status cardo_table_source_rates(cardo_table_source *source, const double *from,
                                      const double *to, double *rates, cardo_error *error);
/* The start's coordinates (count). */
void cardo_table_source_start(const cardo_table_source *source, double *x);

/* One evaluation of the provider at x; user is the source: a cardo_table_function. */
cardo_status cardo_table_source_evaluate(void *user, const double *x, double *energy,
                                         double *gradient, cardo_error *error);

/* The provider itself. It takes over source and table, also when it fails. Outside the table's
 * ranges every call is one of the source's provider. Its one term is "tabulated". The caller owns
 * *out. */
cardo_status cardo_table_provider_create(cardo_table_source *source, cardo_force_table *table,
                                         cardo_force_provider **out, cardo_error *error);

/* Calls so far that fell outside the table. */
long long cardo_table_provider_outside(const cardo_force_provider *provider);

#endif
