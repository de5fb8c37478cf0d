/* A table of an energy and its gradient over one to three coordinates, refined until a stated error
 * of the force holds, and interpolated by piecewise cubic Hermite polynomials in every direction:
 * forces are the exact gradient of the tabulated energy.
 *
 * Nodes are the crossings of lines, unevenly spaced along each axis. A node holds the energy and its
 * gradient as evaluated, and mixed derivatives from differences of gradients. */
#ifndef CARDO_DYNAMICS_TABLES_FORCE_TABLE_H
#define CARDO_DYNAMICS_TABLES_FORCE_TABLE_H

#include "base/status.h"

#include <stdbool.h>

enum { CARDO_TABLE_MOST_AXES = 3 };

typedef struct cardo_force_table {
    int naxis;
    int count[CARDO_TABLE_MOST_AXES];    /* nodes along each axis                               */
    double *line[CARDO_TABLE_MOST_AXES]; /* their coordinates, rising          (count of axis)  */
    /* Per node 2^naxis numbers: entry with the bits of axes j, k, ... set is the derivative along
     * each of them, entry 0 the energy; the last axis runs fastest. */
    double *node;
    double absolute, relative; /* a force component errs by no more than absolute + relative |F|  */
    double worst;   /* largest error seen at check points, as a multiple of that                 */
    double largest; /* the same in kJ/mol per unit of the coordinate                             */
    double place[CARDO_TABLE_MOST_AXES]; /* and where that was                        (naxis) */
    int nevaluation, ncheck; /* evaluations that it took; of these, check points between nodes   */
} cardo_force_table;

/* Energy (kJ/mol) and gradient (naxis; kJ/mol per unit of the coordinate) at x (naxis). */
typedef cardo_status (*cardo_table_function)(void *user, const double *x, double *energy,
                                             double *gradient, cardo_error *error);

typedef struct cardo_force_table_plan {
    int naxis;
    double from[CARDO_TABLE_MOST_AXES], to[CARDO_TABLE_MOST_AXES];
    double absolute, relative; /* one of them above 0 */
    /* Lines are no farther apart than this, unit of the coordinate: the length of what the function
     * may do between them. 0: unknown, the range has 16 intervals at least. */
    double spacing[CARDO_TABLE_MOST_AXES];
    const double *start; /* a place to check besides (naxis); NULL or outside the ranges: none */
    int most_evaluations;
    cardo_table_function function;
    void *user;
    /* Called after every evaluation with their number, and how many there may be in all, as far as errors found so far
     * tell; false stops with CARDO_ERROR_INTERRUPTED. NULL: nobody is told. */
    bool (*progress)(void *user, int nevaluation, int expected);
    void *progress_user;
} cardo_force_table_plan;

/* Evaluates and refines: an interval between two lines is halved, once at least, until the energy and
 * force at its middle agree with what was interpolated without it; then the table is compared with
 * the function at the start, at points between all lines and at random ones in the whole range (of a
 * fixed seed), and refined where that fails. Ranges that need more than most_evaluations from the
 * beginning, by their spacing, are CARDO_ERROR_INPUT; more later on is CARDO_ERROR_NUMERICAL;
 * failures of the function are passed on with the coordinates. The caller owns *out. */
cardo_status cardo_force_table_create(const cardo_force_table_plan *plan, cardo_force_table **out,
                                      cardo_error *error);

/* Compares a table, such as one that was read, with the plan's function at the start and at so many
 * random points of a fixed seed: *worst is the largest error of a force component as a multiple of
 * what is stated. */
cardo_status cardo_force_table_check(const cardo_force_table *table,
                                     const cardo_force_table_plan *plan, int points, double *worst,
                                     cardo_error *error);

/* Room for a table of given size, values zero; the caller owns *out. For readers of files. */
cardo_status cardo_force_table_allocate(int naxis, const int *count, cardo_force_table **out,
                                        cardo_error *error);
void cardo_force_table_destroy(cardo_force_table *table);

/* Energy and gradient (naxis) at x, interpolated. False outside the table, with nothing written. */
bool cardo_force_table_at(const cardo_force_table *table, const double *x, double *energy,
                          double *gradient);

/* Number of nodes. */
int cardo_force_table_nnode(const cardo_force_table *table);

#endif
